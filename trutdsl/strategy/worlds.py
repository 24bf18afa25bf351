"""Worlds: courses of a deal that fit what a seat has noticed, drawn with weights and played out.

This is what a world is, and how one is drawn; machine code does the same, number for number, see
`trutdsl.native.emit.search`.

A world is a list of steps: all chance outcomes of the deal that the seat did not see, and all
answers of others that it did not notice. It fits if each answer is legal, and the seat observes the
same draws, answers and questions (`table.sight`). At each of its own questions it has the same
sight and the same actions.

The distribution of worlds. Before the deal each course is as likely as its luck: the product of the
chances of all that chance gives. Answers are taken as they were, with no reckoning why they were
given; of secret ones each that is legal counts the same. A world is as likely as its course, given
that it fits. Of earlier deals the seat knows what lies in sight when the deal begins; the other
cards lie anywhere, each where a card of its class can lie (`course.card_classes`).

Worlds are drawn by importance sampling (Hesterberg, Technometrics 37(2), 1995; Liu, Monte Carlo
Strategies in Scientific Computing, 2001, ch. 2). The deal is played again from its start. What the
seat knows is given, the rest is drawn, and a course that does not fit begins anew. All but one try
in `UNGUIDED` are guided: cards are drawn by `match_history.shares_of`. The others are drawn by the
rules alone, so that every world can occur. A world's weight is the target's likelihood over the one
with which it is drawn. A sum over weighted worlds has the expectation of the target, up to a factor
common to all sums. This is exact for any rules, however badly the guide fits them. In a deal that
is shuffled and dealt, all weights are equal; the more they differ, the fewer worlds the sum is
worth.

Two things are not exact:
- Where hidden cards of an earlier deal lie unshuffled, one that is seen later takes the place of
  one that lies where it is seen. The weight counts in how many ways that comes about. It is exact
  unless an answer before was legal for only one of the two.
- Where hardly any course fits, as after many tricks in which suits had to be followed, too few
  worlds may be found (`tries_for`). The remaining ones are repaired if the answer of another seat
  is not legal. Then a card beside the one that it played swaps roles with a card elsewhere, in all
  steps. These worlds fit as well; their weights are those of their draws.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from trutdsl.game import Question, RuleError, State
from trutdsl.interp.machine import Machine
from trutdsl.ir.types import Among, Kind
from trutdsl.strategy.match_history import MatchHistory, SeatObservations, cards_at, pick, shares_of
from trutdsl.streams import Stream, mixed
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
    """One step of a world: `value`, and what to add to it; is_card: whether it is a card.

    what: the kind of luck, or the question.
    """

    value: int
    more: int
    is_card: bool
    what: object


class World:
    """A course of the deal, as far as it was drawn.

    labels: of each card the one that lies in its place when the deal begins.
    guided: whether draws are. weight: see above, once it has been drawn.
    """

    def __init__(self, labels: list[int], guided: bool) -> None:
        self.labels, self.guided, self.steps = labels, guided, list[WorldStep]()
        self.weight = 0.0

    def exchange(self, card: int, other: int) -> None:
        """Let two cards take each other's role."""
        roles = {card: other, other: card}
        self.labels = [roles.get(label, label) for label in self.labels]
        for step in self.steps:
            if step.is_card:
                step.value = roles.get(step.value, step.value)


class Misfit(Exception):  # noqa: N818 - nothing went wrong
    """The seat would have noticed something else."""


class CardsExchanged(Exception):  # noqa: N818 - nothing went wrong
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


class WorldKnowledge:
    """The knowledge of an asked seat, from which its worlds are drawn."""

    def __init__(self, course: MatchHistory, noticed: SeatObservations) -> None:
        self.course, self.noticed, self.classes = course, noticed, course.classes
        self.game, self.setting = course.game, course.game.setting
        self.marks, seen = noticed.marks, noticed.seen if course.permutes else 0
        *self.before, self.named = noticed_before([*noticed.marks, Mark(ASKED, 0, 0)], seen)

    def draw_world(self, stream: Stream, tries: Tries) -> World | None:
        """Return a world drawn from a stream, or None if the tries come to an end."""
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
        labels, hidden = list(range(len(self.game.deck.texts))), self.noticed.hidden
        if self.course.permutes:
            for card in bits_in(self.noticed.hidden):
                labels[card] = pick(hidden & self.classes[card], stream)
                hidden &= ~(1 << labels[card])
        return labels


