"""Characteristic choices of the shipped scripts as scenarios, and explanations of choices."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product
from pathlib import Path
from random import Random

import pytest
from altered_match import AlteredMatch
from extent import covering

from trutdsl.cli.app import run
from trutdsl.game import DealStart, load_game
from trutdsl.scenario.read import read_scenarios
from trutdsl.scenario.run import run_scenario
from trutdsl.strategy.explain import Advisers
from trutdsl.strategy.load import list_strategies, load_strategy

FOLDER = Path(__file__).parent
FILES = sorted((FOLDER / "choices").glob("*.yaml"))
GAMES = {}


@pytest.mark.parametrize(
    ("engine", "path"),
    covering(list(product(["reference", "native"], FILES))),
    ids=lambda one: getattr(one, "stem", one),
)
def test_scripts_choose_as_their_scenarios_expect(path, engine):
    for one in read_scenarios(path, path.name):
        assert run_scenario(one, path, engine, GAMES.setdefault(engine, {})).differences == ()


def test_every_script_has_scenarios():
    named = Counter(
        chosen.strategy.partition(":")[0]
        for path in FILES
        for one in read_scenarios(path, path.name)
        for chosen in one.expect.values["choose"]
    )
    assert set(named) == set(list_strategies()) - {"uniform"}  # it has no characteristic choice
    assert min(named.values()) >= 2


SCENARIO = """
scenario: called-against
variant: trut
players: 2
start:
  dealer: 1
  hands: {0: [9d, 10c, Kh], 1: [7h, 7d, 8c]}
actions:
  - 1: trut
expect:
  decision: {seat: 0, name: respond}
  choose: {STRATEGY: accept}
"""


def scenario_for(tmp_path, strategy):
    path = tmp_path / "one.yaml"
    path.write_text(SCENARIO.replace("STRATEGY", strategy), encoding="utf-8")
    return path


def test_a_failed_scenario_names_the_clause_that_chose(tmp_path, capsys):
    assert run(["scenario", str(scenario_for(tmp_path, "honest"))]) == 1
    output = capsys.readouterr().out
    found = "expected `accept`, found `fold`, by `fold` (strategies/honest.strategy:24:9)"
    assert f"one.yaml:12:11: choose honest: {found}\n" in output


@pytest.mark.parametrize(
    ("text", "code"),
    [("nobody", "bad-scenario"), ("tute-follower", "not-meant")],
)
def test_a_strategy_that_cannot_answer_is_refused(text, code, tmp_path, capsys):
    assert run(["scenario", str(scenario_for(tmp_path, text))]) == 2
    assert f"[{code}]" in capsys.readouterr().err


REASONS = """strategy reasons for trut:
    parameter least: 0 to 100 = 60
    deal memory:
        lucky: yes_no
    define strong: hand_worth >= least
    define good(c: card): strength(c) > 6 and strong
    on respond:
        if cards_left < 3:
            accept
        accept when strong and we_win
        accept when lucky or not (cards_left > 1)
        accept with chance 0.0
        accept when any c in hand[me] has good(c)
        fold: lucky = yes
    on turn: play card where strength(card) > 8
    otherwise: any
