"""Habits of scripts, as `exploit` names them in JSON and on screen."""

import json
from itertools import permutations

import pytest

from tests.solve.test_solve import write_trut
from trutdsl import load_game
from trutdsl.cli.app import DONE, run
from trutdsl.solve.classes import class_names
from trutdsl.solve.exploit import MatchExploiter
from trutdsl.strategy.fitness import load_strategies
from trutdsl.strategy.script import table_with


@pytest.mark.thorough
def test_habits_have_the_names_of_the_rules_in_json_and_words_on_screen(tmp_path, capsys):
    path = write_trut(tmp_path, 3)
    args = ["exploit", path, "--against", "quiet", "--deal", "petits=1,longs=3", "--lang", "en"]
    assert run([*args, "--json"]) == DONE
    (one,) = json.loads(capsys.readouterr().out)
    habits = one["habits"]
    assert {habit["decision"] for habit in habits} <= {"interrupt", "turn", "respond"}
    assert {"pass, not trut", "fold, not accept"} & {habit["answer"] for habit in habits}
    # No suits: nothing reads them.
    assert "hand (own) 7 7 8; table (other) A" in {habit["situation"] for habit in habits}
    assert run(args) == DONE
    text = capsys.readouterr().out
    assert "asked 'out of turn', hand (own) 7 7 8: pass, not trut\n" in text
    assert "interrupt" not in text


BLUFF = """
variant: bluff
title: Bluff
players: [2]
teams: {2: 2}
pack: {suits: {c: clubs, d: diamonds}, ranks: [Q, J]}
rules: |
  deal state:
      die[seat]: 0 to 2, seen by owner
      stake: 0 to 2
      bet: 0 to 2

  rule match "The dealer wins only if a bet of 1 is called.":
      deal:
          stake = 2
          for player in seats: do roll_die(player)
          ask dealer "bet":
              bet n from 1 to 2: bet = n
          ask next_seat(dealer) "answer":
              call: do win(next_seat(dealer) if bet == 2 else dealer)
              fold: do win(next_seat(dealer))

  rule roll_die(player):
      let n = roll 1 to 2
      die[player] = n

  rule win(player):
      end match won by team(player)
"""


def test_habits_name_the_values_that_tell_questions_apart(tmp_path, capsys):
    """Uniform play answers a bet of 1 wrongly half the time, with each of two dice on a seat."""
    (tmp_path / "bluff.yaml").write_text(BLUFF)
    assert run(["exploit", str(tmp_path / "bluff.yaml"), "--against", "uniform"]) == DONE
    lines = capsys.readouterr().out.splitlines()
    assert lines[4:-1] == [
        f"   12.5000  asked 'answer', die (own) = {die}; bet = 1: call (50%), not fold"
        for die in (1, 2)
    ]


VALUES = """          let lucky = chance 1 out of 2
          marks[3] = lucky
          liked["J"] = lucky
          bets[team(dealer)] = 2 if lucky else 1
          if lucky:
              kept = {"Qc", "joker"}
              led = "c"
              callers = seats
          else:
              callers = {dealer}
"""
STATE = """      marks[2 to 3]: yes_no
      liked[rank]: yes_no
      bets[team]: 0 to 2
      kept: cards
      led: suit?
      callers: seats
"""


def test_values_in_habits_are_named_as_rules_and_players_do(tmp_path, capsys):
    rules = BLUFF.replace("          for player in seats: do roll_die(player)\n", VALUES)
    rules = rules.replace("      die[seat]: 0 to 2, seen by owner\n", STATE)
    rules = rules[: rules.index("  rule roll_die")] + rules[rules.index("  rule win") :]
    path = tmp_path / "bluff.yaml"
    path.write_text(rules.replace("[Q, J]}", "[Q, J], special_cards: {joker: {strength: 9}}}"))
    assert run(["exploit", str(path), "--against", "uniform"]) == DONE
    lines = capsys.readouterr().out.splitlines()
    # The first choice costs nothing, except by rounding.
    assert sorted(line.partition("asked 'answer', ")[2] for line in lines[4:-1]) == [
        f"{seen}; bet = 1: call (50%), not fold" for seen in IN_WORDS
    ]


IN_WORDS = [
    "marks 3 = no; liked J = no; bets (other) = 1; kept = nothing; led = none;"
    " callers = other side",
    "marks 3 = yes; liked J = yes; bets (other) = 2; kept = Q♣, joker; led = clubs;"
    " callers = own side, other side",
]


