"""`trutdsl migrate`: brings the files of a variant up to the present edition of the language."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from trutdsl.cli.options import PrintJson
from trutdsl.language import say


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
    from trutdsl.api.rewrite import migrate as migrated

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
