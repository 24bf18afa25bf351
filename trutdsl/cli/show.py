"""`trutdsl show`: what a player wants to know before sitting down."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from trutdsl.cli.screen import Screen
from trutdsl.ir import build_program
from trutdsl.report.rulebook import describe_variant, print_variant
from trutdsl.variant import load_variant


def show(
    variant: Annotated[str, typer.Argument(help="A shipped variant's name, or a file.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show a variant: players, pack, strength, parameters, questions, rules.

    Example: trutdsl show trut
    """
    found = load_variant(variant)
    described = describe_variant(found, build_program(found))
    if as_json:
        typer.echo(json.dumps(described, indent=2, sort_keys=True))
        return
    print_variant(described, Screen(highlight=False))
