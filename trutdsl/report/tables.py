"""`standings.csv` and `pairs.csv`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from trutdsl.report.csv_text import csv_text
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
    *(f"elo{part}" for part in ESTIMATE),
    "place",
    "points",
    "forfeited",
    *(f"without_forfeits{part}" for part in ESTIMATE),
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
    "gain",
    "gain_low",
    "gain_high",
    "correlation",
    "round",
)


def standings_rows(results: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a row for each strategy, the best first, by the names in `STANDINGS`."""
    rows = [
        {**row, "rank_best": row["ranks"][0], "rank_worst": row["ranks"][1]}
        for row in results["standings"]
    ]
    return _rows(rows, STANDINGS)


def pairs_rows(results: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a row for every two that met, in order of their names, by the names in `PAIRS`."""
    return _rows(results["pairs"], PAIRS)


def standings_csv(results: Mapping[str, Any], style: str = "plain") -> str:
    """Return the standings as CSV; style: see `Means.csv_style`."""
    return _csv(standings_rows(results), STANDINGS, style)


def pairs_csv(results: Mapping[str, Any], style: str = "plain") -> str:
    """Return the pairs as CSV; style: see `Means.csv_style`."""
    return _csv(pairs_rows(results), PAIRS, style)


def _rows(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> list[dict[str, Any]]:
    flat = map(flatten, rows)
    return [{name: row.get(name) for name in columns} for row in flat]


def _csv(rows: Sequence[Mapping[str, Any]], columns: Sequence[str], style: str) -> str:
    # A float is written in the shortest form that reads back as the same number, None as nothing.
    french = style == "fr"
    cells = [[row.get(name) for name in columns] for row in rows]
    if french:
        cells = [[_comma(value) for value in row] for row in cells]
    return csv_text([columns, *cells], ";" if french else ",")


def _comma(value: Any) -> Any:
    """Return a number with a decimal comma, anything else as it is."""
    return repr(value).replace(".", ",") if isinstance(value, float) else value
