"""Coverage: how often play of strategies reaches each part of the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from trutdsl.diagnostics import Span
from trutdsl.game import Action, Game, Question, State
from trutdsl.ir import nodes
from trutdsl.ir.nodes import walk
from trutdsl.ir.transforms import ProbedPart
from trutdsl.strategy.explain import Advisers
from trutdsl.strategy.legs import read_leg
from trutdsl.strategy.load import Spec
from trutdsl.strategy.play import play_match
from trutdsl.strategy.script import UNIFORM, ScriptSpec, table_for
from trutdsl.table.counts import COUNTERS, DEALS, DECISIONS

CANDIDATES = 3  # matches kept for each part: the shortest that reach it

MOST_CLAUSE_MATCHES = 100  # scripts are asked why in the reference engine, which takes long


@dataclass
class Coverage:
    """How often so many matches reached each part.

    parts:   by the names of their counters. times: how often; in_matches: in how many matches.
    matches, deals: the numbers played. shortest: decisions and index of the matches with the fewest
    decisions that reached a part.
    """

    parts: Mapping[str, ProbedPart]
    times: dict[str, int] = field(default_factory=dict)
    in_matches: dict[str, int] = field(default_factory=dict)
    shortest: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    matches: int = 0
    deals: int = 0

    def add(self, name: str, times: int, matches: int) -> None:
        """Record how often a part was reached, and in how many matches."""
        self.times[name] = self.times.get(name, 0) + times
        self.in_matches[name] = self.in_matches.get(name, 0) + matches

    def offer(self, name: str, decisions: int, match: int) -> None:
        """Record a match that reached a part."""
        shortest = sorted([*self.shortest.get(name, ()), (decisions, match)])
        self.shortest[name] = shortest[:CANDIDATES]


def cover_matches(
    game: Game,
    seating: Sequence[Spec],
    seed: int,
    matches: int,
    show: Callable[[int, int], None] = lambda _matches, _deals: None,
) -> Coverage:
    """Return the coverage of the first matches of a seed; in machine code if possible.

    show: receives the numbers of further matches and deals. Raises `RuleError` and
    `PolicyError` as play does.
    """
    counting, parts = game.with_counters
    result = Coverage(parts)
    counters, teams = counting.count_plan.counters, game.team_count
    starts = [COUNTERS + counters.index(name) * teams for name in parts]
    for rows in read_leg(counting, seating, range(len(seating)), seed, 0, matches):
        deals, decisions = int(rows[:, DEALS].sum()), rows[:, DECISIONS]
        order = np.argsort(decisions, kind="stable")
        for name, start in zip(parts, starts, strict=True):
            times = rows[:, start : start + teams].sum(axis=1)
            result.add(name, int(times.sum()), int((times > 0).sum()))
            for row in order[times[order] > 0][:CANDIDATES]:
                result.offer(name, int(decisions[row]), result.matches + int(row))
        result.matches += len(rows)
        result.deals += deals
        show(len(rows), deals)
    return result


def cover_clauses(
    game: Game, seating: Sequence[Spec], seed: int, matches: int
) -> dict[tuple[str, Span], int]:
    """Return how often the scripts on the seats take each of their clauses in these matches.

    Keys are the script's name and the clause's position. The reference engine asks the scripts.
    """
    reference = game.in_engine("reference")
    scripts = (spec for spec in seating if isinstance(spec, ScriptSpec))
    specs = tuple(dict.fromkeys(spec for spec in scripts if spec.native_on(0) != UNIFORM))
    if not specs:
        return {}
    table = table_for(reference, specs)
    result = {
        (spec.name, node.span): 0
        for spec in specs
        for answer in table.policy_of(spec).answers
        for node in walk(answer.body)
        if isinstance(node, nodes.Take | nodes.TakeAny)
    }
    advisers = Advisers(reference, specs, seed, 0)

    def answered(state: State, question: Question, _action: Action, _took_any: bool) -> None:
        spec = seating[question.seat]
        if isinstance(spec, ScriptSpec) and spec in specs:
            span = advisers.choose(state, question, spec).looked[-1].span
            result[spec.name, span] = result.get((spec.name, span), 0) + 1

    for match in range(matches):
        advisers.begin(match)
        play_match(reference, seating, seed, match, on_answer=answered)
    return result
