"""What a page is made of, before it is laid out."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

WARMEST, EVEN, COOLEST = 0, 10, 20  # steps of a cell's colour
LONG = 14  # letters of a row's name that want some room


@dataclass(frozen=True)
class Paragraph:
    """A paragraph of text."""

    block: ClassVar[str] = "paragraph"
    text: str


@dataclass(frozen=True)
class Heading:
    """A heading within a section."""

    block: ClassVar[str] = "heading"
    text: str


@dataclass(frozen=True)
class Items:
    """A list, each item perhaps with a title before it."""

    block: ClassVar[str] = "items"
    items: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class FigureLegend:
    """What the marks of a figure mean: the mark, the name of its colour, its meaning."""

    block: ClassVar[str] = "legend"
    marks: Sequence[tuple[str, str, str]]


@dataclass(frozen=True)
class ShellCommand:
    """What is typed at a shell."""

    block: ClassVar[str] = "command"
    text: str


@dataclass(frozen=True)
class TableCell:
    """A cell of a table.

    heat: a step of colour, from `WARMEST` by `EVEN` to `COOLEST`, None for none. look: a class of
    the style sheet: `sure`, `unsure`, `bad`.
    """

    text: str
    heat: int | None = None
    look: str = ""


@dataclass(frozen=True)
class HtmlTable:
    """A table; the first column says what each row is of.

    columns: their titles. words: the places of columns that hold words, not numbers. matrix: each
    cell is of a row and a column alike. titled: what stands above it says the same as its caption.
    stacked: on a narrow page each row becomes a paragraph.
    """

    block: ClassVar[str] = "table"
    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[TableCell]]
    words: Sequence[int] = (0,)
    matrix: bool = False
    titled: bool = False
    stacked: bool = False

    @property
    def look(self) -> str:
        """The classes of the style sheet by which it is laid out."""
        long = any(len(row[0].text) > LONG for row in self.rows)
        named = {"matrix": self.matrix, "stacked": self.stacked, "named": self.matrix and long}
        return " ".join(name for name, so in named.items() if so)


@dataclass(frozen=True)
class Plot:
    """A figure, drawn for a wide and for a narrow page, as SVG."""

    block: ClassVar[str] = "plot"
    caption: str
    wide: str
    narrow: str


@dataclass(frozen=True)
class Details:
    """What is shown to those who ask for it."""

    block: ClassVar[str] = "aside"
    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True)
class Download:
    """A file that stands in the page itself."""

    block: ClassVar[str] = "download"
    name: str
    content: str

    @property
    def address(self) -> str:
        """The file as an address, so that it is there without any network."""
        return f"data:text/csv;charset=utf-8;base64,{b64encode(self.content.encode()).decode()}"


Block = (
    Paragraph
    | Heading
    | Items
    | FigureLegend
    | ShellCommand
    | HtmlTable
    | Plot
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
    """Whether something that must be so is so; found: in figures."""

    text: str
    holds: bool
    found: str


@dataclass(frozen=True)
class Page:
    """A page, before it is laid out."""

    title: str
    subtitle: str
    sections: Sequence[Section]
    checks: Sequence[SelfCheck]
