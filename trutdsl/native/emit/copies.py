"""Copies of matches: handled as blocks of memory, whatever lies in them."""

from __future__ import annotations

from llvmlite import ir

from trutdsl.native.abi import Job
from trutdsl.native.llvm.function import Code
from trutdsl.native.llvm.unit import I1, I64, PTR, VOID, Unit, Value, const


class CopyWriter(Code):
    """Writes a function that handles matches as blocks of memory."""

    def __init__(self, unit: Unit, function: Value, size: int) -> None:
        super().__init__(unit, function)
        self.size = size

    def copy(self, to: Value, of: Value) -> None:
        """Copy a match."""
        kind = ir.FunctionType(VOID, [PTR, PTR, I64, I1])
        memcpy = self.unit.module.declare_intrinsic("llvm.memcpy", [PTR, PTR, I64], kind)
        self.b.call(memcpy, [to, of, const(self.size), ir.Constant(I1, 0)])

    def advance(self, match: Value, table: Value) -> Value:
        """Play a match up to its next stop."""
        return self.b.call(self.unit.module.get_global("advance"), [match, table])

    def at_row(self, rows: Value, width: int, row: Value, number: int = 0) -> Value:
        """Return the address of a number of a row."""
        return self.address(rows, 8 * number, row, 8 * width)

    def job(self, what: Job) -> Value:
        """Return a number of the job."""
        return self.number(self.address(self.job_at, 8 * what))

    job_at: Value

    def number(self, at: Value) -> Value:
        """Return the 64-bit number at an address, such as a local."""
        return self.b.load(at, typ=I64)
