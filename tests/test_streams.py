"""The streams of random numbers are SplitMix64's, exact, and their own for every position."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from trutdsl.streams import Stream, chance_key, strategy_key

# The first outputs of SplitMix64 from the state 1234567, as in the C reference code of the
# generator (S. Vigna, splitmix64.c) and in the tests of several standard libraries.
KNOWN = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]


def test_known_outputs():
    stream = Stream(1234567)
    assert [stream.next64() for _ in KNOWN] == KNOWN


@given(st.integers(0, 2**64 - 1), st.integers(1, 2**63))
def test_below_is_in_range(key, bound):
    assert 0 <= Stream(key).below(bound) < bound


def test_below_rejects_what_would_favour_some_numbers():
    # With a bound of 3 * 2**62 a quarter of all draws must be rejected: each third of the range
    # would else get 2/4, 1/4, 1/4 of the numbers rather than a third each.
    stream, bound = Stream(7), 3 * 2**62
    thirds = Counter(stream.below(bound) // 2**62 for _ in range(30_000))
    # Binomial(30000, 1/3): sd = 81.6; 5 sd allowed, missed by chance once in 1.7 million.
    assert all(abs(thirds[i] - 10_000) < 409 for i in range(3)), thirds


def test_below_one_draws_nothing():
    stream = Stream(5)
    assert stream.below(1) == 0
    assert stream.state == 5


def test_every_position_has_its_own_stream():
    eight = range(8)
    keys = {chance_key(s, m, d, w) for s in eight for m in eight for d in eight for w in (0, 1)}
    keys |= {
        strategy_key(s, m, d, n) for s in range(8) for m in range(8) for d in (0, 1) for n in "ab"
    }
    assert len(keys) == 8**3 * 2 + 8 * 8 * 2 * 2
