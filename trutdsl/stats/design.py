"""Experimental design: who meets whom in which orders, and the integer sums of the results."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import chain, combinations, permutations
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from trutdsl.shape import are_numbers, from_json

# The index of a strategy; JSON has its name instead.
Strategy = Annotated[int, "name"]

# Metric: the value of a match for each team, in whole points.

BY_MATCH, SINGLE = "matches", "deals"
TERM = re.compile(r"(?:(\d{1,6})\s+)?([A-Za-z_]\w*)")


@dataclass(frozen=True)
class TournamentMetric:
    """The primary metric of a comparison.

    weights: points for each unit of a counter, as (name, points). Without weights a won match
             gives one point for each team, and a draw gives one point to each.
    level:   count points above the mean of all teams in the match. In single deals a team's own
             points mislead: a reckless caller gets many, and gives away more.
    """

    weights: tuple[tuple[str, int], ...] = ()
    level: bool = False

    @property
    def by_match(self) -> bool:
        """Tell whether it is the share of matches won, which is bounded by 0 and 1."""
        return not self.weights

    @property
    def reach(self) -> int:
        """The worth of a match, or of one unit of the most valuable counter."""
        return max((weight for _, weight in self.weights), default=1)

    @property
    def name(self) -> str:
        """Its text, which `parse_metric` reads."""
        names = [name if weight == 1 else f"{weight} {name}" for name, weight in self.weights]
        return " + ".join(names) or BY_MATCH

    def unit(self, teams: int) -> int:
        """Return how many points make 1 in reports."""
        return teams if self.by_match or self.level else 1


MATCHES = TournamentMetric()


def parse_metric(text: str, per: str) -> TournamentMetric:
    """Return the metric of a text: `matches`, or counters as in `2 longs + petits`.

    per: `matches`, or `deals` for single deals. Raises ValueError for another text.
    """
    if text.strip() == BY_MATCH:
        return MATCHES
    result: dict[str, int] = {}
    for part in text.split("+"):
        term = TERM.fullmatch(part.strip())
        weight = 0 if term is None else int(term[1] or 1)
        if term is None or term[2] in result or weight == 0:
            raise ValueError(text)
        result[term[2]] = weight
    return TournamentMetric(tuple(sorted(result.items())), level=per == SINGLE)


EVERY_ORDER = 4  # teams; with more, the orders of a Williams design are played
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Design:
    """The matches of a duplicate set; strategies are numbers.

    combinations: strategies that meet, one for each team, ascending; all play the same deals.
    metric:       the worth of their matches.
    sequential:   the results decide when play ends, so intervals have to hold at any time.
    exchanges:    in how many ways partners share the seats of their teams; each order of the teams
                  is played in all of them.
    """

    strategies: int
    teams: int
    combinations: tuple[tuple[int, ...], ...]
    metric: TournamentMetric = MATCHES
    sequential: bool = False
    exchanges: int = 1

    @cached_property
    def orders(self) -> tuple[tuple[int, ...], ...]:
        """The seatings of a combination: the place in it of each team's strategy."""
        return tuple(order for order in team_orders(self.teams) for _ in range(self.exchanges))

    @cached_property
    def seatings(self) -> Ints:
        """The strategy of each team, of shape (combinations, orders, teams)."""
        return np.array(self.combinations, np.int64)[:, np.array(self.orders)]

    @property
    def matches_per_set(self) -> int:
        return len(self.combinations) * len(self.orders)

    def alike(self, one: int, other: int) -> bool:
        """Tell whether two strategies meet the same others, so that their scores compare.

        Then each combination with one of them is also played with the other one instead.
        """
        first, second = (self._company[strategy] for strategy in (one, other))
        return {c for c in first if other not in c} == {c for c in second if one not in c}

    @cached_property
    def _company(self) -> list[set[frozenset[int]]]:
        """The others in each combination of each strategy."""
        result: list[set[frozenset[int]]] = [set() for _ in range(self.strategies)]
        for combination in map(frozenset, self.combinations):
            for strategy in combination:
                result[strategy].add(combination - {strategy})
        return result

    def matches_of(self, *strategies: int) -> int:
        """Return the number of matches of a set in which one strategy plays, or two do."""
        return self._together[frozenset(strategies)] * len(self.orders)

    @cached_property
    def _together(self) -> Counter[frozenset[int]]:
        """The number of combinations with each strategy, and with each two."""
        each = [sorted(set(combination)) for combination in self.combinations]
        groups = chain.from_iterable(combinations(c, size) for c in each for size in (1, 2))
        return Counter(map(frozenset, groups))


def everyone_meets(strategies: int, teams: int) -> tuple[tuple[int, ...], ...]:
    """Return every choice of one strategy for each team."""
    return tuple(combinations(range(strategies), teams))


