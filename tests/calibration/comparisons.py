"""Comparisons of a game with itself: how often an interval or a verdict is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, erf, nan, sqrt
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from tests.calibration.real_play import limits
from trutdsl.comparison.cell import Cell, make_cell
from trutdsl.comparison.compare import (
    Margins,
    estimate_all,
    judge,
    judge_families,
    match_metrics,
    show,
)
from trutdsl.comparison.measurement import Ints, Measurement, cluster_size, gather, measure_sets
from trutdsl.comparison.metrics import SHARE, Metric
from trutdsl.comparison.parts import add_points, interactions, points_of
from trutdsl.comparison.run_comparison import DEALS, DEFAULT_PLAYERS
from trutdsl.game import load_game
from trutdsl.report.labels import DIFFERS, LITTLE
from trutdsl.stats.design import Tally
from trutdsl.stats.multiplicity import family_of
from trutdsl.stats.resampling import Influences
from trutdsl.tournaments.play import play_sets
from trutdsl.tournaments.schedule import Chunk

ALL_TOGETHER, POOLED, EXAMINED_RUNS = "all together", 40, 40
# Two dice that nobody reads: the same distribution, with other draws.
DICE = """\
variant: idle-dice
title: Trut with two dice that mean nothing
extends: trut
rules: |
  deal state:
      idle: 0 to 6 = 0

  before rule open_play:
      idle = roll 1 to 6

  after rule pass_the_deal:
      idle = roll 1 to 6
