"""`results.json`: the summary and the exact sums it was made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from trutdsl.stats.estimate import Estimate
from trutdsl.stats.field import Field
from trutdsl.stats.meetings import Pair
from trutdsl.stats.summary import Standing, Summary
from trutdsl.stats.tally import Tally

METHOD = {
    "score": "1 for a won match, 1/teams for a drawn one, else 0; mean over all opponents",
    "unit": "duplicate set: the same deals under every order of the strategies over the teams, or "
    "with more than four teams under those of a Williams design; all combinations play the same "
    "sets",
    "counts": "sets: of deals; matches: single matches, all seatings of all sets together; in a "
    "standing those that the strategy plays in, in a pair those that both play in",
    "se": "of the mean, clustered by set",
    "interval": "95 %; those of standings each by itself, those of all contrasts together, and so "
    "those of all pairs (max-t, see p_adjusted); pseudo-sets: Student's t over the sets and 0.75 "
    "more at the lowest "
    "and 0.75 at the highest possible score, fewer by weight for means over several combinations, "
    "cut off at these scores; of Elo on its scale; of points with what one unit of the dearest "
    "counter makes, more and less; t: Student's t, with the variance 1/12 of a whole number added; "
    "bootstrap: percentiles over 400 Poisson replicates of up to 64 groups of sets, from 20 "
    "groups on; "
    "stagewise: of what a sequential test leaves to estimate; "
    "any-time: a confidence sequence, where the end of play depends on what was played, with twice "
    "as many pseudo-sets; "
    "none: not possible",
    "p": "two-sided, against no difference, by itself, by Student's t of the sets and pseudo-sets "
    "of its interval; to 9 decimals, values below 1e-9 as 1e-9",
    "p_adjusted": "for all contrasts together, and for all pairs together: by the greatest of "
    "normal variables that hang together as the differences do in groups of sets; at most "
    "Bonferroni's, which it is with fewer than 20 sets",
    "separation": "the interval of the contrast, or of the pair, leaves out 0; where the end of "
    "play depends on what was played, it is a confidence sequence at 5 % divided by their number, "
    "or the sequential test says so of the matches between the two",
    "gain": "how many times the variance of a pair's mean is smaller than that over as many single "
    "matches on deals of their own, from gain_low to gain_high with 95 %; correlation: of two "
    "matches on the same deals; none where the sets do not vary",
    "rounds": "where who meets depends on earlier rounds, scores of strategies have no interval "
    "and do not compare, as their opponents differ; two strategies are separated only by a "
    "meeting of theirs, all meetings corrected together; elo allows for who the opponents "
    "were",
    "ranks": "best and worst rank that the separated contrasts leave open",
    "elo": "Bradley-Terry strength, mean 0, with errors clustered by set; none where it is "
    "infinite; misfit: of the model, about its freedom where it fits; first_seat: what its team "
    "has by its seats, for two teams, none where it is infinite",
    "cycles": "the shortest ones of pairs that are separated: each beats the next, the last the "
    "first",
    "cyclic_share": "what of the pairs' differences those of the scores do not tell, without "
    "the share of noise",
    "nash": "the most even equilibrium of the choice of a strategy; scores: against it",
    "alpha_rank": "stationary distribution of a population of 50 in which the fitter takes over; "
    "shares: at the greatest intensity of selection; sweep: at each",
    "next_separated": "from the next one in the standings; every two strategies: contrasts",
    "team_scores": "of the team of seat 0, of seat 1 ..., over all matches; 1/teams where seats "
    "are alike, as they are where the rules draw the first dealer",
}


def collect_results(
    manifest: Mapping[str, Any],
    summary: Summary,
    field: Field,
    tallies: Sequence[Tally],
    names: list[str],
    stop: Mapping[str, Any] | None = None,
    partners: Sequence[Mapping[str, Any]] | None = None,
) -> dict[str, Any]:
    """Return everything that is known of a run, as JSON has it.

    field: what is said of all strategies together; tallies: of each round; names: of the
    strategies, in the order of the tallies' indices; stop: what the rule by which it was to end
    says; partners: how strategies did with every partner.
    """
    sums = [tally.to_counts() for tally in tallies]
    in_rounds = "rounds" in manifest["meetings"]
    return {
        "manifest": manifest,
        "method": METHOD,
        "run": {
            "sets": sum(tally.sets for tally in tallies),
            "rounds": len(tallies),
            "matches": summary.matches,
            "metric": summary.metric,
            "seatings": summary.seatings,
            "drawn": summary.drawn,
            "unfinished": summary.unfinished,
            "deals": summary.deals,
            "decisions": summary.decisions,
            "deals_per_match": asdict(summary.deals_per_match),
            "team_scores": [asdict(score) for score in summary.team_scores],
        },
        "standings": [_standing(s, field, names) for s in summary.standings],
        "pairs": [_pair(p, names) for p in summary.pairs],
        "contrasts": [
            {
                **asdict(c),
                "first": names[c.first],
                "second": names[c.second],
            }
            for c in summary.contrasts
        ],
        "partners": partners,
        "stop": stop,
        "field": _field(field, names),
        "sums": {"strategies": names, **({"rounds": sums} if in_rounds else sums[0])},
    }


def _field(field: Field, names: list[str]) -> dict[str, Any]:
    """Return what is said of all strategies together, by their names."""
    strengths, nash, alpha = field.strengths, field.nash, field.alpha_rank
    first_seat = strengths and strengths.first_seat
    return {
        "first_seat": first_seat and asdict(first_seat),
        "misfit": strengths and {"sum": strengths.misfit, "freedom": strengths.freedom},
        "cycles": [[names[i] for i in cycle] for cycle in field.cycles],
        "cyclic_share": field.cyclic_share and asdict(field.cyclic_share),
        "nash": nash
        and {"weights": _by_name(nash.weights, names), "scores": _by_name(nash.scores, names)},
        "alpha_rank": alpha
        and {
            "shares": _by_name(alpha.shares, names),
            "sweep": [
                {"alpha": intensity, "shares": dict(zip(names, shares, strict=True))}
                for intensity, shares in alpha.sweep
            ],
        },
    }


def _by_name(estimates: Sequence[Estimate], names: list[str]) -> dict[str, Any]:
    return {name: asdict(one) for name, one in zip(names, estimates, strict=True)}


def _standing(standing: Standing, field: Field, names: list[str]) -> dict[str, Any]:
    strengths = field.strengths
    return {
        **asdict(standing),
        "elo": strengths and asdict(strengths.elo[standing.strategy]),
        "strategy": names[standing.strategy],
        "ranks": list(standing.ranks),
    }


def _pair(pair: Pair, names: list[str]) -> dict[str, Any]:
    told = {**asdict(pair), "first": names[pair.first], "second": names[pair.second]}
    pairing = told.pop("pairing") or dict.fromkeys(("gain", "gain_low", "gain_high", "correlation"))
    return told | pairing


def flatten(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row for a table: an estimate `score` becomes `score`, `score_se`, `score_low` ..."""
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, Mapping):
            flat[name] = value["mean"]
            flat |= {f"{name}_{part}": value[part] for part in ESTIMATE_PARTS}
        else:
            flat[name] = value
    return flat


ESTIMATE_PARTS = tuple(part for part in Estimate.__dataclass_fields__ if part != "mean")
