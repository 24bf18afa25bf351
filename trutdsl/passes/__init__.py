"""Optimization passes: from a program to an equivalent one with less work, for one table.

Each pass is a pure function of program and setting; `PASSES` lists them in the order in which they
run. The result of each is a program, so the reference engine can play it, and tests do so. The
results of a program, including errors and their positions, are the same before and after.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from trutdsl.ir import Program
from trutdsl.passes.select_cards import select_cards
from trutdsl.passes.short import drop_checks, propagate_constants, settle_steps
from trutdsl.table.setting import Setting

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
