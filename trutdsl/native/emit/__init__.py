"""Code generation: LLVM instructions for each kind of node, and the functions of a program.

`build` writes these functions: a whole match, a run of many matches, or step-by-step play.
"""

from __future__ import annotations

from collections import Counter

from llvmlite import ir

from trutdsl.ir import Program, nodes
from trutdsl.ir.intervals import MOST_QUESTIONS_A_DEAL
from trutdsl.ir.types import VARIABLES
from trutdsl.native.abi import (
    BEFORE_DEAL,
    COLUMN,
    KEY,
    NEXT,
    OFTEN,
    PLAIN,
    STREAM,
    Form,
    Mode,
    record_fields,
)
from trutdsl.native.emit import piles
from trutdsl.native.emit.cards import make_sure_of_room
from trutdsl.native.emit.chance import emit_below_ahead, emit_mix, emit_siphash, emit_start
from trutdsl.native.emit.counting import AllCountsEmitter, CountingEmitter
from trutdsl.native.emit.phases import prepare_deal
from trutdsl.native.emit.policies import DefineEmitter, build_policies, stop_at_mistake
from trutdsl.native.emit.rule_writer import END_MATCH, FAILED, POLICY, note_any
from trutdsl.native.emit.search import build_search
from trutdsl.native.emit.statements import RuleEmitter
from trutdsl.native.emit.steps import Advance
from trutdsl.native.emit.telling import TellingEmitter
from trutdsl.native.layout import Layout
from trutdsl.native.llvm import I1, I8, I32, I64, PTR, RESULT, VOID, EmittedRule, Unit, const
from trutdsl.native.llvm.function import FunctionWriter
from trutdsl.streams import SETUP
from trutdsl.table.actions import plan_actions
from trutdsl.table.counts import column_type
from trutdsl.table.setting import Setting

SMALL = 25  # instructions


EMITTERS = {
    Form.MATCHES: RuleEmitter,
    Form.COUNTED: AllCountsEmitter,
    Form.BRIEF: CountingEmitter,
    Form.STEPS: TellingEmitter,
    Form.SEARCH: TellingEmitter,
    Form.EXACT: TellingEmitter,
}


def _write_rule(unit: Unit, rule: nodes.Rule) -> EmittedRule:
    params = [PTR, PTR, *[I64] * len(rule.params), *([PTR] if rule.result else [])]
    function = unit.private(f"rule.{rule.name}", ir.FunctionType(I64, params))
    code = EMITTERS[unit.mode.form](unit, function, rule.slots, rule.heading)
    code.build(rule)
    return EmittedRule(function, frozenset(code.signals), bool(code.signals))


def _write_define(unit: Unit, define: nodes.Function, is_counted: bool) -> EmittedRule:
    params = [PTR, *[I64] * len(define.params)]
    label = f"define.{define.name}" if is_counted else f"define.{define.name}, uncounted"
    function = unit.private(label, ir.FunctionType(RESULT, params))
    code = DefineEmitter(unit, function, define.slots, None)
    code.counts_steps = is_counted
    code.build_define(define)
    return EmittedRule(function, frozenset(), code.may_fail)


def build(program: Program, setting: Setting, mode: Mode) -> tuple[Unit, int]:
    """Return the module of a form of play, and the size of a match in bytes.

    `run_matches` plays whole matches and can count them. `start_match` and `advance` play one
    match step by step, `advance_many` plays many. The form SEARCH adds `search`. All forms
    have the policy `uniform`, those with counts also `playback`.
    """
    unit = new_unit(program, setting, mode)
    size = unit.layout.size
    _build_start_match(unit)
    if mode.whole:
        _build_play_match(unit)
    _build_uniform(unit)
    if mode.counts:
        _build_playback(unit)
    if mode.form is not Form.STEPS:
        build_policies(unit)
    match mode.form:
        case Form.MATCHES | Form.COUNTED | Form.BRIEF:
            _build_run_matches(unit)
        case Form.STEPS | Form.SEARCH | Form.EXACT:
            size = Advance(unit).size
            _build_advance_many(unit)
            if mode.form is Form.SEARCH:
                build_search(unit, size)
            if mode.form is not Form.STEPS:
                _build_answer_many(unit)
    _join_once_called(unit)
    return unit, size


def new_unit(program: Program, setting: Setting, mode: Mode) -> Unit:
    """Return an empty module with its layout and the plans of its questions."""
    plans = plan_actions(program, setting)
    words = max((plan.words for plan in plans.values()), default=1)
    layout = Layout(program, setting, words, mode.form is Form.EXACT)
    return Unit(program, setting, plans, layout, mode, _write_rule, _write_define)


