"""A tournament in rounds: what its meetings say, each on sets of its own."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from trutdsl.stats.contrast import Contrast, rank_set
from trutdsl.stats.design import Design
from trutdsl.stats.estimate import Estimate
from trutdsl.stats.meetings import Pair, compare_pairs
from trutdsl.stats.pairings import Meeting, Table
from trutdsl.stats.summary import Standing, Summary
from trutdsl.stats.tally import Played, Tally


def meetings_of(design: Design, tally: Tally) -> tuple[Meeting, ...]:
    """Return the meetings of a round, with what came of them."""
    return tuple(
        Meeting(i, j, tally.pair_score[i][j] - tally.pair_score[j][i])
        for i, j in design.combinations
    )


def summarize_rounds(rounds: Played, table: Table) -> Summary:
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
        first.metric.words,
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
    table: Table,
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
