"""A scenario as it is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from trutdsl.source import Span
from trutdsl.variant import Scalar


@dataclass(frozen=True)
class Start:
    """What is given beforehand; None or empty for what is not. Cards are texts.

    hands: seat -> its cards in dealt order. stock: the next cards off the stock, first one first.
    kept:  seat -> its special card. random: the next results of dice and other chance.
    """

    dealer: int | None
    counters: Mapping[str, tuple[int, ...]]
    hands: Mapping[int, tuple[Scalar, ...]]
    stock: tuple[Scalar, ...]
    turned: Scalar | None
    kept: Mapping[int, Scalar]
    random: tuple[Scalar, ...]


@dataclass(frozen=True)
class Scripted:
    """One action of the script."""

    seat: int
    text: str
    span: Span


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
            decision (an `Open`), choose (a tuple of `Chosen`), error.
    """

    values: Mapping[str, object]
    spans: Mapping[str, Span]


@dataclass(frozen=True)
class Scenario:
    """One document of a scenario file; `counter_spans` says where each counter is named."""

    name: str
    span: Span
    rules: tuple[str, ...]
    variant: Scalar
    players: int
    parameters: Mapping[str, Scalar]
    start: Start
    start_span: Span
    actions: tuple[Scripted, ...]
    expect: Expect
    counter_spans: Mapping[str, Span]
