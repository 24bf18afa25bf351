"""Puts a program's functions together: a whole match, and a run of many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from llvmlite import ir

from trutdsl.ir import Program, nodes
from trutdsl.ir.bounds import MOST_QUESTIONS_A_DEAL
from trutdsl.ir.builtins import VARIABLES
from trutdsl.native import piles
from trutdsl.native.actions import plan_actions
from trutdsl.native.code import Code
from trutdsl.native.emit_counts import RUN_COUNTED, CountingEmitter, build_run_counted
from trutdsl.native.emit_defines import DefineEmitter
from trutdsl.native.emit_statements import END_MATCH, FAILED, RuleEmitter
from trutdsl.native.emit_steps import BEFORE_DEAL, Advance, TellingEmitter
from trutdsl.native.layout import Layout
from trutdsl.native.prune import Unused
from trutdsl.native.questions import POLICY
from trutdsl.native.unit import I8, I32, I64, POLICY_SIZE, PTR, VOID, Build, Unit, const
from trutdsl.native.watch import OFTEN
from trutdsl.streams import SETUP
from trutdsl.table.setting import Setting

SMALL = 25  # instructions


def build_run(program: Program, setting: Setting, how: Build) -> tuple[Unit, int]:
    """Return the module for many matches, `run_matches` and the policy `uniform`.

    With it comes the size of a match in bytes.
    """
    unit = _unit_of_matches(program, setting, how, RuleEmitter)
    _build_run_matches(unit)
    _join_once_called(unit)
    return unit, unit.layout.size


def build_counted(program: Program, setting: Setting, how: Build) -> tuple[Unit, int]:
    """Return the module for many matches that are counted, `run_counted`, and a match's size."""
    unit = _unit_of_matches(program, setting, how, CountingEmitter)
    function = unit.exported("run_counted", RUN_COUNTED)
    build_run_counted(CountingEmitter(unit, function, 0, "rule 'match'"))
    _join_once_called(unit)
    return unit, unit.layout.size


def _unit_of_matches(
    program: Program, setting: Setting, how: Build, rules: type[RuleEmitter]
) -> Unit:
    """Return a module that can play a whole match, where nobody follows it."""
    unit = new_unit(program, setting, how, rules)
    unit.unused = Unused(program, setting, unit.effects, unit.work)
    _build_start_match(unit)
    _build_play_match(unit)
    _build_uniform(unit)
    return unit


def build_steps(program: Program, setting: Setting, how: Build) -> tuple[Unit, int]:
    """Return the module for one match, `start_match` and `advance`, and a match's size in bytes."""
    unit = new_unit(program, setting, how, TellingEmitter)
    _build_start_match(unit)
    _build_uniform(unit)
    size = Advance(unit).frame
    _build_advance_many(unit)
    _join_once_called(unit)
    return unit, size


def new_unit(
    program: Program,
    setting: Setting,
    how: Build,
    rules: type[RuleEmitter] = RuleEmitter,
) -> Unit:
    """Return a module in which nothing is built yet: its layout, and the plans of its questions."""
    plans = plan_actions(program, setting)
    words = max((plan.words for plan in plans.values()), default=1)
    unit = Unit(program, setting, Layout(program, setting, words), how)
    unit.plans, unit.rule_emitter, unit.define_emitter = plans, rules, DefineEmitter
    return unit


def _join_once_called(unit: Unit) -> None:
    """Have a function that is called at one place only become part of its caller at once.

    LLVM would do the same in the end, but only after it has worked on the function by itself and
    again in every function around it: twice the time for the same speed of play. Small functions
    are left to it, as they take little time and it knows better where to put them.
    """
    module = unit.module
    inside = {f.name: [i for b in f.blocks for i in b.instructions] for f in module.functions}
    calls = Counter(
        instruction.callee.name
        for instructions in inside.values()
        for instruction in instructions
        if isinstance(instruction, ir.CallInstr)
    )
    for function in module.functions:
        internal = function.linkage == "internal" and "noinline" not in function.attributes
        if internal and calls[function.name] == 1 and len(inside[function.name]) >= SMALL:
            function.attributes.add("alwaysinline")


def _exported(unit: Unit, name: str, params: list[object], result: object) -> RuleEmitter:
    function = unit.exported(name, ir.FunctionType(result, params))
    return RuleEmitter(unit, function, 0, "rule 'match'")


def _build_start_match(unit: Unit) -> None:
    """start_match(match, table, the two halves of the chance's key, number): begins a match."""
    code = _exported(unit, "start_match", [PTR, PTR, I64, I64, I64], VOID)
    state, table, *key, number = code.args
    b = code.b
    fill = unit.module.declare_intrinsic(
        "llvm.memset", [PTR, I64], ir.FunctionType(VOID, [PTR, ir.IntType(8), I64, ir.IntType(1)])
    )
    zero, no = ir.Constant(ir.IntType(8), 0), ir.Constant(ir.IntType(1), 0)
    b.call(fill, [state, zero, const(unit.layout.size), no])
    begun = code.siphash(key, [number])
    code.store("#key", begun)
    b.store(code.mixed(begun, [const(SETUP), const(0)]), code.chance_stream())
    for seat in range(unit.setting.players):
        low, high = (
            b.load(code.address(table, POLICY_SIZE * seat + at), typ=I64) for at in (16, 24)
        )
        own = code.siphash([low, high], [number, const(seat)])
        b.store(own, code.address(table, POLICY_SIZE * seat + 8))
    code.store("#questions_end", const(MOST_QUESTIONS_A_DEAL))
    code.store("#winner", const(-1))
    code.store("#deal_winner", const(-1))
    for variable in VARIABLES:
        code.store(variable, const(0))
    contents = [z for z in unit.program.zones.values() if z.content is not None]
    unit.all_cards = _together([_lay_out(code, zone) for zone in contents])
    for lifetime in ("match", "deal", "trick"):
        code.start_variables(lifetime)
    b.ret_void()
    if code.failed is not None:
        code.at(code.failed)
        b.ret_void()


