"""Reads experiment files: YAML, every mistake with its place."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from trutdsl.diagnostics import Collector, Note, did_you_mean
from trutdsl.experiment.settings import BUDGETS, KEYS, LARGEST, REQUIRED, Key
from trutdsl.variant import Node, Scalar, YamlMapping, read_document, read_source
from trutdsl.variant.read_values import (
    describe,
    read_boolean,
    read_entries,
    read_fields,
    read_items,
    read_line,
    read_value,
    refuse,
)

ENDINGS = (".yaml", ".yml")
FILES = (*ENDINGS, ".py", ".strategy")  # how paths in an experiment file end
MOST_DIGITS = 40
# What is asked of one call of the program, and is no part of an experiment.
OF_COMMANDS = ("verbose", "json", "no_cache")
BELONGS = "it belongs on the command line: --{}"
OTHERWISE = {"param": "write them as `parameters: {NAME: VALUE}`"}


def is_experiment(ref: str) -> bool:
    """Tell whether something is the path of an experiment file, and not a variant.

    Raises `Rejected` for a file that is neither.
    """
    if not ref.endswith(ENDINGS):
        return False
    document = read_document(read_source(Path(ref), ref))
    return isinstance(document, YamlMapping) and any(
        k.text == "experiment" for k, _ in document.entries
    )


def read_settings(ref: str) -> dict[str, Any]:
    """Return what an experiment file says, by key; raises `Rejected` with every mistake in it."""
    found = read_keys(ref, "an experiment", KEYS, REQUIRED, OF_COMMANDS)
    found["variant"] = beside(ref, found["variant"])
    found["strategies"] = tuple(beside(ref, one) for one in found["strategies"])
    return found


def read_keys(
    ref: str, what: str, keys: dict[str, Key], required: Sequence[str], elsewhere: Sequence[str]
) -> dict[str, Any]:
    """Return what a file says, by key; raises `Rejected` with every mistake in it.

    what: it is, such as `an experiment`. elsewhere: options of commands that are no keys.
    """
    errors = Collector()
    document = read_document(read_source(Path(ref), ref))
    helps = {name: BELONGS.format(name.replace("_", "-")) for name in elsewhere} | OTHERWISE
    nodes = read_fields(document, what, errors, tuple(keys), tuple(required), None, helps) or {}
    found = {name: _read(node, name, keys[name], errors) for name, node in nodes.items()}
    for (one, span), (other, again) in pairwise(
        (name, node.span) for name, node in nodes.items() if name in BUDGETS
    ):
        message = f"`{one}` and `{other}` are two ways to say how much is played"
        first = Note(f"`{one}` stands here", span)
        errors.error("two-budgets", message, again, first, help="leave one out")
    errors.raise_if_any()
    return found


def beside(file: str, ref: str) -> str:
    """Return a name as it is, and a path, which is relative to a file, as it is from here."""
    path, colon, rest = ref.partition(":")
    return str(Path(file).parent / path) + colon + rest if path.endswith(FILES) else ref


def _read(node: Node, name: str, key: Key, errors: Collector) -> Any:
    what = f"`{name}`"
    match key.kind:
        case "text":
            text = read_line(node, what, errors)
            if text is not None and key.choices and text not in key.choices:
                message = f"{what} must be one of {', '.join(key.choices)}; found '{text}'"
                near = did_you_mean(text, key.choices)
                errors.error("unknown-name", message, node.span, help=near)
            return text
        case "texts":
            items = read_items(node, what, errors) or ()
            return tuple(read_line(item, f"an entry of {what}", errors) for item in items)
        case "values":
            entries = read_entries(node, what, errors) or ()
            values = [(k.text, read_value(v, f"parameter '{k.text}'", errors)) for k, v in entries]
            return tuple(f"{name}={value.text}" for name, value in values if value is not None)
        case "boolean":
            return read_boolean(node, what, errors)
        case "integer" | "number":
            return _read_number(node, what, key, errors)


def _read_number(node: Node, what: str, key: Key, errors: Collector) -> int | float | None:
    """Return a number within its bounds, written in plain digits."""
    kind = "a whole number" if key.kind == "integer" else "a number"
    if not isinstance(node, Scalar) or node.style != "plain":
        refuse(node, what, kind, errors)
        return None
    try:
        plain = len(node.text) <= MOST_DIGITS and node.text.isascii() and "_" not in node.text
        number = (int if key.kind == "integer" else float)(node.text if plain else "")
    except ValueError:
        refuse(node, what, kind, errors)
        return None
    if not (math.isfinite(number) and key.least <= number <= key.most):
        bounds = (
            f"at least {key.least}" if key.most == LARGEST else f"from {key.least} to {key.most}"
        )
        message = f"{what} must be {kind} {bounds}, found {describe(node)}"
        errors.error("out-of-range", message, node.span)
        return None
    return number
