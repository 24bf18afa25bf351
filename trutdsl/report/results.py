"""`results.json`: the summary and the exact sums it was made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from trutdsl.stats.estimate import Estimate
from trutdsl.stats.summary import Pair, Standing, Summary
from trutdsl.stats.tally import Tally

METHOD = {
    "score": "1 for a won match, 1/teams for a drawn one, else 0; mean over all opponents",
    "unit": "duplicate set: the same deals under every rotation of the strategies over the teams; "
    "all combinations play the same sets",
    "counts": "sets: of deals; matches: single matches, all seatings of all sets together; in a "
    "standing those that the strategy plays in, in a pair those that both play in",
    "se": "of the mean, clustered by set",
    "interval": "95 % each, not corrected for their number, neither those of standings and pairs "
    "nor those of contrasts; pseudo-sets: Student's t over the sets and 1.5 more at the lowest and "
    "1.5 at the highest possible score, fewer by weight for means over several combinations, cut "
    "off at these scores; log-t: Student's t on the logarithm; none: not possible",
    "p": "two-sided, against no difference, from the sums that give the interval; to 9 decimals, "
    "values below 1e-9 as 1e-9; p_holm: corrected for all contrasts (Holm)",
    "separation": "p_holm of the paired contrast on the same sets is at most 5 %",
    "ranks": "best and worst rank that the separated contrasts leave open",
    "next_separated": "from the next one in the standings; every two strategies: contrasts",
    "team_scores": "of the team of seat 0, of seat 1 ..., over all matches; 1/teams where seats "
    "are alike, as they are where the rules draw the first dealer",
}


def collect_results(
    manifest: Mapping[str, Any], summary: Summary, tally: Tally, names: list[str]
) -> dict[str, Any]:
    """Return everything that is known of a run, as JSON has it.

    names: of the strategies, in the order of the tally's indices.
    """
    return {
        "manifest": manifest,
        "method": METHOD,
        "run": {
            "sets": tally.sets,
            "matches": summary.matches,
            "drawn": summary.drawn,
            "deals": summary.deals,
            "decisions": summary.decisions,
            "deals_per_match": asdict(summary.deals_per_match),
            "team_scores": [asdict(score) for score in summary.team_scores],
        },
        "standings": [_standing(s, names) for s in summary.standings],
        "pairs": [_pair(p, names) for p in summary.pairs],
        "contrasts": [
            {
                **asdict(c),
                "first": names[c.first],
                "second": names[c.second],
            }
            for c in summary.contrasts
        ],
        "sums": {"strategies": names, **tally.to_counts()},
    }


def _standing(standing: Standing, names: list[str]) -> dict[str, Any]:
    return {
        **asdict(standing),
        "strategy": names[standing.strategy],
        "ranks": list(standing.ranks),
    }


def _pair(pair: Pair, names: list[str]) -> dict[str, Any]:
    return {**asdict(pair), "first": names[pair.first], "second": names[pair.second]}


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
