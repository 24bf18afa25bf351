"""`standings.csv` and `pairs.csv`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from trutdsl.report.results import flatten

ESTIMATE = ("", "_se", "_low", "_high", "_method")
STANDINGS = (
    "rank_best",
    "rank_worst",
    "strategy",
    *(f"score{part}" for part in ESTIMATE),
    "next_separated",
    "matches",
    "won",
    "drawn",
    "lost",
    "deals",
    "decisions",
    *(f"deals_per_match{part}" for part in ESTIMATE),
)
PAIRS = (
    "first",
    "second",
    "matches",
    "won",
    "lost",
    "drawn",
    "others",
    *(f"score{part}" for part in ESTIMATE),
    *(f"second_score{part}" for part in ESTIMATE),
    *(f"difference{part}" for part in ESTIMATE),
)


def standings_csv(results: Mapping[str, Any]) -> str:
    """Return the standings, best score first."""
    rows = [
        {**row, "rank_best": row["ranks"][0], "rank_worst": row["ranks"][1]}
        for row in results["standings"]
    ]
    return _csv(rows, STANDINGS)


def pairs_csv(results: Mapping[str, Any]) -> str:
    """Return one line for every two strategies, in order of their names."""
    return _csv(results["pairs"], PAIRS)


def _csv(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> str:
    # pandas writes a float as Python does: the shortest form that reads back as the same number.
    frame = pd.DataFrame([flatten(row) for row in rows], columns=list(columns))
    return str(frame.to_csv(index=False, lineterminator="\n"))
