"""Nodes of YAML files from the cache: PyYAML needs a tenth of a second for a shipped variant."""

from __future__ import annotations

import json
from typing import Any

from trutdsl.diagnostics import Source, Span
from trutdsl.files import hash_of, read_cache, source_hash, write_cache
from trutdsl.variant.yaml_nodes import Node, Scalar, Sequence, YamlMapping


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
