"""`trutdsl dump`, `schema` and `lsp`: compiled rules, JSON Schemas, and the language server."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import partial
from itertools import combinations
from typing import Annotated, Any

import typer

from trutdsl.cli.options import Parameters, Variant
from trutdsl.diagnostics import BadUsage, Span, did_you_mean
from trutdsl.language import say
from trutdsl.options import BUDGETS, LARGEST, OPTIONS, REQUIRED_KEYS, Option

DIALECT = "https://json-schema.org/draft/2020-12/schema"
TEXTS = ("title", "description")


def dump(
    variant: Variant,
    stage: Annotated[str, typer.Option(help="ast, ir, a pass, llvm or asm.")] = "ir",
    players: Annotated[
        int | None, typer.Option(metavar="N", help="Seats at the table; default: the fewest.")
    ] = None,
    param: Parameters = None,
) -> None:
    """Print what rules become: syntax tree, program, LLVM's instructions, machine code.

    Each optimization pass between the program and LLVM is a stage, too: it shows the program after
    that pass.

    Example: trutdsl dump trut --stage select-cards --players 2
    """
    from trutdsl import passes
    from trutdsl.game import load_game

    stages = ("ast", "ir", *passes.PASSES, "llvm", "asm")
    if stage not in stages:
        hint = did_you_mean(stage, stages) or say("choose ") + ", ".join(stages)
        raise BadUsage(say("there is no stage '{stage}'; {near}", stage=stage, near=hint))
    game = load_game(variant, players, param or [], engine="reference")
    if stage == "ast":
        for layer in game.variant.layers:
            typer.echo(f"# {layer.path}")
            typer.echo(tree_of(layer.rules), nl=False)
    elif stage == "ir":
        typer.echo(tree_of(game.program), nl=False)
    elif stage in passes.PASSES:
        program = dict(passes.after_each(game.program, game.setting))[stage]
        typer.echo(tree_of(program), nl=False)
    else:
        from trutdsl.native.jit import assembly_of, module_of

        show = module_of if stage == "llvm" else assembly_of
        typer.echo(show(game.program, game.setting))


def tree_of(node: Any, hidden_fields: tuple[str, ...] = ()) -> str:
    """Return a node and its children as indented text, one line each, with source lines.

    hidden_fields: fields that are left out; without `span` no line of the source is told.
    """
    return "".join(f"{line}\n" for line in _lines(node, hidden_fields, 0))


def _lines(node: Any, hidden_fields: tuple[str, ...], depth: int, name: str = "") -> Iterator[str]:
    pad, label = "  " * depth, f"{name}: " if name else ""
    if is_dataclass(node) and not isinstance(node, Span):
        span = getattr(node, "span", None) if "span" not in hidden_fields else None
        names = [f.name for f in fields(node) if f.name not in ("span", *hidden_fields)]
        plain = [f"{n}={value}" for n in names if not _inner(value := getattr(node, n))]
        where = say("  # line {line}", line=span.line) if isinstance(span, Span) else ""
        yield f"{pad}{label}{type(node).__name__} {' '.join(plain)}".rstrip() + where
        for field in names:
            if _inner(value := getattr(node, field)):
                yield from _lines(value, hidden_fields, depth + 1, field)
    elif isinstance(node, tuple | dict) or hasattr(node, "items"):
        items = (
            node.items() if hasattr(node, "items") else ((str(i), v) for i, v in enumerate(node))
        )
        yield f"{pad}{label}"
        for key, value in items:
            yield from _lines(value, hidden_fields, depth + 1, key)
    else:
        yield f"{pad}{label}{node}"


def _inner(value: Any) -> bool:
    return (is_dataclass(value) and not isinstance(value, Span) and bool(fields(value))) or (
        isinstance(value, tuple | dict) and bool(value)
    )


def serve_editor(
    stdio: Annotated[  # noqa: ARG001 - some editors give it; there is no other way
        bool, typer.Option("--stdio", help="Use standard input and output, as always.")
    ] = False,
) -> None:
    """Answer an editor: mistakes while you write, the meaning and place of names, completion.

    An editor starts this command and speaks with it by the Language Server Protocol. It is for
    variants, modules, rules, scripts and scenarios; those are played whenever they change.

    Example: trutdsl lsp
    """
    try:
        from trutdsl.editor.server import serve
    except ModuleNotFoundError as missing:
        if missing.name not in ("pygls", "lsprotocol"):
            raise
        text = "the language server needs pygls: pip install 'trutdsl[editor]'"
        raise BadUsage(say(text)) from None
    serve()


def schema(
    format: Annotated[
        str,
        typer.Argument(
            metavar="FORMAT|COMMAND.json",
            help="variant, scenario, tournament or comparison; or what a command prints.",
        ),
    ],
) -> None:
    """Print the JSON Schema of a YAML file, with which editors complete and check its keys.

    With COMMAND.json, such as simulate.json, print the schema of what that command prints with
    --json.

    Example: trutdsl schema variant > variant.schema.json
    """
    from trutdsl.cli.printed import TYPES, printed_schema

    known = SCHEMAS | {f"{name}.json": partial(printed_schema, name) for name in TYPES}
    if format not in known:
        hint = did_you_mean(format, known) or say("choose ") + ", ".join(known)
        raise BadUsage(say("there is no format '{format}'; {near}", format=format, near=hint))
    document = _translate({"$schema": DIALECT, **known[format]()})
    typer.echo(json.dumps(document, indent=2, ensure_ascii=False))


def _translate(part: Any) -> Any:
    """Return a part of a schema with its titles and descriptions in the current language."""
    match part:
        case dict():
            texts = {k: say(v) for k, v in part.items() if k in TEXTS and isinstance(v, str)}
            return {key: texts.get(key) or _translate(value) for key, value in part.items()}
        case list():
            return [_translate(value) for value in part]
    return part


def variant_schema() -> dict[str, Any]:
    """Return the schema of a file of a variant, or of a module."""
    from trutdsl.variant.manifest import MODULE_KEYS, VARIANT_KEYS
    from trutdsl.variant.shapes import mapping

    return {
        "title": "A variant of trutdsl, or a module of rules",
        "if": {"required": ["module"]},
        "then": {"title": "A module", **mapping(MODULE_KEYS)},
        "else": {"title": "A variant", **mapping(VARIANT_KEYS)},
    }


def scenario_schema() -> dict[str, Any]:
    """Return the schema of each document of a file of scenarios."""
    from trutdsl.scenario.read import SCENARIO_KEYS
    from trutdsl.variant.shapes import mapping

    return {"title": "A scenario of trutdsl", **mapping(SCENARIO_KEYS)}


def tournament_schema() -> dict[str, Any]:
    """Return the schema of the experiment file of a tournament."""
    return schema_of("A tournament of trutdsl", OPTIONS, REQUIRED_KEYS)


def comparison_schema() -> dict[str, Any]:
    """Return the schema of the experiment file of a comparison."""
    from trutdsl.cli import compare

    return schema_of("A comparison of variants", compare.KEYS, compare.REQUIRED_KEYS)


SCHEMAS: dict[str, Callable[[], dict[str, Any]]] = {
    "variant": variant_schema,
    "scenario": scenario_schema,
    "tournament": tournament_schema,
    "comparison": comparison_schema,
}


def schema_of(title: str, options: Mapping[str, Option], required: Sequence[str]) -> dict[str, Any]:
    """Return the schema of experiment files with these keys."""
    budgets = [name for name in BUDGETS if name in options]
    return {
        "title": title,
        "type": "object",
        "properties": {
            name: {"title": name, "description": one.about, **_shape_of(one)}
            for name, one in options.items()
            if one.about
        },
        "required": list(required),
        "additionalProperties": False,
        "not": {"anyOf": [{"required": [*two]} for two in combinations(budgets, 2)]},
    }


def _shape_of(one: Option) -> Mapping[str, Any]:
    """Return the schema of an option's values."""
    from trutdsl.variant.shapes import BOOLEAN, PLAIN, VALUE, array, table

    match one.kind:
        case "text":
            return {"enum": list(one.choices)} if one.choices else PLAIN
        case "texts":
            return array(PLAIN, 1)
        case "boolean":
            return BOOLEAN
        case "values":
            return table(VALUE)
    bounds: dict[str, Any] = {"type": one.kind, "minimum": one.least}
    return bounds if one.most == LARGEST else {**bounds, "maximum": one.most}
