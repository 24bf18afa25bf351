"""Streams of random numbers: exact SplitMix64, and a separate stream for every position."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trutdsl.game import load_game
from trutdsl.streams import (
    Stream,
    chance_key,
    deal_start,
    luck_start,
    luck_starts,
    match_start,
    siphash,
    strategy_key,
)
from trutdsl.table.setting import SeatedPlayer

# The first outputs of SplitMix64 from the state 1234567, as in the C reference code of the
# generator (S. Vigna, splitmix64.c) and in the tests of several standard libraries.
SPLITMIX_OUTPUTS = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]


def test_outputs_are_those_of_splitmix64():
    stream = Stream(1234567)
    assert [stream.next64() for _ in SPLITMIX_OUTPUTS] == SPLITMIX_OUTPUTS


@given(st.integers(0, 2**64 - 1), st.integers(1, 2**63))
def test_below_is_in_range(key, bound):
    assert 0 <= Stream(key).below(bound) < bound


def test_below_is_unbiased():
    # With the bound 3 * 2**62, a quarter of all draws must be rejected. Otherwise, the thirds of
    # the range would get 2/4, 1/4 and 1/4 of the numbers.
    stream, bound = Stream(7), 3 * 2**62
    thirds = Counter(stream.below(bound) // 2**62 for _ in range(30_000))
    # Binomial(30000, 1/3) has sd = 81.6. Chance exceeds 5 sd once in 1.7 million.
    assert all(abs(thirds[i] - 10_000) < 409 for i in range(3)), thirds


def test_below_one_does_not_draw():
    stream = Stream(5)
    assert stream.below(1) == 0
    assert stream.state == 5


# SipHash-2-4 of 0, 1, 2, ... with the key 00 01 .. 0f: the example of the paper (15 bytes,
# appendix A), and outputs of the reference code of its authors (`vectors.h`).
SIPHASH_OUTPUTS = {
    0: 0x726FDB47DD0E0E31,
    7: 0xAB0200F58B01D137,
    8: 0x93F5F5799A932462,
    15: 0xA129CA6149BE45E5,
    16: 0x3F2ACC7F57C29BDB,
}


@pytest.mark.parametrize("length", SIPHASH_OUTPUTS)
def test_siphash_agrees_with_its_reference_code(length):
    key = 0x0706050403020100, 0x0F0E0D0C0B0A0908
    assert siphash(key, bytes(range(length))) == SIPHASH_OUTPUTS[length]


def test_every_position_has_its_own_stream():
    eight, seeds = range(8), [*range(7), 2**127]
    starts = [match_start(chance_key(seed), match) for seed in seeds for match in eight]
    keys = {deal_start(start, deal) for start in starts for deal in eight}
    keys |= {
        luck_start(strategy_key(seed, name), match, seat)
        for seed in seeds
        for name in "ab"
        for match in eight
        for seat in (0, 1)
    }
    assert len(keys) == 8**3 + 8 * 8 * 2 * 2


@pytest.mark.parametrize("seed", [-1, 2**128])
def test_a_seed_has_128_bits(seed):
    game = load_game("trut", 2, engine="reference")
    for ask in (
        lambda: chance_key(seed),
        lambda: strategy_key(seed, "quiet"),
        lambda: game.start(seed, 0),
        lambda: game.count([SeatedPlayer("quiet")] * 2, seed, 0, 1),
    ):
        with pytest.raises(ValueError, match=r"from 0 to 2\*\*128-1"):
            ask()


def test_streams_of_many_matches_are_those_of_single_matches():
    key, matches = strategy_key(2**100 + 7, "caller"), [0, 1, 2**63, 2**64 - 1]
    found = luck_starts(key, np.array(matches, np.uint64), 3)
    assert found.tolist() == [luck_start(key, match, 3) for match in matches]
