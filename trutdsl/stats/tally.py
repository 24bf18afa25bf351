"""The integers that are kept of the sets played; they add up in any order to the same sums.

Imports nothing heavy: every worker process loads it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import reduce
from typing import Any, Self

from trutdsl.arena.play import Counts, PlayedSet
from trutdsl.arena.schedule import Experiment, chunk_at, chunk_key

LARGEST = 2**63 - 1
Vector = tuple[int, ...]
Matrix = tuple[Vector, ...]


@dataclass(frozen=True)
class Tally:
    """Sums over sets.

    A score is an integer: `teams` for a won match, 1 for a draw, 0 otherwise, so that one match
    gives away `teams` points (`statistics.md` D.3). With x[i] the score of strategy i over all
    matches of one set, and p[i][j] its part from those matches in which j plays too, a sum is over
    the sets, `_sq` the sum of squares of what one set gives.

    sets:          how many sets.
    drawn:         drawn matches.
    deals, decisions: of all matches.
    team_score:    per place at the table (team 0 holds the first seat), over all matches.
    score:         sum of x[i].
    cross:         sum of x[i] x[k], K x K.
    won, drawn_by, deals_by, decisions_by: per strategy, over the matches it plays in.
    pair_score:    sum of p[i][j], K x K, not symmetric.
    pair_sq:       sum of p[i][j] squared.
    pair_product:  sum of p[i][j] p[j][i].
    pair_won:      matches with i and j that i wins.
    pair_drawn:    matches with i and j that are drawn.
    """

    sets: int
    drawn: int
    deals: int
    deals_sq: int
    decisions: int
    team_score: Vector
    team_score_sq: Vector
    score: Vector
    cross: Matrix
    won: Vector
    drawn_by: Vector
    deals_by: Vector
    deals_by_sq: Vector
    decisions_by: Vector
    pair_score: Matrix
    pair_sq: Matrix
    pair_product: Matrix
    pair_won: Matrix
    pair_drawn: Matrix

    def merge(self, other: Self) -> Self:
        """Return the tally of both; associative and commutative."""
        return type(self)(
            **{f.name: _add(getattr(self, f.name), getattr(other, f.name)) for f in fields(self)}
        )

    def to_counts(self) -> Counts:
        """Return the tally as JSON has it."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    @classmethod
    def from_counts(cls, counts: Counts) -> Self:
        """Return the tally that `to_counts` gave, before or after JSON."""
        return cls(**{f.name: _freeze(counts[f.name]) for f in fields(cls)})


def merge_all(parts: Iterable[Tally]) -> Tally:
    """Return the tally of all parts, of which there is at least one."""
    return reduce(Tally.merge, parts)


def count_sets(experiment: Experiment, sets: Iterable[PlayedSet]) -> Counts:
    """Return the tally of the sets as JSON has it; what the workers run."""
    return merge_all(tally_set(experiment, played) for played in sets).to_counts()


def fits_experiment(experiment: Experiment, key: str, number: int, sets: int, counts: Any) -> bool:
    """Tell whether a row of a journal is what a chunk of the experiment counts, as JSON has it."""
    chunk = chunk_at(experiment, number) if type(number) is int else None
    if chunk is None or sets != chunk.sets or key != chunk_key(experiment, chunk):
        return False
    if not isinstance(counts, dict) or counts.keys() != {f.name for f in fields(Tally)}:
        return False
    strategies, teams = len(experiment.strategies), experiment.game.team_count
    shapes = {"int": (), "Vector": (strategies,), "Matrix": (strategies, strategies)}
    shaped = {f.name: shapes[str(f.type)] for f in fields(Tally)}
    shaped |= {"team_score": (teams,), "team_score_sq": (teams,)}
    whole = all(_has_shape(counts[name], shape) for name, shape in shaped.items())
    return whole and counts["sets"] == sets


def _has_shape(value: Any, shape: Vector) -> bool:
    """Tell whether a value is a number or lists of numbers, so many of each, none too large."""
    if not shape:
        return type(value) is int and 0 <= value <= LARGEST
    inner = isinstance(value, list) and len(value) == shape[0]
    return inner and all(_has_shape(one, shape[1:]) for one in value)


def tally_set(experiment: Experiment, played: PlayedSet) -> Tally:
    """Return what one set gives."""
    strategies, teams = len(experiment.strategies), experiment.game.team_count
    everyone = range(strategies)
    team_score = [0] * teams
    won, drawn_by, deals_by, decisions_by = ([0] * strategies for _ in range(4))
    score = [0] * strategies
    pair_score, pair_won, pair_drawn = ([[0] * strategies for _ in everyone] for _ in range(3))
    drawn = deals = decisions = 0
    for combination, legs in zip(experiment.combinations, played.results, strict=True):
        for rotation, result in enumerate(legs):
            drawn += result.winner is None
            deals += result.deals
            decisions += result.decisions
            seated = experiment.team_strategies(combination, rotation)
            for team, strategy in enumerate(seated):
                wins, draws = result.winner == team, result.winner is None
                points = teams if wins else int(draws)
                team_score[team] += points
                score[strategy] += points
                won[strategy] += wins
                drawn_by[strategy] += draws
                deals_by[strategy] += result.deals
                decisions_by[strategy] += result.decisions
                for other in seated:
                    if other != strategy:
                        pair_score[strategy][other] += points
                        pair_won[strategy][other] += wins
                        pair_drawn[strategy][other] += draws
    return Tally(
        sets=1,
        drawn=drawn,
        deals=deals,
        deals_sq=deals * deals,
        decisions=decisions,
        team_score=tuple(team_score),
        team_score_sq=tuple(x * x for x in team_score),
        score=tuple(score),
        cross=tuple(tuple(x * y for y in score) for x in score),
        won=tuple(won),
        drawn_by=tuple(drawn_by),
        deals_by=tuple(deals_by),
        deals_by_sq=tuple(x * x for x in deals_by),
        decisions_by=tuple(decisions_by),
        pair_score=_freeze(pair_score),
        pair_sq=tuple(tuple(x * x for x in row) for row in pair_score),
        pair_product=tuple(
            tuple(pair_score[i][j] * pair_score[j][i] for j in everyone) for i in everyone
        ),
        pair_won=_freeze(pair_won),
        pair_drawn=_freeze(pair_drawn),
    )


def _add(one: Any, other: Any) -> Any:
    if isinstance(one, int):
        return one + other
    return tuple(_add(x, y) for x, y in zip(one, other, strict=True))


def _freeze(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return tuple(_freeze(x) for x in value)
    return int(value)
