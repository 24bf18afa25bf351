"""`trutdsl new`: the two files of a house rule, ready to be changed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from trutdsl.diagnostics import BadUsage
from trutdsl.language import say


def new(
    name: Annotated[str, typer.Argument(help="The name of your rules, such as our-trut.")],
    base: Annotated[
        str, typer.Option("--from", metavar="VARIANT", help="The variant to begin with.")
    ] = "trut",
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Set a parameter; can be repeated."),
    ] = None,
) -> None:
    """Begin a house rule: write NAME.yaml and NAME-scenarios.yaml into this folder.

    No file is overwritten. NAME.yaml sets parameters, lists the other ones, and shows how a rule is
    changed. The scenarios begin with one deal that was played by chance.

    Example: trutdsl new our-trut --from trut --set goal=5
    """
    from trutdsl.cli.house_rule import rule_lines, scenario_text
    from trutdsl.game import load_game
    from trutdsl.variant import list_variants
    from trutdsl.variant.read_values import HYPHENATED, LONGEST_NAME

    if not re.fullmatch(HYPHENATED.pattern, name) or len(name) > LONGEST_NAME:
        raise BadUsage(
            say(
                "'{name}' cannot be the name of a variant; expected {words}, at most "
                "{longest_name} in all",
                name=name,
                words=say(HYPHENATED.words),
                longest_name=LONGEST_NAME,
            )
        )
    if name in list_variants():
        raise BadUsage(say("a shipped variant is called '{name}'; choose another name", name=name))
    game = load_game(base, parameters=settings or [], engine="reference")
    rules, scenarios = Path(f"{name}.yaml"), Path(f"{name}-scenarios.yaml")
    for path in (rules, scenarios):
        if path.exists():
            raise BadUsage(
                say("{path} is there already; choose another name, or remove it", path=path)
            )
    given = dict(text.split("=", 1) for text in settings or [])
    _write(rules, "\n".join(rule_lines(name, base, game.variant, given)) + "\n")
    own = load_game(str(rules), engine="reference")
    _write(scenarios, scenario_text(own))
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


def _write(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as problem:
        raise BadUsage(
            say(
                "{path} cannot be written: {strerror}",
                path=path,
                strerror=say(problem.strerror or ""),
            )
        ) from None
