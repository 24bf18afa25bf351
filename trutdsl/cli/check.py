"""`trutdsl check`: are these variants and scripts well formed?"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from trutdsl.cli.options import NoCache
from trutdsl.diagnostics import Diagnostic, Rejected, counted, render, render_all
from trutdsl.files import is_script
from trutdsl.variant import Variant, is_module, load_file, load_variant
from trutdsl.variant.load import shipped_library
from trutdsl.variant.model import check_once, note_clean, was_clean, was_right


def check(
    files: Annotated[
        list[str], typer.Argument(help="Files of variants, modules or scripts, or shipped names.")
    ],
    against: Annotated[
        str | None,
        typer.Option("--for", metavar="VARIANT", help="Check scripts with this variant only."),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Treat warnings as errors.")] = False,
    no_cache: NoCache = False,  # noqa: ARG001 - `Command` reads it
) -> None:
    """Check variants and scripts: syntax, names, types, hidden cards, what nothing uses or covers.

    What can be meant but most likely is not is a warning; with --strict it is a mistake.

    A module is read by itself; what it means is checked with each variant that uses it. A script
    is checked with every variant that it is for.

    Example: trutdsl check my-house.yaml bluffer.strategy --for my-house.yaml
    """
    bad = False
    for file in files:
        try:
            result = check_one(file, against)
            doubts = find_doubts(file)
            for one in doubts:
                shown = replace(one, kind="error") if strict else one
                typer.echo(render(shown), err=True)
            if doubts and strict:
                bad = True
            else:
                also = f"; {counted(len(doubts), 'warning')}" if doubts else ""
                typer.echo(f"{file}: {result}{also}")
        except Rejected as rejected:
            bad = True
            typer.echo(render_all(rejected), err=True)
    if bad:
        raise typer.Exit(2)


def find_doubts(ref: str) -> tuple[Diagnostic, ...]:
    """Return the warnings for the files of a correct variant; none for other files."""
    if is_script(ref) or (ref.endswith((".yaml", ".yml")) and is_module(ref)):
        return ()
    variant = load_variant(ref, known=was_right)
    if was_clean(variant):
        return ()
    from trutdsl.ir import build_program  # a cached result needs no import
    from trutdsl.ir.check.warn import find_warnings

    shipped = f"{shipped_library().name}/"
    own = [one for one in variant.layers if one.own or not one.path.startswith(shipped)]
    files = frozenset(one.text.excerpt.source.name for one in own if one.text is not None)
    doubts = find_warnings(build_program(variant), files)
    if not doubts:
        note_clean(variant)
    return doubts


def check_one(ref: str, against: str | None = None) -> str:
    """Check one file and return a short description; raises `Rejected`."""
    if is_script(ref):
        return _check_script(ref, against)
    if ref.endswith((".yaml", ".yml")) and is_module(ref):
        load_file(ref)
        return "ok, a module; what its rules mean is checked in a variant that uses it"
    variant = load_variant(ref, known=was_right)
    own, inherited = check_once(variant, _check_meaning)
    players = ", ".join(map(str, variant.players))
    bases = f", {inherited} from what it builds on" if inherited else ""
    return f"ok, {variant.title} for {players} players; rules and defines of its own: {own}{bases}"


def _check_script(ref: str, against: str | None) -> str:
    # The check of a variant needs none of these imports.
    from trutdsl.strategy import ScriptSpec, load_strategy
    from trutdsl.strategy.fitness import check_meant, check_script, meant_variants

    spec = load_strategy(ref)
    assert isinstance(spec, ScriptSpec)
    if against is not None:
        variants = [load_variant(against)]
        check_meant(spec, variants[0])
    else:
        variants = meant_variants(spec)
    check_script(spec, variants)
    names = ", ".join(variant.name for variant in variants)
    set_by = ", ".join(f"{p.name}={p.text_of(p.default)}" for p in spec.script.parameters.values())
    return f"ok, complete on {names}" + (f"; parameters: {set_by}" if set_by else "")


def _check_meaning(variant: Variant) -> None:
    from trutdsl.ir import build_program  # a cached result needs no import

    build_program(variant)
