"""Files of rules as one call each: check, describe, compare, format, migrate, begin one."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import unified_diff
from itertools import takewhile
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trutdsl.arguments import check_arguments, check_language
from trutdsl.diagnostics import BadUsage, Diagnostic, Excerpt, Rejected, Source, refuse_os_errors
from trutdsl.files import is_script, write_whole
from trutdsl.language import NARROW, WIDE, current_language, one_by_one, say, speaking
from trutdsl.variant import Variant, is_module, load_file, load_variant, words_of
from trutdsl.variant.load import shipped_library
from trutdsl.variant.model import check_once, note_clean, was_clean, was_right
from trutdsl.variant.parameters import format_value
from trutdsl.variant.read_values import shorten
from trutdsl.variant.source import FILE, instead_of_kind, near_file, read_source

if TYPE_CHECKING:
    from trutdsl.syntax.formatter import Start

FileLike = str | PathLike[str]
LONGEST_TITLE = 120  # in the line of `check`
TABLE = 4  # players in the example of a rulebook, unless it is for another number


@check_arguments
def check(
    *files: FileLike, against: FileLike | None = None, strict: bool = False
) -> list[Diagnostic]:
    """Return the mistakes and warnings of variants, modules and scripts; none for correct files.

    against: check scripts with this variant only. strict: warnings are mistakes.
    """
    result: list[Diagnostic] = []
    for file in [fspath(one) for one in files]:
        try:
            check_one(file, None if against is None else fspath(against))
            doubts = find_doubts(file)
            result += [replace(one, kind="error") if strict else one for one in doubts]
        except Rejected as rejection:
            result += rejection.diagnostics
    return result


@check_arguments
def describe(variant: FileLike, parameters: Mapping[str, object] | None = None) -> dict[str, Any]:
    """Return players, pack, strength, parameters, questions and rules of a variant."""
    from trutdsl.game import load_game
    from trutdsl.report.rulebook import describe_variant

    game = load_game(fspath(variant), parameters=parameters or {}, engine="reference")
    return describe_variant(game)


@check_arguments
def diff(
    variant: FileLike, other: FileLike, parameters: Mapping[str, object] | None = None
) -> dict[str, dict[str, str]]:
    """Return how two variants differ, in words: section -> what -> the difference."""
    from trutdsl.game import load_game
    from trutdsl.report.variant_text import tell_differences

    one, two = (
        load_game(fspath(ref), parameters=parameters or {}, engine="reference")
        for ref in (variant, other)
    )
    return {key: dict(rows) for key, _, rows in tell_differences(one, two, as_written=True)}


@check_arguments
def rulebook(
    variant: FileLike,
    players: int | None = None,
    parameters: Mapping[str, object] | Sequence[str] | None = None,
    *,
    html: bool = True,
    language: str | None = None,
) -> str:
    """Return the rulebook of a variant as a page, or as Markdown.

    language: `en` or `fr`, by default the current one.
    """
    from trutdsl.game import load_game
    from trutdsl.report.book import write_book
    from trutdsl.report.book_pages import render_book, write_markdown

    if language is not None:
        check_language(language)
    game = load_game(fspath(variant), players, parameters or {}, engine="reference")
    if players is None and TABLE in game.variant.players:
        game = load_game(fspath(variant), TABLE, parameters or {}, engine="reference")
    with speaking(language or current_language(), NARROW if html else WIDE):
        book = write_book(game, players)
        return render_book(book) if html else write_markdown(book)


@check_arguments
def new_variant(
    name: str,
    base: FileLike = "trut",
    parameters: Mapping[str, object] | None = None,
    folder: FileLike = ".",
) -> tuple[Path, Path]:
    """Write the file of a house rule and its scenarios into a folder; return their paths.

    parameters: those that it sets. No file is overwritten.
    """
    from trutdsl.api.house_rule import write_house_rule

    settings = [f"{key}={format_value(value)}" for key, value in (parameters or {}).items()]
    return write_house_rule(name, fspath(base), settings, Path(folder))


def find_doubts(ref: str) -> tuple[Diagnostic, ...]:
    """Return the warnings for the files of a correct variant; none for other files."""
    if is_script(ref) or (ref.endswith((".yaml", ".yml")) and is_module(ref)):
        return ()
    variant = _present(ref)
    if was_clean(variant):
        return ()
    from trutdsl.ir import build_program  # a cached result needs no import
    from trutdsl.ir.check.warn import find_warnings

    prefix = f"{shipped_library().name}/"
    own = [one for one in variant.layers if one.own or not one.path.startswith(prefix)]
    files = frozenset(one.path for one in own)
    doubts = variant.older + find_warnings(build_program(variant), variant, files)
    if not doubts:
        note_clean(variant)
    return doubts


def check_one(ref: str, against: str | None = None) -> str:
    """Check one file and return a short description; raises `Rejected`."""
    if is_script(ref):
        return _check_script(ref, against)
    if ref.endswith((".yaml", ".yml")) and is_module(ref):
        load_file(ref)
        return say("ok, a module; what its rules mean is checked in a variant that uses it")
    variant = _present(ref)
    own, inherited = check_once(variant, _check_meaning)
    players = ", ".join(map(str, variant.players))
    bases = say(", {inherited} inherited", inherited=inherited) if inherited else ""
    text = "ok, {title} for {players} players; rules and defines: {own} own{bases}"
    return say(
        text,
        title=shorten(words_of(variant).title, LONGEST_TITLE),
        players=players,
        own=own,
        bases=bases,
    )


def _check_script(ref: str, against: str | None) -> str:
    # The check of a variant needs none of these imports.
    from trutdsl.strategy.fitness import check_meant, check_script, variants_of_script
    from trutdsl.strategy.load import load_strategy
    from trutdsl.strategy.script import ScriptSpec

    spec = load_strategy(ref)
    assert isinstance(spec, ScriptSpec)
    if against is not None:
        variants = [load_variant(against)]
        check_meant(spec, variants[0])
    else:
        variants = variants_of_script(spec)
    check_script(spec, variants)
    names = ", ".join(variant.name for variant in variants)
    settings = ", ".join(
        f"{p.name}={p.text_of(p.default)}" for p in spec.script.parameters.values()
    )
    return say("ok, complete on {names}", names=names) + (
        say("; parameters: {set_by}", set_by=settings) if settings else ""
    )


def _present(ref: str) -> Variant:
    """Return a variant in the present edition of the language."""
    variant = load_variant(ref, known=was_right)
    if was_right(variant):
        return variant
    from trutdsl.ir.editions import bring_up  # a cached result needs no import

    return bring_up(variant)


def _check_meaning(variant: Variant) -> None:
    from trutdsl.ir import build_program  # a cached result needs no import

    build_program(variant)


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
    return {
        name: mark(Source(name, text)).text if name in files else text
        for name, text in texts.items()
    }
