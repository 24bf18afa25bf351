"""Side by side: strategies that answer in arrays play as they do one match after the other."""

from pathlib import Path

import numpy as np
import pytest

from trutdsl.bench import steady
from trutdsl.game import load_game
from trutdsl.strategy import StrategyError, load_strategy, play_match, read_leg, record_of
from trutdsl.strategy.legs import answers_in_arrays

STEADY = str(Path(steady.__file__))
FIRST = """\
import numpy as np
class First:
    reads = ()
    def choose(self, view):
        return view.actions[0]
    def choose_batch(self, seen, names):
        {first}
        legal = seen.legal[:, 0]
        return np.bitwise_count((legal & (~legal + np.uint64(1))) - np.uint64(1)).astype(int)
"""


def played(game, seating, first, count):
    """Return the rows of matches up to the first that fails, and the message of its failure."""
    found = []
    try:
        for rows in read_leg(game, seating, range(len(seating)), 3, first, count):
            found += rows.tolist()
    except StrategyError as failed:
        return found, str(failed)
    return found, None


@pytest.fixture(scope="module")
def game():
    return load_game("trut", 2, {"goal": "1"}, "native")


@pytest.mark.parametrize("other", [STEADY, "bluffer"])
def test_it_comes_to_what_choosing_one_by_one_comes_to(game, other):
    seating = [load_strategy(other), load_strategy(STEADY)]
    assert answers_in_arrays(game, seating)
    alone = [record_of(play_match(game, seating, 3, match))[0].tolist() for match in range(40)]
    assert played(game, seating, 0, 40) == (alone, None)
    assert played(game, seating, 7, 5) == (alone[7:12], None)


def test_it_is_only_for_those_who_can_and_for_machine_code(game):
    able, other = load_strategy(STEADY), load_strategy("monte-carlo")
    assert not answers_in_arrays(game, [able, other])
    assert not answers_in_arrays(game.in_engine("reference"), [able, able])
    assert not answers_in_arrays(game, [load_strategy("steady")] * 2)


def first(tmp_path, body):
    """Return a strategy that takes the first action, in arrays after these words."""
    path = tmp_path / "first.py"
    path.write_text(FIRST.format(first=body))
    return load_strategy(str(path))


def test_what_fails_in_one_match_fails_in_that_one_however_many_are_beside_it(game, tmp_path):
    path, quiet = tmp_path / "first.py", load_strategy("quiet")
    deals = [row[1] for row in played(game, [first(tmp_path, "pass"), quiet], 1, 40)[0]]
    longest = int(np.argmax(deals))
    spec = first(tmp_path, f"assert seen.deal.max() < {max(deals) - 1}")
    for begin in (1, 1 + longest, max(1, longest - 3)):
        rows, said = played(game, [spec, quiet], begin, 41 - begin)
        assert len(rows) == longest + 1 - begin
        assert said == (
            f"strategy 'first' ({path}:7) failed in match {longest + 2}: AssertionError"
        )


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return np.full(len(seen.seat), 99)", "it returned 99"),
        ("return np.full(len(seen.seat), -1)", "it returned -1"),
        ("return [0.0] * len(seen.seat)", "returned float64 (1,) for 1 matches in match 1"),
        ("return np.zeros(len(seen.seat) + 1, int)", "returned int64 (2,) for 1 matches"),
        ("del names.actions[0]", "TypeError: "),
    ],
)
def test_an_answer_that_is_none_is_told(game, tmp_path, body, said):
    rows, told = played(game, [first(tmp_path, body), load_strategy("quiet")], 0, 3)
    assert rows == []
    assert said in told


def test_one_that_chooses_otherwise_in_arrays_is_named(game, tmp_path):
    body = "return np.array([int(m).bit_length() - 1 for m in seen.legal[:, 0]])"
    rows, told = played(game, [first(tmp_path, body), load_strategy("quiet")], 49, 5)
    assert len(rows) == 1
    named = f"of strategy 'first' ({tmp_path / 'first.py'})"
    assert told == f"match 51 goes otherwise with `choose_batch` than with `choose`, {named}"
