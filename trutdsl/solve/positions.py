"""Positions: many matches in the middle of a deal, stepped together, compared and merged.

A position is a match in memory, with what each seat's script remembers. Positions lie in arrays,
one in a row. Two positions are equal if an exchange of cards within classes turns one into the
other. Then each place has as many cards of each class, and all else is equal. Cards that a variable
or an unfinished rule refers to must lie in the same place. Positions are identified by 128 bits of
hash.
"""

from __future__ import annotations

import ctypes
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trutdsl.game import Game
from trutdsl.ir.nodes import Zone
from trutdsl.ir.types import CARDS, Element, Kind, Type
from trutdsl.native import abi
from trutdsl.native.jit import ExactCode
from trutdsl.native.layout import READ
from trutdsl.native.play.memory import MatchMemory, mistake_in
from trutdsl.native.play.observation import Columns, Observation
from trutdsl.solve.classes import CardClasses

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int64]
Masks = NDArray[np.uint64]
Floats = NDArray[np.float64]

ONE, EVERYTHING = np.uint64(1), np.uint64(2**64 - 1)
NONE, EMPTY = np.zeros((1, 0), np.uint64), np.zeros(0, np.bool_)
# Descriptions of a stop, and the engine's own counts.
AT_STOP = (
    "#legal", "#luck", "#luck_one", "#luck_two", "#luck_zone", "#luck_shown", "#luck_origin",
    "#luck_place",
)  # fmt: skip
IDLE = (
    "#chance", "#key", "#next_deal", "#answer", "#error", "#decisions", "#choices", "#steps",
    "#questions_end", READ, *AT_STOP,
)  # fmt: skip
KEYED_AT_ONCE = 2048  # positions, so that their words stay in the processor's cache
PILE_MASKS = ("all", "top", "left", "aside", "starts")


@dataclass
class Positions:
    """Some positions.

    memory: uint8 (n, bytes of a match); memories: int64 (n, seats, numbers), what scripts
    remember. weight: float64 (n,), the probability of each. why: int64 (n,), why each stopped.
    """

    memory: Bytes
    memories: Numbers
    weight: Floats
    why: Numbers

    def __len__(self) -> int:
        return len(self.memory)

    @property
    def is_over(self) -> NDArray[np.bool_]:
        """Which positions stand at the end of their deal, bool (n,)."""
        over: NDArray[np.bool_] = (self.why == abi.OVER) | (self.why == abi.BEFORE_DEAL)
        return over

    def take(self, rows: Numbers | NDArray[np.bool_]) -> Positions:
        """Return some of them, as copies."""
        # `take` copies whole rows, faster than an index does.
        index = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows
        memory, memories = self.memory.take(index, axis=0), self.memories.take(index, axis=0)
        return Positions(memory, memories, self.weight[index], self.why[index])

    def part(self, first: int, last: int) -> Positions:
        """Return a range of them, not copied."""
        rows = slice(first, last)
        return Positions(self.memory[rows], self.memories[rows], self.weight[rows], self.why[rows])


def join_positions(parts: Sequence[Positions]) -> Positions:
    """Return all positions of several blocks, in their order."""
    if len(parts) == 1:
        return parts[0]
    return Positions(
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("memory", "memories", "weight", "why")
        )
    )


