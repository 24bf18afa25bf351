"""What rules remember while they wait: it survives other rules, and takes little memory."""

import pytest

from trutdsl.game import load_game
from trutdsl.native.jit import ExactCode
from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.play import play_match

START = """\
variant: frames
title: Frames
players: [2]
teams: {2: 2}
pack: {suits: {s: spades}, ranks: [K, Q, J]}
counters: {coins: {help: What a player has.}}
rules: |
  rule match:
      deal:
          do one
          OTHER
          end deal because played
      end match drawn

  rule one:
      let a = roll 1 to 100
      let b = roll 1 to 100
      INNER
      do pay(a + 2 * b)

  rule pay(number: number) -> number:
      ask dealer "whose":
          mine: coins[team(dealer)] += number
          yours: coins[team(next_seat(dealer))] += number
      return number
"""
TWO = """
  rule two:
      let c = roll 1 to 100
      let d = do pay(c)
      do pay(c + 2 * d)
"""
ALONE = START.replace("OTHER", "do one").replace("INNER", "do pay(a)")
IN_TURN = START.replace("OTHER", "do two").replace("INNER", "do pay(a)") + TWO
NESTED = START.replace("OTHER", "do two").replace("INNER", "do two") + TWO


def write(folder, text):
    path = folder / "frames.yaml"
    path.write_text(text)
    return load_game(path, engine="native")


@pytest.mark.parametrize("text", [IN_TURN, NESTED], ids=["in-turn", "nested"])
def test_values_survive_other_rules_that_wait(tmp_path, text):
    game = write(tmp_path, text)
    events = [], []
    for number in range(20):
        for seen, one in zip(events, (game, game.in_engine("reference")), strict=True):
            play_match(one, [load_strategy("uniform")] * 2, 1, number, seen.append)
    assert events[0] == events[1]
    assert len({event["delta"] for event in events[0] if event["event"] == "counter"}) > 20


def test_rules_share_memory_unless_one_calls_the_other(tmp_path):
    sizes = []
    for text in (ALONE, IN_TURN, NESTED):
        code = ExactCode(write(tmp_path, text))
        assert code.size == code.unit.layout.size + 8 * len(code.facts.frame)
        sizes.append(len(code.facts.frame))
    assert sizes[0] == sizes[1] < sizes[2]


@pytest.mark.parametrize("name", ["trut", "tute"])
def test_the_kinds_of_numbers_are_known_in_rules_without_announcements(name):
    """A number of unknown kind could be a card, so positions that differ in it stay apart."""
    assert set(ExactCode(load_game(name, 2)).facts.frame) == {"c", "n"}
