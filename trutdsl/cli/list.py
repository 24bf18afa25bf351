"""`trutdsl list`, `show`, `diff`, `where`: what is shipped, one variant, and two of them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trutdsl.cli.options import NoCache, Parameters, PrintJson, Variant
from trutdsl.cli.output import make_console, print_json
from trutdsl.diagnostics import BadUsage, did_you_mean
from trutdsl.files import hash_of, read_cache, shipped_folder, source_hash, write_cache
from trutdsl.language import current_language, say

if TYPE_CHECKING:
    from rich.table import Column

    from trutdsl.variant import Variant as LoadedVariant

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
    listing = (
        _read_cached("matrix", _read_matrix) if matrix else _read_cached("shipped", _read_files)
    )
    if as_json:
        print_json(listing)
        return
    if matrix:
        _show_matrix(listing)
        return
    from rich.table import Table  # slow

    console = make_console()
    names = _name_column(say("variant"), listing["variants"])
    table = Table(names, say("title"), say("players"), say("extends"), box=None, pad_edge=False)
    for v in listing["variants"]:
        title = v["titles"].get(current_language(), v["title"])
        table.add_row(v["name"], title, ", ".join(map(str, v["players"])), v["base"] or "")
    console.print(table)
    console.print()
    names = _name_column(say("strategy"), listing["strategies"])
    table = Table(names, say("what it does"), box=None, pad_edge=False)
    for s in listing["strategies"]:
        table.add_row(s["name"], say(s["summary"]))
    console.print(table)


def _name_column(title: str, rows: Iterable[Mapping[str, Any]]) -> Column:
    """Return a column of names to type, which no narrow terminal cuts."""
    from rich.table import Column  # slow

    return Column(title, no_wrap=True, min_width=max((len(row["name"]) for row in rows), default=1))


def _read_cached(what: str, read: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return the result of reading the shipped files, cached for each state of them."""
    parts = list[str | bytes]()  # the name and content of each shipped file, the same everywhere
    for folder in (shipped_folder("variants"), shipped_folder("strategies")):
        for path in sorted(path for path in folder.rglob("*") if path.suffix in ENDINGS):
            parts += [path.relative_to(folder).as_posix(), path.read_bytes()]
    key = hash_of(what, source_hash("."), *parts)
    data = read_cache(key)
    result: dict[str, Any] = json.loads(data) if data is not None else read()
    if data is None:
        write_cache(key, json.dumps(result).encode())
    return result


def _show_matrix(matrix: dict[str, Any]) -> None:
    from rich.table import Table  # slow

    table = Table(
        say("strategy"), say("plays, with any number of players"), box=None, pad_edge=False
    )
    for strategy in matrix["strategies"]:
        fits = {row["name"]: row["fits"][strategy] for row in matrix["variants"]}
        complete = [name for name, fit in fits.items() if fit == "complete"]
        others = [
            say("{name} (incomplete)", name=name)
            for name, fit in fits.items()
            if fit == "incomplete"
        ]
        every = len(complete) == len(fits)
        table.add_row(strategy, say("every variant") if every else ", ".join(complete + others))
    make_console().print(table)
    typer.echo(say("incomplete: `trutdsl check STRATEGY --for VARIANT` says why"))


def _read_matrix() -> dict[str, Any]:
    """Return for each variant whether each script is complete on it, incomplete, or not for it."""
    from trutdsl.game import load_game
    from trutdsl.strategy.fitness import fitness
    from trutdsl.strategy.load import list_strategies, load_strategy
    from trutdsl.strategy.monte_carlo import NAME as MONTE_CARLO
    from trutdsl.variant import list_variants

    specs = [load_strategy(name) for name in (*list_strategies(), MONTE_CARLO)]
    rows = []
    for name in list_variants():
        game = load_game(name, engine="reference")
        fits = {spec.name: fitness(spec, game) for spec in specs}
        rows.append({"name": name, "players": list(game.variant.players), "fits": fits})
    return {"strategies": [spec.name for spec in specs], "variants": rows}


