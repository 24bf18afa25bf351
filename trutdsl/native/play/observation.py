"""Observations: the knowledge of the asked seats in many matches, as arrays."""

from __future__ import annotations

from collections.abc import Collection
from copy import copy
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trutdsl.ir.nodes import Variable, Zone
from trutdsl.ir.types import Kind
from trutdsl.native.jit import StepCode
from trutdsl.native.layout import MOST_CARDS
from trutdsl.syntax.ast import Audience
from trutdsl.table.sight import variables_of

Numbers = NDArray[np.int64]
Masks = NDArray[np.uint64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Observation:
    """The knowledge of the asked seats, one row for each waiting match, without hidden data.

    With `Batch.history` it equals the `View` of each asked seat. A zone or variable without an
    index has one place, else one for each seat, team, ...

    matches:   the indices of the matches, int64 (n,).
    seat:      the asked seat, int64 (n,); decision: the question's number, int64 (n,).
    legal:     masks of the legal actions' numbers, uint64 (n, words).
    deal, dealer, leader: int64 (n,), the deal's index in the match, -1 before the first.
    zones:     zone -> masks of cards, uint64 (n, places); 0 where the seat may not look.
    orders:    pile -> its cards from the lowest up, int8 (n, places, 64), as `View.zones` orders
               them; -1 behind the last and where the seat may not look.
    sizes:     zone -> the numbers of cards, int64 (n, places).
    variables: variable or counter -> values, int64 (n, places); a set is its mask, uint64. None is
               -1, yes is 1, a named value its index. 0 where the seat may not look.
    seen:      zone or variable -> whether the seat may look there, bool (n, places).
    """

    matches: Numbers
    seat: Numbers
    decision: Numbers
    legal: Masks
    deal: Numbers
    dealer: Numbers
    leader: Numbers
    zones: dict[str, Masks]
    orders: dict[str, NDArray[np.int8]]
    sizes: dict[str, Numbers]
    variables: dict[str, Numbers | Masks]
    seen: dict[str, Flags]

    def __repr__(self) -> str:
        names = ", ".join((*self.zones, *self.variables))
        return f"<Observation: {len(self.matches)} matches; {names}>"

    def take(self, which: Flags) -> Observation:
        """Return the rows of some of these matches."""

        def take(part: Any) -> Any:
            if isinstance(part, dict):
                return {name: rows[which] for name, rows in part.items()}
            return part[which]

        return Observation(*(take(getattr(self, field.name)) for field in fields(self)))


class Columns:
    """Structure of arrays: reads the fields of matches that are consecutive in memory.

    memory: uint8 (matches, bytes of one). rows are indices of matches, or a slice.
    """

    def __init__(self, code: StepCode, memory: NDArray[np.uint8]) -> None:
        self._program, self._setting, self._layout = code.program, code.setting, code.unit.layout
        self._memory, self._plans = memory, code.plans
        self._views: dict[str, NDArray[Any]] = {}

    def observe(self, rows: Numbers, names: Collection[str] | None) -> Observation:
        """Return the knowledge of the asked seats of these matches; see `Batch.observe`."""
        program = self._program
        seat = self.number("#seat", rows)
        zones: dict[str, Masks] = {}
        orders: dict[str, NDArray[np.int8]] = {}
        sizes: dict[str, Numbers] = {}
        variables: dict[str, Numbers | Masks] = {}
        seen: dict[str, Flags] = {}
        for zone in program.zones.values():
            if names is not None and zone.name not in names:
                continue
            masks = self._masks(f"{zone.name}.all" if zone.ordered else zone.name, rows)
            sizes[zone.name] = np.bitwise_count(masks).astype(np.int64)
            may = seen[zone.name] = self._visible(zone, rows, seat)
            zones[zone.name] = _only(may, masks)
            if zone.ordered:
                orders[zone.name] = self._order(zone.name, rows, may)
        variables_read = variables_of(program)
        if names is not None:
            variables_read = [one for name, one in program.variables.items() if name in names]
        for variable in variables_read:
            values = self.field(variable.name, rows)
            may = seen[variable.name] = self._visible(variable, rows, seat)
            variables[variable.name] = _only(may, values)
        return Observation(
            matches=rows,
            seat=seat,
            decision=self.number("#decision", rows),
            legal=self.legal(rows),
            deal=self.number("#deals", rows) - 1,
            dealer=self.number("dealer", rows),
            leader=self.number("on_lead", rows),
            zones=zones,
            orders=orders,
            sizes=sizes,
            variables=variables,
            seen=seen,
        )

    def field(self, name: str, rows: Numbers | slice) -> Numbers | Masks:
        """Return a field of these matches, a column for each place; 64-bit masks are uint64."""
        result = self._view(name)[rows]
        if result.dtype.itemsize < 8:
            return result.astype(np.int64)
        return result.copy() if isinstance(rows, slice) else result

    def number(self, name: str, rows: Numbers | slice) -> Numbers:
        """Return a field with one place, int64 (rows,)."""
        return self._view(name)[:, 0][rows].astype(np.int64)

    def _view(self, name: str) -> NDArray[Any]:
        """Return the field of all matches, in their memory."""
        if name not in self._views:
            self._views[name] = self._layout.fields[name].of_many(self._memory)
        return self._views[name]

    def _masks(self, name: str, rows: Numbers | slice) -> Masks:
        return self.field(name, rows).view(np.uint64)

    @cached_property
    def _words(self) -> Numbers:
        """The number of words of each question's actions."""
        return np.array([plan.words for plan in self._plans], np.int64)

    def legal(self, rows: Numbers | slice) -> Masks:
        legal = self._masks("#legal", rows)
        words = self._words[self.number("#decision", rows)]
        return np.where(np.arange(legal.shape[1]) < words[:, None], legal, np.uint64(0))

    def _order(self, name: str, rows: Numbers, may: Flags) -> NDArray[np.int8]:
        """Return the cards of piles from the lowest up, see `Layout`."""
        result = np.full((*may.shape, MOST_CARDS), -1, np.int8)
        if not may.any():
            return result
        depth, top = self.field(f"{name}.depth", rows), self._masks(f"{name}.top", rows)
        below = self.field(f"{name}.below", rows).reshape(result.shape)
        lies = may[..., None] & (np.arange(MOST_CARDS) < depth[..., None])
        result[lies] = below[lies]
        for card in range(len(self._setting.deck.texts)):
            bit = np.uint64(1 << card)
            match, place = np.nonzero(may & (top & bit != 0))
            under = np.bitwise_count(top[match, place] & (bit - np.uint64(1)))
            result[match, place, depth[match, place] + under] = card
        return result

    def _visible(self, declaration: Zone | Variable, rows: Numbers, seat: Numbers) -> Flags:
        """Return the places where the asked seats may look, as in a `View`."""
        teams, audience = self._setting.teams, declaration.audience
        places = np.arange(self._setting.count(declaration.index))[None, :]
        own, team = seat[:, None], seat[:, None] % teams
        if audience is Audience.ALL:
            return np.broadcast_to(True, (len(rows), places.size))
        if audience is Audience.NOBODY:
            result = np.zeros((len(rows), places.size), np.bool_)
        elif declaration.index is Kind.TEAM:
            result = places == team
        elif audience is Audience.OWNER:
            result = places == own
        else:
            result = places % teams == team
        if f"{declaration.name}.shown" in self._layout.fields:
            result = result | (self.field(f"{declaration.name}.shown", rows) >> own & 1 == 1)
        return result


def _only(may: Flags, values: NDArray[Any]) -> NDArray[Any]:
    """Return values where they may be seen, else 0."""
    return values if may.strides == (0, 0) else np.where(may, values, values.dtype.type(0))


def legal_actions(legal: Masks) -> tuple[Numbers, Numbers]:
    """Return the row and the number of each legal action, by row; legal: uint64 (n, words)."""
    bits = np.unpackbits(np.ascontiguousarray(legal).view(np.uint8), axis=1, bitorder="little")
    rows, numbers = np.nonzero(bits)
    return rows.astype(np.int64), numbers.astype(np.int64)


def ranks_of(legal: Masks, numbers: Numbers) -> Numbers:
    """Return how many legal actions are below each of these; legal: uint64 (n, words)."""
    ends = 64 * np.arange(1, legal.shape[1] + 1)
    others = np.clip(ends - numbers[:, None], 0, 64).astype(np.uint64)  # bits of each word
    result: Numbers = np.bitwise_count(legal << others).sum(axis=1, dtype=np.int64)
    return result


def distinct_actions(rows: Numbers, names: Masks, count: int) -> tuple[Numbers, Numbers]:
    """Return one action of each name, by row, then by name, and the number in each row.

    rows, names: of each legal action its row, ascending, and its name.
    """
    order = np.lexsort((np.arange(len(rows)), names, rows))
    new = np.ones(len(rows), np.bool_)
    new[1:] = (rows[order][1:] != rows[order][:-1]) | (names[order][1:] != names[order][:-1])
    alike = order[new].astype(np.int64)
    return alike, np.bincount(rows[alike], minlength=count).astype(np.int64)


# The entries of many matches side by side, and their audiences.

AUDIENCES = list(Audience)
HEARERS = len(AUDIENCES)  # from here up: the mask of the audience


class History:
    """The history entries of the current deal in each of many matches."""

    def __init__(self, count: int) -> None:
        # Seat, decision, action, audience; for other entries, the value is the action.
        self.entries = np.zeros((count, 16, 4), np.int64)
        self.count = np.zeros(count, np.int64)
        self.deals = np.zeros(count, np.int64)  # the number of begun deals at the last entry

    def clone(self) -> History:
        twin = copy(self)
        twin.entries, twin.count = self.entries.copy(), self.count.copy()
        twin.deals = self.deals.copy()
        return twin

    def forget(self, rows: Numbers) -> None:
        self.count[rows] = 0

    def add(self, rows: Numbers, deals: Numbers, entries: Numbers) -> None:
        """Add an entry in each of these matches; entries of an earlier deal are dropped."""
        at = self._counts(rows, deals)
        self._put(rows, at, entries)
        self.count[rows], self.deals[rows] = at + 1, deals

    def add_all(self, rows: Numbers, deals: Numbers, entries: Numbers) -> None:
        """Add entries, those of a match one after the other; see `add`."""
        if not len(rows):
            return
        last = np.flatnonzero(np.append(rows[1:] != rows[:-1], True))
        group = np.repeat(np.arange(len(last)), np.diff(last, prepend=-1))
        current = np.flatnonzero(deals == deals[last][group])
        group, last_rows, newest = group[current], rows[last], deals[last]
        many, before = np.bincount(group), self._counts(last_rows, newest)
        begin = np.cumsum(many) - many
        self._put(
            rows[current], (before - begin)[group] + np.arange(len(current)), entries[current]
        )
        self.count[last_rows], self.deals[last_rows] = before + many, newest

    def _put(self, rows: Numbers, at: Numbers, entries: Numbers) -> None:
        while at.max(initial=0) >= self.entries.shape[1]:
            self.entries = np.concatenate([self.entries, np.zeros_like(self.entries)], axis=1)
        self.entries[rows, at] = entries

    def noticed_entries(self, rows: Numbers, deals: Numbers, seat: Numbers, teams: int) -> Numbers:
        """Return the entries that the asked seats have noticed, see `Batch.history`."""
        counts = self._counts(rows, deals)
        entries = self.entries[rows, : counts.max(initial=0)]
        who, audience = entries[..., 0], entries[..., 3]
        known = (who == seat[:, None]) | (audience == AUDIENCES.index(Audience.ALL))
        same_team = who % teams == (seat % teams)[:, None]
        known |= same_team & (audience == AUDIENCES.index(Audience.TEAM))
        hearers = np.maximum(audience - HEARERS, 0)
        known &= audience < HEARERS
        known |= hearers >> seat[:, None] & 1 == 1
        known &= np.arange(entries.shape[1]) < counts[:, None]
        places = known.cumsum(axis=1)
        result = np.full((len(rows), int(places[:, -1:].max(initial=0)), 3), -1, np.int64)
        row, at = np.nonzero(known)
        result[row, places[row, at] - 1] = entries[row, at, :3]
        return result

    def _counts(self, rows: Numbers, deals: Numbers) -> Numbers:
        return np.where(self.deals[rows] == deals, self.count[rows], 0)
