"""The next random number of a strategy, computed in advance, is the next one of its stream."""

import ctypes

import pytest

from trutdsl.game import load_game
from trutdsl.native.abi import AHEAD, PLAIN, STREAM
from trutdsl.native.jit import POINTER, U64
from trutdsl.streams import Stream

POLICY = ctypes.CFUNCTYPE(U64, POINTER, POINTER, U64)
# With the bound 3 * 2**62, a quarter of all numbers is rejected and drawn again; with 1, none.
BOUNDS = [1, 2, 3 * 2**62, 3 * 2**62, 1, 4, 3 * 2**62]


@pytest.mark.parametrize("form", ["runs", "steps"])
def test_numbers_are_those_of_the_stream(form):
    uniform = POLICY(getattr(load_game("trut", 2, engine="native"), form).address("uniform"))
    entry = (ctypes.c_uint64 * PLAIN)()
    stream = Stream(7)
    entry[STREAM], entry[AHEAD] = stream.state, Stream(stream.state).next64()
    rejections = 0
    for bound in 40 * BOUNDS:
        before = stream.state
        assert uniform(ctypes.addressof(entry), None, bound) == stream.below(bound)
        assert entry[STREAM] == stream.state
        assert entry[AHEAD] == Stream(stream.state).next64()
        rejections += count_draws(before, stream) > 1
    assert rejections > 10  # about a quarter of 120


def count_draws(before, stream):
    """Return how many numbers a stream has drawn since it had the state `before`."""
    one, count = Stream(before), 0
    while one.state != stream.state:
        one.next64()
        count += 1
    return count
