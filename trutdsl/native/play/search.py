"""Monte-Carlo searches in machine code: worlds that fit a seat's observations, each played out."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from trutdsl.ir.nodes import Variable, Zone
from trutdsl.native import abi
from trutdsl.native.abi import FUNCTION, KEY, OFTEN, Form, Job, record_fields
from trutdsl.native.jit import POINTER, Playable, StepCode
from trutdsl.native.layout import HEARD, MOST_CARDS, WORD, StructField
from trutdsl.native.play.runs import Watch
from trutdsl.streams import chance_key, strategy_key
from trutdsl.table.sight import ASKED, Mark, noticed_before, sees, variables_of

Numbers = NDArray[np.int64]
Weights = NDArray[np.float64]
Openings = tuple[NDArray[np.uint8], Numbers]  # matches before their first deal, and their tables
FIRST_COUNTER = 4  # of a row: the world's weight, whether the match is over, who won it, who deals
SHAPE = ("#seat", "#decision", "#deals", "dealer", "on_lead")  # of a question, known to a seat


@dataclass(frozen=True)
class SearchRequest:
    """The input of a search; `abi.Job` explains it as numbers.

    start:   the match at the start of the deal. checks: of each question of the seat, see
             `SearchCode.check`. seen_cards: the visible cards then, of a deal that permutes.
    actions: the number of legal ones. policy: plays on all seats.
    """

    seat: int
    seed: int
    worlds: int
    tries: int
    opening: bool
    permutes: bool
    hidden_cards: int
    seen_cards: int
    classes: Sequence[int]
    start: bytes
    marks: Sequence[Mark]
    checks: Sequence[bytes]
    actions: int
    policy: str


class SearchCode(StepCode):
    """A game compiled for step-by-step play and searches."""

    form = Form.SEARCH

    def __init__(self, game: Playable) -> None:
        super().__init__(game)
        self._search = self.function("search", ctypes.c_int64, *[POINTER] * 10)
        self._events_at = self.facts.entry * self.setting.players
        self._stops = (ctypes.c_int64 * (self._events_at + abi.EVENTS))()
        self._stops[self._events_at + abi.STOPS] = 1
        room = ctypes.c_uint8 * self.size
        self.world, self._twin = room(), room()
        from trutdsl.native.emit.course import COURSE  # loads all code generation

        self._course = (ctypes.c_int64 * COURSE)()

    def fresh(self) -> bytes:
        memory = (ctypes.c_uint8 * self.size)()
        self.start(memory, self._plays(""), 0, 0, 0)
        return bytes(memory)

    def search(self, request: SearchRequest) -> tuple[Weights, Numbers]:
        """Draw worlds and play them out; return their weights, and the results.

        float64 (worlds,), and int64 (worlds, actions, numbers): 1 if the match was over, its
        winner, the next dealer, each counter by team. There are fewer worlds than wanted if the
        search ran out of tries.
        """
        width = FIRST_COUNTER + len(self._counter_fields)
        rows = np.empty((request.worlds, request.actions, width), np.int64)
        *before, named_cards = noticed_before(
            [*request.marks, Mark(ASKED, 0, 0)], request.seen_cards
        )
        marks = [
            (*mark, _to_signed(noticed))
            for mark, noticed in zip(request.marks, before, strict=True)
        ]
        table = np.array(marks, np.int64)
        job, watch = np.zeros(Job.CLASSES + MOST_CARDS, np.uint64), Watch()
        numbers = {
            Job.SEAT: request.seat, Job.SEED: request.seed, Job.WORLDS: request.worlds,
            Job.TRIES: request.tries, Job.OPENING: int(request.opening),
            Job.WORDS: self._words_of(request.checks[-1]), Job.PERMUTES: int(request.permutes),
            Job.HIDDEN: request.hidden_cards, Job.NAMED: named_cards,
            Job.LOOK: watch.address, Job.STEPS_LEFT: OFTEN,
        }  # fmt: skip
        for place, number in numbers.items():
            job[place] = number
        job[Job.CLASSES : Job.CLASSES + len(request.classes)] = request.classes
        result = self._search(
            self.world, self._stops, self._twin, self._plays(request.policy), request.start,
            table.ctypes.data, b"".join(request.checks), job.ctypes.data, self._course,
            rows.ctypes.data,
        )  # fmt: skip
        watch.raise_if_any()
        weights = rows[:result, 0, 0].view(np.float64)
        return weights, rows[:result, :, 1:]

    def check(self, memory: bytes, seat: int) -> bytes:
        """Return the data for a comparison with a match at a seat's question: bits and a mask.

        memory: the match. The mask has the bits that the seat sees.
        """
        fields, setting = self.unit.layout.fields, self.setting
        counts = bytearray(self.unit.layout.size)

        def read(field: StructField, at: int = 0) -> int:
            first = field.offset + field.size * at
            return int.from_bytes(memory[first : first + field.size], "little")

        def note(name: str, first: int = 0, many: int = 1) -> None:
            field = fields[name]
            begin = field.offset + field.size * first
            counts[begin : begin + field.size * many] = b"\xff" * (field.size * many)

        for name in SHAPE:
            note(name)
        note("#legal", 0, self._words_of(memory))
        if HEARD in fields:
            note(HEARD, seat)
        places: list[Zone | Variable] = [*self.program.zones.values()]
        for declaration in (*places, *variables_of(self.program)):
            name, bits_field = declaration.name, fields.get(f"{declaration.name}.shown")
            for at in range(setting.count(declaration.index)):
                if bits_field is not None:
                    counts[bits_field.offset + bits_field.size * at + seat // 8] |= 1 << seat % 8
                    is_visible = read(bits_field, at) >> seat & 1
                if not sees(declaration, at, seat, setting) and (
                    bits_field is None or not is_visible
                ):
                    continue
                if f"{name}.top" not in fields:
                    note(name, at)
                    continue
                for part in ("all", "top", "depth"):
                    note(f"{name}.{part}", at)
                note(f"{name}.below", MOST_CARDS * at, read(fields[f"{name}.depth"], at))
        return bytes(memory[: len(counts)]) + bytes(counts)

    def _words_of(self, memory: bytes) -> int:
        field = self.unit.layout.fields["#decision"]
        decision = int.from_bytes(memory[field.offset : field.offset + field.size], "little")
        return self.plans[decision].words

    def _plays(self, policy: str, name: str = "") -> ctypes.Array[ctypes.c_int64]:
        """Return a table on which this policy plays on every seat; none waits for all answers."""
        table = (ctypes.c_int64 * (self._events_at + abi.EVENTS))()
        if policy:
            for seat in range(self.setting.players):
                at = self.facts.entry * seat
                table[at + FUNCTION] = self.address(f"policy.{policy}")
                low, high = strategy_key(0, name)
                table[at + KEY : at + KEY + 2] = [_to_signed(low), _to_signed(high)]
        return table

    @cached_property
    def _counter_fields(self) -> list[tuple[str, int]]:
        return record_fields(self.unit.counters, self.setting)[3:]

    # -------------------------------------------------------- matches from other counters

    def openings(self, policy: str, matches: int) -> Openings:
        """Return matches of seed 0 before their first deal, and their tables.

        One policy plays on every seat.
        """
        luck = self.program.policies[policy].name
        table = np.array(self._plays(policy, luck), np.int64)
        tables = np.tile(table, (matches, 1))
        memory = np.zeros((matches, self.size), np.uint8)
        key = chance_key(0)
        for number in range(matches):
            match, at = memory[number].ctypes.data, tables[number].ctypes.data
            self.start(match, at, *key, number)
            self.advance(match, at)
        return memory, tables

    def winners(self, openings: Openings, dealer: int, counters: Sequence[int]) -> Numbers:
        """Return the winners of these matches, begun with this dealer and these counters."""
        memory, tables = openings[0].copy(), openings[1].copy()
        fields = [("dealer", 0), *self._counter_fields]
        for (name, at), value in zip(fields, (dealer, *counters), strict=True):
            self.unit.layout.fields[name].of_many(memory)[:, at] = value
        rows, why = np.arange(len(memory)), np.zeros(len(memory), np.int64)
        self.advance_rows(memory, tables, rows, why)
        return self.unit.layout.fields["#winner"].of_many(memory)[:, 0].astype(np.int64)


def _to_signed(number: int) -> int:
    return (number & WORD) - (number >> 63 << 64)
