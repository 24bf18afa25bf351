"""Experimental design: who meets whom, and in which orders they take the teams' places."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

# Metric: what a match is worth to each team, in whole points.

BY_MATCH, SINGLE = "matches", "deals"
TERM = re.compile(r"(?:(\d{1,6})\s+)?([A-Za-z_]\w*)")


class MatchOutcome(Protocol):
    """How a match, or a deal that is played by itself, went.

    winner:   the team that won it, None for a draw.
    counters: each team's value of each counter, at the end.
    """

    @property
    def winner(self) -> int | None: ...
    @property
    def deals(self) -> int: ...
    @property
    def decisions(self) -> int: ...
    @property
    def counters(self) -> Mapping[str, Sequence[int]]: ...


@dataclass(frozen=True)
class TournamentMetric:
    """The primary metric of a comparison.

    weights: points for each unit of a counter, as (name, points); none: what counts is who wins a
             match, which gives as many points as there are teams, a draw one to each.
    per:     what a hundred of are spoken of.
    level:   points are those above the mean of all teams in the match. Own points alone would not
             do for single deals: who calls whatever it holds gets many, and gives away more.
    """

    weights: tuple[tuple[str, int], ...] = ()
    per: str = "deals"
    level: bool = False

    @property
    def by_match(self) -> bool:
        """Tell whether it is the share of matches won, from 0 to 1, and so is bounded."""
        return not self.weights

    def points(self, outcome: MatchOutcome, teams: int) -> tuple[int, ...]:
        """Return the points of each team."""
        if self.by_match:
            if outcome.winner is None:
                return (1,) * teams
            return tuple(teams * (team == outcome.winner) for team in range(teams))
        own = [
            sum(weight * outcome.counters[name][team] for name, weight in self.weights)
            for team in range(teams)
        ]
        return tuple(teams * one - sum(own) for one in own) if self.level else tuple(own)

    @property
    def reach(self) -> int:
        """What a match, or one unit of the dearest counter, is worth."""
        return max((weight for _, weight in self.weights), default=1)

    @property
    def words(self) -> str:
        """What a difference of 1 is, a hundred times."""
        if self.by_match:
            return "of 100 matches"
        return f"{self.name} per 100 {self.per}"

    @property
    def name(self) -> str:
        """How it is written, which `parse_metric` reads."""
        names = [name if weight == 1 else f"{weight} {name}" for name, weight in self.weights]
        return " + ".join(names) or BY_MATCH

    def unit(self, teams: int) -> int:
        """Return how many points are 1 in what is reported."""
        return teams if self.by_match or self.level else 1


MATCHES = TournamentMetric()


def parse_metric(text: str, per: str) -> TournamentMetric:
    """Return the metric that a text names: `matches`, or counters as in `2 longs + petits`.

    per: `matches`, or `deals` where each is played by itself. Raises ValueError for another text.
    """
    if text.strip() == BY_MATCH:
        return MATCHES
    found: dict[str, int] = {}
    for part in text.split("+"):
        term = TERM.fullmatch(part.strip())
        if term is None or term[2] in found or term[1] in ("0", "00"):
            raise ValueError(text)
        found[term[2]] = int(term[1] or 1)
    return TournamentMetric(tuple(sorted(found.items())), per, level=per == SINGLE)


EVERY_ORDER = 4  # teams; with more, the orders of a Williams design are played

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Design:
    """Which matches a duplicate set consists of, for strategies known by their numbers.

    combinations: strategies that meet, one for each team, ascending; all play the same deals.
    metric:       what their matches are worth.
    sequential:   when play ends depends on what was played, so that intervals hold at any time.
    exchanges:    in how many ways partners share out the seats of their teams; each order of the
                  teams is played in all of them.
    """

    strategies: int
    teams: int
    combinations: tuple[tuple[int, ...], ...]
    metric: TournamentMetric = MATCHES
    sequential: bool = False
    exchanges: int = 1

    @cached_property
    def orders(self) -> tuple[tuple[int, ...], ...]:
        """The seatings of a combination: which of its strategies (by place) has each team."""
        return tuple(order for order in team_orders(self.teams) for _ in range(self.exchanges))

    @cached_property
    def seated(self) -> Ints:
        """The strategy of each team, of shape (combinations, orders, teams)."""
        return np.array(self.combinations, np.int64)[:, np.array(self.orders)]

    @property
    def matches_per_set(self) -> int:
        """Matches of all combinations on the same deals."""
        return len(self.combinations) * len(self.orders)

    def opponents(self, strategy: int) -> frozenset[int]:
        met = (c for c in self.combinations if strategy in c)
        return frozenset(other for c in met for other in c) - {strategy}

    def alike(self, one: int, other: int) -> bool:
        """Tell whether two strategies meet the same others, so that their scores compare."""
        return self.opponents(one) - {other} == self.opponents(other) - {one}

    def matches_of(self, *strategies: int) -> int:
        """Return in how many matches of a set all these strategies play."""
        together = sum(set(strategies) <= set(c) for c in self.combinations)
        return together * len(self.orders)


def round_robin(strategies: int, teams: int, metric: TournamentMetric = MATCHES) -> Design:
    """Return the design in which every choice of one strategy for each team meets."""
    return Design(strategies, teams, everyone_meets(strategies, teams), metric)


def everyone_meets(strategies: int, teams: int) -> tuple[tuple[int, ...], ...]:
    """Return every choice of one strategy for each team."""
    return tuple(combinations(range(strategies), teams))


def team_orders(teams: int) -> tuple[tuple[int, ...], ...]:
    """Return the orders in which the strategies of a combination take the teams' places.

    Up to `EVERY_ORDER` teams all of them, so that two copies of one strategy are exchangeable:
    exchanging their names turns the set into itself. With more teams the rows of a Williams design,
    in which each has every place, and every other one right before it, equally often (E. J.
    Williams, Australian J. Scientific Research A 2 (1949) 149-168).
    """
    if teams <= EVERY_ORDER:
        return tuple(permutations(range(teams)))
    zigzag = [(-1) ** step * ((step + 1) // 2) for step in range(teams)]
    rows = [tuple((row - turn) % teams for turn in zigzag) for row in range(teams)]
    if teams % 2:
        rows += [row[::-1] for row in rows]
    return tuple(rows)
