"""Batches: many matches that wait at their next questions and are answered together."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import NoReturn

import numpy as np

from trutdsl.arguments import MOST, check_kind, check_names, check_range
from trutdsl.diagnostics import BadIndex, BadUsage
from trutdsl.native import abi
from trutdsl.native.jit import StepCode
from trutdsl.native.play.memory import MatchMemory, fault_of, mistake_in
from trutdsl.native.play.observation import (
    AUDIENCES,
    HEARERS,
    Columns,
    History,
    Numbers,
    Observation,
)
from trutdsl.streams import chance_key, strategy_key
from trutdsl.syntax.ast import Audience
from trutdsl.table.match import Passage, passages_of

# The events that become entries of the history.
HISTORY_EVENTS = (abi.ANSWERED, abi.ANNOUNCED, abi.PASSED)
FIRST_ROOM = 64  # capacity of events of a match between two of its questions; it grows if needed


class Batch:
    """Matches `first` to `first + count - 1` under a seed; the caller answers their questions.

    winner, deals, decisions: int64 (count,); winner is -1 for a draw or an open match.
    """

    def __init__(
        self,
        code: StepCode,
        seed: int,
        first: int,
        count: int,
        scripts: Mapping[int, str] = MappingProxyType({}),
        advisers: Mapping[int, str] = MappingProxyType({}),
    ) -> None:
        """Begin these matches.

        scripts: the policy of the program that plays a seat, by key. advisers: the policies that
        can be asked for the advice of other seats, see `advice`.
        """
        self.code, self.layout = code, code.unit.layout
        self._at_events = code.facts.entry * code.setting.players
        self._listens = bool(self.layout.announcements or self.layout.routes or scripts)
        room = FIRST_ROOM * self._listens
        self._table = np.zeros(self._at_events + abi.EVENTS + room * abi.EVENT, np.int64)
        self._table[self._at_events + abi.ROOM] = room
        for seat, key in (*scripts.items(), *advisers.items()):
            at, name = code.facts.entry * seat, code.program.policies[key].name
            keys = np.array(strategy_key(seed, name), np.uint64).view(np.int64)
            self._table[at + abi.KEY : at + abi.KEY + 2] = keys
            if seat in scripts:
                self._table[at + abi.FUNCTION] = code.address(f"policy.{key}")
        self._scripts, self._advisers = tuple(scripts), dict(advisers)
        needed = count * (code.size + self._table.nbytes)
        there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        if needed > there:
            text = f"{count:,} matches need {needed >> 20:,} MB of memory, of {there >> 20:,}"
            raise BadUsage(f"{text}; start fewer at once")
        self.memory = np.zeros((count, code.size), np.uint8)
        self._columns = Columns(code, self.memory)
        self.tables = np.zeros((count, len(self._table)), np.int64)
        self.why = np.zeros(count, np.int64)
        self._history = History(count)
        routes = self.layout.routes
        self._passages = tuple(passages_of(routes, code.program, code.setting))
        zones = [passage.zone for passage in self._passages]
        starts = [zones.index(route.target) for route in routes]
        self._first_passage = np.array(starts, np.int64)
        self._audience = audiences_of(code)
        self._key = chance_key(seed)
        self.restart(np.arange(count, dtype=np.int64), first)

    def __repr__(self) -> str:
        return f"<Batch: {len(self.why)} matches, {len(self.waiting)} waiting>"

    def restart(self, rows: Numbers, first: int) -> None:
        """Replace these matches by new ones, `first` and its successors under the seed."""
        check_kind("first", first, "int")
        check_range("first", first, 0, MOST - len(self.why))
        rows = self._checked_rows(rows)
        for number, i in enumerate(rows, first):
            self.memory[i], self.tables[i] = 0, self._table
            memory, table = self.memory[i].ctypes.data, self.tables[i].ctypes.data
            self.code.start(memory, table, *self._key, number)
        self._history.forget(rows)
        self._advance(rows)

    def _checked_rows(self, rows: Numbers) -> Numbers:
        result, most = np.asarray(rows), len(self.why)
        inside = result.ndim == 1 and (not result.size or result.dtype.kind in "iu")
        inside = inside and bool(((result >= 0) & (result < most)).all())
        if not inside or len(np.unique(result)) < len(result):
            text = f"found the matches {rows}, expected a list of indices from 0 to {most - 1}"
            raise BadIndex(f"{text}, each once")
        return result.astype(np.int64)

    def clone(self) -> Batch:
        """Return independent copies of the matches at the same positions."""
        twin = object.__new__(type(self))
        vars(twin).update(vars(self))
        twin.memory, twin.tables = self.memory.copy(), self.tables.copy()
        twin._columns = Columns(self.code, twin.memory)
        twin.why, twin._history = self.why.copy(), self._history.clone()
        return twin

    def __copy__(self) -> Batch:
        return self.clone()

    def __deepcopy__(self, _memo: object) -> Batch:
        return self.clone()

    def __reduce__(self) -> NoReturn:
        raise BadUsage("a batch cannot be pickled: its matches are memory of this process")

    @property
    def waiting(self) -> Numbers:
        """The indices of the matches that are not over."""
        return np.flatnonzero(self.why != abi.OVER).astype(np.int64)

    @property
    def winner(self) -> Numbers:
        """The team that has won each match."""
        return self._columns.number("#winner", slice(None))

    @property
    def deals(self) -> Numbers:
        """The number of begun deals of each match."""
        return self._columns.number("#deals", slice(None))

    @property
    def decisions(self) -> Numbers:
        """The number of answered questions of each match."""
        return self._columns.number("#decisions", slice(None))

    @property
    def choices(self) -> Numbers:
        """The number of answered questions with two or more legal actions."""
        return self._columns.number("#choices", slice(None))

    def rows(self) -> Numbers:
        """Return the result of each match, int64 (count, fields), as `RunCode.rows` does."""
        of_teams = range(self.code.setting.teams)
        counters = [
            self._columns.field(name, slice(None))[:, of_teams] for name in self.code.unit.counters
        ]
        each = np.stack([self.winner, self.deals, self.choices], axis=1)
        return np.concatenate([each, *(values.astype(np.int64) for values in counters)], axis=1)

    def observe(self, names: Collection[str] | None = None) -> Observation:
        """Return the knowledge of the asked seats.

        names: the needed zones and variables, to save time; None for all.
        """
        if names is not None:
            program = self.code.program
            known = (*program.zones, *program.variables)
            names = check_names("zone or variable", names, known)
        return self._columns.observe(self.waiting, names)

    @property
    def announcements(self) -> tuple[str, ...]:
        """The possible announcements, in the order of their numbers in `history`."""
        return tuple(words for words, _ in self.layout.announcements)

    @property
    def passages(self) -> tuple[Passage, ...]:
        """The possible passes of cards from seat to seat, in the order of `history`."""
        return self._passages

    def history(self) -> Numbers:
        """Return the entries that the asked seats have noticed in this deal.

        int64 (n, most, 3), oldest first, padded with rows of -1. An answer has the seat, the
        question's number, the action's number. An announcement has the speaker (-1: none), the
        number of questions plus its number among `announcements`, and the value, encoded as in
        variables. Cards that went from seat to seat, or from team to team, have three numbers. The
        first is the giver. The second is the number among `passages`, plus the number of questions
        and announcements. The third is the mask of the cards, or their count if they are hidden.
        """
        rows = self.waiting
        deals, seat = self._columns.number("#deals", rows), self._columns.number("#seat", rows)
        return self._history.noticed_entries(rows, deals, seat, self.code.setting.teams)

    def advice(self) -> Numbers:
        """Return the rank of the adviser's action among the legal ones, -1 where a seat has none.

        For all waiting matches; to be asked once a question.
        """
        rows, code = self.waiting, self.code
        ranks, seats = np.full(len(rows), -1), self._columns.number("#seat", rows)
        for seat, name in self._advisers.items():
            some = rows[seats == seat]
            entry = slice(code.facts.entry * seat, code.facts.entry * (seat + 1))
            memory, entries = self.memory[some], self.tables[some, entry]
            legal = np.bitwise_count(self._columns.legal(some)).sum(axis=1).astype(np.int64)
            actions = code.answer_rows(name, memory, entries, legal)
            if entries[:, abi.FAULT].any():
                raise fault_of(code.whole.mistakes[int(entries[:, abi.FAULT].max()) - 1], seat)
            self.tables[some, entry], ranks[seats == seat] = entries, actions
        return ranks

    def answer(self, actions: Numbers, rows: Numbers | None = None) -> None:
        """Answer waiting matches with the number of a legal action each, int64 in their order.

        rows: indices of matches, ascending; None for all waiting ones.
        Raises `BadUsage` for an illegal action, and `RuleError` if rules fail.
        """
        rows = self.waiting if rows is None else self._checked_rows(rows)
        if len(over := rows[self.why[rows] == abi.OVER]):
            raise BadUsage(f"match {over[0]} is over; answer matches that wait")
        numbers = np.asarray(actions)
        if numbers.shape != rows.shape or (len(rows) and numbers.dtype.kind not in "iu"):
            raise BadUsage(
                f"found actions of shape {numbers.shape} and type {numbers.dtype}, expected the "
                f"whole number of a legal action for each of {len(rows)} matches"
            )
        actions = numbers.astype(np.int64)
        legal = self._columns.legal(rows)
        inside = (actions >= 0) & (actions < 64 * legal.shape[1])
        word = np.where(inside, actions // 64, 0)
        bit = np.where(inside, actions % 64, 0).astype(np.uint64)
        is_legal = (legal[np.arange(len(rows)), word] >> bit) & np.uint64(1)
        wrong = np.flatnonzero(~inside | (is_legal == 0))
        if len(wrong):
            row, action = int(rows[wrong[0]]), int(actions[wrong[0]])
            bits = np.unpackbits(legal[wrong[0]].view(np.uint8), bitorder="little")
            known = ", ".join(map(str, np.flatnonzero(bits)))
            raise BadUsage(f"found action {action} in match {row}, expected one of: {known}")
        decision = self._columns.number("#decision", rows)
        entries = (
            self._columns.number("#seat", rows),
            decision,
            actions,
            self._audience[decision, actions],
        )
        self._history.add(rows, self._columns.number("#deals", rows), np.stack(entries, axis=1))
        self.layout.fields["#answer"].of_many(self.memory)[rows, 0] = actions
        self._advance(rows)

    def _advance(self, rows: Numbers) -> None:
        """Continue these matches to their next questions, and store their events."""
        if not self._listens:
            self._go_on(rows)
            return
        memory, tables = self.memory[rows], self.tables[rows]
        self._go_on(rows)
        most = int(self.tables[rows, self._at_events + abi.COUNT].max(initial=0))
        if most > self._table[self._at_events + abi.ROOM]:  # repeat with room for all events
            more = np.zeros((len(self.tables), most * abi.EVENT), np.int64)
            end = self._at_events + abi.EVENTS
            self.memory[rows], self.tables[rows] = memory, tables
            self._table = np.concatenate([self._table[:end], more[0]])
            self.tables = np.concatenate([self.tables[:, :end], more], axis=1)
            room_at = self._at_events + abi.ROOM
            self._table[room_at] = self.tables[:, room_at] = most
            self._go_on(rows)
        self._listen(rows)

    def _listen(self, rows: Numbers) -> None:
        """Store the events in order, with their deals."""
        counts = self.tables[rows, self._at_events + abi.COUNT]
        self.tables[rows, self._at_events + abi.COUNT] = 0
        most, start = int(counts.max(initial=0)), self._at_events + abi.EVENTS
        events = self.tables[rows, start : start + most * abi.EVENT]
        events = events.reshape(len(rows), most, abi.EVENT)
        happened = np.arange(most) < counts[:, None]
        begins = happened & (events[..., 0] == abi.DEAL)
        deals = self._columns.number("#deals", rows)[:, None] - begins.sum(axis=1)[:, None]
        deals = deals + np.cumsum(begins, axis=1)
        row, place = np.nonzero(happened & np.isin(events[..., 0], HISTORY_EVENTS))
        of, entries = self._entries(events[row, place])
        self._history.add_all(rows[row[of]], deals[row[of], place[of]], entries)

    def _entries(self, events: Numbers) -> tuple[Numbers, Numbers]:
        """Return the entries of these events in order: the index of the event, and the entry."""
        kind, questions = events[:, 0], len(self.code.plans)
        answer_rows, announcement_rows, pass_rows = (
            np.flatnonzero(kind == one) for one in HISTORY_EVENTS
        )
        _, who, decision, action, _ = events[answer_rows].T
        answers = np.stack((who, decision, action, self._audience[decision, action]), axis=1)
        if not len(announcement_rows) and not len(pass_rows):
            return answer_rows, answers
        _, number, who, value, hearers = events[announcement_rows].T
        announcements = np.stack((who, questions + number, value, HEARERS + hearers), axis=1)
        of = np.concatenate((answer_rows, announcement_rows, pass_rows, pass_rows))
        entries = np.concatenate(
            (answers, announcements, *self._passage_entries(events[pass_rows]))
        )
        order = np.argsort(of, kind="stable")
        return of[order], entries[order]

    def _passage_entries(self, events: Numbers) -> tuple[Numbers, Numbers]:
        """Return the entry for seats that see the passed cards, and the entry for others."""
        _, route, places, cards, seers = events.T
        at, to = np.divmod(places, abi.PLACES)
        first = len(self.code.plans) + len(self.layout.announcements)
        seen = first + self._first_passage[route] + 2 * to
        many = np.bitwise_count(cards.view(np.uint64)).astype(np.int64)
        others = (1 << self.code.setting.players) - 1 & ~seers
        return (
            np.stack((at, seen, cards, HEARERS + seers), axis=1),
            np.stack((at, seen + 1, many, HEARERS + others), axis=1),
        )

    def _go_on(self, rows: Numbers) -> None:
        rows = np.ascontiguousarray(rows)
        self.code.advance_rows(self.memory, self.tables, rows, self.why)
        errors = self._columns.number("#error", rows)
        if errors.any():
            row = int(rows[int(np.flatnonzero(errors)[0])])
            memory = (ctypes.c_uint8 * self.code.size).from_buffer(self.memory[row])
            match = MatchMemory(memory, self.code.unit, self.code.program, self.code.setting)
            raise mistake_in(match, self.code.whole.mistakes)
        for seat in self._scripts:
            faults = self.tables[rows, self.code.facts.entry * seat + abi.FAULT]
            if faults.any():
                raise fault_of(self.code.whole.mistakes[int(faults.max()) - 1], seat)


def audiences_of(code: StepCode) -> Numbers:
    """Return the audience of each action: int64 (questions, numbers), an index of `AUDIENCES`."""
    result = np.zeros((len(code.plans), 64 * code.unit.layout.words), np.int64)
    for plan in code.plans:
        for option, actions in zip(plan.node.options, plan.options, strict=True):
            audience = Audience.ALL if option.openly else plan.node.audience
            result[plan.number, actions.first :] = AUDIENCES.index(audience)
    return result
