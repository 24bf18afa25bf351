"""Features for networks: what the asked seats of many matches know, from their own side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from trutdsl.ir.nodes import Variable, Zone
from trutdsl.ir.types import Element, Kind, SetOf
from trutdsl.learning.encoding import Encoder
from trutdsl.native.play.observation import Numbers, Observation
from trutdsl.table.sight import variables_of

D = TypeVar("D", Zone, Variable)
Rows = NDArray[np.float32]
Turned = dict[object, Numbers]  # index -> the order of its places, for each match
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
        zones = list(game.program.zones.values())
        variables = variables_of(game.program)
        self._first = np.array(encoder.first, np.int64)
        count = game.setting.count
        widths = {"question": len(game.plans), "dealer": self.players + 1}
        widths |= {"leader": self.players + 1}
        for zone in zones:
            widths[zone.name] = count(zone.index) * (encoder.cards + 1)
        for variable in variables:
            widths[variable.name] = count(variable.index) * self._width(variable)
        widths["answers"] = self.players * encoder.actions
        self.parts: dict[str, slice] = {}
        self.size = 0
        for name, width in widths.items():
            self.parts[name] = slice(self.size, self.size + width)
            self.size += width
        self._elements = [one for one in variables if not _is_number(one)]
        self._zones = _by_index(zones)
        self._numbers = _by_index([one for one in variables if _is_number(one)])
        self._columns = {
            (index, kind): np.concatenate([np.r_[self.parts[one.name]] for one in group])
            for kind, groups in ((Zone, self._zones), (Variable, self._numbers))
            for index, group in groups.items()
        }

    def _width(self, variable: Variable) -> int:
        match variable.type:
            case Element(kind=Kind.SEAT):
                return self.players + 1
            case Element(kind=Kind.TEAM):
                return self.teams + 1
            case SetOf(kind):
                return self.encoder.game.setting.count(kind)
        return 1

    def encode(self, seen: Observation, history: Numbers) -> Rows:
        """Return the features of each row; history: as `Batch.history` returns it."""
        many = len(seen.matches)
        result = np.zeros((many, self.size), np.float32)
        rows = np.arange(many)
        result[rows, self.parts["question"].start + seen.decision] = 1
        for name, who in (("dealer", seen.dealer), ("leader", seen.leader)):
            result[rows, self.parts[name].start + self._relative(who, seen.seat, self.players)] = 1
        seats = self._places(seen.seat)
        for index in self._zones:
            self._put_zones(result, index, seen, seats)
        for index in self._numbers:
            self._put_numbers(result, index, seen, seats)
        for variable in self._elements:
            self._put_variable(result[:, self.parts[variable.name]], variable, seen, seats)
        self._put_answers(result[:, self.parts["answers"]], seen, history)
        return result

    def recent(self, seen: Observation, history: Numbers, most: int) -> NDArray[np.int16]:
        """Return the last answers of the deal, the latest first, int16 (matches, most, 2).

        Each is 1 + the seat, counted from the asked one, and 1 + the action; else 0.
        """
        row, at = self._answers(history)
        result = np.zeros((len(seen.matches), most, 2), np.int16)
        behind = np.zeros(history.shape[:2], np.int64)
        behind[row, at] = 1
        behind = behind[:, ::-1].cumsum(axis=1)[:, ::-1] - 1
        place = behind[row, at]
        is_recent = place < most
        row, at, place = row[is_recent], at[is_recent], place[is_recent]
        who, question, action = history[row, at].T
        result[row, place, 0] = 1 + self._relative(who, seen.seat[row], self.players)
        result[row, place, 1] = 1 + self._first[question] + action
        return result

    def _relative(self, who: Numbers, seat: Numbers, among: int) -> Numbers:
        """Return seats or teams as counted from these; nobody is the last number."""
        return np.where(who < 0, among, (who - seat) % among)

    def _places(self, seat: Numbers) -> dict[object, Numbers]:
        """Return the places of an index in an order that begins with the seat or its team."""
        among = {Kind.SEAT: self.players, Kind.TEAM: self.teams}
        return {kind: (seat[:, None] + np.arange(many)) % many for kind, many in among.items()}

    def _put_zones(self, features: Rows, index: object, seen: Observation, seats: Turned) -> None:
        cards, zones = self.encoder.cards, self._zones[index]
        masks = _stack([seen.zones[zone.name] for zone in zones], seats.get(index))
        sizes = _stack([seen.sizes[zone.name] for zone in zones], seats.get(index))
        bits = np.unpackbits(
            masks.view(np.uint8).reshape(*masks.shape, 8), axis=3, count=cards, bitorder="little"
        )
        put = np.empty((*masks.shape, cards + 1), np.float32)
        put[..., :cards], put[..., cards] = bits, sizes / np.float32(cards)
        columns = self._columns[index, Zone]
        features[:, columns] = put.reshape(len(features), len(columns))

    def _put_numbers(self, features: Rows, index: object, seen: Observation, seats: Turned) -> None:
        values = [seen.variables[variable.name] for variable in self._numbers[index]]
        numbers = _stack(values, seats.get(index)).astype(np.float32)
        put = np.copysign(np.log1p(np.abs(numbers)), numbers) * SCALE
        columns = self._columns[index, Variable]
        features[:, columns] = put.reshape(len(features), len(columns))

    def _put_variable(
        self, features: Rows, variable: Variable, seen: Observation, seats: Turned
    ) -> None:
        """Put a seat, a team or a set, as one feature for each that it can be or hold."""
        order = seats.get(variable.index)
        values = _stack([seen.variables[variable.name]], order)[:, 0]
        width = self._width(variable)
        if isinstance(variable.type, SetOf):
            bits = values.view(np.uint64)[..., None]
            put = (bits >> np.arange(width, dtype=np.uint64) & np.uint64(1)).astype(np.float32)
            if variable.type.kind in seats:
                put = np.take_along_axis(put, seats[variable.type.kind][:, None, :], axis=2)
        else:
            may = _stack([seen.seen[variable.name]], order)[:, 0]
            numbers = self._relative(values.astype(np.int64), seen.seat[:, None], width - 1)
            put = (numbers[..., None] == np.arange(width)) & may[..., None]
        features[:] = put.reshape(features.shape)

    def _answers(self, history: Numbers) -> tuple[Numbers, Numbers]:
        """Return row and column of the entries that are answers."""
        row, at = np.nonzero((history[..., 1] >= 0) & (history[..., 1] < len(self._first)))
        return row, at

    def _put_answers(self, features: Rows, seen: Observation, history: Numbers) -> None:
        row, at = self._answers(history)
        who, question, action = history[row, at].T
        seat = self._relative(who, seen.seat[row], self.players)
        features[row, seat * self.encoder.actions + self._first[question] + action] = 1


def _is_number(variable: Variable) -> bool:
    match variable.type:
        case SetOf() | Element(kind=Kind.SEAT | Kind.TEAM):
            return False
    return True


def _by_index(declarations: Sequence[D]) -> dict[object, list[D]]:
    """Return zones or variables by their index; those of one index are encoded together."""
    result: dict[object, list[D]] = {}
    for one in declarations:
        result.setdefault(one.index, []).append(one)
    return result


def _stack(values: Sequence[NDArray[Any]], order: Numbers | None) -> NDArray[Any]:
    """Return arrays (matches, places) as one (matches, arrays, places), its places in an order."""
    stacked = np.stack(values, axis=1)
    if order is None:
        return stacked
    return np.take_along_axis(stacked, order[:, None, :], axis=2)
