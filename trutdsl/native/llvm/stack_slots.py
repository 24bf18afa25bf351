"""Stack slots: where the number of a bound name lies, if it has to lie anywhere.

What a name is bound to is known to whoever writes what follows, nearly always. Memory for it, and
the instructions that put it there, are written only when somebody has to look.
"""

from __future__ import annotations

from llvmlite import ir

from trutdsl.native.llvm.builder import Builder
from trutdsl.native.llvm.function import Code
from trutdsl.native.llvm.unit import I64, Value


class Slot:
    """Memory for one number, made when it is first read.

    address: where it lies, if that is settled already.
    """

    def __init__(self, address: Value | None = None) -> None:
        self.address = address
        self._put: list[tuple[Value, Value | None, Value]] = []  # a block, what is before, a number

    def write(self, code: Code, number: Value) -> None:
        """Put a number there."""
        block = code.b.block
        if self.address is not None:
            code.b.store(number, self.address)
        else:
            self._put.append(
                (block, block.instructions[-1] if block.instructions else None, number)
            )

    def read(self, code: Code) -> Value:
        """Return what lies there."""
        if self.address is None:
            start = Builder(code.function.entry_basic_block)
            start.position_at_start(start.block)
            self.address = start.alloca(I64)
            for block, before, number in self._put:
                _store_behind(block, before, number, self.address)
            code.b.position_at_end(code.b.block)
        return code.b.load(self.address, typ=I64)


def _store_behind(block: Value, before: Value | None, number: Value, address: Value) -> None:
    at = 0 if before is None else block.instructions.index(before) + 1
    first = ir.PhiInstr | ir.AllocaInstr  # which stand before all others of their block
    while at < len(block.instructions) and isinstance(block.instructions[at], first):
        at += 1
    b = Builder(block)
    if at < len(block.instructions):
        b.position_before(block.instructions[at])
    b.store(number, address)
