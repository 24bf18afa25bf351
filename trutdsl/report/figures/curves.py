"""Curves: estimates with their intervals along a number; the course of a test to its bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from trutdsl.report.figures.drawing import (
    EVEN,
    FAINT,
    GRID,
    SMALL,
    STRONG,
    Drawn,
    Mark,
    axes_within,
    own_style,
)
from trutdsl.report.figures.forest import NARROW, WIDE
from trutdsl.report.language import figure as written

HEIGHT = 2.6  # inches


@dataclass(frozen=True)
class Point:
    """An estimate at a number; told: as a text; data: the numbers as the results have them."""

    at: float
    mean: float
    low: float
    high: float
    told: str
    data: Mapping[str, object]


def draw_curve(points: Sequence[Point], along: str, share: bool, wide: bool) -> Drawn:
    """Return estimates with their intervals along a number, which is called `along`.

    share: they are shares, told in parts of a hundred.
    """
    marks = dict[str, Mark]()
    with own_style():
        figure, axes = _framed(along, wide)
        if share:
            axes.yaxis.set_major_formatter(lambda x, _: f"{written(100 * x, 'g')} %")
        if all(point.at == int(point.at) for point in points):
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        ordered = sorted(points, key=lambda point: point.at)
        axes.plot([p.at for p in ordered], [p.mean for p in ordered], color=FAINT, linewidth=0.8)
        for number, point in enumerate(ordered):
            ends: dict[str, Any] = {"linewidth": 1.6, "gid": f"line{number}"}
            axes.plot([point.at, point.at], [point.low, point.high], color=EVEN, **ends)
            axes.plot([point.at], [point.mean], color=EVEN, marker="s", markersize=4)
            marks[f"line{number}"] = Mark(point.told, point.data)
    return Drawn(figure, marks)


def draw_path(
    steps: Sequence[tuple[int, float]],
    bounds: Sequence[tuple[float, str]],
    along: str,
    axis: str,
    wide: bool,
) -> Drawn:
    """Return what a rule saw at each of its looks, with the bounds at which it stops, named.

    axis: what it saw, as it is told of the whole line.
    """
    with own_style():
        figure, axes = _framed(along, wide)
        axes.axhline(0, color=FAINT, linewidth=0.8)
        for bound, name in bounds:
            axes.axhline(bound, color=STRONG, linewidth=1.0, linestyle="--")
            where: dict[str, Any] = {"va": "bottom", "ha": "left", "fontsize": SMALL}
            frame = ("axes fraction", "data")
            axes.annotate(name, (0, bound), (4, 2), frame, "offset points", **where)
        axes.plot(
            [at for at, _ in steps],
            [seen for _, seen in steps],
            color=EVEN,
            linewidth=1.4,
            marker="s",
            markersize=3 if len(steps) < 60 else 0,
            gid="path",
        )
        axes.margins(y=0.15)
        axes.set_xlim(0, 1.04 * steps[-1][0])
    data = {
        "sets": " ".join(str(at) for at, _ in steps),
        "seen": " ".join(str(seen) for _, seen in steps),
    }
    return Drawn(figure, {"path": Mark(axis, data)})


def _framed(along: str, wide: bool) -> tuple[Figure, Axes]:
    """Return a figure with axes; `along` names the level one."""
    figure = Figure(figsize=(WIDE if wide else NARROW, HEIGHT))
    axes = axes_within(figure, 0.62, 0.15, 0.1, 0.5)
    axes.spines["left"].set_visible(True)
    axes.grid(axis="y", color=GRID, linewidth=0.5)
    axes.set_axisbelow(True)
    axes.set_xlabel("\n".join(wrap(along, 90 if wide else 50)), fontsize=SMALL)
    for side in (axes.xaxis, axes.yaxis):
        side.set_major_formatter(lambda x, _: written(x, "g"))
    return figure, axes
