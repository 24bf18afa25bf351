"""Inputs by their number: the same seed and number give the same bytes, whoever asks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

from .change_bytes import HAVOC
from .formats import FORMATS, Format

LARGEST = 400_000
HOW_MANY = (1, 1, 1, 1, 1, 2, 2, 4)
HAVOC_SHARE = 0.12


@cache
def beginnings(name: str) -> list[bytes]:
    """Return what the changes of a format begin with."""
    return FORMATS[name].begin()


def make_input(seed: int, number: int, names: Sequence[str]) -> tuple[Format, bytes]:
    """Return an input of one of these formats."""
    rng = Random(f"{seed} {number}")
    (name,) = rng.choices(names, [FORMATS[name].share for name in names])
    one, begun = FORMATS[name], beginnings(name)
    data = rng.choice(begun)
    for _ in range(rng.choice(HOW_MANY)):
        changes = HAVOC if rng.random() < HAVOC_SHARE else one.changes
        data = rng.choice(changes)(data, rng, begun)[:LARGEST]
    return one, data