@pytest.mark.parametrize(
    ("classes", "names"),
    [
        (["7♣ 7♥", "J♣", "J♥", "owl"], ["7", "J♣", "J♥", "owl"]),
        (["7♣ 7♠", "7♥ 7♦"], ["7♣/7♠", "7♥/7♦"]),
        (["1♣ 10♣", "2♣"], ["1♣/10♣", "2♣"]),
        (["1♣ 1♠", "10♣ 10♠"], ["1", "10"]),
        (["7_glands 7_grelots"], ["7"]),
        (["owl ox", "Q"], ["owl/ox", "Q"]),
    ],
)
def test_a_class_of_cards_has_a_name_of_its_own(classes, names):
    cards = [[card.replace("_", " ") for card in one.split()] for one in classes]
    assert class_names(cards) == names


SEES_NOTHING = """
variant: blind
title: Blind
players: [2]
teams: {2: 2}
pack: {suits: {c: clubs}, ranks: [Q]}
rules: |
  rule match "One is right.":
      deal:
          ask dealer "choose":
              right: end match won by team(dealer)
              wrong: end match won by team(next_seat(dealer))
"""


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "   25.0000  asked 'choose': wrong (50%), not right"),
        ("fr", "   25,0000  à la question « choose » : wrong (50 %), au lieu de right"),
    ],
)
def test_a_seat_that_sees_nothing_is_only_asked(language, line, tmp_path, capsys):
    (tmp_path / "blind.yaml").write_text(SEES_NOTHING)
    args = ["exploit", str(tmp_path / "blind.yaml"), "--against", "uniform", "--lang", language]
    assert run(args) == DONE
    assert (
        capsys.readouterr().out.splitlines()[4].replace("\u202f", " ").replace("\xa0", " ") == line
    )


GUESS = """
variant: guess
title: Guess
players: [2]
teams: {2: 2}
pack: {suits: {c: clubs, d: diamonds}, ranks: [Q, J]}
rules: |
  zone stock: pile, starts with pack_cards, seen by nobody
  zone hand[seat]: up to 1 card, seen by owner
  deal state:
      STATE
  rule match "One guess.":
      deal:
          shuffle stock
          let other = next_seat(dealer)
          for player in seats from other: draw from stock to hand[player]
          SECRET
          ask dealer "guess":
              yes: do win(openly(TRUE))
              no: do win(openly(not (TRUE)))
              perhaps:
                  let die = roll 1 to 6
                  do win(die <= 4)
  rule win(right: yes_no):
      end match won by team(dealer if right else next_seat(dealer))
"""


@pytest.mark.parametrize(
    ("state", "secret", "true", "wins", "sights"),
    [
        # Two cards in three have the other rank. The other seat's card is as hidden as none.
        (
            "kept[seat]: card?, seen by owner",
            "kept[other] = top(hand[other])",
            "strength(top(hand[dealer])) != strength(top(hand[other]))",
            2 / 3,
            {"hand (own) J", "hand (own) Q"},
        ),
        # Half the time the dealer is shown the coin, which may be 0 as if it were hidden.
        (
            "coin: 0 to 1, seen by nobody",
            "let n = roll 0 to 1\n          coin = n\n          let lucky = chance 1 out of 2\n"
            "          if lucky: reveal coin to seats",
            "coin == 1",
            1 / 2 + 1 / 2 * 2 / 3,
            {f"hand (own) Qc/Jc/Qd/Jd; coin = {coin}" for coin in (0, 1, "hidden")},
        ),
        # The other seat's card is shown, and the order of a pile.
        (
            "coin: 0 to 9, seen by nobody",
            "draw from stock to row\n          draw from stock to row\n"
            "          reveal hand[other] to seats\n          coin = openly(strength(top(row)))",
            "coin == 1",
            1,
            {
                f"hand (own) {own}; hand (other) {other}; row {' '.join(row)}"
                for own, other, *row in set(permutations("QQJJ"))
            },
        ),
    ],
    ids=["a hidden card", "a coin that is shown by chance", "a revealed card and a pile"],
)
def test_a_response_knows_whether_it_sees_a_value(state, secret, true, wins, sights, tmp_path):
    path = tmp_path / "guess.yaml"
    zones = "hand[seat]: up to 1 card, seen by owner\n"
    row = zones + "  zone row: pile, seen by all\n" if "row" in secret else zones
    game = (
        GUESS.replace(zones, row)
        .replace("STATE", state)
        .replace("SECRET", secret)
        .replace("TRUE", true)
    )
    path.write_text(game)
    game = load_game(path, 2, (), "native")
    table, names = table_with(game, load_strategies(("uniform",), game))
    response = MatchExploiter(game, table, {}).respond(names[:1])[0]
    assert response.by_seat[0] == pytest.approx(wins)
    assert {habit.situation_text() for habit in response.habits} == sights
