"""YAML of variant and scenario files, read within bounds.

A loop composes nodes from PyYAML's events: no recursion, no constructor, no tags. Nothing of
the file is ever executed. Time and memory are bounded for any text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NoReturn

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from trutdsl.diagnostics import WIDE_SIGN, Note, Rejected, Source, Span, did_you_mean
from trutdsl.language import figure, say
from trutdsl.variant.source import FORBIDDEN, SCENARIOS, VARIANT, kind_of_text, name_other
from trutdsl.variant.yaml_events import (
    BETWEEN,
    ODD,
    QUOTE,
    read_events,
    refuse_directive,
    refuse_lookalike,
    refuse_odd_blank,
    refuse_tag,
)
from trutdsl.variant.yaml_nodes import BoundedCollector, Node, Scalar, Sequence, Style, YamlMapping

DEEPEST = 40
ODD_BLANKS = re.compile(f"[{ODD}]")
MOST_ALIASES = 1_000
MOST_NODES = 100_000
MOST_DOCUMENTS = 10_000


def read_document(source: Source) -> Node:
    """Return the one document of a YAML text; raise `Rejected` with every mistake found."""
    return _Composer(source, most=1).documents()[0]


def read_documents(source: Source) -> tuple[Node, ...]:
    """Return every document of a YAML text, at least one; raise `Rejected` for mistakes."""
    return _Composer(source, most=MOST_DOCUMENTS).documents()


@dataclass(frozen=True)
class _Anchored:
    node: Node
    size: int  # nodes, aliases expanded
    height: int  # depth of nested collections, 0 for a scalar


@dataclass
class _Open:
    """A collection whose end was not read yet."""

    start: MappingStartEvent | SequenceStartEvent
    span: Span
    items: list[Node] = field(default_factory=list)
    keys: dict[str, Scalar] = field(default_factory=dict)
    entries: list[tuple[Scalar, Node]] = field(default_factory=list)
    key: Scalar | None = None
    size: int = 1
    height: int = 1


class _Composer:
    def __init__(self, source: Source, most: int) -> None:
        self.source = source
        self.most = most
        self.errors = BoundedCollector()
        self.roots: list[Node] = []
        self.first: Span | None = None
        self.begin = source.point(1, 1)
        self.hollow: Span | None = None  # a document without content; only the last may have none
        self.stack: list[_Open] = []
        self.anchors: dict[str, tuple[_Anchored | None, Span]] = {}  # None while still open
        self.aliases = 0
        self.nodes = 0

    def documents(self) -> tuple[Node, ...]:
        for event in read_events(self.source, self.errors):
            self.take(event)
        if not self.roots:
            self.empty(self.begin)
        self.errors.raise_if_any()
        return tuple(self.roots)

    def fail(
        self, code: str, message: str, span: Span, *notes: Note, help: str | None = None
    ) -> NoReturn:
        self.errors.error(code, message, span, *notes, help=help)
        raise Rejected(self.errors.diagnostics)

    def empty(self, span: Span) -> NoReturn:
        self.fail("empty-file", say("found nothing, expected 'key: value' lines"), span)

    def span(self, event: yaml.Event) -> Span:
        start, end = event.start_mark, event.end_mark
        assert start and end
        return Span(self.source, start.line + 1, start.column + 1, end.line + 1, end.column + 1)

    def take(self, event: yaml.Event) -> None:
        match event:
            case DocumentStartEvent():
                self.start_document(event)
            case AliasEvent():
                self.alias(event)
            case ScalarEvent():
                self.scalar(event)
            case MappingStartEvent() | SequenceStartEvent():
                self.open(event)
            case MappingEndEvent() | SequenceEndEvent():
                self.close(event)

    def start_document(self, event: DocumentStartEvent) -> None:
        span = self.span(event)
        if self.source.line(span.line).startswith("%"):
            refuse_directive(span, self.errors)
            raise Rejected(self.errors.diagnostics)
        if self.hollow:
            self.empty(self.hollow)
        if len(self.roots) >= self.most:
            if self.most > 1:
                self.fail(
                    "too-large",
                    say("the file has more than {most} documents", most=figure(self.most, ",")),
                    span,
                )
            first = [Note(say("the first one begins here"), self.first)] if self.first else []
            cure = say("a variant is one document; remove the others")
            if kind_of_text(self.source.text) == SCENARIOS:
                cure = name_other(VARIANT, SCENARIOS, self.source.name)
            self.fail("several-documents", say("found a second document"), span, *first, help=cure)
        self.first, self.begin = self.first or span, span
        self.anchors = {}

    def check_new(self, event: NodeEvent, span: Span) -> None:
        """Count a node and check its tag and its anchor."""
        self.count(1, span)
        tag = getattr(event, "tag", None)
        if tag is not None:
            refuse_tag(span, self.errors)
        if event.anchor is not None:
            if event.anchor in self.anchors:
                first = Note(say("it is here first"), self.anchors[event.anchor][1])
                message = say("the anchor '&{anchor}' is given twice", anchor=event.anchor)
                self.errors.error("duplicate-anchor", message, span, first)
            self.anchors[event.anchor] = (None, span)

    def count(self, nodes: int, span: Span) -> None:
        self.nodes += nodes
        if self.nodes > MOST_NODES:
            code = "alias-bomb" if self.aliases else "too-large"
            message = say("the file has more than {most} values", most=figure(MOST_NODES, ","))
            self.fail(code, message, span)

    def check_depth(self, depth: int, span: Span) -> None:
        if depth > DEEPEST:
            message = say(
                "found more than {deepest} lists and mappings one inside another", deepest=DEEPEST
            )
            self.fail("too-deep", message, span)

    def scalar(self, event: ScalarEvent) -> None:
        span = self.span(event)
        self.check_new(event, span)
        styles: dict[str, Style] = {"'": "quoted", '"': "quoted", "|": "literal", ">": "folded"}
        bad = FORBIDDEN.search(event.value)
        if bad:  # written as an escape in double quotes
            message = say("found the character U+{ord}, expected text", ord=f"{ord(bad[0]):04X}")
            self.errors.error("control-character", message, span)
        if event.style is None and event.value:
            self.check_blanks(event.value, span)
        node = Scalar(event.value, styles.get(event.style or "", "plain"), span)
        if event.anchor is not None:
            self.anchors[event.anchor] = (_Anchored(node, 1, 0), span)
        self.add(node, 1, 0)

    def check_blanks(self, text: str, span: Span) -> None:
        """Refuse an odd blank before or behind a plain text, or between a key and its value."""
        line = self.source.line(span.line)
        key = not line[: span.col - 1].strip("- ") and BETWEEN.match(line)
        if ODD_BLANKS.match(text):
            refuse_odd_blank(self.source.point(span.line, span.col), self.errors)
        elif key and key.end() >= span.col:
            refuse_odd_blank(self.source.point(span.line, key.end()), self.errors)
        elif ODD_BLANKS.match(text[-1]):
            refuse_odd_blank(self.source.point(span.end_line, span.end_col - 1), self.errors)

    def open(self, event: MappingStartEvent | SequenceStartEvent) -> None:
        span = self.span(event)
        self.check_new(event, span)
        self.check_key_is_text(span)
        self.check_depth(len(self.stack) + 1, span)
        self.stack.append(_Open(event, span))

    def close(self, event: MappingEndEvent | SequenceEndEvent) -> None:
        top = self.stack.pop()
        span = top.span.to(self.span(event))
        node: Node
        if isinstance(top.start, MappingStartEvent):
            node = YamlMapping(tuple(top.entries), span)
        else:
            node = Sequence(tuple(top.items), span)
        if top.start.anchor is not None:
            anchor = _Anchored(node, top.size, top.height)
            self.anchors[top.start.anchor] = (anchor, top.span)
        self.add(node, top.size, top.height)

    def alias(self, event: AliasEvent) -> None:
        span = self.span(event)
        name = event.anchor or ""
        self.aliases += 1
        if self.aliases > MOST_ALIASES:
            text = "the file has more than {most} aliases"
            self.fail("alias-bomb", say(text, most=figure(MOST_ALIASES, ",")), span)
        if name not in self.anchors:
            message = say("there is no anchor '&{name}' before this", name=name)
            cure = did_you_mean(name, self.anchors) or say(QUOTE)
            self.fail("unknown-alias", message, span, help=cure)
        anchor = self.anchors[name][0]
        if anchor is None:
            self.fail("recursive-alias", say("'*{name}' is inside its own anchor", name=name), span)
        self.check_key_is_text(span)
        self.count(anchor.size, span)
        self.check_depth(len(self.stack) + anchor.height, span)
        self.add(anchor.node, anchor.size, anchor.height)

    def check_key_is_text(self, span: Span) -> None:
        """Refuse a node that would be a key but is no text."""
        parent = self.stack[-1] if self.stack else None
        if parent and parent.key is None and isinstance(parent.start, MappingStartEvent):
            self.fail("wrong-key", say("found a list, mapping or alias, expected a key"), span)

    def add(self, node: Node, size: int, height: int) -> None:
        """Put a complete node into its parent: a document, an item, a key or a value."""
        if not self.stack:
            if _is_nothing(node) and self.roots:
                self.hollow = self.begin
                return
            if _is_nothing(node):
                self.empty(self.begin)
            self.check_signs(node)
            self.roots.append(node)
            return
        parent = self.stack[-1]
        parent.size += size
        parent.height = max(parent.height, height + 1)
        if isinstance(parent.start, SequenceStartEvent):
            parent.items.append(node)
        elif parent.key is None:
            assert isinstance(node, Scalar)
            self.check_signs(node)
            parent.key = node
        else:
            self.add_entry(parent, parent.key, node)
            parent.key = None

    def check_signs(self, node: Node) -> None:
        """Refuse a full-width sign in a key, or in a text in place of a mapping."""
        if isinstance(node, Scalar) and node.style == "plain" and WIDE_SIGN.search(node.text):
            line = self.source.line(node.span.line)[node.span.col - 1 :]
            hit = WIDE_SIGN.search(line)
            at = (
                self.source.point(node.span.line, node.span.col + hit.start()) if hit else node.span
            )
            refuse_lookalike(at, self.errors)
            raise Rejected(self.errors.diagnostics)

    def add_entry(self, parent: _Open, key: Scalar, node: Node) -> None:
        if key.style == "plain" and key.text == "<<":
            message = say("found the merge key '<<'")
            self.errors.error("merge-key", message, key.span, help=say("write the keys out"))
        elif key.style in ("literal", "folded"):
            self.errors.error("wrong-key", say("found a block of text, expected a key"), key.span)
        elif key.style == "plain" and _is_nothing(node) and (blank := ODD_BLANKS.search(key.text)):
            place = self.source.point(key.span.line, key.span.col + blank.start())
            refuse_odd_blank(place, self.errors)  # behind a colon in braces
        elif key.style == "plain" and _is_nothing(node) and (hit := NO_SPACE.fullmatch(key.text)):
            text = "found '{joined}:' with its value right behind it, expected a space between"
            help_ = say("write `{key}: {value}`", key=hit[1], value=hit[2])
            self.errors.error("yaml-syntax", say(text, joined=hit[1]), key.span, help=help_)
        elif key.text in parent.keys:
            first = Note(say("it is here first"), parent.keys[key.text].span)
            if key.text == "scenario":
                help_ = say("write a line `---` between two scenarios")
                message = say("the key '{key}' occurs twice", key=key.text)
                self.errors.error("duplicate-key", message, key.span, first, help=help_)
                raise Rejected(self.errors.diagnostics)
            mapping = isinstance(node, YamlMapping)
            cure = say("write the entries of both below one `{key}:`", key=key.text)
            message = say("the key '{key}' occurs twice", key=key.text)
            self.errors.error(
                "duplicate-key", message, key.span, first, help=cure if mapping else None
            )
        else:
            parent.keys[key.text] = key
            parent.entries.append((key, node))


NO_SPACE = re.compile(r"(\w[\w-]{0,40}):(\S.{0,40})")  # between a key and its value


def _is_nothing(node: Node) -> bool:
    return isinstance(node, Scalar) and node.style == "plain" and not node.text
