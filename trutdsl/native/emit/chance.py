"""What chance decides, as instructions know it."""

from __future__ import annotations

from dataclasses import dataclass

from trutdsl.native.llvm.unit import Value


@dataclass(frozen=True)
class Luck:
    """Something that chance decides.

    one, two: of a draw the cards that can come and the place they go to; of `roll` the least and
    the most; of `random` the set and its kind; of `chance` the part and the whole.
    draw: what else there is to a draw.
    """

    kind: int
    one: Value
    two: Value
    draw: Drawn | None = None


@dataclass(frozen=True)
class Drawn:
    """A draw off a pile at a place of it, to a zone.

    shown: all see which card it is; many: how many cards can come.
    """

    origin: str
    place: Value
    target: str
    shown: bool
    many: Value
