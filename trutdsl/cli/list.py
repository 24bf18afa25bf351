"""`trutdsl list` and `show`: the shipped variants and strategies, and one variant."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated, Any

import typer
from rich.table import Table

from trutdsl.cli.options import NoCache, Parameters, PrintJson, Variant
from trutdsl.cli.output import make_console
from trutdsl.files import hash_of, read_kept, shipped_folder, source_hash, write_kept

ENDINGS = (".yaml", ".py", ".strategy")


def list_all(
    as_json: PrintJson = False,
    matrix: Annotated[
        bool, typer.Option("--matrix", help="Show which strategy can play which variant.")
    ] = False,
    no_cache: NoCache = False,  # noqa: ARG001 - `Command` reads it
) -> None:
    """List the shipped variants and strategies, or which of them go together.

    Example: trutdsl list --matrix
    """
    shipped = _kept("matrix", _read_matrix) if matrix else _kept("shipped", _read_files)
    if as_json:
        typer.echo(json.dumps(shipped, indent=2, sort_keys=True))
        return
    if matrix:
        _show_matrix(shipped)
        return
    console = make_console()
    table = Table("variant", "title", "players", "extends", box=None, pad_edge=False)
    for v in shipped["variants"]:
        table.add_row(v["name"], v["title"], ", ".join(map(str, v["players"])), v["base"] or "")
    console.print(table)
    console.print()
    table = Table("strategy", "what it does", box=None, pad_edge=False)
    for s in shipped["strategies"]:
        table.add_row(s["name"], s["summary"])
    console.print(table)


def _kept(what: str, read: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return the result of reading the shipped files, cached for each state of them."""
    parts = list[str | bytes]()  # the name and content of each shipped file, the same everywhere
    for folder in (shipped_folder("variants"), shipped_folder("strategies")):
        for path in sorted(path for path in folder.rglob("*") if path.suffix in ENDINGS):
            parts += [path.relative_to(folder).as_posix(), path.read_bytes()]
    key = hash_of(what, source_hash("."), *parts)
    kept = read_kept(key)
    found: dict[str, Any] = json.loads(kept) if kept is not None else read()
    if kept is None:
        write_kept(key, json.dumps(found).encode())
    return found


def _show_matrix(found: dict[str, Any]) -> None:
    table = Table("strategy", "plays, with any number of players", box=None, pad_edge=False)
    for strategy in found["strategies"]:
        fits = {row["name"]: row["fits"][strategy] for row in found["variants"]}
        complete = [name for name, fit in fits.items() if fit == "complete"]
        lacking = [f"{name} (incomplete)" for name, fit in fits.items() if fit == "incomplete"]
        every = len(complete) == len(fits)
        table.add_row(strategy, "every variant" if every else ", ".join(complete + lacking))
    make_console().print(table)
    typer.echo("incomplete: `trutdsl check STRATEGY --for VARIANT` says why")


def _read_matrix() -> dict[str, Any]:
    """Return for each variant whether each script is complete on it, incomplete, or not for it."""
    from trutdsl.game import load_game
    from trutdsl.strategy import MONTE_CARLO, list_strategies, load_strategy
    from trutdsl.strategy.fitness import fitness
    from trutdsl.variant import list_variants

    specs = [load_strategy(name) for name in (*list_strategies(), MONTE_CARLO)]
    rows = []
    for name in list_variants():
        game = load_game(name)
        fits = {spec.name: fitness(spec, game) for spec in specs}
        rows.append({"name": name, "players": list(game.variant.players), "fits": fits})
    return {"strategies": [spec.name for spec in specs], "variants": rows}


def _read_files() -> dict[str, Any]:
    # A cached list needs none of these imports.
    from trutdsl.strategy import MONTE_CARLO, list_strategies, load_strategy
    from trutdsl.variant import list_variants, load_variant

    variants = [load_variant(name) for name in list_variants()]
    strategies = [load_strategy(name) for name in (*list_strategies(), MONTE_CARLO)]
    return {
        "variants": [
            {"name": v.name, "title": v.title, "players": list(v.players), "base": v.base}
            for v in variants
        ],
        "strategies": [{"name": s.name, "summary": s.summary} for s in strategies],
    }


def show(variant: Variant, param: Parameters = None, as_json: PrintJson = False) -> None:
    """Show a variant: players, pack, strength, parameters, questions, rules.

    Example: trutdsl show trut
    """
    from trutdsl.game import load_game
    from trutdsl.report.rulebook import describe_variant, print_variant

    game = load_game(variant, parameters=param or [])
    described = describe_variant(game.variant, game.program, game.parameter_texts())
    if as_json:
        typer.echo(json.dumps(described, indent=2, sort_keys=True))
        return
    print_variant(described, make_console())
