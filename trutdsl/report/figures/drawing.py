"""How figures are drawn: letters, colours by what they mean, and what a mark says."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

DRAWN_BY = f"Matplotlib {mpl.__version__}"
INCH = 72.0  # points, which are the units of a figure as SVG
SMALL, TEXT = 8.0, 9.0  # points: 10.7 and 12 pixels of a screen

# Stand-ins, each of which becomes a colour of the page's style sheet: light or dark as it is read.
INK, FAINT, GRID, BAND = "#010101", "#010102", "#010103", "#010104"
STRONG, MILD, EVEN, OPEN = "#010201", "#010202", "#010203", "#010204"
PAPER = "#010301"
VARIABLES = {
    INK: "--ink",
    FAINT: "--faint",
    GRID: "--grid",
    BAND: "--band",
    STRONG: "--strong",
    MILD: "--mild",
    EVEN: "--even",
    OPEN: "--open",
    PAPER: "--paper",
}
# Whatever a person's own matplotlibrc says, figures are the same everywhere.
STYLE: dict[Any, Any] = {
    "font.family": ["DejaVu Sans"],
    "font.size": TEXT,
    "text.parse_math": False,  # a name is shown as it is, dollars too
    "text.color": INK,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.labelsize": TEXT,
    "axes.linewidth": 0.8,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "svg.fonttype": "none",  # letters stay letters: to be read aloud, searched, copied
    "svg.hashsalt": "trutdsl",
    "path.simplify": False,
}


@dataclass(frozen=True)
class Mark:
    """What a reader is told of a mark: a text beside the pointer, and the numbers it stands for."""

    title: str
    data: Mapping[str, object]


@dataclass(frozen=True)
class Drawn:
    """A figure, with its marks by the `gid` of what draws them."""

    figure: Figure
    marks: Mapping[str, Mark] = field(default_factory=dict)


@contextmanager
def own_style() -> Iterator[None]:
    """Have the block draw in the style of this program, and say nothing of missing letters."""
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
