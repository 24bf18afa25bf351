"""Random number streams, each identified by its purpose, never by its user.

The generator is SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators,
OOPSLA 2014). Bounded numbers are exact, by Lemire's multiplication with rejection (Fast Random
Integer Generation in an Interval, ACM TOMACS 29(1), 2019).

A stream can be run backwards, so its start must reveal nothing. A seed gives one key for chance and
one for each strategy, by a keyed hash (BLAKE2b, RFC 7693). SipHash-2-4 (Aumasson, Bernstein:
SipHash, a fast short-input PRF, INDOCRYPT 2012) under such a key gives the start of a stream. The
whole random stream of a strategy in a match therefore reveals neither the seed nor the cards nor
any other stream.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from numbers import Integral
from operator import index
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

from trutdsl.diagnostics import BadUsage

MASK = 2**64 - 1
LARGEST_SEED = 2**128 - 1
GAMMA = 0x9E3779B97F4A7C15
SETUP = 0  # the chance stream before the first deal; deal d has d + 1
SIP_START = (0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573)
Key = tuple[int, int]  # 128 bits, the lower half first


def chance_key(seed: int) -> Key:
    """Return the key of the chance streams of all matches under a seed.

    Raises `BadUsage` for a seed that is not from 0 to 2**128-1.
    """
    return _derive_key(seed, b"trutdsl chance", b"")


def strategy_key(seed: int, name: str) -> Key:
    """Return the key of the streams of a strategy with this name; errors as above."""
    return _derive_key(seed, b"trutdsl luck", name.encode("utf-8", "surrogatepass"))


def _derive_key(seed: int, purpose: bytes, name: bytes) -> Key:
    """Return BLAKE2b of a name with the seed as its key; each purpose has its own hash."""
    if not isinstance(seed, Integral) or not 0 <= seed <= LARGEST_SEED:
        raise BadUsage(f"found the seed {seed!r}, expected a whole number from 0 to 2**128-1")
    number = int(seed).to_bytes(16, "little")
    digest = blake2b(name, digest_size=16, key=number, person=purpose).digest()
    return int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:], "little")


def match_start(key: Key, match: int) -> int:
    """Return the start of a match's chance, under the seed's key for chance."""
    return siphash(key, index(match).to_bytes(8, "little"))


def deal_start(match: int, part: int) -> int:
    """Return the start of a chance stream: part is `SETUP`, or a deal's index + 1.

    match: the result of `match_start`.
    """
    return mix_in(index(match), index(part))


def luck_start(key: Key, match: int, seat: int) -> int:
    """Return the start of a strategy's stream for a seat in a match, under the strategy's key."""
    return siphash(key, match.to_bytes(8, "little") + seat.to_bytes(8, "little"))


def luck_starts(key: Key, matches: NDArray[np.uint64], seat: int) -> NDArray[np.uint64]:
    result: NDArray[np.uint64] = _siphash_of(key, (matches, seat, 16 << 56))
    return result


def siphash(key: Key, data: bytes) -> int:
    message = data + bytes(-(len(data) + 1) % 8) + bytes([len(data) & 0xFF])
    words = [int.from_bytes(message[at : at + 8], "little") for at in range(0, len(message), 8)]
    result: int = _siphash_of(key, words)
    return result


def _siphash_of(key: Key, words: Sequence[Any]) -> Any:
    """Return the hash of padded words, which are numbers, or arrays of 64 bits."""
    low, high = key
    none = words[0] ^ words[0]  # an array if there are arrays
    a, b, c, d = (
        half ^ start ^ none for start, half in zip(SIP_START, (low, high, low, high), strict=True)
    )
    for word in words:
        a, b, c, d = _sip_rounds(2, a, b, c, d ^ word)
        a ^= word
    a, b, c, d = _sip_rounds(4, a, b, c ^ 0xFF, d)
    return a ^ b ^ c ^ d


def _sip_rounds(rounds: int, a: Any, b: Any, c: Any, d: Any) -> tuple[Any, Any, Any, Any]:
    """Return the four words after some rounds of SipHash; unrolled by hand for speed."""
    for _ in range(rounds):
        a, c = (a + b) & MASK, (c + d) & MASK
        b, d = ((b << 13 | b >> 51) & MASK) ^ a, ((d << 16 | d >> 48) & MASK) ^ c
        a, c = ((a << 32 | a >> 32) + d) & MASK, (c + b) & MASK
        b, d = ((b << 17 | b >> 47) & MASK) ^ c, ((d << 21 | d >> 43) & MASK) ^ a
        c = (c << 32 | c >> 32) & MASK
    return a, b, c, d


def mix(z: int) -> int:
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def mix_in(start: int, *parts: int) -> int:
    """Return 64 bits for a start and these numbers (each 0..2**64-1); it is invertible."""
    for part in parts:
        start = mix((start + GAMMA + part) & MASK)
    return start


class Stream:
    """A stream of random numbers; `state` is its whole state."""

    __slots__ = ("state",)

    def __init__(self, key: int) -> None:
        try:
            self.state = index(key)
        except TypeError:
            raise BadUsage(f"found the key {key!r}, expected a whole number") from None

    def next64(self) -> int:
        """Return the next 64 random bits."""
        self.state = (self.state + GAMMA) & MASK
        return mix(self.state)

    def below(self, bound: int) -> int:
        """Return a number from 0 to bound-1, uniformly; for 1 no number is drawn."""
        try:
            bound = index(bound)  # a number of NumPy would overflow
        except TypeError:
            raise BadUsage(f"found the bound {bound!r}, expected a whole number") from None
        if not 1 < bound <= MASK + 1:
            if bound == 1:
                return 0
            raise BadUsage(f"found the bound {bound}, expected a number from 1 to 2**64")
        product = self.next64() * bound
        if product & MASK < bound:
            least = (MASK + 1 - bound) % bound
            while product & MASK < least:
                product = self.next64() * bound
        return product >> 64

    def unit(self) -> float:
        """Return a number in [0, 1), a multiple of 2**-53."""
        return (self.next64() >> 11) * 2.0**-53
