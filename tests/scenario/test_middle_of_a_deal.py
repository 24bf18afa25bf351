"""Scenarios from the middle of a deal, with checks of zones and views."""

from pathlib import Path

import pytest

from trutdsl.cli.app import run
from trutdsl.scenario.read import read_scenarios
from trutdsl.scenario.record import record_scenario
from trutdsl.scenario.run import run_scenario
from trutdsl.transcript.events import read_transcript

LAST_TRICK = """\
scenario: last-trick
variant: trut
players: 2
start:
  dealer: 0
  at: play_trick 3
  zones:
    hand: {0: [7h], 1: [8h]}
    played: [As, Ad, Kh, Qh]
  variables: {tricks: [1, 1], first_trick: [1, 2], tricks_left: 1, on_lead: 1}
actions:
  - 1: play 8h
  - expect: {decision: {seat: 1, name: interrupt}, zones: {table: {1: [8h]}}}
  - 0: play 7h
expect:
  deal_winner: 0
  zones: {stock: 26}
"""
OPEN_QUESTION = (
    LAST_TRICK[: LAST_TRICK.index("actions:")]
    + """\
actions: []
expect:
  decision: {seat: 0, name: interrupt}
  zones: {hand: {0: [7h]}, stock: 26, played: [Ad, As, Qh, Kh]}
  variables: {tricks: [1, 1], caller: null, on_lead: 1, first_trick: {1: 2}}
  views: {1: {zones: {hand: {0: hidden, 1: [8h]}, stock: hidden}, variables: {tricks_left: 1}}}
"""
)


@pytest.fixture
def play(play_and_join_outputs):
    return play_and_join_outputs


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_deal_continues_from_its_start(play, engine):
    for text in (LAST_TRICK, OPEN_QUESTION):
        assert play(text, "--engine", engine)[1].endswith("1 passed, 0 failed\n")


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize("before_hands", [True, False])
def test_a_given_stock_has_no_other_cards_until_the_next_deal(play, engine, before_hands):
    stock, hand = "    stock: [Ks, 9c]\n", "    hand: {0: [7h], 1: [8h]}\n"
    both = (stock, hand) if before_hands else (hand, stock)
    text = LAST_TRICK.replace(hand, "".join(both)).replace(
        "zones: {table: {1: [8h]}}}", "zones: {stock: [Ks, 9c], table: {1: [8h]}}}"
    )
    at_the_end = text.replace("zones: {stock: 26}", "zones: {stock: [Ks, 9c]}")
    question = "  - expect: {decision: {seat: 0, name: turn}, zones: {stock: 26}}\n"
    next_deal = text.replace("expect:\n  deal_winner", question + "expect:\n  deal_winner")
    for one in (at_the_end, next_deal):
        assert play(one, "--engine", engine)[1].endswith("1 passed, 0 failed\n")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("hand: {0: [7h]}", "hand: {0: [8h]}", "s.yaml:14:21: hand[0]: expected [8h], found [7h]"),
        ("stock: 26", "stock: 3", "stock: expected 3 cards, found 26"),
        ("tricks: [1, 1], caller", "tricks: [1, 0], caller", "tricks[1]: expected 0, found 1"),
        ("caller: null", "caller: 1", "caller: expected 1, found null"),
        ("on_lead: 1, first", "on_lead: 0, first", "on_lead: expected 0, found 1"),
        ("0: hidden", "0: [7h]", "view of seat 1, hand[0]: expected to be seen, but it is hidden"),
        ("1: [8h]}, st", "1: hidden}, st", "view of seat 1, hand[1]: expected hidden, but it is"),
        ("tricks_left: 1}}", "tricks_left: 2}}", "view of seat 1, tricks_left: expected 2, found"),
        ("1: [8h]}, st", "1: [9h]}, st", "view of seat 1, hand[1]: expected [9h], found [8h]"),
    ],
)
def test_differences_from_expectations_are_reported(play, old, new, message):
    assert OPEN_QUESTION.count(old) == 1
    code, out = play(OPEN_QUESTION.replace(old, new))
    assert code == 1
    assert message in out


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("play_trick 3", "play_trik", "s.yaml:6:7: error: trut has no rule 'play_trik'"),
        ("play_trick 3", "play_trick third", "`at` must be a rule, and perhaps which time"),
        ("play_trick 3", "answer 2", "rule 'answer' returns something, so no time can be left out"),
        ("hand: {0", "hands: {0", "trut has no zone 'hands'"),
        ("0: [7h]", "4: [7h]", "'hand' has no place '4': it has one for each seat"),
        ("0: [7h]", "0: [7h, 8c, 9c, 9d]", "'hand[0]' holds at most 3 cards"),
        ("0: [7h]", "0: [As]", "'As' lies in 'hand[0]' and in 'played'"),
        ("tricks_left: 1", "tricks_lef: 1", "trut has no variable 'tricks_lef'"),
        (
            "zones: {stock: 26}",
            "variables: {longs: [1, 2]}",
            "it is a counter: name it under `counters`",
        ),
        (
            "tricks_left: 1",
            "tricks_left: 9",
            "'tricks_left' must be a number from 0 to 3, found '9'",
        ),
        ("on_lead: 1", "on_lead: 7", "'on_lead' must be a seat, found '7'"),
    ],
)
def test_a_bad_start_is_refused(play, old, new, message):
    code, out = play(LAST_TRICK.replace(old, new, 1))
    assert code == 2, out
    assert message in out


