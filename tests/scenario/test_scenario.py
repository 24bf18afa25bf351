"""Scenario files: shipped ones pass, changed ones fail with a reason, bad ones are refused."""

import json
import re

import pytest

from trutdsl.cli.app import run
from trutdsl.cli.scenario import FROM_ZERO

BASE = """\
scenario: accepted
variant: trut
players: 2
start:
  dealer: 0
  hands: {0: [7h, 8c, As], 1: [9c, 10d, Jh]}
actions:
  - 0: trut
  - 1: accept
  - 0: play 7h
  - 1: play 9c
  - 0: play 8c
  - 1: play Jh
expect:
  counters: {longs: [1, 0], petits: [0, 0]}
  deal_over: true
  deal_winner: 0
  match_winner: null
  next_dealer: 0
  tricks: [0, 0]
"""


def test_shipped_scenarios_pass(root, capsys):
    files = sorted((root / "tests" / "scenarios").glob("*.yaml"))
    assert run(["scenario", *map(str, files)]) == 0
    assert "0 failed" in capsys.readouterr().out


def test_every_rule_of_trut_has_a_scenario(root):
    text = (root / "tests/scenarios/trut.yaml").read_text(encoding="utf-8")
    cited = re.findall(r"\bT\d+\b", " ".join(re.findall(r"^rules: .*", text, re.M)))
    assert set(cited) >= {f"T{n}" for n in range(1, 17)}


def test_a_right_scenario_passes(play):
    assert play(BASE) == (0, "ok   accepted\n1 passed, 0 failed\n", "")


@pytest.mark.parametrize(
    ("old", "new", "difference"),
    [
        ("longs: [1, 0]", "longs: [0, 1]", "counter longs: expected [0, 1], found [1, 0]"),
        ("deal_over: true", "deal_over: false", "deal_over: expected false, found true"),
        ("deal_winner: 0", "deal_winner: null", "deal_winner: expected null, found 0"),
        ("match_winner: null", "match_winner: draw", "match_winner: expected draw, found null"),
        ("next_dealer: 0", "next_dealer: 1", "next_dealer: expected 1, found 0"),
        ("next_dealer: 0", "next_dealer: null", "next_dealer: expected null, found 0"),
        ("tricks: [0, 0]", "tricks: [0, null]", "tricks: expected [0, null], found [0, 0]"),
        (
            "tricks: [0, 0]",
            "decision: {seat: 1, name: turn}",
            "decision: expected 'turn', but the deal is over",
        ),
        (
            "tricks: [0, 0]",
            "error: illegal",
            "no action was refused, but `error: illegal` is expected",
        ),
        (
            "1: play 9c",
            "1: play 8c",
            "`1: play 8c` is illegal: seat 1 is asked for 'turn': play 9c, play 10d, play Jh",
        ),
        (
            "0: play 8c",
            "1: play Jh",
            "the script does not fit: `1: play Jh` comes when seat 0 is asked for 'turn': "
            "play 8c, play As",
        ),
    ],
)
def test_a_wrong_scenario_fails_with_a_reason(old, new, difference, play):
    code, out, _ = play(BASE.replace(old, new, 1))
    assert code == 1
    lines = out.splitlines()
    assert lines[0] == "FAIL accepted"
    assert lines[1].endswith("s.yaml:1:11")
    assert set(lines[2]) >= {" "}
    assert difference in " ".join(line.strip() for line in lines), out


def test_nobody_has_won_a_deal_that_is_expected_to_go_on(play):
    text = BASE[: BASE.index("  - 0: play 8c")]
    assert play(text + "expect: {deal_over: false, deal_winner: null}\n")[0] == 0
    code, out, _ = play(text + "expect: {deal_winner: null}\n")
    assert code == 1
    assert "deal_winner: expected null, found no finished deal" in " ".join(out.split())