"""


def test_an_explanation_lists_each_evaluated_clause_with_the_reason(tmp_path, capsys, monkeypatch):
    (tmp_path / "reasons.strategy").write_text(REASONS, encoding="utf-8")
    scenario_for(tmp_path, "steady")
    monkeypatch.chdir(tmp_path)
    assert run(["explain-choice", "reasons.strategy", "one.yaml"]) == 0
    assert capsys.readouterr().out == (
        "called-against: player 1 is asked 'respond' with 10♣ 9♦ K♥\n"
        "reasons chooses: fold\n"
        "  reasons.strategy:8: if cards_left < 3:\n"
        "      `cards_left < 3` does not hold: cards_left is 3\n"
        "  reasons.strategy:10: accept when strong and we_win\n"
        "      `strong` does not hold, as\n"
        "        `hand_worth >= least` does not hold: hand_worth is 43 and least is 60\n"
        "  reasons.strategy:11: accept when lucky or not (cards_left > 1)\n"
        "      `lucky` does not hold\n"
        "      `not (cards_left > 1)` does not hold: `cards_left > 1` holds: cards_left\n"
        "          is 3\n"
        "  reasons.strategy:12: accept with chance 0.0\n"
        "      `chance 0.0` did not come up\n"
        "  reasons.strategy:13: accept when any c in hand[me] has good(c)\n"
        "      `any c in hand[me] has good(c)` does not hold, as\n"
        "        for 10c: `good(c)` does not hold, as\n"
        "          `strength(c) > 6` does not hold: strength(c) is 2\n"
        "        for 9d: `good(c)` does not hold, as\n"
        "          `strength(c) > 6` does not hold: strength(c) is 1\n"
        "        for Kh: `good(c)` does not hold, as\n"
        "          `strength(c) > 6` does not hold: strength(c) is 5\n"
        "  reasons.strategy:14: fold: lucky = yes\n"
        "      taken\n"
    )


PARTLY = """strategy partly for trut:
    define big(c: card): strength(c) > 3
    define has_other(c: card): any d in hand[me] has suit(d) == suit(c) and d != c
    define other(c: card): highest strength(d) for d in hand[me] where suit(d) == suit(c) and d != c
    on respond:
        if cards_left > 5: fold
        else if cards_left > 4: fold
        accept when every p in seats has p != me and big(top(table[p]))
        fold when cards_left == 3 or big(top(table[me]))
    on turn:
        play card where has_other(card) with lowest other(card)
    otherwise: any
"""


def test_an_explanation_leaves_out_what_has_no_value(tmp_path, capsys, monkeypatch):
    """No card lies on the table; 8c is the only club."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "partly.strategy").write_text(PARTLY, encoding="utf-8")
    scenario_for(tmp_path, "steady")
    (tmp_path / "two.yaml").write_text(
        "scenario: leads\nvariant: trut\nplayers: 2\nstart:\n  dealer: 0\n"
        "  hands: {0: [7h, Kh, 8c]}\nactions: []\n"
        "expect:\n  decision: {seat: 0, name: turn}\n"
    )
    assert run(["explain-choice", "partly.strategy", "one.yaml"]) == 0
    assert capsys.readouterr().out == (
        "called-against: player 1 is asked 'respond' with 10♣ 9♦ K♥\n"
        "partly chooses: fold\n"
        "  partly.strategy:6: if cards_left > 5: fold\n"
        "      `cards_left > 5` does not hold: cards_left is 3\n"
        "  partly.strategy:7: else if cards_left > 4: fold\n"
        "      `cards_left > 4` does not hold: cards_left is 3\n"
        "  partly.strategy:8: accept when every p in seats has p != me and\n"
        "      big(top(table[p]))\n"
        "      `every p in seats has p != me and big(top(table[p]))` does not hold, as\n"
        "        for player 1: `p != me` does not hold: p is player 1 and me is player 1\n"
        "  partly.strategy:9: fold when cards_left == 3 or big(top(table[me]))\n"
        "      taken\n"
        "        cards_left is 3\n"
    )
    assert run(["explain-choice", "partly.strategy", "two.yaml"]) == 0
    assert "`other(card)`: 7h 5, Kh 8\n" in capsys.readouterr().out


LUCKY = """strategy lucky for trut:
    match memory:
        calls[seat]: 0 to 9
    define eager: highest rate of trut by p at "turn" prior 1 out of 10 for p in seats where p != me
    on respond:
        accept when every p in seats has calls[p] > 1
        mix:
            (eager): accept
            900: fold
            (0 - 5): any
    otherwise: any
"""
MEMORY_AND_RATES = "  memory: {lucky: {calls: {1: 4}}}\n  rates: {trut at turn: {1: [1, 10]}}\n"


