"""The data classes of a scenario file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trutdsl.diagnostics import Span
from trutdsl.variant import Node, Scalar

Named = tuple[tuple[Scalar, Node], ...]  # zones or variables, each with what lies or stands there
Counters = tuple[tuple[Scalar, tuple[int, ...]], ...]  # by name, a value for each team


@dataclass(frozen=True)
class DealCards:
    """The cards of a deal, as `Start` has those of the first one."""

    hands: Mapping[int, tuple[Scalar, ...]]
    stock: tuple[Scalar, ...]
    turned: Scalar | None
    draws: tuple[Scalar, ...]


@dataclass(frozen=True)
class ScriptedAction:
    """One action of the script."""

    seat: int
    text: str
    span: Span


@dataclass(frozen=True)
class Start:
    """What is given beforehand; None or empty for what is not. Cards are texts.

    hands: seat -> its cards in dealt order. stock: the next cards off the stock, first one first.
    special_cards: seat -> its special card. random: the next results of dice and other chance.
    draws: every card that is drawn in the first deal, in order.
    at:    the rule where zones and variables are put in their state, as it is written.
    before: what is answered before play comes there, in order.
    later: the cards of the second deal, the third ...
    """

    dealer: int | None
    counters: Counters
    hands: Mapping[int, tuple[Scalar, ...]]
    stock: tuple[Scalar, ...]
    turned: Scalar | None
    special_cards: Mapping[int, Scalar]
    random: tuple[Scalar, ...]
    draws: tuple[Scalar, ...]
    at: Scalar | None
    zones: Named
    variables: Named
    later: tuple[DealCards, ...]
    before: tuple[ScriptedAction, ...]

    @property
    def deals(self) -> tuple[DealCards, ...]:
        return (DealCards(self.hands, self.stock, self.turned, self.draws), *self.later)


@dataclass(frozen=True)
class Open:
    """The question that must be open at the end; None for what is not checked."""

    seat: int | None
    name: str | None
    actions: tuple[str, ...] | None


@dataclass(frozen=True)
class ExpectedChoice:
    """What a strategy must choose when it is asked the open question."""

    strategy: str
    action: str
    span: Span


@dataclass(frozen=True)
class Expect:
    """What must hold at the end: key as written -> value; a missing key is not checked.

    values: counters (`Counters`), deal_over, deal_winner, match_winner, next_dealer, tricks,
            decision (an `Open`), zones and variables (`Named`), views (seat -> `Sights`), choose (a
            tuple of `ExpectedChoice`), error.
    """

    values: Mapping[str, Any]
    spans: Mapping[str, Span]

    @property
    def decision(self) -> Open:
        """The question that is expected; one that may be any if none is."""
        found: Open = self.values.get("decision", Open(None, None, None))
        return found


@dataclass(frozen=True)
class Sights:
    """What a seat must see: zones and variables, some of them marked as hidden.

    told: all that it was told in the deal beside answers, as texts; None for what is not checked.
    """

    zones: Named
    variables: Named
    told: tuple[str, ...] | None
    span: Span


@dataclass(frozen=True)
class Expectation:
    """What must hold between two actions of the script."""

    expect: Expect
    span: Span


Step = ScriptedAction | Expectation


@dataclass(frozen=True)
class Scenario:
    """One document of a scenario file; seat_spans: where its start names each seat first."""

    name: str
    span: Span
    rules: tuple[str, ...]
    variant: Scalar
    players: int
    parameters: Mapping[str, Scalar]
    start: Start
    start_span: Span
    actions: tuple[Step, ...]
    expect: Expect
    seat_spans: Mapping[int, Span]

    @property
    def expectations(self) -> tuple[Expect, ...]:
        """Everything that must hold, in order."""
        return (*(s.expect for s in self.actions if isinstance(s, Expectation)), self.expect)
