"""Files of rules as one call each: check, describe, compare, migrate, begin a house rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import unified_diff
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from trutdsl.api.check_file import check_one, find_doubts
from trutdsl.arguments import checked
from trutdsl.diagnostics import BadUsage, Diagnostic, Excerpt, Rejected
from trutdsl.files import write_whole
from trutdsl.language import NARROW, WIDE, current_language, languages, say, speaking

FileLike = str | PathLike[str]
TABLE = 4  # players in the example of a rulebook, unless it is for another number


@checked
def check(
    *files: FileLike, against: FileLike | None = None, strict: bool = False
) -> list[Diagnostic]:
    """Return the mistakes and warnings of variants, modules and scripts; none for correct files.

    against: check scripts with this variant only. strict: warnings are mistakes.
    """
    found: list[Diagnostic] = []
    for file in [fspath(one) for one in files]:
        try:
            check_one(file, None if against is None else fspath(against))
            doubts = find_doubts(file)
            found += [replace(one, kind="error") if strict else one for one in doubts]
        except Rejected as rejected:
            found += rejected.diagnostics
    return found


@checked
def describe(variant: FileLike, parameters: Mapping[str, object] | None = None) -> dict[str, Any]:
    """Return players, pack, strength, parameters, questions and rules of a variant."""
    from trutdsl.game import load_game
    from trutdsl.report.rulebook import describe_variant

    game = load_game(fspath(variant), parameters=parameters or {}, engine="reference")
    return describe_variant(game.variant, game.program, game.parameter_texts())


@checked
def diff(
    variant: FileLike, other: FileLike, parameters: Mapping[str, object] | None = None
) -> dict[str, dict[str, str]]:
    """Return how two variants differ, in words: section -> what -> the difference."""
    from trutdsl.game import load_game
    from trutdsl.report.differences import tell_differences

    one, two = (
        load_game(fspath(ref), parameters=parameters or {}, engine="reference")
        for ref in (variant, other)
    )
    return {key: dict(rows) for key, _, rows in tell_differences(one, two, as_written=True)}


@checked
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

    if language not in (None, *languages()):
        known = ", ".join(languages())
        raise BadUsage(f"found the language '{language}', expected one of: {known}")
    game = load_game(fspath(variant), players, parameters or {}, engine="reference")
    if players is None and TABLE in game.variant.players:
        game = load_game(fspath(variant), TABLE, parameters or {}, engine="reference")
    with speaking(language or current_language(), NARROW if html else WIDE):
        book = write_book(game, players)
        return render_book(book) if html else write_markdown(book)


@checked
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
    from trutdsl.variant.parameters import written

    settings = [f"{key}={written(value)}" for key, value in (parameters or {}).items()]
    return write_house_rule(name, fspath(base), settings, Path(folder))


@checked
def migrate(*files: FileLike, write: bool = False) -> list[dict[str, Any]]:
    """Bring files up to the present edition of the language, or return only what would change.

    Each has its `file`, `edition`, whether it `changed`, and a `diff`.
    """
    from trutdsl.variant.manifest import LATEST

    found = []
    for name, text in _new_texts([fspath(one) for one in files]).items():
        old = Path(name).read_text(encoding="utf-8")
        diff = unified_diff(old.splitlines(True), text.splitlines(True), name, name)
        lines = [line if line.endswith("\n") else line + "\n" for line in diff]
        changed = bool(lines)
        found.append({"file": name, "edition": LATEST, "changed": changed, "diff": "".join(lines)})
        if write and changed:
            write_whole(Path(name), text)
    return found


def _new_texts(files: Sequence[str]) -> Mapping[str, str]:
    """Return the text of each file in the present edition, by its name."""
    from trutdsl.ir.editions import bring_up
    from trutdsl.variant import is_module, load_file, load_variant
    from trutdsl.variant.editions import mark, rename_taken
    from trutdsl.variant.manifest import LATEST

    texts = dict[str, str]()
    for name in files:
        if not name.endswith((".yaml", ".yml")):
            raise BadUsage(say("'{file}' is not the path of a YAML file", file=name))
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
