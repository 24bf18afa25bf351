"""Worlds: courses of a deal that fit what a seat has noticed, drawn without bias and played out.

This is what a world is, and how one is drawn; machine code does the same, number for number, see
`trutdsl.native.emit.search`.

A world is a list of steps: all that chance gave in the deal where the seat did not see it, and all
that others answered without its noticing. Before anything is known of the deal, chance falls as
the rules have it, and all courses of secret answers are equally likely. A world fits if with its
steps the same comes to the seat: the same draws, answers and questions (`table.marks`), each answer
legal, and at each of its own questions the same sight and the same actions. Of earlier deals it
knows what lies in sight when the deal begins; the other cards lie anywhere, each where a card of
its class can lie (`course.card_classes`).

To draw one, the deal is played again from its start. What the seat knows is given; what it does
not is drawn; a secret answer from all that there are to the question, legal or not, but for cards,
of which it is known how many can be chosen. A card that the seat sees later lies where it came
from ever since cards last came there; if it does not in this world, it takes the role of a card
that lies there and that is not known yet, any of them equally likely: in all steps each stands for
the other from now on, and the deal is played again. That keeps all worlds equally likely, as in how
many ways one comes about rests on how many cards lie where, which is the same in all of them. What
does not fit then begins anew.

It is exact as long as no answer that is known has to be legal before the last card has come to
where it was given from. Else (Tute for two, where hands are filled up) an answer may be found
illegal because of a card that would have been exchanged later, and worlds are nearly as likely.

Where hardly any course fits, as after many tricks in which suits had to be followed, too few worlds
may be found so (`tries_for`). Those that are still to be drawn are mended: if the answer of another
seat is not legal, one of the cards beside the one that it played takes the role of a card that lies
elsewhere. These worlds fit as well, but are not all equally likely.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from trutdsl.game import Question, RuleError, State
from trutdsl.interp.machine import Machine
from trutdsl.ir.types import Among, Kind
from trutdsl.strategy.course import Course, Noticed, cards_at
from trutdsl.streams import Stream, mixed
from trutdsl.syntax.ast import Audience
from trutdsl.table import Said, StreamChance
from trutdsl.table.actions import AskPlan
from trutdsl.table.chance import Draw, Luck
from trutdsl.table.marks import (
    ASKED,
    DRAWN,
    LAY,
    MOST_EXCHANGES,
    MOST_STEPS,
    SAID,
    Mark,
    blind_choices,
    card_in,
    known_before,
)
from trutdsl.table.sight import bits_in, notices, sees


@dataclass
class Step:
    """One step of a world: `value`, and what to add to it; is_card: whether it stands for a card.

    what: the kind of luck, or the question that was answered.
    """

    value: int
    more: int
    is_card: bool
    what: object


class World:
    """A course of the deal, as far as it was drawn.

    labels: of each card the one that lies in its place when the deal begins.
    """

    def __init__(self, labels: list[int]) -> None:
        self.labels, self.steps = labels, list[Step]()

    def exchange(self, card: int, other: int) -> None:
        """Let two cards take each other's role."""
        roles = {card: other, other: card}
        self.labels = [roles.get(label, label) for label in self.labels]
        for step in self.steps:
            if step.is_card:
                step.value = roles.get(step.value, step.value)


class Misfit(Exception):  # noqa: N818 - nothing went wrong
    """The seat would have noticed something else."""


class Exchanged(Exception):  # noqa: N818 - nothing went wrong
    """Two cards of the world have taken each other's role; the deal is to be played again."""


def tries_for(worlds: int) -> int:
    """Return how many courses may be begun to find so many worlds, and then with mending."""
    return 200 + 20 * worlds


@dataclass
class Tries:
    """How often a course may still be begun; when `left` is 0 as many again, which are mended."""

    most: int
    left: int
    mends: bool = False

    def next(self) -> bool:
        """Count a course; return whether it may be begun."""
        if self.left == 0:
            if self.mends:
                return False
            self.mends, self.left = True, self.most
        self.left -= 1
        return True


