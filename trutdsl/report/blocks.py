"""Blocks: the elements of a report, in the terminal and on pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trutdsl.language import say

WARMEST, EVEN, COOLEST = 0, 10, 20  # steps of a cell's colour
LONG = 14  # letters of a row's name that need a wide column
CLEAR, SLIGHT, ALIKE, UNSURE = "clear", "slight", "alike", "unsure"  # styles of an `Interval`


@dataclass(frozen=True)
class Paragraph:
    """A paragraph of text."""

    text: str


@dataclass(frozen=True)
class Heading:
    """A heading within a section."""

    text: str


@dataclass(frozen=True)
class Items:
    """A list of items: each has a title, which may be empty, and one text or several.

    large: in large letters on a page.
    """

    items: Sequence[tuple[str, str | Sequence[str]]]
    large: bool = False


@dataclass(frozen=True)
class FigureLegend:
    """The marks of a figure: the mark, the name of its colour, its meaning."""

    marks: Sequence[tuple[str, str, str]]


@dataclass(frozen=True)
class ShellCommand:
    """A command line of a shell."""

    text: str


@dataclass(frozen=True)
class TableCell:
    """A cell of a table.

    heat:  a step of colour, from `WARMEST` by `EVEN` to `COOLEST`, None without colour.
    look:  a class of the style sheet: `sure`, `unsure`, `bad`, `code`.
    short: a shorter text for a narrow terminal.
    """

    text: str
    heat: int | None = None
    look: str = ""
    short: str = ""


@dataclass(frozen=True)
class TableBlock:
    """A table, whose first column names its rows on a page.

    columns: their titles. words: the numbers of columns with words, not numbers. matrix: rows and
    columns have the same meaning. titled: the heading above equals the caption. stacked: on a
    narrow page each row becomes a paragraph.
    """

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[TableCell]]
    words: Sequence[int] = (0,)
    matrix: bool = False
    titled: bool = False
    stacked: bool = False

    @property
    def look(self) -> str:
        """Its classes of the style sheet."""
        long = any(len(row[0].text) > LONG for row in self.rows)
        classes = {"matrix": self.matrix, "stacked": self.stacked, "named": self.matrix and long}
        return " ".join(name for name, so in classes.items() if so)


@dataclass(frozen=True)
class Interval:
    """A line of a forest plot.

    label: the name of the line; text: its numbers as text. mean, low, high: in units of the
    axis; without an interval, low and high equal the mean. look: `CLEAR`, `SLIGHT`, `ALIKE` or
    `UNSURE`. data: the numbers of the results.
    """

    label: str
    text: str
    mean: float
    low: float
    high: float
    look: str
    data: Mapping[str, object]


@dataclass(frozen=True)
class Forest:
    """A forest plot: an interval on each line, on one axis.

    margin: a band of irrelevant differences; the scale is then logarithmic.
    """

    lines: Sequence[Interval]
    axis: str
    margin: float | None = None


@dataclass(frozen=True)
class ChartPoint:
    """An estimate at a number; text: as text; data: the numbers of the results."""

    at: float
    mean: float
    low: float
    high: float
    text: str
    data: Mapping[str, object]


@dataclass(frozen=True)
class Curve:
    """Estimates with their intervals, by the value of a number; share: whether they are shares."""

    points: Sequence[ChartPoint]
    along: str
    share: bool


@dataclass(frozen=True)
class StoppingPath:
    """The values of a stopping rule by sets, with the names of its bounds."""

    steps: Sequence[tuple[int, float]]
    bounds: Sequence[tuple[float, str]]
    along: str
    axis: str


@dataclass(frozen=True)
class Lengths:
    """A histogram: how many matches have `first` to `last` deals or decisions; the mean of all."""

    name: str
    first: Sequence[int]
    last: Sequence[int]
    counts: Sequence[int]
    mean: float
    text: str


@dataclass(frozen=True)
class Distributions:
    """Distributions one below the other; each also shows the outline of the first."""

    lengths: Sequence[Lengths]
    axis: str
    key: str


@dataclass(frozen=True)
class Plot:
    """A figure, drawn for wide and for narrow pages.

    key: the prefix of its ids. about: a description for readers who cannot see it.
    """

    key: str
    caption: str
    about: str
    chart: Forest | Curve | StoppingPath | Distributions


@dataclass(frozen=True)
class Tile:
    """A large figure with a small picture: a bar for each variant, with its interval.

    sign: a suit. text: the difference with its interval. look: `clear` or `unclear`; `level` if the
    first bar is no base of the others.
    bars: the name, the figure, and mean, low and high in hundredths of the picture's width.
    """

    sign: str
    title: str
    figure: str
    text: str
    look: str
    bars: Sequence[tuple[str, str, float, float, float]]


@dataclass(frozen=True)
class Tiles:
    """Large figures side by side."""

    tiles: Sequence[Tile]


@dataclass(frozen=True)
class Details:
    """Blocks that a reader unfolds."""

    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True)
class Download:
    """A CSV file within the page."""

    name: str
    content: str


Block = (
    Paragraph
    | Heading
    | Items
    | FigureLegend
    | ShellCommand
    | TableBlock
    | Plot
    | Tiles
    | Details
    | Download
)


@dataclass(frozen=True)
class Section:
    """A part of a page; key: its id."""

    key: str
    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True)
class SelfCheck:
    """An equation that must hold in results; figures: the numbers in it."""

    text: str
    holds: bool
    figures: str


@dataclass(frozen=True)
class Page:
    """A page before layout."""

    title: str
    subtitle: str
    sections: Sequence[Section]
    checks: Sequence[SelfCheck]


def heat(number: float, least: float, most: float) -> int:
    """Return the step of colour for a number between two others."""
    share = (number - least) / (most - least) if most > least else 0.5
    return min(COOLEST, max(WARMEST, round(share * (COOLEST - WARMEST))))


def matrix(
    caption: str, columns: Sequence[str], rows: Iterable[tuple[str, Iterable[TableCell]]]
) -> TableBlock:
    """Return a table whose rows and columns have the same meaning; rows: each with its name."""
    cells = [[TableCell(name), *row] for name, row in rows]
    return TableBlock(caption, columns, cells, matrix=True)


def text_rows(rows: Iterable[Iterable[str]]) -> list[list[TableCell]]:
    """Return the rows of a table whose cells are texts."""
    return [list(map(TableCell, row)) for row in rows]


def ends_of(estimate: Mapping[str, Any]) -> tuple[float, float, float]:
    """Return mean, low and high of an estimate; without an interval, all are the mean."""
    mean = estimate["mean"]
    low, high = (mean if estimate[end] is None else estimate[end] for end in ("low", "high"))
    return mean, low, high


def render_template(name: str, **values: object) -> str:
    """Return a template with these values; names are shown as text."""
    from jinja2 import Environment, PackageLoader, StrictUndefined  # a terminal needs no template

    environment = Environment(
        loader=PackageLoader("trutdsl.report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    return environment.get_template(name).render(say=say, **values)
