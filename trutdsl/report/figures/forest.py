"""Forest plots: an interval in each line, on one axis, beside what would matter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from trutdsl.report.figures.drawing import (
    BAND,
    EVEN,
    FAINT,
    GRID,
    INCH,
    MILD,
    OPEN,
    PAPER,
    SMALL,
    STRONG,
    TEXT,
    Drawn,
    Mark,
    axes_within,
    own_style,
)
from trutdsl.report.language import figure as written
from trutdsl.report.language import titled

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
) -> Drawn:
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
        at, marks = 0.0, dict[str, Mark]()
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
            marks[f"line{number}"] = Mark(titled(line.label, line.told), line.data)
            if wide:
                _write(axes, "\n".join(label), (0, y), -8, ha="right", va="center", fontsize=TEXT)
                _write(axes, line.told, (1, y), 8, ha="left", va="center", fontsize=SMALL)
            else:
                _write(axes, "\n".join(label), (0, at + 0.05), 0, va="top", fontsize=SMALL)
            at += height
    return Drawn(figure, marks)


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
