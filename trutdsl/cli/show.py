"""`trutdsl show`: what a player wants to know before sitting down."""

from __future__ import annotations

import json

import typer

from trutdsl.cli.options import Parameters, PrintJson, Variant
from trutdsl.cli.output import make_console
from trutdsl.game import load_game
from trutdsl.report.rulebook import describe_variant, print_variant


def show(
    variant: Variant,
    param: Parameters = None,
    as_json: PrintJson = False,
) -> None:
    """Show a variant: players, pack, strength, parameters, questions, rules.

    Example: trutdsl show trut
    """
    game = load_game(variant, parameters=param or [])
    described = describe_variant(game.variant, game.program, game.parameter_texts())
    if as_json:
        typer.echo(json.dumps(described, indent=2, sort_keys=True))
        return
    print_variant(described, make_console())
