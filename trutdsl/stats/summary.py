"""What a tournament's tally says: of each strategy, of each pair, of the whole run."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from trutdsl.stats.contrast import Contrast, Pair, compare_all, compare_pairs, rank_set
from trutdsl.stats.design import Design
from trutdsl.stats.estimate import Bounds, Estimate, RatioSums, Sums, estimate_ratio, estimate_whole
from trutdsl.stats.interval import estimate_mean
from trutdsl.stats.tally import Tally


@dataclass(frozen=True)
class Standing:
    """One strategy.

    place:           in the order of the format, from 1; several can share one.
    points:          what the format gives, None where it is the score.
    ranks:           best and worst rank that the separated contrasts leave open.
    score:           mean score of its matches: 1 a win, 1/teams a draw; of single deals, points
                     above the mean of all teams.
    without_forfeits: mean score of the matches that nobody forfeited; None if there are none.
    forfeited:       matches that it forfeited, which count as lost.
    next_separated:  whether it is separated from the next one in the standings; None for the last.
    """

    strategy: int
    place: int
    points: float | None
    ranks: tuple[int, int]
    score: Estimate
    without_forfeits: Estimate | None
    forfeited: int
    next_separated: bool | None
    matches: int
    won: int
    drawn: int
    lost: int
    deals: int
    decisions: int
    deals_per_match: Estimate


@dataclass(frozen=True)
class Summary:
    """The whole run.

    standings:   best score first, names in order where scores are the same.
    unfinished:  drawn matches that came to no end.
    metric:      what a difference of 1 is, a hundred times, in words.
    seatings:    how many orders of its strategies a combination plays the same deals in.
    team_scores: mean score of each team over all matches; team 0 has seat 0. It tells whether a
                 seat is better; where the rules draw the first dealer, it is 1/teams in truth.
    """

    standings: tuple[Standing, ...]
    pairs: tuple[Pair, ...]
    contrasts: tuple[Contrast, ...]
    team_scores: tuple[Estimate, ...]
    metric: str
    matches: int
    seatings: int
    drawn: int
    unfinished: int
    deals: int
    decisions: int
    deals_per_match: Estimate


def summarize(design: Design, tally: Tally, known: frozenset[int] = frozenset()) -> Summary:
    """Return everything that is reported of a tournament; known: see `compare_all`."""
    teams, played = design.teams, [(design, tally)]
    pairs = compare_pairs(played, known)
    # What is known of the matches between two is not known of all their matches, if there are more.
    contrasts = compare_all(tally, design, known if design.strategies == 2 else frozenset())
    order = _best_first(tally, design, contrasts)
    matches, unit = design.matches_per_set, design.metric.unit(teams)
    return Summary(
        tuple(
            _summarize_strategy(tally, place, i, after, design, contrasts)
            for place, (i, after) in enumerate(zip(order, [*order[1:], None], strict=True), 1)
        ),
        pairs,
        contrasts,
        tuple(
            _estimate(
                Sums(tally.sets, total, squares, matches * unit), design, len(design.combinations)
            )
            for total, squares in zip(tally.team_score, tally.team_score_sq, strict=True)
        ),
        design.metric.words,
        matches * tally.sets,
        len(design.orders),
        tally.drawn,
        tally.unfinished,
        tally.deals,
        tally.decisions,
        estimate_whole(Sums(tally.sets, tally.deals, tally.deals_sq, matches), least=0),
    )


def _best_first(tally: Tally, design: Design, contrasts: tuple[Contrast, ...]) -> list[int]:
    """Return the strategies by their scores, or first by rank where scores do not compare.

    They do not where strategies have met others, such as one that all play against.
    """
    everyone = range(design.strategies)
    each = [Fraction(tally.score[i], design.matches_of(i)) for i in everyone]
    if all(design.alike(i, k) for i, k in combinations(everyone, 2)):
        return sorted(everyone, key=lambda i: (-each[i], i))
    ranks = [rank_set(i, contrasts, design.strategies) for i in everyone]
    return sorted(everyone, key=lambda i: (ranks[i], -each[i], i))


def _estimate(sums: Sums, design: Design, meetings: int) -> Estimate:
    """Return a mean over the matches of so many combinations, shares from 0."""
    return estimate_mean(sums, design, Bounds(0, design.metric.reach, Fraction(1, meetings**2)))


def score_of(tally: Tally, design: Design, i: int) -> Estimate:
    """Return the mean score of a strategy over its matches."""
    per_set = design.matches_of(i)
    unit = per_set * design.metric.unit(design.teams)
    sums = Sums(tally.sets, tally.score[i], tally.cross[i][i], unit)
    return _estimate(sums, design, per_set // len(design.orders))


def _clean_score_of(tally: Tally, design: Design, i: int) -> Estimate | None:
    """Return the mean score of a strategy over the matches that nobody forfeited.

    How many there are in a set varies with who fails, so that it is a ratio, clustered by set.
    """
    matches, unit = tally.clean_matches[i], design.metric.unit(design.teams)
    if matches == design.matches_of(i) * tally.sets:
        return score_of(tally, design, i)
    if not matches:
        return None
    if design.sequential:
        return Estimate(tally.clean_score[i] / (matches * unit), None, None, None, "none")
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


def _summarize_strategy(
    tally: Tally,
    place: int,
    i: int,
    after: int | None,
    design: Design,
    contrasts: tuple[Contrast, ...],
) -> Standing:
    per_set = design.matches_of(i)
    matches = per_set * tally.sets
    return Standing(
        strategy=i,
        place=place,
        points=None,
        ranks=rank_set(i, contrasts, len(tally.score)),
        score=score_of(tally, design, i),
        without_forfeits=_clean_score_of(tally, design, i),
        forfeited=tally.forfeited[i],
        next_separated=next(
            (c.separated for c in contrasts if {c.first, c.second} == {i, after}), None
        ),
        matches=matches,
        won=tally.won[i],
        drawn=tally.drawn_by[i],
        lost=matches - tally.won[i] - tally.drawn_by[i],
        deals=tally.deals_by[i],
        decisions=tally.decisions_by[i],
        deals_per_match=estimate_whole(
            Sums(tally.sets, tally.deals_by[i], tally.deals_by_sq[i], per_set), least=0
        ),
    )
