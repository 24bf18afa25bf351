"""The history of a match, the observations of its seats, and draws guided by them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import lru_cache
from typing import NamedTuple

from trutdsl.game import DealStart, Game, Question, State
from trutdsl.ir.types import Among, Hands, Kind
from trutdsl.native.play import NativeMatch
from trutdsl.native.play.search import SearchCode
from trutdsl.streams import Stream
from trutdsl.syntax.ast import Audience
from trutdsl.table.chance import Chance, Draw
from trutdsl.table.match import Action, Arrangement, Event, HistoryEntry, Match
from trutdsl.table.sight import (
    ASKED,
    DRAWN,
    FIRST_PLACE,
    LAY,
    SAID,
    DrawCount,
    Mark,
    Places,
    Sight,
    bits_in,
    is_hidden,
    notices,
    sees,
)

OPENINGS = 200  # random beginnings of a match, which show the possible places of cards


class ObservedChance:
    """Chance that reports its outcomes to a history; a copy of it reports nothing."""

    def __init__(self, chance: Chance, listener: MatchHistory | None) -> None:
        self.chance, self.listener = chance, listener

    def __deepcopy__(self, _memo: object) -> ObservedChance:
        return ObservedChance(deepcopy(self.chance), None)

    def start(self, part: int) -> None:
        self.chance.start(part)

    def card(self, cards: Sequence[int], draw: Draw) -> int:
        card = self.chance.card(cards, draw)
        if self.listener is not None:
            self.listener.record_draw(card, cards, draw)
        return card

    def number(self, low: int, high: int) -> int:
        return self._tell(self.chance.number(low, high))

    def element(self, elements: Sequence[int], kind: Among) -> int:
        return self._tell(self.chance.element(elements, kind))

    def yes(self, part: int, whole: int) -> bool:
        return bool(self._tell(int(self.chance.yes(part, whole))))

    def _tell(self, value: int) -> int:
        if self.listener is not None:
            self.listener.record_outcome(value)
        return value


class SeatObservations:
    """The observations of one seat in the current deal, or before the first deal.

    marks:        see `Mark`.
    sights:       its view and actions at each of its questions. checks: the same for machine code,
                  see `SearchCode.check`.
    hidden_cards: the mask of the cards that it did not see when the deal began. seen_cards: all
                  others.
    """

    def __init__(
        self, game: Game, places: Places, seat: int, hidden_cards: int, seen_cards: int
    ) -> None:
        self.game, self.places, self.seat = game, places, seat
        self.hidden_cards, self.seen_cards = hidden_cards, seen_cards
        self.marks: list[Mark] = []
        self.sights: list[tuple[Sight, tuple[Action, ...]]] = []
        self.checks: list[bytes] = []
        self._answer: tuple[list[int], int, int] | None = None
        self.draws = DrawCount(len(places.zones))

    def record_draw(self, match: Match | None, card: int, size: int, draw: Draw) -> None:
        """Record a draw of one of so many cards."""
        self.settle(match)
        zone, at = draw.target, draw.at
        place, origin = self.places.of(zone, at), self.places.of(draw.origin, draw.place)
        level = self.draws.level(origin, size)
        self.draws.add(origin, place, size)
        revealed = match is not None and self.seat in match.may_see(zone, at)
        setting, declaration = self.game.setting, self.game.program.zones[zone]
        if draw.face_up or revealed or sees(declaration, at, self.seat, setting):
            self.marks.append(Mark(DRAWN, place, card, size, level))

    def record_question(self, match: Match, question: Question) -> None:
        """Record a question; for the seat's own one, all that it sees."""
        entry = HistoryEntry(question.seat, question.decision, "")
        if not notices(entry, question.audience, self.seat, self.game.setting):
            return  # no mark may depend on the question
        self.settle(match)
        if question.seat != self.seat:
            return
        self.marks.append(Mark(ASKED, len(self.sights), -1))
        sight = Sight(*match.sight(self.seat))
        self.sights.append((sight, question.actions))
        if isinstance(match, NativeMatch):
            assert isinstance(match.code, SearchCode)
            self.checks.append(match.code.check(bytes(match.memory), self.seat))

    def add_answer(self, match: Match, question: Question, action: Action, number: int) -> None:
        """Record an answer that the seat notices; called before the match continues."""
        option = self.game.plans[question.number].node.options[action.option]
        audience = Audience.ALL if option.openly else question.audience
        entry = HistoryEntry(question.seat, question.decision, action.text)
        if question.seat == self.seat:
            self.marks[-1] = self.marks[-1]._replace(two=number)
        elif notices(entry, audience, self.seat, self.game.setting):
            self.marks.append(Mark(SAID, question.seat, question.number, number))
        else:
            return
        named_cards = 0
        for value, kind in zip(action.values, action.kinds, strict=True):
            named_cards |= (
                1 << value if kind is Kind.CARD else value if isinstance(kind, Hands) else 0
            )
        lay = cards_at(match, self.places)
        self._answer = lay, visible(match, self.seat, self.places), named_cards

    def settle(self, match: Match | None) -> None:
        """Record, before the last answer, the places of the cards that it brought into sight.

        A card that the answer named may be out of sight again, as after a gathered trick.
        """
        if match is None or self._answer is None:
            return
        lay, before, named_cards = self._answer
        self._answer = None
        count = 0
        for one, other in zip(lay, cards_at(match, self.places), strict=True):
            count |= one & ~other
        new = (visible(match, self.seat, self.places) | named_cards & count) & ~before
        marks = [
            Mark(LAY, place, card, self.draws.to[place], self.draws.levels[place])
            for place, cards in enumerate(lay)
            for card in bits_in(cards & new)
        ]
        self.marks[-1:-1] = marks


