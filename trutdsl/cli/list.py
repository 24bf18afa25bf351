"""`trutdsl list`: what is shipped."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.table import Table

from trutdsl.cli.output import Screen
from trutdsl.strategy import list_strategies, load_strategy
from trutdsl.variant import list_variants, load_variant


def list_all(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the shipped variants and strategies.

    Example: trutdsl list
    """
    variants = [load_variant(name) for name in list_variants()]
    strategies = [load_strategy(name) for name in list_strategies()]
    if as_json:
        found = {
            "variants": [
                {"name": v.name, "title": v.title, "players": list(v.players), "base": v.base}
                for v in variants
            ],
            "strategies": [{"name": s.name, "summary": s.summary} for s in strategies],
        }
        typer.echo(json.dumps(found, indent=2, sort_keys=True))
        return
    console = Screen(highlight=False)
    table = Table("variant", "title", "players", "extends", box=None, pad_edge=False)
    for v in variants:
        table.add_row(v.name, v.title, ", ".join(map(str, v.players)), v.base or "")
    console.print(table)
    console.print()
    table = Table("strategy", "what it does", box=None, pad_edge=False)
    for s in strategies:
        table.add_row(s.name, s.summary)
    console.print(table)
