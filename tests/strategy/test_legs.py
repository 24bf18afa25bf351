"""Legs: the same machine code plays every seating of the strategies of a tournament."""

from itertools import permutations

import numpy as np
import pytest

from trutdsl.game import load_game
from trutdsl.native import jit
from trutdsl.strategy.legs import play_leg, play_matches, read_leg
from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.play import play_match
from trutdsl.table.counts import Rows

FOUR = ("caller", "quiet", "steady", "uniform")


@pytest.fixture
def compiled_forms(monkeypatch, tmp_path):
    """Return the list of forms that are compiled; the cache is empty."""
    monkeypatch.setenv("TRUTDSL_CACHE", str(tmp_path))
    forms, make = [], jit.MachineCode._make

    def note(self, key):
        forms.append(self.mode.form)
        return make(self, key)

    monkeypatch.setattr(jit.MachineCode, "_make", note)
    return forms


def test_a_round_robin_is_compiled_once(compiled_forms):
    game, meeting = load_game("trut", 2, engine="native"), [load_strategy(name) for name in FOUR]
    for seated in permutations(range(4), 2):
        for rows in read_leg(game, meeting, seated, 1, 0, 2):
            assert rows.shape[1] == 7
    assert len(compiled_forms) == 1


def test_the_order_of_the_strategies_does_not_change_the_code(compiled_forms):
    game, meeting = load_game("trut", 2, engine="native"), [load_strategy(name) for name in FOUR]
    one = next(read_leg(game, meeting, (1, 2), 1, 0, 1)).tolist()
    assert next(read_leg(game, meeting[::-1], (2, 1), 1, 0, 1)).tolist() == one
    assert len(compiled_forms) == 1


def test_a_leg_equals_the_matches_of_its_seating():
    """The other strategies are compiled, too, but do not affect the matches."""
    game, meeting = load_game("trut", 2, engine="native"), [load_strategy(name) for name in FOUR]
    for seated in ((0, 1), (2, 0), (3, 2)):
        seating = [meeting[index] for index in seated]
        alone = [play_match(game, seating, 5, match) for match in range(3)]
        assert list(play_matches(game, seating, 5, 3)) == alone
        rows = [row for some in read_leg(game, meeting, seated, 5, 0, 3) for row in some.tolist()]
        assert [(row[1], row[2]) for row in rows] == [(one.deals, one.decisions) for one in alone]


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("left_out", [(), (3, 4), (4, 6)])
def test_a_leg_writes_only_the_requested_rows_and_columns(engine, left_out):
    game, meeting = load_game("trut", 2, engine=engine), [load_strategy(name) for name in FOUR[:2]]
    expected = np.concatenate(list(read_leg(game, meeting, (1, 0), 5, 3, 9)))
    assert expected.shape == (9, 7)
    room = Rows.empty(12, 7)
    for column in room.columns:
        column[:] = 77
    part = room.part(2, 11)
    kept = Rows(tuple(None if at in left_out else c for at, c in enumerate(part.columns)))
    assert sum(play_leg(game, meeting, (1, 0), 5, 3, kept)) == 9
    found = room.records()
    assert (found[[0, 1, 11]] == 77).all() and (found[:, list(left_out)] == 77).all()
    there = [at for at in range(7) if at not in left_out]
    assert np.array_equal(found[2:11, there], expected[:, there])
