"""What a tournament's tally says: of each strategy, of each pair, of the whole run."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb

from trutdsl.arena.schedule import Experiment
from trutdsl.stats.contrast import Contrast, compare_all, rank_set
from trutdsl.stats.estimate import Estimate, Sums, estimate_mean
from trutdsl.stats.tally import Tally

SCORE_BOUNDS = (0, 1)


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
    gain:                variance of the first's score with independent deals over that with
                         duplicate sets: 1 / (1 + (m-1) rho), m matches a set, D.1; None if every
                         set gave the same.
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
    gain: float | None


@dataclass(frozen=True)
class Summary:
    """The whole run.

    standings:   best score first, names in order where scores are the same.
    team_scores: mean score of each place at the table over all matches; team 0 has the first seat.
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
    per_strategy = comb(everyone - 1, teams - 1) * teams
    contrasts = compare_all(tally, per_strategy * teams)
    order = sorted(range(everyone), key=lambda i: (-tally.score[i], i))
    matches = experiment.matches_per_set
    return Summary(
        tuple(
            _summarize_strategy(tally, i, after, per_strategy, teams, contrasts)
            for i, after in zip(order, [*order[1:], None], strict=True)
        ),
        tuple(
            _summarize_pair(tally, i, j, comb(everyone - 2, teams - 2) * teams, teams)
            for i, j in combinations(range(everyone), 2)
        ),
        contrasts,
        tuple(
            estimate_mean(Sums(tally.sets, total, squares, matches * teams), SCORE_BOUNDS)
            for total, squares in zip(tally.team_score, tally.team_score_sq, strict=True)
        ),
        matches * tally.sets,
        tally.drawn,
        tally.deals,
        tally.decisions,
        estimate_mean(Sums(tally.sets, tally.deals, tally.deals_sq, matches), None),
    )


def _summarize_strategy(
    tally: Tally,
    i: int,
    after: int | None,
    per_set: int,
    teams: int,
    contrasts: tuple[Contrast, ...],
) -> Standing:
    matches = per_set * tally.sets
    return Standing(
        strategy=i,
        ranks=rank_set(i, contrasts, len(tally.score)),
        score=estimate_mean(
            Sums(tally.sets, tally.score[i], tally.cross[i][i], per_set * teams), SCORE_BOUNDS
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
        deals_per_match=estimate_mean(
            Sums(tally.sets, tally.deals_by[i], tally.deals_by_sq[i], per_set), None
        ),
    )


def _summarize_pair(tally: Tally, i: int, j: int, per_set: int, teams: int) -> Pair:
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
        score=estimate_mean(score, SCORE_BOUNDS),
        second_score=estimate_mean(second, SCORE_BOUNDS),
        difference=estimate_mean(difference, (-1, 1)),
        gain=measure_gain(score, per_set, won * teams**2 + drawn, teams),
    )


def measure_gain(score: Sums, per_set: int, match_squares: int, teams: int) -> float | None:
    """Return how much smaller the variance is than that of as many matches on independent deals.

    match_squares: sum of the squared scores of the single matches, in units of 1/teams.

    The variance of a single match is taken around the mean of all, so that it holds the seats'
    part, as it would if every match were dealt and seated anew.
    """
    if score.sets < 2 or score.variance == 0:
        return None
    single = Sums(score.sets * per_set, score.total, match_squares, teams)
    return float(single.variance / per_set / score.variance)
