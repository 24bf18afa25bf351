"""Distributions of how long matches are: a small plot for each variant, all on one axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from textwrap import wrap

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from trutdsl.report.figures.drawing import (
    EVEN,
    INK,
    SMALL,
    STRONG,
    TEXT,
    Drawn,
    Mark,
    axes_within,
    own_style,
)
from trutdsl.report.figures.forest import NARROW, WIDE
from trutdsl.report.language import titled

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


def draw_lengths(found: Sequence[Lengths], axis: str, what: str, wide: bool) -> Drawn:
    """Return the distributions, the first one drawn as a line into all others; axis: its label.

    what: names them, as part of an id.
    """
    width = WIDE if wide else NARROW
    least = min((one.first[0] for one in found if one.first), default=0)
    most = max((one.last[-1] for one in found if one.last), default=1)
    total = ABOVE + len(found) * HEIGHT + (len(found) - 1) * BETWEEN + BELOW
    shapes = [_shape(one) for one in found]
    highest = [max(values, default=0) for values, _ in shapes]
    marks = dict[str, Mark]()
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
            marks[key] = Mark(title, data)
        axes.set_xlabel("\n".join(wrap(axis, 90 if wide else 52)), fontsize=SMALL)
    return Drawn(figure, marks)


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
