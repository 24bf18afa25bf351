"""Runs on disk: tournaments, comparisons, sweeps and best play from their folders."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import TypeVar, overload

from trutdsl.arguments import check_arguments
from trutdsl.comparison.best_play_frames import SolvedComparison
from trutdsl.comparison.frames import Comparison, Sweep
from trutdsl.comparison.stored import CELLS
from trutdsl.diagnostics import BadUsage
from trutdsl.report.page import BEST_PLAY_RESULTS, COMPARISON, read_results
from trutdsl.tournaments.api import Tournament, load_tournament
from trutdsl.tournaments.folder import MANIFEST
from trutdsl.tournaments.merge import merge

Run = TypeVar("Run", Tournament, Comparison, Sweep, SolvedComparison)

RUN_KINDS = {
    Tournament: "tournament",
    Comparison: "comparison",
    Sweep: "sweep",
    SolvedComparison: "comparison under best play",
}


@overload
def load_run(folder: str | PathLike[str]) -> Tournament | Comparison | Sweep | SolvedComparison: ...


@overload
def load_run(folder: str | PathLike[str], kind: type[Run]) -> Run: ...


@check_arguments
def load_run(
    folder: str | PathLike[str], kind: type[Run] | None = None
) -> Tournament | Comparison | Sweep | SolvedComparison:
    """Return the results in the folder of a tournament, a comparison, a sweep or best play.

    A stopped tournament is loaded as far as it is played. Raises `BadUsage` for another folder.
    kind: the class that is expected; `BadUsage` for another one.
    """
    result = _load_run(Path(folder))
    if kind is not None and not isinstance(result, kind):
        what, expected = RUN_KINDS[type(result)], RUN_KINDS[kind]
        raise BadUsage(f"{folder} holds a {what}, not a {expected}")
    return result


@check_arguments
def merge_runs(runs: Sequence[str | PathLike[str]], out: str | PathLike[str]) -> Tournament:
    """Put runs of one tournament together that were played in shards, and return the whole.

    Raises `BadUsage` if sets are missing; `extend` or `tournament(..., out=out)` plays them.
    """
    result = merge([Path(run) for run in runs], Path(out))
    if result.outcome is None:
        raise BadUsage(f"{result.missing} sets are missing in {out}")
    return load_tournament(Path(out))


def _load_run(place: Path) -> Tournament | Comparison | Sweep | SolvedComparison:
    results = read_results(place / COMPARISON)
    if results is not None:
        return (Sweep if "sweep" in results else Comparison)(results, place)
    solution = read_results(place / BEST_PLAY_RESULTS)
    if solution is not None:
        return SolvedComparison(solution, place)
    if not (place / MANIFEST).exists():
        if (place / CELLS).is_dir():
            raise BadUsage(f"{place} holds an unfinished comparison; the same call plays the rest")
        raise BadUsage(f"{place} holds no run; expected the folder of a tournament or comparison")
    return load_tournament(place)
