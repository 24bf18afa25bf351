"""A match as every engine offers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from trutdsl.diagnostics import Diagnostic, Rejected
from trutdsl.ir import Program
from trutdsl.table.questions import ChanceNode, DealStart, Question, Said
from trutdsl.table.setting import Setting
from trutdsl.table.sight import Hearers, Seen

# What can go wrong while rules are played.


class PolicyError(Exception):
    """A strategy's script that came to something impossible, with its place.

    seat: who was asked.
    """

    def __init__(self, diagnostic: Diagnostic, seat: int) -> None:
        super().__init__(f"{diagnostic.span}: {diagnostic.message}")
        self.diagnostic, self.seat = diagnostic, seat

    def __reduce__(self) -> tuple[type[PolicyError], tuple[Diagnostic, int]]:
        return PolicyError, (self.diagnostic, self.seat)


class RuleError(Rejected):
    """Rules that led to something impossible: the sentence, its rule, the state of the match."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__([diagnostic])
        self.diagnostic = diagnostic

    def __reduce__(self) -> tuple[type[RuleError], tuple[Diagnostic]]:
        return RuleError, (self.diagnostic,)


Event = dict[str, Any]
Pending = Question | DealStart | ChanceNode | None


class Position(Protocol):
    """A match as far as it can be looked at; deals: how many have begun."""

    @property
    def deals(self) -> int: ...

    def cards(self, zone: str, at: int) -> list[int]:
        """Return the cards of a zone: of a pile from its lowest card up, else ascending."""

    def values(self, variable: str) -> list[Any]:
        """Return a variable's or counter's values, as Python's own: none is None, a set a set."""

    def counters(self) -> Mapping[str, list[int]]:
        """Return every counter, a value for each team."""


class Match(Position, Protocol):
    """One match being played.

    pending: what it waits for; None when it is over.
    winner, deal_winner: teams, or None; `deal_open` tells whether a deal is going on.
    decisions:           how many questions were answered; choices: those of them that had two
                         legal actions or more.
    tricks:              the winning team of each trick of the last deal so far, None for tied.
    history:             this deal's answers and what was told, oldest first, and who noticed it.
    """

    @property
    def pending(self) -> Pending: ...
    @property
    def history(self) -> Sequence[tuple[Said, Hearers]]: ...
    @property
    def tricks(self) -> Sequence[int | None]: ...
    @property
    def winner(self) -> int | None: ...
    @property
    def deal_winner(self) -> int | None: ...
    @property
    def deal_open(self) -> bool: ...
    @property
    def decisions(self) -> int: ...
    @property
    def choices(self) -> int: ...

    def go_on(self, index: int) -> None:
        """Go on with the action or the outcome of this index, or with the next deal."""

    def set_values(self, variable: str, values: Sequence[Any]) -> None:
        """Set a variable or counter."""

    def lay(self, card: int, zone: str, at: int) -> None:
        """Take a card from where it lies and lay it somewhere else."""

    def may_see(self, name: str, at: int) -> frozenset[int]:
        """Return the seats to which a zone or variable was revealed."""

    def sight(self, seat: int) -> tuple[Seen, tuple[Said, ...]]:
        """Return what a seat sees, and what it heard in this deal, as `Sight` has them."""


class ClonableMatch(Match, Protocol):
    """A match that can be copied."""

    def clone(self, emit_to: Callable[[Event], None] | None = None) -> ClonableMatch:
        """Return a match that stands where this one does and plays on by itself."""


class Arrangement(Protocol):
    """What is given beforehand, and how it is put into a match."""

    def settle(self, name: str, match: Match) -> bool:
        """Put the zone or variable of a `setup` in its given state; tell whether it is given."""


# The state of a match in one line, for messages.

MOST_CARDS = 10


def describe_state(match: Position, program: Program, setting: Setting) -> str:
    """Return deal, dealer, counters and the zones that hold at most `MOST_CARDS` cards."""
    texts = setting.deck.texts
    parts = [f"deal {match.deals}", f"dealer {match.values('dealer')[0]}"]
    parts += [f"{name} {list(values)}" for name, values in match.counters().items()]
    for zone in program.zones.values():
        for i in range(setting.count(zone.index)):
            cards = match.cards(zone.name, i)
            if 0 < len(cards) <= MOST_CARDS:
                where = f"{zone.name}[{i}]" if zone.index is not None else zone.name
                parts.append(f"{where} " + " ".join(texts[c] for c in cards))
    return ", ".join(parts)
