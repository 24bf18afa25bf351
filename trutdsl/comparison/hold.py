"""Holds a comparison: measures every variant and point of difference, and puts them together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from trutdsl.arena.executor import Finished
from trutdsl.comparison.ahead import compile_ahead
from trutdsl.comparison.asked import (
    Asked,
    Compared,
    check_metrics,
    load_all,
    other_tables,
    sets_for,
)
from trutdsl.comparison.cell import Cell, measure, play_again
from trutdsl.comparison.compare import Margins, Row, compare_with
from trutdsl.comparison.interaction import interactions
from trutdsl.comparison.measured import Measured
from trutdsl.comparison.parts import THE_PACK, Point
from trutdsl.comparison.rankings import agreement
from trutdsl.comparison.results import (
    describe,
    given_by,
    maybe,
    show_interaction,
    show_row,
    show_variant,
)
from trutdsl.diagnostics import Rejected

CELLS = "cells"


class Watcher:
    """Is told how a comparison goes on; this one says nothing to anybody."""

    def compiled(self, done: int, of: int) -> None:
        """So many of so many variants and points are compiled."""

    def begin(self, name: str, number: int, of: int) -> None:
        """A variant or point is measured next, the first is number 1."""

    def played(self, finished: Finished) -> None:
        """Take a chunk that was played."""

    def say(self, text: str) -> None:
        """Take a sentence that a person should read."""


def compare(
    asked: Asked, root: Path, jobs: int | None = None, watcher: Watcher | None = None
) -> dict[str, Any]:
    """Hold a comparison and return what came of it, as JSON has it.

    root: where what was measured is kept; what lies there is not measured again.
    Raises `Rejected` or `BadUsage` for what cannot be compared, `RunStopped` or `RunFailed` if it
    cannot go on; what is finished is kept.
    """
    watcher = watcher or Watcher()
    variants = load_all(asked)
    check_metrics([variant.cell for variant in variants], asked)
    apart = (cell for variant in variants for _, cell in variant.points if cell is not None)
    compile_ahead([*(variant.cell for variant in variants), *apart], jobs, watcher.compiled)
    sets = sets_for([variant.cell for variant in variants], asked)
    runs = _Runs(sets, root / CELLS, jobs, watcher, sum(1 + len(v.points) for v in variants))
    measured = [(variant, runs.measure(variant.cell)) for variant in variants]
    base = measured[0][1]
    rows = compare_with(base, [found for _, found in measured[1:]], asked.margins)
    compared = zip(measured[1:], rows, strict=True)
    return {
        "comparison": describe(asked, variants[0].cell, sets, base, other_tables(variants)),
        "given": given_by(asked),
        "variants": [
            {
                **show_variant(v.cell, variants[0].cell, m),
                "again": play_again(v.cell, m, sets)._asdict(),
            }
            for v, m in measured
        ],
        "differences": [
            {
                "variant": variant.label,
                "metrics": [show_row(row) for row in of],
                "agreement": maybe(agreement(base, found)),
                **_taken_apart(variant, base, found, runs, asked.margins),
            }
            for (variant, found), of in compared
        ],
    }


class _Runs:
    """Measures cells one after the other, each once."""

    def __init__(self, sets: int, root: Path, jobs: int | None, watcher: Watcher, of: int) -> None:
        self._sets, self._root, self._jobs = sets, root, jobs
        self._watcher, self._of, self._number = watcher, of, 0

    def measure(self, cell: Cell) -> Measured:
        self._number += 1
        self._watcher.begin(cell.name, self._number, self._of)
        watcher = self._watcher
        return measure(cell, self._sets, self._root, self._jobs, watcher.played, watcher.say)


def _alone(point: Point, cell: Cell | None, runs: _Runs) -> tuple[Point, Measured | None]:
    """Measure a point; one whose rules cannot be played to the end means nothing by itself."""
    try:
        return point, None if cell is None else runs.measure(cell)
    except Rejected as rejected:
        return replace(point, why_not=rejected.diagnostics[0].message), None


def _taken_apart(
    variant: Compared, base: Measured, whole: Measured, runs: _Runs, margins: Margins
) -> dict[str, Any]:
    """Return what each point of a variant does alone, and what they do only together."""
    measured = [_alone(point, cell, runs) for point, cell in variant.points]
    packs = [found for point, found in measured if point.words == THE_PACK and found is not None]
    found = []
    rows: dict[int, tuple[Row, ...]] = {}
    packed = packs[0] if packs else base
    for against, beside in ((base, False), (packed, True)):
        some = [
            (number, one)
            for number, (point, one) in enumerate(measured)
            if one is not None and point.beside_pack is beside
        ]
        of = compare_with(against, [one for _, one in some], margins)
        rows |= {number: row for (number, _), row in zip(some, of, strict=True)}
    for number, (point, _) in enumerate(measured):
        of_point = rows.get(number, ())
        found.append(
            {
                "point": point.words,
                "says": point.says,
                "against": THE_PACK if point.beside_pack else "the base",
                "why_not": point.why_not,
                "metrics": [show_row(row) for row in of_point],
            }
        )
    alone = [
        (one, packed if point.beside_pack else base) for point, one in measured if one is not None
    ]
    together = interactions(base, whole, alone, margins) if len(alone) == len(measured) > 1 else []
    return {"points": found, "together": [show_interaction(one) for one in together]}
