"""Experimental design: who meets whom, and in which orders they take the teams' places."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from trutdsl.stats.metric import MATCHES, Metric

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
    metric: Metric = MATCHES
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
        """Return all strategies that this one meets."""
        met = (c for c in self.combinations if strategy in c)
        return frozenset(other for c in met for other in c) - {strategy}

    def alike(self, one: int, other: int) -> bool:
        """Tell whether two strategies meet the same others, so that their scores compare."""
        return self.opponents(one) - {other} == self.opponents(other) - {one}

    def matches_of(self, *strategies: int) -> int:
        """Return in how many matches of a set all these strategies play."""
        together = sum(set(strategies) <= set(c) for c in self.combinations)
        return together * len(self.orders)


def round_robin(strategies: int, teams: int, metric: Metric = MATCHES) -> Design:
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
