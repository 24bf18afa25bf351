"""Changes to JSON, as a document or as lines: types, numbers, keys, order, invalid values."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from random import Random
from typing import Any

from .change_yaml import TextChange

RAW = (
    "1e999", "-1e999", "NaN", "Infinity", "-0", "-0.0", "1.0", "1e3", "9" * 4_301, "9" * 400,
    "18446744073709551616", "-1", "true", "false", "null", '""', '"\\ud800"', '"\\udc00\\ud800"',
    '"\\u0000"', '"\\u001b[2J"', '"\\u202e"', '"\\u2028"', '"\\n"', "[]", "{}", "[[]]", "[null]",
    '[[0, "x"]]', '{"": 0}', '"event"', "'x'", "undefined", "0x10", "01", "+1", ".5", "1.",
    "[" * 20 + "]" * 20, '{"a":' * 20 + "1" + "}" * 20, "[" * 100_000, "[" * 990 + "]" * 990,
    '{"a":' * 30_000, '"' + "x" * 5_000 + '"', "/* */", "\ufeff", "\x00",
    '"input.yaml"', '"../input.yaml"', '"/dev/zero.yaml"', '"a\\u0000.yaml"', '"x' * 2,
    '"\\udcff.yaml"', "true, true", '0, "event": "match"', '{"seat": 0, "seat": 1}',
)  # fmt: skip
PART = re.compile(r'"(?:[^"\\\n]|\\.)*"|-?[0-9]+(?:\.[0-9]+)?|true|false|null|[\[\]{},:]')
VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 10**30, 1.5, "", "x", [], {}, [0], [None], {"x": 1},
    float("nan"), float("inf"), "\ud800", "\x1b[0m",
)  # fmt: skip


def replace_part(text: str, rng: Random, _others: Sequence[str]) -> str:
    """Replace a value or sign by an odd one."""
    found = list(PART.finditer(text))
    if not found:
        return text
    part = rng.choice(found)
    new = rng.choice(RAW) if rng.random() < 0.7 else rng.choice(found)[0]
    return text[: part.start()] + new + text[part.end() :]


def _list_places(value: Any, depth: int = 0) -> list[tuple[Any, Any]]:
    """Return each container with each of its keys or indices."""
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    else:
        return []
    found = [(value, key) for key, _ in inner]
    for _, one in inner if depth < 8 else []:
        found += _list_places(one, depth + 1)
    return found


def change_value(text: str, rng: Random, _others: Sequence[str]) -> str:
    """Change, delete, add or duplicate a value of a line of JSON, or of the whole text."""
    lines = [text] if text.startswith("{\n") else text.split("\n")
    at = rng.randrange(len(lines))
    try:
        whole = json.loads(lines[at])
        places = _list_places(whole)
    except (ValueError, RecursionError):
        return replace_part(text, rng, [])
    if not places:
        return text
    holder, key = rng.choice(places)
    match rng.randrange(4):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, list):
            holder.insert(key, holder[key])
        case 1:
            holder[rng.choice(("event", "seat", "x", "", "trutdsl"))] = holder[key]
        case _:
            holder[key] = rng.choice(VALUES)
    lines[at] = json.dumps(whole, ensure_ascii=rng.random() < 0.7, indent=2 if at else None)
    lines[at] = lines[at].replace("\n", " ")
    return "\n".join(lines)


def change_order(text: str, rng: Random, others: Sequence[str]) -> str:
    """Swap, delete or duplicate lines, or insert one of another file: another order of events."""
    lines = text.split("\n")
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(5):
        case 0:
            lines[a], lines[b] = lines[b], lines[a]
        case 1:
            del lines[min(a, b) : max(a, b)]
        case 2:
            lines.insert(a, lines[b])
        case 3:
            lines[a:a] = lines[b : b + 30]
        case _:
            lines.insert(a, rng.choice(rng.choice(others).split("\n")))
    return "\n".join(lines)


CHANGES: tuple[TextChange, ...] = (
    replace_part,
    replace_part,
    change_value,
    change_value,
    change_order,
)
