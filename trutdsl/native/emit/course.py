"""Courses: a deal played once, with drawn luck and hidden answers that fit what a seat observed.

`trutdsl.strategy.match_history` explains worlds.
"""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from trutdsl.ir.types import Kind
from trutdsl.native.abi import CHANCE, DRAW, LUCK, QUESTION, RANDOM, ROLL, SETTLED, Job
from trutdsl.native.emit.chance import emit_below
from trutdsl.native.emit.guide import NEW_LABELS, MarkWriter
from trutdsl.native.emit.rule_writer import action_of_rank
from trutdsl.native.layout import MOST_CARDS, WORD
from trutdsl.native.llvm import I1, I64, PTR, Unit, Value, const
from trutdsl.syntax.ast import Audience
from trutdsl.table.actions import AskPlan, card_in
from trutdsl.table.sight import ASKED, DRAWN, LAY, MOST_STEPS

FITS, MISFIT, AGAIN = range(3)  # results of playing a course
WEIGHT, GUIDE = 1, 2  # the places of these in a course, see `World`
STEP = 4  # numbers of a drawn step: value, what to add to it, whether it is a card, what
STEPS = NEW_LABELS + MOST_CARDS
COURSE = STEPS + STEP * MOST_STEPS  # numbers of a course
SECRET = 16  # the kind of a step: a kind of luck, or this and the number of a question
HEARER_LEVELS = {Audience.OWNER: 0, Audience.NOBODY: 0, Audience.TEAM: 1, Audience.ALL: 2}
StepStart = tuple[Value, Value, Value]  # the first numbers of a step