"""


@dataclass(frozen=True)
class CoverageRow:
    """The coverage of the intervals of a metric.

    single:   for one game; the truth is the mean of all runs.
    compared: for the difference of two equal games; in the row of all together, the share of runs
              in which all intervals cover 0.
    alone, together: the median width of the interval of the difference, alone and simultaneous.
    rounded:  the coverage of an exact interval of 95 % after adding 1/12 to the variance, as for
              whole numbers; the median of the first `EXAMINED_RUNS` runs.
    counted:  the median, in these runs, of the smaller count of a share (part or rest), both games.
    """

    metric: str
    strategies: str
    sets: int
    runs: int
    single: float
    compared: float
    alone: float
    together: float
    rounded: float
    counted: float


@dataclass(frozen=True)
class Verdicts:
    """The share of comparisons with idle dice that have a false verdict of a kind."""

    what: str
    sets: int
    runs: int
    wrong: float


def measure(cell: Cell, sets: int) -> Measurement:
    """Play some sets, and return the measurement."""
    experiment, size = cell.experiment(sets), cluster_size(sets)
    chunks = [Chunk(at, min(size, sets - at)) for at in range(0, sets, size)]
    counted = ((c, measure_sets(experiment, play_sets(experiment, c)[0])) for c in chunks)
    return gather(experiment, counted)


def interval_coverages(strategies: Sequence[str], sets: int, runs: int) -> list[CoverageRow]:
    """Return the coverage of the intervals of all metrics, over pairs of runs of the same game."""
    cell = make_cell("trut", load_game("trut", 2, engine="native"), strategies, 1)
    singles: dict[str, list[tuple[float, float]]] = {}
    compared: dict[str, list[tuple[bool, float, float]]] = {}
    reasons: dict[str, list[tuple[float, float]]] = {}
    together, pool = 0, _Pool()
    for run in range(runs):
        pair = [measure(replace(cell, seed=2 * run + side), sets) for side in (0, 1)]
        for side, one in enumerate(pair):
            pool.add((2 * run + side) % POOLED, one)
        known = [estimate_all(one) for one in pair]
        for metric, found in known[0].values():
            shown = show(metric, found)
            if shown.low is not None and shown.high is not None:
                singles.setdefault(metric.name, []).append((shown.low, shown.high))
        (matches,) = match_metrics(pair[0], pair[1:])
        differences_by_name = [(m.metric.name, m.difference) for m in matches]
        differences = {name: d for name, d in differences_by_name if d is not None and d.spread}
        family = family_of((d.column for d in differences.values()), pair[0].clusters - 1)
        wrong = False
        for name, difference in differences.items():
            (low, high), ends = (limits(difference.estimate(family=of)) for of in (None, family))
            compared.setdefault(name, []).append((low <= 0 <= high, high - low, ends[1] - ends[0]))
            wrong |= not ends[0] <= 0 <= ends[1]
            if run < EXAMINED_RUNS:
                counted = sum(_smaller_count(*one[name]) for one in known if name in one)
                reasons.setdefault(name, []).append((_rounded(difference), counted))
        together += not wrong
    truth = {name: found.value for name, (_, found) in estimate_all(pool.merge_all()).items()}
    who = " ".join(strategies)
    rows = [CoverageRow(ALL_TOGETHER, who, sets, runs, nan, together / runs, *[nan] * 4)]
    for name, seen in compared.items():
        holds, *widths = np.array(seen, float).T
        least, most = np.array(singles[name]).T
        single = float(((least <= truth[name]) & (truth[name] <= most)).mean())
        alone, wide = (float(np.median(width)) for width in widths)
        rounded, counted = np.median(np.array(reasons.get(name) or [(nan, nan)]), axis=0).tolist()
        share = float(holds.mean())
        rows.append(
            CoverageRow(name, who, sets, len(seen), single, share, alone, wide, rounded, counted)
        )
    return rows


def _rounded(difference: Influences) -> float:
    """Return the coverage of an exact interval of 95 % that rounding widens like this one."""
    plain, wide = replace(difference, rounding=0.0).spread, difference.spread
    return erf(1.96 * wide / plain / sqrt(2)) if plain and wide else 1.0


def _smaller_count(metric: Metric, found: Influences) -> float:
    """Return the smaller count of a share: of its part or of the rest."""
    if metric.kind != SHARE or metric.ratio is None:
        return nan
    part, whole = np.array(found.made_of).sum(axis=0)
    return float(min(part, whole - part))


class _Pool:
    """Measurements of the same cell, merged into `POOLED` clusters."""

    def __init__(self) -> None:
        self._first: Measurement | None = None
        self._counts: dict[int, Ints] = {}
        self._tallies: dict[int, Tally] = {}

    def add(self, cluster: int, new: Measurement) -> None:
        """Add a measurement to a cluster."""
        self._first = self._first or new
        self._counts[cluster] = self._counts.get(cluster, 0) + new.total
        before = self._tallies.get(cluster)
        self._tallies[cluster] = before.merge(new.tally) if before else new.tally

    def merge_all(self) -> Measurement:
        """Return the measurement of all clusters."""
        assert self._first is not None
        counts = np.array(list(self._counts.values()))
        tallies = tuple(self._tallies.values())
        return replace(self._first, counts=counts, tallies=tallies)


def false_verdicts(runs: int, deals: int = DEALS) -> list[Verdicts]:
    """Return the shares of comparisons of Trut with idle dice that have a false verdict."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "idle-dice.yaml"
        file.write_text(DICE, encoding="utf-8")
        base, dice = (load_game(ref, 2, engine="native") for ref in ("trut", file))
        games = [base, dice, *(p.game for p in points_of(dice, base) if p.game is not None)]
        cells = [make_cell(str(at), game, DEFAULT_PLAYERS[0], 0) for at, game in enumerate(games)]
        sets = ceil(deals / cells[0].deals_per_set())
        sets = cluster_size(sets) * ceil(sets / cluster_size(sets))
        found = [
            # Dice change no card: with the same seed all deals would be the same.
            _compare_with_dice(
                [replace(c, seed=len(cells) * run + at) for at, c in enumerate(cells)], sets
            )
            for run in range(runs)
        ]
    what = (
        "something differs",
        "something differs a little",
        "the dice do more together",
        "any of it",
    )
    shares = np.array([(*kinds, any(kinds)) for kinds in found], float).mean(axis=0).tolist()
    return [Verdicts(name, sets, runs, share) for name, share in zip(what, shares, strict=True)]


def _compare_with_dice(cells: Sequence[Cell], sets: int) -> tuple[bool, bool, bool]:
    """Tell whether a verdict says that games differ, differ a little, or have an interaction."""
    base, whole, *points = (measure(cell, sets) for cell in cells)
    margins = Margins()
    matches = match_metrics(base, [whole, *points])
    sums = add_points(base, whole, [(point, base) for point in points])
    everything = [found for one in sums for found in (one.of_points, one.interaction)]
    families = judge_families(
        [one for of in matches for one in of], margins, None, others=everything
    )
    verdicts = {row.verdict for of in matches for row in judge(of, margins, families)}
    beyond = [one["difference"] for one in interactions(sums, margins, families)]
    ends = [(one["low"], one["high"] or 0.0) for one in beyond if one["low"] is not None]
    apart = any(not low <= 0 <= high for low, high in ends)
    return DIFFERS in verdicts, LITTLE in verdicts, apart
