"""Features for networks: what the asked seats of many matches know, from their own side."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from trutdsl.ir.nodes import Variable, Zone
from trutdsl.ir.types import Element, Kind, SetOf
from trutdsl.learning.encoding import Encoder
from trutdsl.native.play.observation import Numbers, Observation
from trutdsl.table.sight import reading_of

Rows = NDArray[np.float32]
SCALE = np.float32(0.25)  # of logarithms, so that numbers up to 50 are below 1


class FeatureMap:
    """Turns observations into float32 arrays (matches, size) between about -1 and 1.

    Seats are counted from the asked seat, teams from its team: the first place of a zone or
    variable is the seat's own. `parts` gives the position of each name:

    question:       1 for the question that is asked.
    dealer, leader: 1 for the seat, the last one for nobody.
    a zone:         for each place 1 for each card that visibly lies there, then the share of the
                    pack that lies there.
    a variable or counter: for each place the value. A seat or team is 1 of several features; so is
                    each element of a set. A number is the logarithm of 1 more than its size, with
                    its sign, times `SCALE`. 0 where the seat may not look.
    answers:        for each seat 1 for each action that it has taken in this deal, as far as the
                    asked seat noticed it.
    """

    def __init__(self, encoder: Encoder) -> None:
        self.encoder, game = encoder, encoder.game
        self.players, self.teams = game.players, game.team_count
        self._zones = list(game.program.zones.values())
        self._variables = list(game.program.variables.values())
        self._first = np.array(encoder.first, np.int64)
        count = game.setting.count
        widths = {"question": len(game.plans), "dealer": self.players + 1}
        widths |= {"leader": self.players + 1}
        for zone in self._zones:
            widths[zone.name] = count(zone.index) * (encoder.cards + 1)
        for variable in self._variables:
            widths[variable.name] = count(variable.index) * self._width(variable)
        widths["answers"] = self.players * encoder.actions
        self.parts: dict[str, slice] = {}
        self.size = 0
        for name, width in widths.items():
            self.parts[name] = slice(self.size, self.size + width)
            self.size += width

    def _width(self, variable: Variable) -> int:
        match variable.type:
            case Element(kind=Kind.SEAT):
                return self.players + 1
            case Element(kind=Kind.TEAM):
                return self.teams + 1
            case SetOf():
                read = reading_of(variable.type, self.encoder.game.setting)
                return len(read.names) or self.players
        return 1

    def encode(self, seen: Observation, history: Numbers) -> Rows:
        """Return the features of each row; history: as `Batch.history` returns it."""
        many = len(seen.matches)
        found = np.zeros((many, self.size), np.float32)
        rows = np.arange(many)
        found[rows, self.parts["question"].start + seen.decision] = 1
        for name, who in (("dealer", seen.dealer), ("leader", seen.leader)):
            found[rows, self.parts[name].start + self._relative(who, seen.seat, self.players)] = 1
        for zone in self._zones:
            self._put_zone(found[:, self.parts[zone.name]], zone, seen)
        for variable in self._variables:
            self._put_variable(found[:, self.parts[variable.name]], variable, seen)
        self._put_answers(found[:, self.parts["answers"]], seen, history)
        return found

    def recent(self, seen: Observation, history: Numbers, most: int) -> NDArray[np.int16]:
        """Return the last answers of the deal, the latest first, int16 (matches, most, 2).

        Each is 1 + the seat, counted from the asked one, and 1 + the action; else 0.
        """
        row, at = self._answers(history)
        found = np.zeros((len(seen.matches), most, 2), np.int16)
        behind = np.zeros(history.shape[:2], np.int64)
        behind[row, at] = 1
        behind = behind[:, ::-1].cumsum(axis=1)[:, ::-1] - 1
        place = behind[row, at]
        kept = place < most
        row, at, place = row[kept], at[kept], place[kept]
        who, question, action = history[row, at].T
        found[row, place, 0] = 1 + self._relative(who, seen.seat[row], self.players)
        found[row, place, 1] = 1 + self._first[question] + action
        return found

    def _relative(self, who: Numbers, seat: Numbers, among: int) -> Numbers:
        """Return seats or teams as counted from these; nobody is the last number."""
        return np.where(who < 0, among, (who - seat) % among)

    def _turned(self, values: NDArray[Any], index: object, seat: Numbers) -> NDArray[Any]:
        """Return places in an order that begins with the seat or its team."""
        if index not in (Kind.SEAT, Kind.TEAM):
            return values
        among = self.players if index is Kind.SEAT else self.teams
        order = (seat[:, None] + np.arange(among)) % among
        return np.take_along_axis(values, order, axis=1)

    def _put_zone(self, found: Rows, zone: Zone, seen: Observation) -> None:
        cards = self.encoder.cards
        masks = self._turned(seen.zones[zone.name], zone.index, seen.seat)
        sizes = self._turned(seen.sizes[zone.name], zone.index, seen.seat)
        many, places = masks.shape
        raw = np.ascontiguousarray(masks).view(np.uint8).reshape(many, places, 8)
        bits = np.unpackbits(raw, axis=2, count=cards, bitorder="little")
        found.reshape(many, places, cards + 1)[..., :cards] = bits
        found.reshape(many, places, cards + 1)[..., cards] = sizes / np.float32(cards)

    def _put_variable(self, found: Rows, variable: Variable, seen: Observation) -> None:
        values = self._turned(seen.variables[variable.name], variable.index, seen.seat)
        may = self._turned(seen.seen[variable.name], variable.index, seen.seat)
        many, places = values.shape
        width = self._width(variable)
        match variable.type:
            case Element(kind=Kind.SEAT | Kind.TEAM):
                told = self._relative(values.astype(np.int64), seen.seat[:, None], width - 1)
                hot = told[..., None] == np.arange(width)
                put = hot & may[..., None]
            case SetOf(among):
                bits = np.ascontiguousarray(values).view(np.uint64)[..., None]
                put = (bits >> np.arange(width, dtype=np.uint64) & np.uint64(1)).astype(np.float32)
                kinds = {Kind.SEAT: self.players, Kind.TEAM: self.teams}
                if among in kinds:
                    order = (seen.seat[:, None] + np.arange(width)) % width
                    put = np.take_along_axis(put, order[:, None, :], axis=2)
            case _:
                numbers = values.astype(np.float32)[..., None]
                put = np.sign(numbers) * np.log1p(np.abs(numbers)) * SCALE
        found[:] = put.reshape(many, places * width)

    def _answers(self, history: Numbers) -> tuple[Numbers, Numbers]:
        """Return row and column of the entries that are answers."""
        row, at = np.nonzero((history[..., 1] >= 0) & (history[..., 1] < len(self._first)))
        return row, at

    def _put_answers(self, found: Rows, seen: Observation, history: Numbers) -> None:
        row, at = self._answers(history)
        who, question, action = history[row, at].T
        seat = self._relative(who, seen.seat[row], self.players)
        found[row, seat * self.encoder.actions + self._first[question] + action] = 1
