"""Coverage: how often each part of the rules is reached when strategies play."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from trutdsl.diagnostics import Span
from trutdsl.game import Action, Game, Question, RuleError, State
from trutdsl.ir import nodes
from trutdsl.ir.transforms import ProbedPart
from trutdsl.ir.walk import walk
from trutdsl.strategy.explain import Advisers
from trutdsl.strategy.legs import UNIFORM, native_seating, read_leg
from trutdsl.strategy.load import Spec
from trutdsl.strategy.play import play_match
from trutdsl.strategy.script import ScriptSpec, table_for
from trutdsl.table import PolicyError
from trutdsl.table.counts import COUNTERS

CANDIDATES = 3  # matches that are kept of each part, the shortest in which it was reached
AT_ONCE = 500  # matches between two times that progress is told


@dataclass
class Coverage:
    """How often each part was reached in so many matches.

    parts:   by the names of their counters. times: how often; in_matches: in how many matches.
    matches, deals: how many were played. shortest: decisions and index of matches in which a part
    was reached, those with the fewest.
    """

    parts: Mapping[str, ProbedPart]
    times: dict[str, int] = field(default_factory=dict)
    in_matches: dict[str, int] = field(default_factory=dict)
    shortest: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    matches: int = 0
    deals: int = 0

    def add(self, name: str, times: int, matches: int) -> None:
        """Note how often a part was reached, and in how many matches."""
        self.times[name] = self.times.get(name, 0) + times
        self.in_matches[name] = self.in_matches.get(name, 0) + matches

    def offer(self, name: str, decisions: int, match: int) -> None:
        """Note a match in which a part was reached."""
        kept = sorted([*self.shortest.get(name, ()), (decisions, match)])
        self.shortest[name] = kept[:CANDIDATES]


def cover_matches(
    game: Game,
    seating: Sequence[Spec],
    seed: int,
    matches: int,
    finished: Callable[[int, int], None] = lambda _matches, _deals: None,
) -> Coverage:
    """Return what is reached in the first matches of a seed; in machine code where that can be.

    finished: is told how many matches and deals more were played. Raises `RuleError` and
    `PolicyError` as play does.
    """
    counting, parts = game.covered
    found = Coverage(parts)
    for first in range(0, matches, AT_ONCE):
        many = min(AT_ONCE, matches - first)
        before = found.deals
        if not _cover_native(counting, seating, seed, first, many, found):
            for match in range(first, first + many):
                result = play_match(counting, seating, seed, match)
                found.matches += 1
                found.deals += result.deals
                for name in parts:
                    times = sum(result.counters[name])
                    found.add(name, times, int(times > 0))
                    if times:
                        found.offer(name, result.decisions, match)
        finished(many, found.deals - before)
    return found


def cover_clauses(
    game: Game, seating: Sequence[Spec], seed: int, matches: int
) -> dict[tuple[str, Span], int]:
    """Return how often each clause of the scripts on the seats is taken in these matches.

    By the script's name and the clause's place; the scripts are asked in the reference engine.
    """
    reference = game.in_engine("reference")
    scripts = (spec for spec in seating if isinstance(spec, ScriptSpec))
    specs = tuple(dict.fromkeys(spec for spec in scripts if spec.native_on(0) != UNIFORM))
    if not specs:
        return {}
    policies = table_for(reference, specs).program.policies
    found = {
        (spec.name, node.span): 0
        for spec in specs
        for given in policies[spec.name].answers
        for node in walk(given.body)
        if isinstance(node, nodes.Take | nodes.TakeAny)
    }
    advisers = Advisers(reference, specs, seed, 0)

    def answered(state: State, question: Question, _action: Action, _took_any: bool) -> None:
        spec = seating[question.seat]
        if isinstance(spec, ScriptSpec) and spec in specs:
            taken = advisers.choose(state, question, spec).looked[-1].span
            found[spec.name, taken] = found.get((spec.name, taken), 0) + 1

    for match in range(matches):
        advisers.begin(match)
        play_match(reference, seating, seed, match, answered=answered)
    return found


def _cover_native(
    game: Game, seating: Sequence[Spec], seed: int, first: int, many: int, found: Coverage
) -> bool:
    """Play matches in machine code; tell whether that could be."""
    native = native_seating(game, seating)
    if native is None:
        return False
    counters = [v.name for v in game.program.variables.values() if v.counter]
    places = [COUNTERS + counters.index(name) * game.team_count for name in found.parts]
    match = first
    try:
        for part in native.rows(seed, first, many):
            rows = part.records()
            found.matches += len(rows)
            found.deals += int(rows[:, 1].sum())
            reached = rows[:, places]
            times, hit = reached.sum(axis=0), reached > 0
            in_matches = hit.sum(axis=0)
            order = np.argsort(rows[:, 2], kind="stable")
            for column, name in enumerate(found.parts):
                found.add(name, int(times[column]), int(in_matches[column]))
                for row in order[hit[order, column]][:CANDIDATES]:
                    found.offer(name, int(rows[row, 2]), match + int(row))
            match += len(rows)
    except (RuleError, PolicyError):
        seats = range(len(seating))
        deque(read_leg(game, seating, seats, seed, match, many), maxlen=0)  # says what it was
        raise
    return True
