"""Just-in-time compilation: LLVM compiles a module to machine code, which is cached and called.

The cache key is known before anything is built. A cached game needs no parsing, no checks and no
LLVM text. The entry contains, as JSON, the facts that Python must know of the code.
"""

from __future__ import annotations

import ctypes
import json
import os
import struct
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import llvmlite
import llvmlite.binding as llvm

from trutdsl.files import hash_of, read_cache, source_hash, write_cache
from trutdsl.ir import Program
from trutdsl.native import COMPILER_SOURCES
from trutdsl.native.abi import PLAIN, Form, Mode
from trutdsl.native.layout import Fields, make_observers
from trutdsl.native.llvm import Unit
from trutdsl.shape import from_json
from trutdsl.syntax.ast import Audience
from trutdsl.table.actions import AskPlan
from trutdsl.table.counts import Decisions
from trutdsl.table.match import Action, HistoryEntry, Question, action_of
from trutdsl.table.setting import Setting

if TYPE_CHECKING:
    from numpy.typing import NDArray

LARGEST_MATCH, LARGEST_ENTRY = 1 << 20, 1 << 12


@dataclass(frozen=True)
class Facts:
    """The facts of a module that Python needs besides its machine code.

    size:     bytes of a match.
    entry:    numbers of a seat's entry at the table.
    counters: the names of the counters, in record order.
    reasons:  the reasons for the end of a deal, by number.
    frame:    the kind of each number behind the layout, see `Unit.frame_kinds`.
    decisions, bets: each decision with its options; tricks: whether the game has any; see
                     `CountPlan`.
    """

    size: int
    entry: int
    counters: tuple[str, ...]
    reasons: tuple[str, ...]
    decisions: Decisions
    bets: Decisions
    tricks: bool
    frame: str


def key_of(form: str, fingerprint: str) -> str:
    """Return the key of a game's machine code.

    form: the form of play; fingerprint: of all inputs of the game.
    """
    return hash_of(
        form,
        fingerprint,
        source_hash(*COMPILER_SOURCES),
        llvm.get_host_cpu_name(),
        llvm.get_host_cpu_features().flatten(),
        llvm.get_process_triple(),
        llvmlite.__version__,
        ".".join(map(str, llvm.llvm_version_info)),
    )


def read_code(key: str) -> tuple[Facts, bytes] | None:
    """Return the cached machine code of a key and its facts, or None if they are incomplete."""
    line, end, code = (read_cache(key) or b"").partition(b"\n")
    if not end or not code:
        return None
    try:
        facts = from_json(Facts, json.loads(line))
    except (ValueError, RecursionError):
        return None
    whole = 0 < facts.size <= LARGEST_MATCH and PLAIN <= facts.entry <= LARGEST_ENTRY
    return (facts, code) if whole else None


def write_code(key: str, facts: Facts, code: bytes) -> None:
    write_cache(key, json.dumps(asdict(facts)).encode() + b"\n" + code)


U64, POINTER = ctypes.c_uint64, ctypes.c_void_p
MOST_ASKED = 32768  # cached questions, each with its actions


class Playable(Protocol):
    """A game that can be compiled.

    setting:     the table.
    fingerprint: a hash of all inputs of program and setting.
    """

    setting: Setting
    fingerprint: str

    @property
    def program(self) -> Program:
        """The program of its rules; read only if no machine code is cached."""

    @property
    def optimized(self) -> Program:
        """The same after all passes."""


def mode_for(form: Form, notes: bool = False) -> Mode:
    """Return the build mode for this processor.

    `TRUTDSL_CHECKED=1` asks for checks, `TRUTDSL_QUICK=1` for fast compilation.
    """
    deposits = bool(llvm.get_host_cpu_features().get("bmi2"))
    return Mode(form, deposits, _is_on("TRUTDSL_CHECKED"), notes, _is_on("TRUTDSL_QUICK"))


def _is_on(name: str) -> bool:
    return os.environ.get(name, "0") not in ("", "0")


LARGE = 30_000  # lines of a module; the largest of the shipped variants has less than half


def effort_for(text: str, mode: Mode) -> int:
    """Return LLVM's optimization level for a module, 0 to 3: low for large modules."""
    return 0 if mode.quick or text.count("\n") > LARGE else 3