class CourseWriter(MarkWriter):
    """Writes `play_course`: plays a deal once, with a course's steps and the seat's observations.

    The course grows by new draws. The result tells whether the course fits, or that two cards
    exchanged their roles, so that the deal must be played again.
    """

    def __init__(self, unit: Unit, size: int) -> None:
        function = unit.private("play_course", ir.FunctionType(I64, [PTR] * 9))
        super().__init__(unit, function, size)
        world, table, start, marks, checks, self.job_at, course, stream, self.mends = self.args
        self.world, self.table, self.start, self.marks = world, table, start, marks
        self.checks, self.course, self.stream = checks, course, stream

    def build(self) -> Value:
        b = self.b
        self.mark, self.step = self.local(), self.local()
        self.card, self.free, self.used = self.local(), self.local(), self.local()
        self.begin_draws()
        b.store(const(0), self.used)
        self.next, self.misfit, self.exchange = map(self.block, ("next", "misfit", "exchange"))
        b.store(const(0), self.mark)
        b.store(const(0), self.step)
        self.copy(self.world, self.start)
        with b.if_then(b.not_(self.is_zero(self.job(Job.PERMUTES)))):
            self.relabel()
        b.branch(self.next)
        self.at(self.next)
        why = self.advance(self.world, self.table)
        luck, asked, settled = map(self.block, ("luck", "asked", "settled"))
        ways = b.switch(why, self.misfit)
        for number, block in ((LUCK, luck), (QUESTION, asked), (SETTLED, settled)):
            ways.add_case(const(number), block)
        self.at(settled)
        self._answer(const(0))
        self.at(luck)
        self._luck()
        self.at(asked)
        self._check_question()
        self.at(self.misfit)
        b.ret(const(MISFIT))
        self.at(self.exchange)
        self._exchange()
        return self.function

    # -------------------------------------------------------- chance

    def _luck(self) -> None:
        b, kind = self.b, self.load("#luck")
        draw, other = self.block("draw"), self.block("other")
        b.cbranch(b.icmp_signed("==", kind, const(DRAW)), draw, other)
        self.at(draw)
        firsts = [self.places.first[name] for name in self.unit.program.zones]
        place = b.add(self.look_up(firsts, self.load("#luck_zone")), self.load("#luck_two"))
        seen = b.or_(self.load("#luck_shown"), self.sees_place(place))
        group, known, hidden = self.load("#luck_one"), self.block("known"), self.block("hidden")
        b.cbranch(self.is_zero(seen), hidden, known)
        self.at(known)
        row = self.row(self.number(self.mark))
        self._or_misfit(b.and_(self._is(row, 0, const(DRAWN)), self._is(row, 1, place)))
        self._lies(row, group)
        self.count_both(self.count_bits(group), self.of(row, 3))
        self._go_past(self.number(self.mark))
        self.add_draw(place)
        self._answer(self.of(row, 2))
        self.at(hidden)
        card = self._next_step(const(DRAW), lambda: self._draw_card(group, place))
        card = b.and_(card, const(63))
        self._or_misfit(self.has_bit(group, card))
        self.count_draw(group, place, card)
        self.add_draw(place)
        self._answer(card)
        self.at(other)
        self._answer(self._next_step(kind, lambda: self._other_luck(kind)))

    def _draw_card(self, group: Value, place: Value) -> StepStart:
        b, card, done = self.b, self.local(), self.block("drawn")
        guided, plain = self.block("guided"), self.block("plain")
        b.cbranch(self.is_zero(self.number(self.address(self.course, 8 * GUIDE))), plain, guided)
        self.at(guided)
        b.store(self.draw_guided(group, place), card)
        b.branch(done)
        self.at(plain)
        b.store(self.pick_any(group), card)
        b.branch(done)
        self.at(done)
        return self.number(card), const(0), const(1)

    def _other_luck(self, kind: Value) -> StepStart:
        b, result = self.b, self.local()
        one, two = self.load("#luck_one"), self.load("#luck_two")
        done = self.block("lucky")
        ways = b.switch(kind, self.misfit)
        for number in (ROLL, RANDOM, CHANCE):
            block = self.block("of_kind")
            ways.add_case(const(number), block)
            self.at(block)
            if number == ROLL:
                many = b.add(b.sub(two, one), const(1))
                value = b.add(one, emit_below(self, self.stream, many))
            elif number == CHANCE:
                value = self.wide(b.icmp_signed("<", emit_below(self, self.stream, two), one))
            else:
                value = self.pick_any(one)
            b.store(value, result)
            b.branch(done)
        self.at(done)
        cards = const(list(Kind).index(Kind.CARD))
        random = b.icmp_signed("==", kind, const(RANDOM))
        is_card = b.and_(random, b.icmp_signed("==", two, cards))
        return self.number(result), const(0), self.wide(is_card)

    # -------------------------------------------------------- questions

    def _check_question(self) -> None:
        b = self.b
        seat, decision = self.load("#seat"), self.load("#decision")
        number, turn, position = self.each_number(self.number(self.mark), const(1 << 62), "skip")
        with b.if_then(b.not_(self._is(self.row(number), 0, const(LAY)))):
            b.branch(position)
        self.go(turn)
        self.at(position)
        row = self.row(number)
        own, others = self.block("own"), self.block("others")
        b.cbranch(b.icmp_signed("==", seat, self.job(Job.SEAT)), own, others)
        self.at(own)
        self._all_lie(number)
        self._or_misfit(self._is(row, 0, const(ASKED)))
        self._or_misfit(self.same_sight(self.of(row, 1)))
        action = self.of(row, 2)
        with b.if_then(b.icmp_signed("<", action, const(0))):
            b.store(self.weight(), self.address(self.course, 8 * WEIGHT))
            b.ret(const(FITS))
        self._go_past(number)
        self._answer(action)
        self.at(others)
        asks = sorted(self.unit.plans.values(), key=lambda plan: plan.number)
        level = self.look_up([HEARER_LEVELS[plan.node.audience] for plan in asks], decision)
        heard, secret = self.block("heard"), self.block("secret")
        b.cbranch(self._notices(level, seat), heard, secret)
        self.at(heard)
        self._all_lie(number)
        answers = self.of(row, 3)
        self._or_misfit(self._is_said(row, seat, decision, answers))
        numbered = b.add(b.mul(decision, const(64 * self.unit.layout.words)), answers)
        self._mend_if_illegal(self._is_legal(answers), numbered)
        self._go_past(number)
        self._answer(answers)
        self.at(secret)
        self._secret(seat, decision, row, number)

    def _secret(self, seat: Value, decision: Value, row: Value, number: Value) -> None:
        """Answer as the course says, with an action hidden from the seat, or with its next mark."""
        b, numbers = self.b, 64 * self.unit.layout.words
        cards, levels = action_tables(self.unit)
        first = b.mul(decision, const(numbers))
        masks = self._answer_masks(seat, decision, row)
        count = const(0)
        for word in masks:
            count = b.add(count, self.count_bits(word))
        self._or_misfit(b.not_(self.is_zero(count)))

        def draw() -> StepStart:
            action = action_of_rank(self, masks, emit_below(self, self.stream, count))
            card = self.look_up(cards, b.add(first, action))
            is_card = b.icmp_signed(">=", card, const(0))
            value = b.select(is_card, card, action)
            return value, b.sub(action, value), self.wide(is_card)

        step = self._next_step(b.add(decision, const(SECRET)), draw)
        self._or_misfit(b.icmp_unsigned("<", step, const(numbers)))
        fits = const(0)
        for place, word in enumerate(masks):
            in_word = b.icmp_signed("==", b.lshr(step, const(6)), const(place))
            fits = b.or_(fits, b.select(in_word, word, const(0)))
        self._or_misfit(self.has_bit(fits, b.and_(step, const(63))))
        self.count_both(const(1), count)
        level = self.look_up(levels, b.add(first, step))
        noticed, on = self.block("noticed"), self.block("unnoticed")
        b.cbranch(b.icmp_signed("==", level, const(HEARER_LEVELS[Audience.ALL])), noticed, on)
        self.at(noticed)
        self._all_lie(number)
        self._go_past(number)
        b.branch(on)
        self.at(on)
        self._answer(step)

    def _answer_masks(self, seat: Value, decision: Value, row: Value) -> list[Value]:
        """Return masks of the legal actions that are hidden from the seat, or are its next mark.

        row: of the next mark of an answer.
        """
        b, plans = self.b, sorted(self.unit.plans.values(), key=lambda plan: plan.number)
        many, answers = self.look_up([plan.words for plan in plans], decision), self.of(row, 3)
        openly = [open_choices(plan) for plan in plans]
        result = []
        for place in range(self.unit.layout.words):
            has = b.icmp_signed("<", const(place), many)
            legal = b.select(has, self.load("#legal", const(place)), const(0))
            noticed = self.look_up_mask([mask >> 64 * place & WORD for mask in openly], decision)
            is_word = b.icmp_signed("==", b.ashr(answers, const(6)), const(place))
            next_one = b.and_(is_word, self._is_said(row, seat, decision, answers))
            bit = b.select(next_one, self.bit(b.and_(answers, const(63))), const(0))
            result.append(self.without(legal, self.without(noticed, bit)))
        return result

    def _is_legal(self, number: Value) -> Value:
        word = self.load("#legal", self.b.lshr(number, const(6)))
        return self.has_bit(word, self.b.and_(number, const(63)))

    def _notices(self, level: Value, seat: Value) -> Value:
        b, teams = self.b, const(self.unit.setting.teams)
        own = b.icmp_signed("==", b.urem(seat, teams), b.urem(self.job(Job.SEAT), teams))
        team = b.and_(own, b.icmp_signed("==", level, const(HEARER_LEVELS[Audience.TEAM])))
        return b.or_(team, b.icmp_signed("==", level, const(HEARER_LEVELS[Audience.ALL])))

    # -------------------------------------------------------- marks

    def _mend_if_illegal(self, legal: Value, action: Value) -> None:
        """Continue if an answer is legal; else exchange a card with the played one.

        action: its number among those of all questions.
        """
        b, full = self.b, (1 << len(self.unit.setting.deck.texts)) - 1
        on, off = self.block("legal"), self.block("illegal")
        b.cbranch(legal, on, off)
        self.at(off)
        card = self.look_up(action_tables(self.unit)[0], action)
        mends = b.not_(self.is_zero(self.number(self.mends)))
        self._or_misfit(b.and_(mends, b.icmp_signed(">=", card, const(0))))
        cards = const(0)
        for place in range(len(self.places.zones)):
            in_zone = self.cards_at(const(place))
            cards = b.select(self.has_bit(in_zone, card), in_zone, cards)
        hidden_cards = self.without(const(full), self.job(Job.NAMED))
        beside, others = b.and_(cards, hidden_cards), self.without(hidden_cards, cards)
        either = b.or_(self.is_zero(beside), self.is_zero(others))
        self._or_misfit(b.not_(either))
        b.store(self.bit(self.pick_any(beside)), self.free)
        b.store(self.pick_any(others), self.card)
        b.branch(self.exchange)
        self.at(on)

    def _go_past(self, number: Value) -> None:
        self.b.store(self.b.add(number, const(1)), self.mark)

    # -------------------------------------------------------- the course

    def _next_step(self, what: Value, draw: Callable[[], StepStart]) -> Value:
        """Return the number of the next step; draw it if the course has no more steps."""
        b, step = self.b, self.number(self.step)
        count = self.number(self.course)
        fresh, read = self.block("fresh"), self.block("read")
        b.cbranch(b.icmp_signed("<", step, count), read, fresh)
        self.at(fresh)
        self._or_misfit(b.icmp_signed("<", step, const(MOST_STEPS)))
        for part, value in enumerate((*draw(), what)):
            b.store(value, self._step_at(step, part))
        b.store(b.add(step, const(1)), self.course)
        b.branch(read)
        self.at(read)
        value, more, is_card, kept = (
            self.number(self._step_at(step, part)) for part in range(STEP)
        )
        self._or_misfit(b.icmp_signed("==", kept, what))
        b.store(b.add(step, const(1)), self.step)
        bit = b.select(self.is_zero(is_card), const(0), self.bit(b.and_(value, const(63))))
        b.store(b.or_(self.number(self.used), bit), self.used)
        return b.add(value, more)

    def _step_at(self, step: Value, part: int) -> Value:
        return self.address(self.course, 8 * (STEPS + part), step, 8 * STEP)

    def _exchange(self) -> None:
        """Exchange the roles of the needed card and one of the available ones."""
        b, card, free = self.b, self.number(self.card), self.number(self.free)
        self._or_misfit(b.not_(self.is_zero(free)))
        other = self.pick_any(free)

        def swap(at: Value, is_card: Value) -> None:
            own = self.number(at)
            one = b.and_(is_card, b.icmp_signed("==", own, card))
            two = b.and_(is_card, b.icmp_signed("==", own, other))
            b.store(b.select(one, other, b.select(two, card, own)), at)

        with self.numbers(const(0), self.number(self.course), "step") as step:
            flag = b.trunc(self.number(self._step_at(step, 2)), I1)
            swap(self._step_at(step, 0), flag)
        with self.numbers(const(0), const(MOST_CARDS), "label") as label:
            swap(self.address(self.course, 8 * NEW_LABELS, label, 8), ir.Constant(I1, 1))
        b.ret(const(AGAIN))

    # -------------------------------------------------------- flow

    def _answer(self, value: Value) -> None:
        self.store("#answer", value)
        self.b.branch(self.next)


def action_tables(unit: Unit) -> tuple[list[int], list[int]]:
    """Return of each action of each question the chosen card, -1 for none, and its audience."""
    cards, levels = [], []
    for plan in sorted(unit.plans.values(), key=lambda plan: plan.number):
        for number in range(64 * unit.layout.words):
            card, option = card_in(plan, number), plan.node.options[plan.option_of(number)]
            cards.append(-1 if card is None else card)
            levels.append(HEARER_LEVELS[Audience.ALL if option.openly else plan.node.audience])
    return cards, levels


def open_choices(plan: AskPlan) -> int:
    """Return the mask of a question's actions that all seats notice if they notice the question."""
    options = zip(plan.options, plan.node.options, strict=True)
    return sum(((1 << o.size) - 1) << o.first for o, node in options if node.openly)