class MatchHistory:
    """The history of a match, from its player and its chance.

    before: outcomes of chance and indices of answers before the current deal; 0 for each start of a
            deal. current: the same of the current deal.
    start:  the memory of machine code's match at the start of the deal.
    prepare: changes counters or the dealer of the match, and of each of its worlds, at the start.
    """

    def __init__(
        self,
        game: Game,
        seats: Sequence[int],
        chance: Chance,
        emit: Callable[[Event], None] | None = None,
        arrangement: Arrangement | None = None,
        prepare: Callable[[State], None] | None = None,
    ) -> None:
        self.game, self.places = game, Places(game.program, game.setting)
        self.prepare = prepare or (lambda _: None)
        self.before: list[int] = []
        self.current: list[int] = []
        self.opening, self.start = True, b""
        self._all, self._first_group = -1, 0
        self._match: Match | None = None
        self.noticed = {seat: SeatObservations(game, self.places, seat, 0, 0) for seat in seats}
        self.state = game.start(0, 0, emit, arrangement, ObservedChance(chance, self))
        self._match = match = self.state.match
        if isinstance(match, NativeMatch):
            assert isinstance(game.steps, SearchCode)
            before = bytes(match.memory)
            self.prepare(self.state)
            both = zip(before, bytes(match.memory), game.steps.fresh(), strict=True)
            self.start = bytes(start if old == new else new for old, new, start in both)
        else:
            self.prepare(self.state)
        self._look()

    @property
    def permutes(self) -> bool:
        """Whether places of cards at the start matter, because not all cards were shuffled."""
        return not self.opening and self._first_group != self._all

    @property
    def classes(self) -> tuple[int, ...]:
        """For each card the cards with the same possible places; empty if that does not matter."""
        return card_classes(self.game) if self.permutes else ()

    def next_deal(self) -> None:
        match = self.state.match
        self.before += [*self.current, 0]
        self.current, self.opening, self._first_group = [], False, 0
        self._all = sum(cards_at(match, self.places))  # each card has one place
        for seat in self.noticed:
            seen = visible(match, seat, self.places)
            self.noticed[seat] = SeatObservations(
                self.game, self.places, seat, self._all & ~seen, seen
            )
        if isinstance(match, NativeMatch):
            self.start = bytes(match.memory)
        self.state.next_deal()
        self._look()

    def apply(self, index: int) -> None:
        question, match = self.state.pending, self.state.match
        assert isinstance(question, Question)
        action = question.actions[index]
        number = self.game.plans[question.number].options[action.option].number_of(action.values)
        for noticed in self.noticed.values():
            noticed.add_answer(match, question, action, number)
        self.current.append(index)
        self.state.apply(index)
        self._look()

    def record_draw(self, card: int, group: Sequence[int], draw: Draw) -> None:
        if not self._first_group:
            self._first_group = sum(1 << one for one in group)
        self.current.append(card)
        for noticed in self.noticed.values():
            noticed.record_draw(self._match, card, len(group), draw)

    def record_outcome(self, value: int) -> None:
        """Record a chance outcome that no seat needs to notice, so it makes no mark."""
        self.current.append(value)

    def _look(self) -> None:
        if isinstance(self.state.pending, Question):
            for noticed in self.noticed.values():
                noticed.record_question(self.state.match, self.state.pending)