NAMED_SETS = f"""\
scenario: named-sets
rules: [x]
variant: {Path(__file__).parents[1] / "good" / "named-sets.yaml"}
players: 2
start:
  at: number_of
  dealer: 0
  variables: {{numbers: [2, 3, 4], bids: [null, null, null, null, 1]}}
actions:
  - 0: take 3
expect:
  variables:
    bids: [null, null, null, 0, 1]
    marks: {{3: 3}}
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("marks: {3", "marks: {0", "'marks' has no place '0': it has one for each 1 to 9"),
        ("{3: 3}", "[1, 2]", "'marks' has a place for each 1 to 9; write"),
        ("[2, 3, 4]", "[2, 0]", "8:28: error: 'numbers' must be a list of 1 to 9, found '0'"),
        ("[2, 3, 4]", "2", "8:24: error: 'numbers' must be a list of 1 to 9, found '2'"),
        ("0, 1]", "1, 1]", "13:30: bids[2]: expected 1, found 0"),
        ("0, 1]", "0, 0]", "bids[3]: expected 0, found 1"),
        ("{3: 3}", "[0, 0, 4, 0, 0, 0, 0, 0, 0]", "marks[3]: expected 4, found 3"),
    ],
)
def test_places_of_numbers_and_sets_of_them_begin_at_the_declared_number(play, old, new, message):
    assert play(NAMED_SETS)[0] == 0
    assert NAMED_SETS.count(old) == 1
    code, out = play(NAMED_SETS.replace(old, new))
    assert code == (1 if "expected" in message else 2), out
    assert message in out


def test_an_unreached_rule_is_reported(play):
    code, out = play(LAST_TRICK.replace("play_trick 3", "lose_petits"))
    assert code == 1
    assert "s.yaml:6:7: the first deal never comes to rule 'lose_petits'" in out


BIDDING = """\
variant: bidding
title: Who takes it plays on
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts}, ranks: [A, K]}
rules: |
  deal state:
      maker: seat?
  rule match:
      deal:
          for p in seats:
              ask p "bid":
                  pass
                  take it: maker = p
          if maker == none: end deal because all_passed
          ask maker "how":
              low: maker = maker
              high: on_lead = maker
          do settle
      end match drawn
  rule settle: end deal won by team(maker) because played