def _read_files() -> dict[str, Any]:
    # A cached list needs none of these imports.
    from trutdsl.strategy.load import list_strategies, load_strategy
    from trutdsl.strategy.monte_carlo import NAME as MONTE_CARLO
    from trutdsl.variant import list_variants, load_variant

    variants = [load_variant(name) for name in list_variants()]
    strategies = [load_strategy(name) for name in (*list_strategies(), MONTE_CARLO)]
    return {
        "variants": [
            {
                "name": v.name,
                "title": v.title,
                "titles": {
                    language: words.title
                    for language, words in v.layers[-1].words.items()
                    if words.title
                },
                "players": list(v.players),
                "base": v.base,
            }
            for v in variants
        ],
        "strategies": [{"name": s.name, "summary": s.summary} for s in strategies],
    }


def show(
    variant: Variant,
    param: Parameters = None,
    source: Annotated[
        str | None, typer.Option("--source", metavar="RULE", help="Show the text of this rule.")
    ] = None,
    as_json: PrintJson = False,
) -> None:
    """Show a variant: players, pack, strength, parameters, questions, rules.

    With --source, show the text of a rule, a define, a zone or a variable, file by file.

    Example: trutdsl show trut --source turn
    """
    from trutdsl.game import load_game
    from trutdsl.report.rulebook import describe_variant
    from trutdsl.report.variant_text import print_variant
    from trutdsl.variant import words_of

    if source is not None and as_json:
        raise BadUsage(say("--source prints the text of a rule, not JSON; leave --json out"))
    game = load_game(variant, parameters=param or [], engine="reference")
    if source is not None:
        _show_source(game.variant, source)
        return
    description = describe_variant(game)
    if as_json:
        print_json(description)
        return
    print_variant(description, words_of(game.variant), make_console())


def _show_source(variant: LoadedVariant, name: str) -> None:
    from trutdsl.variant.model import definitions

    known = definitions(variant)
    pieces = [known.get(f"{piece}{name}", []) for piece in ("before ", "", "after ", "options ")]
    parts = [one for piece in pieces for one in piece]
    if not parts:
        hint = did_you_mean(name, known) or say("`trutdsl show VARIANT` lists the rules")
        text = "--source {name}: {variant} has no rule of this name; {near}"
        raise BadUsage(say(text, name=name, variant=variant.name, near=hint))
    typer.echo("\n\n".join(f"{one.span.source.name}:{one.span.line}\n{one.text}" for one in parts))


def where(
    name: Annotated[str, typer.Argument(help="A shipped variant, module or strategy.")],
) -> None:
    """Print the path of a shipped file.

    Example: trutdsl where trut
    """
    typer.echo(_path_of(name))


def _path_of(name: str) -> Path:
    from trutdsl.strategy.load import list_strategies
    from trutdsl.variant.load import shipped_library

    library, strategies = shipped_library(), shipped_folder("strategies")
    name = re.sub(r"\.(?:yaml|strategy|py)$", "", name)
    entry = library.find(name)
    paths = [entry.path] if entry else [strategies / f"{name}{end}" for end in (".strategy", ".py")]
    path = next((path for path in paths if path.is_file()), None)
    if path is None:
        near = did_you_mean(name, list_strategies(), 0.7)
        near = near or library.did_you_mean(name, (*library.variants(), *library.modules()))
        hint = near or say("`trutdsl list` shows the shipped files")
        raise BadUsage(say("nothing named '{name}' is shipped; {near}", name=name, near=hint))
    return path


def diff(
    a: Annotated[str, typer.Argument(metavar="A", help="A shipped variant's name, or a file.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Another variant or file.")],
    param: Parameters = None,
    as_json: PrintJson = False,
) -> None:
    """Tell how two variants differ, in words: pack, parameters, questions, rules.

    `compare` measures what the difference does.

    Example: trutdsl diff trut trut-deux-sevres
    """
    from rich.text import Text

    from trutdsl.game import load_game
    from trutdsl.report.variant_text import print_rows, tell_differences

    one, two = (load_game(ref, parameters=param or [], engine="reference") for ref in (a, b))
    sections = tell_differences(one, two, as_written=as_json)
    if as_json:
        typer.echo(json.dumps({key: dict(rows) for key, _, rows in sections}, indent=2))
        return
    if not sections:
        typer.echo(say("{a} and {b} have the same rules.", a=a, b=b))
    console = make_console()
    for _, title, rows in sections:
        print_rows(console, Text(title, "bold"), rows)
