"""Machine code: made by LLVM from a module, and called."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import cache

import llvmlite.binding as llvm

from trutdsl.ir import Program
from trutdsl.ir.setting import Setting
from trutdsl.native.module import SUMS, build_run
from trutdsl.native.questions import POLICY_SIZE
from trutdsl.native.unit import Unit
from trutdsl.streams import name_number


@cache
def machine() -> llvm.TargetMachine:
    """Return the processor that this program runs on, as LLVM knows it."""
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


class Engine:
    """A program at one table, compiled."""

    def __init__(self, program: Program, setting: Setting) -> None:
        deposits = bool(llvm.get_host_cpu_features().get("bmi2"))
        self.unit = build_run(program, setting, deposits)
        self.setting = setting
        self.module = optimize(self.unit)
        self.code = llvm.create_mcjit_compiler(self.module, machine())
        self.code.finalize_object()
        number, address = ctypes.c_uint64, ctypes.c_void_p
        kind = ctypes.CFUNCTYPE(None, address, address, number, number, number, address)
        self._run = kind(self.code.get_function_address("run_matches"))

    def run_matches(self, names: list[str], seed: int, first: int, beyond: int) -> Sums:
        """Play matches of the policy `uniform` under these names, and add them up."""
        table = (ctypes.c_uint64 * (POLICY_SIZE // 8 * self.setting.players))()
        for seat, name in enumerate(names):
            table[4 * seat] = self.code.get_function_address("uniform")
            table[4 * seat + 2] = name_number(name)
        state = (ctypes.c_uint64 * (self.unit.layout.size // 8))()
        sums = (ctypes.c_uint64 * (len(SUMS) + self.setting.teams))()
        self._run(
            ctypes.addressof(state), ctypes.addressof(table), seed, first, beyond,
            ctypes.addressof(sums),
        )  # fmt: skip
        return Sums(dict(zip(SUMS, sums, strict=False)), list(sums)[len(SUMS) :])


@dataclass(frozen=True)
class Sums:
    """What a run of matches adds up to."""

    of: dict[str, int]
    wins: list[int]
