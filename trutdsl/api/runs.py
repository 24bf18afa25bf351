"""Runs on disk: tournaments, comparisons and sweeps from their folders."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from trutdsl.comparison.frames import Comparison, Sweep
from trutdsl.diagnostics import BadUsage
from trutdsl.report.page import COMPARISON, read_results
from trutdsl.tournaments.api import Tournament, load_tournament
from trutdsl.tournaments.folder import MANIFEST


def load_run(folder: str | PathLike[str]) -> Tournament | Comparison | Sweep:
    """Return the results in the folder of a tournament, a comparison or a sweep.

    A stopped tournament is loaded as far as it is played. Raises `BadUsage` for another folder.
    """
    place = Path(folder)
    results = read_results(place / COMPARISON)
    if results is not None:
        return (Sweep if "sweep" in results else Comparison)(results, place)
    if not (place / MANIFEST).exists():
        raise BadUsage(f"{place} holds no run; expected the folder of a tournament or comparison")
    return load_tournament(place)
