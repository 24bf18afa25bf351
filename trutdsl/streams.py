"""Streams of random numbers, each known by what it is for and never by who draws from it.

The generator is SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators,
OOPSLA 2014); bounded numbers are exact, by Lemire's multiplication with rejection (Fast Random
Integer Generation in an Interval, ACM TOMACS 29(1), 2019).
"""

from __future__ import annotations

from hashlib import sha256

MASK = 2**64 - 1
GAMMA = 0x9E3779B97F4A7C15
CHANCE, STRATEGY = 1, 2
SETUP = 0  # the chance stream of what happens before the first deal; deal d has d + 1


def mix(z: int) -> int:
    """Return the 64 bits of SplitMix64's finalizer."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def stream_key(*parts: int) -> int:
    """Return the state in which the stream for these numbers (each 0..2**64-1) starts."""
    key = 0
    for part in parts:
        key = mix((key + GAMMA + part) & MASK)
    return key


def chance_key(seed: int, match: int, part: int, dealer: int = 0) -> int:
    """Return the start of a chance stream: part is `SETUP`, or a deal's index + 1.

    dealer: the seat that deals. Cards are dealt from the dealer on, so that with one stream for
    any dealer a strategy that deals would get the same cards on either seat, and the exchange of
    seats would not exchange the luck. So each seat gets the same cards whenever the same seat
    deals, and cards that have nothing to do with those when another one does.
    """
    return stream_key(CHANCE, seed, match, part, dealer)


def strategy_key(seed: int, match: int, seat: int, name: str) -> int:
    """Return the start of the stream of a strategy, known by its name, on a seat in a match."""
    return stream_key(STRATEGY, seed, match, seat, name_number(name))


def name_number(name: str) -> int:
    """Return the 64-bit number that stands for a strategy's name."""
    return int.from_bytes(sha256(name.encode()).digest()[:8], "little")


class Stream:
    """A stream of random numbers; `state` is all there is to it."""

    __slots__ = ("state",)

    def __init__(self, key: int) -> None:
        self.state = key

    def next64(self) -> int:
        """Return the next 64 random bits."""
        self.state = (self.state + GAMMA) & MASK
        return mix(self.state)

    def below(self, bound: int) -> int:
        """Return a number from 0 to bound-1, all equally likely; nothing is drawn for 1."""
        if bound <= 1:
            if bound == 1:
                return 0
            raise ValueError("there is no number below 0")
        product = self.next64() * bound
        if product & MASK < bound:
            least = (MASK + 1 - bound) % bound
            while product & MASK < least:
                product = self.next64() * bound
        return product >> 64

    def unit(self) -> float:
        """Return a number in [0, 1), a multiple of 2**-53."""
        return (self.next64() >> 11) * 2.0**-53
