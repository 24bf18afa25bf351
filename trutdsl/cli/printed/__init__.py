"""What commands print with `--json`, as types, from which `trutdsl schema` makes JSON Schemas."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import is_dataclass
from inspect import cleandoc
from pkgutil import resolve_name
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints

# Each command that prints JSON, with its type as MODULE:NAME of this package.
TYPES = {
    "check": "rules:Messages",
    "list": "rules:Listed",
    "show": "rules:DescribedVariant",
    "diff": "rules:DifferingVariants",
    "format": "rules:FormattedFiles",
    "migrate": "rules:MigratedFiles",
    "scenario": "rules:PlayedScenarios",
    "coverage": "rules:PrintedCoverage",
    "simulate": "play:Simulation",
    "replay": "play:VerifiedTranscript",
    "explain-choice": "play:ExplainedChoices",
    "exact": "play:PrintedExactResult",
    "solve": "play:Solved",
    "exploit": "play:Responses",
    "tournament": "tournaments:RunResults",
    "plan": "tournaments:Forecast",
    "compare": "comparisons:Compared",
    "sweep": "comparisons:PrintedSweep",
    "ambiguities": "comparisons:Ambiguities",
    "resume": "tournaments:RunResults",
    "extend": "tournaments:RunResults",
    "merge": "tournaments:RunResults",
    "verify": "tournaments:VerifiedRun",
    "results": "tournaments:RunResults",
    "bench": "tournaments:Benchmark",
}
PLAIN = {int: "integer", float: "number", str: "string", bool: "boolean", NoneType: "null"}
FIELD = re.compile(r"^(\w[\w, ]*): +(.+)$")


def schema_of(hint: Any) -> dict[str, Any]:
    """Return the JSON Schema of a type; each record in it is a definition of its own.

    A type consists of plain types, unions, `Literal`, lists, tuples, mappings from texts, and
    records: typed dictionaries, data classes and named tuples, which JSON has as objects. The
    docstring of a record is its title. A field has its description in `Annotated`, or in a line
    `name: text` of the docstring. A data class can extend another one.
    """
    records: dict[str, dict[str, Any]] = {}
    result = _schema(hint, records)
    return {**result, "$defs": dict(sorted(records.items()))} if records else result


def _schema(hint: Any, records: dict[str, dict[str, Any]]) -> dict[str, Any]:
    kind, args = get_origin(hint) or hint, get_args(hint)
    if kind is Any:
        return {}
    if kind in PLAIN:
        return {"type": PLAIN[kind]}
    if kind is Annotated:
        return {"type": "string"} if _is_strategy(hint) else _schema(args[0], records)
    if kind is Literal:
        return {"enum": list(args)}
    if kind is NotRequired:
        return _schema(args[0], records)
    if kind in (Union, UnionType):
        return {"anyOf": [_schema(one, records) for one in args]}
    if kind in (dict, Mapping):
        names = {} if args[0] is str else {"propertyNames": _schema(args[0], records)}
        return {"type": "object", "additionalProperties": _schema(args[1], records), **names}
    if kind is list or (kind is tuple and args[1:] == (...,)):
        return {"type": "array", "items": _schema(args[0], records)}
    if kind is tuple:
        each = [_schema(one, records) for one in args]
        return {"type": "array", "prefixItems": each, "minItems": len(each), "items": False}
    if kind.__name__ not in records:
        records[kind.__name__] = {}  # it may contain itself
        records[kind.__name__] = _record(kind, records)
    return {"$ref": f"#/$defs/{kind.__name__}"}


def _record(kind: Any, records: dict[str, dict[str, Any]]) -> dict[str, Any]:
    title, descriptions = read_docstring(kind)
    for base in filter(is_dataclass, kind.__mro__[1:]):
        descriptions = read_docstring(base)[1] | descriptions
    hints = dict[str, Any]()
    for attribute, hint in get_type_hints(kind, include_extras=True).items():
        name = attribute.rstrip("_")  # `from_` is a key `from`, which Python cannot name
        hints[name] = hint
        if get_origin(hint) is Annotated and not _is_strategy(hint):
            hints[name], descriptions[name] = get_args(hint)
    assert is_dataclass(kind) or hasattr(kind, "_fields") or hasattr(kind, "__total__"), kind
    return {
        "title": title,
        "type": "object",
        "properties": {
            name: _schema(hint, records)
            | ({"description": descriptions[name]} if name in descriptions else {})
            for name, hint in hints.items()
        },
        "required": [name for name, hint in hints.items() if get_origin(hint) is not NotRequired],
        "additionalProperties": False,
    }


def _is_strategy(hint: Any) -> bool:
    """Tell whether a type is the index of a strategy, of which JSON has the name."""
    from trutdsl.stats.design import Strategy  # it loads NumPy

    return bool(hint == Strategy)


def read_docstring(kind: Any) -> tuple[str, dict[str, str]]:
    """Return the first sentence of a record's docstring, and the texts of its fields."""
    title, *lines = cleandoc(kind.__doc__).splitlines()
    result: dict[str, str] = {}
    names: list[str] = []
    for line in lines:
        if field := FIELD.match(line):
            names = [name.rstrip("_") for name in re.split(", ?", field[1])]
            result |= dict.fromkeys(names, field[2])
        elif line.startswith(" "):
            for name in names:
                result[name] += f" {line.strip()}"
        else:
            names = []
    return title.rstrip("."), result


def printed_schema(command: str) -> dict[str, Any]:
    """Return the JSON Schema of what a command prints with `--json`."""
    return schema_of(resolve_name(f"trutdsl.cli.printed.{TYPES[command]}"))


def are_printed(value: Any, commands: Iterable[str]) -> bool:
    """Tell whether a JSON value has the form of what one of these commands prints."""
    schemas = map(printed_schema, commands)
    return any(_fits(value, schema, schema.get("$defs", {})) for schema in schemas)


def _fits(value: Any, schema: Mapping[str, Any], records: Mapping[str, Any]) -> bool:
    """Tell whether a JSON value fits a schema of `schema_of`; records: its definitions."""
    if "$ref" in schema:
        return _fits(value, records[schema["$ref"].rpartition("/")[2]], records)
    if "anyOf" in schema:
        return any(_fits(value, one, records) for one in schema["anyOf"])
    if "enum" in schema:
        return any(type(value) is type(one) and value == one for one in schema["enum"])
    if schema.get("type") == "array":
        if not isinstance(value, list):
            return False
        each = schema.get("prefixItems") or [schema["items"]] * len(value)
        return len(each) == len(value) and all(
            _fits(one, of, records) for one, of in zip(value, each, strict=True)
        )
    if schema.get("type") == "object":
        if not isinstance(value, dict) or not set(schema.get("required", ())) <= value.keys():
            return False
        known, others = schema.get("properties", {}), schema["additionalProperties"]
        return all(
            _fits(one, known[key], records)
            if key in known
            else others is not False and _fits(one, others, records)
            for key, one in value.items()
        )
    kinds = [kind for kind, name in PLAIN.items() if name == schema.get("type")]
    return not schema or type(value) in (kinds if kinds != [float] else [float, int])
