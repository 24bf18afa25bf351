"""Comparisons as tables: one row for each metric of each variant and point."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from io import StringIO
from typing import Any

COLUMNS = (
    "variant", "point", "metric", "words", "kind", "base", "base_low", "base_high", "other",
    "other_low", "other_high", "difference", "difference_low", "difference_high", "effect",
    "pairing", "margin", "p_differs", "p_beyond", "verdict",
)  # fmt: skip


def metrics_rows(results: Mapping[str, Any], points: bool = True) -> Iterator[dict[str, Any]]:
    """Yield the rows of `metrics.csv`; `point` is empty for a variant as a whole.

    points: also what each point of a variant does alone.
    """
    for difference in results["differences"]:
        for row in difference["metrics"]:
            yield _flat(difference["variant"], "", row)
        for point in difference["points"] if points else ():
            for row in point["metrics"]:
                yield _flat(difference["variant"], point["point"], row)


def metrics_csv(results: Mapping[str, Any], points: bool = True) -> str:
    """Return `metrics.csv`: numbers as they are in JSON, nothing where there is none.

    points: see `metrics_rows`.
    """
    out = StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for row in metrics_rows(results, points):
        writer.writerow({k: "" if v is None else v for k, v in row.items()})
    return out.getvalue()


def _flat(variant: str, point: str, row: Mapping[str, Any]) -> dict[str, Any]:
    flat = {"variant": variant, "point": point}
    for name in ("metric", "words", "kind", "effect", "pairing", "margin", "verdict"):
        flat[name] = row[name]
    for name in ("p_differs", "p_beyond"):
        flat[name] = row[name]
    for side in ("base", "other", "difference"):
        estimate = row[side] or {"mean": None, "low": None, "high": None}
        flat[side] = estimate["mean"]
        flat[f"{side}_low"], flat[f"{side}_high"] = estimate["low"], estimate["high"]
    return flat
