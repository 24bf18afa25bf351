"""Solved strategies: play from a policy file, with the strategy's own luck.

A policy knows every position that its own play can reach. Elsewhere, such as in a match that it
takes over, it takes a legal action at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from trutdsl.game import Action, Game, View
from trutdsl.native.layout import MOST_CARDS
from trutdsl.native.play.observation import (
    Masks,
    Numbers,
    Observation,
    distinct_actions,
    legal_actions,
)
from trutdsl.strategy.script import table_with
from trutdsl.strategy.spec import StrategySpec
from trutdsl.streams import GAMMA, MASK, luck_starts, strategy_key
from trutdsl.table.match import HistoryEntry, action_of
from trutdsl.table.sight import DEALER, HIDDEN, LEADER, count_cards, is_hidden

if TYPE_CHECKING:  # most matches have no solved strategy
    from trutdsl.solve.information import KeyReader
    from trutdsl.solve.players import SolvedPlayer
    from trutdsl.solve.policy_file import SolvedPolicy

HALF = np.uint64(32)


@dataclass(frozen=True, repr=False)
class SolvedSpec(StrategySpec):
    """A policy file as it is known before a match."""

    policy: SolvedPolicy = field(compare=False, repr=False)

    def native_on(self, _seat: int) -> None:
        pass

    def answers_in_arrays(self, _seat: int) -> bool:
        return True

    def player_for(self, game: Game, seat: int) -> SolvedPolicyPlayer:
        reader = _reader_for(game.whole_match, self.policy)
        return SolvedPolicyPlayer(reader, self.policy, seat, self.name)


@lru_cache(maxsize=8)
def _reader_for(game: Game, policy: SolvedPolicy) -> KeyReader:
    from trutdsl.solve.classes import CardClasses
    from trutdsl.solve.information import KeyReader

    classes = CardClasses(policy.head.classes, (), None)
    return KeyReader(game.optimized, game.setting, game.plans, classes)


def exact_players(
    game: Game, strategies: Sequence[object]
) -> tuple[Game, tuple[str | SolvedPlayer, ...]]:
    """Return the game compiled with scripts, and the players: see `solve.exact.evaluate`.

    Raises `BadUsage` for a strategy that is neither a script nor solved.
    """
    specs = [spec for spec in strategies if isinstance(spec, SolvedSpec)]
    from trutdsl.solve.players import SolvedPlayer

    table, names = table_with(game, [spec for spec in strategies if spec not in specs])
    players = {spec: SolvedPlayer(spec.policy, _reader_for(game, spec.policy)) for spec in specs}
    left = iter(names)
    return table, tuple(
        players[spec] if isinstance(spec, SolvedSpec) else next(left) for spec in strategies
    )


def load_policy(path: str) -> SolvedSpec:
    """Return the policy of a file; raises `BadUsage` if it is none, or damaged."""
    from trutdsl.solve.policy_file import SolvedPolicy

    policy = SolvedPolicy(path)
    mark = sha256(policy.checksum.encode()).hexdigest()
    summary = f"Play that was solved for {policy.head.variant}."
    return SolvedSpec(Path(path).stem, "Policy", summary, path, mark, "", (), policy)


class SolvedPolicyPlayer:
    """Plays a seat from a policy, in one match or in many at once."""

    def __init__(self, reader: KeyReader, policy: SolvedPolicy, seat: int, name: str) -> None:
        self.reader, self.policy, self.seat, self.name = reader, policy, seat, name
        self.reads = frozenset(reader.fields)
        self._states = np.empty(0, np.uint64)

    # -------------------------------------------------------- one match

    def choose(self, view: View) -> Action:
        if len(view.actions) == 1:
            return view.actions[0]
        luck = np.array([view.random.next64()], np.uint64)
        names, history = self.names_of(view), self.hash_history(view)[-1:]
        rows = np.zeros(len(names), np.int64)
        choice = self._choose(self.observe(view), rows, names, history, luck)
        return view.actions[int(choice[0])]

    def names_of(self, view: View) -> Masks:
        """Return the name of each legal action, uint64 (n,)."""
        names = self._by_text()
        return np.array([names[view.decision, text] for text in view.texts], np.uint64)

    def hash_history(self, view: View) -> Masks:
        """Return the hash of the seat's noticed answers after each one, beginning with none."""
        hashes = [np.zeros(1, np.uint64)]
        for entry in view.history:
            if type(entry) is HistoryEntry:
                name = self._by_text(entry.seat)[entry[1:]]
                hashes.append(self._hear(hashes[-1], entry.seat, name))
        return np.concatenate(hashes)

    def _hear(self, history: Masks, who: int, name: int) -> Masks:
        speaker, hearer = np.array([who]), np.array([self.seat])
        return self.reader.hash_answer(history, speaker, hearer, np.array([name], np.uint64))

    def _by_text(self, seat: int | None = None) -> dict[tuple[str, str], int]:
        """Return the name of each action, by its decision and its text."""
        return _names_by_text(self.reader, self.seat if seat is None else seat)

    def observe(self, view: View) -> Observation:
        """Return the contents of a view, as one row."""
        legend, seen = view._legend, view._values
        zones, orders, sizes, flags = {}, {}, {}, {}
        for part in legend.zones:
            name, places = part.name, seen[part.first : part.end]
            sizes[name] = np.array([[count_cards(cards) for cards in places]], np.int64)
            flags[name] = np.array([[not is_hidden(cards) for cards in places]])
            order = np.full((1, len(places), MOST_CARDS), -1, np.int8)
            masks = np.zeros((1, len(places)), np.uint64)
            for place, cards in enumerate(places):
                if isinstance(cards, bytes):
                    order[0, place, : len(cards)] = np.frombuffer(cards, np.int8)
                    masks[0, place] = sum(1 << card for card in cards)
                elif cards >= 0:
                    masks[0, place] = cards
            zones[name], orders[name] = masks, order
        variables: dict[str, Numbers | Masks] = {}
        for part in (*legend.variables, *legend.counters):
            name, values = part.name, seen[part.first : part.end]
            visible = [0 if value is HIDDEN else value for value in values]
            variables[name] = np.array([[one & MASK for one in visible]], np.uint64).view(np.int64)
            flags[name] = np.array([[value is not HIDDEN for value in values]])
        plan = next(p.number for p in self.reader.plans if p.node.decision == view.decision)
        one = np.zeros(1, np.int64)
        return Observation(
            matches=one, seat=one + self.seat, decision=one + plan,
            legal=np.zeros((1, 1), np.uint64), deal=one, dealer=one + seen[DEALER],
            leader=one + seen[LEADER], zones=zones, orders=orders, sizes=sizes,
            variables=variables, seen=flags,
        )  # fmt: skip

    # -------------------------------------------------------- many matches

    def begin(self, seed: int, first: int, count: int) -> None:
        """Begin many matches, `first` and its successors under a seed."""
        key = strategy_key(seed, self.name)
        matches = np.uint64(first) + np.arange(count, dtype=np.uint64)
        self._states = luck_starts(key, matches, self.seat)

    def answer(self, seen: Observation, history: Numbers) -> Numbers:
        """Return the number of an action for each row; history: see `Batch.history`."""
        from trutdsl.solve.positions import mix

        rows, numbers = legal_actions(seen.legal)
        names = self.reader.action_names[self.seat, seen.decision[rows], numbers]
        hashes = self.reader.hash_history(history, seen.seat)
        many = np.bincount(rows, minlength=len(seen.seat)) > 1
        states = self._states[seen.matches] + np.uint64(GAMMA)
        luck = mix(states)
        self._states[seen.matches] = np.where(many, states, self._states[seen.matches])
        return numbers[self._choose(seen, rows, names, hashes, luck)]

    # -------------------------------------------------------- both

    def look_up(self, seen: Observation, actions: Numbers, history: Masks) -> tuple[Masks, Numbers]:
        """Return the information sets of questions, and their `SolvedPolicy.parts`.

        actions: the number of different ones of each.
        """
        keys = self.reader.keys(seen, actions, history)[:, 0]
        scores = self.policy.numbers_of(self.reader.scores(seen))
        return keys, self.policy.parts(scores, self.seat, keys, actions)

    def _choose(
        self, seen: Observation, rows: Numbers, names: Masks, history: Masks, luck: Masks
    ) -> Numbers:
        """Return the legal action that each row takes, as an index of `rows`.

        rows, names: of each legal action its row, ascending, and its name.
        """
        alike, actions = distinct_actions(rows, names, len(seen.seat))
        _, parts = self.look_up(seen, actions, history)
        likely = np.cumsum(parts, axis=1)
        draw = ((luck >> HALF) * likely[:, -1].astype(np.uint64) >> HALF).astype(np.int64)
        place = (draw[:, None] >= likely).sum(axis=1)
        starts = np.cumsum(actions) - actions
        result: Numbers = alike[starts + place].astype(np.int64)
        return result


@lru_cache(maxsize=64)
def _names_by_text(reader: KeyReader, seat: int) -> dict[tuple[str, str], int]:
    result: dict[tuple[str, str], int] = {}
    for plan in reader.plans:
        for place, option in enumerate(plan.options):
            for number in range(option.first, option.first + option.size):
                values = option.values(number)
                action = action_of(reader.setting, plan.node.options[place], place, values)
                name = int(reader.action_names[seat, plan.number, number])
                result[plan.node.decision, action.text] = name
    return result
