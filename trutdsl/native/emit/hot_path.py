"""Hot path: defines written for when no flag is raised; all else is left to their functions.

A flag is a yes/no of each seat or team that every deal or trick starts as no, such as which teams
have folded. Without them most of what a define looks at is settled.
"""

from __future__ import annotations

from trutdsl.ir import nodes
from trutdsl.ir.analysis.cost import FEW
from trutdsl.ir.types import Kind, YesNo
from trutdsl.ir.walk import walk
from trutdsl.native.emit.values import Values
from trutdsl.native.llvm.unit import Unit, Value, const

WORTH = 40  # nodes of a define that is written twice
ODDS = 100  # how many times more often no flag is raised


def flags_of(unit: Unit, define: nodes.Function) -> frozenset[str]:
    """Return the flags that a define looks at, if it goes through seats or teams itself."""
    if not WORTH <= unit.work.of(define.body) <= FEW or not is_plain(define.body):
        return frozenset()
    if not any(isinstance(node, nodes.Quantifier) for node in walk(define.body)):
        return frozenset()
    looked_at = unit.effects.read_by(define.body)
    return frozenset(
        v.name
        for v in unit.program.variables.values()
        if v.name in looked_at and isinstance(v.type, YesNo) and v.index in (Kind.SEAT, Kind.TEAM)
        if v.lifetime != "match" and isinstance(v.initial, nodes.Const) and not v.initial.value
    )


def emit_apart(
    code: Values, define: nodes.Function, args: list[Value], flags: frozenset[str]
) -> Value:
    """Return what a define gives: written here for no flag raised, else from its function."""
    b, raised = code.b, const(0)
    for name in sorted(flags):
        for place in range(code.unit.layout.fields[name].count):
            raised = b.or_(raised, code.load(name, const(place)))
    mostly, rarely, done = map(code.block, ("mostly", "rarely", f"{define.name}.end"))
    b.cbranch(code.is_zero(raised), mostly, rarely).set_weights([ODDS, 1])
    ways = []
    for block in (mostly, rarely):
        code.at(block)
        with code.aside():
            if block is mostly:
                code.memo.lower(flags)
                value = code.in_place(define, args)
            else:
                code.unit.define(define.name).function.attributes.add("noinline")
                value = code.call_function(define, args)
        ways.append((value, b.block))
        b.branch(done)
    code.at(done)
    return b.joined(ways)


def is_plain(body: nodes.Expression | nodes.Block) -> bool:
    """Tell whether a `define` is an expression, or one behind names that are bound for it."""
    if not isinstance(body, nodes.Block):
        return True
    *lets, last = body.statements
    return isinstance(last, nodes.Return) and all(isinstance(s, nodes.Let) for s in lets)