class Stepper:
    """A game's machine code, as it steps positions and reads them."""

    def __init__(self, game: Game, classes: CardClasses) -> None:
        self.game, self.classes = game, classes
        self.code = ExactCode(game)
        self.layout = self.code.unit.layout
        self.program, self.setting = self.code.program, self.code.setting
        self.entry = self.code.facts.entry
        at = self.entry * self.setting.players
        self._table = np.zeros(at + abi.EVENTS, np.int64)  # of all matches: no scripts, no events
        self._table[at + abi.STOPS] = 1
        # Caches that end with the stepper.
        self._bits_of, self._words_of = cache(self._find_bits), cache(self._find_words)

    # -------------------------------------------------------- playing on

    def start(self) -> Positions:
        """Return a match at its first stop."""
        memory = np.zeros((1, self.code.size), np.uint8)
        memory[:, self.layout.size :] = 255  # no card, where rules remember none yet
        self.code.start(memory.ctypes.data, self._table.ctypes.data, 0, 0, 0)
        none = np.zeros((1, self.setting.players, 0), np.int64)
        positions = Positions(memory, none, np.ones(1), np.zeros(1, np.int64))
        self.advance(positions)
        return positions

    def step(self, positions: Positions, answers: Numbers) -> None:
        """Continue with an answer or outcome in each; raises `RuleError` where rules fail."""
        self.field(positions.memory, "#answer")[:, 0] = answers
        self.advance(positions)

    def advance(self, positions: Positions) -> None:
        """Continue to the next stop; the record of what a step reads begins again."""
        memory, count = positions.memory, len(positions)
        for name in (READ, "#decisions"):
            self.field(memory, name)[:] = 0
        tables = np.broadcast_to(self._table, (count, len(self._table)))
        self.code.advance_rows(memory, tables, np.arange(count), positions.why)
        wrong = np.flatnonzero(self.number(memory, "#error"))
        if len(wrong):
            one = (ctypes.c_uint8 * self.code.size).from_buffer_copy(memory[wrong[0]].tobytes())
            match = MatchMemory(one, self.code.unit, self.program, self.setting)
            raise mistake_in(match, self.code.whole.mistakes)

    # -------------------------------------------------------- reading and writing

    def field(self, memory: Bytes, name: str) -> NDArray[Any]:
        """Return a field, (n, places), as it is in memory; it can be changed there."""
        return self.layout.fields[name].of_many(memory)

    def values(self, memory: Bytes, name: str) -> Numbers:
        """Return a field, int64 (n, places); of masks the bits as they are."""
        return self.field(memory, name).astype(np.int64)

    def masks(self, memory: Bytes, name: str) -> Masks:
        """Return a field of masks, uint64 (n, places)."""
        return self.values(memory, name).view(np.uint64)

    def number(self, memory: Bytes, name: str) -> Numbers:
        """Return a field that has one place, int64 (n,)."""
        return self.values(memory, name)[:, 0]

    def observe(self, memory: Bytes, names: Collection[str] | None) -> Observation:
        """Return what the asked seats know; names: see `Columns.observe`."""
        return Columns(self.code, memory).observe(np.arange(len(memory), dtype=np.int64), names)

    def differ(self, positions: Positions, memory: Bytes, without: Sequence[str]) -> bool:
        """Tell whether any position differs from these in more than some variables."""
        other = positions.memory.view(np.uint64) ^ memory.view(np.uint64)
        alike = {*IDLE, *without} - {*AT_STOP}
        return bool((other & ~self._bits_of(frozenset(alike))).any())

    def _find_bits(self, names: frozenset[str], frame: bool = False) -> Masks:
        """Return, for each 64-bit word of a match, the bits of fields, and of open rules."""
        memory = np.zeros((1, self.code.size), np.uint8)
        for name in names & self.layout.fields.keys():
            self.field(memory, name).view(np.uint8)[:] = 255
        memory[:, self.layout.size :] = 255 * frame
        bits: Masks = memory[0].view(np.uint64)
        return bits

    def frame(self, memory: Bytes) -> Numbers:
        """Return what unfinished rules remember, int64 (n, numbers); it can be changed there."""
        return memory[:, self.layout.size :].view(np.int64)

    def cards_in(self, memory: Bytes, zone: Zone) -> Masks:
        """Return the cards in each place of a zone, uint64 (n, places)."""
        return self.masks(memory, f"{zone.name}.all" if zone.ordered else zone.name)

    def cards(self, memory: Bytes) -> Masks:
        """Return the cards of every place, uint64 (n, places)."""
        zones = self.program.zones.values()
        return np.concatenate([self.cards_in(memory, zone) for zone in zones], axis=1)

    # -------------------------------------------------------- what refers to cards

    @cached_property
    def _card_fields(self) -> tuple[list[str], list[str]]:
        """The variables that hold a card, and those that hold cards."""
        types = {name: variable.type for name, variable in self.program.variables.items()}
        return [n for n in types if _is_card(types[n])], [n for n in types if types[n] == CARDS]

    @cached_property
    def _card_memories(self) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """Where scripts remember a card, and cards: a seat and a place in `memories`."""
        places = [
            (one.type, (seat, abi.memory_index(number)[1] - abi.MEMORY))
            for seat in range(self.setting.players)
            for policy in self.program.policies.values()
            for number, one in enumerate(policy.memory)
        ]
        return [at for t, at in places if _is_card(t)], [at for t, at in places if t == CARDS]

    def _frame_words(self, memory: Bytes, letters: str) -> Numbers:
        """Return the frame's numbers of these kinds, see `Unit.frame_kinds`."""
        kinds = self.code.facts.frame
        return self.frame(memory)[:, [i for i, kind in enumerate(kinds) if kind in letters]]

    def references(self, positions: Positions) -> Masks:
        """Return the cards that variables, scripts or open rules may refer to, uint64 (n,)."""
        memory, memories = positions.memory, positions.memories
        one, several = self._card_fields
        own, owns = self._card_memories
        cards = [self.values(memory, name) for name in one]
        cards += [memories[:, seat, at : at + 1] for seat, at in own]
        cards.append(self._frame_words(memory, "c?"))
        sets = [self.masks(memory, name) for name in several]
        sets += [memories[:, seat, at : at + 1].view(np.uint64) for seat, at in owns]
        sets.append(self._frame_words(memory, "s?").view(np.uint64))
        numbers = np.concatenate(cards, axis=1)
        is_card = (numbers >= 0) & (numbers < 64)
        bits = np.where(is_card, ONE << (numbers & 63).view(np.uint64), np.uint64(0))
        masks = np.concatenate([bits, *sets], axis=1)
        masks[masks == EVERYTHING] = 0  # -1 is no card, and an exchange leaves a full set the same
        references: Masks = np.bitwise_or.reduce(masks, axis=1)
        return references

    # -------------------------------------------------------- identity

    @cached_property
    def _blank(self) -> frozenset[str]:
        """The fields that do not distinguish positions, or that `keys` reads in another way."""
        names = {*IDLE}
        for zone in self.program.zones.values():
            parts = [f"{zone.name}.{part}" for part in (*PILE_MASKS, "order", "below")]
            names |= {name for name in parts if name in self.layout.fields} or {zone.name}
        return frozenset(names)

    def _find_words(self, only: frozenset[str] | None, frame: bool) -> tuple[Numbers, Masks]:
        """Return the 64-bit words of a match that distinguish positions, and their bits."""
        names = frozenset(self.layout.fields) if only is None else only
        bits = self._bits_of(names - self._blank, frame)
        index = np.flatnonzero(bits).astype(np.int64)
        return index, bits[index]

    def keys(
        self, positions: Positions, only: frozenset[str] | None = None, frame: bool = True
    ) -> Masks:
        """Return 128 bits of each position, uint64 (n, 2), the same for the same positions.

        only: the fields that count; None for all. frame: whether the state of unfinished rules
        counts.
        """
        if len(positions) > KEYED_AT_ONCE:
            starts = range(0, len(positions), KEYED_AT_ONCE)
            parts = (positions.part(first, first + KEYED_AT_ONCE) for first in starts)
            return np.concatenate([self.keys(part, only, frame) for part in parts])
        memory = positions.memory
        index, bits = self._words_of(only, frame)
        words = memory.view(np.uint64)
        same = (words == words[:1]).all(axis=0)[index]  # most words of a block, in all its rows
        columns = [words[:, index[~same]] & bits[~same]]
        size = positions.memories.shape[1] * positions.memories.shape[2]
        columns.append(positions.memories.reshape(len(memory), size).view(np.uint64))
        referred = self.references(positions)
        masks = self.classes.masks
        for zone in self.program.zones.values():
            if only is not None and not {zone.name, f"{zone.name}.all"} & only:
                continue
            cards = self.cards_in(memory, zone)
            for at in range(cards.shape[1]):
                column = cards[:, at]
                counts = np.bitwise_count(column[:, None] & masks).astype(np.uint8)
                columns += [pack_bytes(counts), (column & referred)[:, None]]
            if zone.ordered:
                columns += self._order(zone.name, memory)
        return hash_rows(columns, words[:1, index] & bits, same)

    def _order(self, pile: str, memory: Bytes) -> list[Masks]:
        """Return the order of the cards in a pile, as far as it is known."""
        depth = self.values(memory, f"{pile}.depth")
        below = self.values(memory, f"{pile}.below").reshape(*depth.shape, -1)
        below = np.where(np.arange(below.shape[2]) < depth[..., None], below, 255)
        lowest = pack_bytes(below.reshape(len(memory), -1).astype(np.uint8))
        return [lowest, self.masks(memory, f"{pile}.starts")]


