"""Cards that are dealt in rounds, from piles that have just enough of them, or one too few."""

import pytest
from both_engines import load_both
from extent import extent
from whole_runs import results_of_runs

from trutdsl.game import load_game
from trutdsl.ir.nodes import For, walk
from trutdsl.native.abi import Form
from trutdsl.native.emit import new_unit
from trutdsl.native.emit.loops import round_of
from trutdsl.native.jit import mode_for
from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.play import play_match
from trutdsl.table.faults import RuleError
from trutdsl.table.setting import SeatedPlayer
from trutdsl.variant import load_variant

MATCHES = 30
RULES = """\
variant: rounds
title: Rounds
players: [2, 3]
teams: {2: 2, 3: 3}
pack:
  suits: {h: hearts, s: spades}
  ranks: [A, K, Q, J, 10]
counters:
  points: {help: Counted in every way there is.}
rules: |
  zone stock: pile, starts with pack_cards
  zone aside: pile
  zone last: up to 1 card, seen by all
  zone hand[seat]: ROOM, seen by all

  rule match:
      deal:
          do play_deal
      end match drawn

  rule play_deal:
      shuffle stock
      repeat BELOW times: draw from stock to aside
      move all from aside under stock
      do deal_cards(ROUNDS)
      for p in seats:
          let best = first c in hand[p] with highest strength(c)
          if best != none: points[team(p)] += strength(best)
          if best != none and suit(best) == "h": points[team(p)] += 100
      if size(stock) > 0:
          draw from stock to last
          for c in last: points[team(dealer)] += 1000 * strength(c)
      end deal because done

  rule deal_cards(amount: number):
      DEAL
"""
ROUND = "for p in seats from next_seat(dealer): draw from stock to hand[p]"
REPEATED = f"repeat amount times:\n          {ROUND}"


# With so many of the 10 cards below, 3 players or 2 have just enough, or one too few.
ENOUGH = {1: (7, 8), 3: (1, 2, 4, 5)}
DEALS = [
    (deal, rounds, below)
    for deal, rounds in ((ROUND, 1), (REPEATED, 1), (REPEATED, 3))
    for below in extent(ENOUGH[rounds], range(1, 9))
]


ROOMS = ("", "up to 2 cards")
CASES = [
    (*one, room) for i, one in enumerate(DEALS) for room in extent([ROOMS[(i + i // 2) % 2]], ROOMS)
]


@pytest.mark.parametrize(("deal", "rounds", "below", "room"), CASES)
def test_rounds_of_few_cards_go_alike(deal, rounds, below, room, tmp_path):
    text = RULES.replace("ROUNDS", str(rounds)).replace("BELOW", str(below)).replace("DEAL", deal)
    text = text.replace("ROOM, ", f"{room}, " if room else "")
    (tmp_path / "rounds.yaml").write_text(text, encoding="utf-8")
    for players in (2, 3):
        reference, native = load_both(load_variant(tmp_path / "rounds.yaml"), players)
        uniform, seats = [load_strategy("uniform")] * players, [SeatedPlayer("uniform")] * players
        try:
            results = results_of_runs(native, seats, 7, 0, MATCHES)
        except RuleError as found:
            with pytest.raises(RuleError) as expected:
                play_match(reference, uniform, 7, 0)
            assert str(found.diagnostic.span) == str(expected.value.diagnostic.span)
        else:
            assert results == [play_match(reference, uniform, 7, m) for m in range(MATCHES)]


NOBODY = "(first x in seats where size(hand[x]) > 9)"
LOOPS = {
    ROUND: True,
    f"for p in seats from {NOBODY}: draw from stock to hand[p]": False,
    "for p in seats: do give(p, dealer)": True,
    f"for p in seats: do give(p, {NOBODY})": False,
}


@pytest.mark.parametrize("loop", LOOPS)
def test_a_loop_with_a_part_that_can_fail_does_not_deal_at_once(loop, tmp_path):
    """Machine code would not evaluate this part, and so miss the error."""
    text = RULES.replace("ROOM, ", "").replace("ROUNDS", "1").replace("BELOW", "1")
    give = "\n  rule give(p, other: seat):\n      draw from stock to hand[p]\n"
    (tmp_path / "rounds.yaml").write_text(text.replace("DEAL", loop) + give * ("give" in loop))
    game = load_game(tmp_path / "rounds.yaml", 2)
    unit = new_unit(game.optimized, game.setting, mode_for(Form.MATCHES))
    nodes = walk(game.optimized.rules["deal_cards"].body)
    (found,) = (node for node in nodes if isinstance(node, For))
    assert (round_of(unit, found) is not None) == LOOPS[loop]
