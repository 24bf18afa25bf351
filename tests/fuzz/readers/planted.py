"""Planted defects, which show whether the fuzz finds them and after how many inputs."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import reduce
from importlib import import_module
from time import perf_counter_ns
from typing import Any
from unittest.mock import patch

from trutdsl import files
from trutdsl.diagnostics import Span
from trutdsl.syntax import parse
from trutdsl.transcript import events as transcript
from trutdsl.variant import Sequence, YamlMapping, compose_yaml, read_values, source


@dataclass(frozen=True)
class Defect:
    """A defect.

    formats: the formats whose inputs show it. within: the number of inputs that must find it.
    patches: MODULE:NAME -> its replacement.
    seconds: the time limit for one input.
    twin:    whether it shows only if two processes are compared.
    quick:   whether the tests look for it, as they find it in a few seconds.
    """

    formats: tuple[str, ...]
    within: int
    patches: dict[str, Any]
    seconds: float = 5.0
    twin: bool = False
    quick: bool = False

    @contextmanager
    def plant(self) -> Iterator[None]:
        """Install the defect inside the block."""
        with ExitStack() as stack:
            for place, new in self.patches.items():
                module, names = place.split(":")
                *holders, name = names.split(".")
                holder = reduce(getattr, holders, import_module(module))
                stack.enter_context(patch.object(holder, name, new, create=True))
            yield


class EqualToAll:
    """An object that equals every other."""

    def __eq__(self, _other: object) -> bool:
        return True

    def __ne__(self, _other: object) -> bool:
        return False

    __hash__ = None  # type: ignore[assignment]


def _read_without_digest(key: str) -> bytes | None:
    """Read a cache entry without a check of its digest."""
    folder = files.cache_folder()
    assert folder is not None
    found = (folder / key).read_bytes()
    head = files.MAGIC + bytes.fromhex(key)
    return found[len(head) + files.DIGEST :] if found.startswith(head) else None


def _span_past_the_end(token: Any, excerpt: Any) -> Span:
    found = _token_span(token, excerpt)
    return Span(found.source, found.line, found.col + 1, found.end_line, found.end_col + 1)


def _span_by_counting(composer: Any, event: Any) -> Span:
    """Compute a span by counting the characters before it, one by one."""
    mark = event.start_mark
    sum(1 for _ in composer.source.text[: mark.index])
    return _span(composer, event)


def _parse_by_list(text: str) -> int | None:
    """Parse a number by the length of a list."""
    number = _parse_integer(text)
    return number if number is None or number < 0 else len([0] * number)


def _copy_aliases(node: Any) -> Any:
    """Return a YAML node in which each alias is a copy."""
    match node:
        case Sequence(items, span):
            return Sequence(tuple(map(_copy_aliases, items)), span)
        case YamlMapping(entries, span):
            return YamlMapping(tuple((key, _copy_aliases(value)) for key, value in entries), span)
    return replace(node)


def _add_with_copies(composer: Any, node: Any, *sizes: int) -> None:
    _add(composer, _copy_aliases(node), *sizes)


def _abort_process(name: str, data: bytes, offset: int) -> Any:
    if b"\xff" in data:
        os.abort()
    return _not_utf8(name, data, offset)


def _shorten_with_time(text: str) -> str:
    return f"{_shorten(text)} {perf_counter_ns()}"


def _suggest_in_set_order(_name: str, known: Any, _least: float = 0.6) -> str | None:
    return next((f"did you mean '{one}'?" for one in set(known)), None)


_token_span, _parse_integer, _shorten = (
    parse._token_span, read_values.parse_integer, read_values.shorten
)  # fmt: skip
_span, _add = compose_yaml._Composer.span, compose_yaml._Composer.add
_not_utf8 = source._not_utf8

VARIANT, YAML = "trutdsl.variant", ("variant", "document")
DEFECTS: dict[str, Defect] = {
    "a field that is missing is looked for": Defect(
        ("transcript",),
        100,
        {"trutdsl.transcript.events:FIELDS": {kind: {} for kind in transcript.FIELDS}},
        quick=True,
    ),
    "deep JSON ends the recursion": Defect(
        ("transcript",), 100, {"trutdsl.transcript.events:RecursionError": KeyError}, quick=True
    ),
    "a place lies behind the end": Defect(
        ("rules",), 100, {"trutdsl.syntax.parse:_token_span": _span_past_the_end}, quick=True
    ),
    "half characters are printed": Defect(
        YAML,
        2_000,
        {f"{VARIANT}.{name}:FORBIDDEN": re.compile("(?!)") for name in ("source", "compose_yaml")},
    ),
    "aliases without bound": Defect(
        ("document",),
        100,
        {
            f"{VARIANT}.compose_yaml:_Composer.add": _add_with_copies,
            f"{VARIANT}.compose_yaml:MOST_NODES": 1 << 62,
        },
        seconds=1.0,
    ),
    "time that grows with the square": Defect(
        ("document",),
        100,
        {f"{VARIANT}.compose_yaml:_Composer.span": _span_by_counting},
        seconds=1.0,
    ),
    "a pattern that tries everything": Defect(
        ("document",),
        150,
        {f"{VARIANT}.yaml_events:INDENTED_WITH_TAB": re.compile(r"^( +)*\t", re.MULTILINE)},
        seconds=0.5,
    ),
    "a list as long as a number says": Defect(
        ("scenario", "base"), 1_000, {f"{VARIANT}.read_values:parse_integer": _parse_by_list}
    ),
    "an entry that is not whole is used": Defect(
        ("entry",),
        100,
        {
            "trutdsl.native.jit:read_cache": _read_without_digest,
            f"{__package__}.formats:read_cache": _read_without_digest,
        },
        quick=True,
    ),
    "a row of a journal is trusted": Defect(
        ("journal",),
        500,
        {"trutdsl.tournaments.journal:_checksum": lambda *_: EqualToAll()},
        quick=True,
    ),
    "a message holds the time": Defect(
        YAML, 500, {f"{VARIANT}.read_values:shorten": _shorten_with_time}
    ),
    "a message depends on the order of a set": Defect(
        YAML, 2_000, {f"{VARIANT}.read_values:did_you_mean": _suggest_in_set_order}, twin=True
    ),
    "the process ends": Defect(YAML, 500, {f"{VARIANT}.source:_not_utf8": _abort_process}),
}