def _join_once_called(unit: Unit) -> None:
    """Inline functions with one call into their caller at once.

    LLVM would do the same in the end. But first it would optimize the function by itself, and then
    again in every function around it. This takes twice the time for the same speed of play. LLVM
    inlines small functions: they take little time, and it places them better.
    """
    module = unit.module
    instructions_of = {
        f.name: [i for b in f.blocks for i in b.instructions] for f in module.functions
    }
    calls = Counter(
        instruction.callee.name
        for instructions in instructions_of.values()
        for instruction in instructions
        if isinstance(instruction, ir.CallInstr)
    )
    for function in module.functions:
        internal = function.linkage == "internal" and "noinline" not in function.attributes
        if internal and calls[function.name] == 1 and len(instructions_of[function.name]) >= SMALL:
            function.attributes.add("alwaysinline")


def _export(unit: Unit, name: str, params: list[object], result: object) -> RuleEmitter:
    function = unit.export(name, ir.FunctionType(result, params))
    return RuleEmitter(unit, function, 0, "rule 'match'")


def _build_start_match(unit: Unit) -> None:
    """start_match(match, table, the two halves of the chance key, number): begins a match."""
    code = _export(unit, "start_match", [PTR, PTR, I64, I64, I64], VOID)
    state, table, *key, number = code.args
    b = code.b
    fill = unit.module.declare_intrinsic(
        "llvm.memset", [PTR, I64], ir.FunctionType(VOID, [PTR, ir.IntType(8), I64, ir.IntType(1)])
    )
    zero, no = ir.Constant(ir.IntType(8), 0), ir.Constant(ir.IntType(1), 0)
    b.call(fill, [state, zero, const(unit.layout.size), no])
    key_of_match = emit_siphash(code, key, [number])
    code.store("#key", key_of_match)
    prepare_deal(code, const(0))
    b.store(emit_mix(code, key_of_match, [const(SETUP)]), code.chance_stream())
    for seat in range(unit.setting.players):
        entry = unit.entry_size * seat
        low, high = (b.load(code.address(table, entry + 8 * at), typ=I64) for at in (KEY, KEY + 1))
        own = emit_siphash(code, [low, high], [number, const(seat)])
        emit_start(code, own, code.address(table, entry + 8 * STREAM))
        if unit.program.policies:
            rest = unit.entry_size - 8 * PLAIN
            b.call(fill, [code.address(table, entry + 8 * PLAIN), zero, const(rest), no])
    code.store("#questions_end", const(MOST_QUESTIONS_A_DEAL))
    code.store("#winner", const(-1))
    code.store("#deal_winner", const(-1))
    for variable in VARIABLES:
        code.store(variable, const(0))
    _lay_out(code)
    for lifetime in ("match", "deal", "trick"):
        code.start_variables(lifetime)
    b.ret_void()
    if code.failed is not None:
        code.at(code.failed)
        b.ret_void()


def _build_play_match(unit: Unit) -> None:
    """play_match(match, table, key, key, number): plays a match from its start to its end."""
    code = _export(unit, "play_match", [PTR, PTR, I64, I64, I64], VOID)
    state, table, *key, number = code.args
    b = code.b
    b.call(unit.module.get_global("start_match"), [state, table, *key, number])
    with b.if_then(b.not_(code.is_zero(code.load("#error"))), likely=False):
        b.ret_void()  # the initial value of a zone or variable was an error
    rule = unit.rule("match")
    left = b.call(rule.function, [state, table])
    ended = b.or_(
        b.icmp_signed("==", left, const(END_MATCH)), b.icmp_signed("==", left, const(FAILED))
    )
    span = unit.program.rules["match"].span
    code.fail_if(b.not_(ended), "no-end", "the match never reaches an `end match`", span)
    b.ret_void()
    if code.failed is not None:
        code.at(code.failed)
        b.ret_void()


def _lay_out(code: RuleEmitter) -> None:
    """Lay out the initial cards of each zone."""
    earlier: dict[str, ir.Value] = {}
    for zone in code.unit.program.zones.values():
        if zone.content is None:
            continue
        with code.other_slots(zone.slots):
            content = code.value(zone.content)
        for other, cards in earlier.items():
            message = f"'{zone.name}' starts with cards that '{other}' starts with too"
            twice = code.b.not_(code.is_zero(code.b.and_(content, cards)))
            code.fail_if(twice, "two-places", message, zone.content.span)
        make_sure_of_room(code, zone.name, code.count_bits(content), zone.content.span)
        earlier[zone.name] = content
        if isinstance(content, ir.Constant):
            piles.lay_out(code, zone.name, content.constant)
            continue
        with code.bits(content) as card:
            piles.put_card(code, zone.name, const(0), card)


