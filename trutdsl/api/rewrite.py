"""Rewrites files of rules: into the present edition of the language, or into its one layout."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping, Sequence
from difflib import unified_diff
from itertools import takewhile
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trutdsl.arguments import check_arguments
from trutdsl.diagnostics import BadUsage, Excerpt, Rejected, Source, refuse_os_errors
from trutdsl.files import write_whole
from trutdsl.language import one_by_one, say
from trutdsl.variant.source import FILE, instead_of_kind, near_file, read_source

if TYPE_CHECKING:
    from trutdsl.syntax.formatter import Start

FileLike = str | PathLike[str]
YAML, RULES, SCRIPT = (".yaml", ".yml"), ".rules", ".strategy"


@check_arguments
def migrate(*files: FileLike, write: bool = False) -> list[dict[str, Any]]:
    """Bring files up to the present edition of the language, or return only what would change.

    Each has its `file`, `edition`, whether it `changed`, and a `diff`.
    """
    from trutdsl.variant.manifest import LATEST

    result = []
    for name, text in _new_texts([fspath(one) for one in files]).items():
        old = read_source(Path(name), name).text
        result.append({"edition": LATEST, **_rewrite(name, old, text, write)})
    return result


@check_arguments
def format_files(*files: FileLike, write: bool = False) -> list[dict[str, Any]]:
    """Bring rules and scripts into the one layout, or return only what would change.

    Each has its `file`, whether it `changed`, and a `diff`. Words and comments stay; so does YAML
    around the rules. Raises `Rejected` for a file that does not parse; it is not changed.
    """
    result = []
    for name in [fspath(one) for one in files]:
        if not name.endswith((*YAML, RULES, SCRIPT)):
            text = "'{file}' is not the path of a variant, a module, a script or a file of rules"
            raise BadUsage(one_by_one((say(text, file=name), _file_meant(name))))
        source = read_source(Path(name), name)
        result.append(_rewrite(name, source.text, format_text(source), write))
    return result


def _file_meant(name: str) -> str:
    return instead_of_kind(FILE, name) or near_file(Path(name))


def format_text(source: Source) -> str:
    """Return the text of a file in the one layout; the ending of its name tells what it holds."""
    from trutdsl.syntax.formatter import format_excerpt  # not before: it needs Lark

    lines = [*source.lines]
    blocks = {excerpt.line: (excerpt, start) for excerpt, start in excerpts_of(source)}
    for line in sorted(blocks, reverse=True):
        excerpt, start = blocks[line]  # with an alias, rules and vocabulary can be the same block
        text = format_excerpt(excerpt, start)
        if source.name.endswith((SCRIPT, RULES)):
            return text
        first, margin = line - 1, " " * excerpt.indent
        end = first + excerpt.text.rstrip().count("\n") + 1
        for number in takewhile(lambda at: not lines[at].strip(), range(end, len(lines))):
            lines[number] = ""  # blank lines at the end of the block
        lines[first:end] = [margin + one if one else "" for one in text.split("\n")[:-1]]
    return "\n".join(lines)


def excerpts_of(source: Source) -> Iterator[tuple[Excerpt, Start]]:
    """Yield the texts of rules in a file, and how each starts."""
    if source.name.endswith(SCRIPT):
        yield Excerpt(source, source.text), "strategy"
    elif source.name.endswith(RULES):
        yield Excerpt(source, source.text), "start"
    else:
        yield from _excerpts_of_yaml(source)


def _excerpts_of_yaml(source: Source) -> Iterator[tuple[Excerpt, Start]]:
    from trutdsl.variant.compose_yaml import read_document
    from trutdsl.variant.manifest import read_manifest
    from trutdsl.variant.yaml_nodes import BoundedCollector

    errors = BoundedCollector()
    manifest = read_manifest(read_document(source), Path(source.name).stem, errors)
    if manifest is None:
        raise Rejected(errors.diagnostics)
    if isinstance(manifest.rules, Excerpt):
        yield manifest.rules, "start"
    if manifest.vocabulary is not None:
        yield manifest.vocabulary, "vocabulary"


def _rewrite(name: str, old: str, new: str, write: bool) -> dict[str, Any]:
    """Return how a file changes, and change it if asked to."""
    changes = unified_diff(old.splitlines(True), new.splitlines(True), name, name)
    lines = [line if line.endswith("\n") else line + "\n" for line in changes]
    if write and lines:
        path = Path(name).resolve()  # a link still points to its file
        with refuse_os_errors(name):
            write_whole(path, _encode_as(path.read_bytes(), new))
    return {"file": name, "changed": bool(lines), "diff": "".join(lines)}


def _encode_as(old: bytes, text: str) -> bytes:
    """Return the bytes of a text with the line ends and the byte order mark of an older one."""
    end = re.search(rb"\r\n?|\n|$", old)
    bom = BOM_UTF8 if old.startswith(BOM_UTF8) else b""
    return bom + text.encode().replace(b"\n", (end and end[0]) or b"\n")


def _new_texts(files: Sequence[str]) -> Mapping[str, str]:
    """Return the text of each file in the present edition, by its name."""
    from trutdsl.ir.editions import bring_up
    from trutdsl.variant import is_module, load_file, load_variant
    from trutdsl.variant.editions import mark, rename_taken
    from trutdsl.variant.manifest import LATEST

    texts = dict[str, str]()
    for name in files:
        if not name.endswith((".yaml", ".yml")):
            text = "'{file}' is not the path of a YAML file"
            raise BadUsage(one_by_one((say(text, file=name), _file_meant(name))))
        if is_module(name):
            manifest, _ = load_file(name)
            source = manifest.span.source
            if isinstance(manifest.rules, Excerpt) and manifest.language < LATEST:
                source = rename_taken(manifest.rules)[0].source
            texts.setdefault(name, source.text)
            continue
        for layer in bring_up(load_variant(name)).layers:
            texts |= {layer.path: layer.span.source.text} if layer.path in files else {}
            rules = layer.text.excerpt.source if layer.text is not None else None
            if rules is not None and (layer.own or layer.path in files):
                texts[rules.name] = rules.text
    return {name: mark(text) if name in files else text for name, text in texts.items()}