def machine(effort: int = 3) -> llvm.TargetMachine:
    """Return LLVM's target machine for this processor.

    Each call returns a new one, because the receiver may own it.
    """
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple()
    # Wide registers help nothing here, and leaving them before each call costs.
    features = llvm.get_host_cpu_features().flatten() + ",+prefer-128-bit"
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=features, opt=effort, jit=True
    )


def optimize(module: llvm.ModuleRef, effort: int = 3) -> None:
    options = llvm.create_pipeline_tuning_options(speed_level=effort)
    passes = llvm.create_pass_builder(machine(effort), options)
    # Functions marked for inlining are inlined first, see `emit`.
    joining = llvm.create_new_module_pass_manager()
    joining.add_always_inliner_pass()
    if effort == 3:
        joining.run(module, passes)
    passes.getModulePassManager().run(module, passes)


def module_of(program: Program, setting: Setting) -> str:
    """Return the LLVM text of the module that plays many matches, before optimization."""
    from trutdsl.native.emit import build
    from trutdsl.passes import optimize as apply_passes

    optimized = apply_passes(program, setting)
    return build(optimized, setting, mode_for(Form.MATCHES, notes=True))[0].take_text()


def assembly_of(program: Program, setting: Setting) -> str:
    """Return the machine code of that module, optimized, as text."""
    module = llvm.parse_assembly(module_of(program, setting))
    optimize(module)
    return str(machine().emit_assembly(module))


def code_key(game: Playable, form: Form) -> str:
    return key_of(str(mode_for(form)), game.fingerprint)


class MachineCode:
    """A game as machine code in one form, from the cache or compiled now."""

    def __init__(self, game: Playable, form: Form) -> None:
        self.game, self.setting, self.mode = game, game.setting, mode_for(form)
        key = code_key(game, form)
        self.facts, code = read_code(key) or self._make(key)
        # An empty module owns the code; the object file is executed.
        self._code = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine())
        self._code.add_object_file(llvm.ObjectFileRef.from_data(code))
        self._code.finalize_object()

    def _make(self, key: str) -> tuple[Facts, bytes]:
        unit, size = self._unit_and_size
        text = unit.take_text()
        effort = effort_for(text, self.mode)
        module = llvm.parse_assembly(text)
        module.verify()
        optimize(module, effort)
        entry, counts = unit.entry_size // 8, unit.counts
        counters = tuple(unit.counters)
        parts = counts.decisions, counts.bets, counts.tricks
        facts = Facts(size, entry, counters, counts.reasons, *parts, unit.frame_kinds)
        code = machine(effort).emit_object(module)
        write_code(key, facts, code)
        return facts, code

    @property
    def program(self) -> Program:
        return self.game.optimized

    @cached_property
    def _unit_and_size(self) -> tuple[Unit, int]:
        from trutdsl.native.emit import build  # not needed for cached machine code

        return build(self.program, self.setting, self.mode)

    @property
    def whole(self) -> Unit:
        """The module with all its errors; built again if its machine code came from the cache."""
        return self._unit_and_size[0]

    def address(self, name: str) -> int:
        return int(self._code.get_function_address(name))

    def function(self, name: str, result: Any, *params: Any) -> Any:
        """Return a function to be called from Python; it releases the lock of the interpreter."""
        return ctypes.CFUNCTYPE(result, *params)(self.address(name))


