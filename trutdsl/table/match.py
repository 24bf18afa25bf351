"""A match as every engine offers it: what it waits for, what it tells, what can go wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from trutdsl.diagnostics import Diagnostic, Rejected
from trutdsl.ir import Program, nodes
from trutdsl.ir.types import Among, Chosen, Hands, Kind, Number, SetOf
from trutdsl.ir.walk import walk
from trutdsl.streams import Stream
from trutdsl.syntax.ast import Audience
from trutdsl.table.setting import Setting


class Action(NamedTuple):
    """A legal action; a tuple, because strategies are given the very object.

    text:   as it is written, e.g. `play 7h`.
    words:  the words of its option, e.g. ("play",).
    values: what was chosen with each word `from`: an index of `kinds`, or a number (kind None), or
            a mask of several cards (kind `Hands`).
    """

    text: str
    words: tuple[str, ...]
    values: tuple[int, ...]
    kinds: tuple[Chosen | None, ...]
    option: int


class Question(NamedTuple):
    """A match waits for a seat's choice among actions; the answer is the index of one.

    texts:  the text of each action.
    number: the question's index among those of the program, in the order of its text.
    """

    seat: int
    decision: str
    audience: Audience
    actions: tuple[Action, ...]
    texts: tuple[str, ...]
    number: int


class HistoryEntry(NamedTuple):
    """An entry of a deal's history: by default an answer, with the text of its action."""

    seat: int
    decision: str
    action: str


class Announcement(HistoryEntry):
    """An announcement: its speaker (-1 for nobody), its name, and the text of its value."""

    __slots__ = ()


class PassedCards(HistoryEntry):
    """Cards that went from one seat to another: the giver, the zone, and the cards with the taker.

    Between teams, the seat is -1. A seat that sees neither place notices only how many there were.
    """

    __slots__ = ()


def plain_entry(entry: HistoryEntry) -> dict[str, Any]:
    """Return an entry as JSON has it; `event` tells what it is, unless it is an answer."""
    plain = entry._asdict()
    if isinstance(entry, Announcement | PassedCards):
        plain["event"] = "announced" if isinstance(entry, Announcement) else "passed"
    return plain


@dataclass(frozen=True)
class DealStart:
    """A match stands before the next deal, whose index this is."""

    deal: int


@dataclass(frozen=True)
class ChanceNode:
    """A match waits for what chance gives, answered with the index of one outcome.

    what:     "card", "number", "element" or "yes".
    outcomes: all that can come: cards or elements by their index, ascending; numbers, ascending;
              of yes and no, True first. A single one if nothing else can come.
    names:    how each is written; empty for numbers. odds: see `weights`; empty if all are equal.
    zone, index, face_up: where a drawn card goes, and whether all see it; else None, 0, False.
    kind:     what a card or an element is; else None.
    """

    what: str
    outcomes: Sequence[int]
    names: tuple[str, ...] = ()
    odds: tuple[int, ...] = ()
    zone: str | None = None
    index: int = 0
    face_up: bool = False
    kind: Among | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """How each outcome is written."""
        return self.names or tuple(map(str, self.outcomes))

    @property
    def weights(self) -> tuple[int, ...]:
        """A positive number for each outcome, whose probability is its part of their sum."""
        return self.odds or (1,) * len(self.outcomes)

    def draw(self, random: Stream) -> int:
        """Return the index of an outcome, drawn by the weights as a seed's own chance draws it."""
        if not self.odds:
            return random.below(len(self.outcomes))
        left = random.below(sum(self.odds))
        return next(i for i in range(len(self.odds)) if left < sum(self.odds[: i + 1]))


def kind_of(binder: nodes.Binder) -> Chosen | None:
    """Return what is chosen: one of a kind, a named value, several cards, or (None) a number."""
    match binder.items.type:
        case SetOf(kind) if not isinstance(kind, Number):
            return kind
        case Hands() as hands:
            return hands
    return None


def action_of(
    setting: Setting, option: nodes.Option, number: int, values: tuple[int, ...]
) -> Action:
    """Return the action of an option, the `number`-th of its question, with what was chosen."""
    parts = list(option.words)
    kinds: list[Chosen | None] = []
    for binder, value in zip(option.binders, values, strict=True):
        kind = kind_of(binder)
        kinds.append(kind)
        if isinstance(kind, Hands):
            cards = enumerate(setting.deck.texts)
            parts += [text for card, text in cards if value >> card & 1]
        else:
            parts.append(setting.text_of(kind, value) if kind is not None else str(value))
        parts += binder.words
    return Action(" ".join(parts), option.words, values, tuple(kinds), number)


# Errors while rules are played.


class PolicyError(Exception):
    """A strategy's script did something impossible, at a place, when this seat was asked."""

    def __init__(self, diagnostic: Diagnostic, seat: int) -> None:
        super().__init__(f"{diagnostic.span}: {diagnostic.message}")
        self.diagnostic, self.seat = diagnostic, seat

    def __reduce__(self) -> tuple[type[PolicyError], tuple[Diagnostic, int]]:
        return PolicyError, (self.diagnostic, self.seat)


