"""Summary of a tournament's tally: every strategy, every pair, the whole run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np

from trutdsl.stats.contrast import Contrast, Pair, compare_all, compare_pairs, rank_set
from trutdsl.stats.design import Design, Played, Strategy, Tally
from trutdsl.stats.estimate import (
    Bounds,
    Estimate,
    RatioSums,
    Sums,
    estimate_length,
    estimate_mean,
    estimate_ratio,
)
from trutdsl.stats.multiplicity import Family
from trutdsl.stats.rounds import RoundStandings


@dataclass(frozen=True)
class Standing:
    """One strategy.

    strategy:        which one it is.
    place:           in the order of the format, from 1; several can share one.
    points:          those of the format; null if it uses the score.
    ranks:           best and worst rank that the significant contrasts allow.
    score:           mean score of its matches: 1 a win, 1/teams a draw; of single deals, points
                     above the mean of all teams. Null before its first match.
    without_forfeits: mean score of the matches that nobody forfeited; null if there are none.
    forfeited:       matches that it forfeited, which count as lost.
    next_separated:  whether it differs significantly from the next one in the standings; null for
                     the last, without an interval, and if the two did not meet.
    matches, won, drawn, lost: its matches.
    deals, decisions: of its matches.
    deals_per_match: the mean; null before its first match.
    """

    strategy: Strategy
    place: int
    points: float | None
    ranks: tuple[int, int]
    score: Estimate | None
    without_forfeits: Estimate | None
    forfeited: int
    next_separated: bool | None
    matches: int
    won: int
    drawn: int
    lost: int
    deals: int
    decisions: int
    deals_per_match: Estimate | None


@dataclass(frozen=True)
class Summary:
    """The whole run.

    standings:   best score first; equal scores in the order of names.
    unfinished:  drawn matches that did not end.
    seatings:    in how many orders a combination of strategies plays the same deals.
    first_score: score of the first in the standings. It was chosen among all by its score, so the
                 interval is Bonferroni's for all scores; with two
                 strategies, it is that of the score, because each score implies the other. Null
                 before its first match.
    team_scores: mean score of each team over all matches; team 0 has seat 0. It shows whether a
                 seat is better. The truth is 1/teams if the rules draw the first dealer.
    """

    standings: tuple[Standing, ...]
    pairs: tuple[Pair, ...]
    contrasts: tuple[Contrast, ...]
    first_score: Estimate | None
    team_scores: tuple[Estimate, ...]
    matches: int
    seatings: int
    drawn: int
    unfinished: int
    deals: int
    decisions: int
    deals_per_match: Estimate


def summarize(design: Design, tally: Tally, known: frozenset[int] = frozenset()) -> Summary:
    """Return the summary of a tournament; known: see `compare_all`."""
    rounds, matches = [(design, tally)], design.matches_per_set
    pairs = compare_pairs(rounds, known)
    # A test covers only the matches between two strategies, not those with others.
    own_matches = design.strategies == 2 or (known and not design.alike(*known))
    contrasts = compare_all(tally, design, known if own_matches else frozenset())
    order = _best_first(tally, design, contrasts)
    unit = matches * design.metric.unit(design.teams)
    # All combinations play the deals of a set, so alike strategies score alike on each seat. For a
    # seat they count as one combination.
    team_scores = tuple(
        _estimate(Sums(tally.sets, total, squares, unit), design, 1)
        for total, squares in zip(tally.team_score, tally.team_score_sq, strict=True)
    )
    length = estimate_length(Sums(tally.sets, tally.deals, tally.deals_sq, matches))
    return _summary(rounds, order, None, pairs, contrasts, team_scores, length)


def _best_first(tally: Tally, design: Design, contrasts: tuple[Contrast, ...]) -> list[int]:
    """Return the strategies by their scores, or first by rank if scores do not compare.

    They do not compare if strategies have different opponents.
    """
    everyone = range(design.strategies)
    each = [Fraction(tally.score[i], design.matches_of(i)) for i in everyone]
    if all(design.alike(i, k) for i, k in combinations(everyone, 2)):
        return sorted(everyone, key=lambda i: (-each[i], i))
    ranks = [rank_set(i, contrasts, design.strategies) for i in everyone]
    return sorted(everyone, key=lambda i: (ranks[i], -each[i], i))


def summarize_rounds(rounds: Played, table: RoundStandings) -> Summary:
    """Return the summary of a tournament in rounds; two teams meet in each match.

    Opponents depend on earlier results. So scores of strategies have no interval and cannot be
    compared. Scores of one meeting can, on its own sets. Only the last meeting of two strategies
    can show a significant difference; all meetings are one family. Bradley-Terry strengths allow
    for the opponents. The choice of opponents by earlier results does not change their likelihood.
    """
    pairs, first = compare_pairs(rounds), rounds[0][0]
    last = {(pair.first, pair.second): pair for pair in pairs}
    contrasts = tuple(
        Contrast(i, k, pair.difference, pair.p, pair.p_adjusted, pair.separated)
        for (i, k), pair in sorted(last.items())
    )
    matches = _matches(rounds)
    unit = matches * first.metric.unit(first.teams)
    team_scores = tuple(
        _plain(sum(tally.team_score[team] for _, tally in rounds), unit)
        for team in range(first.teams)
    )
    length = _plain(sum(tally.deals for _, tally in rounds), matches)
    return _summary(rounds, table.order, table, pairs, contrasts, team_scores, length)


def _matches(rounds: Played) -> int:
    return sum(design.matches_per_set * tally.sets for design, tally in rounds)


def _plain(total: int, count: int) -> Estimate:
    return Estimate(float(Fraction(total, count)))


def _summary(
    rounds: Played,
    order: Sequence[int],
    table: RoundStandings | None,
    pairs: tuple[Pair, ...],
    contrasts: tuple[Contrast, ...],
    team_scores: tuple[Estimate, ...],
    deals_per_match: Estimate,
) -> Summary:
    """Return the summary; order: the strategies, the best first; table: of a format in rounds."""
    sums = {
        name: sum(getattr(tally, name) for _, tally in rounds)
        for name in ("drawn", "unfinished", "deals", "decisions")
    }
    standings = tuple(
        _standing(rounds, at, i, after, table, contrasts)
        for at, (i, after) in enumerate(zip(order, [*order[1:], None], strict=True))
    )
    return Summary(
        standings=standings,
        pairs=pairs,
        contrasts=contrasts,
        first_score=_first_score(*rounds[0], order[0]) if table is None else standings[0].score,
        team_scores=team_scores,
        matches=_matches(rounds),
        seatings=len(rounds[0][0].orders),
        deals_per_match=deals_per_match,
        **sums,
    )


def _standing(
    rounds: Played,
    at: int,
    i: int,
    after: int | None,
    table: RoundStandings | None,
    contrasts: tuple[Contrast, ...],
) -> Standing:
    def total(name: str) -> int:
        return sum(getattr(tally, name)[i] for _, tally in rounds)

    design, tally = rounds[0]
    score: Estimate | None
    length: Estimate | None
    matches = sum(of.matches_of(i) * one.sets for of, one in rounds)
    won, draws, deals = total("won"), total("drawn_by"), total("deals_by")
    if table is None:
        score, clean_score = score_of(tally, design, i), _clean_score_of(tally, design, i)
        sums = Sums(tally.sets, deals, tally.deals_by_sq[i], design.matches_of(i))
        length = estimate_length(sums)
    else:
        unit, clean = design.metric.unit(2), total("clean_matches")
        score = _plain(total("score"), matches * unit) if matches else None
        length = _plain(deals, matches) if matches else None
        clean_score = _plain(total("clean_score"), clean * unit) if clean else None
    return Standing(
        strategy=i,
        place=at + 1 if table is None else table.places[at],
        points=None if table is None else float(table.points[at]),
        ranks=rank_set(i, contrasts, design.strategies),
        score=score,
        without_forfeits=clean_score,
        forfeited=total("forfeited"),
        next_separated=next(
            (c.separated for c in contrasts if {c.first, c.second} == {i, after}), None
        ),
        matches=matches,
        won=won,
        drawn=draws,
        lost=matches - won - draws,
        deals=deals,
        decisions=total("decisions_by"),
        deals_per_match=length,
    )


def _first_score(design: Design, tally: Tally, first: int) -> Estimate:
    """Return the score of the first strategy with its interval among those of all."""
    if design.strategies == 2 or tally.sets < 2:
        return score_of(tally, design, first)
    together = Family(design.strategies, Fraction(tally.sets - 1), np.empty(0))
    return score_of(tally, design, first, family=together)


def _estimate(sums: Sums, design: Design, meetings: int, family: Family | None = None) -> Estimate:
    """Return a mean over the matches of so many combinations; shares start at 0."""
    bounds = Bounds(0, design.metric.reach, Fraction(1, meetings**2))
    return estimate_mean(sums, design, bounds, family)


def score_of(
    tally: Tally, design: Design, *entrants: int, family: Family | None = None
) -> Estimate:
    """Return the mean score of one entrant, or of several over all their matches.

    They play the same sets. So the squares are those of their sum, with their covariances.
    family: for a simultaneous interval.
    """
    per_set = sum(map(design.matches_of, entrants))
    unit = per_set * design.metric.unit(design.teams)
    squares = sum(tally.cross[i][j] for i in entrants for j in entrants)
    sums = Sums(tally.sets, sum(tally.score[i] for i in entrants), squares, unit)
    return _estimate(sums, design, per_set // len(design.orders), family)


def _clean_score_of(tally: Tally, design: Design, i: int) -> Estimate | None:
    """Return the mean score of a strategy over the matches that nobody forfeited.

    Their number differs from set to set, so it is a ratio, clustered by set.
    """
    matches, unit = tally.clean_matches[i], design.metric.unit(design.teams)
    if matches == design.matches_of(i) * tally.sets:
        return score_of(tally, design, i)
    if not matches:
        return None
    if design.sequential:
        return Estimate(tally.clean_score[i] / (matches * unit))
    sums = RatioSums(
        tally.sets,
        tally.clean_score[i],
        matches * unit,
        tally.clean_score_sq[i],
        tally.clean_matches_sq[i] * unit**2,
        tally.clean_product[i] * unit,
    )
    least, most = (0.0, 1.0) if design.metric.by_match else (None, None)
    return estimate_ratio(sums, most, least)


def rank_partners(
    design: Design, tally: Tally, partners: Sequence[Sequence[int]]
) -> dict[int, Estimate]:
    """Return the mean score of each strategy over all its partnerships, the best first.

    partners: the strategies of each entrant.
    """
    result = {}
    for strategy in sorted({one for members in partners for one in members}):
        own = (entrant for entrant, members in enumerate(partners) if strategy in members)
        result[strategy] = score_of(tally, design, *own)
    return dict(sorted(result.items(), key=lambda one: -one[1].mean))
