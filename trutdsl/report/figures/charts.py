"""Charts: forest plots, curves, and distributions of length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from textwrap import wrap
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from trutdsl.report.figures.drawing import (
    BAND,
    EVEN,
    FAINT,
    GRID,
    INCH,
    INK,
    MILD,
    OPEN,
    PAPER,
    SMALL,
    STRONG,
    TEXT,
    SvgFigure,
    Tooltip,
    axes_within,
    own_style,
)
from trutdsl.report.language import figure as written
from trutdsl.report.language import titled

# Forest plots: an interval in each line, on one axis, beside what would matter.

CLEAR, SLIGHT, ALIKE, UNSURE = "clear", "slight", "alike", "unsure"
# By shape too, for those who do not tell the colours apart: colour, marker, its filling.
LOOKS = {
    CLEAR: (STRONG, "o", STRONG),
    SLIGHT: (MILD, "D", MILD),
    ALIKE: (EVEN, "s", EVEN),
    UNSURE: (OPEN, "o", PAPER),
}
LINEAR_TO = 2.0  # of a scale in margins, which is logarithmic beyond
WIDE, NARROW = 8.6, 3.4  # inches: 826 and 326 pixels of a screen
LINE = 13 / INCH


@dataclass(frozen=True)
class Interval:
    """A line of a forest plot.

    label: what it is of; told: its numbers as a text. mean, low, high: in units of the axis; low
    and high are the mean where there is no interval. look: one of `LOOKS`.
    data: the numbers as the results have them.
    """

    label: str
    told: str
    mean: float
    low: float
    high: float
    look: str
    data: Mapping[str, object]


def draw_forest(
    lines: Sequence[Interval], axis: str, wide: bool, margin: float | None = None
) -> SvgFigure:
    """Return a forest plot.

    axis: what is measured along it. wide: labels stand before the intervals and figures behind
    them, else above them. margin: a band of what does not matter; the scale is logarithmic then.
    """
    width = WIDE if wide else NARROW
    labels = [_wrapped(line, wide) for line in lines]
    # How far below the top each interval lies, and how high the lines are, in inches.
    heights = [LINE * (max(1, len(label)) + (0.5 if wide else 1.3)) for label in labels]
    top, bottom = 0.08, 0.62
    total = sum(heights)
    with own_style():
        figure = Figure(figsize=(width, total + top + bottom))
        sides = (2.95, 2.0) if wide else (0.12, 0.12)
        axes = axes_within(figure, *sides, top, bottom)
        axes.set_ylim(total, 0)
        axes.set_yticks([])
        known = [end for line in lines for end in (line.low, line.high)]
        if margin is not None:
            axes.axvspan(-margin, margin, facecolor=BAND, edgecolor="none", zorder=0)
        axes.axvline(0, color=FAINT, linewidth=0.8, zorder=1)
        _scale(axes, known, margin)
        axes.set_xlabel("\n".join(wrap(axis, 44 if wide else 52)), fontsize=SMALL)
        axes.xaxis.set_label_coords(0.5, -0.3 / total)
        at, marks = 0.0, dict[str, Tooltip]()
        for number, (line, label, height) in enumerate(zip(lines, labels, heights, strict=True)):
            y = at + (height / 2 if wide else height - 0.09)
            axes.axhline(at + height, color=GRID, linewidth=0.5, zorder=0)
            colour, marker, filling = LOOKS[line.look]
            ends: dict[str, Any] = {
                "linewidth": 1.6,
                "solid_capstyle": "butt",
                "gid": f"line{number}",
            }
            axes.plot([line.low, line.high], [y, y], color=colour, zorder=3, **ends)
            middle: dict[str, Any] = {"marker": marker, "markersize": 5, "markerfacecolor": filling}
            axes.plot([line.mean], [y], color=colour, zorder=4, gid=f"dot{number}", **middle)
            marks[f"line{number}"] = Tooltip(titled(line.label, line.told), line.data)
            if wide:
                _write(axes, "\n".join(label), (0, y), -8, ha="right", va="center", fontsize=TEXT)
                _write(axes, line.told, (1, y), 8, ha="left", va="center", fontsize=SMALL)
            else:
                _write(axes, "\n".join(label), (0, at + 0.05), 0, va="top", fontsize=SMALL)
            at += height
    return SvgFigure(figure, marks)


def _write(axes: Axes, text: str, at: tuple[float, float], aside: float, **how: Any) -> None:
    """Write beside the axes: at a share of their width and a height, so many points aside."""
    frame = ("axes fraction", "data")
    axes.annotate(text, at, (aside, 0), frame, "offset points", linespacing=1.15, **how)


def _wrapped(line: Interval, wide: bool) -> list[str]:
    return wrap(line.label, 42) if wide else wrap(titled(line.label, line.told), 50)


def _scale(axes: Axes, ends: Sequence[float], margin: float | None) -> None:
    """Set the scale of the axis so that all ends stand on it."""
    most = max(map(abs, ends), default=1.0)
    if margin is None:
        low, high = min([0.0, *ends]), max([0.0, *ends])
        room = 0.04 * ((high - low) or 1.0)
        axes.set_xlim(low - room, high + room)
        axes.xaxis.set_major_formatter(lambda x, _: written(x, "g"))
        return
    most = max(most * 1.25, 3 * margin)
    axes.set_xscale("symlog", linthresh=LINEAR_TO * margin, linscale=1.0)
    axes.set_xlim(-most, most)
    steps = [step for step in (1, 3, 10, 30, 100, 300, 1000, 3000) if step * margin <= most]
    while len(steps) > 4:
        steps = [steps[0], *steps[2::2]]
    ticks = sorted({0, *steps, *(-step for step in steps)})
    axes.set_xticks(ticks, [f"{tick:+d}" if tick else "0" for tick in ticks])
    axes.minorticks_off()


# Curves: estimates with their intervals along a number; the course of a test to its bounds.

CURVE_HEIGHT = 2.6  # inches


@dataclass(frozen=True)
class ChartPoint:
    """An estimate at a number; told: as a text; data: the numbers as the results have them."""

    at: float
    mean: float
    low: float
    high: float
    told: str
    data: Mapping[str, object]


def draw_curve(points: Sequence[ChartPoint], along: str, share: bool, wide: bool) -> SvgFigure:
    """Return estimates with their intervals along a number, which is called `along`.

    share: they are shares, told in parts of a hundred.
    """
    marks = dict[str, Tooltip]()
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
            marks[f"line{number}"] = Tooltip(point.told, point.data)
    return SvgFigure(figure, marks)


def draw_path(
    steps: Sequence[tuple[int, float]],
    bounds: Sequence[tuple[float, str]],
    along: str,
    axis: str,
    wide: bool,
) -> SvgFigure:
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
    return SvgFigure(figure, {"path": Tooltip(axis, data)})


def _framed(along: str, wide: bool) -> tuple[Figure, Axes]:
    """Return a figure with axes; `along` names the level one."""
    figure = Figure(figsize=(WIDE if wide else NARROW, CURVE_HEIGHT))
    axes = axes_within(figure, 0.62, 0.15, 0.1, 0.5)
    axes.spines["left"].set_visible(True)
    axes.grid(axis="y", color=GRID, linewidth=0.5)
    axes.set_axisbelow(True)
    axes.set_xlabel("\n".join(wrap(along, 90 if wide else 50)), fontsize=SMALL)
    for side in (axes.xaxis, axes.yaxis):
        side.set_major_formatter(lambda x, _: written(x, "g"))
    return figure, axes


# Distributions of how long matches are: a small plot for each variant, all on one axis.

HEIGHT, BETWEEN, ABOVE, BELOW = 0.62, 0.34, 0.3, 0.6  # inches
MOST = 48  # steps of a distribution


@dataclass(frozen=True)
class Lengths:
    """How many matches had from so many deals or decisions to so many; mean: of a match.

    The places follow each other without a gap.
    """

    name: str
    first: Sequence[int]
    last: Sequence[int]
    counts: Sequence[int]
    mean: float
    told: str


def draw_lengths(found: Sequence[Lengths], axis: str, what: str, wide: bool) -> SvgFigure:
    """Return the distributions, the first one drawn as a line into all others; axis: its label.

    what: names them, as part of an id.
    """
    width = WIDE if wide else NARROW
    least = min((one.first[0] for one in found if one.first), default=0)
    most = max((one.last[-1] for one in found if one.last), default=1)
    total = ABOVE + len(found) * HEIGHT + (len(found) - 1) * BETWEEN + BELOW
    shapes = [_shape(one) for one in found]
    highest = [max(values, default=0) for values, _ in shapes]
    marks = dict[str, Tooltip]()
    with own_style():
        figure = Figure(figsize=(width, total))
        for place, (one, (values, edges)) in enumerate(zip(found, shapes, strict=True)):
            top = ABOVE + place * (HEIGHT + BETWEEN)
            axes = axes_within(figure, 0.12, 0.12, top, total - top - HEIGHT)
            axes.set_xlim(min(least, 0) - 0.5, most + 0.5)
            axes.set_ylim(0, 1.05 * max(highest[place], highest[0]) or 1)
            axes.set_yticks([])
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
            key = f"{what}{place}"
            axes.stairs(values, edges, fill=True, color=EVEN, alpha=0.55, gid=key)
            if place:
                axes.stairs(*shapes[0], color=INK, linewidth=0.8)
            axes.plot([one.mean] * 2, [0, axes.get_ylim()[1]], color=STRONG, linewidth=1.4)
            axes.tick_params(labelbottom=place == len(found) - 1)
            title = titled(one.name, one.told)
            size = TEXT if wide else SMALL
            axes.annotate(title, (0, 1), (0, 3), "axes fraction", "offset points", fontsize=size)
            data = {"counts": " ".join(map(str, one.counts)), "mean": one.mean}
            marks[key] = Tooltip(title, data)
        axes.set_xlabel("\n".join(wrap(axis, 90 if wide else 52)), fontsize=SMALL)
    return SvgFigure(figure, marks)


def _shape(one: Lengths) -> tuple[list[float], list[float]]:
    """Return the share of matches for each number, and the edges: as many together as can be seen.

    Places are put together, some neighbours each, where there are more than `MOST`.
    """
    together = -(-len(one.counts) // MOST) or 1
    starts = range(0, len(one.counts), together)
    edges = [one.first[at] - 0.5 for at in starts] or [0.0]
    edges.append(one.last[-1] + 0.5 if one.counts else 1.0)
    whole = max(1, sum(one.counts))
    many = [sum(one.counts[at : at + together]) for at in starts] or [0]
    wide = [high - low for low, high in pairwise(edges)]
    return [n / (whole * w) for n, w in zip(many, wide, strict=True)], edges
