"""Reports about scripts without clauses for a rule come from their choices in play."""

from dataclasses import replace

from measuring import measure_variant

from trutdsl.comparison.results import answered_at_random, unknown_answers
from trutdsl.game import load_game
from trutdsl.strategy.fitness import load_strategies
from trutdsl.strategy.load import load_strategy


def test_reports_about_scripts_come_from_their_choices():
    """`tight` has its own clauses at a turn, and calls Trut by `otherwise` of `steady`."""
    specs = [load_strategy(name) for name in ("caller", "steady", "tight", "uniform")]
    found = measure_variant("trut", [spec.name for spec in specs], 4)
    assert found.taken_any[:, 3].sum() == found.chosen[:, 3].sum() > 0
    random_answers = {
        (one["strategy"], one["question"]) for one in answered_at_random(found, specs)
    }
    assert random_answers == {("caller", "turn")}, "where it may not call it plays cards at random"
    new = unknown_answers(replace(found.plan, decisions=(), bets=()), found, specs)
    assert not any(
        set(one["strategies"]) & {"tight", "uniform"} for one in new if one["question"] == "turn"
    )


def test_a_script_without_a_clause_answers_at_random(tmp_path):
    path = tmp_path / "silent.strategy"
    path.write_text('strategy silent "Plays.":\n    on turn: play c\n    otherwise: any\n')
    found = measure_variant("trut", [str(path)], 4)
    (spec,) = load_strategies([str(path)], load_game("trut", 2, engine="reference"))
    questions = {one["question"]: one for one in answered_at_random(found, [spec])}
    assert (
        "turn" not in questions
        and questions["respond"]["answers"] == questions["respond"]["at_random"] > 0
    )
    new = unknown_answers(replace(found.plan, decisions=(), bets=()), found, [spec])
    unknown = {one["question"]: one for one in new}
    assert unknown["respond"]["at_random"] and not unknown["turn"]["at_random"]
    assert unknown["turn"]["options"] == ["trut"]
