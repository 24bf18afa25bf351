"""Compact positions equal the original ones; what steps them does not stay in memory."""

import gc
from weakref import ref

import numpy as np
import pytest

from tests.solve.plain_kuhn import KUHN
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


def test_blocks_are_gathered_in_the_order_of_the_rows():
    blocks = [draw_positions(400, 300, 1), draw_positions(1, 1, 2), draw_positions(300, 3, 3)]
    kept = [compact(blocks[0]), compact(blocks[1]), blocks[2]]
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
