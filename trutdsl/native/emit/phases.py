"""Where deals, tricks and matches begin and end, as instructions."""

from __future__ import annotations

from llvmlite import ir

from trutdsl.ir import nodes
from trutdsl.ir.intervals import MOST_DEALS, MOST_QUESTIONS, MOST_QUESTIONS_A_DEAL
from trutdsl.native.abi import DEAL, DEAL_END, MATCH_END, NONE
from trutdsl.native.emit import chance
from trutdsl.native.emit.rule_writer import END_MATCH, RuleWriter
from trutdsl.native.layout import TRICKS
from trutdsl.native.llvm.function import FunctionWriter
from trutdsl.native.llvm.random_numbers import emit_mixed
from trutdsl.native.llvm.unit import Value, const


def prepare_deal(code: FunctionWriter, deals: Value) -> None:
    """Work out where the stream of the deal after so many starts, before anything waits for it."""
    following = code.b.add(deals, const(1))
    code.store("#next_deal", emit_mixed(code, code.load("#key"), [following]))


def emit_deal(code: RuleWriter, node: nodes.DealBlock) -> None:
    """Write a deal, its stream, its variables, its sentences; after too many the match is over."""
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
    code.start_variables("deal")
    with code.inside(end_deal=done):
        code.block_of(node.body)
    if not code.b.block.is_terminated:
        message = "this deal comes to no `end deal`"
        code.fail_if(ir.Constant(ir.IntType(1), 1), "no-end", message, node.body.span)
        code.b.branch(done)
    code.at(done)


def emit_trick(code: RuleWriter, node: nodes.TrickBlock) -> None:
    """Write a trick: its leader, its variables, its sentences."""
    b, done = code.b, code.block("trick.end")
    code.tell("#trick_leader", code.load("on_lead"))
    code.start_variables("trick")
    with code.inside(end_trick=done):
        code.block_of(node.body)
    if not code.b.block.is_terminated:
        message = "this trick comes to no `end trick`"
        code.fail_if(ir.Constant(ir.IntType(1), 1), "no-end", message, node.body.span)
        code.b.branch(done)
    code.at(done)
    if TRICKS in code.unit.layout.fields:
        code.store(TRICKS, b.add(code.load(TRICKS), const(1)))
    code.after_trick(node.zone)


def winner_of(code: RuleWriter, node: nodes.Expression | None) -> Value:
    """Return a winner, or none."""
    return const(NONE) if node is None else code.value(node)


def end_deal(code: RuleWriter, winner: Value, reason: str) -> None:
    """Write the end of a deal."""
    code.store("#deal_open", const(0))
    code.tell("#deal_winner", winner)
    code.tell("#deal_reason", const(code.unit.reason(reason)))
    code.event(DEAL_END, winner, const(code.unit.reason(reason)))


def end_match(code: RuleWriter, winner: Value, reason: str | None) -> None:
    """Write the end of a match, and of the deal that is going on."""
    open_deal = code.b.not_(code.is_zero(code.load("#deal_open")))
    with code.b.if_then(open_deal):
        end_deal(code, winner, reason or "match_over")
    _finish(code, winner)


def _finish(code: RuleWriter, winner: Value) -> None:
    """Write the end of a match between two deals."""
    code.store("#winner", winner)
    code.event(MATCH_END, winner)
