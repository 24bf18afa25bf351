"""`trutdsl new`: the two files of a house rule, ready to be changed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trutdsl.language import say


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