def test_a_hand_that_a_seat_may_not_look_at_is_empty(play):
    """At the fortial, the opponents leave their cards face down."""
    counters = "longs: [6, 0], petits: [2, 0]"
    text = BASE[: BASE.index("start:")] + f"start: {{dealer: 0, counters: {{{counters}}}}}\n"
    views = "{1: {zones: {hand: {1: hidden}}}}"
    text += f"actions: []\nexpect: {{decision: {{name: fortial}}, views: {views}}}\n"
    code, out, _ = play(text)
    assert code == 1
    assert "view of seat 1, hand[1]: expected hidden, but it is empty" in " ".join(out.split())


@pytest.mark.parametrize("end", ["counters: {longs: [1, 0]}", "deal_winner: 0", "tricks: [0, 0]"])
def test_a_scenario_that_ends_before_its_deal_names_the_open_question(end, play):
    text = BASE[: BASE.index("  - 0: play 8c")] + f"expect: {{{end}}}\n"
    code, out, _ = play(text)
    assert code == 1
    assert "; seat 0 is asked 'turn'" in " ".join(out.split())


def test_open_decision(play):
    text = BASE[: BASE.index("  - 0: play 8c")]
    ok = text + "expect: {decision: {seat: 0, name: turn, actions: [play As, play 8c]}}\n"
    assert play(ok)[0] == 0
    code, out, _ = play(ok.replace("seat: 0", "seat: 1").replace("play As", "play 7h"))
    assert code == 1
    assert "decision: expected seat 1, found seat 0" in out
    assert "decision: 'play 7h' is not legal" in out
    assert "decision: 'play As' is legal too" in out


def test_an_illegal_action_changes_nothing(play):
    text = BASE[: BASE.index("  - 1: play 9c")] + "  - 1: trut\n"
    text += "expect: {error: illegal, decision: {seat: 1, name: turn}, counters: {longs: [0, 0]}}\n"
    assert play(text)[0] == 0
    assert play(text.replace("1: trut", "1: play 9c"))[0] == 1


def test_the_question_that_refuses_can_be_named(play):
    head = BASE[: BASE.index("actions:")]
    at_interrupt = head + "actions: [{1: accept}]\nexpect: {error: illegal, decision: NAMED}\n"
    code, out, _ = play(at_interrupt.replace("NAMED", "{seat: 1, name: interrupt}"), "--tell")
    assert code == 0
    assert "       refused: `1: accept`, as seat 1 is asked for 'interrupt': pass, trut\n" in out
    code, out, _ = play(at_interrupt.replace("NAMED", "{seat: 1, name: respond}"))
    assert code == 1
    assert "the script does not fit: `1: accept` comes when seat 0 is asked for 'turn'" in out


def test_a_forced_answer_before_an_illegal_action_is_explained(play):
    text = BASE[: BASE.index("expect:")] + "  - 1: play 7s\nexpect: {error: illegal}\n"
    code, out, _ = play(text)
    assert code == 1
    assert "; beside `error`, name the question that refuses it: `decision: {name: ...}`" in out


SEVERAL_CARDS = """\
scenario: shown
variant: ../good/several-cards.yaml
players: 2
start: {dealer: 0, hands: {0: [Kh, 7s, 7h], 1: [Qh, 8s, 8h]}}
actions:
  - 0: show 7s Kh 7h
expect: {zones: {laid: {0: [Kh, 7h, 7s]}}, decision: {seat: 1}}
"""


def test_several_cards_are_named_in_any_order(play, root):
    text = SEVERAL_CARDS.replace("../good", str(root / "tests" / "good"))
    assert play(text)[0] == 0
    assert play(text.replace("7s Kh 7h", "7s Kh 8h"))[0] == 1


LARGE_HAND = """\
variant: large-hand
title: Large hand
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts}, ranks: [A, K, Q, J, 10, 9, 8, 7, 6]}
rules: |
  zone stock: pile, starts with pack_cards
  zone hand[seat]: up to 9 cards, seen by owner
  rule match:
      repeat 9 times: draw from stock to hand[dealer]
      ask dealer "give":
          give gifts from 3 cards of hand[dealer]
"""