def _is_card(type_: Type) -> bool:
    return isinstance(type_, Element) and type_.kind is Kind.CARD


def pack_bytes(numbers: Bytes) -> Masks:
    """Return bytes eight to a word, uint64 (n, words)."""
    size = numbers.shape[1]
    padded = np.zeros((len(numbers), size + -size % 8), np.uint8)
    padded[:, :size] = numbers
    return padded.view(np.uint64)


def hash_rows(
    columns: Sequence[Masks], ahead: Masks = NONE, same: NDArray[np.bool_] = EMPTY
) -> Masks:
    """Return 128 bits of hash of each row, uint64 (n, 2), from words that may differ.

    ahead: uint64 (1, m), words before them that are the `same` in all rows. If they are not, the
    first columns have these words instead.
    """
    words = np.concatenate(columns, axis=1)
    number = np.arange(1, 1 + same.sum() + words.shape[1], dtype=np.uint64)
    ends = np.concatenate([~same, np.ones(len(number) - len(same), np.bool_)])
    sums = np.empty((len(words), 2), np.uint64)
    for half in (0, 1):
        salts = mix(2 * number + np.uint64(half))
        start = mix(ahead[0, same] ^ salts[~ends]).sum()
        sums[:, half] = start + mix(words ^ salts[ends]).sum(axis=1)
    return mix(sums)