def cards_at(match: Match, places: Places) -> list[int]:
    return [sum(1 << card for card in match.cards(zone, at)) for zone, at in places.zones]


def visible(match: Match, seat: int, places: Places) -> int:
    """Return the mask of the cards that a seat sees."""
    result = 0
    seen, _ = match.sight(seat)
    for cards in seen[FIRST_PLACE : FIRST_PLACE + len(places.zones)]:
        if isinstance(cards, bytes):
            result |= sum(1 << card for card in cards)
        elif not is_hidden(cards):
            result |= cards
    return result


@lru_cache(maxsize=32)
def card_classes(game: Game) -> tuple[int, ...]:
    """Return for each card the mask of the cards with the same possible places at the start.

    Found by beginning the match many times with random answers on all seats.
    """
    places = Places(game.program, game.setting)
    zones: list[set[str]] = [set() for _ in game.deck.texts]
    for number in range(OPENINGS):
        state, luck = game.start(0, number), Stream(number)
        while isinstance(state.pending, Question):
            state.apply(luck.below(len(state.pending.actions)))
        if isinstance(state.pending, DealStart):
            for (zone, _), cards in zip(places.zones, cards_at(state.match, places), strict=True):
                for card in range(len(zones)):
                    if cards >> card & 1:
                        zones[card].add(zone)
    return tuple(
        sum(1 << other for other in range(len(zones)) if zones[other] == zones[card])
        for card in range(len(zones))
    )


# Importance sampling of draws: a guided draw prefers cards that the seat sees there later.
#
# A draw that the seat does not see is one of a group of cards, all equally likely. Most of them
# lead to no world, because the cards that others play later must come to their hands first. So a
# guided draw uses other probabilities. `Shares` divides the cards of the group by their next mark:
#
# - due here: the card is drawn to this place before that mark, in one of so many draws;
# - due elsewhere, in sight or at another place: it is not drawn here;
# - free: all others, also each whose pile has got cards back before (its level has changed).
#
# The cards that are due here come in the order of their marks. Each is drawn now with probability
# one over the number of draws that are left for it. Otherwise one of the free cards is drawn.
#
# Without secret moves and returning cards, this is the probability of the draw, given all marks.
# Otherwise it is not, but the result stays right: a card that is drawn too often gets a smaller
# weight, see `trutdsl.strategy.worlds`.


class Shares(NamedTuple):
    """The probabilities of a guided draw.

    due_cards: the cards that are due here, each with the number of draws left for it.
    rest:      the mask of the other cards; if none of those is drawn, each is equally likely.
    """

    due_cards: list[tuple[int, int]]
    rest: int

    def draw(self, stream: Stream) -> int:
        for card, left in self.due_cards:
            if stream.below(left) == 0:
                return card
        return pick(self.rest, stream)

    def chance(self, number: int) -> float:
        """Return the probability of this card."""
        before, result = 1.0, 0.0
        for card, left in self.due_cards:
            if card == number:
                result = before / left
            before = before * (left - 1) / left
        if self.rest >> number & 1:
            result += before / self.rest.bit_count()
        return result


def pick(mask: int, stream: Stream) -> int:
    """Return one of the cards of a mask, all equally likely."""
    cards = bits_in(mask)
    return cards[stream.below(len(cards))]


def shares_of(
    marks: Sequence[Mark], at: int, group: int, origin: int, target: int, draws: DrawCount
) -> Shares:
    """Return the probabilities of a guided draw from a group, from one place to another.

    at: the number of the next mark. draws: those of the deal before this one.
    """
    level = draws.level(origin, group.bit_count())
    due, free, unnamed = list[tuple[int, int]](), group, group
    for mark in marks[at:]:
        if mark.kind not in (LAY, DRAWN) or not unnamed >> mark.two & 1:
            continue
        unnamed &= ~(1 << mark.two)
        if mark.level != level:
            continue
        left = mark.three - draws.to[mark.one]
        if mark.kind == DRAWN:
            free &= ~(1 << mark.two)
        elif mark.one != target:
            free &= ~(1 << mark.two) if left > 0 else -1
        elif left > len(due):
            free &= ~(1 << mark.two)
            due.append((mark.two, left - len(due)))
    return Shares(due, free or group)
