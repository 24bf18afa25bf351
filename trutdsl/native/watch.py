"""Matches in machine code that can be stopped from outside: now and then somebody looks.

What is long in the rules counts its steps anyway (`ir.work`). After so many of them machine code
calls back, and leaves the match if it is told to. What is raised meanwhile, as by Ctrl-C, is kept
and comes out where the machine code was called.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import TYPE_CHECKING

from llvmlite import ir

from trutdsl.native.unit import ENGINE, I64, PTR, Value, const

if TYPE_CHECKING:
    from trutdsl.native.code import Code
    from trutdsl.native.emit_statements import RuleEmitter

OFTEN = 10_000_000  # steps between two looks: some milliseconds of play, a second at the most
# What stands behind the seats' entries at the table: whom to call, and how many steps are left.
CALL, LEFT, WATCH_ROOM = range(3)
LOOK = ctypes.CFUNCTYPE(ctypes.c_int64)


class Watch:
    """Looks whether play shall go on.

    raised: what was raised while machine code ran, and is still to be raised outside of it.
    call:   what machine code calls; not 0 if it has to stop.
    """

    def __init__(self) -> None:
        self.raised: list[BaseException] = []
        looks = self._look()
        next(looks)
        # A generator goes on inside its `try`. A function could be left by Ctrl-C before it comes
        # to its own, and what is raised would be lost on the way through machine code.
        self.call = LOOK(looks.__next__)

    def _look(self) -> Iterator[int]:
        try:
            while True:
                yield int(bool(self.raised))
        except GeneratorExit:
            raise
        except BaseException as e:
            self.raised.append(e)
        yield 1

    @property
    def address(self) -> int:
        """Where the machine code finds what it calls."""
        return ctypes.cast(self.call, ctypes.c_void_p).value or 0

    def raise_if_any(self) -> None:
        """Raise what was raised while machine code ran."""
        if self.raised:
            raise self.raised[0]


def emit_watch(code: RuleEmitter, steps: Value) -> None:
    """Write a look after enough steps, these among them; whoever says stop ends the match."""
    b, at = code.b, code.address(code.args[1], code.unit.behind_seats + 8 * LEFT)
    left = b.sub(b.load(at, typ=I64), b.add(steps, const(1)))
    b.store(left, at)
    with b.if_then(b.icmp_signed("<", left, const(0)), likely=False):
        look = code.small("look", [PTR], I64, _build_look)
        stops = b.not_(code.is_zero(b.call(look, [code.args[1]])))
        code.fail_if(stops, ENGINE, "the matches were stopped", code.span)


def _build_look(code: Code) -> None:
    for word in ("noinline", "cold"):
        code.function.attributes.add(word)
    b, (table,) = code.b, code.args
    start = code.unit.behind_seats
    b.store(const(OFTEN), code.address(table, start + 8 * LEFT))
    kind = ir.FunctionType(I64, [])
    call = b.load(code.address(table, start + 8 * CALL), typ=kind.as_pointer())
    b.ret(b.call(call, []))
