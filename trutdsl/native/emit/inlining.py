"""Inlining: rules and defines written where they are done, with what is known there."""

from __future__ import annotations

from llvmlite import ir

from trutdsl.ir import nodes
from trutdsl.ir.types import YesNo
from trutdsl.native.emit.rule_writer import Outcomes, RuleWriter
from trutdsl.native.llvm.unit import I1, I64, Value


def emit_in_place(code: RuleWriter, part: nodes.Function | nodes.Rule, args: list[Value]) -> Value:
    """Write a `define` or rule, and return what it gives.

    What comes to be known in it stays known if there is only one way out of it, from its last line.
    """
    with code.other_slots(part.slots):
        for slot, value in enumerate(args):
            code.bind(slot, value)
        if not isinstance(part.body, nodes.Block):
            return code.value(part.body)
        with code.memo.scope() as known:
            outcomes, last = _write_body(code, part)
    if not outcomes:
        if _gives(part):  # nobody comes here, but what follows is written for somebody who does
            return ir.Constant(I1 if isinstance(part.result, YesNo) else I64, 0)
        code.b.unreachable()
        return None
    found, left = outcomes[0]
    if len(outcomes) == 1:
        for key, (value, rests_on) in known.items() if left is last else ():
            code.memo.keep(key, value, rests_on)
    elif found is not None:
        found = code.b.joined(outcomes)
    return found


def _write_body(code: RuleWriter, part: nodes.Function | nodes.Rule) -> tuple[Outcomes, Value]:
    """Write the sentences; go on where all ways out meet. Return these, and the last block."""
    assert isinstance(part.body, nodes.Block)
    before, outcomes, done = (code.outcomes, code.place), Outcomes(), code.block(f"{part.name}.end")
    code.outcomes = outcomes
    if isinstance(part, nodes.Rule):
        code.place = part.heading
    with code.inside(done=done, stop=None, next=None, again=None):
        code.block_of(part.body)
    code.outcomes, code.place = before
    last = code.b.block
    if not last.is_terminated:
        if _gives(part):
            code.b.unreachable()
        else:
            outcomes.append((None, last))
            code.b.branch(done)
    code.at(done)
    return outcomes, last


def _gives(part: nodes.Function | nodes.Rule) -> bool:
    return isinstance(part, nodes.Function) or part.result is not None
