"""A match in play."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from trutdsl.game.view import View, make_view
from trutdsl.streams import Stream
from trutdsl.table import DealStart, Match, Question, RuleError

if TYPE_CHECKING:
    from trutdsl.game.game import Game


class State:
    """A match at a question, before a deal, or over.

    pending: a `Question` (go on with `apply`), a `DealStart` (go on with `next_deal`), or None
             when the match is over.
    """

    def __init__(self, game: Game, match: Match, again: Callable[[], Match] | None = None) -> None:
        """Show a match that some engine plays.

        again: starts the same match in the reference engine, which says best what went wrong.
        """
        self.game, self._machine = game, match
        self._again = again
        self._answers: list[int] = []

    @property
    def pending(self) -> Question | DealStart | None:
        """What the match waits for."""
        return self._machine.pending

    def apply(self, index: int) -> None:
        """Answer the open question with its action of this index; raises IndexError beyond them."""
        question = self.pending
        if not isinstance(question, Question):
            raise ValueError("no question is open")
        if not 0 <= index < len(question.actions):
            raise IndexError(f"there are {len(question.actions)} actions")
        self._go_on(index)

    def next_deal(self) -> None:
        """Go on from before a deal."""
        if not isinstance(self.pending, DealStart):
            raise ValueError("the match does not stand before a deal")
        self._go_on(0)

    def _go_on(self, index: int) -> None:
        self._answers.append(index)
        try:
            self._machine.go_on(index)
        except RuleError:
            if self._again is not None:
                match = self._again()
                for answer in self._answers:
                    match.go_on(answer)
            raise

    def view(self, random: Stream | None = None) -> View:
        """Return what the asked seat may know, and nothing else.

        random: the stream that the seat's strategy may draw from.
        """
        if not isinstance(self.pending, Question):
            raise ValueError("no question is open")
        return make_view(self._machine, self.game, self.pending, random or Stream(0))

    @property
    def winner(self) -> int | None:
        """The team that has won the match; None for a draw or while it goes on."""
        return self._machine.winner

    @property
    def deals(self) -> int:
        """How many deals have begun."""
        return self._machine.deals

    @property
    def decisions(self) -> int:
        """How many questions have been answered."""
        return self._machine.decisions

    @property
    def dealer(self) -> int:
        """The seat that deals, or will deal."""
        return int(self._machine.values("dealer")[0])

    @property
    def deal_winner(self) -> int | None:
        """The team that won the last finished deal, None for none."""
        return self._machine.deal_winner

    @property
    def deals_finished(self) -> int:
        """How many deals have ended."""
        return self._machine.deals - (1 if self._machine.deal_open else 0)

    @property
    def tricks(self) -> list[int | None]:
        """The winning team of each trick of the last deal so far, None for a tied one."""
        return list(self._machine.tricks)

    def counters(self) -> dict[str, tuple[int, ...]]:
        """Return every counter, a value for each team."""
        return {name: tuple(values) for name, values in self._machine.counters().items()}

    def set_counter(self, name: str, values: tuple[int, ...]) -> None:
        """Set a counter before the first deal: a value for each team."""
        if self._machine.deals:
            raise ValueError("the first deal has begun")
        self._machine.set_values(name, values)