class StepCode(MachineCode):
    """A game compiled for step-by-step play.

    unit: the module with its layout and plans; its functions may be missing.
    """

    form = Form.STEPS

    def __init__(self, game: Playable) -> None:
        from trutdsl.native.emit import new_unit

        super().__init__(game, self.form)
        self.size = self.facts.size
        made_now = "_unit_and_size" in vars(self)
        self.unit = self.whole if made_now else new_unit(self.program, self.setting, self.mode)
        self.plans = list(self.unit.plans.values())
        self.observers = make_observers(self.unit.layout, self.program, self.setting)
        fields = self.unit.layout.fields
        legal, last = fields["#legal"], fields["#decision"]
        self.asked_at = slice(legal.offset, last.offset + last.size)
        self.questions = _Questions(self)
        self.answer_at = fields["#answer"].offset // 8
        self.counters = Fields(self.unit.layout, self.unit.counters)
        self.start = self.function("start_match", None, POINTER, POINTER, U64, U64, U64)
        self.advance = self.function("advance", ctypes.c_int64, POINTER, POINTER)
        self._advance_many = self.function(
            "advance_many", ctypes.c_int64, POINTER, POINTER, U64, U64, POINTER, U64, POINTER
        )

    def advance_rows(
        self, memory: NDArray[Any], tables: NDArray[Any], rows: NDArray[Any], why: NDArray[Any]
    ) -> None:
        """Continue these matches until each waits for a seat or is over, and note why.

        memory: uint8 (matches, bytes); tables: int64 (matches, numbers); rows, why: int64.
        """
        done = 0
        while done < len(rows):
            done += self._advance_many(
                memory.ctypes.data, tables.ctypes.data, memory.strides[0], tables.strides[0],
                rows[done:].ctypes.data, len(rows) - done, why.ctypes.data,
            )  # fmt: skip

    @cached_property
    def _answer_many(self) -> Any:
        return self.function(
            "answer_many", None, U64, POINTER, POINTER, U64, U64, POINTER, U64, POINTER
        )

    def answer_rows(
        self, policy: str, memory: NDArray[Any], entries: NDArray[Any], counts: NDArray[Any]
    ) -> NDArray[Any]:
        """Return the rank of a policy's action in each match; not in the form STEPS.

        memory: uint8 (matches, bytes); entries: int64 (matches, numbers), of the policy, which they
        change; counts: int64 (matches,), how many actions are legal.
        """
        ranks = counts.copy()
        self._answer_many(
            self.address(f"policy.{policy}"), memory.ctypes.data, entries.ctypes.data,
            memory.strides[0], entries.strides[0], counts.ctypes.data, len(counts),
            ranks.ctypes.data,
        )  # fmt: skip
        return ranks


class ExactCode(StepCode):
    """A game compiled for enumeration: outcomes are given, and steps record the fields read."""

    form = Form.EXACT

    @cached_property
    def program(self) -> Program:
        """The program with stops where rules use the score."""
        from trutdsl.ir.transforms import add_score_stops

        return add_score_stops(self.game.optimized)


# An action of a seat: its text, its number, its entry in the history and its audience.
Answer = tuple[Action, str, int, tuple[HistoryEntry, Audience]]


class NativeQuestion(NamedTuple):
    """A question; each action has its number, its entry and its audience."""

    question: Question
    numbers: tuple[int, ...]
    announcements: tuple[tuple[HistoryEntry, Audience], ...]


class _Questions(dict[bytes, NativeQuestion]):
    """The questions to seats, by their numbers in a match, see `StepCode.asked_at`.

    Earlier questions and answers are cached.
    """

    def __init__(self, code: StepCode) -> None:
        self._setting, self._plans = code.setting, code.plans
        self._read = struct.Struct(f"<{code.unit.layout.words}QII").unpack
        self._answers: dict[tuple[int, int], _Answers] = {}

    def __missing__(self, stop: bytes) -> NativeQuestion:
        if len(self) == MOST_ASKED:
            self.clear()
        *legal, seat, decision = self._read(stop)
        answers = self._answers.get((seat, decision))
        if answers is None:
            answers = self._answers[seat, decision] = _Answers(
                self._setting, seat, self._plans[decision]
            )
        rows = []
        for word, mask in enumerate(legal):
            while mask:
                low = mask & -mask
                rows.append(answers[64 * word + low.bit_length() - 1])
                mask ^= low
        actions, texts, numbers, entries = zip(*rows, strict=True)
        question = Question(seat, answers.decision, answers.audience, actions, texts, answers.asks)
        self[stop] = native_question = NativeQuestion(question, numbers, entries)
        return native_question


class _Answers(dict[int, Answer]):
    """The answers of a seat to a question, by the action's number.

    decision, audience, asks: the question's name, its audience, and its number.
    """

    def __init__(self, setting: Setting, seat: int, plan: AskPlan) -> None:
        self._setting, self._seat, self._plan = setting, seat, plan
        self.decision, self.audience = plan.node.decision, plan.node.audience
        self.asks = plan.number

    def __missing__(self, number: int) -> Answer:
        if len(self) == MOST_ASKED:
            self.clear()
        plan, setting = self._plan, self._setting
        which = plan.option_of(number)
        option = plan.node.options[which]
        action = action_of(setting, option, which, plan.options[which].values(number))
        audience = Audience.ALL if option.openly else self.audience
        entry = HistoryEntry(self._seat, self.decision, action.text)
        self[number] = answer = action, action.text, number, (entry, audience)
        return answer
