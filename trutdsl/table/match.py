"""The interface of matches in all engines: questions and events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from trutdsl.diagnostics import BadUsage
from trutdsl.ir import Program, nodes
from trutdsl.ir.nodes import walk_rules
from trutdsl.ir.types import Among, ChoiceType, Hands, Kind, Number, SetOf
from trutdsl.language import figure, say
from trutdsl.streams import Stream
from trutdsl.syntax.ast import Audience
from trutdsl.table.setting import Setting


class Action(NamedTuple):
    """A legal action. Strategies get this object itself, so it cannot be changed.

    text:   e.g. `play 7h`.
    words:  the words of its option, e.g. ("play",).
    values: what each `from` chose: an index by its kind, a number (kind None), or a mask of several
            cards (kind `Hands`).
    """

    text: str
    words: tuple[str, ...]
    values: tuple[int, ...]
    kinds: tuple[ChoiceType | None, ...]
    option: int

    @property
    def has_several_cards(self) -> bool:
        """Return whether its only choice is of several cards; people may say them in any order."""
        return len(self.kinds) == 1 and isinstance(self.kinds[0], Hands)


class Question(NamedTuple):
    """A match waits for a seat's choice among actions; the answer is an index.

    texts:  the text of each action.
    number: the question's index among those of the program, in the order of its text.
    """

    seat: int
    decision: str
    audience: Audience
    actions: tuple[Action, ...]
    texts: tuple[str, ...]
    number: int

    def find(self, text: str) -> int | None:
        """Return the index of an action by its text, with several cards in any order."""
        if text in self.texts:
            return self.texts.index(text)
        words = sorted(text.split())
        same = [
            index
            for index, action in enumerate(self.actions)
            if action.has_several_cards and sorted(action.text.split()) == words
        ]
        return same[0] if len(same) == 1 else None

    def __repr__(self) -> str:
        """Return the question as one line: the seat, the decision and the texts."""
        return f"Question(seat={self.seat}, decision={self.decision!r}, texts={self.texts!r})"


class HistoryEntry(NamedTuple):
    """An entry of a deal's history: by default an answer, with the text of its action."""

    seat: int
    decision: str
    action: str


class Announcement(HistoryEntry):
    """An announcement: its speaker (-1 for none), its name, and the text of its value."""

    __slots__ = ()


class PassedCards(HistoryEntry):
    """Cards that went from seat to seat: the giver, the zone, and a text of cards and taker.

    Between teams, the seat is -1. A seat that sees neither place notices only their number.
    """

    __slots__ = ()


def plain_entry(entry: HistoryEntry) -> dict[str, Any]:
    """Return an entry as JSON; `event` names its kind, unless it is an answer."""
    plain = entry._asdict()
    if isinstance(entry, Announcement | PassedCards):
        plain["event"] = "announced" if isinstance(entry, Announcement) else "passed"
    return plain


@dataclass(frozen=True)
class DealStart:
    """A match before the next deal, with the deal's index."""

    deal: int


MOST_LISTED = 100_000  # outcomes of chance


@dataclass(frozen=True)
class ChanceNode:
    """A match waits for chance; the answer is the index of an outcome.

    Raises `BadUsage` for lists of more than `MOST_LISTED` outcomes, all numbers; `outcomes` itself
    is a range then, and all are equal.

    what:     "card", "number", "element" or "yes".
    outcomes: all possible ones, ascending: cards or elements by their index, or numbers. True
              comes before False. There may be only one.
    names:    their texts; empty for numbers. odds: see `weights`; empty if all are equal.
    zone, index, face_up: the target of a drawn card, and whether all see it; else None, 0, False.
    kind:     the kind of a card or an element; else None.
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
    def is_listed(self) -> bool:
        """Whether `texts` and `weights` have all outcomes."""
        return len(self.outcomes) <= MOST_LISTED

    @property
    def texts(self) -> tuple[str, ...]:
        """The text of each outcome."""
        return self.names or tuple(map(str, self._listed()))

    @property
    def weights(self) -> tuple[int, ...]:
        """A positive number for each outcome, proportional to its probability."""
        return self.odds or (1,) * len(self._listed())

    def _listed(self) -> Sequence[int]:
        if not self.is_listed:
            found, most = figure(len(self.outcomes), ","), figure(MOST_LISTED, ",")
            text = "found {found} outcomes of chance, expected at most {most}"
            raise BadUsage(say(text, found=found, most=most))
        return self.outcomes

    def draw(self, random: Stream) -> int:
        """Return the index of a random outcome by the weights, as a seed's own chance draws it."""
        if not self.odds:
            return random.below(len(self.outcomes))
        left = random.below(sum(self.odds))
        return next(i for i in range(len(self.odds)) if left < sum(self.odds[: i + 1]))