def team_orders(teams: int) -> tuple[tuple[int, ...], ...]:
    """Return the orders in which the strategies of a combination take the teams' places.

    Up to `EVERY_ORDER` teams play all orders, so two copies of one strategy are exchangeable. More
    teams play the rows of a Williams design: each has every place, and every other one directly
    before it, equally often (E. J. Williams, Australian J. Scientific Research A 2 (1949) 149-168).
    """
    if teams <= EVERY_ORDER:
        return tuple(permutations(range(teams)))
    zigzag = [(-1) ** step * ((step + 1) // 2) for step in range(teams)]
    rows = [tuple((row - turn) % teams for turn in zigzag) for row in range(teams)]
    if teams % 2:
        rows += [row[::-1] for row in rows]
    return tuple(rows)


GROUPS = 64  # of sets, for statistics that need more than sums: set i is in group i mod 64
Vector = tuple[int, ...]
Matrix = tuple[Vector, ...]
Group = tuple[int, int, Matrix]


@dataclass(frozen=True)
class Tally:
    """Sums over sets.

    x[i] are the points (`TournamentMetric`) of strategy i over all matches of one set, and p[i][j]
    its part from the matches in which j plays, too. Sums are over the sets; `_sq` is the sum of
    the squares of one set's values (`docs/statistics.md`).

    drawn:         drawn matches; unfinished: those of them that did not end.
    deals, decisions: of all matches.
    team_score:    per place at the table (team 0 holds the first seat), over all matches.
    score:         sum of x[i].
    cross:         sum of x[i] x[k], K x K.
    first_product: sum of x[i] times the points of team 0 in all matches of the set.
    won, drawn_by, deals_by, decisions_by: per strategy, over the matches it plays in.
    forfeited:     per strategy, matches that it forfeited.
    clean_score:   sum of c[i], the part of x[i] from matches that nobody forfeited; clean_matches:
                   sum of the number n[i] of these; clean_score_sq, clean_matches_sq,
                   clean_product: of c[i] c[i], n[i] n[i] and c[i] n[i].
    pair_score:    sum of p[i][j], K x K, not symmetric.
    pair_sq:       sum of p[i][j] squared.
    pair_product:  sum of p[i][j] p[j][i].
    pair_legs_sq:  sum over single matches with i and j of (points of i - points of j) squared.
    pair_won:      matches with i and j that i wins; pair_drawn: drawn ones.
    groups:        (group, sets, sum of p) for each group of sets that is not empty.
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

    def merge(self, other: Tally) -> Tally:
        """Return the tally of both; associative and commutative."""
        return merge_all((self, other))

    @cached_property
    def group_sets(self) -> NDArray[np.float64]:
        return np.array([sets for _, sets, _ in self.groups], np.float64)

    @cached_property
    def group_points(self) -> Ints:
        """The sum of p in each group, of shape (groups, strategies, strategies)."""
        return np.array([sums for _, _, sums in self.groups], np.int64)

    def to_counts(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in fields(self)}

    @classmethod
    def from_counts(cls, counts: Mapping[str, Any]) -> Self:
        """Return the tally of the counts of `to_counts`, before or after JSON."""
        result = {f.name: freeze(counts[f.name]) for f in fields(cls) if f.name != "groups"}
        groups = ((number, sets, freeze(sums)) for number, sets, sums in counts["groups"])
        return cls(**result, groups=tuple(groups))


Played = Sequence[tuple[Design, Tally]]  # rounds, each on sets of its own


def merge_all(parts: Iterable[Tally]) -> Tally:
    each = [tally.to_counts() for tally in parts]
    result = {name: _sum([one[name] for one in each]) for name in each[0] if name != "groups"}
    return Tally(**result, groups=_merge_groups(one["groups"] for one in each))


def is_tally(design: Design, counts: Any) -> bool:
    """Tell whether a JSON value has the shape of a tally of this design."""
    if not isinstance(counts, dict) or counts.keys() != {f.name for f in fields(Tally)}:
        return False
    everyone = (design.strategies,)
    shapes = {"int": (), "Vector": everyone, "Matrix": everyone * 2}
    shaped = {f.name: shapes[str(f.type)] for f in fields(Tally) if f.name != "groups"}
    shaped |= dict.fromkeys(("team_score", "team_score_sq"), (design.teams,))
    whole = all(are_numbers(counts[name], shape) for name, shape in shaped.items())
    return whole and _are_groups(counts["groups"], counts["sets"], shapes["Matrix"])


def _are_groups(value: Any, sets: int, shape: Vector) -> bool:
    """Tell whether these are ordered groups with so many sets in total."""
    try:
        groups = from_json(tuple[tuple[int, int, Any], ...], value)
    except ValueError:
        return False
    numbers = [number for number, _, _ in groups]
    in_order = numbers == sorted(set(numbers)) and all(0 <= n < GROUPS for n in numbers)
    whole = all(size > 0 and are_numbers(sums, shape) for _, size, sums in groups)
    return in_order and whole and sum(size for _, size, _ in groups) == sets


def _merge_groups(each: Iterable[tuple[Group, ...]]) -> tuple[Group, ...]:
    result = dict[int, tuple[list[int], list[Matrix]]]()
    for number, sets, sums in chain.from_iterable(each):
        group = result.setdefault(number, ([], []))
        group[0].append(sets)
        group[1].append(sums)
    return tuple(
        (number, sum(result[number][0]), _sum(result[number][1])) for number in sorted(result)
    )


def _sum(parts: Sequence[Any]) -> Any:
    """Return the sum of whole numbers, or of tuples of them, place by place."""
    if len(parts) == 1:
        return parts[0]
    if isinstance(parts[0], int):
        return sum(parts)
    places = zip(*parts, strict=True)
    return tuple(map(sum if isinstance(parts[0][0], int) else _sum, places))


def freeze(value: Any) -> Any:
    """Return whole numbers in lists of lists as tuples of tuples."""
    if isinstance(value, int):
        return value
    flat = not value or isinstance(value[-1], int)
    return tuple(value) if flat else tuple(map(freeze, value))
