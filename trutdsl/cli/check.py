"""`trutdsl check`: are these variants well formed?"""

from __future__ import annotations

from typing import Annotated

import typer

from trutdsl.diagnostics import Rejected, render_all
from trutdsl.ir import build_program
from trutdsl.syntax.ast import Define, Rule
from trutdsl.variant import Variant, load_file, load_variant


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
    build_program(variant)
    players = ", ".join(map(str, variant.players))
    own, inherited = count_rules(variant)
    bases = f", {inherited} from what it builds on" if inherited else ""
    return f"ok, {variant.title} for {players} players; rules and defines of its own: {own}{bases}"


def count_rules(variant: Variant) -> tuple[int, int]:
    """Return how many rules, pieces of rules and defines a variant's own file has, and others'.

    Of those that are replaced, the last one counts.
    """
    own = 0
    others: set[str | tuple[str, int]] = set()
    for layer in variant.layers:
        rules = layer.rules
        both: tuple[Rule | Define, ...] = (*rules.rules, *rules.defines) if rules else ()
        for number, one in enumerate(both):
            piece = isinstance(one, Rule) and one.piece is not None
            key: str | tuple[str, int] = (layer.name, number) if piece else one.name.text
            if layer.own:
                own += 1
                others.discard(key)
            else:
                others.add(key)
    return own, len(others)
