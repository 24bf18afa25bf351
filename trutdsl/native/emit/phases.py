"""Phases of a match as instructions: deals, tricks and questions."""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from trutdsl.ir import nodes
from trutdsl.ir.effects import FEW
from trutdsl.ir.intervals import (
    MOST_DEALS,
    MOST_QUESTIONS,
    MOST_QUESTIONS_A_DEAL,
    MOST_REPEATS,
    window_of,
)
from trutdsl.ir.nodes import walk
from trutdsl.native.abi import DEAL, DEAL_END, MATCH_END, NONE
from trutdsl.native.emit import chance
from trutdsl.native.emit.builtins import each_hand, hand_of_number, number_of_hand
from trutdsl.native.emit.chance import emit_mix
from trutdsl.native.emit.rule_writer import END_MATCH, RuleWriter
from trutdsl.native.layout import TRICKS
from trutdsl.native.llvm import I1, I64, Value, const
from trutdsl.native.llvm.function import FunctionWriter
from trutdsl.table.actions import AskPlan, OptionPlan, constant_condition


def prepare_deal(code: FunctionWriter, deals: Value) -> None:
    """Compute early the start of the stream of the deal after this many."""
    following = code.b.add(deals, const(1))
    code.store("#next_deal", emit_mix(code, code.load("#key"), [following]))


def emit_deal(code: RuleWriter, node: nodes.DealBlock) -> None:
    """Write a deal: its stream, variables and sentences; too many deals end the match."""
    done = code.block("deal.end")
    b = code.b
    many, few = code.block("deals.over"), code.block("deals.left")
    over = b.icmp_signed(">=", code.load("#deals"), const(MOST_DEALS))
    b.cbranch(over, many, few).set_weights([1, 1 << 20])
    code.at(many)
    with code.memo.scope():
        _finish(code, const(NONE))
        code.leave(END_MATCH)
    code.at(few)
    code.before_deal()
    b, before = code.b, code.load("#deals")
    code.event(DEAL, before, code.load("dealer"))
    deals = b.add(before, const(1))
    code.store("#deals", deals)
    b.store(code.load("#next_deal"), code.chance_stream())
    prepare_deal(code, deals)
    chance.forget(code)
    code.store("#deal_open", const(1))
    end = b.add(code.load("#decisions"), const(MOST_QUESTIONS_A_DEAL))
    end = b.call(code.unit.extreme("smin"), [end, const(MOST_QUESTIONS)])
    code.store("#questions_end", end)
    code.forget_steps()
    for name, count in code.unit.shown():
        for i in range(count):
            code.store(f"{name}.shown", const(0), const(i))
    if TRICKS in code.unit.layout.fields:
        code.store(TRICKS, const(0))
    code.forget_heard()
    message = "this deal never reaches an `end deal`"
    _emit_phase(code, "deal", node.body, done, message)


def _emit_phase(
    code: RuleWriter, kind: str, body: nodes.Block, done: ir.Block, message: str
) -> None:
    """Emit the body of a deal or trick; it fails with the message if it reaches its last line."""
    code.start_variables(kind)
    with code.inside(**{f"end_{kind}": done}):
        code.block_of(body)
    if not code.b.block.is_terminated:
        code.fail_if(ir.Constant(ir.IntType(1), 1), "no-end", message, body.span)
        code.b.branch(done)
    code.at(done)


def emit_trick(code: RuleWriter, node: nodes.TrickBlock) -> None:
    b, done = code.b, code.block("trick.end")
    code.tell("#trick_leader", code.load("on_lead"))
    message = "this trick never reaches an `end trick`"
    _emit_phase(code, "trick", node.body, done, message)
    if TRICKS in code.unit.layout.fields:
        code.store(TRICKS, b.add(code.load(TRICKS), const(1)))
    code.after_trick(node.zone)


def winner_of(code: RuleWriter, node: nodes.Expression | None) -> Value:
    return const(NONE) if node is None else code.value(node)


def end_deal(code: RuleWriter, winner: Value, reason: str) -> None:
    code.store("#deal_open", const(0))
    code.tell("#deal_winner", winner)
    code.tell("#deal_reason", const(code.unit.reason(reason)))
    code.event(DEAL_END, winner, const(code.unit.reason(reason)))


def end_match(code: RuleWriter, winner: Value, reason: str | None) -> None:
    open_deal = code.b.not_(code.is_zero(code.load("#deal_open")))
    with code.b.if_then(open_deal):
        end_deal(code, winner, reason or "match_over")
    _finish(code, winner)


def _finish(code: RuleWriter, winner: Value) -> None:
    code.store("#winner", winner)
    code.event(MATCH_END, winner)


