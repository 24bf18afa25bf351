"""Memo of checks: a variant that was found right before need not be checked again."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import NamedTuple

from trutdsl.cache import hash_of, read_kept, source_hash, write_kept
from trutdsl.variant.model import Variant

# All of this program that has a say in whether rules are right.
CHECKED_BY = (
    "diagnostics.py", "files.py", "ir", "cache.py", "streams.py", "syntax",
    "tree.py", "variant",
)  # fmt: skip


class RuleCounts(NamedTuple):
    """How many rules, pieces of rules and defines a variant has.

    own: in its own file. inherited: in what it builds on. Of those replaced, the last one counts.
    """

    own: int
    inherited: int


def check_once(variant: Variant, check: Callable[[Variant], object]) -> RuleCounts:
    """Return what is in a variant that `check` finds nothing wrong with, now or at an earlier time.

    What `check` raises comes out of this.
    """
    counts = _found_right(variant)
    if counts is None:
        check(variant)
        counts = count_rules(variant)
        write_kept(_key(variant), json.dumps(counts).encode())
    return counts


def was_right(variant: Variant) -> bool:
    """Tell whether a variant of the same texts was checked before, by the same program."""
    return _found_right(variant) is not None


def was_clean(variant: Variant) -> bool:
    """Tell whether nothing was found doubtful in a variant of the same texts, by this program."""
    return read_kept(_key(variant, "clean")) is not None


def note_clean(variant: Variant) -> None:
    """Note that nothing is doubtful in a variant."""
    write_kept(_key(variant, "clean"), b"")


def count_rules(variant: Variant) -> RuleCounts:
    """Return how many rules a variant has; its rules are parsed for it."""
    own = 0
    others: set[str | tuple[str, int]] = set()
    for layer in variant.layers:
        if layer.rules is None:
            continue
        named = [(rule.name.text, rule.piece is not None) for rule in layer.rules.rules]
        named += [(define.name.text, False) for define in layer.rules.defines]
        for number, (name, is_piece) in enumerate(named):
            key = (layer.name, number) if is_piece else name
            if layer.own:
                own += 1
                others.discard(key)
            else:
                others.add(key)
    return RuleCounts(own, len(others))


def _found_right(variant: Variant) -> RuleCounts | None:
    kept = read_kept(_key(variant))
    return None if kept is None else RuleCounts(*json.loads(kept))


def _key(variant: Variant, what: str = "right") -> str:
    layers = [f"{one.kind} {one.name} {sorted(one.below)}" for one in variant.layers]
    texts = variant.fingerprint, variant.vocabulary_fingerprint
    return hash_of(what, source_hash(*CHECKED_BY), *texts, *layers)
