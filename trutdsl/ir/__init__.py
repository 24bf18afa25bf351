"""The meaning of rules: names, types, visibility.

`build_program` makes one program from the syntax trees of a variant's layers.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import lru_cache

from trutdsl.ir.nodes import Program
from trutdsl.ir.types import Deck, make_deck
from trutdsl.variant import Variant

__all__ = ["Deck", "Program", "build_program", "make_deck"]

CACHE_SIZE = 32  # programs


def build_program(variant: Variant) -> Program:
    """Return the program of a variant's rules; raises `Rejected` with every mistake.

    The same object for the same files, if it is still among the last ones.
    """
    files = [(one.path, one.name, one.text, one.vocabulary_text) for one in variant.layers]
    texts = variant.fingerprint, variant.vocabulary_fingerprint
    return _build(_VariantKey((*texts, *files), variant))


@dataclass(frozen=True)
class _VariantKey:
    """A variant, identified by its files; files outside the library are always new."""

    files: tuple[Hashable, ...]
    variant: Variant = field(compare=False)


@lru_cache(maxsize=CACHE_SIZE)
def _build(key: _VariantKey) -> Program:
    # Machine code from the cache needs neither of them.
    from trutdsl.ir.lower import build_rules
    from trutdsl.ir.script.vocabulary import check_vocabulary

    variant = key.variant
    program = build_rules(variant)
    if any(layer.vocabulary for layer in variant.layers):
        check_vocabulary(variant, program)
    return program
