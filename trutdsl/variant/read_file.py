"""One file of a variant: its manifest, its rules and the texts for readers."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from trutdsl.diagnostics import Collector, Diagnostic, Excerpt, Rejected, Source, Span
from trutdsl.files import hash_of, read_cache, source_hash, write_cache
from trutdsl.language import say
from trutdsl.variant.editions import rename_taken
from trutdsl.variant.manifest import LATEST, read_manifest
from trutdsl.variant.merge_layers import LoadedFile
from trutdsl.variant.model import RulesText
from trutdsl.variant.read_values import shorten
from trutdsl.variant.source import is_file, kind_of_place, near_file, read_source
from trutdsl.variant.yaml_nodes import BoundedCollector, Node, Scalar, Sequence, YamlMapping

# The blocks of a file for readers, with the blank lines before them.
WORDS = re.compile(r"(?m)(?:^[ \t]*\n)*^(?:words|rulebook):.*(?:\n(?:[ \t]*\n)*[ \t}#].*)*\n?")


@dataclass(frozen=True)
class LocatedFile:
    """A file with its name for the user in this place."""

    path: Path
    name: str


@lru_cache(maxsize=64)
def read_library_file(where: LocatedFile, text: str) -> LoadedFile:
    """Return a library file with this text; its rules are parsed once for all variants.

    Raises `Rejected` for any mistake in it.
    """
    errors = BoundedCollector()
    source = Source(where.name, text)
    file = _read_nodes(where, source, read_cached_document(source), errors)
    errors.raise_if_any()
    assert file is not None
    return file


def read_layer(where: LocatedFile, errors: Collector, parse: bool) -> LoadedFile | None:
    """Return one file with its rules, or None if it cannot be read; mistakes go to `errors`.

    parse: also find the mistakes in its rules.
    """
    from trutdsl.variant.compose_yaml import read_document  # slow to load, often unused

    try:
        source = read_source(where.path, where.name)
        file = _read_nodes(where, source, read_document(source), errors)
        if parse and file and file.rules:
            _ = file.rules.tree
        if parse and file and file.vocabulary:
            _ = file.vocabulary.tree
    except Rejected as rejection:
        errors.place = None
        for diagnostic in rejection.diagnostics:
            if diagnostic not in errors.diagnostics:
                errors.diagnostics.append(diagnostic)
        return None
    return file


def _read_nodes(
    where: LocatedFile, source: Source, document: Node, errors: Collector
) -> LoadedFile | None:
    manifest = read_manifest(document, where.path.stem, errors)
    if manifest is None:
        return None
    vocabulary = RulesText(manifest.vocabulary, True) if manifest.vocabulary else None
    rest, words = _without_words(_without(source.text, manifest.vocabulary))
    excerpt, texts = manifest.rules, [rest]
    if isinstance(excerpt, Scalar):
        excerpt = _read_rules_file(excerpt, where, errors)
        texts += [excerpt.text] if excerpt else []
    older: tuple[Diagnostic, ...] = ()
    if excerpt and manifest.language < LATEST:
        excerpt, older = rename_taken(excerpt)
    rules = RulesText(excerpt, older=older) if excerpt else None
    return LoadedFile(manifest, rules, vocabulary, tuple(texts), words)


def _without(text: str, vocabulary: Excerpt | None) -> str:
    """Return a file's text without its vocabulary and the blank lines before it."""
    if vocabulary is None:
        return text
    lines = text.split("\n")
    first = vocabulary.line - 2  # the line of the key
    last = first + 1 + len(vocabulary.text.rstrip("\n").split("\n"))
    while first and not lines[first - 1].strip():
        first -= 1
    return "\n".join(lines[:first] + lines[last:])


def _without_words(text: str) -> tuple[str, str]:
    """Return a file's text without its words and its rulebook, and these two."""
    return WORDS.sub("", text), "".join(result[0] for result in WORDS.finditer(text))


def _read_rules_file(ref: Scalar, where: LocatedFile, errors: Collector) -> Excerpt | None:
    path = where.path.parent / ref.text
    if not is_file(path):
        other = kind_of_place(path)
        message = say("there is no file '{ref}' beside this one", ref=shorten(ref.text))
        if other:
            errors.error("not-a-file", other, ref.span)
        else:
            errors.error("missing-file", message, ref.span, help=near_file(path))
        return None
    source = read_source(path, (Path(where.name).parent / ref.text).as_posix())
    return Excerpt(source, source.text)


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
