"""Havoc: changes without knowledge of the format."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

Change = Callable[[bytes, Random, Sequence[bytes]], bytes]

ODD_BYTES = (
    b"\x00", b"\r", b"\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xc0\xaf", b"\xe2\x80\xae",
    b"\xe2\x80\xa8", b"\xf4\x90\x80\x80", b"\x1b[2J", b"\x85", b"\xc2\x85", b"\t", b"\xff\xfe",
    "é".encode(), "e\u0301".encode(), "ſ".encode(), "𝟙".encode(), "\u200b".encode(),
    "\u00a0".encode(), "\ufdd0".encode(), "\U0010ffff".encode(),
)  # fmt: skip


def flip(data: bytes, rng: Random, _others: Sequence[bytes]) -> bytes:
    """Flip one to eight bits."""
    if not data:
        return data
    changed = bytearray(data)
    for _ in range(rng.randint(1, 8)):
        changed[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def insert(data: bytes, rng: Random, _others: Sequence[bytes]) -> bytes:
    """Insert odd or random bytes."""
    at = rng.randint(0, len(data))
    new = rng.choice(ODD_BYTES) if rng.random() < 0.7 else rng.randbytes(rng.randint(1, 8))
    return data[:at] + new + data[at:]


def delete(data: bytes, rng: Random, _others: Sequence[bytes]) -> bytes:
    """Delete a mostly short stretch."""
    start = rng.randint(0, len(data))
    return data[:start] + data[start + rng.choice((1, 2, 8, 64, 4096)) :]


def cut(data: bytes, rng: Random, _others: Sequence[bytes]) -> bytes:
    """Truncate."""
    return data[: rng.randint(0, len(data))]


def splice(data: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    """Join the start of this input and the end of another of the same format."""
    other = rng.choice(others)
    return data[: rng.randint(0, len(data))] + other[rng.randint(0, len(other)) :]


def repeat(data: bytes, rng: Random, _others: Sequence[bytes]) -> bytes:
    """Repeat a stretch several times, seldom very many times."""
    start = rng.randint(0, len(data))
    part = data[start : start + rng.choice((1, 4, 40, 400))]
    times = rng.choice((2, 3, 10, 50)) if rng.random() < 0.98 else 20_000 // max(1, len(part))
    return data[:start] + part * times + data[start + len(part) :]


def overwrite(data: bytes, rng: Random, _others: Sequence[bytes]) -> bytes:
    """Overwrite a stretch with zeros, ones or random bytes."""
    start, size = rng.randint(0, len(data)), rng.choice((1, 2, 4, 16, 100))
    new = rng.choice((b"\0" * size, b"\xff" * size, rng.randbytes(size)))
    return data[:start] + new + data[start + size :]


HAVOC: tuple[Change, ...] = (flip, insert, delete, cut, splice, repeat, overwrite)