def emit_ask(code: RuleWriter, node: nodes.Ask) -> None:
    """Write a question: call the seat's policy and continue with its action."""
    plan, b = code.unit.plans[id(node)], code.b
    seat_value = code.value(node.seat)
    code.memo.forget(code.writes_of(node))  # it may be repeated
    ask, done = code.block("ask"), code.block("answered")
    again = None
    with code.keep_values(node):
        turns, seat_again = code.local(), code.hold(seat_value)
    b.store(const(1), turns)
    b.branch(ask)
    if any(isinstance(n, nodes.Again) for o in node.options for n in walk(o.body)):
        again = code.block("again")
        code.at(again)
        code.may_stop(const(min(code.unit.work.of(node), FEW)))
        turn = b.add(code.number(turns), const(1))
        b.store(turn, turns)
        many = b.icmp_signed(">", turn, const(MOST_REPEATS))
        code.fail_if(
            many, "too-long", f"'{node.decision}' was asked {MOST_REPEATS} times", node.span
        )
        b.branch(ask)
    code.at(ask)
    _count(code, node)
    seat = seat_again()
    words = _legal(code, node, plan)
    count = const(0)
    for number, word in enumerate(words):
        code.store("#legal", word, const(number))
        count = b.add(count, code.count_bits(word))
    for one, other in plan.same:
        both = b.and_(
            code.has_bit(words[one // 64], const(one % 64)),
            code.has_bit(words[other // 64], const(other % 64)),
        )
        code.fail_if(
            both, "same-option", f"two options of '{node.decision}' read the same", node.span
        )
    message = f"there is no legal action for '{node.decision}'"
    code.fail_if(code.is_zero(count), "no-option", message, node.span)
    code.store("#seat", seat)
    code.store("#decision", const(plan.number))
    action, rank = code.answer(seat, count, words)
    if id(node) not in code.unit.questions_without_steps:
        code.forget_steps()
    code.store("#decisions", b.add(code.load("#decisions"), const(1)))
    chose = has_choice(code, plan.words)
    code.store("#choices", b.add(code.load("#choices"), code.wide(chose)))

    def is_before(number: int) -> Value:
        """Tell whether the action's number is below this one, as early as possible."""
        if rank is None or len(words) > 1:
            return b.icmp_signed("<", action, const(number))
        lower = b.and_(words[0], const((1 << number) - 1))
        return b.icmp_signed("<", rank, code.count_bits(lower))

    _go_on(code, node, plan, action, is_before, again, done)
    code.at(done)


def has_choice(code: RuleWriter, words: int) -> Value:
    b, result, seen = code.b, ir.Constant(I1, 0), ir.Constant(I1, 0)
    for number in range(words):
        word = code.load("#legal", const(number))
        rest = b.and_(word, b.sub(word, const(1)))
        some = b.not_(code.is_zero(word))
        result = b.or_(result, b.or_(b.not_(code.is_zero(rest)), b.and_(seen, some)))
        seen = b.or_(seen, some)
    return result


def _count(code: RuleWriter, node: nodes.Ask) -> None:
    count = code.load("#decisions")
    with code.b.if_then(code.b.icmp_signed(">=", count, code.load("#questions_end")), likely=False):
        all_of_them = code.b.icmp_signed(">=", count, const(MOST_QUESTIONS))
        message = f"the match has more than {MOST_QUESTIONS:,} questions"
        code.fail_if(all_of_them, "too-long", message, node.span)
        message = f"there are more than {MOST_QUESTIONS_A_DEAL:,} questions without a new deal"
        code.fail_if(ir.Constant(I1, 1), "too-long", message, node.span)


def _legal(code: RuleWriter, node: nodes.Ask, plan: AskPlan) -> list[Value]:
    array = code.local_array(plan.words)

    def add(word: Value, bits: Value) -> None:
        at = code.b.gep(array, [word], source_etype=I64)
        code.b.store(code.b.or_(code.number(at), bits), at)

    for number in range(plan.words):
        at = code.b.gep(array, [const(number)], source_etype=I64)
        code.b.store(const(0), at)
    for option, option_plan in zip(node.options, plan.options, strict=True):
        with code.memo.scope():
            _add_option(code, option, option_plan, add)
    result = []
    for number in range(plan.words):
        at = code.b.gep(array, [const(number)], source_etype=I64)
        result.append(code.number(at))
    return result


def _add_option(
    code: RuleWriter,
    option: nodes.Option,
    option_plan: OptionPlan,
    add: Callable[[Value, Value], None],
) -> None:
    constant = constant_condition(option.condition, code.unit.setting, code.unit.effects)
    if constant is False and (option.early or all(map(code.is_safe, option.binders))):
        return
    condition = None if constant else option.condition
    late = condition is not None and not option.early
    after = code.block("next_option")
    if condition is not None and not late:
        allowed = code.block("allowed")
        code.b.cbranch(code.value(condition), allowed, after)
        code.at(allowed)
    word, shift = divmod(option_plan.first, 64)
    if not option.binders:
        add(const(word), const(1 << shift if shift < 63 else -(1 << 63)))
    elif len(option.binders) == 1 and _is_set(option.binders[0]) and not late:
        mask = code.value(option.binders[0].items)
        add(const(word), code.b.shl(mask, const(shift)))
    else:
        _each_choice(code, option, option_plan, 0, const(0), late, add)
    code.go(after)
    code.at(after)


def _is_set(binder: nodes.Binder) -> bool:
    return binder.last is None and not isinstance(binder.items, nodes.Hands)


def _each_choice(
    code: RuleWriter, option: nodes.Option, plan: OptionPlan, depth: int, digits: Value,
    late: bool, add: Callable[[Value, Value], None],
) -> None:  # fmt: skip
    """Loop over the choices of the options from `depth` on; record the legal ones."""
    b = code.b
    if depth == len(option.binders):
        after = code.block("looked_at")
        if late and option.condition is not None:
            allowed = code.block("allowed")
            b.cbranch(code.value(option.condition), allowed, after)
            code.at(allowed)
        number = b.add(digits, const(plan.first))
        add(b.lshr(number, const(6)), code.bit(b.and_(number, const(63))))
        code.go(after)
        code.at(after)
        return
    binder, choice = option.binders[depth], plan.choices[depth]
    if isinstance(binder.items, nodes.Hands):
        hands = binder.items
        cards, low = code.value(hands.cards), code.value(hands.size)
        high = code.value(hands.last) if hands.last is not None else low
        low = b.call(code.unit.extreme("smax"), [low, const(0)])
        high = b.call(code.unit.extreme("smin"), [high, code.count_bits(cards)])
        with code.numbers(low, b.add(high, const(1))) as size:
            value, turn, done = each_hand(code, cards, size)
            code.bind(binder.slot, value)
            following = b.add(
                b.mul(digits, const(choice.size)), number_of_hand(code, value, choice)
            )
            _each_choice(code, option, plan, depth + 1, following, late, add)
            code.go(turn)
            code.at(done)
        return
    if binder.last is None:
        value, turn, done = code.each_bit(code.value(binder.items))
    else:
        low, high = code.value(binder.items), code.value(binder.last)
        window = window_of(binder.items.type, binder.last.type)
        if window.cut:
            below = b.icmp_signed("<", low, const(window.low))
            above = b.icmp_signed(">", high, const(window.high))
            code.fail_if(b.or_(below, above), "too-long", window.message, binder.span)
        value, turn, done = code.each_number(low, b.add(high, const(1)))
    code.bind(binder.slot, value)
    digit = b.sub(value, const(choice.low))
    following = b.add(b.mul(digits, const(choice.size)), digit)
    _each_choice(code, option, plan, depth + 1, following, late, add)
    code.go(turn)
    code.at(done)


def _go_on(
    code: RuleWriter, node: nodes.Ask, plan: AskPlan, action: Value,
    is_before: Callable[[int], Value], again: Value | None, done: Value,
) -> None:  # fmt: skip
    b = code.b
    last = len(node.options) - 1
    for number, (option, option_plan) in enumerate(zip(node.options, plan.options, strict=True)):
        other = code.block("other")
        if number < last:
            block = code.block("option")
            beyond = plan.options[number + 1].first
            b.cbranch(is_before(beyond), block, other)
            code.at(block)
        rest = b.sub(action, const(option_plan.first)) if option_plan.first else action
        for depth in range(len(option.binders) - 1, -1, -1):
            choice = option_plan.choices[depth]
            digit = rest if depth == 0 else b.urem(rest, const(choice.size))
            rest = rest if depth == 0 else b.udiv(rest, const(choice.size))
            hand = hand_of_number(code, digit, choice) if choice.cards else None
            code.bind(option.binders[depth].slot, hand or b.add(digit, const(choice.low)))
        code.record_choice(plan, number)
        with code.inside(again=again), code.memo.scope():
            for binder in option.binders:
                if isinstance(binder.items, nodes.ZoneCards) and binder.last is None:
                    code.note_place(binder.slot, binder.items)
            code.block_of(option.body)
        code.go(done)
        code.at(other)
    b.unreachable()
