"""Comparisons as tables: one row for each metric of each variant and point."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from trutdsl.arena.errors import RunFailed
from trutdsl.arena.folder import canonical_json, write_whole
from trutdsl.report.csv_text import csv_text

COLUMNS = (
    "variant", "point", "metric", "words", "kind", "base", "base_low", "base_high", "other",
    "other_low", "other_high", "difference", "difference_low", "difference_high", "effect",
    "pairing", "margin", "p", "p_together", "verdict",
)  # fmt: skip


def write_comparison(folder: Path, results: Mapping[str, Any]) -> None:
    """Write `comparison.json` and the tables; raises `RunFailed` if they cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / "comparison.json", canonical_json(results))
        write_whole(folder / "metrics.csv", metrics_csv(results))
        write_whole(folder / "ledger.csv", ledger_csv(results))
    except OSError as problem:
        raise RunFailed(f"{folder}: the results cannot be written: {problem.strerror}") from None


PAYOFFS = ("worth", "gain", "loss", "break_even")
SHARES = ("rate", "wins")


def ledger_rows(results: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the rows of `ledger.csv`: of each thing said, tenth of hands and counter."""
    for variant in results["variants"]:
        for row in variant["ledger"]:
            flat = {"variant": variant["name"]}
            flat |= {n: row[n] for n in ("question", "option", "beats", "offered", "chosen")}
            for name in SHARES:
                flat |= _ends(name, row[name])
            for reason, won in row["won_by"].items():
                flat |= _ends(f"won_by_{reason}", won)
            for counter in sorted(row["worth"]):
                yield {
                    **flat,
                    "counter": counter,
                    **{k: v for n in PAYOFFS for k, v in _ends(n, row[n][counter]).items()},
                }


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
    return _table(COLUMNS, metrics_rows(results, points))


def ledger_csv(results: Mapping[str, Any]) -> str:
    """Return `ledger.csv`, in the same form; games can have ends of deals of their own."""
    reasons = {
        reason
        for variant in results["variants"]
        for row in variant["ledger"][:1]
        for reason in row["won_by"]
    }
    ended = [f"won_by_{reason}" for reason in sorted(reasons)]
    named = [name for n in (*SHARES, *ended) for name in _ends(n, None)]
    paid = [name for n in PAYOFFS for name in _ends(n, None)]
    said = ("variant", "question", "option", "beats", "offered", "chosen")
    return _table((*said, *named, "counter", *paid), ledger_rows(results))


def _table(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    return csv_text([columns, *([row.get(name) for name in columns] for row in rows)])


def _flat(variant: str, point: str, row: Mapping[str, Any]) -> dict[str, Any]:
    flat = {"variant": variant, "point": point}
    for name in ("metric", "words", "kind", "effect", "pairing", "margin", "verdict"):
        flat[name] = row[name]
    for name in ("p", "p_together"):
        flat[name] = row[name]
    for side in ("base", "other", "difference"):
        flat |= _ends(side, row[side])
    return flat


def _ends(name: str, estimate: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return an estimate as three columns."""
    found = estimate or {"mean": None, "low": None, "high": None}
    return {name: found["mean"], f"{name}_low": found["low"], f"{name}_high": found["high"]}
