"""What a tournament's tally says: of each strategy, of each pair, of the whole run."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb

from trutdsl.arena.schedule import Experiment
from trutdsl.stats.contrast import Contrast, compare_all, rank_set
from trutdsl.stats.estimate import Bounds, Estimate, Sums, estimate_score
from trutdsl.stats.positive import estimate_positive
from trutdsl.stats.tally import Tally


@dataclass(frozen=True)
class Standing:
    """One strategy.

    ranks:           best and worst rank that the separated contrasts leave open.
    score:           mean score of its matches: 1 a win, 1/teams a draw.
    next_separated:  whether it is separated from the next one in the standings; None for the last.
    """

    strategy: int
    ranks: tuple[int, int]
    score: Estimate
    next_separated: bool | None
    matches: int
    won: int
    drawn: int
    lost: int
    deals: int
    decisions: int
    deals_per_match: Estimate


@dataclass(frozen=True)
class Pair:
    """Two strategies in the matches that both play in (indices, first < second).

    score, second_score: mean score of each; with two teams they add up to 1.
    difference:          of the two, on the same matches.
    others:              matches that a third one won.
    """

    first: int
    second: int
    matches: int
    won: int
    lost: int
    drawn: int
    others: int
    score: Estimate
    second_score: Estimate
    difference: Estimate


@dataclass(frozen=True)
class Summary:
    """The whole run.

    standings:   best score first, names in order where scores are the same.
    team_scores: mean score of each team over all matches; team 0 has seat 0. It tells whether a
                 seat is better; where the rules draw the first dealer, it is 1/teams in truth.
    """

    standings: tuple[Standing, ...]
    pairs: tuple[Pair, ...]
    contrasts: tuple[Contrast, ...]
    team_scores: tuple[Estimate, ...]
    matches: int
    drawn: int
    deals: int
    decisions: int
    deals_per_match: Estimate


def summarize(experiment: Experiment, tally: Tally) -> Summary:
    """Return everything that is reported of a tournament."""
    everyone, teams = len(experiment.strategies), experiment.game.team_count
    contrasts = compare_all(tally, teams)
    order = sorted(range(everyone), key=lambda i: (-tally.score[i], i))
    matches = experiment.matches_per_set
    return Summary(
        tuple(
            _summarize_strategy(tally, i, after, teams, contrasts)
            for i, after in zip(order, [*order[1:], None], strict=True)
        ),
        tuple(_summarize_pair(tally, i, j, teams) for i, j in combinations(range(everyone), 2)),
        contrasts,
        tuple(
            estimate_score(
                Sums(tally.sets, total, squares, matches * teams),
                score_bounds(len(experiment.combinations)),
            )
            for total, squares in zip(tally.team_score, tally.team_score_sq, strict=True)
        ),
        matches * tally.sets,
        tally.drawn,
        tally.deals,
        tally.decisions,
        estimate_positive(Sums(tally.sets, tally.deals, tally.deals_sq, matches)),
    )


def score_bounds(combinations_of_it: int) -> Bounds:
    """Return what a mean score over the matches of so many combinations can be in one set."""
    return Bounds(0, 1, Fraction(1, combinations_of_it))


def _summarize_strategy(
    tally: Tally,
    i: int,
    after: int | None,
    teams: int,
    contrasts: tuple[Contrast, ...],
) -> Standing:
    played_in = comb(len(tally.score) - 1, teams - 1)  # combinations
    per_set = played_in * teams
    matches = per_set * tally.sets
    return Standing(
        strategy=i,
        ranks=rank_set(i, contrasts, len(tally.score)),
        score=estimate_score(
            Sums(tally.sets, tally.score[i], tally.cross[i][i], per_set * teams),
            score_bounds(played_in),
        ),
        next_separated=next(
            (c.separated for c in contrasts if {c.first, c.second} == {i, after}), None
        ),
        matches=matches,
        won=tally.won[i],
        drawn=tally.drawn_by[i],
        lost=matches - tally.won[i] - tally.drawn_by[i],
        deals=tally.deals_by[i],
        decisions=tally.decisions_by[i],
        deals_per_match=estimate_positive(
            Sums(tally.sets, tally.deals_by[i], tally.deals_by_sq[i], per_set)
        ),
    )


def _summarize_pair(tally: Tally, i: int, j: int, teams: int) -> Pair:
    played_in = comb(len(tally.score) - 2, teams - 2)  # combinations
    per_set = played_in * teams
    matches, unit = per_set * tally.sets, per_set * teams
    won, lost, drawn = tally.pair_won[i][j], tally.pair_won[j][i], tally.pair_drawn[i][j]
    score = Sums(tally.sets, tally.pair_score[i][j], tally.pair_sq[i][j], unit)
    second = Sums(tally.sets, tally.pair_score[j][i], tally.pair_sq[j][i], unit)
    difference = Sums(
        tally.sets,
        score.total - second.total,
        score.squares + second.squares - 2 * tally.pair_product[i][j],
        unit,
    )
    return Pair(
        first=i,
        second=j,
        matches=matches,
        won=won,
        lost=lost,
        drawn=drawn,
        others=matches - won - lost - drawn,
        score=estimate_score(score, score_bounds(played_in)),
        second_score=estimate_score(second, score_bounds(played_in)),
        difference=estimate_score(difference, Bounds(-1, 1, Fraction(1, played_in))),
    )
