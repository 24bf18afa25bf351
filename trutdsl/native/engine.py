"""Machine code: made by LLVM from a module, and called."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import llvmlite.binding as llvm

from trutdsl.ir import Program
from trutdsl.native.cache import key_of, read_object, write_object
from trutdsl.native.memory import Memory, mistake_in
from trutdsl.native.module import build_run, build_steps, record_fields
from trutdsl.native.questions import POLICY_SIZE
from trutdsl.native.unit import Unit
from trutdsl.streams import name_number
from trutdsl.table.setting import Setting

U64, POINTER = ctypes.c_uint64, ctypes.c_void_p
CHUNK = 2048  # matches between two chances to be interrupted


def has_deposits() -> bool:
    """Tell whether the processor can deposit bits."""
    return bool(llvm.get_host_cpu_features().get("bmi2"))


def machine() -> llvm.TargetMachine:
    """Return the processor that this program runs on, as LLVM knows it.

    A new one each time: whoever is given it may own it.
    """
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple()
    features = llvm.get_host_cpu_features().flatten()
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=features, opt=3, jit=True
    )


def optimize(module: llvm.ModuleRef) -> None:
    """Make a module as fast as LLVM can."""
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    passes = llvm.create_pass_builder(machine(), options)
    passes.getModulePassManager().run(module, passes)


class _Compiled:
    """A module as machine code, kept from an earlier time or made now."""

    def __init__(self, unit: Unit) -> None:
        text = str(unit.module)
        key = key_of(text)
        kept = read_object(key)
        if kept is None:
            module = llvm.parse_assembly(text)
            module.verify()
            optimize(module)
            kept = machine().emit_object(module)
            write_object(key, kept)
        # An empty module holds the code; it is the object that is run.
        self.code = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine())
        self.code.add_object_file(llvm.ObjectFileRef.from_data(kept))
        self.code.finalize_object()

    def address(self, name: str) -> int:
        """Return where a function lies."""
        return int(self.code.get_function_address(name))

    def function(self, name: str, result: Any, *params: Any) -> Any:
        """Return a function to be called from Python; while it runs others may run, too."""
        return ctypes.CFUNCTYPE(result, *params)(self.address(name))


class StepCode:
    """A program at one table, compiled to be played one step after the other."""

    def __init__(self, program: Program, setting: Setting) -> None:
        self.program, self.setting = program, setting
        self.unit, self.size = build_steps(program, setting, has_deposits())
        self.plans = list(self.unit.plans.values())
        self._compiled = _Compiled(self.unit)
        self.start = self._compiled.function("start_match", None, POINTER, POINTER, U64, U64)
        self.advance = self._compiled.function("advance", ctypes.c_int64, POINTER, POINTER)


class RunCode:
    """A program at one table, compiled to play many matches at once."""

    def __init__(self, program: Program, setting: Setting) -> None:
        self.program, self.setting = program, setting
        self.unit = build_run(program, setting, has_deposits())
        self.fields = record_fields(self.unit)
        self._compiled = _Compiled(self.unit)
        self._run = self._compiled.function(
            "run_matches", ctypes.c_int64, POINTER, POINTER, U64, U64, U64, POINTER
        )

    def run(self, names: Sequence[str], seed: int, first: int, count: int) -> Iterator[Record]:
        """Yield what came out of matches in which every seat has the policy `uniform`.

        names: what the strategy of each seat is called, which its luck depends on.
        Raises `RuleError` at a match whose rules lead to something impossible.
        """
        table = (U64 * (POLICY_SIZE // 8 * self.setting.players))()
        for seat, name in enumerate(names):
            table[POLICY_SIZE // 8 * seat] = self._compiled.address("uniform")
            table[POLICY_SIZE // 8 * seat + 2] = name_number(name)
        memory = (ctypes.c_uint8 * self.unit.layout.size)()
        width, teams = len(self.fields), self.setting.teams
        for begin in range(first, first + count, CHUNK):
            many = min(CHUNK, first + count - begin)
            rows = (ctypes.c_int64 * (many * width))()
            played = self._run(memory, table, seed, begin, begin + many, rows)
            for row in range(played):
                winner, deals, decisions, *rest = rows[width * row : width * (row + 1)]
                counters = {
                    name: tuple(rest[teams * i : teams * (i + 1)])
                    for i, name in enumerate(self.unit.counters)
                }
                yield Record(None if winner < 0 else winner, deals, decisions, counters)
            if played < many:
                raise mistake_in(Memory(memory, self.unit, self.program, self.setting))


@dataclass(frozen=True)
class Record:
    """What is kept of a match; winner is a team, or None for a draw."""

    winner: int | None
    deals: int
    decisions: int
    counters: dict[str, tuple[int, ...]]
