"""`trutdsl check`, `new`, `format`, `migrate`, `rules`: checks and writes files of rules."""

from __future__ import annotations

import json
import shlex
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, NoReturn
from urllib.parse import quote

import typer

from trutdsl.cli.options import NoCache, Parameters, Players, PrintJson, Variant
from trutdsl.cli.output import PAGES, check_page, note, store_page
from trutdsl.diagnostics import BadUsage, Diagnostic, Rejected, render, render_all
from trutdsl.files import own_version
from trutdsl.language import mark, one_by_one, say, say_count


def check_files(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...", help="Files of variants, modules or scripts, or shipped names."
        ),
    ],
    against: Annotated[
        str | None,
        typer.Option("--for", metavar="VARIANT", help="Check scripts with this variant only."),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Treat warnings as errors.")] = False,
    output_format: Annotated[
        str, typer.Option(metavar="FORMAT", help="text, json, github or sarif.")
    ] = "text",
    as_json: PrintJson = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Check again whenever one of the files changes.")
    ] = False,
    no_cache: NoCache = False,  # noqa: ARG001 - `Command` reads it
) -> None:
    """Check variants and scripts: syntax, names, types, hidden cards, unused parts, unanswered
    questions.

    Rules that are valid but probably a mistake get a warning; with --strict, an error.

    A module is read by itself; what it means is checked with each variant that uses it. A script
    is checked with every variant that it is for.

    With --watch, check again whenever a file changes, or one that it builds on, until Ctrl-C.

    Example: trutdsl check my-house.yaml bluffer.strategy --for my-house.yaml
    """
    if as_json and output_format not in (TEXT, JSON):
        raise BadUsage(say("--json and --output-format are two ways to say one thing; give one"))
    write = WRITERS.get(JSON if as_json else output_format)
    if write is None and output_format != TEXT:
        text = "--output-format {output_format}: choose {names}"
        raise BadUsage(say(text, output_format=output_format, names=", ".join((TEXT, *WRITERS))))
    if watch:
        check_on_changes(lambda: _check_all(files, against, strict, write))
    if not _check_all(files, against, strict, write):
        raise typer.Exit(2)


def _check_all(
    files: Sequence[str], against: str | None, strict: bool, write: Writer | None
) -> bool:
    """Check files and print what is found; return whether there is no mistake."""
    from trutdsl.api.rules import check_one, find_doubts

    diagnostics: list[Diagnostic] = []
    for file in files:
        try:
            result = check_one(file, against)
            doubts = [replace(d, kind="error") if strict else d for d in find_doubts(file)]
        except Rejected as rejection:
            diagnostics += rejection.diagnostics
            if write is None:
                typer.echo(render_all(rejection), err=True)
            continue
        diagnostics += doubts
        if write is None:
            for one in doubts:
                typer.echo(render(one), err=True)
            if not (doubts and strict):
                also = [say_count(len(doubts), "warning", "warnings")] if doubts else []
                typer.echo(f"{file}: {one_by_one([result, *also])}")
    if write is not None and (text := write(diagnostics)):
        typer.echo(text)
    return all(one.kind != "error" for one in diagnostics)


def check_on_changes(check_all: Callable[[], object]) -> NoReturn:
    """Check now, and again after each change of a file that the last check has read."""
    from trutdsl.variant.source import noting_files, stamp_of

    while True:
        with noting_files() as files:
            check_all()
        sys.stdout.flush()
        number = say_count(len(files), "file", "files")
        note(say("watching {number}; Ctrl-C ends this", number=number))
        while all(stamp_of(path) == stamp for path, stamp in files.items()):
            time.sleep(LOOK)


def _as_json(diagnostics: Sequence[Diagnostic]) -> str:
    return json.dumps([_fields(one) for one in diagnostics], indent=2, ensure_ascii=False)


def _fields(one: Diagnostic) -> dict[str, object]:
    """Return a diagnostic as it is documented; lines and columns count from 1."""
    span = one.span
    return {
        "file": span.source.name, "line": span.line, "column": span.col,
        "end_line": span.end_line, "end_column": span.end_col,
        "severity": one.kind, "code": one.code, "message": one.message, "help": one.help,
    }  # fmt: skip


def _as_github(diagnostics: Sequence[Diagnostic]) -> str:
    """Return workflow commands of GitHub, which show each diagnostic at its line."""

    def escaped(text: str, more: str = "") -> str:
        return "".join(f"%{ord(c):02X}" if c in "%\r\n" + more else c for c in text)

    lines = []
    for one in diagnostics:
        span = one.span
        place = {
            "file": span.source.name, "line": span.line, "endLine": span.end_line,
            "col": span.col, "endColumn": span.end_col, "title": one.code,
        }  # fmt: skip
        keys = ",".join(f"{key}={escaped(str(value), ':,')}" for key, value in place.items())
        text = one.message + (f"\nhelp: {one.help}" if one.help else "")
        lines.append(f"::{one.kind} {keys}::{escaped(text)}")
    return "\n".join(lines)