def kind_of(binder: nodes.Binder) -> ChoiceType | None:
    """Return what a binder chooses: a kind, a named value, several cards; None for a number."""
    match binder.items.type:
        case SetOf(kind) if not isinstance(kind, Number):
            return kind
        case Hands() as hands:
            return hands
    return None


def action_of(
    setting: Setting, option: nodes.Option, number: int, values: tuple[int, ...]
) -> Action:
    """Return the action of an option, the `number`-th of its question, with these choices."""
    parts = list(option.words)
    kinds: list[ChoiceType | None] = []
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


Event = dict[str, Any]
Pending = Question | DealStart | ChanceNode | None
Hearers = Audience | frozenset[int]  # an answer has an audience, any other entry seats
SightValues = tuple[Any, ...]  # see `Sight`


class Position(Protocol):
    """The observable state of a match; deals: the number of begun deals."""

    @property
    def deals(self) -> int: ...

    def cards(self, zone: str, at: int) -> list[int]:
        """Return the cards of a zone: of a pile from its lowest card up, else ascending."""

    def groups(self, zone: str, at: int) -> list[list[int]]:
        """Return the same in groups: several cards of a pile whose order nobody can know."""

    def values(self, variable: str) -> list[Any]:
        """Return a variable's or counter's values as Python values: none is None, a set a set."""

    def counters(self) -> Mapping[str, list[int]]:
        """Return every counter, a value for each team."""


class Match(Position, Protocol):
    """One match in play.

    pending: what it waits for; None when it is over.
    winner, deal_winner: teams, or None; `deal_open` tells whether a deal is in progress.
    decisions:           the number of answered questions; choices: of those with two legal actions
                         or more.
    tricks:              the winning team of each trick of the last deal so far, None for tied.
    history:             this deal's entries, oldest first, each with its audience.
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
        """Continue with the action or outcome of this index, or with the next deal."""

    def set_values(self, variable: str, values: Sequence[Any]) -> None:
        """Set a variable or counter."""

    def lay(self, card: int, zone: str | None, at: int = 0) -> None:
        """Move a card from its place to another one, or out of all zones."""

    def may_see(self, name: str, at: int) -> frozenset[int]:
        """Return the seats that a zone or variable was revealed to."""

    def sight(self, seat: int) -> tuple[SightValues, tuple[HistoryEntry, ...]]:
        """Return the two parts of a seat's `Sight`."""


class ClonableMatch(Match, Protocol):
    """A match that can be copied."""

    def clone(self, emit_to: Callable[[Event], None] | None = None) -> ClonableMatch:
        """Return an independent copy of the match at the same position."""


class Arrangement(Protocol):
    """Parts of a state that are given from outside, such as by a scenario."""

    def settle(self, name: str, match: Match) -> bool:
        """Give a zone or variable its state instead of its `setup`; return whether one is given."""


def cards_named(action: str, audience: Hearers) -> frozenset[str]:
    """Return the words of an answer, its cards among them, if all notice it."""
    return frozenset(action.split()) if audience is Audience.ALL else frozenset()


class Route(NamedTuple):
    """Two zones between which cards go."""

    origin: str
    target: str


