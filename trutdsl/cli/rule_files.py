"""`trutdsl new`, `format`, `migrate`, `rules`: writes files of rules, and rulebooks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from trutdsl.cli.options import Parameters, Players, PrintJson, Variant
from trutdsl.cli.output import PAGES, check_page, note, store_page
from trutdsl.diagnostics import Rejected, render_all
from trutdsl.language import mark, say, say_count

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
        f"diff {base} {rules}": say("see what is different"),
        f"play {rules}": say("play it yourself"),
        f"compare {base} {rules}": say("measure what your rules change"),
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
