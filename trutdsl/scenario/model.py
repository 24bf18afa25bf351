"""A scenario as it is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from trutdsl.diagnostics import BadUsage, Span, reject
from trutdsl.files import SCRIPT
from trutdsl.game import Game, Question, State
from trutdsl.strategy import ScriptSpec, load_strategy
from trutdsl.strategy.explain import Advisers, Explanation
from trutdsl.strategy.fitness import check_for
from trutdsl.table import PolicyError
from trutdsl.variant import Node, Scalar

Named = tuple[tuple[Scalar, Node], ...]  # zones or variables, each with what lies or stands there


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
    later: tuple[DealCards, ...] = ()
    before: tuple[ScriptedAction, ...] = ()

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
class Expectation:
    """What must hold between two actions of the script."""

    expect: Expect
    span: Span


Step = ScriptedAction | Expectation


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
        return (*(s.expect for s in self.actions if isinstance(s, Expectation)), self.expect)


# Strategies that are asked along a scenario, and what they choose at its end.

SEED = 0


def chosen_by(scenario: Scenario) -> tuple[ExpectedChoice, ...]:
    """Return what strategies are expected to choose at the end of a scenario."""
    found = scenario.expect.values.get("choose", ())
    assert isinstance(found, tuple)
    return found


class Respondents:
    """Scripts that are asked every question of a scenario, each as if it sat on that seat.

    game: the one to be played. choices: what each script chose last, and why; a text if it failed.
    """

    def __init__(self, game: Game, specs: Mapping[str, ScriptSpec]) -> None:
        """Make the scripts ready, each by what it is called; raises `Rejected` if one misfits."""
        self.specs = specs
        for spec in self.specs.values():
            check_for(spec, game)
        each = tuple(dict.fromkeys(specs.values()))
        self.advisers = Advisers(game, each, SEED, 0) if each else None
        self.game = self.advisers.game if self.advisers else game
        self.question: Question | None = None
        self.choices: dict[str, Explanation | str] = {}

    def ask(self, state: State, question: Question) -> None:
        """Ask every script what it would do."""
        self.question = question
        for text, spec in self.specs.items():
            assert self.advisers is not None
            try:
                self.choices[text] = self.advisers.choose(state, question, spec)
            except PolicyError as failed:
                self.choices[text] = f"{failed.diagnostic.span}: {failed.diagnostic.message}"

    def stops_at(self, question: Question, scenario: Scenario) -> bool:
        """Tell whether a question is the one that scripts are asked in the end.

        It is the first with a choice, of the seat and name that are expected, if any are.
        """
        wanted = scenario.expect.values.get("decision", Open(None, None, None))
        assert isinstance(wanted, Open)
        return (
            bool(self.specs)
            and len(question.actions) > 1
            and wanted.seat in (None, question.seat)
            and wanted.name in (None, question.decision)
        )

    def differences(self, scenario: Scenario) -> list[str]:
        """Return what scripts chose that they were not expected to, a line each."""
        found = []
        for one in chosen_by(scenario):
            choice = self.choices.get(one.strategy)
            if choice is None or self.question is None:
                found.append(f"choose {one.strategy}: nothing was asked")
            elif isinstance(choice, str):
                found.append(f"choose {one.strategy}: it failed, {choice}")
            elif (text := self.question.actions[choice.index].text) != one.action:
                last = choice.looked[-1]
                by = f"by `{last.text}` ({last.span})"
                found.append(
                    f"choose {one.strategy}: expected `{one.action}`, found `{text}`, {by}"
                )
        return found


def load_chosen(scenario: Scenario, file: Path) -> dict[str, ScriptSpec]:
    """Return the scripts that a scenario names; a path starts from the folder of its file."""
    return {one.strategy: _load(one, file) for one in chosen_by(scenario)}


def _load(one: ExpectedChoice, file: Path) -> ScriptSpec:
    path, colon, settings = one.strategy.partition(":")
    here = f"{file.parent / path}{colon}{settings}" if path.endswith(SCRIPT) else one.strategy
    try:
        spec = load_strategy(here)
    except BadUsage as bad:
        raise reject("bad-scenario", str(bad), one.span) from None
    if not isinstance(spec, ScriptSpec):
        message = f"'{one.strategy}' is no script, and cannot be asked here"
        raise reject("bad-scenario", message, one.span, help=f"a script's file ends in {SCRIPT}")
    return spec
