"""Information sets: the asked seat's knowledge of a deal, as a key without hidden facts.

The key is a hash of the seat's `Observation` and of the answers that it noticed in this deal. Seats
and teams are counted from the asked seat, and cards are known by their class. So the key is equal
from either side of the table, and for any card of a class. Scores are left out: a deal is solved
for one score at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trutdsl.ir import Program
from trutdsl.ir.effects import Effects
from trutdsl.ir.nodes import Variable, Zone, revealed_names
from trutdsl.ir.types import Element, Kind, SetOf
from trutdsl.native.play.observation import Columns, Flags, Observation
from trutdsl.solve.classes import CardClasses
from trutdsl.solve.positions import ONE, Masks, Numbers, hash_rows, mix, pack_bytes
from trutdsl.solve.scores import lasting_variables
from trutdsl.syntax.ast import Audience
from trutdsl.table.actions import AskPlan, ChoiceRange
from trutdsl.table.setting import Setting
from trutdsl.table.sight import sees, variables_of


class KeyReader:
    """Reads the keys of information sets at one table.

    plans: the questions of the program. views: see `views_of`.
    """

    views = 4

    def __init__(
        self, program: Program, setting: Setting, plans: Sequence[AskPlan], classes: CardClasses
    ) -> None:
        self.program, self.setting, self.plans, self.classes = program, setting, plans, classes
        self.lasting = tuple(lasting_variables(self.program))
        self._variables = [v for v in variables_of(self.program) if v.name not in self.lasting]
        self._zones = list(self.program.zones.values())
        # The leader is the same seat for ever if no rule writes it.
        self._leads = "on_lead" in Effects(program).writes_of(program.rules["match"].body)
        names = revealed_names(program)
        places: list[Zone | Variable] = [*self._zones, *self._variables]
        # The index of each zone and variable that a seat may see at some time only.
        self._revealed = {one.name: one.index for one in places if one.name in names}
        self.fields = (
            *(zone.name for zone in self._zones),
            *(variable.name for variable in self._variables),
            *self.lasting,
        )

    # -------------------------------------------------------- answers

    @cached_property
    def decisions(self) -> Numbers:
        """For each question, the number of its name, int64 (questions,)."""
        names = list(dict.fromkeys(plan.node.decision for plan in self.plans))
        return np.array([names.index(plan.node.decision) for plan in self.plans], np.int64)

    @cached_property
    def action_names(self) -> Masks:
        """The name of each action, uint64 (seats, questions, numbers), the same for alike cards."""
        players = self.setting.players
        numbers = 64 * max(plan.words for plan in self.plans)
        table = np.zeros((players, len(self.plans), numbers), np.uint64)
        for plan in self.plans:
            for node, option in zip(plan.node.options, plan.options, strict=True):
                words = " ".join((plan.node.decision, *node.words)).encode()
                start = int.from_bytes(blake2b(words, digest_size=8).digest(), "little")
                names = np.full((players, option.size), start, np.uint64)
                rest = np.arange(option.size)
                for choice in reversed(option.choices):
                    rest, digits = np.divmod(rest, choice.size)
                    values = np.array([choice.value(d) for d in range(choice.size)], np.uint64)
                    seen = np.array([self._relative(choice, values, s) for s in range(players)])
                    names = mix(mix(names) + seen[:, digits])
                table[:, plan.number, option.first : option.first + option.size] = names
        return table

    def _relative(self, choice: ChoiceRange, values: Masks, seat: int) -> Masks:
        """Return chosen values relative to a seat, cards by class."""
        match choice.kind:
            case Kind.CARD if choice.cards:
                return hash_rows([self._counts(values[:, None])])[:, 0]
            case Kind.CARD:
                return np.array(self.classes.of, np.uint64)[values.view(np.int64)]
            case Kind.SEAT:
                return (values - np.uint64(seat)) % np.uint64(self.setting.players)
            case Kind.TEAM:
                return (values - np.uint64(seat)) % np.uint64(self.setting.teams)
        return values

    def hash_answer(self, before: Masks, who: Numbers, hearer: Numbers, name: Masks) -> Masks:
        """Return a hearer's hash of its noticed answers after one more; uint64 (n,)."""
        by = ((who - hearer) % self.setting.players).view(np.uint64)
        return mix(mix(before + mix(by + ONE)) ^ name)

    def hash_history(self, history: Numbers, hearer: Numbers) -> Masks:
        """Return each hearer's hash of the answers in its history, see `Batch.history`."""
        hashes = np.zeros(len(hearer), np.uint64)
        for place in range(history.shape[1]):
            who, decision, action = history[:, place].T
            some = np.flatnonzero((who >= 0) & (decision < len(self.plans)))
            names = self.action_names[who[some], decision[some], action[some]]
            hashes[some] = self.hash_answer(hashes[some], who[some], hearer[some], names)
        return hashes

    # -------------------------------------------------------- keys

    def keys(self, seen: Observation, actions: Numbers, answers: Masks) -> Masks:
        """Return 128 bits of what the asked seats know, uint64 (n, 2).

        actions: the number of legal actions of each. answers: uint64 (n,), each asked seat's hash
        of its noticed answers.
        """
        columns = [answers[:, None], self._header(seen, actions)]
        for zone in self._zones:
            masks = self._from(seen.seat, zone.index, seen.zones[zone.name])
            sizes = self._from(seen.seat, zone.index, seen.sizes[zone.name])
            columns += [self._counts(masks), pack_bytes(sizes.astype(np.uint8))]
            if zone.ordered and (
                zone.audience is not Audience.NOBODY or zone.name in self._revealed
            ):
                columns.append(
                    self._order(self._from(seen.seat, zone.index, seen.orders[zone.name]))
                )
        for variable in self._variables:
            values = self._from(seen.seat, variable.index, seen.variables[variable.name])
            may = self._from(seen.seat, variable.index, seen.seen[variable.name])
            columns += self._values(variable.type, values, may, seen)
        for name, index in self._revealed.items():
            may = self._from(seen.seat, index, seen.seen[name])
            columns.append(pack_bytes(may.astype(np.uint8)))
        return hash_rows(columns)

    def open_sights(self, columns: Columns) -> list[Masks]:
        """Return, for each seat, a hash of what it sees without looking at cards, uint64 (n,).

        This is how many cards lie in each place, who deals and leads, counters and variables.
        """
        rows = slice(None)
        every = [columns.number(name, rows) for name in ("dealer", "on_lead")]
        for zone in self._zones:
            masks = columns.field(f"{zone.name}.all" if zone.ordered else zone.name, rows)
            every += list(np.bitwise_count(masks.view(np.uint64)).astype(np.int64).T)
        sights = [[*every] for _ in range(self.setting.players)]
        for variable in variables_of(self.program):
            for place, values in enumerate(columns.field(variable.name, rows).T):
                parts = self._by_class(variable.type, values)
                for seat, sight in enumerate(sights):
                    if sees(variable, place, seat, self.setting):
                        sight += parts
        return [hash_rows([np.stack(sight, axis=1).view(np.uint64)])[:, 0] for sight in sights]

    def _by_class(self, type_: object, values: NDArray[Any]) -> list[Numbers]:
        """Return values, with cards by class, as columns of numbers."""
        match type_:
            case Element(Kind.CARD):
                return [np.array([*self.classes.of, -1], np.int64)[values]]
            case SetOf(Kind.CARD):
                return list(self._counts(values[:, None]).view(np.int64).T)
        return [values.astype(np.int64)]

    def views_of(self, seen: Observation, actions: Numbers, answers: Masks) -> Masks:
        """Return keys of what the asked seats know, uint64 (n, `views`), the coarsest first.

        The first view has only the question. The next one adds their own hidden cards and the
        variables, then all cards on the table, then the answers so far, as in `keys`.
        """
        own = [self._header(seen, actions)]
        for zone in self._zones:
            if zone.audience is Audience.OWNER:
                masks = self._from(seen.seat, zone.index, seen.zones[zone.name])
                own.append(self._counts(masks[:, :1]))
        for variable in self._variables:
            values = self._from(seen.seat, variable.index, seen.variables[variable.name])
            may = self._from(seen.seat, variable.index, seen.seen[variable.name])
            own.append(self._values(variable.type, values, may, seen)[0])
        silent = np.zeros_like(answers)
        every = [
            hash_rows([self.decisions[seen.decision, None].view(np.uint64)]),
            hash_rows(own),
            self.keys(seen, actions, silent),
            self.keys(seen, actions, answers),
        ]
        return np.stack([keys[:, 0] for keys in every], axis=1)

    def scores(self, seen: Observation) -> Numbers:
        """Return the dealer and the lasting variables, int64 (n, numbers), as in `Score`."""
        values = [seen.variables[name].astype(np.int64) for name in self.lasting]
        return np.concatenate([seen.dealer[:, None], *values], axis=1)

    def _header(self, seen: Observation, actions: Numbers) -> Masks:
        players = self.setting.players
        places = [seen.dealer, seen.leader] if self._leads else [seen.dealer]
        by_seat = [(place - seen.seat) % players for place in places]
        numbers = [self.decisions[seen.decision], *by_seat, actions]
        return np.stack(numbers, axis=1).view(np.uint64)

    def _from(self, seat: Numbers, index: object, places: NDArray[Any]) -> NDArray[Any]:
        """Return the places of seats or teams, counted from the asked seat."""
        if index not in (Kind.SEAT, Kind.TEAM):
            return places
        count = places.shape[1]
        order = (seat[:, None] + np.arange(count)) % count
        result: NDArray[Any] = places[np.arange(len(seat))[:, None], order]
        return result

    def _counts(self, masks: NDArray[Any]) -> Masks:
        """Return the number of cards of each class in each place, uint64 (n, words)."""
        counts = np.bitwise_count(masks.astype(np.uint64)[:, :, None] & self.classes.masks)
        return pack_bytes(counts.reshape(len(masks), -1).astype(np.uint8))

    def _order(self, cards: NDArray[Any]) -> Masks:
        of = np.array([*self.classes.of, 255], np.uint8)
        return pack_bytes(of[cards].reshape(len(cards), -1))

    def _values(
        self, type_: object, values: NDArray[Any], may: Flags, seen: Observation
    ) -> list[Masks]:
        """Return variables relative to the asked seat; may: bool, where it sees them."""
        seat = seen.seat[:, None]
        match type_:
            case Element(Kind.SEAT | Kind.TEAM as kind):
                count = self.setting.count(kind)
                values = np.where(values >= 0, (values - seat) % count, values)
            case Element(Kind.CARD):
                of = np.array([*self.classes.of, -1], np.int64)
                return [
                    of[values].view(np.uint64),
                    *(self._holds(m, np.where(may, values, -1)) for m in seen.zones.values()),
                ]
            case SetOf(Kind.SEAT | Kind.TEAM as kind):
                size = np.uint64(self.setting.count(kind))
                by = (seat % int(size)).astype(np.uint64)
                raw = values.view(np.uint64)
                values = (raw >> by | raw << (size - by)) & ((ONE << size) - ONE)
            case SetOf(Kind.CARD):
                return [self._counts(values)]
        return [np.ascontiguousarray(values.astype(np.int64)).view(np.uint64)]

    def _holds(self, masks: Masks, cards: NDArray[Any]) -> Masks:
        """Return, for each card or none, whether a zone has it, as far as the seat may see."""
        all_ = np.bitwise_or.reduce(masks, axis=1)[:, None]
        at = np.maximum(cards, 0).astype(np.uint64)
        result: Masks = np.where(cards >= 0, all_ >> at & ONE, 0).astype(np.uint64)
        return result
