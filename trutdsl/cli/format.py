"""`trutdsl format`: brings rules and scripts into the one layout of the language."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from trutdsl.cli.options import PrintJson
from trutdsl.diagnostics import Rejected, render_all
from trutdsl.language import say, say_count


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
    from trutdsl.api.rewrite import format_files

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
