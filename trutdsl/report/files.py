"""Writes the files of a run's folder that are the same wherever the run is made."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from trutdsl.arena.errors import RunFailed
from trutdsl.arena.folder import canonical_json, write_whole
from trutdsl.report.tables import pairs_csv, standings_csv


def write_results(folder: Path, results: Mapping[str, Any], style: str = "plain") -> None:
    """Write `standings.csv`, `pairs.csv` and `results.json`; `manifest.json` is there already.

    style: of the tables, see `Means.csv_style`.
    """
    try:
        write_whole(folder / "standings.csv", standings_csv(results, style))
        write_whole(folder / "pairs.csv", pairs_csv(results, style))
        write_whole(folder / "results.json", canonical_json(results))
    except OSError as problem:
        raise RunFailed(f"{folder}: the results cannot be written: {problem.strerror}") from None
