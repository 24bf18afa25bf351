"""How figures are drawn: letters, colours by what they mean, and what a mark says."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import StringIO
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

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
class Tooltip:
    """What a reader is told of a mark: a text beside the pointer, and the numbers it stands for."""

    title: str
    data: Mapping[str, object]


@dataclass(frozen=True)
class SvgFigure:
    """A figure, with its marks by the `gid` of what draws them."""

    figure: Figure
    marks: Mapping[str, Tooltip] = field(default_factory=dict)


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


# Figures as SVG within a page: its colours and letters, told to those who cannot see them.

SVG, LINK = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}href"
DROPPED = ("metadata", "style")
LONG = re.compile(r"-?\d+\.\d{3,}")
FONT, FAMILY = re.compile(r"font: ([\d.]+px) [^;]*"), re.compile(r"font-family: [^;]*")
UNTURNED = re.compile(r"rotate\(-?0 [^)]*\)")
PIXELS = 96 / INCH
# What is so in every page's style sheet, or by itself, need not be said at each mark.
SAID = ("stroke-linejoin: miter", "stroke-linecap: butt", "stroke-linejoin: round")


def to_svg(drawn: SvgFigure, key: str, title: str, about: str) -> str:
    """Return a figure as an element of a page.

    key: begins every id in it, so that no two figures of a page have one in common. title, about:
    what it is and what it shows, for those who have it read to them.
    """
    out = StringIO()
    with own_style():
        drawn.figure.savefig(out, format="svg", transparent=True, metadata={"Date": None})
    text = out.getvalue()
    root = ElementTree.fromstring(text[text.index("<svg") :])
    _drop(root)
    used = {f"#{name}" for name in _referred(root)}
    for element in root.iter():
        _rewrite(element, drawn, key, used)
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
        zip(("title", "desc"), names, (title, about), strict=True)
    ):
        told = Element(tag, {"id": name})
        told.text = text
        root.insert(place, told)
    return ElementTree.tostring(root, encoding="unicode", short_empty_elements=True)


def _drop(element: Element) -> None:
    """Leave out what is no drawing, and the space between elements."""
    for child in list(element):
        if child.tag.removeprefix(SVG) in DROPPED:
            element.remove(child)
        else:
            _drop(child)
    for part in (element, *element):
        part.tail = None
    if len(element):
        element.text = None


def _referred(root: Element) -> Iterator[str]:
    """Yield the ids that are referred to."""
    for element in root.iter():
        for name, value in element.attrib.items():
            if name == LINK:
                yield value.removeprefix("#")
            yield from re.findall(r"url\(#([^)]+)\)", value)


def _rewrite(element: Element, drawn: SvgFigure, key: str, used: set[str]) -> None:
    """Give an element the names, numbers and colours that it has within a page."""
    element.tag = element.tag.removeprefix(SVG)
    own, found = element.attrib.pop("id", None), dict[str, str]()
    mark = drawn.marks.get(own or "")
    if own is not None and f"#{own}" in used:
        found["id"] = f"{key}-{own}"
    for name, value in element.attrib.items():
        if name == LINK:
            name, value = "href", f"#{key}-{value.removeprefix('#')}"
        value = value.replace("url(#", f"url(#{key}-")
        if name == "style":
            value = _style(value)
        elif name not in ("href", "id"):
            value = LONG.sub(lambda number: f"{float(number[0]):.2f}", UNTURNED.sub("", value))
        if value:
            found[name] = value
    element.attrib.clear()
    element.attrib |= found
    if mark is not None:
        element.attrib |= {f"data-{name}": str(value) for name, value in mark.data.items()}
        title = Element("title")
        title.text = mark.title
        element.insert(0, title)


def _style(value: str) -> str:
    value = FONT.sub(r"font-size: \1", value)
    for stand_in, variable in VARIABLES.items():
        value = value.replace(stand_in, f"var({variable})")
    parts = [part.strip() for part in value.split(";")]
    return "; ".join(p for p in parts if p and p not in SAID and not FAMILY.fullmatch(p))
