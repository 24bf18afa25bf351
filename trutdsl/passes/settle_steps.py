"""Settles how many steps the rules count, before anything is rewritten.

So rules that come to no end are stopped at the same step however short passes make them.
"""

from __future__ import annotations

from dataclasses import replace

from trutdsl.ir.effects import CountedNode, Work
from trutdsl.ir.nodes import Node, Program
from trutdsl.ir.walk import rebuild_program
from trutdsl.table.setting import Setting


def settle_steps(program: Program, setting: Setting) -> Program:
    """Return the program with `steps` in whatever can be long."""
    work = Work(program, setting.count)

    def settle(node: Node, before: Node) -> Node:
        if isinstance(node, CountedNode) and isinstance(before, CountedNode):
            return replace(node, steps=work.cost(before))
        return node

    return rebuild_program(program, settle)
