"""Machine code: made by LLVM from a module, and called."""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import llvmlite.binding as llvm

from trutdsl.ir import Program
from trutdsl.native.cache import Facts, key_of, read_code, write_code
from trutdsl.native.memory import Memory, mistake_in
from trutdsl.native.module import build_run, build_steps, new_unit, record_fields
from trutdsl.native.questions import POLICY_SIZE
from trutdsl.native.unit import Build, Unit
from trutdsl.streams import name_number
from trutdsl.table.setting import Setting

U64, POINTER = ctypes.c_uint64, ctypes.c_void_p
POLICY = ctypes.CFUNCTYPE(ctypes.c_int64, POINTER, POINTER, ctypes.c_int64)
RawPolicy = Callable[[int, int], int]
Builder = Callable[[Program, Setting, Build], tuple[Unit, int]]
CHUNK = 2048  # most matches between two chances to be interrupted
PAUSE = 0.05  # seconds between two such chances, where matches are longer


class Playable(Protocol):
    """A game, as far as it is compiled.

    setting:     the table.
    fingerprint: a hash of everything that program and setting were made from.
    """

    setting: Setting
    fingerprint: str

    @property
    def program(self) -> Program:
        """What its rules mean; looked at only where no machine code is kept."""


def how_to_build(notes: bool = False) -> Build:
    """Return how modules are built for this processor; `TRUTDSL_CHECKED=1` asks for checks."""
    deposits = bool(llvm.get_host_cpu_features().get("bmi2"))
    return Build(deposits, os.environ.get("TRUTDSL_CHECKED", "0") not in ("", "0"), notes)


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
    # What is marked to be joined is joined before anything else is done, see `module`.
    joining = llvm.create_new_module_pass_manager()
    joining.add_always_inliner_pass()
    joining.run(module, passes)
    passes.getModulePassManager().run(module, passes)


def module_of(program: Program, setting: Setting) -> str:
    """Return LLVM's text of the module that plays many matches, before it is optimized."""
    return str(build_run(program, setting, how_to_build(notes=True))[0].module)


def assembly_of(program: Program, setting: Setting) -> str:
    """Return the machine code of that module, optimized, as text."""
    module = llvm.parse_assembly(module_of(program, setting))
    optimize(module)
    return str(machine().emit_assembly(module))


class _Compiled:
    """A game as machine code in one form, kept from an earlier time or made now."""

    def __init__(self, game: Playable, build: Builder) -> None:
        self.game, self.setting, self._build = game, game.setting, build
        self.how = how_to_build()
        key = key_of(f"{build.__name__} {self.how}", game.fingerprint)
        self.facts, made = read_code(key) or self._make(key)
        # An empty module holds the code; it is the object that is run.
        self._code = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine())
        self._code.add_object_file(llvm.ObjectFileRef.from_data(made))
        self._code.finalize_object()

    def _make(self, key: str) -> tuple[Facts, bytes]:
        unit, size = self._built
        module = llvm.parse_assembly(str(unit.module))
        module.verify()
        optimize(module)
        facts = Facts(size, tuple(unit.counters), tuple(unit.reasons))
        code = machine().emit_object(module)
        write_code(key, facts, code)
        return facts, code

    @property
    def program(self) -> Program:
        """What the game's rules mean."""
        return self.game.program

    @cached_property
    def _built(self) -> tuple[Unit, int]:
        return self._build(self.program, self.setting, self.how)

    @property
    def whole(self) -> Unit:
        """The module with all its mistakes; built again if its machine code was kept."""
        return self._built[0]

    def address(self, name: str) -> int:
        """Return where a function lies."""
        return int(self._code.get_function_address(name))

    def function(self, name: str, result: Any, *params: Any) -> Any:
        """Return a function to be called from Python; while it runs others may run, too."""
        return ctypes.CFUNCTYPE(result, *params)(self.address(name))


class StepCode(_Compiled):
    """A game compiled to be played one step after the other.

    unit: the module with its layout and plans, but perhaps without what was built in it.
    """

    def __init__(self, game: Playable) -> None:
        super().__init__(game, build_steps)
        self.size = self.facts.size
        self.unit = new_unit(self.program, self.setting, self.how)
        self.plans = list(self.unit.plans.values())
        self.start = self.function("start_match", None, POINTER, POINTER, U64, U64)
        self.advance = self.function("advance", ctypes.c_int64, POINTER, POINTER)
        self.advance_many = self.function(
            "advance_many", None, POINTER, POINTER, U64, U64, POINTER, U64, POINTER
        )


class RunCode(_Compiled):
    """A game compiled to play many matches at once."""

    def __init__(self, game: Playable) -> None:
        super().__init__(game, build_run)
        self.fields = record_fields(self.facts.counters, self.setting)
        self._run = self.function(
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
                    for i, name in enumerate(self.facts.counters)
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
        plays = ctypes.cast(called, POINTER).value if called else self.address("uniform")
        table = (U64 * (POLICY_SIZE // 8 * self.setting.players))()
        for seat, name in enumerate(names):
            table[POLICY_SIZE // 8 * seat] = plays or 0
            table[POLICY_SIZE // 8 * seat + 2] = name_number(name)
        memory = (ctypes.c_uint8 * self.facts.size)()
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
                match = Memory(memory, self.whole, self.program, self.setting)
                raise mistake_in(match, self.whole.mistakes)
            begin, most = begin + many, min(2 * most, CHUNK) if quick else max(most // 2, 1)


@dataclass(frozen=True)
class Record:
    """What is kept of a match; winner is a team, or None for a draw."""

    winner: int | None
    deals: int
    decisions: int
    counters: dict[str, tuple[int, ...]]
