"""The data classes of a scenario file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trutdsl.diagnostics import Span
from trutdsl.variant import Node, Scalar

SEED = 0  # of all luck that a scenario does not give
Named = tuple[tuple[Scalar, Node], ...]  # zones or variables, each with its cards or value
Counters = tuple[tuple[Scalar, tuple[int, ...]], ...]  # by name, a value for each team


@dataclass(frozen=True)
class DealCards:
    """The given cards of one deal, with the meanings of `Start`."""

    hands: Mapping[int, tuple[Scalar, ...]]
    stock: tuple[Scalar, ...]
    turned: Scalar | None
    draws: tuple[Scalar, ...]
    redeals: tuple[DealCards, ...] = ()


@dataclass(frozen=True)
class ScriptedAction:
    """One action of the script."""

    seat: int
    text: str
    span: Span


@dataclass(frozen=True)
class Start:
    """The given start; None or empty for missing keys. Cards are texts.

    hands: seat -> its cards in dealt order. stock: the next cards off the stock, first one first.
    special_cards: seat -> its special card. random: the next results of dice and other chance.
    draws: every drawn card of the first deal, in order.
    redeals: the cards of each redeal within the first deal, in order.
    at:    the rule where zones and variables get their given state, as it is written.
    before: the actions before that rule, in order.
    later: the cards of the second deal, the third and so on.
    memory: the match memory of scripts: script -> name -> value.
    rates: how often seats have chosen an option in the match: words -> seat -> two numbers.
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
    redeals: tuple[DealCards, ...]
    later: tuple[DealCards, ...]
    before: tuple[ScriptedAction, ...]
    memory: Named
    rates: Named

    @property
    def deals(self) -> tuple[DealCards, ...]:
        first = DealCards(self.hands, self.stock, self.turned, self.draws, self.redeals)
        return (first, *self.later)


@dataclass(frozen=True)
class Open:
    """The question that must be open at the end; None for unchecked parts."""

    seat: int | None
    name: str | None
    actions: tuple[str, ...] | None


@dataclass(frozen=True)
class ExpectedChoice:
    """The action that a strategy must choose at the open question."""

    strategy: str
    action: str
    span: Span


@dataclass(frozen=True)
class Expect:
    """The expectations at the end: key as written -> value; a missing key is not checked.

    values: counters (`Counters`), deal_over, deal_winner, match_winner, next_dealer, tricks,
            decision (an `Open`), zones and variables (`Named`), views (seat -> `Sights`), choose (a
            tuple of `ExpectedChoice`), error.
    """

    values: Mapping[str, Any]
    spans: Mapping[str, Span]

    @property
    def decision(self) -> Open:
        """The expected question, which may be any if none is given."""
        result: Open = self.values.get("decision", Open(None, None, None))
        return result


@dataclass(frozen=True)
class Sights:
    """The expected view of a seat: zones and variables, some of them marked as hidden.

    told: all announcements that it heard in the deal, as texts; None if they are not checked.
    """

    zones: Named
    variables: Named
    told: tuple[str, ...] | None
    span: Span


@dataclass(frozen=True)
class Expectation:
    """The expectations between two actions of the script."""

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
        return (*(s.expect for s in self.actions if isinstance(s, Expectation)), self.expect)

    def __deepcopy__(self, _memo: object) -> Scenario:
        return self
