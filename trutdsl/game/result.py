"""How a match went."""

from __future__ import annotations

from dataclasses import dataclass

from trutdsl.ir.bounds import MOST_DEALS


@dataclass(frozen=True)
class MatchResult:
    """A finished match.

    winner:   a team, or None for a draw; a match that nobody has won after `MOST_DEALS` deals is
              unfinished, and drawn.
    decisions: answers chosen among two legal actions or more; forced answers do not count.
    counters: each counter's final value for each team.
    """

    winner: int | None
    deals: int
    decisions: int
    counters: dict[str, tuple[int, ...]]

    @property
    def unfinished(self) -> bool:
        """Whether it came to no end."""
        return self.winner is None and self.deals >= MOST_DEALS
