"""Safepoints: now and then machine code lets somebody look whether play shall go on.

What is long in the rules counts its steps anyway (`ir.analysis.cost`). After so many of them
machine code calls back, and leaves the match if it is told to. Steps are bounds, often far above
what is done: where so many of them took hardly any time, the next look comes after twice as many.
What is raised meanwhile, as by Ctrl-C, is kept and comes out where the machine code was called.
"""

from __future__ import annotations

from llvmlite import ir

from trutdsl.native.abi import CALL, ENGINE, LEFT
from trutdsl.native.emit.body import Body
from trutdsl.native.llvm.function import Code
from trutdsl.native.llvm.unit import I64, PTR, Value, const


def emit_watch(code: Body, steps: Value) -> None:
    """Write a look after enough steps, these among them; whoever says stop ends the match."""
    b, at = code.b, code.address(code.args[1], code.unit.behind_seats + 8 * LEFT)
    left = b.sub(b.load(at, typ=I64), b.add(steps, const(1)))
    b.store(left, at)
    with b.if_then(b.icmp_signed("<", left, const(0)), likely=False):
        look = code.small("look", [PTR], I64, _build_look)
        stops = code.is_zero(b.call(look, [code.args[1]]))
        code.fail_if(stops, ENGINE, "the matches were stopped", code.span)


def _build_look(code: Code) -> None:
    for word in ("noinline", "cold"):
        code.function.attributes.add(word)
    b, (table,) = code.b, code.args
    start = code.unit.behind_seats
    kind = ir.FunctionType(I64, [])
    call = b.load(code.address(table, start + 8 * CALL), typ=kind.as_pointer())
    steps = b.call(call, [])
    b.store(steps, code.address(table, start + 8 * LEFT))
    b.ret(steps)
