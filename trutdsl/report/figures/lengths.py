"""Distributions of how long matches are: a small plot for each variant, all on one axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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

HEIGHT, BETWEEN, ABOVE, BELOW = 0.62, 0.34, 0.3, 0.6  # inches


@dataclass(frozen=True)
class Lengths:
    """How many matches had how many deals, from 0 on; mean: deals a match."""

    name: str
    counts: Sequence[int]
    mean: float
    told: str


def draw_lengths(found: Sequence[Lengths], axis: str, wide: bool) -> Drawn:
    """Return the distributions, the first one drawn as a line into all others; axis: its label."""
    width, last = WIDE if wide else NARROW, max(_last(one.counts) for one in found)
    total = ABOVE + len(found) * HEIGHT + (len(found) - 1) * BETWEEN + BELOW
    edges = [number - 0.5 for number in range(last + 2)]
    shares = [[n / max(1, sum(one.counts)) for n in one.counts[: last + 1]] for one in found]
    marks = dict[str, Mark]()
    with own_style():
        figure = Figure(figsize=(width, total))
        for place, (one, values) in enumerate(zip(found, shares, strict=True)):
            top = ABOVE + place * (HEIGHT + BETWEEN)
            axes = axes_within(figure, 0.12, 0.12, top, total - top - HEIGHT)
            axes.set_xlim(edges[0], edges[-1])
            axes.set_ylim(0, 1.05 * max(map(max, (values, shares[0]))) or 1)
            axes.set_yticks([])
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
            axes.stairs(values, edges, fill=True, color=EVEN, alpha=0.55, gid=f"lengths{place}")
            if place:
                axes.stairs(shares[0], edges, color=INK, linewidth=0.8)
            axes.plot([one.mean] * 2, [0, axes.get_ylim()[1]], color=STRONG, linewidth=1.4)
            axes.tick_params(labelbottom=place == len(found) - 1)
            title = f"{one.name}: {one.told}"
            size = TEXT if wide else SMALL
            axes.annotate(title, (0, 1), (0, 3), "axes fraction", "offset points", fontsize=size)
            data = {"counts": " ".join(map(str, one.counts)), "mean": one.mean}
            marks[f"lengths{place}"] = Mark(title, data)
        axes.set_xlabel("\n".join(wrap(axis, 90 if wide else 52)), fontsize=SMALL)
    return Drawn(figure, marks)


def _last(counts: Sequence[int]) -> int:
    """Return the greatest length that was seen."""
    return max((length for length, n in enumerate(counts) if n), default=1)