class RuleError(Rejected):
    """Rules led to something impossible: the sentence, its rule, the state of the match."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__([diagnostic])
        self.diagnostic = diagnostic

    def __reduce__(self) -> tuple[type[RuleError], tuple[Diagnostic]]:
        return RuleError, (self.diagnostic,)


Event = dict[str, Any]
Pending = Question | DealStart | ChanceNode | None
Hearers = Audience | frozenset[int]  # of an answer; of anything else the seats
Seen = tuple[Any, ...]  # see `Sight`


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
    history:             this deal's entries, oldest first, each with who noticed it.
    """

    @property
    def pending(self) -> Pending: ...
    @property
    def history(self) -> Sequence[tuple[HistoryEntry, Hearers]]: ...
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

    def sight(self, seat: int) -> tuple[Seen, tuple[HistoryEntry, ...]]:
        """Return the two parts of a seat's `Sight`."""


class ClonableMatch(Match, Protocol):
    """A match that can be copied."""

    def clone(self, emit_to: Callable[[Event], None] | None = None) -> ClonableMatch:
        """Return a match that stands where this one does and plays on by itself."""


class Arrangement(Protocol):
    """What is given beforehand, and how it is put into a match."""

    def settle(self, name: str, match: Match) -> bool:
        """Put the zone or variable of a `setup` in its given state; tell whether it is given."""


MOST_CARDS = 10


def describe_state(match: Position, program: Program, setting: Setting) -> str:
    """Return a line for messages: deal, dealer, counters, zones of at most `MOST_CARDS` cards."""
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


# Cards that go from one seat or team to another: what is reported of them, and to whom.


class Route(NamedTuple):
    """Two zones between which cards pass; both have a place for each seat, or each team."""

    origin: str
    target: str


class Passage(NamedTuple):
    """Cards that went to a place of a zone: of which seat or team, and whether it is seen which."""

    zone: str
    to: int
    seen: bool


def passages_of(routes: Iterable[Route], program: Program, setting: Setting) -> list[Passage]:
    """Return all that can be told of cards that pass: zone by zone, place by place, seen first."""
    zones = dict.fromkeys(route.target for route in routes)
    return [
        Passage(zone, to, seen)
        for zone in zones
        for to in range(setting.count(program.zones[zone].index))
        for seen in (True, False)
    ]


def routes_of(program: Program) -> list[Route]:
    """Return between which zones rules pass cards that not all see, in the order of their text."""
    everywhere = (node for rule in program.rules.values() for node in walk(rule.body))
    found = dict.fromkeys(route for node in everywhere for route in _routes(node))
    return [route for route in found if _is_reported(program, route)]


def _routes(node: nodes.Node) -> Iterator[Route]:
    match node:
        case nodes.Move(_, _, origin, target) | nodes.MoveAll(_, origin, target):
            yield Route(origin.name, target.name)
        case nodes.Swap(_, _, origin, _, target):
            yield Route(origin.name, target.name)
            yield Route(target.name, origin.name)
        case nodes.Gather(_, names, _, target):
            for name in names:
                yield Route(name, target.name)


def _is_reported(program: Program, route: Route) -> bool:
    origin, target = (program.zones[name] for name in route)
    hidden = Audience.ALL not in (origin.audience, target.audience)
    return hidden and origin.index is target.index and origin.index in (Kind.SEAT, Kind.TEAM)


class Passing(NamedTuple):
    """Cards that went: the event, what seats notice that see them, and what others notice."""

    event: Event
    seen: PassedCards
    unseen: PassedCards


def passing(
    route: Route, at: int, to: int, cards: Sequence[int], program: Program, setting: Setting
) -> Passing:
    """Return the event of cards that went to another seat or team, and what others notice."""
    texts = [setting.deck.texts[card] for card in cards]
    many = "1 card" if len(cards) == 1 else f"{len(cards)} cards"
    by_seat = program.zones[route.origin].index is Kind.SEAT
    where = f"to {to}" if by_seat else f"from team {at} to team {to}"
    seen, unseen = (
        PassedCards(at if by_seat else -1, route.target, f"{what} {where}")
        for what in (" ".join(texts), many)
    )
    event = {"from": [route.origin, at], "to": [route.target, to], "cards": texts}
    return Passing(event, seen, unseen)


class VisiblePass(NamedTuple):
    """The meaning of `PassedCards`: two places, how many cards, which cards; none if unseen."""

    at: int
    to: int
    many: int
    cards: tuple[int, ...]


def read_passed(said: PassedCards, setting: Setting) -> VisiblePass:
    """Return what an entry written by `passing` says."""
    words = said.action.split()
    numbers = [int(word) for word in words if word.isdecimal()]
    if said.seat >= 0:
        at, to, what = said.seat, numbers[-1], words[:-2]
    else:
        at, to, what = *numbers[-2:], words[:-6]
    if what[0].isdecimal():
        return VisiblePass(at, to, numbers[0], ())
    return VisiblePass(at, to, len(what), tuple(map(setting.deck.texts.index, what)))
