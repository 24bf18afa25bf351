"""Sufficient statistics of the sets played: integers that add up in any order to the same sums."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import reduce
from operator import add
from typing import Any, Self

from trutdsl.shape import are_numbers, from_json
from trutdsl.stats.design import Design

GROUPS = 64  # of sets, for what needs more than sums: set i belongs to group i mod 64

Vector = tuple[int, ...]
Matrix = tuple[Vector, ...]
Group = tuple[int, int, Matrix]


@dataclass(frozen=True)
class Tally:
    """Sums over sets.

    With x[i] the points (`Metric`) of strategy i over all matches of one set, and p[i][j] its part
    from those matches in which j plays too, a sum is over the sets, `_sq` the sum of squares of
    what one set gives (`docs/statistics.md`).

    sets:          how many sets.
    drawn:         drawn matches; unfinished: those of them that came to no end.
    deals, decisions: of all matches.
    team_score:    per place at the table (team 0 holds the first seat), over all matches.
    score:         sum of x[i].
    cross:         sum of x[i] x[k], K x K.
    first_product: sum of x[i] times what team 0 has in all matches of the set.
    won, drawn_by, deals_by, decisions_by: per strategy, over the matches it plays in.
    forfeited:     per strategy, matches that it forfeited.
    clean_score:   sum of c[i], the part of x[i] from matches that nobody forfeited; clean_matches:
                   sum of the number n[i] of these; clean_score_sq, clean_matches_sq,
                   clean_product: of c[i] c[i], n[i] n[i] and c[i] n[i].
    pair_score:    sum of p[i][j], K x K, not symmetric.
    pair_sq:       sum of p[i][j] squared.
    pair_product:  sum of p[i][j] p[j][i].
    pair_legs_sq:  sum over single matches with i and j of (points of i - points of j) squared.
    pair_won:      matches with i and j that i wins.
    pair_drawn:    matches with i and j that are drawn.
    groups:        (group, sets, sum of p) for each group of sets in which one was played.
    """

    sets: int
    drawn: int
    unfinished: int
    deals: int
    deals_sq: int
    decisions: int
    team_score: Vector
    team_score_sq: Vector
    score: Vector
    cross: Matrix
    first_product: Vector
    won: Vector
    drawn_by: Vector
    deals_by: Vector
    deals_by_sq: Vector
    decisions_by: Vector
    forfeited: Vector
    clean_score: Vector
    clean_matches: Vector
    clean_score_sq: Vector
    clean_matches_sq: Vector
    clean_product: Vector
    pair_score: Matrix
    pair_sq: Matrix
    pair_product: Matrix
    pair_legs_sq: Matrix
    pair_won: Matrix
    pair_drawn: Matrix
    groups: tuple[Group, ...]

    def merge(self, other: Self) -> Self:
        """Return the tally of both; associative and commutative."""
        one, two = vars(self), vars(other)
        sums = {name: _add(one[name], two[name]) for name in one if name != "groups"}
        return type(self)(**sums, groups=_merge_groups(self.groups, other.groups))

    def to_counts(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in fields(self)}

    @classmethod
    def from_counts(cls, counts: Mapping[str, Any]) -> Self:
        """Return the tally that `to_counts` gave, before or after JSON."""
        return cls(**{f.name: freeze(counts[f.name]) for f in fields(cls)})


Played = Sequence[tuple[Design, Tally]]  # rounds, each on sets of its own


def merge_all(parts: Iterable[Tally]) -> Tally:
    """Return the tally of all parts, of which there is at least one."""
    return reduce(Tally.merge, parts)


def is_tally(design: Design, counts: Any) -> bool:
    """Tell whether something has the shape of a tally of this design, as JSON has it."""
    if not isinstance(counts, dict) or counts.keys() != {f.name for f in fields(Tally)}:
        return False
    everyone = (design.strategies,)
    shapes = {"int": (), "Vector": everyone, "Matrix": everyone * 2}
    shaped = {f.name: shapes[str(f.type)] for f in fields(Tally) if f.name != "groups"}
    shaped |= dict.fromkeys(("team_score", "team_score_sq"), (design.teams,))
    whole = all(are_numbers(counts[name], shape) for name, shape in shaped.items())
    return whole and _are_groups(counts["groups"], counts["sets"], shapes["Matrix"])


def _are_groups(value: Any, sets: int, shape: Vector) -> bool:
    """Tell whether these are groups in order that hold so many sets together."""
    try:
        groups = from_json(tuple[tuple[int, int, Any], ...], value)
    except ValueError:
        return False
    numbers = [number for number, _, _ in groups]
    in_order = numbers == sorted(set(numbers)) and all(0 <= n < GROUPS for n in numbers)
    whole = all(size > 0 and are_numbers(sums, shape) for _, size, sums in groups)
    return in_order and whole and sum(size for _, size, _ in groups) == sets


def _merge_groups(one: tuple[Group, ...], other: tuple[Group, ...]) -> tuple[Group, ...]:
    found = {number: (sets, sums) for number, sets, sums in one}
    for number, sets, sums in other:
        there = found.get(number)
        found[number] = (sets, sums) if there is None else (there[0] + sets, _add(there[1], sums))
    return tuple((number, *found[number]) for number in sorted(found))


def _add(one: Any, other: Any) -> Any:
    if isinstance(one, int):
        return one + other
    if isinstance(one[0], int):
        return tuple(map(add, one, other))
    return tuple(map(_add, one, other))


def freeze(value: Any) -> Any:
    """Return whole numbers in lists of lists as tuples of tuples."""
    if isinstance(value, int):
        return value
    flat = not value or isinstance(value[-1], int)
    return tuple(value) if flat else tuple(map(freeze, value))
