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
    "se": "clustered by set",
    "interval": "95 %; t: Student's t with sets - 1 degrees of freedom; no-variation: every set "
    "gave the same, Clopper-Pearson limit of the share of sets that would not; none: not possible",
    "separation": "paired contrasts on the same sets, Holm's correction over all, 5 % together",
    "ranks": "best and worst rank that the separated contrasts leave open",
    "gain": "variance with independent deals over variance with duplicate sets",
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
