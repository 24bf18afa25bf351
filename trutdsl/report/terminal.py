"""Blocks of a report as text, in the terminal or in lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from os import get_terminal_size
from textwrap import wrap
from typing import IO, TYPE_CHECKING, Any

from trutdsl.language import with_title
from trutdsl.report.blocks import Block, Details, Items, Paragraph, Section, TableBlock

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

NARROWEST = 100  # columns of output into a file or a pipe
WIDTH = 100  # of lines of text
LINES = 3  # columns that the border and the margins of a cell take
NARROWEST_TEXT = 30  # on a terminal that says it is narrower
GLUE = "\x1f"  # a space that does not break lines; no text of a report contains it

_columns: ContextVar[int | None] = ContextVar("columns", default=None)  # None without a terminal


@contextmanager
def fitting_lines(file: IO[str]) -> Iterator[None]:
    """Within the block, lines of text are no wider than the terminal that a file is."""
    columns = get_terminal_size(file.fileno()).columns if file.isatty() else 0
    token = _columns.set(max(NARROWEST_TEXT, columns) if columns else None)
    try:
        yield
    finally:
        _columns.reset(token)


def fit_lines(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines that fit on the terminal, each with its indent; without one they stay whole."""
    room = _columns.get()
    for line in lines:
        if room is None or len(line) <= room:
            yield line
        else:
            text = re.sub(" {2,}", "  ", line.lstrip())  # a column further right is given up
            indent = " " * (len(line) - len(line.lstrip()))
            yield from _wrap(text, indent, f"{indent}  ")


def print_blocks(blocks: Iterable[Block], console: Console) -> None:
    """Print the tables, paragraphs and items of a report."""
    from rich.text import Text

    for block in blocks:
        match block:
            case TableBlock():
                table = _table(block, console.width)
                if table is not None:
                    console.print(table)
                    continue
                for line in (block.caption, *_sentences(block, "  ", console.width)):
                    console.print(Text(line), soft_wrap=True)
            case Paragraph(text):
                width = min(WIDTH, console.width) if console.is_terminal else len(text)
                for line in [*_wrap(text, "", "  ", width)] or [""]:
                    console.print(Text(line), soft_wrap=True)
            case Items(items):
                width = min(WIDTH, console.width)
                for title, content in items:
                    for line in _item(title, content, "  ", width):
                        console.print(Text(line), soft_wrap=True)
                console.print()


def _table(block: TableBlock, room: int) -> Table | None:
    """Return a table, None if the terminal is too narrow for it.

    On a narrow terminal titles wrap, then borders vanish, then cells get shorter. Cells never
    break. In a matrix, titles break within words, too.
    """
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(block.caption), title_justify="left")
    rows = [[cell.text for cell in row] for row in block.rows]
    narrow = _least_widths(block, rows)
    whole = [max(both) for both in zip(narrow, map(len, block.columns), strict=True)]
    lines = LINES * len(narrow) + 1
    if sum(narrow) + lines > room:
        table.box, table.padding, table.pad_edge = None, (0, 1, 0, 0), False
        if sum(narrow) + len(narrow) > room:
            rows = [[cell.short or cell.text for cell in row] for row in block.rows]
            narrow = _least_widths(block, rows)
            if sum(narrow) + len(narrow) - 1 > room:
                return None
    fits = sum(whole) + lines <= room
    for place, (title, least, most) in enumerate(zip(block.columns, narrow, whole, strict=True)):
        how: dict[str, Any] = {"justify": "left" if place in block.words else "right"}
        if not block.matrix:
            how["width"] = most if fits else least
        elif place:
            how |= {"overflow": "fold", "min_width": max(len(row[place]) for row in rows)}
        else:
            how["no_wrap"] = True
        table.add_column(Text(title), **how)
    for row in rows:
        table.add_row(*map(Text, row))  # names are text, not markup
    return table


def _least_widths(block: TableBlock, rows: Sequence[Sequence[str]]) -> list[int]:
    """Return the least width of each column, so that no cell breaks, and no word of a title."""
    cells = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if block.matrix:
        return [cells[0], *[max(cells[1:])] * len(cells[1:])]
    titles = (max(map(len, title.split()), default=0) for title in block.columns)
    return [max(both) for both in zip(cells, titles, strict=True)]


def text_lines(sections: Iterable[Section]) -> Iterator[str]:
    """Yield the lines of a report; the blocks of a section with a title are indented below it."""
    for number, section in enumerate(sections):
        if number:
            yield ""
        if section.title:
            yield from _wrap(section.title, "", "  ")
        yield from _lines(section.blocks, "  " if section.title else "")


def _lines(blocks: Iterable[Block], indent: str) -> Iterator[str]:
    last: Block | None = None
    for block in blocks:
        match block:
            case Paragraph(text):
                if last is not None and not isinstance(last, Paragraph):
                    yield ""
                yield from _wrap(text, indent, indent)
            case Items(items):
                for title, content in items:
                    yield from _item(title, content, indent or "  ")
            case TableBlock():
                yield from _align(block, f"{indent}  ")
            case Details(title, inner):
                yield ""
                yield f"{indent}{with_title(title)}"
                yield from _lines(inner, f"{indent}  ")
        last = block


def _item(
    title: str, text: str | Sequence[str], indent: str, width: int | None = None
) -> Iterator[str]:
    more = f"{indent}  "
    lines = [] if isinstance(text, str) else text
    first = text if isinstance(text, str) else ""
    whole = with_title(title, first) if title else first
    yield from _wrap(whole, indent, more, width)
    for line in lines:
        yield from _wrap(line, more, more, width)


def _wrap(text: str, first: str, later: str, width: int | None = None) -> Iterator[str]:
    """Yield the lines of a text with these indents; long numbers and `%` stay behind their word."""
    glued = re.sub(r" (?=\d{20}|%)", GLUE, text)
    most = width or min(WIDTH, _columns.get() or WIDTH)
    lines = wrap(glued, most, initial_indent=first, subsequent_indent=later)
    yield from (line.replace(GLUE, " ") for line in lines)


def _align(table: TableBlock, indent: str) -> Iterator[str]:
    """Yield the rows of a table in columns, or each as a sentence on a narrow terminal."""
    rows = [[cell.text for cell in row] for row in table.rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    room = _columns.get()
    if room is not None and len(indent) + sum(widths) + 2 * len(widths[1:]) > room:
        yield from _sentences(table, indent)
        return
    for row in rows:
        cells = (f"{text:{width}}" for text, width in zip(row, widths, strict=True))
        yield f"{indent}{'  '.join(cells)}".rstrip()


def _sentences(table: TableBlock, indent: str, width: int | None = None) -> Iterator[str]:
    """Yield each row as a sentence: its name, and each cell after the title of its column."""
    name, rows = table.words[0], [[cell.text for cell in row] for row in table.rows]
    titles = list(table.columns) or [""] * len(rows[0])
    for row in rows[1:] if rows[:1] == [titles] else rows:
        named = (
            (t, cell) for n, (t, cell) in enumerate(zip(titles, row, strict=True)) if n != name
        )
        texts = (with_title(title, cell) if title else cell for title, cell in named if cell)
        yield from _item(row[name], ", ".join(texts), indent, width)
