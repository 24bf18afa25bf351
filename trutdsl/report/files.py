"""Writes the files of a run's folder that are the same wherever the run is made."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from trutdsl.arena.errors import RunFailed
from trutdsl.arena.folder import canonical_json, write_whole
from trutdsl.diagnostics import BadUsage
from trutdsl.report.tables import (
    PAIRS,
    STANDINGS,
    pairs_csv,
    pairs_rows,
    standings_csv,
    standings_rows,
)


def write_results(
    folder: Path, results: Mapping[str, Any], style: str = "plain", parquet: bool = False
) -> None:
    """Write `standings.csv`, `pairs.csv` and `results.json`; `manifest.json` is there already.

    style: of the tables, see `Means.csv_style`. parquet: see `write_parquet`.
    """
    try:
        write_whole(folder / "standings.csv", standings_csv(results, style))
        write_whole(folder / "pairs.csv", pairs_csv(results, style))
        write_whole(folder / "results.json", canonical_json(results))
        if parquet:
            write_parquet(folder, results)
    except OSError as problem:
        raise RunFailed(f"{folder}: the results cannot be written: {problem.strerror}") from None


def write_parquet(folder: Path, results: Mapping[str, Any]) -> None:
    """Write `standings.parquet` and `pairs.parquet`, with the columns of the CSV files."""
    import pandas as pd

    standings = pd.DataFrame(standings_rows(results), columns=list(STANDINGS))
    pairs = pd.DataFrame(pairs_rows(results), columns=list(PAIRS))
    write_whole(folder / "standings.parquet", standings.to_parquet())
    write_whole(folder / "pairs.parquet", pairs.to_parquet())


def need_pyarrow() -> None:
    """Raise `BadUsage` where pyarrow is not, without which there is no Parquet."""
    try:
        import pyarrow  # noqa: F401 - pandas writes with it
    except ImportError:
        raise BadUsage(
            "Parquet is written with pyarrow: pip install pyarrow, or do without (--no-parquet)"
        ) from None
