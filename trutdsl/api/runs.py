"""Runs on disk: tournaments, comparisons, sweeps and best play from their folders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, overload

from trutdsl.arguments import check_arguments
from trutdsl.comparison.frames import Comparison, Sweep
from trutdsl.comparison.stored import CELLS
from trutdsl.diagnostics import BadUsage
from trutdsl.language import ENGLISH, say_key, speaking
from trutdsl.report.csv_files import data_frame
from trutdsl.report.page import BEST_PLAY_RESULTS, COMPARISON, read_results
from trutdsl.tournaments.api import Tournament, load_tournament
from trutdsl.tournaments.folder import MANIFEST
from trutdsl.tournaments.merge import merge

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class SolvedComparison:
    """The results of a comparison under best play.

    results: everything, as in `best-play.json`.
    folder:  the folder with the file.
    """

    results: Mapping[str, Any]
    folder: Path | None

    @cached_property
    def variants(self) -> pd.DataFrame:
        """Each variant: its value for the side that deals first, and what a deal is like.

        Columns: variant, unit, mean, low, high, exploitability, deals, dealer, nobody, why_not.
        """
        return data_frame(map(_summary, self.results["variants"]))

    @cached_property
    def answers(self) -> pd.DataFrame:
        """Each answer of each role: variant, question, option, role, and its figures."""
        rows = [
            {"variant": one["name"], "question": answer["question"], "option": answer["option"]}
            | {"role": role}
            | {name: value for name, value in answer[role].items() if "by_t" not in name}
            for one in self._solved_variants()
            for answer in one["answers"]
            for role in ("both", "dealer", "other")
        ]
        return data_frame(rows)

    @cached_property
    def hands(self) -> pd.DataFrame:
        """Each hand, the best first: variant, hand, chance, won, gain, bluffs."""
        names = ("hand", "chance", "won", "gain", "bluffs")
        rows = [
            {"variant": one["name"]} | {name: hand[name] for name in names}
            for one in self._solved_variants()
            for hand in one["hands"]
        ]
        return data_frame(rows)

    def _solved_variants(self) -> Iterator[Mapping[str, Any]]:
        return (one for one in self.results["variants"] if not one["why_not"])

    def to_html(self, language: str = "en") -> str:
        """Return the page of `trutdsl report`: one HTML file, in `en` or `fr`."""
        from trutdsl.report.best_play import best_play_page
        from trutdsl.report.page import page_as_html

        return page_as_html(lambda: best_play_page(self.results), language)

    def __repr__(self) -> str:
        names = ", ".join(one["name"] for one in self.results["variants"])
        return f"<{type(self).__name__}: {names}>"

    def __str__(self) -> str:
        from trutdsl.report.best_play import best_play_lines

        with speaking(ENGLISH):
            return "\n".join(best_play_lines(self.results))

    def _repr_html_(self) -> str:
        table = self.variants.to_html(index=False, float_format="{:z.4g}".format)
        return f"{table}\n<pre>{escape(str(self))}</pre>"


def _summary(one: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row of a variant; only its name and the reason if it is not solved."""
    value = one.get("value") or dict.fromkeys(("mean", "low", "high"))
    return {
        "variant": one["name"],
        "unit": one.get("unit"),
        **{name: value[name] for name in ("mean", "low", "high")},
        "exploitability": one.get("exploitability"),
        "deals": (one.get("deals") or {}).get("mean"),
        "dealer": one.get("dealer"),
        "nobody": one.get("nobody"),
        "why_not": say_key(one["why_not"]) if one["why_not"] else "",
    }


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
    if kind is not None and not (isinstance(kind, type) and kind in RUN_KINDS):
        names = ", ".join(one.__name__ for one in RUN_KINDS)
        raise BadUsage(f"found {kind!r} for kind, expected one of: {names}")
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
