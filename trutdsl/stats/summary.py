"""What a tournament's tally says: of each strategy, of each pair, of the whole run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from trutdsl.stats.contrast import (
    Contrast,
    Pair,
    compare_all,
    compare_pairs,
    rank_set,
)
from trutdsl.stats.design import Design, Played, Tally
from trutdsl.stats.estimate import (
    Bounds,
    Estimate,
    RatioSums,
    Sums,
    estimate_mean,
    estimate_ratio,
    estimate_whole,
)
from trutdsl.stats.rounds import RoundStandings


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
    seatings:    how many orders of its strategies a combination plays the same deals in.
    team_scores: mean score of each team over all matches; team 0 has seat 0. It tells whether a
                 seat is better; where the rules draw the first dealer, it is 1/teams in truth.
    """

    standings: tuple[Standing, ...]
    pairs: tuple[Pair, ...]
    contrasts: tuple[Contrast, ...]
    team_scores: tuple[Estimate, ...]
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


# Partnerships: how each strategy does with every partner, from how its partnerships do.


@dataclass(frozen=True)
class Partner:
    """A strategy (an index) with its mean score over all its partnerships."""

    strategy: int
    score: Estimate


def rank_partners(
    design: Design, tally: Tally, partners: Sequence[Sequence[int]]
) -> tuple[Partner, ...]:
    """Return each strategy, the best first; partners: the strategies of each entrant.

    Its partnerships play the same sets, so that the squares are those of their sum, with all that
    they have in common.
    """
    found = []
    for strategy in sorted({one for members in partners for one in members}):
        own = [entrant for entrant, members in enumerate(partners) if strategy in members]
        matches = sum(design.matches_of(entrant) for entrant in own)
        squares = sum(tally.cross[i][j] for i in own for j in own)
        unit = matches * design.metric.unit(design.teams)
        sums = Sums(tally.sets, sum(tally.score[i] for i in own), squares, unit)
        meetings = matches // len(design.orders)
        score = estimate_mean(
            sums, design, Bounds(0, design.metric.reach, Fraction(1, meetings**2))
        )
        found.append(Partner(strategy, score))
    return tuple(sorted(found, key=lambda one: -one.score.mean))


def summarize_rounds(rounds: Played, table: RoundStandings) -> Summary:
    """Return everything that is reported of a tournament in rounds; two teams meet in each match.

    Whom a strategy meets depends on what came before, so that scores of strategies have no interval
    and do not compare; those of a meeting do, on its own sets. Two strategies are separated only by
    a meeting of theirs, all meetings being one family. The strengths of Bradley and
    Terry allow for who the opponents were; that these were picked by earlier results does not
    change their likelihood.
    """
    tallies, first = [tally for _, tally in rounds], rounds[0][0]
    pairs = compare_pairs(rounds)
    contrasts = _contrasts(pairs)
    apart = {frozenset((c.first, c.second)) for c in contrasts if c.separated}
    following = [*table.order[1:], None]
    standings = tuple(
        _standing(rounds, table, at, after, contrasts, apart) for at, after in enumerate(following)
    )
    matches = sum(design.matches_per_set * tally.sets for design, tally in rounds)
    deals = sum(tally.deals for tally in tallies)
    unit = first.metric.unit(first.teams)
    return Summary(
        standings,
        pairs,
        contrasts,
        tuple(
            _plain(Fraction(sum(tally.team_score[team] for tally in tallies), matches * unit))
            for team in range(first.teams)
        ),
        matches,
        len(first.orders),
        sum(tally.drawn for tally in tallies),
        sum(tally.unfinished for tally in tallies),
        deals,
        sum(tally.decisions for tally in tallies),
        _plain(Fraction(deals, matches)),
    )


def _plain(mean: Fraction) -> Estimate:
    """Return a mean without an interval."""
    return Estimate(float(mean), None, None, None, "none")


def _standing(
    rounds: Played,
    table: RoundStandings,
    at: int,
    after: int | None,
    contrasts: tuple[Contrast, ...],
    apart: set[frozenset[int]],
) -> Standing:
    i = table.order[at]
    matches = sum(design.matches_of(i) * tally.sets for design, tally in rounds)
    unit = rounds[0][0].metric.unit(2)

    def total(name: str) -> int:
        return sum(getattr(tally, name)[i] for _, tally in rounds)

    won, drawn, clean = total("won"), total("drawn_by"), total("clean_matches")
    played = max(matches, 1)  # who sat out has played none
    return Standing(
        strategy=i,
        place=table.places[at],
        points=float(table.points[at]),
        ranks=rank_set(i, contrasts, len(table.order)),
        score=_plain(Fraction(total("score"), played * unit)),
        without_forfeits=_plain(Fraction(total("clean_score"), clean * unit)) if clean else None,
        forfeited=total("forfeited"),
        next_separated=None if after is None else frozenset((i, after)) in apart,
        matches=matches,
        won=won,
        drawn=drawn,
        lost=matches - won - drawn,
        deals=total("deals_by"),
        decisions=total("decisions_by"),
        deals_per_match=_plain(Fraction(total("deals_by"), played)),
    )


def _contrasts(pairs: Sequence[Pair]) -> tuple[Contrast, ...]:
    """Return the last meeting of every two that met."""
    last = {(pair.first, pair.second): pair for pair in pairs}
    return tuple(
        Contrast(i, k, pair.difference, pair.p, pair.p_adjusted, pair.separated)
        for (i, k), pair in sorted(last.items())
    )
