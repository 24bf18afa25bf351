"""The JSON Schema of experiment files, for editors that check a file while it is written."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from trutdsl.experiment.settings import BUDGETS, KEYS, LARGEST, REQUIRED, Key

DIALECT = "https://json-schema.org/draft/2020-12/schema"
TEXT: dict[str, Any] = {"type": ["string", "number", "boolean"]}


def experiment_schema() -> dict[str, Any]:
    """Return the schema; `experiment.schema.json` beside this module holds the same."""
    return {
        "$schema": DIALECT,
        "title": "An experiment of trutdsl",
        "type": "object",
        "properties": {
            name: {"description": key.help, **_shape(key)} for name, key in KEYS.items()
        },
        "required": list(REQUIRED),
        "additionalProperties": False,
        "not": {"anyOf": [{"required": [*two]} for two in combinations(BUDGETS, 2)]},
    }


def _shape(key: Key) -> dict[str, Any]:
    match key.kind:
        case "text":
            return (
                {"enum": list(key.choices)} if key.choices else {"type": "string", "minLength": 1}
            )
        case "texts":
            return {"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 1}
        case "boolean":
            return {"type": "boolean"}
        case "values":
            one = {"anyOf": [TEXT, {"type": "array", "items": TEXT}]}
            return {"type": "object", "additionalProperties": one}
        case "integer" | "number":
            bounds: dict[str, Any] = {"type": key.kind, "minimum": key.least}
            return bounds if key.most == LARGEST else {**bounds, "maximum": key.most}
