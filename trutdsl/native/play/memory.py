"""The memory of a match in machine code: its parts by name, and the error that ended it."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from trutdsl.diagnostics import Diagnostic
from trutdsl.ir import Program
from trutdsl.ir.types import VARIABLES, Element, SetOf, Type, YesNo
from trutdsl.native.abi import ENGINE, Mistake
from trutdsl.native.llvm import Unit
from trutdsl.table.faults import CURES, PolicyError, RuleError, describe_state, rule_error
from trutdsl.table.match import Hearers, HistoryEntry, Pending
from trutdsl.table.setting import Setting
from trutdsl.table.sight import bits_in, number_of


class MatchMemory:
    """The parts of a match by name, with the meanings of `trutdsl.table.Match`."""

    def __init__(
        self, memory: ctypes.Array[ctypes.c_uint8], unit: Unit, program: Program, setting: Setting
    ) -> None:
        self.unit, self.program, self.setting = unit, program, setting
        self.memory, self.bytes = memory, memoryview(memory).cast("B")
        self.layout = unit.layout
        self.pending: Pending = None
        self.history: list[tuple[HistoryEntry, Hearers]] = []
        self.tricks: list[int | None] = []

    def read(self, name: str, at: int = 0) -> int:
        field = self.layout.fields[name]
        first = field.offset + field.size * at
        raw = self.bytes[first : first + field.size]
        return int.from_bytes(raw, "little", signed=field.signed)

    def write(self, name: str, at: int, value: int) -> None:
        field = self.layout.fields[name]
        first = field.offset + field.size * at
        raw = (value & ((1 << field.bits) - 1)).to_bytes(field.size, "little")
        self.bytes[first : first + field.size] = raw

    @property
    def winner(self) -> int | None:
        return _team(self.read("#winner"))

    @property
    def deal_winner(self) -> int | None:
        """The team that won the last finished deal."""
        return _team(self.read("#deal_winner"))

    @property
    def deal_open(self) -> bool:
        return bool(self.read("#deal_open"))

    @property
    def deals(self) -> int:
        return self.read("#deals")

    @property
    def decisions(self) -> int:
        return self.read("#decisions")

    @property
    def choices(self) -> int:
        """The number of decisions with two or more legal actions."""
        return self.read("#choices")

    def cards(self, zone: str, at: int) -> list[int]:
        return [card for group in self.groups(zone, at) for card in group]

    def groups(self, zone: str, at: int) -> list[list[int]]:
        """Return the same in groups: several cards of a pile whose order nobody can know."""
        if not self.program.zones[zone].ordered:
            return [[card] for card in bits_in(self.read(zone, at))]
        depth, starts = self.read(f"{zone}.depth", at), self.read(f"{zone}.starts", at)
        groups: list[list[int]] = []
        for position in range(depth):
            if starts >> position & 1:
                groups.append([])
            groups[-1].append(self.read(f"{zone}.below", 64 * at + position))
        top = bits_in(self.read(f"{zone}.top", at))
        return [*groups, top] if top else groups

    def _set_groups(self, zone: str, at: int, groups: list[list[int]]) -> None:
        cards = sum(1 << card for group in groups for card in group)
        if not self.program.zones[zone].ordered:
            self.write(zone, at, cards)
            return
        *below, top = groups or [[]]
        self.write(f"{zone}.all", at, cards)
        self.write(f"{zone}.top", at, sum(1 << card for card in top))
        self.write(f"{zone}.many", at, len(top))
        position = starts = 0
        for group in below:
            starts |= 1 << position
            for card in group:
                self.write(f"{zone}.below", 64 * at + position, card)
                position += 1
        self.write(f"{zone}.depth", at, position)
        self.write(f"{zone}.starts", at, starts)

    def lay(self, card: int, zone: str | None, at: int = 0) -> None:
        """Move a card from its place to another one, or out of all zones."""
        for name, one in self.program.zones.items():
            for i in range(self.setting.count(one.index)):
                groups = self.groups(name, i)
                if any(card in group for group in groups):
                    left = [[c for c in group if c != card] for group in groups]
                    self._set_groups(name, i, [group for group in left if group])
        if zone is not None:
            self._set_groups(zone, at, [*self.groups(zone, at), [card]])

    def values(self, variable: str) -> list[Any]:
        field = self.layout.fields[variable]
        type_: Type | None = None
        if variable not in VARIABLES:
            type_ = self.program.variables[variable].type
        return [_value(self.read(variable, i), type_) for i in range(field.count)]

    def set_values(self, variable: str, values: Sequence[Any]) -> None:
        """Set a variable or counter, to values as `values` gives them."""
        for i, value in enumerate(values):
            self.write(variable, i, number_of(value))

    def may_see(self, name: str, at: int) -> frozenset[int]:
        """Return the seats that a zone or variable was revealed to."""
        if f"{name}.shown" not in self.layout.fields:
            return frozenset()
        return frozenset(bits_in(self.read(f"{name}.shown", at)))

    def counters(self) -> dict[str, list[int]]:
        return {name: self.values(name) for name in self.unit.counters}


def mistake_in(match: MatchMemory, mistakes: Sequence[Mistake]) -> RuleError:
    """Return the error that ended a match, with the state at that time."""
    mistake = mistakes[match.read("#error") - 1]
    state = None
    if mistake.code != ENGINE:  # else the state is not reliable
        state = describe_state(match, match.program, match.setting)
    return rule_error(mistake.code, mistake.message, mistake.span, state, mistake.place)


def fault_of(mistake: Mistake, seat: int) -> PolicyError:
    """Return the error of a seat's script."""
    help = CURES.get(mistake.code)
    return PolicyError(Diagnostic(mistake.code, mistake.message, mistake.span, help=help), seat)


def _team(number: int) -> int | None:
    return None if number < 0 else number


def _value(number: int, type_: Type | None) -> Any:
    match type_:
        case YesNo():
            return bool(number)
        case SetOf():
            return frozenset(bits_in(number))
        case Element():
            return None if number < 0 else number
    return number
