"""The keys of YAML mappings, and the JSON Schemas of their values, which editors show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias, TypeVar

from trutdsl.diagnostics import Collector
from trutdsl.variant.yaml_nodes import Node

Shape: TypeAlias = Mapping[str, Any]
# A function, if it needs a table that is declared later.
SomeShape: TypeAlias = Shape | Callable[[], Shape]
Read = TypeVar("Read", bound=Callable[..., Any])

PLAIN: Shape = {"type": ["string", "number", "boolean"]}  # YAML reads `title: 21` as a number
BOOLEAN: Shape = {"enum": [True, False, "on", "off", "yes", "no"]}
BLOCK: Shape = {"type": "string", "minLength": 1}
VALUE: Shape = {"anyOf": [PLAIN, {"type": "array", "items": PLAIN}]}
NOTHING: Shape = {"type": "null"}


def integer(least: int, most: int) -> Shape:
    """Return the schema of a whole number."""
    return {"type": "integer", "minimum": least, "maximum": most}


def name_of(form: str, most: int) -> Shape:
    """Return the schema of a name of this pattern, of at most so many letters.

    A number counts as one where its digits are a name.
    """
    pattern = form.replace(r"[^\W\d_]", r"\p{L}").replace(r"[^\W\d]", r"[\p{L}_]")
    text = {"type": "string", "maxLength": most, "pattern": f"^(?:{pattern})$"}
    if r"\p" in pattern or r"\w" in pattern:  # Python and JavaScript write letters differently
        del text["pattern"]
    return text if form.startswith("[a-z]") else {"anyOf": [text, {"type": "integer"}]}


def array(items: Shape, least: int = 0, unique: bool = False) -> Shape:
    """Return the schema of a list."""
    return {"type": "array", "items": items, "minItems": least, "uniqueItems": unique}


def table(values: Shape, keys: str | None = None) -> Shape:
    """Return the schema of a mapping with free keys, or with keys of this pattern."""
    if keys is None:
        return {"type": "object", "additionalProperties": values}
    by_key = {"patternProperties": {f"^(?:{keys})$": values}}
    return {"type": "object", **by_key, "additionalProperties": False}


def shaped(shape: SomeShape) -> Callable[[Read], Read]:
    """Declare the JSON Schema of what a reader of YAML values accepts."""

    def declare(read: Read) -> Read:
        read.shape = shape  # type: ignore[attr-defined]
        return read

    return declare


Reader: TypeAlias = Callable[[Node, str, Collector], Any]  # the text is its name in messages


@dataclass(frozen=True)
class YamlKey:
    """A key of a mapping in a YAML file: its meaning, the reader of its value, its default.

    A table of these declares a mapping with known keys. If a value needs more than its node,
    `read` is `keep_node`, and `shape` is the JSON Schema of the value.
    """

    help: str
    read: Reader
    default: Any = None
    required: bool = False
    shape: SomeShape | None = None


YamlKeys: TypeAlias = Mapping[str, YamlKey]


def shape_of(key: YamlKey) -> Shape:
    """Return the schema of a key: its own, else that of its reader."""
    reader: Any = key.read
    bounds: Mapping[str, Any] = {}
    if isinstance(reader, partial):
        reader, bounds = reader.func, reader.keywords
    shape: SomeShape = key.shape or reader.shape  # set by `shaped`
    result = shape() if callable(shape) else shape
    if "least" in bounds:
        result = {**result, "minimum": bounds["least"], "maximum": bounds["most"]}
    return result


def mapping(keys: YamlKeys, more: Shape | None = None) -> dict[str, Any]:
    """Return the schema of a mapping with the keys of a table.

    more: the schemas of further keys, by pattern.
    """
    result: dict[str, Any] = {
        "type": "object",
        "properties": {
            name: {"title": name, "description": key.help, **shape_of(key)}
            for name, key in keys.items()
        },
        "required": [name for name, key in keys.items() if key.required],
        "additionalProperties": False,
    }
    return result | ({"patternProperties": more} if more else {})