def test_a_long_list_of_legal_actions_is_cut(play, tmp_path):
    text = (
        "scenario: one\nvariant: large-hand.yaml\nplayers: 2\n"
        "actions: [{0: give Ah Kh}]\nexpect: {}\n"
    )
    (tmp_path / "large-hand.yaml").write_text(LARGE_HAND)
    code, out, _ = play(text)
    assert code == 1
    assert "give Ah Kh Qh" in out and ", and 44 more" in out


PARTNERS = """variant: partners
title: Partners
players: [4]
teams: {4: 2}
pack: {suits: {h: hearts}, ranks: [A]}
rules: |
  rule match:
      deal: end match won by team(dealer)
"""


def test_partners_without_counters_are_told_as_teams(play, tmp_path):
    (tmp_path / "partners.yaml").write_text(PARTNERS)
    head = "scenario: ends\nvariant: partners.yaml\nplayers: 4\nactions: []\n"
    code, out, _ = play(head + "expect: {deal_over: true}\n", "--tell")
    assert code == 0 and "Team 1 wins the match after 1 deal." in out


def test_the_question_of_a_refused_action_is_printed(play):
    text = BASE[: BASE.index("actions:")] + "actions: [{0: accept}]\nexpect: {error: illegal}\n"
    refused = "refused: `0: accept`, as seat 0 is asked for 'turn': "
    code, out, _ = play(text)
    assert (code, out) == (0, "ok   accepted\n1 passed, 0 failed\n")
    assert refused in play(text, "--tell")[1]
    code, out, _ = play(text.replace("illegal", "illegal, decision: {name: respond}"))
    assert code == 1
    assert "decision: expected 'respond', found 'turn'\n     " + refused in out
    (found,) = json.loads(play(text, "--json")[1])
    assert found["refused"].startswith(refused)


def test_json(play):
    _, out, _ = play(BASE.replace("next_dealer: 0", "next_dealer: 1"), "--json")
    (found,) = json.loads(out)
    assert found["passed"] is False
    assert found["differences"] == [
        "next_dealer: expected 1, found 0",
        "passed automatically: interrupt, seat 1",
    ]


def test_the_script_must_end_with_the_match(play):
    text = BASE.replace("dealer: 0", "dealer: 0\n  counters: {longs: [6, 0], petits: [0, 0]}", 1)
    text = text.replace("expect:", "  - 0: trut\nexpect:")
    code, out, _ = play(text)
    assert code == 1
    assert "the match is over, but the script goes on with `0: trut`" in out


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("variant: trut", "variant: trud", "s.yaml:2:10: error: "),
        ("players: 2", "players: 5", "s.yaml:2:10: error: trut is for 2, 3, 4, 6 players, not 5"),
        ("7h, 8c", "6h, 8c", "s.yaml:6:15: error: the pack of trut has no card '6h'"),
        ("7h, 8c", "8c, 8c", "s.yaml:6:19: error: '8c' lies in two places"),
        ("  dealer: 0", "  dealer: 5", "error: there is no seat 5 with 2 players"),
        ("longs: [1, 0]", "longs: [1]", "counter 'longs' has 1 value for 2 teams"),
        ("longs:", "long:", "trut has no counter 'long'; it has longs, petits"),
        ("expect:", "expects:", "error: "),
        ("  - 0: trut", "  - trut", "s.yaml:8:5: error: an action must be `SEAT: ACTION`"),
        ("scenario: accepted\n", "", "error: "),
        ("variant: trut", "variant: trut\nparameters: {goal: 500}", "s.yaml:3:20: error: "),
        ("  dealer: 0", "  dealer: 0\n  random: [1]\n  bogus: 1", "error: "),
    ],
)
def test_a_bad_scenario_is_refused(old, new, message, play):
    code, _, err = play(BASE.replace(old, new, 1))
    assert code == 2
    assert message in err
    assert "Traceback" not in err


