"""Editions of the language: texts of an older one are rewritten before they are used."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from trutdsl.diagnostics import Diagnostic, Edit, Excerpt, Source, Span
from trutdsl.language import say
from trutdsl.variant.manifest import LATEST
from trutdsl.variant.model import RulesText, Variant
from trutdsl.variant.yaml_nodes import YamlMapping

OLDER = "older-language"  # the code of warnings


def warn_of(message: str, span: Span, place: str | None = None) -> Diagnostic:
    """Return the warning for a text that is rewritten in memory."""
    command = f"trutdsl migrate {span.source.name} --write"
    help_ = say("write it into the file: `{command}`", command=command)
    return Diagnostic(OLDER, message, span, (), help_, place, "warning")


def apply_edits(source: Source, edits: Iterable[Edit]) -> Source:
    """Return a source with its edits, which do not overlap."""
    lines = [*source.lines]
    sorted_edits = sorted(set(edits), key=lambda e: (e.span.line, e.span.col, e.span.end_col))
    for edit in reversed(sorted_edits):
        span = edit.span
        head, tail = lines[span.line - 1][: span.col - 1], lines[span.end_line - 1]
        lines[span.line - 1 : span.end_line] = [head + edit.text + tail[span.end_col - 1 :]]
    return Source(source.name, "\n".join(lines))


def rewrite(variant: Variant, edits: Iterable[Edit]) -> Variant:
    """Return a variant with these changes of the rules of its files."""
    by_source: dict[Source, list[Edit]] = {}
    for edit in edits:
        by_source.setdefault(edit.span.source, []).append(edit)
    layers = []
    for layer in variant.layers:
        old = layer.text.excerpt.source if layer.text is not None else None
        if layer.text is not None and old in by_source:
            excerpt = _move(layer.text.excerpt, apply_edits(old, by_source[old]))
            layer = replace(layer, text=RulesText(excerpt))
        layers.append(layer)
    return replace(variant, layers=tuple(layers))


def _move(excerpt: Excerpt, source: Source) -> Excerpt:
    """Return the same lines of a source that has other text in them."""
    first, count = excerpt.line - 1, excerpt.text.count("\n") + 1
    text = "\n".join(line[excerpt.indent :] for line in source.lines[first : first + count])
    return replace(excerpt, source=source, text=text)


def mark(source: Source) -> Source:
    """Return the text of a variant or module that states the latest edition.

    A new `language` stands behind the name.
    """
    from trutdsl.variant.compose_yaml import read_document  # slow to load, often unused

    document = read_document(source)
    assert isinstance(document, YamlMapping)
    if (stated := document.by_name.get("language")) is not None:
        return apply_edits(source, [Edit(stated.span, str(LATEST))])
    key, name = next(one for one in document.entries if one[0].text in ("variant", "module"))
    word = '"language"' if key.style == "quoted" else "language"
    line, col = name.span.end_line, name.span.end_col
    text = f", {word}: {LATEST}"
    if source.line(document.span.line)[document.span.col - 1] != "{":  # each key has its own line
        col = len(source.line(line)) + 1
        text = "\n" + " " * (key.span.col - 1) + f"{word}: {LATEST}"
    return apply_edits(source, [Edit(Span(source, line, col, line, col), text)])


# A step for a word that files could use as a name, until the language took it.

NEW_NAMES = {"announce": "announce_it"}


def rename_taken(excerpt: Excerpt) -> tuple[Excerpt, tuple[Diagnostic, ...]]:
    """Return rules in which names that are words of the language now have other names."""
    warnings = []
    for word, new_name in NEW_NAMES.items():
        begins = r"(?:replace |before |after )?(?:rule|define|zone|let|for|do|let \w+ = do)"
        pattern = rf"^\s*{begins} {word}\b"
        hit = re.search(pattern, excerpt.text, re.MULTILINE)
        if hit is None:
            continue
        edits = list[Edit]()
        for number, line in enumerate(excerpt.text.split("\n"), 1):
            for col in _places(line, word):
                span = excerpt.span(number, col, number, col + len(word))
                edits.append(Edit(span, new_name))
        if edits:
            excerpt = _move(excerpt, apply_edits(excerpt.source, edits))
            message = say(
                "'{word}' is a word of the language since edition 3; here it is '{instead}'",
                word=word, instead=new_name,
            )  # fmt: skip
            warnings.append(warn_of(message, edits[0].span))
    return excerpt, tuple(warnings)


def _places(line: str, word: str) -> Iterable[int]:
    """Yield the columns of a word in a line, outside of quotes, comments and words of options."""
    option = rf"^ *{word}\b(?! *(?:\[|[-+]?=))"
    for hit in re.finditer(rf'"[^"]*"|#.*|{option}|\b{word}\b', line):
        if hit[0] == word:
            yield hit.start() + 1
