"""A scenario as it is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from trutdsl.source import Span
from trutdsl.variant import Node, Scalar

Named = tuple[tuple[Scalar, Node], ...]  # zones or variables, each with what lies or stands there


@dataclass(frozen=True)
class Dealt:
    """The cards of a deal, as `Start` has those of the first one."""

    hands: Mapping[int, tuple[Scalar, ...]]
    stock: tuple[Scalar, ...]
    turned: Scalar | None
    draws: tuple[Scalar, ...]


@dataclass(frozen=True)
class Scripted:
    """One action of the script."""

    seat: int
    text: str
    span: Span


@dataclass(frozen=True)
class Start:
    """What is given beforehand; None or empty for what is not. Cards are texts.

    hands: seat -> its cards in dealt order. stock: the next cards off the stock, first one first.
    kept:  seat -> its special card. random: the next results of dice and other chance.
    draws: every card that is drawn in the first deal, in order.
    at:    the rule where zones and variables are put in their state, as it is written.
    before: what is answered before play comes there, in order.
    later: the cards of the second deal, the third ...
    """

    dealer: int | None
    counters: Mapping[str, tuple[int, ...]]
    hands: Mapping[int, tuple[Scalar, ...]]
    stock: tuple[Scalar, ...]
    turned: Scalar | None
    kept: Mapping[int, Scalar]
    random: tuple[Scalar, ...]
    draws: tuple[Scalar, ...] = ()
    at: Scalar | None = None
    zones: Named = ()
    variables: Named = ()
    later: tuple[Dealt, ...] = ()
    before: tuple[Scripted, ...] = ()

    @property
    def deals(self) -> tuple[Dealt, ...]:
        """The cards of each deal."""
        return (Dealt(self.hands, self.stock, self.turned, self.draws), *self.later)


@dataclass(frozen=True)
class Open:
    """The question that must be open at the end; None for what is not checked."""

    seat: int | None
    name: str | None
    actions: tuple[str, ...] | None


@dataclass(frozen=True)
class Chosen:
    """What a strategy must choose when it is asked the open question."""

    strategy: str
    action: str
    span: Span


@dataclass(frozen=True)
class Expect:
    """What must hold at the end: key as written -> value; a missing key is not checked.

    values: counters (name -> tuple), deal_over, deal_winner, match_winner, next_dealer, tricks,
            decision (an `Open`), zones and variables (`Named`), views (seat -> `Sights`), choose (a
            tuple of `Chosen`), error.
    """

    values: Mapping[str, object]
    spans: Mapping[str, Span]

    @property
    def decision(self) -> Open:
        """The question that is expected; one that may be any if none is."""
        found = self.values.get("decision", Open(None, None, None))
        assert isinstance(found, Open)
        return found


@dataclass(frozen=True)
class Sights:
    """What a seat must see: zones and variables, some of them marked as hidden.

    told: all that it was told in the deal beside answers, as texts; None for what is not checked.
    """

    zones: Named
    variables: Named
    told: tuple[str, ...] | None = None
    span: Span | None = None


@dataclass(frozen=True)
class Check:
    """What must hold between two actions of the script."""

    expect: Expect
    span: Span


Step = Scripted | Check


@dataclass(frozen=True)
class Scenario:
    """One document of a scenario file; spans say where counters, and seats of its start, stand."""

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
    counter_spans: Mapping[str, Span]
    seat_spans: Mapping[int, Span]

    @property
    def expectations(self) -> tuple[Expect, ...]:
        """Everything that must hold, in order."""
        return (*(s.expect for s in self.actions if isinstance(s, Check)), self.expect)
