"""What is said of scripts that have not learnt a rule comes from what they did in play."""

from dataclasses import replace

from measuring import measured_by

from trutdsl.comparison.results import answered_at_random, unknown_answers
from trutdsl.game import load_game
from trutdsl.strategy import load_strategies, load_strategy


def test_what_is_said_of_scripts_comes_from_what_they_did():
    """`tight` has clauses of its own at a turn, and for Trut those of `otherwise` in `steady`."""
    specs = [load_strategy(name) for name in ("caller", "steady", "tight", "uniform")]
    found = measured_by("trut", [spec.name for spec in specs], 4)
    assert found.taken_any[:, 3].sum() == found.chosen[:, 3].sum() > 0
    told = {(one["strategy"], one["question"]) for one in answered_at_random(found, specs)}
    assert told == {("caller", "turn")}, "where it may not call it plays cards at random"
    new = unknown_answers(replace(found.plan, decisions=(), bets=()), found, specs)
    assert not any(
        set(one["strategies"]) & {"tight", "uniform"} for one in new if one["question"] == "turn"
    )


def test_a_script_without_a_clause_for_a_question_takes_any_there(tmp_path):
    path = tmp_path / "silent.strategy"
    path.write_text('strategy silent "Plays.":\n    on turn: play c\n    otherwise: any\n')
    found = measured_by("trut", [str(path)], 4)
    (spec,) = load_strategies([str(path)], load_game("trut", 2, engine="reference"))
    asked = {one["question"]: one for one in answered_at_random(found, [spec])}
    assert "turn" not in asked and asked["respond"]["answers"] == asked["respond"]["at_random"] > 0
    new = unknown_answers(replace(found.plan, decisions=(), bets=()), found, [spec])
    told = {one["question"]: one for one in new}
    assert told["respond"]["at_random"] and not told["turn"]["at_random"]
    assert told["turn"]["options"] == ["trut"]
