"""Checks of stored JSON: a value is accepted only if it matches a type hint."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

LARGEST = 2**63 - 1  # of stored integers

T = TypeVar("T")


def from_json(hint: type[T], value: Any) -> T:
    """Convert a JSON value to the type of a hint; raise ValueError if its shape differs.

    A hint consists of `int`, `float`, `str`, `bool`, `None`, `Any`, unions, lists, tuples and
    records. JSON stores tuples and named tuples as lists, data classes as objects with exactly
    their keys. A number is never accepted as a boolean.
    """
    result: T = _convert(hint, value)
    return result


def _convert(hint: Any, value: Any) -> Any:
    kind, args = get_origin(hint) or hint, get_args(hint)
    if kind is Any:
        return value
    if kind in (int, bool, str, NoneType):
        if type(value) is kind:
            return value
    elif kind is float:
        if type(value) in (int, float):
            return value
    elif kind in (Union, UnionType):
        for one in args:
            with suppress(ValueError):
                return _convert(one, value)
    elif isinstance(value, list):
        if kind is list:
            return [_convert(args[0], one) for one in value]
        if kind is tuple:
            each = args[:1] * len(value) if args[1:] == (...,) else args
            return tuple(map(_convert, each, value)) if len(each) == len(value) else _refuse(hint)
        if hasattr(kind, "_fields") and len(value) == len(kind._fields):
            return kind(*map(_convert, _hints(kind).values(), value))
    elif isinstance(value, dict) and not hasattr(kind, "_fields"):
        hints = _hints(kind)
        if hints and value.keys() == hints.keys():
            return kind(**{key: _convert(hints[key], one) for key, one in value.items()})
    return _refuse(hint)


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind) if is_dataclass(kind) or hasattr(kind, "_fields") else {}


def _refuse(hint: Any) -> Any:
    raise ValueError(f"expected {hint}")


def are_numbers(value: Any, lengths: tuple[int, ...] = ()) -> bool:
    """Tell whether a JSON value is integers in nested lists of these lengths.

    Without lengths it is one number. No number may exceed `LARGEST`.
    """
    if not lengths:
        return type(value) is int and -LARGEST <= value <= LARGEST
    if not isinstance(value, list) or len(value) != lengths[0]:
        return False
    if len(lengths) > 1:
        return all(are_numbers(one, lengths[1:]) for one in value)
    of_type = set(map(type, value)) <= {int}
    return of_type and min(value, default=0) >= -LARGEST and max(value, default=0) <= LARGEST
