"""`trutdsl show`: what a player wants to know before sitting down."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from trutdsl.cli.options import Parameters
from trutdsl.cli.screen import Screen
from trutdsl.game import load_game
from trutdsl.report.rulebook import describe_variant, print_variant


def show(
    variant: Annotated[str, typer.Argument(help="A shipped variant's name, or a file.")],
    param: Parameters = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show a variant: players, pack, strength, parameters, questions, rules.

    Example: trutdsl show trut
    """
    game = load_game(variant, parameters=param or [])
    described = describe_variant(game.variant, game.program, game.parameter_texts())
    if as_json:
        typer.echo(json.dumps(described, indent=2, sort_keys=True))
        return
    print_variant(described, Screen(highlight=False))