class Passage(NamedTuple):
    """Cards that went to a place of a zone: their seat or team, and whether they are seen."""

    zone: str
    to: int
    seen: bool


def passages_of(routes: Iterable[Route], program: Program, setting: Setting) -> list[Passage]:
    """Return all possible reports of passed cards by zone and place, seen ones first."""
    zones = dict.fromkeys(route.target for route in routes)
    return [
        Passage(zone, to, seen)
        for zone in zones
        for to in range(setting.count(program.zones[zone].index))
        for seen in (True, False)
    ]


def turns_up(program: Program, route: Route) -> bool:
    """Return whether cards that go there come to where all see them."""
    origin, target = (program.zones[name].audience for name in route)
    return target is Audience.ALL is not origin


def routes_of(program: Program) -> list[Route]:
    """Return the pairs of zones between which rules pass partly hidden cards, in program order."""
    moves = walk_rules(program, nodes.Move, nodes.MoveAll, nodes.Swap, nodes.Gather)
    result = dict.fromkeys(route for move in moves for route in _routes(move))
    return [route for route in result if _is_reported(program, route)]


def _routes(node: nodes.Node) -> Iterator[Route]:
    match node:
        case nodes.Move(_, _, origin, target) | nodes.MoveAll(_, origin, target):
            if not _belong_to_one(origin.index, target.index):
                yield Route(origin.name, target.name)
        case nodes.Swap(_, _, origin, _, target):
            if not _belong_to_one(origin.index, target.index):
                yield Route(origin.name, target.name)
                yield Route(target.name, origin.name)
        case nodes.Gather(_, names, _, target):
            for name in names:
                yield Route(name, target.name)


def _belong_to_one(one: nodes.Expression | None, other: nodes.Expression | None) -> bool:
    """Tell whether two places always belong to the same seat or team, so that no cards pass."""
    match one, other:
        case nodes.Local(_, _, here), nodes.Local(_, _, there):
            return here == there
        case nodes.Const(_, _, here), nodes.Const(_, _, there):
            return here == there
        case nodes.Var(_, _, here, None), nodes.Var(_, _, there, None):
            return here == there
        case nodes.Var(_, _, here, at), nodes.Var(_, _, there, to):
            return here == there and _belong_to_one(at, to)
        case nodes.Unwrap(_, _, here), nodes.Unwrap(_, _, there):
            return _belong_to_one(here, there)
        case nodes.Builtin(_, _, here, of), nodes.Builtin(_, _, there, other_of):
            return here == there and all(map(_belong_to_one, of, other_of))
    return False


def _is_reported(program: Program, route: Route) -> bool:
    origin, target = (program.zones[name] for name in route)
    hidden = Audience.ALL not in (origin.audience, target.audience)
    return hidden and origin.index is target.index and origin.index in (Kind.SEAT, Kind.TEAM)


class Passing(NamedTuple):
    """Passed cards: the event, the entry for seats that see them, and the entry for others."""

    event: Event
    seen_cards: PassedCards
    hidden_cards: PassedCards


def passing(
    route: Route, at: int, to: int, cards: Sequence[int], program: Program, setting: Setting
) -> Passing:
    """Return the event of cards that went to another seat or team, and the entry for others."""
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
    """The meaning of `PassedCards`: two places, the number of cards, the cards; none if unseen."""

    at: int
    to: int
    many: int
    cards: tuple[int, ...]


def read_passed(entry: PassedCards, setting: Setting) -> VisiblePass:
    """Return the meaning of an entry of `passing`."""
    words = entry.action.split()
    numbers = [int(word) for word in words if word.isdecimal()]
    if entry.seat >= 0:
        at, to, what = entry.seat, numbers[-1], words[:-2]
    else:
        at, to, what = *numbers[-2:], words[:-6]
    if what[0].isdecimal():
        return VisiblePass(at, to, numbers[0], ())
    return VisiblePass(at, to, len(what), tuple(map(setting.deck.texts.index, what)))