def mix(z: Masks) -> Masks:
    """Return a bijective mix of 64 bits: the finalizer of SplitMix64 (Steele et al. 2014)."""
    z = z ^ (z >> np.uint64(30))
    z *= np.uint64(0xBF58476D1CE4E5B9)
    z ^= z >> np.uint64(27)
    z *= np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return z


def merge_equal(stepper: Stepper, positions: Positions) -> Positions:
    """Return the positions with equal ones merged, their weights added."""
    if len(positions) < 2:
        return positions
    keys = np.concatenate([stepper.keys(positions), positions.why.view(np.uint64)[:, None]], axis=1)
    first, group = find_distinct(keys)
    result = positions.take(first)
    result.weight = np.bincount(group, positions.weight, len(first)).astype(np.float64)
    return result


def find_distinct(keys: Masks) -> tuple[Numbers, Numbers]:
    """Return the first row of each key, and the number of each row's key."""
    order = np.lexsort(keys.T[::-1])
    sorted_keys = keys[order]
    new = np.ones(len(keys), np.bool_)
    new[1:] = (sorted_keys[1:] != sorted_keys[:-1]).any(axis=1)
    group = np.empty(len(keys), np.int64)
    group[order] = np.cumsum(new) - 1
    return order[new].astype(np.int64), group
