"""Texts that a person wrote, and positions in them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True, eq=False)
class Source:
    """A file as a person edits it.

    name: how the person calls it (the path given on the command line).
    text: its content; line ends are `\\n`.
    """

    name: str
    text: str = field(repr=False)

    @cached_property
    def lines(self) -> list[str]:
        """The lines without their ends."""
        return self.text.split("\n")

    def line(self, number: int) -> str:
        """Return line `number` (from 1), or the empty string beyond the end."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""


@dataclass(frozen=True)
class Span:
    """A stretch of a source, both ends 1-based; `end_col` is just behind the last character."""

    source: Source
    line: int
    col: int
    end_line: int
    end_col: int

    def to(self, other: Span) -> Span:
        """Return the span from the start of this one to the end of `other`."""
        return Span(self.source, self.line, self.col, other.end_line, other.end_col)

    @property
    def text(self) -> str:
        """What is written there, or the empty string if that is more than one line."""
        if self.end_line != self.line:
            return ""
        return self.source.line(self.line)[self.col - 1 : self.end_col - 1]

    def __str__(self) -> str:
        return f"{self.source.name}:{self.line}:{self.col}"


@dataclass(frozen=True)
class Excerpt:
    """A block of text inside a source, with how its lines lie there.

    text:   the block with its common indentation removed.
    line:   line of the source on which the block's first line stands.
    indent: columns removed from the left of each line.
    """

    source: Source
    text: str = field(repr=False)
    line: int = 1
    indent: int = 0

    def span(self, line: int, col: int, end_line: int, end_col: int) -> Span:
        """Translate a position in the block (1-based) to one in the source."""
        down, right = self.line - 1, self.indent
        return Span(self.source, line + down, col + right, end_line + down, end_col + right)
