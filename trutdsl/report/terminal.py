"""Blocks on a terminal: tables by Rich, and text in lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from trutdsl.report.blocks import Block, Details, Items, Paragraph, Section, TableBlock
from trutdsl.report.language import titled

NARROWEST = 100  # columns, where the output goes into a file or a pipe
WIDTH = 100  # of lines of text
LINES = 3  # columns that a line and room on both sides of a cell take
GLUE = "\x1f"  # no white space where lines are wrapped, and in no text of a report


def print_blocks(blocks: Iterable[Block], console: Console) -> None:
    """Print the tables and paragraphs of a report."""
    for block in blocks:
        match block:
            case TableBlock():
                console.print(_table(block, console.width))
            case Paragraph(text):
                console.print(Text(text), soft_wrap=True)


def _table(block: TableBlock, room: int) -> Table:
    """Return a table; where room is short, titles break, then lines go, then cells are shorter.

    Cells never break. In a matrix, titles break within words, too.
    """
    table = Table(title=Text(block.caption), title_justify="left")
    rows = [[cell.text for cell in row] for row in block.rows]
    narrow = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if block.matrix:
        narrow[1:] = [max(narrow[1:])] * len(narrow[1:])
    else:
        longest = (max(map(len, title.split()), default=0) for title in block.columns)
        narrow = [max(both) for both in zip(narrow, longest, strict=True)]
    whole = [max(both) for both in zip(narrow, map(len, block.columns), strict=True)]
    lines = LINES * len(narrow) + 1
    if sum(narrow) + lines > room:
        table.box, table.padding, table.pad_edge = None, (0, 1, 0, 0), False
        if sum(narrow) + len(narrow) > room:
            rows = [[cell.short or cell.text for cell in row] for row in block.rows]
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
        table.add_row(*map(Text, row))  # a name is shown as it is, not read as markup
    return table


# Reports as plain lines of text.


def text_lines(sections: Iterable[Section]) -> Iterator[str]:
    """Yield a report as lines; the blocks of a section with a title are indented below it."""
    for number, section in enumerate(sections):
        if number:
            yield ""
        if section.title:
            yield from _wrap(section.title, "", "  ")
        yield from _lines(section.blocks, "  " if section.title else "")


def _lines(blocks: Iterable[Block], indent: str) -> Iterator[str]:
    before: Block | None = None
    for block in blocks:
        match block:
            case Paragraph(text):
                if before is not None and not isinstance(before, Paragraph):
                    yield ""
                yield from _wrap(text, indent, indent)
            case Items(items):
                for title, told in items:
                    yield from _item(title, told, indent or "  ")
            case TableBlock():
                yield from _aligned(block, f"{indent}  ")
            case Details(title, inner):
                yield ""
                yield f"{indent}{titled(title)}"
                yield from _lines(inner, f"{indent}  ")
        before = block


def _item(title: str, text: str | Sequence[str], indent: str) -> Iterator[str]:
    more = f"{indent}  "
    lines = [] if isinstance(text, str) else text
    first = text if isinstance(text, str) else ""
    whole = titled(title, first) if title else first
    yield from _wrap(whole, indent, more)
    for line in lines:
        yield from _wrap(line, more, more)


def _wrap(text: str, first: str, later: str) -> Iterator[str]:
    """Yield the lines of a text with these indents; a long number stays with the word before it."""
    glued = re.sub(r" (?=\d{20})", GLUE, text)
    lines = wrap(glued, WIDTH, initial_indent=first, subsequent_indent=later)
    yield from (line.replace(GLUE, " ") for line in lines)


def _aligned(table: TableBlock, indent: str) -> Iterator[str]:
    rows = [[cell.text for cell in row] for row in table.rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        padded = (f"{text:{width}}" for text, width in zip(row, widths, strict=True))
        yield f"{indent}{'  '.join(padded)}".rstrip()
