"""Inputs by number: a seed and a number determine the bytes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

from .change_bytes import HAVOC
from .formats import FORMATS, Format

LARGEST = 400_000
CHANGE_COUNTS = (1, 1, 1, 1, 1, 2, 2, 4)
HAVOC_SHARE = 0.12


@cache
def corpus_of(name: str) -> list[bytes]:
    """Return the corpus of a format."""
    return FORMATS[name].load_corpus()


def make_input(seed: int, number: int, names: Sequence[str]) -> tuple[Format, bytes]:
    """Return the input of a number, in one of these formats."""
    rng = Random(f"{seed} {number}")
    (name,) = rng.choices(names, [FORMATS[name].share for name in names])
    one, originals = FORMATS[name], corpus_of(name)
    data = rng.choice(originals)
    for _ in range(rng.choice(CHANGE_COUNTS)):
        changes = HAVOC if rng.random() < HAVOC_SHARE else one.changes
        data = rng.choice(changes)(data, rng, originals)[:LARGEST]
    return one, data
