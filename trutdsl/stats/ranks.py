"""Ranks: which of several estimates is the greatest, and which of them cannot be told apart.

All estimates are over the same clusters, so that the luck which they share falls away. What is said
of all pairs holds together in 95 of 100 rankings, by the greatest |t| of their differences. The
intervals of all values hold together in 95 of 100, too: so does that of a value which was picked
because it is the least, or the most.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from trutdsl.stats.family import Family, family_of
from trutdsl.stats.influence import Influences

Signs = tuple[tuple[int, ...], ...]


def value_family(found: Sequence[Influences]) -> Family:
    """Return the family of all values."""
    return family_of((one.column for one in found), max(1, len(found[0].each) - 1))


def pair_family(found: Sequence[Influences]) -> Family:
    """Return the family of the differences of all pairs."""
    columns = ((one - other).column for one, other in combinations(found, 2))
    return family_of(columns, max(1, len(found[0].each) - 1))


def compare_pairs(found: Sequence[Influences], family: Family) -> Signs:
    """Return a row of signs for each estimate: 1 where it is certainly greater than another one.

    -1 where it is certainly less; 0 where the interval of their difference holds 0, or nothing
    tells its error.
    """
    return tuple(tuple(_sign(one - other, family) for other in found) for one in found)


def agree(one: Signs, other: Signs) -> Signs:
    """Return what two independent rankings of the same things both say of each pair."""
    return tuple(
        tuple(a if a == b else 0 for a, b in zip(row, beside, strict=True))
        for row, beside in zip(one, other, strict=True)
    )


def rank_set(signs: Sequence[int]) -> tuple[int, int]:
    """Return the best and the worst rank that an estimate can have, 1 for the greatest.

    signs: its own row. All rank sets of a ranking hold together whenever its pairs do. Source: M.
    Mogstad, J. P. Romano, A. M. Shaikh, D. Wilhelm, Review of Economic Studies 91 (2024) 476-518.
    """
    return 1 + signs.count(-1), len(signs) - signs.count(1)


def possible_extremes(signs: Signs, sign: int) -> list[int]:
    """Return the places of all that can be the greatest (sign 1) or the least (-1).

    No two of them are told apart.
    """
    return [place for place, row in enumerate(signs) if -sign not in row]


def _sign(difference: Influences, family: Family) -> int:
    found = difference.estimate(family=family)
    if found.low is None or found.high is None:
        return 0
    return (found.low > 0) - (found.high < 0)
