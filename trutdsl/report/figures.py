"""Figures of a page: drawn by Matplotlib without a screen, as SVG in the page's colours."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import StringIO
from itertools import pairwise
from math import fsum
from textwrap import wrap
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from trutdsl.language import figure as written
from trutdsl.language import with_title
from trutdsl.report.blocks import (
    ALIKE,
    CLEAR,
    SLIGHT,
    UNSURE,
    Curve,
    Distributions,
    Forest,
    Lengths,
    Plot,
    StoppingPath,
)

INCH = 72.0  # points, which are the units of a figure as SVG
SMALL, TEXT = 8.0, 9.0  # points: 10.7 and 12 pixels of a screen

# Placeholders for colours of the page's style sheet, which has a light and a dark version.
INK, FAINT, GRID, BAND = "#010101", "#010102", "#010103", "#010104"
STRONG, MILD, EVEN, OPEN = "#010201", "#010202", "#010203", "#010204"
PAPER = "#010301"
VARIABLES = {
    INK: "--ink", FAINT: "--faint", GRID: "--grid", BAND: "--band", STRONG: "--strong",
    MILD: "--mild", EVEN: "--even", OPEN: "--open", PAPER: "--paper",
}  # fmt: skip
# Figures are the same everywhere, for any matplotlibrc of the user.
STYLE: dict[Any, Any] = {
    "font.family": ["DejaVu Sans"],
    "font.size": TEXT,
    "text.parse_math": False,  # names are shown unchanged, also with dollars
    "text.color": INK,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.labelsize": TEXT,
    "axes.linewidth": 0.8,
    **{f"{axis}tick.color": FAINT for axis in "xy"},
    **{f"{axis}tick.labelcolor": INK for axis in "xy"},
    **{f"{axis}tick.labelsize": SMALL for axis in "xy"},
    "svg.fonttype": "none",  # text stays text, for screen readers, search and copies
    "svg.hashsalt": "trutdsl",
    "path.simplify": False,
}


Marks = dict[str, tuple[str, Mapping[str, object]]]  # by `gid`: a tooltip and its numbers
FigureMarks = tuple[Figure, Marks]


@contextmanager
def own_style() -> Iterator[None]:
    """Draw in the style of this program within the block, and ignore missing letters."""
    with mpl.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*missing from font.*")
        mpl.rcdefaults()
        mpl.rcParams.update(STYLE)
        yield


def axes_within(figure: Figure, left: float, right: float, top: float, bottom: float) -> Axes:
    """Return axes with these margins around them, in inches."""
    width, height = figure.get_size_inches()
    box = (left / width, bottom / height, (width - left - right) / width)
    axes = figure.add_axes((*box, (height - top - bottom) / height))
    axes.patch.set_visible(False)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    return axes


# Figures as SVG within a page: with its colours and fonts, and descriptions for screen readers.

SVG, LINK = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}href"
NEEDLESS_TAGS = ("metadata", "style")
LONG = re.compile(r"-?\d+\.\d{3,}")
FONT, FAMILY = re.compile(r"font: ([\d.]+px) [^;]*"), re.compile(r"font-family: [^;]*")
NO_ROTATION = re.compile(r"rotate\(-?0 [^)]*\)")
PIXELS = 96 / INCH
# Attributes that equal the style sheet or the defaults are left out of each mark.
DEFAULT_STYLES = ("stroke-linejoin: miter", "stroke-linecap: butt", "stroke-linejoin: round")


def render_svg(plot: Plot, wide: bool) -> str:
    """Return a figure as an element of a page."""
    figure, marks = _render(plot, wide)
    key = f"{plot.key}-{'wide' if wide else 'narrow'}"
    out = StringIO()
    with own_style():
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None})
    text = out.getvalue()
    root = ElementTree.fromstring(text[text.index("<svg") :])
    _drop(root)
    references = {f"#{name}" for name in _references(root)}
    for element in root.iter():
        _rewrite(element, marks, key, references)
    width = float(root.attrib["viewBox"].split()[2]) * PIXELS
    names = (f"{key}-title", f"{key}-about")
    box = root.attrib["viewBox"]
    root.attrib.clear()
    root.attrib |= {
        "viewBox": box,
        "role": "img",
        "aria-labelledby": " ".join(names),
        "style": f"max-width: {width:.0f}px",
    }
    for place, (tag, name, text) in enumerate(
        zip(("title", "desc"), names, (plot.caption, plot.about), strict=True)
    ):
        label = Element(tag, {"id": name})
        label.text = text
        root.insert(place, label)
    return ElementTree.tostring(root, encoding="unicode", short_empty_elements=True)


def _drop(element: Element) -> None:
    for child in list(element):
        if child.tag.removeprefix(SVG) in NEEDLESS_TAGS:
            element.remove(child)
        else:
            _drop(child)
    for part in (element, *element):
        part.tail = None
    if len(element):
        element.text = None


def _references(root: Element) -> Iterator[str]:
    for element in root.iter():
        for name, value in element.attrib.items():
            if name == LINK:
                yield value.removeprefix("#")
            yield from re.findall(r"url\(#([^)]+)\)", value)


def _rewrite(element: Element, marks: Marks, key: str, references: set[str]) -> None:
    element.tag = element.tag.removeprefix(SVG)
    own, attributes = element.attrib.pop("id", None), dict[str, str]()
    mark = marks.get(own or "")
    if own is not None and f"#{own}" in references:
        attributes["id"] = f"{key}-{own}"
    for name, value in element.attrib.items():
        if name == LINK:
            name, value = "href", f"#{key}-{value.removeprefix('#')}"
        value = value.replace("url(#", f"url(#{key}-")
        if name == "style":
            value = _style(value)
        elif name not in ("href", "id"):
            value = LONG.sub(lambda number: f"{float(number[0]):.2f}", NO_ROTATION.sub("", value))
        if value:
            attributes[name] = value
    element.attrib.clear()
    element.attrib |= attributes
    if mark is not None:
        text, data = mark
        element.attrib |= {f"data-{name}": str(value) for name, value in data.items()}
        title = Element("title")
        title.text = text
        element.insert(0, title)


def _style(value: str) -> str:
    value = FONT.sub(r"font-size: \1", value)
    for stand_in, variable in VARIABLES.items():
        value = value.replace(stand_in, f"var({variable})")
    parts = [part.strip() for part in value.split(";")]
    return "; ".join(p for p in parts if p and p not in DEFAULT_STYLES and not FAMILY.fullmatch(p))


def _render(plot: Plot, wide: bool) -> FigureMarks:
    match plot.chart:
        case Forest() as chart:
            return _forest(chart, wide)
        case Curve() as chart:
            return _curve(chart, wide)
        case StoppingPath() as chart:
            return _path(chart, wide)
        case Distributions() as chart:
            return _lengths(chart, wide)


# Forest plots: an interval on each line, on one axis, with the band of the margin.

# Colour, marker and its filling: shapes help readers who do not distinguish the colours.
LOOKS = {
    CLEAR: (STRONG, "o", STRONG),
    SLIGHT: (MILD, "D", MILD),
    ALIKE: (EVEN, "s", EVEN),
    UNSURE: (OPEN, "o", PAPER),
}
LINEAR_TO = 2.0  # margins; the scale is logarithmic beyond
WIDE, NARROW = 8.6, 3.4  # inches: 826 and 326 pixels of a screen
LINE = 13 / INCH


def _forest(plot: Forest, wide: bool) -> FigureMarks:
    """Return a forest plot.

    wide: labels are before the intervals and figures after them, else above them.
    """
    lines, margin = plot.lines, plot.margin
    width = WIDE if wide else NARROW
    labels = [
        wrap(line.label, 42) if wide else wrap(with_title(line.label, line.text), 50)
        for line in lines
    ]
    # The distance of each interval from the top, and the height of lines, in inches.
    heights = [LINE * (max(1, len(label)) + (0.5 if wide else 1.3)) for label in labels]
    top, bottom = 0.08, 0.62
    total = fsum(heights)
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
        axes.set_xlabel("\n".join(wrap(plot.axis, 44 if wide else 52)), fontsize=SMALL)
        axes.xaxis.set_label_coords(0.5, -0.3 / total)
        at, marks = 0.0, Marks()
        for number, (line, label, height) in enumerate(zip(lines, labels, heights, strict=True)):
            y = at + (height / 2 if wide else height - 0.09)
            axes.axhline(at + height, color=GRID, linewidth=0.5, zorder=0)
            colour, marker, filling = LOOKS[line.look]
            how: dict[str, Any] = {"linewidth": 1.6, "solid_capstyle": "butt"}
            ends = [line.low, line.high]
            axes.plot(ends, [y, y], color=colour, zorder=3, gid=f"line{number}", **how)
            how = {"marker": marker, "markersize": 5, "markerfacecolor": filling}
            axes.plot([line.mean], [y], color=colour, zorder=4, gid=f"dot{number}", **how)
            marks[f"line{number}"] = (with_title(line.label, line.text), line.data)
            if wide:
                _write(axes, "\n".join(label), (0, y), -8, ha="right", va="center", fontsize=TEXT)
                _write(axes, line.text, (1, y), 8, ha="left", va="center", fontsize=SMALL)
            else:
                _write(axes, "\n".join(label), (0, at + 0.05), 0, va="top", fontsize=SMALL)
            at += height
    return figure, marks


def _write(axes: Axes, text: str, at: tuple[float, float], offset: float, **how: Any) -> None:
    """Write beside the axes: at a share of their width and a height, with an offset in points."""
    frame = ("axes fraction", "data")
    axes.annotate(text, at, (offset, 0), frame, "offset points", linespacing=1.15, **how)


def _scale(axes: Axes, ends: Sequence[float], margin: float | None) -> None:
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


# Curves: estimates with their intervals along a number; the path of a test to its bounds.

CURVE_HEIGHT = 2.6  # inches


def _curve(plot: Curve, wide: bool) -> FigureMarks:
    points = plot.points
    marks = Marks()
    with own_style():
        figure, axes = _new_figure(plot.along, wide)
        if plot.share:
            axes.yaxis.set_major_formatter(lambda x, _: f"{written(100 * x, 'g')} %")
        if all(point.at == int(point.at) for point in points):
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        sorted_points = sorted(points, key=lambda point: point.at)
        axes.plot(
            [p.at for p in sorted_points],
            [p.mean for p in sorted_points],
            color=FAINT,
            linewidth=0.8,
        )
        for number, point in enumerate(sorted_points):
            ends: dict[str, Any] = {"linewidth": 1.6, "gid": f"line{number}"}
            axes.plot([point.at, point.at], [point.low, point.high], color=EVEN, **ends)
            axes.plot([point.at], [point.mean], color=EVEN, marker="s", markersize=4)
            marks[f"line{number}"] = (point.text, point.data)
    return figure, marks


def _path(plot: StoppingPath, wide: bool) -> FigureMarks:
    steps = plot.steps
    with own_style():
        figure, axes = _new_figure(plot.along, wide)
        axes.axhline(0, color=FAINT, linewidth=0.8)
        for bound, name in plot.bounds:
            axes.axhline(bound, color=STRONG, linewidth=1.0, linestyle="--")
            where: dict[str, Any] = {"va": "bottom", "ha": "left", "fontsize": SMALL}
            frame = ("axes fraction", "data")
            axes.annotate(name, (0, bound), (4, 2), frame, "offset points", **where)
        how: dict[str, Any] = {"marker": "s", "markersize": 3 if len(steps) < 60 else 0}
        axes.plot(*zip(*steps, strict=True), color=EVEN, linewidth=1.4, gid="path", **how)
        axes.margins(y=0.15)
        axes.set_xlim(0, 1.04 * steps[-1][0])
    data = {
        name: " ".join(str(step[place]) for step in steps)
        for place, name in enumerate(("sets", "seen"))
    }
    return figure, {"path": (plot.axis, data)}


def _new_figure(label: str, wide: bool) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(WIDE if wide else NARROW, CURVE_HEIGHT))
    axes = axes_within(figure, 0.62, 0.15, 0.1, 0.5)
    axes.spines["left"].set_visible(True)
    axes.grid(axis="y", color=GRID, linewidth=0.5)
    axes.set_axisbelow(True)
    axes.set_xlabel("\n".join(wrap(label, 90 if wide else 50)), fontsize=SMALL)
    for side in (axes.xaxis, axes.yaxis):
        side.set_major_formatter(lambda x, _: written(x, "g"))
    return figure, axes


# Distributions of match lengths: a small plot for each variant, all on one axis.

HEIGHT, BETWEEN, ABOVE, BELOW = 0.62, 0.34, 0.3, 0.6  # inches
MOST = 48  # steps of a distribution


def _lengths(plot: Distributions, wide: bool) -> FigureMarks:
    lengths, width = plot.lengths, WIDE if wide else NARROW
    least = min((one.first[0] for one in lengths if one.first), default=0)
    most = max((one.last[-1] for one in lengths if one.last), default=1)
    total = ABOVE + len(lengths) * HEIGHT + (len(lengths) - 1) * BETWEEN + BELOW
    shapes = [_shape(one) for one in lengths]
    highest = [max(values, default=0) for values, _ in shapes]
    marks = Marks()
    with own_style():
        figure = Figure(figsize=(width, total))
        for place, (one, (values, edges)) in enumerate(zip(lengths, shapes, strict=True)):
            top = ABOVE + place * (HEIGHT + BETWEEN)
            axes = axes_within(figure, 0.12, 0.12, top, total - top - HEIGHT)
            axes.set_xlim(min(least, 0) - 0.5, most + 0.5)
            axes.set_ylim(0, 1.05 * max(highest[place], highest[0]) or 1)
            axes.set_yticks([])
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
            key = f"{plot.key}{place}"
            axes.stairs(values, edges, fill=True, color=EVEN, alpha=0.55, gid=key)
            if place:
                axes.stairs(*shapes[0], color=INK, linewidth=0.8)
            axes.plot([one.mean] * 2, [0, axes.get_ylim()[1]], color=STRONG, linewidth=1.4)
            axes.tick_params(labelbottom=place == len(lengths) - 1)
            title = with_title(one.name, one.text)
            size = TEXT if wide else SMALL
            axes.annotate(title, (0, 1), (0, 3), "axes fraction", "offset points", fontsize=size)
            data = {"counts": " ".join(map(str, one.counts)), "mean": one.mean}
            marks[key] = (title, data)
        axes.set_xlabel("\n".join(wrap(plot.axis, 90 if wide else 52)), fontsize=SMALL)
    return figure, marks


def _shape(one: Lengths) -> tuple[list[float], list[float]]:
    """Return the share of matches for each number, and the edges, in visible steps.

    More than `MOST` numbers are joined with their neighbours.
    """
    step = -(-len(one.counts) // MOST) or 1
    starts = range(0, len(one.counts), step)
    edges = [one.first[at] - 0.5 for at in starts] or [0.0]
    edges.append(one.last[-1] + 0.5 if one.counts else 1.0)
    whole = max(1, sum(one.counts))
    many = [sum(one.counts[at : at + step]) for at in starts] or [0]
    wide = [high - low for low, high in pairwise(edges)]
    return [n / (whole * w) for n, w in zip(many, wide, strict=True)], edges
