"""Machine code: made by LLVM from a module, and called."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Iterator, Sequence
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
POLICY = ctypes.CFUNCTYPE(ctypes.c_int64, POINTER, POINTER, ctypes.c_int64)
RawPolicy = Callable[[int, int], int]
CHUNK = 2048  # most matches between two chances to be interrupted
PAUSE = 0.05  # seconds between two such chances, where matches are longer


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
    # Wide registers help nothing here, and leaving them before each call costs.
    features = llvm.get_host_cpu_features().flatten() + ",+prefer-128-bit"
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=features, opt=3, jit=True
    )


def optimize(module: llvm.ModuleRef) -> None:
    """Make a module as fast as LLVM can."""
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    passes = llvm.create_pass_builder(machine(), options)
    passes.getModulePassManager().run(module, passes)


def module_of(program: Program, setting: Setting) -> str:
    """Return LLVM's text of the module that plays many matches, before it is optimized."""
    return str(build_run(program, setting, has_deposits()).module)


def assembly_of(program: Program, setting: Setting) -> str:
    """Return the machine code of that module, optimized, as text."""
    module = llvm.parse_assembly(module_of(program, setting))
    optimize(module)
    return str(machine().emit_assembly(module))


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
        self.advance_many = self._compiled.function(
            "advance_many", None, POINTER, POINTER, U64, U64, POINTER, U64, POINTER
        )


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

    def run(
        self,
        names: Sequence[str],
        seed: int,
        first: int,
        count: int,
        policy: RawPolicy | None = None,
    ) -> Iterator[Record]:
        """Yield what came out of matches in which every seat has the same policy, or `uniform`.

        names:  what the strategy of each seat is called, which its luck depends on.
        policy: gets the address of the match and how many actions are legal, and returns the
        index of one; what it raises comes out here, at the end of the chunk of matches.
        Raises `RuleError` at a match whose rules lead to something impossible, `IndexError` for an
        index that is none.
        """
        width, teams = len(self.fields), self.setting.teams
        for rows in self._chunks(names, seed, first, count, policy):
            for start in range(0, len(rows), width):
                winner, deals, decisions, *rest = rows[start : start + width]
                counters = {
                    name: tuple(rest[teams * i : teams * (i + 1)])
                    for i, name in enumerate(self.unit.counters)
                }
                yield Record(None if winner < 0 else winner, deals, decisions, counters)

    def count_deals(self, names: Sequence[str], seed: int, first: int, count: int) -> int:
        """Return how many deals these matches of the policy `uniform` have."""
        width = len(self.fields)
        return sum(sum(rows[1::width]) for rows in self._chunks(names, seed, first, count, None))

    def _chunks(
        self, names: Sequence[str], seed: int, first: int, count: int, policy: RawPolicy | None
    ) -> Iterator[list[int]]:
        """Yield the records of some matches at a time, one row behind the other."""
        raised: list[BaseException] = []

        def answer(_seat: int, match: int, legal: int) -> int:
            try:
                index = policy(match, legal) if policy is not None and not raised else 0
                if 0 <= index < legal:
                    return index
                raised.append(IndexError(f"{index} is no index of {legal} actions"))
            except BaseException as e:  # Nothing may be raised through machine code.
                raised.append(e)
            return 0

        called = POLICY(answer) if policy is not None else None
        plays = ctypes.cast(called, POINTER).value if called else self._compiled.address("uniform")
        table = (U64 * (POLICY_SIZE // 8 * self.setting.players))()
        for seat, name in enumerate(names):
            table[POLICY_SIZE // 8 * seat] = plays or 0
            table[POLICY_SIZE // 8 * seat + 2] = name_number(name)
        memory = (ctypes.c_uint8 * self.unit.layout.size)()
        width = len(self.fields)
        begin, end, most = first, first + count, 1
        while begin < end:
            many = min(most, end - begin)
            rows = (ctypes.c_int64 * (many * width))()
            start = time.perf_counter()
            played = self._run(memory, table, seed, begin, begin + many, rows)
            quick = time.perf_counter() - start < PAUSE
            if raised:
                raise raised[0]
            yield rows[: played * width]
            if played < many:
                raise mistake_in(Memory(memory, self.unit, self.program, self.setting))
            begin, most = begin + many, min(2 * most, CHUNK) if quick else max(most // 2, 1)


@dataclass(frozen=True)
class Record:
    """What is kept of a match; winner is a team, or None for a draw."""

    winner: int | None
    deals: int
    decisions: int
    counters: dict[str, tuple[int, ...]]
