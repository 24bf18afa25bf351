"""What rules mean: names, types, visibility.

`build_program` makes one program of the syntax trees of a variant's layers.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import lru_cache

from trutdsl.ir.lower import build_rules
from trutdsl.ir.nodes import Program
from trutdsl.ir.script.vocabulary import check_vocabulary
from trutdsl.ir.types import Deck, make_deck
from trutdsl.variant import Variant

__all__ = ["Deck", "Program", "build_program", "make_deck"]

KEPT = 16  # programs


def build_program(variant: Variant) -> Program:
    """Return what the rules of a variant mean; raises `Rejected` with every mistake found.

    The same program for the same files, if it was key for not long ago.
    """
    files = [(one.path, one.name, one.text, one.words) for one in variant.layers]
    texts = variant.fingerprint, variant.vocabulary_fingerprint
    return _build(_VariantKey((*texts, *files), variant))


@dataclass(frozen=True)
class _VariantKey:
    """A variant, known by its files; those outside the library are new ones each time."""

    files: tuple[Hashable, ...]
    variant: Variant = field(compare=False)


@lru_cache(maxsize=KEPT)
def _build(key: _VariantKey) -> Program:
    variant = key.variant
    program = build_rules(variant)
    if any(layer.vocabulary for layer in variant.layers):
        check_vocabulary(variant, program)
    return program