def _as_sarif(diagnostics: Sequence[Diagnostic]) -> str:
    """Return a log in SARIF 2.1.0, the format of code scanners (OASIS 2020)."""
    results = [
        {
            "ruleId": one.code,
            "level": one.kind,
            "message": {"text": one.message + (f"\nhelp: {one.help}" if one.help else "")},
            "locations": [{"physicalLocation": {
                "artifactLocation": {"uri": quote(one.span.source.name)},
                "region": {
                    "startLine": one.span.line, "startColumn": one.span.col,
                    "endLine": one.span.end_line, "endColumn": one.span.end_col,
                },
            }}],
        }
        for one in diagnostics
    ]  # fmt: skip
    rules = [{"id": code} for code in sorted({one.code for one in diagnostics})]
    driver = {"name": "trutdsl", "version": own_version(), "rules": rules}
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
        ],
    }
    return json.dumps(log, indent=2, ensure_ascii=False)


Writer = Callable[[Sequence[Diagnostic]], str]
LOOK = 0.5  # seconds between two looks at the files
TEXT, JSON = "text", "json"
WRITERS = {JSON: _as_json, "github": _as_github, "sarif": _as_sarif}


ENDINGS = (".html", ".md", ".htm")


def new(
    name: Annotated[str, typer.Argument(help="The name of your rules, such as our-trut.")],
    base: Annotated[
        str, typer.Option("--from", metavar="VARIANT", help="The variant to begin with.")
    ] = "trut",
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Set a parameter; repeatable."),
    ] = None,
) -> None:
    """Begin a house rule: write NAME.yaml and NAME-scenarios.yaml into this folder.

    No file is overwritten. NAME.yaml sets parameters, lists the other ones, and shows how to
    change a rule. NAME-scenarios.yaml begins with one deal that was played at random.

    Example: trutdsl new our-trut --from trut --set goal=5
    """
    from trutdsl.api.house_rule import write_house_rule

    rules, scenarios = write_house_rule(name, base, settings or [], Path())
    typer.echo(say("written: {file}", file=f"{rules}, {scenarios}"))
    typer.echo(say("what to do next:"))
    steps = {
        f"check {rules}": say("find mistakes"),
        f"scenario {scenarios}": say("play the scenarios"),
        f"diff {shlex.quote(base)} {rules}": say("see what is different"),
        f"play {rules}": say("play it yourself"),
        f"compare {shlex.quote(base)} {rules}": say("measure what your rules change"),
    }
    for command, what in steps.items():
        typer.echo(f"  trutdsl {command:{max(map(len, steps))}}  {what}")


def format_rules(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="Files of variants, modules, rules or scripts."),
    ],
    check: Annotated[
        bool,
        typer.Option("--check", help="Change no file; print the diff, and exit 1 if there is any."),
    ] = False,
    as_json: PrintJson = False,
) -> None:
    """Bring rules and scripts into one layout: indentation, blanks and blank lines.

    Words and comments stay, and the YAML around the rules. A file with a mistake is left as it is.

    Example: trutdsl format our-trut.yaml ours.strategy
    """
    from trutdsl.api.rules import format_files

    results, mistakes = [], False
    for file in files:
        try:
            results += format_files(file, write=not check)
        except Rejected as rejection:
            typer.echo(render_all(rejection), err=True)
            mistakes = True
    changed = [one for one in results if one["changed"]]
    if as_json:
        typer.echo(json.dumps(results, indent=2))
    elif check:
        typer.echo("".join(one["diff"] for one in changed), nl=False)
    else:
        for one in changed:
            typer.echo(say("{file}: formatted", file=one["file"]))
    if not as_json and not changed and results:
        number = say_count(len(results), "file", "files")
        typer.echo(say("nothing to change in {number}", number=number))
    if mistakes or (check and changed):
        raise typer.Exit(2 if mistakes else 1)


def migrate(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="Files of variants and modules.")
    ],
    write: Annotated[bool, typer.Option("--write", help="Change the files.")] = False,
    as_json: PrintJson = False,
) -> None:
    """Bring files up to the present edition of the language: print a diff, or change the files.

    Comments and layout stay. Name a variant's own modules and bases here, too, to change them.

    Example: trutdsl migrate our-trut.yaml --write
    """
    from trutdsl.api.rules import migrate as migrated

    results = migrated(*files, write=write)
    for one in () if as_json else results:
        if write and one["changed"]:
            text = "{file}: edition {edition} now"
            typer.echo(say(text, file=one["file"], edition=one["edition"]))
        else:
            typer.echo(one["diff"], nl=False)
    if as_json:
        typer.echo(json.dumps(results, indent=2))
    elif not any(one["changed"] for one in results):
        from trutdsl.variant.manifest import LATEST

        typer.echo(say("nothing to change: edition {edition}", edition=LATEST))


def write_rules(
    variant: Variant,
    players: Players = None,
    param: Parameters = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Write this file; .html or .md."),
    ] = None,
) -> None:
    """Write the rulebook of a variant, for newcomers to the game.

    It states the rules for the given parameters, shows the cards, and follows one played deal. For
    a house rule, it marks the differences from the base. Without -o, print it as Markdown.

    Example: trutdsl rules trut --lang fr -o trut.html
    """
    from trutdsl.api.rules import rulebook

    if out is not None:
        check_page(out, mark("a rulebook"), ENDINGS)
    page = out is not None and out.suffix in PAGES
    text = rulebook(variant, players, param, html=page)
    if out is None:
        typer.echo(text, nl=False)
        return
    store_page(out, text)
    note(say("written: {file}", file=out))
