"""Machine code: made by LLVM from a module, and called."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import llvmlite.binding as llvm

from trutdsl.ir import Program
from trutdsl.native.module import SUMS, build_run, build_steps
from trutdsl.native.questions import POLICY_SIZE
from trutdsl.native.unit import Unit
from trutdsl.streams import name_number
from trutdsl.table.setting import Setting

U64, POINTER = ctypes.c_uint64, ctypes.c_void_p


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


def optimize(unit: Unit) -> llvm.ModuleRef:
    """Return the module, verified and optimized."""
    module = llvm.parse_assembly(str(unit.module))
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_unrolling = True
    passes = llvm.create_pass_builder(machine(), options)
    passes.getModulePassManager().run(module, passes)
    return module


class _Compiled:
    """A module as machine code."""

    def __init__(self, unit: Unit) -> None:
        self.module = optimize(unit)
        self.code = llvm.create_mcjit_compiler(self.module, machine())
        self.code.finalize_object()

    def function(self, name: str, result: Any, *params: Any) -> Any:
        return ctypes.CFUNCTYPE(result, *params)(self.code.get_function_address(name))


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
        self.unit = build_run(program, setting, has_deposits())
        self.setting = setting
        self._compiled = _Compiled(self.unit)
        self._run = self._compiled.function(
            "run_matches", None, POINTER, POINTER, U64, U64, U64, POINTER
        )

    def run_matches(self, names: list[str], seed: int, first: int, beyond: int) -> Sums:
        """Play matches of the policy `uniform` under these names, and add them up."""
        table = (U64 * (POLICY_SIZE // 8 * self.setting.players))()
        for seat, name in enumerate(names):
            table[4 * seat] = self._compiled.code.get_function_address("uniform")
            table[4 * seat + 2] = name_number(name)
        state = (U64 * (self.unit.layout.size // 8))()
        sums = (U64 * (len(SUMS) + self.setting.teams))()
        self._run(state, table, seed, first, beyond, sums)
        return Sums(dict(zip(SUMS, sums, strict=False)), list(sums)[len(SUMS) :])


@dataclass(frozen=True)
class Sums:
    """What a run of matches adds up to."""

    of: dict[str, int]
    wins: list[int]
