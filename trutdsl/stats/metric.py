"""Metric: what a match is worth to each team, in whole points."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

BY_MATCH, SINGLE = "matches", "deals"
TERM = re.compile(r"(?:(\d{1,6})\s+)?([A-Za-z_]\w*)")


class Outcome(Protocol):
    """How a match, or a deal that is played by itself, went.

    winner:   the team that won it, None for a draw.
    counters: each team's value of each counter, at the end.
    """

    @property
    def winner(self) -> int | None: ...  # noqa: D102 - described above
    @property
    def deals(self) -> int: ...  # noqa: D102
    @property
    def decisions(self) -> int: ...  # noqa: D102
    @property
    def counters(self) -> Mapping[str, Sequence[int]]: ...  # noqa: D102


@dataclass(frozen=True)
class Metric:
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

    def points(self, outcome: Outcome, teams: int) -> tuple[int, ...]:
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


MATCHES = Metric()


def parse_metric(text: str, per: str) -> Metric:
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
    return Metric(tuple(sorted(found.items())), per, level=per == SINGLE)