def test_an_explanation_has_weights_values_and_exact_probabilities(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lucky.strategy").write_text(LUCKY, encoding="utf-8")
    text = SCENARIO.replace("actions:", MEMORY_AND_RATES + "actions:").replace(
        "STRATEGY", "lucky.strategy"
    )
    (tmp_path / "one.yaml").write_text(text, encoding="utf-8")
    assert run(["explain-choice", "lucky.strategy", "one.yaml"]) == 0
    assert capsys.readouterr().out == (
        "called-against: player 1 is asked 'respond' with 10♣ 9♦ K♥\n"
        "lucky chooses: fold\n"
        "  lucky.strategy:6: accept when every p in seats has calls[p] > 1\n"
        "      `every p in seats has calls[p] > 1` does not hold, as\n"
        "        for player 1: `calls[p] > 1` does not hold: calls[p] is 0\n"
        "  lucky.strategy:7: mix:\n"
        "      `eager` weighs 142\n"
        "      `900` weighs 900: drawn\n"
        "      `0 - 5` weighs 0\n"
        "        eager is 142\n"
        '          for player 2: rate of trut by p at "turn" prior 1 out of 10 is 142\n'
        "  lucky.strategy:9: 900: fold\n"
        "      taken\n"
        "  by its luck: play! 13.6%, fold 86.4% (exact, summed over its luck)\n"
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("calls: {1", "cals: {1", "has no match memory 'cals'; it has calls"),
        ("{1: 4}", "{1: 40}", "'calls[1]' is from 0 to 9"),
        ("{1: 4}", "{7: 4}", "'calls' has no place '7'"),
        ("trut at turn", "trut at trn", "trut has no option 'trut at trn'"),
        ("[1, 10]", "[10, 1]", "how often it was chosen, and how often it could be"),
        (
            "{lucky: {calls: {1: 4}}}",
            "{lucky: 4}",
            "the memory of a script is a value for each name",
        ),
        ("seat: 0, name", "seat: 2, name", "there is no seat 2 with 2 players"),
        ("seat: 0, name", "seat: 1, name", "ends, seat 0 is asked 'respond'; expected was seat 1"),
    ],
)
def test_an_impossible_memory_rate_or_seat_is_refused(old, new, said, tmp_path, capsys):
    (tmp_path / "lucky.strategy").write_text(LUCKY, encoding="utf-8")
    text = SCENARIO.replace("actions:", MEMORY_AND_RATES + "actions:").replace(
        "STRATEGY", "lucky.strategy"
    )
    assert old in text
    path = tmp_path / "one.yaml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    assert run(["explain-choice", str(tmp_path / "lucky.strategy"), str(path)]) == 2
    assert said in capsys.readouterr().err


def test_a_seat_that_is_not_asked_is_refused(tmp_path, capsys):
    path = scenario_for(tmp_path, "steady")
    assert run(["explain-choice", "steady", str(path), "--seat", "2"]) == 2
    assert "player 1 is asked 'respond', not player 2" in capsys.readouterr().err


def test_scenarios_that_end_without_a_question_are_left_out(tmp_path, capsys):
    path = scenario_for(tmp_path, "steady")
    text = path.read_text(encoding="utf-8").lstrip()
    over = (
        "scenario: over\nvariant: trut\nplayers: 2\nstart: {dealer: 0}\n"
        "actions: [{0: trut}, {1: fold}]\nexpect: {deal_over: true}\n"
    )
    path.write_text(f"{over}---\n{text}", encoding="utf-8")
    assert run(["explain-choice", "steady", str(path)]) == 0
    assert capsys.readouterr().out.startswith("called-against: player 1 is asked")
    assert run(["explain-choice", "steady", str(path), "--scenario", "over"]) == 2
    assert "nobody is asked anything where 'over' ends" in capsys.readouterr().err


DICE = """strategy dice for trut:
    on respond:
        let n = roll 0 to 999
        accept when n < 500
        fold
    otherwise: any
"""


def test_probabilities_with_too_many_outcomes_are_estimated_with_an_interval(tmp_path, capsys):
    (tmp_path / "dice.strategy").write_text(DICE, encoding="utf-8")
    path = scenario_for(tmp_path, "steady")
    assert run(["explain-choice", str(tmp_path / "dice.strategy"), str(path)]) == 0
    output = " ".join(capsys.readouterr().out.split())
    found = re.search(r"play! ([0-9.]+)% to ([0-9.]+)%, fold .* from 2,000 repetitions", output)
    assert 45 < float(found[1]) < 50 < float(found[2]) < 55