"""
SETTLED = """\
scenario: settled
variant: bidding.yaml
players: 2
start: {at: settle, before: [{1: take it}, {1: high}]}
actions: []
expect: {deal_winner: 1}
"""


@pytest.mark.parametrize(
    ("before", "message"),
    [
        ("[{1: take it}, {1: high}]", "1 passed, 0 failed"),
        ("[{1: take it}]", "1 passed, 0 failed"),
        (
            "[]",
            "s.yaml:4:13: the first deal never comes to rule 'settle': it ends because all_passed"
            "; give other answers in `before`\n"
            "     passed automatically: bid, seat 0; bid, seat 1\n",
        ),
        (
            "[{1: take it}, {0: high}]",
            "s.yaml:4:44: `0: high` could not be done before the scenario begins\n"
            "     passed automatically: bid, seat 0\n"
            "     played automatically, the first legal action: how: low, seat 1\n",
        ),
        ("[{5: take it}]", "there is no seat 5 with 2 players"),
        ("[take it]", "an action of `before` must be `SEAT: ACTION`"),
    ],
)
def test_questions_before_the_start_can_be_answered(play, tmp_path, before, message):
    (tmp_path / "bidding.yaml").write_text(BIDDING, encoding="utf-8")
    _, out = play(SETTLED.replace("[{1: take it}, {1: high}]", before))
    assert message in out
    assert ": \n" not in out


def test_a_failed_scenario_lists_the_answers_before_it_begins(play, tmp_path):
    (tmp_path / "bidding.yaml").write_text(BIDDING, encoding="utf-8")
    _, out = play(
        SETTLED.replace("{1: take it}, {1: high}", "{1: take it}").replace("1}\n", "0}\n")
    )
    assert "deal_winner: expected 0, found 1\n" in out
    before = "     before the scenario begins, "
    assert before + "passed automatically: bid, seat 0\n" in out
    assert before + "played automatically, the first legal action: how: low, seat 1\n" in out


def test_counters_can_be_given_where_a_scenario_begins(play):
    """Under `counters` they are those before the deal, which may have changed since."""
    scenario = LAST_TRICK.replace("variables: {", "variables: {longs: [3, 2], ", 1)
    scenario = scenario.replace("deal_winner: 0", "counters: {longs: [3, 2]}")
    code, out = play(scenario)
    assert code == 0, out
    code, out = play(scenario.replace("longs: [3, 2]", "longs: {1: -1}", 1))
    assert code == 2 and "'longs[1]' must be a number from 0 to " in out


def test_answers_before_the_start_need_a_rule(play, tmp_path):
    (tmp_path / "bidding.yaml").write_text(BIDDING, encoding="utf-8")
    code, out = play(SETTLED.replace("at: settle, ", ""))
    assert code == 2
    assert "s.yaml:4:17: error: `before` says what is answered before the rule of `at`" in out


def test_a_check_between_actions_fails_at_its_line(play):
    code, out = play(LAST_TRICK.replace("table: {1: [8h]}", "table: {1: [8c]}"))
    assert code == 1
    assert "s.yaml:13:71: table[1]: expected [8c], found [8h]" in out


def test_a_scenario_can_end_at_a_question_with_a_pass(play):
    scenario = LAST_TRICK.replace("deal_winner: 0", "decision: {seat: 1, name: interrupt}")
    scenario = scenario.replace("  - 0: play 7h\n", "").replace("stock: 26", "table: {1: [8h]}")
    assert play(scenario)[0] == 0


def test_tell_prints_sentences(play):
    code, out = play(LAST_TRICK, "--tell")
    assert code == 0
    assert "Given: hand[0] 7h, hand[1] 8h, played As Ad Kh Qh, tricks[0] 1" in out
    assert "Player 1 wins the trick." in out


PASSING = """\
variant: passing
title: Who does not want to raise says paso
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts}, ranks: [A, K]}
rules: |
  deal state:
      raised: 0 to 3 = 0
  rule match:
      deal:
          for p in seats:
              ask p "bid":
                  raise n from 1 to 3: raised = n
                  paso as pass
          end deal won by 0 because played
      end match drawn
"""


def test_an_option_marked_as_a_pass_is_automatic(play, tmp_path):
    rules = PASSING.replace("won by 0 ", "")
    (tmp_path / "passing.yaml").write_text(rules, encoding="utf-8")
    text = "scenario: s\nvariant: passing.yaml\nplayers: 2\nactions: [1: raise 2]\n"
    text += "expect: {deal_over: true, variables: {raised: 2}}\n"
    assert play(text)[0] == 0
    (tmp_path / "passing.yaml").write_text(rules.replace(" as pass", ""), encoding="utf-8")
    code, out = play(text)
    assert code == 1
    assert "the script does not fit" in out


@pytest.mark.parametrize(
    ("variant", "players", "deal"),
    [("trut", 2, 1), ("trut-club", 2, 1), ("tute", 3, 0)],
)
def test_a_recorded_deal_becomes_a_scenario_that_passes(variant, players, deal, tmp_path):
    path = tmp_path / "t.jsonl"
    table = ["--players", str(players), "--matches", "1", "--seed", "5"]
    assert run(["simulate", variant, *table, "--transcript", str(path)]) == 0
    (record,) = read_transcript(path, "t.jsonl")
    file = tmp_path / "s.yaml"
    file.write_text(record_scenario(record, deal), encoding="utf-8")
    (scenario,) = read_scenarios(file, "s.yaml")
    outcome = run_scenario(scenario, file, tell=True)
    assert outcome.passed
    deals = [n for n, e in enumerate(record.events) if e["event"] == "deal"]
    own = record.events[deals[deal] : [*deals, None][deal + 1]]
    compared = [
        [e for e in events if e["event"] in ("action", "trick", "counter", "deal_end")]
        for events in (own, outcome.events)
    ]
    assert compared[0] == compared[1]


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("FILE:1:99", "there is no deal 99 in match 1; its deals are 1 to "),
        ("FILE:7:1", "has no match 7; it has 1"),
        ("FILE:0:1", "--from wants TRANSCRIPT:MATCH:DEAL"),
        ("FILE:1:00", "--from wants TRANSCRIPT:MATCH:DEAL"),
        ("FILE:1", "--from wants TRANSCRIPT:MATCH:DEAL"),
    ],
)
def test_a_missing_deal_is_reported(place, message, tmp_path, capsys):
    path = tmp_path / "t.jsonl"
    assert run(["simulate", "trut", "--matches", "1", "--transcript", str(path)]) == 0
    assert run(["scenario", "--from", place.replace("FILE", str(path))]) == 2
    assert message in capsys.readouterr().err
