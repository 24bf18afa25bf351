"""The nodes of a YAML text, each with its position."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from trutdsl.diagnostics import Collector, Edit, Note, Rejected, Span
from trutdsl.language import say

MOST_MISTAKES = 100
LONGEST_MESSAGE = 300

Style: TypeAlias = Literal["plain", "quoted", "literal", "folded", "list"]


@dataclass(frozen=True)
class Scalar:
    """A text as it was written: `on`, `012` and `7` are just these characters.

    A list for a parameter with several values becomes one text with commas (style `list`).
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
class YamlMapping:
    """Keys with their nodes, in the order of the file; no key occurs twice."""

    entries: tuple[tuple[Scalar, Node], ...]
    span: Span

    @property
    def by_name(self) -> dict[str, Node]:
        """The nodes by the texts of their keys."""
        return {key.text: value for key, value in self.entries}


Node: TypeAlias = Scalar | Sequence | YamlMapping


class BoundedCollector(Collector):
    """A collector that stops at `MOST_MISTAKES`; a hostile file may hold 100,000.

    A mistake that an edit cures does not stop it: an older file can have many of them.
    """

    def error(
        self,
        code: str,
        message: str,
        span: Span,
        *notes: Note,
        help: str | None = None,
        edits: tuple[Edit, ...] = (),
    ) -> None:
        """Add one mistake in one line; raise `Rejected` at the limit."""
        line = " ".join(message.split())
        if len(line) > LONGEST_MESSAGE:
            line = line[: LONGEST_MESSAGE - 3] + "..."
        super().error(code, line, span, *notes, help=help, edits=edits)
        if len(self.diagnostics) >= MOST_MISTAKES and not edits:
            raise Rejected(self.diagnostics)


# A mistake of YAML, whether PyYAML notices it or not.

CODE = "yaml-syntax"

RULES = re.compile(r"rules:(?! *[|>])")

AT_MARGIN = re.compile(
    r"(?:(?:replace|before|after) )?(?:rule|define|zone) \w|(?:match|deal|trick) state:"
)


def refuse_rules_without_bar(place: Span, errors: Collector) -> bool:
    """Add the diagnostic for `rules:` without `|`, if `place` is in the block below it."""
    source = place.source
    for number in range(place.line, 0, -1):
        line = source.line(number)
        if RULES.match(line) and (number < place.line or ":" in line[6:]):
            key = Span(source, number, 1, number, len(line.rstrip()) + 1)
            message = say("found rules without '|' before them, which are then read as YAML")
            errors.error(
                CODE, message, key, help=say("write `rules: |`, and the rules on lines below")
            )
            return True
        if line.strip() and not line.startswith((" ", "#")):
            return False
    return False
