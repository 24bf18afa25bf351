"""Puts a program's functions together: a whole match, and a run of many."""

from __future__ import annotations

from llvmlite import ir

from trutdsl.ir import Program, nodes
from trutdsl.ir.builtins import VARIABLES
from trutdsl.native import piles
from trutdsl.native.actions import plan_actions
from trutdsl.native.emit_statements import END_MATCH, FAILED, DefineEmitter, RuleEmitter
from trutdsl.native.emit_steps import Advance, TellingEmitter
from trutdsl.native.layout import Layout
from trutdsl.native.questions import POLICY, POLICY_SIZE
from trutdsl.native.unit import I64, PTR, VOID, Code, Unit, const
from trutdsl.streams import CHANCE, SETUP, STRATEGY
from trutdsl.table.setting import Setting

# What a run adds up, 64-bit numbers in this order; then the wins of each team.
SUMS = ("matches", "failed", "deals", "decisions", "deals_squared", "draws")


def build_run(program: Program, setting: Setting, deposits: bool) -> Unit:
    """Return the module for many matches: `run_matches` and the policy `uniform`."""
    unit = _new_unit(program, setting, deposits, RuleEmitter)
    _build_start_match(unit)
    _build_play_match(unit)
    _build_run_matches(unit)
    _build_uniform(unit)
    return unit


def build_steps(program: Program, setting: Setting, deposits: bool) -> tuple[Unit, int]:
    """Return the module for one match, `start_match` and `advance`, and a match's size in bytes."""
    unit = _new_unit(program, setting, deposits, TellingEmitter)
    _build_start_match(unit)
    _build_uniform(unit)
    return unit, Advance(unit).frame


def _new_unit(program: Program, setting: Setting, deposits: bool, rules: type[RuleEmitter]) -> Unit:
    plans = plan_actions(program, setting)
    words = max((plan.words for plan in plans.values()), default=1)
    unit = Unit(program, setting, Layout(program, setting, words), deposits)
    unit.plans, unit.rule_emitter, unit.define_emitter = plans, rules, DefineEmitter
    return unit


def _exported(unit: Unit, name: str, params: list[object], result: object) -> RuleEmitter:
    function = ir.Function(unit.module, ir.FunctionType(result, params), name)
    return RuleEmitter(unit, function, 0, "rule 'match'")


def _build_start_match(unit: Unit) -> None:
    """start_match(match, table, seed, number): puts a match at its start."""
    code = _exported(unit, "start_match", [PTR, PTR, I64, I64], VOID)
    state, table, seed, number = code.args
    b = code.b
    fill = unit.module.declare_intrinsic(
        "llvm.memset", [PTR, I64], ir.FunctionType(VOID, [PTR, ir.IntType(8), I64, ir.IntType(1)])
    )
    zero, no = ir.Constant(ir.IntType(8), 0), ir.Constant(ir.IntType(1), 0)
    b.call(fill, [state, zero, const(unit.layout.size), no])
    code.store("#seed", seed)
    code.store("#match", number)
    key = code.stream_key([const(CHANCE), seed, number], const(0))
    code.store("#key", key)
    b.store(code.stream_key([const(SETUP), const(0)], key), code.chance_stream())
    for seat in range(unit.setting.players):
        name = b.load(code.address(table, POLICY_SIZE * seat + 16), typ=I64)
        own = code.stream_key([const(STRATEGY), seed, number, const(seat), name], const(0))
        b.store(own, code.address(table, POLICY_SIZE * seat + 8))
    code.store("#winner", const(-1))
    code.store("#deal_winner", const(-1))
    for variable in VARIABLES:
        code.store(variable, const(0))
    for zone in unit.program.zones.values():
        if zone.content is not None:
            _lay_out(code, zone)
    for lifetime in ("match", "deal", "trick"):
        code.start_variables(lifetime)
    b.ret_void()
    if code.failed is not None:
        code.at(code.failed)
        b.ret_void()


def _build_play_match(unit: Unit) -> None:
    """play_match(match, table, seed, number): plays a match from its start to its end."""
    code = _exported(unit, "play_match", [PTR, PTR, I64, I64], VOID)
    state, table, seed, number = code.args
    b = code.b
    b.call(unit.module.get_global("start_match"), [state, table, seed, number])
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


def _lay_out(code: RuleEmitter, zone: nodes.Zone) -> None:
    assert zone.content is not None
    kept = code.slots
    code.slots = [code.local() for _ in range(zone.slots)]
    card, turn, done = code.each_bit(code.value(zone.content))
    code.slots = kept
    piles.put_card(code, zone.name, const(0), card)
    code.go(turn)
    code.at(done)


def _build_run_matches(unit: Unit) -> None:
    """run_matches(match, table, seed, first, beyond, sums): plays matches and adds them up.

    Stops at the first match with a mistake, which then lies at `match`.
    """
    code = _exported(unit, "run_matches", [PTR, PTR, I64, I64, I64, PTR], VOID)
    state, table, seed, first, beyond, sums = code.args
    b = code.b

    def add(number: int, value: object, index: object = None) -> None:
        at = code.address(sums, 8 * number, index, 8)
        b.store(b.add(b.load(at, typ=I64), value), at)

    play = unit.module.get_global("play_match")
    number, turn, done = code.each_number(first, beyond, "match")
    b.call(play, [state, table, seed, number])
    failed = b.not_(code.is_zero(code.load("#error")))
    add(0, const(1))
    with b.if_then(failed, likely=False):
        add(1, const(1))
        b.branch(done)
    deals = code.load("#deals")
    add(2, deals)
    add(3, code.load("#decisions"))
    add(4, b.mul(deals, deals))
    winner = code.load("#winner")
    with b.if_else(b.icmp_signed("<", winner, const(0))) as (draw, won):
        with draw:
            add(5, const(1))
        with won:
            add(len(SUMS), const(1), winner)
    code.go(turn)
    code.at(done)
    b.ret_void()


def _build_uniform(unit: Unit) -> None:
    """The policy that takes every legal action equally often."""
    function = ir.Function(unit.module, POLICY, "uniform")
    code = Code(unit, function)
    entry, _, count = code.args
    code.b.ret(code.below(code.address(entry, 8), count))