class Replay:
    """A match played again: as it was up to the deal that is going on, and on as a world has it.

    It is the chance of that match.
    """

    def __init__(
        self, asking: WorldKnowledge, world: World, stream: Stream, mends: bool = False
    ) -> None:
        self.asking, self.world, self.stream, self.mends = asking, world, stream, mends
        self.setting = asking.setting
        self.before, self.at = asking.course.before, 0
        self.mark = self.step = self.used = 0
        self.draws = DrawCount(len(asking.course.places.zones))
        self.guided = self.plain = 1.0  # how much likelier the world is to be drawn than to be
        self.state: State | None = None
        self.free: StreamChance | None = None

    def __deepcopy__(self, _memo: object) -> Replay:
        return self

    def play(self) -> State:
        """Return the match at the open question; raises `Misfit` or `CardsExchanged`."""
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
                    guided, plain = self.guided * (UNGUIDED - 1) / UNGUIDED, self.plain / UNGUIDED
                    self.world.weight = 1.0 / (guided + plain + LEAST_LIKELY)
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

    def set_free(self, start: int) -> None:
        """Draw all chance from a stream that starts there, from now on."""
        self.free = StreamChance(0, 0)
        self.free.stream.state, self.free.begun = mixed(start, 1), mixed(start, 2)

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
            card = self._seen_draw(group, target)
        else:
            card = self._hidden_draw(group, origin, target)
        self.draws.add(origin, target, len(cards))
        return card

    def _seen_draw(self, group: int, target: int) -> int:
        mark = self.asking.marks[self.mark]
        if mark[:2] != (DRAWN, target):
            raise Misfit
        self._lies(self.mark, group)
        self._count(group.bit_count() / mark.three)
        self.mark += 1
        return mark.two

    def _hidden_draw(self, group: int, origin: int, target: int) -> int:
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
        mine, heard = question.seat == seat, self._notices(question, question.audience)
        if mine or heard:
            self._all_lie(state, place)
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
            allowed = [  # the legal actions that the seat would not notice, or notices next
                number for number in numbers
                if not self._openly(plan, number) or mark == self._answer_mark(question, number)
            ]  # fmt: skip
            number = self._step(("secret", question.number), lambda: self._secret(plan, allowed))
            if number not in allowed:
                raise Misfit
            self._count(1 / len(allowed))
            if mark != self._answer_mark(question, number) or not self._openly(plan, number):
                return numbers.index(number)
            self._all_lie(state, place)
        if number not in numbers:
            self._mend(state, card_in(plan, number))
        self.mark = place + 1
        return numbers.index(number)

    def _all_lie(self, state: State, beyond: int) -> None:
        """See that each card lies where the next marks say."""
        cards = cards_at(state.match, self.asking.course.places)
        for at in range(self.mark, beyond):
            self._lies(at, cards[self.asking.marks[at].one])

    def _mend(self, state: State, played: int | None) -> None:
        """Where an answer is not legal, exchange a card beside the one that was played."""
        if not self.mends or played is None:
            raise Misfit
        full = (1 << len(self.asking.game.deck.texts)) - 1
        hidden = full & ~self.asking.named
        at = cards_at(state.match, self.asking.course.places)
        cards = next(cards for cards in at if cards >> played & 1)
        beside, others = hidden & cards, hidden & ~cards
        if not beside or not others:
            raise Misfit
        out = pick(beside, self.stream)
        self.world.exchange(pick(others, self.stream), out)
        raise CardsExchanged

    def _openly(self, plan: AskPlan, number: int) -> bool:
        return plan.node.options[plan.option_of(number)].openly

    def _answer_mark(self, question: Question, number: int) -> Mark:
        return Mark(SAID, question.seat, question.number, number)

    def _secret(self, plan: AskPlan, allowed: list[int]) -> WorldStep:
        if not allowed:
            raise Misfit
        chosen = allowed[self.stream.below(len(allowed))]
        card = card_in(plan, chosen)
        value = chosen if card is None else card
        return WorldStep(value, chosen - value, card is not None, ("secret", plan.number))

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
            self.used |= 1 << step.value
        return step.value + step.more

    def _count(self, likelier: float) -> None:
        """Multiply the sampling probability over the likelihood by this, guided or not."""
        self.guided, self.plain = self.guided * likelier, self.plain * likelier

    def _lies(self, mark: int, among: int) -> None:
        """See that the card of a mark is one of these.

        If it has not been drawn in the deal, its label may take the place of one of these.
        """
        course, card = self.asking.course, self.asking.marks[mark].two
        alike = 0
        if course.permutes:
            alike = self.asking.noticed.hidden & self.asking.classes[card]
            alike &= ~(self.asking.before[mark] | self.used)
        if among >> card & 1:
            if alike >> card & 1:
                self._count(alike.bit_count() / (among & alike).bit_count())
        elif alike >> card & 1 and among & alike:
            self.world.exchange(card, pick(among & alike, self.stream))
            raise CardsExchanged
        else:
            raise Misfit
