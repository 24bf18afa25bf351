"""`trutdsl schema`: JSON Schemas of the YAML files, for editors, and of what commands print."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Annotated, Any

import typer

from trutdsl.cli import compare
from trutdsl.cli.printed import TYPES, printed_schema
from trutdsl.diagnostics import BadUsage, did_you_mean
from trutdsl.language import say
from trutdsl.options import BUDGETS, LARGEST, OPTIONS, REQUIRED_KEYS, Option

DIALECT = "https://json-schema.org/draft/2020-12/schema"
TEXTS = ("title", "description")


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
