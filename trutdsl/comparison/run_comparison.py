"""Holds a comparison: measures every variant and point of difference, and puts them together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from trutdsl.comparison.cell import Cell, compile_ahead, measure, play_again
from trutdsl.comparison.compare import (
    Families,
    Margins,
    MetricPair,
    judge,
    judged_families,
    match_metrics,
    rank_variants,
    screened_families,
    show_ranking,
)
from trutdsl.comparison.measured import Measurement
from trutdsl.comparison.parts import THE_PACK, Point, add_points, interactions
from trutdsl.comparison.request import (
    ComparedVariant,
    Request,
    check_metrics,
    load_all,
    other_tables,
    sets_for,
)
from trutdsl.comparison.results import (
    agreement,
    describe,
    given_by,
    maybe,
    show_interaction,
    show_row,
    show_variant,
)
from trutdsl.diagnostics import Rejected
from trutdsl.report.labels import BASE, PACK
from trutdsl.stats.multiplicity import Family
from trutdsl.tournaments.processes import limit_workers
from trutdsl.tournaments.supervisor import FinishedChunk

CELLS = "cells"


class ComparisonWatcher:
    """Is told how a comparison goes on; this one says nothing to anybody."""

    def compiled(self, done: int, of: int) -> None:
        """So many of so many variants and points are compiled."""

    def begin(self, name: str, number: int, of: int) -> None:
        """A variant or point is measured next, the first is number 1."""

    def played(self, finished: FinishedChunk) -> None:
        """Take a chunk that was played."""

    def say(self, text: str) -> None:
        """Take a sentence that a person should read."""


def compare(
    asked: Request, root: Path, jobs: int | None = None, watcher: ComparisonWatcher | None = None
) -> dict[str, Any]:
    """Hold a comparison and return what came of it, as JSON has it.

    root: where what was measured is kept; what lies there is not measured again.
    Raises `Rejected` or `BadUsage` for what cannot be compared, `RunStopped` or `Failure` if it
    cannot go on; what is finished is kept.
    """
    watcher = watcher or ComparisonWatcher()
    jobs = limit_workers(jobs, watcher.say)
    variants = load_all(asked)
    check_metrics([variant.cell for variant in variants], asked)
    apart = (cell for variant in variants for _, cell in variant.points if cell is not None)
    compile_ahead([*(variant.cell for variant in variants), *apart], jobs, watcher.compiled)
    sets = sets_for([variant.cell for variant in variants], asked)
    runs = _Runs(sets, root / CELLS, jobs, watcher, sum(1 + len(v.points) for v in variants))
    measured = [(variant, runs.measure(variant.cell)) for variant in variants]
    base = measured[0][1]
    parts = [_Parts(base, found, _measure_points(of, runs)) for of, found in measured[1:]]
    matches = match_metrics(base, [found for _, found in measured[1:]])
    families = _families(asked, [one for of in matches for one in of], parts)
    told = families.own if asked.wanted else families.others
    ranked = [] if asked.screening else rank_variants([(v.label, m) for v, m in measured])
    return {
        "comparison": {
            **describe(asked, variants[0].cell, sets, base, other_tables(variants)),
            "family": {"size": told.size, "critical": told.critical},
        },
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
                "metrics": [show_row(row) for row in judge(of, asked.margins, families)],
                "agreement": maybe(agreement(base, found)),
                **part.show(asked.margins, families.others),
            }
            for (variant, found), of, part in zip(measured[1:], matches, parts, strict=True)
        ],
        "ranks": [show_ranking(ranking) for ranking in ranked],
    }


def _families(asked: Request, matches: Sequence[MetricPair], parts: Sequence[_Parts]) -> Families:
    """Return what is looked at together; parts: the points of each variant."""
    if asked.screening:
        return screened_families(matches, asked.wanted)
    sums = [one for part in parts for one in part.sums]
    return judged_families(
        matches,
        asked.margins,
        asked.primary,
        [one for part in parts for of in part.matches for one in of],
        [found for one in sums for found in (one.added, one.beyond)],
    )


class _Runs:
    """Measures cells one after the other, each once."""

    def __init__(
        self, sets: int, root: Path, jobs: int | None, watcher: ComparisonWatcher, of: int
    ) -> None:
        self._sets, self._root, self._jobs = sets, root, jobs
        self._watcher, self._of, self._number = watcher, of, 0

    def measure(self, cell: Cell) -> Measurement:
        self._number += 1
        self._watcher.begin(cell.name, self._number, self._of)
        watcher = self._watcher
        return measure(cell, self._sets, self._root, self._jobs, watcher.played, watcher.say)


def _measure_points(
    variant: ComparedVariant, runs: _Runs
) -> list[tuple[Point, Measurement | None]]:
    """Measure each point; one whose rules cannot be played to the end means nothing by itself."""
    found = list[tuple[Point, Measurement | None]]()
    for point, cell in variant.points:
        try:
            found.append((point, None if cell is None else runs.measure(cell)))
        except Rejected as rejected:
            found.append((replace(point, why_not=rejected.diagnostics[0].message), None))
    return found


class _Parts:
    """The points of a variant, each against the base or the new pack.

    matches: of each point, no metrics of one that means nothing by itself.
    sums:    what the points add up to; none where one of them means nothing by itself.
    """

    def __init__(
        self,
        base: Measurement,
        whole: Measurement,
        points: Sequence[tuple[Point, Measurement | None]],
    ) -> None:
        packs = [found for point, found in points if point.pieces == THE_PACK and found is not None]
        packed = packs[0] if packs else base
        self._points = [point for point, _ in points]
        self.matches: list[tuple[MetricPair, ...]] = [()] * len(points)
        for against, beside in ((base, False), (packed, True)):
            some = [
                (at, found)
                for at, (point, found) in enumerate(points)
                if found is not None and point.beside_pack is beside
            ]
            matched = match_metrics(against, [found for _, found in some])
            for (at, _), of in zip(some, matched, strict=True):
                self.matches[at] = of
        alone = [
            (found, packed if point.beside_pack else base)
            for point, found in points
            if found is not None
        ]
        together = len(alone) == len(points) > 1
        self.sums = add_points(base, whole, alone) if together else []

    def show(self, margins: Margins, family: Family) -> dict[str, Any]:
        """Return what each point does alone, and what they do only together, as JSON has it."""
        families = Families((), family, family)
        return {
            "points": [
                {
                    "pieces": list(point.pieces),
                    "says": point.says,
                    "shared": list(point.shared),
                    "against": PACK if point.beside_pack else BASE,
                    "why_not": point.why_not,
                    "metrics": [show_row(row) for row in judge(of, margins, families)],
                }
                for point, of in zip(self._points, self.matches, strict=True)
            ],
            "together": [show_interaction(one) for one in interactions(self.sums, margins, family)],
        }
