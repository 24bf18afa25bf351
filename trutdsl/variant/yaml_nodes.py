"""The nodes of a YAML text, each knowing where it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from trutdsl.diagnostics import Collector, Note, Rejected
from trutdsl.source import Span

MOST_MISTAKES = 100
LONGEST_MESSAGE = 300

Style: TypeAlias = Literal["plain", "quoted", "literal", "folded", "list"]


@dataclass(frozen=True)
class Scalar:
    """A text as it was written: `on`, `012` and `7` are just these characters.

    A value that may be several is read as one text: a list's entries with commas (style `list`).
    """

    text: str
    style: Style
    span: Span


@dataclass(frozen=True)
class Sequence:
    """A list of nodes."""

    items: tuple[Node, ...]
    span: Span


@dataclass(frozen=True)
class Mapping:
    """Keys with their nodes, in the order of the file; no key stands twice."""

    entries: tuple[tuple[Scalar, Node], ...]
    span: Span


Node: TypeAlias = Scalar | Sequence | Mapping


class BoundedCollector(Collector):
    """A collector that ends the phase at `MOST_MISTAKES`: a hostile file may hold 100,000."""

    def error(
        self,
        code: str,
        message: str,
        span: Span,
        *notes: Note,
        help: str | None = None,
    ) -> None:
        """Add one mistake, said in one line; raise `Rejected` when there are enough."""
        line = " ".join(message.split())
        if len(line) > LONGEST_MESSAGE:
            line = line[: LONGEST_MESSAGE - 3] + "..."
        super().error(code, line, span, *notes, help=help)
        if len(self.diagnostics) >= MOST_MISTAKES:
            raise Rejected(self.diagnostics)