def test_a_hand_that_is_too_long_is_reported(play):
    code, out, _ = play(BASE.replace("[7h, 8c, As]", "[7h, 8c, As, Ad]"))
    assert code == 1
    assert "seat 0 was dealt fewer cards than its hand lists" in out


def test_a_failing_scenario_lists_automatic_answers(play):
    start = (
        BASE.split("actions:")[0].replace("7h, 8c, As", "7h, 9c, As").replace("9c, 10d", "9d, 10d")
    )
    script = "actions: [0: trut, 1: accept, 0: play 7h, 1: play 9d, 0: play 9c, 1: play 10d]\n"
    code, out, _ = play(start + script + "expect: {deal_over: true, deal_winner: 1}\n")
    assert code == 1
    assert "deal_winner: expected 1, found 0" in out
    assert "  passed automatically: interrupt, seat 1\n" in out
    assert (
        "played automatically, the only legal action: turn: play Jh, seat 1; turn: play As, seat 0"
        in out
    )


def test_an_unknown_counter_is_reported_with_its_position(play):
    _, _, err = play(BASE.replace("longs:", "long:"))
    assert "s.yaml:15:14: error: trut has no counter 'long'" in err
    assert "did you mean 'longs'?" in err


def test_a_tied_trick_is_null(play):
    _, _, err = play(BASE.replace("tricks: [0, 0]", "tricks: [0, tie]"))
    assert "a trick's team (or null, if it was tied) must be" in err


def test_json_names_places(play):
    _, out, _ = play(BASE.replace("next_dealer: 0", "next_dealer: 1"), "--json")
    (found,) = json.loads(out)
    assert [p and p.rpartition("s.yaml")[2] for p in found["places"]] == [":19:16", None]


def test_seats_may_be_quoted_as_in_json(play):
    scenario = {
        "scenario": "json", "variant": "trut", "players": 2,
        "start": {"dealer": 0, "hands": {"0": ["7h", "8c", "As"], "1": ["9c", "10d", "Jh"]}},
        "actions": [{"0": "trut"}, {"1": "accept"}],
        "expect": {"decision": {"seat": 0, "name": "turn"},
                   "views": {"1": {"zones": {"hand": {"1": ["9c", "10d", "Jh"]}}}}},
    }  # fmt: skip
    assert play(json.dumps(scenario))[0] == 0
    scenario["actions"][0] = {"x": "trut"}
    assert "a seat must be a whole number from 0 to 15, found 'x'" in play(json.dumps(scenario))[2]
    scenario["actions"][0] = {"player 1": "trut"}
    assert "  help: files count from 0: write `0`\n" in play(json.dumps(scenario))[2]
    scenario["actions"][0] = {"Marie": "trut"}
    assert "  help: files count from 0: player 1 is `0`\n" in play(json.dumps(scenario))[2]


