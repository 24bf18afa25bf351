"""The JSON Schema of experiment files, for editors that check a file while it is written."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from trutdsl.cli.compare import REQUIRED as COMPARISON_REQUIRED
from trutdsl.cli.compare import TABLE as COMPARISON
from trutdsl.options import (
    BUDGETS,
    LARGEST,
    OPTIONS,
    REQUIRED,
    Option,
)

DIALECT = "https://json-schema.org/draft/2020-12/schema"
TEXT = {"type": "string", "minLength": 1}
PLAIN = {"type": ["string", "number", "boolean"]}


def experiment_schema() -> dict[str, Any]:
    """Return what `trutdsl/experiment.schema.json` holds."""
    return {
        "$schema": DIALECT,
        "title": "An experiment of trutdsl",
        "anyOf": [
            schema_of("A tournament", OPTIONS, REQUIRED),
            schema_of("A comparison of variants", COMPARISON, COMPARISON_REQUIRED),
        ],
    }


def schema_of(title: str, options: Mapping[str, Option], required: Sequence[str]) -> dict[str, Any]:
    """Return the schema of experiment files with these keys."""
    budgets = [name for name in BUDGETS if name in options]
    return {
        "title": title,
        "type": "object",
        "properties": {
            name: {"description": one.about, **shape_of(one)}
            for name, one in options.items()
            if one.about
        },
        "required": list(required),
        "additionalProperties": False,
        "not": {"anyOf": [{"required": [*two]} for two in combinations(budgets, 2)]},
    }


def shape_of(one: Option) -> dict[str, Any]:
    """Return the schema of an option's values."""
    match one.kind:
        case "text":
            return {"enum": list(one.choices)} if one.choices else TEXT
        case "texts":
            return {"type": "array", "items": TEXT, "minItems": 1}
        case "boolean":
            return {"type": "boolean"}
        case "values":
            value = {"anyOf": [PLAIN, {"type": "array", "items": PLAIN}]}
            return {"type": "object", "additionalProperties": value}
    bounds: dict[str, Any] = {"type": one.kind, "minimum": one.least}
    return bounds if one.most == LARGEST else {**bounds, "maximum": one.most}
