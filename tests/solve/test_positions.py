"""Compact positions equal the original ones; what steps them does not stay in memory."""

import gc
from textwrap import indent
from weakref import ref

import numpy as np
import pytest

from tests.solve.plain_kuhn import KUHN, evaluate_exactly
from trutdsl import load_game
from trutdsl.solve.classes import find_classes
from trutdsl.solve.compact import CompactPositions, compact, gather_rows
from trutdsl.solve.positions import Positions, Stepper, join_positions

PARTS = ("memory", "memories", "weight", "why")


def draw_positions(count, distinct, seed):
    """Return random positions: each word has `distinct` values, and one word has a single value."""
    chance = np.random.default_rng(seed)
    values = chance.integers(0, 2**63, (distinct, 5)).astype(np.uint64)
    words = np.take_along_axis(values, chance.integers(0, distinct, (count, 5)), 0)
    words[:, 3] = 7 + seed
    return Positions(
        words.view(np.uint8),
        chance.integers(-2, 2, (count, 2, 3)),
        chance.random(count),
        chance.integers(0, 3, count),
    )


@pytest.mark.parametrize("distinct", [2, 300, 70_000])
def test_compact_positions_are_the_same(distinct):
    positions = draw_positions(3000, distinct, 1)
    rows = np.random.default_rng(2).integers(0, 3000, 500)
    wanted, found = positions.take(rows), compact(positions).take(rows)
    for part in PARTS:
        assert np.array_equal(getattr(found, part), getattr(wanted, part))


@pytest.mark.parametrize("loose", [(2,), (0,), (1,), (0, 2)])
def test_blocks_are_gathered_in_the_order_of_the_rows(loose):
    blocks = [draw_positions(400, 300, 1), draw_positions(1, 1, 2), draw_positions(300, 3, 3)]
    kept = [one if place in loose else compact(one) for place, one in enumerate(blocks)]
    rows = np.random.default_rng(4).permutation(701)[:500]
    wanted, found = join_positions(blocks).take(rows), gather_rows(kept, rows)
    assert isinstance(found, CompactPositions)
    found = found.take(np.arange(500))
    for part in PARTS:
        assert np.array_equal(getattr(found, part), getattr(wanted, part))
    assert np.array_equal(
        gather_rows(kept, np.array([400])).take(np.zeros(2, np.int64)).memory,
        blocks[1].memory.repeat(2, axis=0),
    )


def test_a_stepper_is_dropped_after_use():
    """Each one holds machine code, so that many games would fill the memory."""
    game = load_game(KUHN, 2, (), "native")
    stepper = Stepper(game, find_classes(game.program, game.setting))
    stepper.keys(stepper.start())
    dropped = ref(stepper)
    del stepper
    gc.collect()
    assert dropped() is None


# ---------------------------------------------------------------- which positions are equal

GAME = """\
variant: half
title: Half
players: [2]
teams: {2: 2}
pack: {suits: {a: acorns, b: bells, l: leaves}, ranks: [K, Q]}
counters: {points: {help: Points.}}
rules: |
  zone stock: pile, starts with pack_cards, seen by nobody
  zone open[seat]: seen by all
  zone heap: pile, seen by all
  deal state:
      mark: card?

  rule match:
      setup dealer: dealer = random from seats
      deal:
          mark = none
          gather open, heap into stock
          shuffle stock
          do middle(next_seat(dealer))
          ask dealer "wait":
              wait
              go
          do finish(next_seat(dealer))

  rule finish(p): end match won by team(p if WINS else dealer)

  rule middle(p):
"""
EVEN_CHANCES = {  # rules before a question, and who wins; each side wins half of the matches
    "a variable refers to a card, which chance may move": (
        """\
draw from stock to open[p]
draw from stock to open[dealer]
mark = top(open[p])
let lucky = chance 1 out of 2
if lucky: swap top(open[p]) from open[p] with top(open[dealer]) from open[dealer]
""",
        "mark in open[p]",
    ),
    "chance decides the order of a pile": (
        """\
draw from stock to open[p]
draw from stock to open[dealer]
let lucky = chance 1 out of 2
if lucky: move all from open[p] to heap
move all from open[dealer] to heap
move all from open[p] to heap
""",
        'rank(top(heap)) == "K"',
    ),
    "places have different numbers of equal cards": (
        """\
repeat 3 times: draw from stock to open[p]
repeat 3 times: draw from stock to open[dealer]
""",
        '(count c in open[p] where rank(c) == "K") >= 2',
    ),
}


@pytest.mark.parametrize("name", EVEN_CHANCES)
def test_different_positions_are_not_merged(name, tmp_path):
    rules, wins = EVEN_CHANCES[name]
    path = tmp_path / "half.yaml"
    path.write_text(GAME.replace("WINS", wins) + indent(rules, " " * 6))
    found = evaluate_exactly(str(path), "uniform", "uniform")
    assert found.first_dealer_wins == pytest.approx(1 / 2, abs=1e-12)