def _build_play_match(unit: Unit) -> None:
    """play_match(match, table, key, key, number): plays a match from its start to its end."""
    code = _exported(unit, "play_match", [PTR, PTR, I64, I64, I64], VOID)
    state, table, *key, number = code.args
    b = code.b
    b.call(unit.module.get_global("start_match"), [state, table, *key, number])
    with b.if_then(b.not_(code.is_zero(code.load("#error"))), likely=False):
        b.ret_void()  # what a variable starts as was a mistake
    made = unit.rule("match")
    left = b.call(made.function, [state, table])
    ended = b.or_(
        b.icmp_signed("==", left, const(END_MATCH)), b.icmp_signed("==", left, const(FAILED))
    )
    span = unit.program.rules["match"].span
    code.fail_if(b.not_(ended), "no-end", "the match comes to no `end match`", span)
    b.ret_void()
    if code.failed is not None:
        code.at(code.failed)
        b.ret_void()


def _lay_out(code: RuleEmitter, zone: nodes.Zone) -> int | None:
    """Lay out what a zone starts with; return its mask if that is always the same."""
    assert zone.content is not None
    with code.other_slots(zone.slots):
        content = code.value(zone.content)
    if isinstance(content, ir.Constant):
        piles.lay_out(code, zone.name, content.constant)
        return int(content.constant)
    card, turn, done = code.each_bit(content)
    piles.put_card(code, zone.name, const(0), card)
    code.go(turn)
    code.at(done)
    return None


def _together(masks: list[int | None]) -> int | None:
    """Return the cards of all zones, if these are always the same and none lies in two of them."""
    everything = 0
    for mask in masks:
        if mask is None or everything & mask:
            return None
        everything |= mask
    return everything


def _build_run_matches(unit: Unit) -> None:
    """run_matches(match, table, key, key, first, beyond, records) -> how many were played.

    Writes a row of `record_fields` for each match; stops at the first one with a mistake, which
    then lies at `match`.
    """
    code = _exported(unit, "run_matches", [PTR, PTR, I64, I64, I64, I64, PTR], I64)
    state, table, *key, first, beyond, records = code.args
    b = code.b
    fields = record_fields(unit.counters, unit.setting)
    play = unit.module.get_global("play_match")
    number, turn, done = code.each_number(first, beyond, "match")
    b.call(play, [state, table, *key, number])
    with b.if_then(b.not_(code.is_zero(code.load("#error"))), likely=False):
        b.ret(b.sub(number, first))
    row = b.mul(b.sub(number, first), const(len(fields)))
    for place, (name, at) in enumerate(fields):
        value = code.load(name, const(at))
        b.store(value, code.address(records, 8 * place, row, 8))
    code.go(turn)
    code.at(done)
    b.ret(b.sub(beyond, first))
    if code.failed is not None:
        code.at(code.failed)
        b.ret(const(0))


def record_fields(names: Sequence[str], setting: Setting) -> list[tuple[str, int]]:
    """Return what is kept of a match: winner, deals, decisions, then each counter by team."""
    counters = [(name, team) for name in names for team in range(setting.teams)]
    return [("#winner", 0), ("#deals", 0), ("#decisions", 0), *counters]


def _build_advance_many(unit: Unit) -> None:
    """advance_many(matches, tables, match size, table size, rows, count, whys) -> how many done.

    Calls `advance` for the matches of these rows until each waits for a seat or is over, or, after
    `OFTEN` steps, until somebody calls it again for those that are left.
    """
    code = _exported(unit, "advance_many", [PTR, PTR, I64, I64, PTR, I64, PTR], I64)
    matches, tables, match_size, table_size, rows, count, whys = code.args
    b = code.b
    advance = unit.module.get_global("advance")
    left = code.local()
    b.store(const(OFTEN), left)
    place, turn, done = code.each_number(const(0), count, "row")
    row = b.load(code.address(rows, 0, place, 8), typ=I64)
    match = b.gep(matches, [b.mul(row, match_size)], source_etype=I8)
    table = b.gep(tables, [b.mul(row, table_size)], source_etype=I8)
    again = code.block("again")
    b.branch(again)
    code.at(again)
    why = b.call(advance, [match, table])
    offset = const(unit.layout.fields["#steps"].offset)
    counted = b.load(b.gep(match, [offset], source_etype=I8), typ=I32)
    left_now = b.sub(b.load(left, typ=I64), b.add(b.zext(counted, I64), const(1)))
    b.store(left_now, left)
    goes_on, waits, enough = map(code.block, ("goes_on", "waits", "enough"))
    b.cbranch(b.icmp_signed("==", why, const(BEFORE_DEAL)), goes_on, waits)
    code.at(goes_on)
    b.cbranch(b.icmp_signed(">", left_now, const(0)), again, enough)
    code.at(enough)
    b.ret(place)
    code.at(waits)
    b.store(why, code.address(whys, 0, row, 8))
    with b.if_then(b.icmp_signed("<", left_now, const(0)), likely=False):
        b.ret(b.add(place, const(1)))
    code.go(turn)
    code.at(done)
    b.ret(count)


def _build_uniform(unit: Unit) -> None:
    """The policy that takes every legal action equally often."""
    function = unit.exported("uniform", POLICY)
    code = Code(unit, function)
    entry, _, count = code.args
    code.b.ret(code.below(code.address(entry, 8), count))