class Asking:
    """What is known to whoever draws worlds for a seat that is asked."""

    def __init__(self, course: Course, noticed: Noticed) -> None:
        self.course, self.noticed, self.classes = course, noticed, course.classes
        self.game, self.setting = course.game, course.game.setting
        self.marks, self.known = noticed.marks, known_before(noticed.marks, noticed.seen)

    def draw_world(self, stream: Stream, tries: Tries) -> World | None:
        """Return a world drawn from a stream, or None if the tries come to an end."""
        while tries.next():
            world = World(self._labels(stream))
            for _ in range(MOST_EXCHANGES):
                try:
                    Replay(self, world, stream, tries.mends).play()
                except Exchanged:
                    continue
                except Misfit:
                    break
                return world
        return None

    def _labels(self, stream: Stream) -> list[int]:
        labels, hidden = list(range(len(self.game.deck.texts))), self.noticed.hidden
        if self.course.permutes:
            for card in bits_in(self.noticed.hidden):
                labels[card] = pick(hidden & self.classes[card], stream)
                hidden &= ~(1 << labels[card])
        return labels


def pick(mask: int, stream: Stream) -> int:
    """Return one of the cards of a mask, all equally likely."""
    cards = bits_in(mask)
    return cards[stream.below(len(cards))]


class Replay:
    """A match played again: as it was up to the deal that is going on, and on as a world has it.

    It is the chance of that match.
    """

    def __init__(self, asking: Asking, world: World, stream: Stream, mends: bool = False) -> None:
        self.asking, self.world, self.stream, self.mends = asking, world, stream, mends
        self.setting = asking.setting
        self.before, self.at = asking.course.before, 0
        self.mark = self.step = 0
        self.state: State | None = None
        self.free: StreamChance | None = None

    def __deepcopy__(self, _memo: object) -> Replay:
        return self

    def play(self) -> State:
        """Return the match at the open question; raises `Misfit` or `Exchanged`."""
        try:
            self.state = state = self.asking.game.start(0, 0, chance=self)
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
                given = self._answer(state, state.pending)
                if given is None:
                    return state
                state.apply(given)
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

    # -------------------------------------------------------- chance

    def set_free(self, start: int) -> None:
        """Let chance fall as it will from now on, from a stream that starts there."""
        self.free = StreamChance(0, 0)
        self.free.stream.state, self.free.begun = mixed(start, 1), mixed(start, 2)

    def start(self, part: int) -> None:
        """Turn to another part of the match."""
        if self.free is not None:
            self.free.start(part)

    def card(self, cards: Sequence[int], draw: Draw) -> int:
        """Return which of these cards is drawn."""
        if self.free is not None:
            return self.free.card(cards, draw)
        if self.at < len(self.before):
            return self._past()
        group = sum(1 << card for card in cards)
        mark = self.asking.marks[self.mark]
        if draw.face_up or self._sees(draw.target, draw.at):
            if mark[:2] != (DRAWN, self.asking.course.places.of(draw.target, draw.at)):
                raise Misfit
            if not group >> mark.two & 1:
                self._exchange(self.mark, group)
            self.mark += 1
            return mark.two
        card = self._step("card", lambda: Step(pick(group, self.stream), 0, True, "card"))
        if not group >> card & 1:
            raise Misfit
        return card

    def number(self, low: int, high: int) -> int:
        """Return a number from low to high."""
        return self._luck("number", lambda luck: luck.number(low, high))

    def element(self, elements: Sequence[int], kind: Among) -> int:
        """Return one of the elements."""
        return self._luck("element", lambda luck: luck.element(elements, kind), kind is Kind.CARD)

    def yes(self, part: int, whole: int) -> bool:
        """Return yes with the chance part/whole."""
        return bool(self._luck("yes", lambda luck: int(luck.yes(part, whole))))

    def _luck(self, what: str, draw: Callable[[Luck], int], is_card: bool = False) -> int:
        if self.free is not None:
            return draw(self.free)
        if self.at < len(self.before):
            return self._past()
        return self._step(what, lambda: Step(draw(Luck(self.stream)), 0, is_card, what))

    def _sees(self, zone: str, at: int) -> bool:
        seat = self.asking.noticed.seat
        if sees(self.asking.game.program.zones[zone], at, seat, self.setting):
            return True
        return self.state is not None and seat in self.state.match.may_see(zone, at)

    # -------------------------------------------------------- questions

    def _answer(self, state: State, question: Question) -> int | None:
        """Return the index of the answer that is given in this world; None to the open question."""
        asking, plan = self.asking, self.asking.game.plans[question.number]
        seat = asking.noticed.seat
        numbers = [plan.options[a.option].number_of(a.values) for a in question.actions]
        place = next(i for i in range(self.mark, len(asking.marks)) if asking.marks[i].kind != LAY)
        mark = asking.marks[place]
        mine, heard = question.seat == seat, self._notices(question, question.audience)
        self._all_lie(state, place, mine or heard)
        if mine:
            if mark.kind != ASKED:
                raise Misfit
            if asking.noticed.sights[mark.one] != (state.sight(seat), question.actions):
                raise Misfit
            if mark.two < 0:
                return None
            number = mark.two
        elif heard:
            if mark[:3] != (SAID, question.seat, question.number):
                raise Misfit
            number = mark.three
        else:
            number = self._step(("secret", question.number), lambda: self._secret(plan, numbers))
            if number not in numbers:
                raise Misfit
            option = plan.node.options[question.actions[numbers.index(number)].option]
            if not (option.openly and self._notices(question, Audience.ALL)):
                return numbers.index(number)
            if mark != Mark(SAID, question.seat, question.number, number):
                raise Misfit
            self._all_lie(state, place, True)
        if number not in numbers:
            self._mend(state, place, card_in(plan, number))
        self.mark = place + 1
        return numbers.index(number)

    def _all_lie(self, state: State, beyond: int, settled: bool) -> None:
        """Exchange the first card that does not lie where the next marks say, if any does not.

        settled: if not, cards may still come to a place before the next mark.
        """
        cards = cards_at(state.match, self.asking.course.places)
        for at in range(self.mark, beyond):
            lay = self.asking.marks[at]
            there = cards[lay.one]
            if (settled or there.bit_count() == lay.three) and not there >> lay.two & 1:
                self._exchange(at, there)

    def _mend(self, state: State, mark: int, played: int | None) -> None:
        """Where an answer is not legal, exchange a card beside the one that was played."""
        if not self.mends or played is None:
            raise Misfit
        full = (1 << len(self.asking.game.deck.texts)) - 1
        hidden = full & ~self.asking.known[mark]
        at = cards_at(state.match, self.asking.course.places)
        cards = next(cards for cards in at if cards >> played & 1)
        beside, others = hidden & cards, hidden & ~cards
        if not beside or not others:
            raise Misfit
        out = pick(beside, self.stream)
        self.world.exchange(pick(others, self.stream), out)
        raise Exchanged

    def _secret(self, plan: AskPlan, legal: list[int]) -> Step:
        """Return any legal card, or anything else whether it is legal or not, equally likely."""
        blind = blind_choices(plan)
        choices = sorted({*legal, *blind})
        chosen = choices[self.stream.below(len(choices))]
        card = card_in(plan, chosen)
        value = chosen if card is None else card
        return Step(value, chosen - value, card is not None, ("secret", plan.number))

    def _notices(self, question: Question, audience: Audience) -> bool:
        said = Said(question.seat, question.decision, "")
        return notices(said, audience, self.asking.noticed.seat, self.setting)

    # -------------------------------------------------------- the world

    def _step(self, what: str | tuple[str, int], draw: Callable[[], Step]) -> int:
        steps = self.world.steps
        if self.step == len(steps):
            if len(steps) == MOST_STEPS:
                raise Misfit
            steps.append(draw())
        step = steps[self.step]
        if step.what != what:
            raise Misfit
        self.step += 1
        return step.value + step.more

    def _exchange(self, mark: int, among: int) -> None:
        """Let the card of a mark take the role of one of these that was not seen before it."""
        free = among & ~self.asking.known[mark]
        if not free:
            raise Misfit
        self.world.exchange(self.asking.marks[mark].two, pick(free, self.stream))
        raise Exchanged