def test_monte_carlo_explains_the_wins_of_each_action(tmp_path, capsys):
    name, file = "monte-carlo:playouts=8", tmp_path / "m.jsonl"
    path = scenario_for(tmp_path, "steady")
    assert run(["explain-choice", name, str(path)]) == 0
    output = capsys.readouterr().out
    assert re.search(r"fold +wins [0-9.]+ of 100 matches \([0-9.]+ to [0-9.]+\)", output)
    assert "in 4 worlds" in output
    args = ["simulate", "trut", "--players", "2", "--strategies", f"{name},steady"]
    more = ["--matches", "1", "--transcript", str(file)]
    assert run([*args, *more]) == 0
    capsys.readouterr()
    assert run(["explain-choice", name, str(file), "--deal", "2"]) == 0
    output = capsys.readouterr().out
    assert "worlds, the same for all actions" in output
    assert "the actual answer" not in output  # it chooses the same action again


def test_an_explanation_names_excluded_actions(tmp_path, capsys):
    path = tmp_path / "lead.yaml"
    text = SCENARIO.replace("  - 1: trut\n", "").replace("actions:", "actions: []")
    text = text.replace("{seat: 0, name: respond}", "{seat: 1, name: turn}")
    path.write_text(text.replace("STRATEGY", "steady"), encoding="utf-8")
    script = tmp_path / "reasons.strategy"
    script.write_text(REASONS, encoding="utf-8")
    assert run(["explain-choice", str(script), str(path)]) == 0
    output = " ".join(capsys.readouterr().out.split())
    assert "`strength(card) > 8` holds for none of play 8c, play 7d, play 7h" in output


def test_a_choice_in_a_transcript_is_explained_with_the_stream_of_its_match(tmp_path, capsys):
    file = tmp_path / "m.jsonl"
    args = ["simulate", "trut", "--players", "2", "--strategies", "bluffer:bluff=0.5,steady"]
    assert run([*args, "--matches", "1", "--seed", "4", "--transcript", str(file)]) == 0
    capsys.readouterr()
    for deal in range(4):
        assert run(["explain-choice", "bluffer:bluff=0.5", str(file), "--deal", str(deal + 1)]) == 0
        output = capsys.readouterr().out
        assert "bluffer:bluff=0.5 chooses: " in output
        assert "the actual answer" not in output
        assert max(map(len, output.splitlines())) <= 80


@pytest.mark.parametrize("arguments", [["--deal", "999"], ["--seat", "7"], ["--match", "3"]])
def test_a_deal_seat_or_match_that_a_transcript_lacks_is_refused(arguments, tmp_path, capsys):
    file = tmp_path / "m.jsonl"
    args = ["simulate", "trut", "--players", "2", "--strategies", "caller,steady"]
    assert run([*args, "--matches", "1", "--seed", "4", "--transcript", str(file)]) == 0
    assert run(["explain-choice", "caller", str(file), *arguments]) == 2
    assert capsys.readouterr().err.startswith("error: ")


@pytest.mark.parametrize(
    ("file", "option", "said"),
    [
        ("one.yaml", "--deal", "--deal needs a transcript"),
        ("one.yaml", "--match", "--match needs a transcript"),
        ("m.jsonl", "--scenario", "--scenario needs a file of scenarios"),
    ],
)
def test_an_option_for_another_kind_of_file_is_refused(file, option, said, tmp_path, capsys):
    scenario_for(tmp_path, "steady")
    assert run(["explain-choice", "caller", str(tmp_path / file), option, "1"]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("name", ["actuary", "last-card", "scorer", "steady"])
def test_explanations_do_not_reveal_hidden_cards(name):
    """Two positions that differ only in hidden cards have the same explanation."""
    spec, random = load_strategy(name), Random(3)
    one, two = (Advisers(load_game("trut", 2, engine="reference"), [spec], 1, 0) for _ in range(2))
    state, compared = one.game.start(1, 0), 0
    while compared < 60:
        if isinstance(state.pending, DealStart):
            state.next_deal()
            continue
        first = one.choose(state, state.pending, spec)
        hidden = AlteredMatch(state.match, one.game, state.pending.seat, random)
        altered = type("Elsewhere", (), {"match": hidden})()
        for player in two._players.values():
            player.match = hidden
        assert two.choose(altered, state.pending, spec) == first
        state.apply(first.index)
        compared += 1