KEPT_CARD = """\
scenario: keeping
variant: trut-deluxe
players: 2
start:
  dealer: 0
  special_cards: {0: owl}
  hands: {0: [owl, 7h, 8h], 1: [wolf, 9c, 9d]}
actions: []
expect: {decision: {seat: 1}}
"""


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_other_seats_keep_the_cards_of_their_hands(play, engine):
    assert play(KEPT_CARD, "--engine", engine)[0] == 0
    others = KEPT_CARD.replace("wolf, 9c", "robin, 9c")  # a bonus card, which this table lacks
    assert "robin could not be drawn from 'stock'" in play(others, "--engine", engine)[1]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("{0: owl}", "{0: 7h}", "s.yaml:6:22: error: '7h' cannot be kept; one of owl, wolf,"),
        ("{0: owl}", "{0: robin}", "s.yaml:6:22: error: 'robin' cannot be kept; one of owl,"),
        (
            "players: 2",
            "players: 2\nparameters: {special_cards: none}",
            "s.yaml:7:22: error: 'owl' cannot be kept; with these parameters no card can",
        ),
        ("{0: owl}", "{0: owl, 1: owl}", "s.yaml:6:30: error: 'owl' is kept by two seats"),
        ("trut-deluxe", "trut", "s.yaml:6:22: error: no seat keeps a special card in trut"),
        ("{0: owl}", "{2: owl}", "s.yaml:6:19: error: there is no seat 2 with 2 players"),
        ("dealer: 0", "dealer: 2", "s.yaml:5:11: error: there is no seat 2 with 2 players"),
        ("1: [wolf", "2: [wolf", "s.yaml:7:29: error: there is no seat 2 with 2 players"),
        ("[]", "[3: pass]", "s.yaml:8:11: error: there is no seat 3 with 2 players"),
    ],
)
def test_bad_cards_and_seats_are_reported_with_their_positions(play, old, new, message):
    code, out, err = play(KEPT_CARD.replace(old, new))
    assert (code, out) == (
        2,
        f"BAD  keeping\n{FROM_ZERO}\n0 passed, 0 failed, 1 not to be played\n",
    )
    assert err.startswith(message)


def test_a_card_that_parameters_leave_out_is_told_with_where_to_look(play):
    err = play(KEPT_CARD.replace("{0: owl}", "{0: robin}"))[2]
    assert (
        "help: parameters decide it: bonus, special_cards; `trutdsl show trut-deluxe` expl" in err
    )


WITHOUT_PARAMETERS = """\
variant: kept
title: Kept
summary: Each player keeps a joker.
players: [2]
teams: {2: 2}
pack: {suits: {s: spades}, ranks: [A, K, Q, J, 10, 9]}
counters:
  points: {help: Points.}
rules: |
  zone stock: pile, starts with {"As", "Ks"}
  zone others: pile, starts with pack_cards - {"As", "Ks"}
  zone kept_special[seat]: up to 1 card, seen by owner
  rule match "One deal.":
      setup kept_special:
          for player in seats: draw from stock to kept_special[player]
      deal:
          ask dealer "end":
              one
              two
          shuffle others
          end deal won by team(dealer) because done
      end match drawn
"""


def test_no_parameters_are_named_where_none_decides(play, tmp_path):
    (tmp_path / "kept.yaml").write_text(WITHOUT_PARAMETERS)
    hands = next(line for line in KEPT_CARD.splitlines(keepends=True) if "hands" in line)
    text = KEPT_CARD.replace("trut-deluxe", "kept.yaml").replace(hands, "")
    err = play(text.replace("{0: owl}", "{0: Qs}"))[2]
    assert "error: 'Qs' cannot be kept; one of As, Ks can" in err
    assert "help:" not in err


def test_scenarios_after_a_bad_one_are_played(play):
    bad = BASE.replace("accepted", "bad").replace("0: play 8c", "7: play 8c")
    code, out, err = play(f"{BASE}---\n{bad}---\n{BASE.replace('accepted', 'behind')}")
    expected = f"ok   accepted\nBAD  bad\nok   behind\n{FROM_ZERO}\n"
    expected += "2 passed, 0 failed, 1 not to be played\n"
    assert (code, out) == (2, expected)
    assert err.startswith("s.yaml:33:5: error: there is no seat 7 with 2 players")
    found = json.loads(play(f"{bad}---\n{BASE}", "--json")[1])
    assert [one["passed"] for one in found] == [False, True]
    assert found[0]["places"] == ["s.yaml:12:5"]


@pytest.mark.thorough
def test_unused_random_values_are_reported(play):
    more = BASE.replace("  dealer: 0\n", "  dealer: 0\n  random: [3, x]\n")
    assert play(more)[1].splitlines()[1] == "     unused random results: 3, x"
