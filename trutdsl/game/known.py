"""Which variants were found right before, so that they need not be checked again."""

from __future__ import annotations

from trutdsl.kept import hash_of, read_kept, source_hash, write_kept
from trutdsl.variant import Variant

# All of this program that has a say in whether rules are right.
CHECKED_BY = (
    "diagnostics.py", "ir", "kept.py", "plain_files.py", "source.py", "streams.py", "syntax",
    "variant",
)  # fmt: skip
RIGHT = b"right"


def was_right(variant: Variant) -> bool:
    """Tell whether a variant of the same texts was checked before, by the same program."""
    return read_kept(_key(variant)) == RIGHT


def note_right(variant: Variant) -> None:
    """Remember that a variant was checked and nothing was wrong."""
    write_kept(_key(variant), RIGHT)


def _key(variant: Variant) -> str:
    layers = [f"{one.kind} {one.name} {sorted(one.below)}" for one in variant.layers]
    return hash_of("right", source_hash(*CHECKED_BY), variant.fingerprint, *layers)
