"""Worlds: courses of a deal that fit a seat's observations, drawn with weights and played out.

This module defines a world and draws it. Machine code does the same, number for number: see
`trutdsl.native.emit.search`.

A world is a list of steps: all chance outcomes of the deal that the seat did not see, and all
answers of others that it did not notice. A world fits if each answer is legal, and the seat
observes the same draws, answers and questions (`table.sight`). At each of its own questions the
seat must also have the same sight and the same actions.

The distribution of worlds. The prior probability of a course is the product of the probabilities
of all its chance outcomes. Answers are taken as given, without inference about their reasons. All
legal secret answers count equally. The probability of a world is that of its course, given that it
fits. Of earlier deals the seat knows only the cards that it sees when the deal begins. Any other
card may lie wherever a card of its class can lie (`match_history.card_classes`).

Worlds are drawn by importance sampling (Hesterberg, Technometrics 37(2), 1995; Liu, Monte Carlo
Strategies in Scientific Computing, 2001, ch. 2). The deal is replayed from its start. What the seat
knows is fixed, and the rest is drawn. A course that does not fit is rejected and redrawn. One try
in `UNGUIDED` is drawn by the rules alone, so every world can occur. All other tries are guided:
cards are drawn by `match_history.shares_of`. The weight of a world is its likelihood divided by its
sampling probability. A weighted sum over worlds has the right expectation, up to a factor common to
all sums. This is exact for any rules, even if the guide fits them badly. If the deal is shuffled
and dealt, all weights are equal. The more the weights differ, the less precise the sum is.

Two things are not exact:
- Hidden cards of an earlier deal may lie unshuffled. If such a card is seen later, it is exchanged
  with a card that lies where it is seen. The weight counts the ways in which this can happen. It is
  exact unless an earlier answer was legal for only one of the two cards.
- Sometimes hardly any course fits, for example after many tricks in which players had to follow
  suit. Then too few worlds may be found (`tries_for`), and the remaining ones are repaired. If the
  answer of another seat is illegal, an unseen card that lies with the card played is chosen. It
  exchanges roles with an unseen card elsewhere, in all steps. Repaired worlds also fit; their
  weights are those of their draws.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from trutdsl.game import Question, RuleError, State
from trutdsl.interp.machine import Machine
from trutdsl.ir.types import Among, Kind
from trutdsl.strategy.match_history import MatchHistory, SeatObservations, cards_at, pick, shares_of
from trutdsl.streams import Stream, mix_in
from trutdsl.syntax.ast import Audience
from trutdsl.table.actions import AskPlan, card_in
from trutdsl.table.chance import Draw, Luck, StreamChance
from trutdsl.table.match import HistoryEntry
from trutdsl.table.sight import (
    ASKED,
    DRAWN,
    LAY,
    LEAST_LIKELY,
    MOST_EXCHANGES,
    MOST_STEPS,
    SAID,
    UNGUIDED,
    DrawCount,
    Mark,
    bits_in,
    noticed_before,
    notices,
    sees,
)


@dataclass
class WorldStep:
    """One step of a world; its outcome is the sum of `value` and `more`.

    is_card: whether `value` is a card. what: the kind of luck, or the question.
    """

    value: int
    more: int
    is_card: bool
    what: object


class World:
    """A course of the deal, drawn step by step.

    labels: for each card, the card that lies in its place when the deal begins.
    guided: whether its draws are guided. weight: the importance weight, once the world is drawn.
    """

    def __init__(self, labels: list[int], guided: bool) -> None:
        self.labels, self.guided, self.steps = labels, guided, list[WorldStep]()
        self.weight = 0.0

    def exchange(self, card: int, other: int) -> None:
        """Exchange the roles of two cards."""
        roles = {card: other, other: card}
        self.labels = [roles.get(label, label) for label in self.labels]
        for step in self.steps:
            if step.is_card:
                step.value = roles.get(step.value, step.value)


class Misfit(Exception):  # noqa: N818 - nothing went wrong
    """The seat would have noticed something else."""


class CardsExchanged(Exception):  # noqa: N818 - nothing went wrong
    """Two cards of the world have exchanged roles; the deal must be replayed."""


def tries_for(worlds: int) -> int:
    """Return the most tries for this many worlds; as many again follow, with repairs."""
    return 200 + 20 * worlds


@dataclass
class Tries:
    """The number of tries that are left; when it is 0, `most` more follow, with repairs."""

    most: int
    tries_left: int
    mends: bool = False

    def next(self) -> bool:
        """Count a course; return whether it may be begun."""
        if self.tries_left == 0:
            if self.mends:
                return False
            self.mends, self.tries_left = True, self.most
        self.tries_left -= 1
        return True


class WorldKnowledge:
    """The knowledge of an asked seat, from which its worlds are drawn."""

    def __init__(self, course: MatchHistory, noticed: SeatObservations) -> None:
        self.course, self.noticed, self.classes = course, noticed, course.classes
        self.game, self.setting = course.game, course.game.setting
        self.marks, seen = noticed.marks, noticed.seen_cards if course.permutes else 0
        *self.before, self.named_cards = noticed_before([*noticed.marks, Mark(ASKED, 0, 0)], seen)

    def sample_world(self, stream: Stream, tries: Tries) -> World | None:
        """Return a world drawn from a stream, or None if no tries are left."""
        while tries.next():
            world = World(self._labels(stream), stream.below(UNGUIDED) > 0)
            for _ in range(MOST_EXCHANGES):
                try:
                    Replay(self, world, stream, tries.mends).play()
                except CardsExchanged:
                    continue
                except Misfit:
                    break
                return world
        return None

    def _labels(self, stream: Stream) -> list[int]:
        labels, hidden_cards = list(range(len(self.game.deck.texts))), self.noticed.hidden_cards
        if self.course.permutes:
            for card in bits_in(self.noticed.hidden_cards):
                labels[card] = pick(hidden_cards & self.classes[card], stream)
                hidden_cards &= ~(1 << labels[card])
        return labels


class Replay:
    """A replay of a match: earlier deals as they were played, the current deal as in a world.

    It is also the source of chance of the replayed match.
    """

    def __init__(
        self, asking: WorldKnowledge, world: World, stream: Stream, mends: bool = False
    ) -> None:
        self.asking, self.world, self.stream, self.mends = asking, world, stream, mends
        self.setting = asking.setting
        self.before, self.at = asking.course.before, 0
        self.mark = self.step = self.used_cards = 0
        self.draws = DrawCount(len(asking.course.places.zones))
        self.guided = self.plain = 1.0  # sampling probability / likelihood
        self.state: State | None = None
        self.free: StreamChance | None = None

    def __deepcopy__(self, _memo: object) -> Replay:
        return self

    def play(self) -> State:
        """Return the match at the open question; raises `Misfit` or `CardsExchanged`."""
        try:
            self.state = state = self.asking.game.start(0, 0, chance=self)
            self.asking.course.prepare(state)
            while self.at < len(self.before):
                value = self._past()
                if isinstance(state.pending, Question):
                    state.apply(value)
                    continue
                if self.at == len(self.before):
                    self._relabel()
                state.next_deal()
            while True:
                if not isinstance(state.pending, Question):
                    raise Misfit
                answer = self._answer(state, state.pending)
                if answer is None:
                    guided, plain = self.guided * (UNGUIDED - 1) / UNGUIDED, self.plain / UNGUIDED
                    self.world.weight = 1.0 / (guided + plain + LEAST_LIKELY)
                    return state
                state.apply(answer)
        except RuleError:
            raise Misfit from None

    def _past(self) -> int:
        self.at += 1
        return self.before[self.at - 1]

    def _relabel(self) -> None:
        assert self.state is not None
        if self.asking.course.permutes:
            machine = self.state.match
            assert isinstance(machine, Machine)
            for piles in machine.zones.values():
                for pile in piles:
                    pile.put(
                        [sorted(self.world.labels[c] for c in group) for group in pile.clear()],
                        False,
                    )

    def set_free(self, start: int) -> None:
        """From now on, draw all chance outcomes from a stream with this start."""
        self.free = StreamChance(0, 0)
        self.free.stream.state, self.free.match_start = mix_in(start, 1), mix_in(start, 2)

    def start(self, part: int) -> None:
        if self.free is not None:
            self.free.start(part)

    def card(self, cards: Sequence[int], draw: Draw) -> int:
        if self.free is not None:
            return self.free.card(cards, draw)
        if self.at < len(self.before):
            return self._past()
        group, places = sum(1 << card for card in cards), self.asking.course.places
        origin, target = places.of(draw.origin, draw.place), places.of(draw.target, draw.at)
        if draw.face_up or self._sees(draw.target, draw.at):
            card = self._draw_visible(group, target)
        else:
            card = self._draw_hidden(group, origin, target)
        self.draws.add(origin, target, len(cards))
        return card

    def _draw_visible(self, group: int, target: int) -> int:
        mark = self.asking.marks[self.mark]
        if mark[:2] != (DRAWN, target):
            raise Misfit
        self._lies(self.mark, group)
        self._count(group.bit_count() / mark.three)
        self.mark += 1
        return mark.two

    def _draw_hidden(self, group: int, origin: int, target: int) -> int:
        shares = shares_of(self.asking.marks, self.mark, group, origin, target, self.draws)

        def draw() -> WorldStep:
            guided = self.world.guided
            card = shares.draw(self.stream) if guided else pick(group, self.stream)
            return WorldStep(card, 0, True, "card")

        card = self._step("card", draw)
        if not group >> card & 1:
            raise Misfit
        self.guided = self.guided * shares.chance(card) * group.bit_count()
        return card

    def number(self, low: int, high: int) -> int:
        return self._luck("number", lambda luck: luck.number(low, high))

    def element(self, elements: Sequence[int], kind: Among) -> int:
        return self._luck("element", lambda luck: luck.element(elements, kind), kind is Kind.CARD)

    def yes(self, part: int, whole: int) -> bool:
        return bool(self._luck("yes", lambda luck: int(luck.yes(part, whole))))

    def _luck(self, what: str, draw: Callable[[Luck], int], is_card: bool = False) -> int:
        if self.free is not None:
            return draw(self.free)
        if self.at < len(self.before):
            return self._past()
        return self._step(what, lambda: WorldStep(draw(Luck(self.stream)), 0, is_card, what))

    def _sees(self, zone: str, at: int) -> bool:
        seat = self.asking.noticed.seat
        if sees(self.asking.game.program.zones[zone], at, seat, self.setting):
            return True
        return self.state is not None and seat in self.state.match.may_see(zone, at)

    def _answer(self, state: State, question: Question) -> int | None:
        """Return the index of the answer in this world; None for the open question."""
        asking, plan = self.asking, self.asking.game.plans[question.number]
        seat = asking.noticed.seat
        numbers = [plan.options[a.option].number_of(a.values) for a in question.actions]
        place = next(i for i in range(self.mark, len(asking.marks)) if asking.marks[i].kind != LAY)
        mark = asking.marks[place]
        mine, is_noticed = question.seat == seat, self._notices(question, question.audience)
        if mine or is_noticed:
            self._all_lie(state, place)
        if mine:
            if mark.kind != ASKED:
                raise Misfit
            if asking.noticed.sights[mark.one] != (state.sight(seat), question.actions):
                raise Misfit
            if mark.two < 0:
                return None
            number = mark.two
        elif is_noticed:
            if mark[:3] != (SAID, question.seat, question.number):
                raise Misfit
            number = mark.three
        else:
            # legal actions that the seat does not notice, or that its next mark shows
            candidates = [
                number for number in numbers
                if not self._openly(plan, number) or mark == self._answer_mark(question, number)
            ]  # fmt: skip
            number = self._step(("secret", question.number), lambda: self._secret(plan, candidates))
            if number not in candidates:
                raise Misfit
            self._count(1 / len(candidates))
            if mark != self._answer_mark(question, number) or not self._openly(plan, number):
                return numbers.index(number)
            self._all_lie(state, place)
        if number not in numbers:
            self._mend(state, card_in(plan, number))
        self.mark = place + 1
        return numbers.index(number)

    def _all_lie(self, state: State, end: int) -> None:
        """Check that each card lies where the next marks say."""
        cards = cards_at(state.match, self.asking.course.places)
        for at in range(self.mark, end):
            self._lies(at, cards[self.asking.marks[at].one])

    def _mend(self, state: State, card: int | None) -> None:
        """Repair an illegal answer: exchange a card that lies with the card played."""
        if not self.mends or card is None:
            raise Misfit
        full = (1 << len(self.asking.game.deck.texts)) - 1
        hidden_cards = full & ~self.asking.named_cards
        at = cards_at(state.match, self.asking.course.places)
        cards = next(cards for cards in at if cards >> card & 1)
        beside, others = hidden_cards & cards, hidden_cards & ~cards
        if not beside or not others:
            raise Misfit
        out = pick(beside, self.stream)
        self.world.exchange(pick(others, self.stream), out)
        raise CardsExchanged

    def _openly(self, plan: AskPlan, number: int) -> bool:
        return plan.node.options[plan.option_of(number)].openly

    def _answer_mark(self, question: Question, number: int) -> Mark:
        return Mark(SAID, question.seat, question.number, number)

    def _secret(self, plan: AskPlan, candidates: list[int]) -> WorldStep:
        if not candidates:
            raise Misfit
        option = candidates[self.stream.below(len(candidates))]
        card = card_in(plan, option)
        value = option if card is None else card
        return WorldStep(value, option - value, card is not None, ("secret", plan.number))

    def _notices(self, question: Question, audience: Audience) -> bool:
        entry = HistoryEntry(question.seat, question.decision, "")
        return notices(entry, audience, self.asking.noticed.seat, self.setting)

    def _step(self, what: str | tuple[str, int], draw: Callable[[], WorldStep]) -> int:
        steps = self.world.steps
        if self.step == len(steps):
            if len(steps) == MOST_STEPS:
                raise Misfit
            steps.append(draw())
        step = steps[self.step]
        if step.what != what:
            raise Misfit
        self.step += 1
        if step.is_card:
            self.used_cards |= 1 << step.value
        return step.value + step.more

    def _count(self, likelier: float) -> None:
        """Multiply both ratios of sampling probability to likelihood by this factor."""
        self.guided, self.plain = self.guided * likelier, self.plain * likelier

    def _lies(self, mark: int, among: int) -> None:
        """Check that the card of a mark is one of these.

        If the card was not drawn in this deal, it may exchange roles with one of these.
        """
        course, card = self.asking.course, self.asking.marks[mark].two
        alike = 0
        if course.permutes:
            alike = self.asking.noticed.hidden_cards & self.asking.classes[card]
            alike &= ~(self.asking.before[mark] | self.used_cards)
        if among >> card & 1:
            if alike >> card & 1:
                self._count(alike.bit_count() / (among & alike).bit_count())
        elif alike >> card & 1 and among & alike:
            self.world.exchange(card, pick(among & alike, self.stream))
            raise CardsExchanged
        else:
            raise Misfit
