"""Finds texts without an entry in a catalogue: `python tools/messages.py fr [--write]`.

A text is an argument of `say`, `say_count` or `mark`, or the value of a variable `text`. With
`--write`, each missing text gets an entry without a translation; entries are sorted by their texts.
"""

from __future__ import annotations

import ast
import io
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

PACKAGE = Path(__file__).resolve().parent.parent / "trutdsl"
Text = str | tuple[str, str]  # singular and plural


def texts_in(source: str) -> Iterator[Text]:
    """Yield the texts of a module."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Name(id="say_count"), args=[_, one, many]):
                yield from zip(_constants(one), _constants(many), strict=True)
            case ast.Call(func=ast.Name(id="say" | "mark"), args=[text, *_]):
                yield from _constants(text)
            case ast.Assign(targets=[ast.Name(id="text")], value=value):
                yield from _constants(value)
            case ast.AnnAssign(target=ast.Name(id="PHRASES"), value=ast.Tuple(elts=rows)):
                for row in rows:  # a pattern, and the help for what it matches
                    if isinstance(row, ast.Tuple):
                        yield from filter(_has_words, _constants(row.elts[-1]))


def _has_words(text: str) -> bool:
    """Return whether a text is more than one code in backquotes, which no language translates."""
    return re.fullmatch(r"`[^`]*`", text) is None


def _constants(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)) if text.strip():
            yield text
        case ast.IfExp(body=body, orelse=other):
            yield from _constants(body)
            yield from _constants(other)


@cache
def all_texts() -> frozenset[Text]:
    """Return the texts of all modules."""
    return frozenset(
        text for file in sorted(PACKAGE.rglob("*.py")) for text in texts_in(file.read_text("utf-8"))
    )


def path_of(language: str) -> Path:
    return PACKAGE / "translations" / f"{language}.po"


def read_catalogue(language: str) -> Catalog:
    """Return the catalogue of a language."""
    with path_of(language).open("rb") as file:
        return read_po(file)


def missing_in(catalogue: Catalog) -> list[Text]:
    """Return the texts without a translation, in their order."""
    known = {
        one if isinstance(one, str) else one[0]
        for message in catalogue
        if message.string and (one := message.id)
    }
    texts = {one if isinstance(one, str) else one[0]: one for one in sorted(all_texts(), key=str)}
    return [texts[text] for text in sorted(texts.keys() - known)]


def text_of(language: str, catalogue: Catalog) -> str:
    """Return the text of a catalogue's file: its old header, and the sorted entries."""
    header = path_of(language).read_text("utf-8").partition("\n\n")[0]
    buffer = io.BytesIO()
    for message in catalogue:
        message.flags.clear()
    write_po(buffer, catalogue, width=100, sort_output=True, omit_header=True)
    return header + "\n\n" + buffer.getvalue().decode().lstrip("\n")


def main(language: str, *flags: str) -> None:
    """Print the missing texts, or write them into the catalogue."""
    catalogue = read_catalogue(language)
    missing = missing_in(catalogue)
    for text in missing:
        sys.stdout.write(f"{text}\n")
        if "--write" in flags:
            catalogue.add(text, "" if isinstance(text, str) else ("", ""))
    if "--write" in flags:
        path_of(language).write_text(text_of(language, catalogue), "utf-8")
    sys.exit(1 if missing else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
