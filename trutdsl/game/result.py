"""How a match went."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class MatchResult:
    """A finished match.

    winner:   a team, or None for a draw.
    counters: each counter's final value for each team.
    """

    winner: int | None
    deals: int
    decisions: int
    counters: dict[str, tuple[int, ...]]
