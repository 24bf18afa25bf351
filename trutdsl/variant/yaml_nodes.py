"""The nodes of a YAML text, each with its position, and their cache."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from trutdsl.diagnostics import Collector, Edit, Note, Rejected, Source, Span
from trutdsl.files import hash_of, read_cache, source_hash, write_cache
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


Node: TypeAlias = Scalar | Sequence | YamlMapping


class BoundedCollector(Collector):
    """A collector that stops at `MOST_MISTAKES`; a hostile file may hold 100,000."""

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
        if len(self.diagnostics) >= MOST_MISTAKES:
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


# The cache of nodes: PyYAML needs a tenth of a second for a shipped variant.


def read_cached_document(source: Source) -> Node:
    """Return the same as `read_document`, from the cache if the text was read before."""
    key = hash_of("nodes", source_hash("variant"), source.text)
    data = read_cache(key)
    if data is not None:
        return _from_json(json.loads(data), source)
    from trutdsl.variant.compose_yaml import read_document  # slow to load, often unused

    node = read_document(source)
    write_cache(key, json.dumps(_to_json(node), ensure_ascii=False).encode())
    return node


def _to_json(node: Node) -> list[Any]:
    """Return a node as its span and its content: a list, a mapping's pairs, or text and style."""
    span = node.span
    place = [span.line, span.col, span.end_line, span.end_col]
    match node:
        case Scalar(text, style):
            return [place, text, style]
        case Sequence(items):
            return [place, [_to_json(item) for item in items]]
        case YamlMapping(entries):
            return [place, *([_to_json(key), _to_json(value)] for key, value in entries), None]


def _from_json(data: list[Any], source: Source) -> Node:
    place, *content = data
    span = Span(source, *place)
    match content:
        case [str(text), style]:
            return Scalar(text, style, span)
        case [list(items)]:
            return Sequence(tuple(_from_json(item, source) for item in items), span)
    entries = []
    for key, value in content[:-1]:
        name = _from_json(key, source)
        assert isinstance(name, Scalar)
        entries.append((name, _from_json(value, source)))
    return YamlMapping(tuple(entries), span)