def _build_run_matches(unit: Unit) -> None:
    """run_matches(match, table, key, key, first, beyond, columns) -> number of matches played.

    It writes `record_fields` of each match into their columns, and counts the match in that form.
    It stops at the first match with an error, which is then in `match`.
    """
    params = [PTR, PTR, I64, I64, I64, I64, PTR]
    function = unit.export("run_matches", ir.FunctionType(I64, params))
    code = EMITTERS[unit.mode.form](unit, function, 0, "rule 'match'")
    state, table, *key, first, end, columns = code.args
    b = code.b
    fields = record_fields(unit.counters, unit.setting)
    play = unit.module.get_global("play_match")
    with code.numbers(first, end, "match") as number:
        b.call(play, [state, table, *key, number])
        stop_at_mistake(code, b.sub(number, first))
        row = b.sub(number, first)
        for place, (name, at) in enumerate(fields):
            bits = 8 * column_type(place)().itemsize
            value = code.load(name, const(at))
            begin, step = (
                b.load(code.address(columns, 8 * (COLUMN * place + part)), typ=kind)
                for part, kind in enumerate((PTR, I64))
            )
            narrow = value if bits == I64.width else b.trunc(value, ir.IntType(bits))
            b.store(narrow, b.gep(begin, [b.mul(row, step)], source_etype=I8))
        if isinstance(code, CountingEmitter):
            code.count_match()
    b.ret(b.sub(end, first))
    if code.failed is not None:
        code.at(code.failed)
        b.ret(const(0))


def _build_advance_many(unit: Unit) -> None:
    """advance_many(matches, tables, match size, table size, rows, count, whys) -> number done.

    It calls `advance` for the matches of these rows until each waits for a seat or is over. After
    `OFTEN` steps it returns early; the next call continues with the others.
    """
    code = _export(unit, "advance_many", [PTR, PTR, I64, I64, PTR, I64, PTR], I64)
    matches, tables, match_size, table_size, rows, count, whys = code.args
    b = code.b
    advance = unit.module.get_global("advance")
    left = code.cell(const(OFTEN))
    with code.numbers(const(0), count, "row") as place:
        row = b.load(code.address(rows, 0, place, 8), typ=I64)
        match = b.gep(matches, [b.mul(row, match_size)], source_etype=I8)
        table = b.gep(tables, [b.mul(row, table_size)], source_etype=I8)
        again = code.block("again")
        b.branch(again)
        code.at(again)
        why = b.call(advance, [match, table])
        offset = const(unit.layout.fields["#steps"].offset)
        decisions = b.load(b.gep(match, [offset], source_etype=I8), typ=I32)
        left_now = b.sub(b.load(left, typ=I64), b.add(b.zext(decisions, I64), const(1)))
        b.store(left_now, left)
        goes_on, waits, enough = map(code.block, ("goes_on", "waits", "enough"))
        is_between_deals = b.icmp_signed("==", why, const(BEFORE_DEAL))
        if unit.mode.form is Form.EXACT:
            is_between_deals = ir.Constant(I1, 0)
        b.cbranch(is_between_deals, goes_on, waits)
        code.at(goes_on)
        b.cbranch(b.icmp_signed(">", left_now, const(0)), again, enough)
        code.at(enough)
        b.ret(place)
        code.at(waits)
        b.store(why, code.address(whys, 0, row, 8))
        with b.if_then(b.icmp_signed("<", left_now, const(0)), likely=False):
            b.ret(b.add(place, const(1)))
    b.ret(count)


def _build_answer_many(unit: Unit) -> None:
    """answer_many(policy, matches, entries, match size, entry size, counts, count, ranks).

    Asks a policy in each of so many matches, with an entry of its own in each. counts: how many
    actions are legal there.
    """
    code = _export(unit, "answer_many", [I64, PTR, PTR, I64, I64, PTR, I64, PTR], VOID)
    policy, matches, entries, match_size, entry_size, counts, count, ranks = code.args
    b = code.b
    with code.numbers(const(0), count, "row") as row:
        match = b.gep(matches, [b.mul(row, match_size)], source_etype=I8)
        entry = b.gep(entries, [b.mul(row, entry_size)], source_etype=I8)
        legal = b.load(code.address(counts, 0, row, 8), typ=I64)
        called = b.inttoptr(policy, POLICY.as_pointer())
        b.store(b.call(called, [entry, match, legal]), code.address(ranks, 0, row, 8))
    b.ret_void()


def _build_uniform(unit: Unit) -> None:
    """Write the policy that takes every legal action with equal probability."""
    function = unit.export("uniform", POLICY)
    code = FunctionWriter(unit, function)
    entry, _, count = code.args
    note_any(code, entry)
    code.b.ret(emit_below_ahead(code, code.address(entry, 8 * STREAM), count))


def _build_playback(unit: Unit) -> None:
    """Write the policy that takes actions whose ranks among the legal ones are given, in order."""
    code = FunctionWriter(unit, unit.export("playback", POLICY))
    at = code.address(code.args[0], 8 * NEXT)
    rank = code.b.load(at, typ=PTR)
    code.b.store(code.address(rank, 8), at)
    code.b.ret(code.number(rank))
