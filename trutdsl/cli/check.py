"""`trutdsl check`: are these variants well formed?"""

from __future__ import annotations

from typing import Annotated

import typer

from trutdsl.diagnostics import Rejected, render_all
from trutdsl.ir import build_program
from trutdsl.variant import load_file, load_variant


def check(
    files: Annotated[list[str], typer.Argument(help="Variant or module files, or shipped names.")],
) -> None:
    """Check variants: syntax, names, types, hidden cards, rules that nothing uses.

    A module is read by itself; what it means is checked with each variant that uses it.

    Example: trutdsl check variants/trut.yaml my-house.yaml
    """
    bad = False
    for file in files:
        try:
            typer.echo(f"{file}: {check_one(file)}")
        except Rejected as rejected:
            bad = True
            typer.echo(render_all(rejected), err=True)
    if bad:
        raise typer.Exit(2)


def check_one(ref: str) -> str:
    """Check one file and return what it is in a few words; raises `Rejected`."""
    if ref.endswith((".yaml", ".yml")) and load_file(ref)[0].kind == "module":
        return "ok, a module; what its rules mean is checked in a variant that uses it"
    variant = load_variant(ref)
    program = build_program(variant)
    players = ", ".join(map(str, variant.players))
    rules = sum(1 for rule in program.rules.values() if rule.layer == variant.name)
    inherited = len(program.rules) - rules
    bases = f", {inherited} from what it builds on" if inherited else ""
    return f"ok, {variant.title} for {players} players; rules of its own: {rules}{bases}"
