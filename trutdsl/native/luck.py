"""What chance decides, and what is told of a match."""

from __future__ import annotations

from dataclasses import dataclass

from trutdsl.native.unit import Value

# What can happen by chance, and what is told of.
DRAW, ROLL, RANDOM, CHANCE = range(4)
DEAL, CARDS, TURNED, RANDOMLY, TRICK_CARD, TRICK, COUNTER, DEAL_END, MATCH_END = range(9)


@dataclass(frozen=True)
class Luck:
    """Something that chance decides.

    one, two: of a draw the cards that can come and the place they go to; of `roll` the least and
    the most; of `random` the set and its kind; of `chance` the part and the whole.
    target, shown, many, several: of a draw the zone that the card goes to, whether all see it, how
    many cards can come, and whether that is known to be more than one.
    """

    kind: int
    one: Value
    two: Value
    target: str = ""
    shown: bool = False
    many: Value = None
    several: bool = False
