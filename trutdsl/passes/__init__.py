"""Optimization passes: from a program to an equivalent one with less work, for one table.

Each pass is a pure function of program and setting; `PASSES` lists them in the order in which they
run. The result of each is a program, so the reference engine can play it, and tests do so. The
results of a program, including errors and their positions, are the same before and after.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from trutdsl.ir import nodes
from trutdsl.ir.effects import CountedNode, Effects, Names, Work
from trutdsl.ir.nodes import Expression, Node, Program, rebuild_program
from trutdsl.ir.types import YES_NO
from trutdsl.passes.select_cards import select_cards
from trutdsl.table.setting import Setting


def settle_steps(program: Program, setting: Setting) -> Program:
    """Return the program with `steps` in all parts that can be long.

    So endless rules stop at the same step, however much later passes shorten them.
    """
    work = Work(program, setting.count)

    def settle(node: Node, old: Node) -> Node:
        if isinstance(node, CountedNode) and isinstance(old, CountedNode):
            return replace(node, steps=work.cost(old))
        return node

    return rebuild_program(program, settle)


def propagate_constants(program: Program, _: Setting) -> Program:
    """Return the program with the values of variables that no rule changes."""
    effects = Effects(program)
    constants = _constant_values(program, effects.assigned_names())

    def propagate(node: Node, old: Node) -> Node:
        match node:
            case nodes.Reveal() if isinstance(old, nodes.Reveal):
                return replace(node, what=old.what)
            case nodes.Binder(last=nodes.Expression()):
                return old  # its bounds decide the numbers of the actions
            case nodes.Hands() if isinstance(old, nodes.Hands):
                return replace(node, size=old.size, last=old.last)  # likewise
            case nodes.Var(span, type_, name, index) if name in constants:
                if index is None or effects.is_pure(index):
                    return nodes.Const(span, type_, constants[name])
            case nodes.Domain(where=nodes.Const(value=True)):
                return replace(node, where=None)
            case Expression():
                return _simplify(node)
        return node

    return rebuild_program(program, propagate)


def _constant_values(program: Program, assigned_names: Names) -> dict[str, int | bool | None]:
    """Return the values of variables with a constant start value that no rule changes."""
    return {
        variable.name: variable.initial.value
        for variable in program.variables.values()
        if variable.name not in assigned_names and isinstance(variable.initial, nodes.Const)
    }


def _simplify(node: Expression) -> Expression:
    match node:
        case nodes.Not(span, _, nodes.Const(value=value)):
            return nodes.Const(span, YES_NO, not value)
        case nodes.Logic(_, _, op, nodes.Const(value=value) as left, right):
            return right if bool(value) == (op == "and") else left
        case nodes.Logic(_, _, op, left, nodes.Const(value=value)) if bool(value) == (op == "and"):
            return left
        case nodes.Choice(_, _, nodes.Const(value=value), yes, no):
            return yes if value else no
    return node


def drop_checks(program: Program, setting: Setting) -> Program:
    """Return the program without checks for a card's suit, in a pack without special cards."""
    if None in setting.deck.suit:
        return program

    def drop(node: Node, _: Node) -> Node:
        match node:
            case nodes.Unwrap(_, type_, nodes.Builtin(_, _, "suit") as suit):
                return replace(suit, type=type_)
        return node

    return rebuild_program(program, drop)


Pass = Callable[[Program, Setting], Program]
PASSES: dict[str, Pass] = {
    "settle-steps": settle_steps,
    "propagate-constants": propagate_constants,
    "drop-checks": drop_checks,
    "select-cards": select_cards,
}


def optimize(program: Program, setting: Setting) -> Program:
    """Return a program of the same meaning at this table, after all passes."""
    for apply in PASSES.values():
        program = apply(program, setting)
    return program


def after_each(program: Program, setting: Setting) -> Iterator[tuple[str, Program]]:
    """Yield the name of each pass and the program after it."""
    for name, apply in PASSES.items():
        program = apply(program, setting)
        yield name, program
