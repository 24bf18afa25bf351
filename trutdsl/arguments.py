"""Arguments of public functions: each is checked against the annotation of its parameter."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache, wraps
from inspect import Parameter, signature
from numbers import Integral, Real
from os import PathLike
from sys import float_info
from typing import Any, ParamSpec, TypeVar

from trutdsl.diagnostics import BadName, BadUsage
from trutdsl.language import languages

P = ParamSpec("P")
R = TypeVar("R")

TEXT, PATH = "a text", "a path"
MOST = 2**63 - 1


def _is(kind: type) -> Callable[[object], bool]:
    return lambda value: isinstance(value, kind) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    is_real = isinstance(value, Real) and not isinstance(value, bool)
    return is_real and abs(value) <= float_info.max  # not so for NaN


def _is_game(value: object) -> bool:
    return hasattr(value, "players") and hasattr(value, "team_count")


def _is_path(value: object) -> bool:
    return isinstance(value, str | PathLike)


# The names in annotations whose values are checked, with what to write instead.
NAMES: dict[str, tuple[Callable[[object], bool], str]] = {
    "int": (_is(Integral), "a whole number"),
    "float": (_is_number, "a number"),
    "bool": (lambda value: isinstance(value, bool), "True or False"),
    "str": (_is(str), TEXT),
    "Path": (_is_path, PATH),
    "PathLike": (_is_path, PATH),
    "FileLike": (_is_path, "a name or a path"),
    "VariantLike": (_is_path, "a name or a path"),
    "Game": (_is_game, "a game from `load_game`"),
    "Callable": (callable, "a function"),
    "Chance": (lambda value: hasattr(value, "start"), "an object as `Chance` describes"),
    "Library": (lambda value: hasattr(value, "variants"), "a `Library`"),
    "Mapping": (_is(Mapping), "values by name, such as {'goal': 3}"),
    "Collection": (
        lambda v: isinstance(v, Iterable) and not isinstance(v, str | Mapping),
        "a list",
    ),
    "Sequence": (
        lambda v: isinstance(v, Iterable) and not isinstance(v, str | Mapping | set | frozenset),
        "a list",
    ),
}


def check_arguments(function: Callable[P, R]) -> Callable[P, R]:
    """Make a function raise `BadUsage` for an argument that its annotation does not allow.

    It receives numbers and arrays of NumPy and pandas as numbers and lists of Python, also in lists
    and dictionaries, and an iterator as a list.
    """

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        values: Any = [_plain(value) for value in args]
        named: Any = {name: _plain(value) for name, value in kwargs.items()}
        _check(function, values, named)
        return function(*values, **named)

    return call


def _plain(value: Any) -> Any:
    if hasattr(type(value), "tolist"):  # a number or an array of NumPy or pandas
        value = value.tolist()
    match value:
        case list() | Iterator():
            return [_plain(one) for one in value]
        case tuple() if type(value) is tuple:
            return tuple(map(_plain, value))
        case Mapping():
            return {name: _plain(one) for name, one in value.items()}
        case Real() if not isinstance(value, int | float):
            return int(value) if isinstance(value, Integral) else float(value)
    return value


def check_kind(name: str, value: object, kind: str) -> None:
    """Raise `BadUsage` for a value that is not of a kind in `NAMES`."""
    allows, expected = NAMES[kind]
    if not allows(value):
        raise BadUsage(f"found {_short(value)} for {name}, expected {expected}")


def check_range(name: str, number: float, least: float, most: float = MOST) -> None:
    """Raise `BadUsage` for a number that is not from `least` to `most`, or is NaN."""
    if not least <= number <= most:
        bound = f"at most {most}" if number > most else f"{least} or more"
        raise BadUsage(f"found {number} for {name}, expected {bound}")


def check_names(what: str, names: object, known: Collection[str]) -> list[str]:
    """Return names as a list; raise `BadUsage` if they are none, `BadName` for an unknown one."""
    check_kind(f"the names of a {what}", names, "Collection")
    result: list[str] = _plain([*names])  # type: ignore[misc]
    for name in result:
        if not isinstance(name, str) or name not in known:
            raise BadName(what, name, known)
    return result


def check_language(language: object) -> None:
    """Raise `BadUsage` for a language that no page can have."""
    if not isinstance(language, str) or language not in languages():
        known = ", ".join(languages())
        raise BadUsage(f"found the language {language!r}, expected one of: {known}")


def _check(function: Callable[..., object], args: Any, kwargs: Any) -> None:
    parameters = _annotations(function)
    try:
        values = _signature(function).bind(*args, **kwargs).arguments
    except TypeError:  # Python says so when the function is called
        return
    for name, (annotation, repeated) in parameters.items():
        for value in values.get(name, ()) if repeated else [values[name]] if name in values else []:
            words = dict.fromkeys(_words(annotation))
            is_empty = isinstance(value, str) and not value
            if not _allows(annotation, value) or (is_empty and PATH in words):
                call = function.__qualname__.removesuffix(".__init__")
                found = f"{call}(): found {_short(value)} for {name}"
                raise BadUsage(f"{found}, expected {' or '.join(words)}")


_signature = cache(signature)


@cache
def _annotations(function: Callable[..., object]) -> dict[str, tuple[ast.expr, bool]]:
    """Return the annotation of each parameter, and whether it takes any number of arguments."""
    return {
        name: (ast.parse(one.annotation, mode="eval").body, one.kind is Parameter.VAR_POSITIONAL)
        for name, one in _signature(function).parameters.items()
        if isinstance(one.annotation, str)
    }


def _allows(annotation: ast.expr, value: Any) -> bool:
    """Tell whether a value fits an annotation; names beyond `NAMES` allow any value."""
    match annotation:
        case ast.BinOp(one, ast.BitOr(), other):
            return _allows(one, value) or _allows(other, value)
        case ast.Constant(None):
            return value is None
        case ast.Name(name):
            return name not in NAMES or NAMES[name][0](value)
        case ast.Subscript(ast.Name("Sequence") as of, inner):
            items = value if isinstance(value, Collection) else ()
            return _allows(of, value) and all(_allows(inner, one) for one in items)
        case ast.Subscript(ast.Name("Mapping") as of, ast.Tuple([key, inner])):
            return _allows(of, value) and all(
                _allows(key, name) and _allows(inner, one) for name, one in value.items()
            )
        case ast.Subscript(ast.Name("PathLike") as of):
            return _allows(of, value)
    return True


def _words(annotation: ast.expr) -> Iterable[str]:
    match annotation:
        case ast.BinOp(one, ast.BitOr(), other):
            yield from (*_words(one), *_words(other))
        case ast.Constant(None):
            yield "None"
        case ast.Name(name) if name in NAMES:
            yield NAMES[name][1]
        case ast.Subscript(ast.Name("Sequence"), inner) if words := list(_words(inner)):
            yield f"a list, each {' or '.join(words)}"
        case ast.Subscript(ast.Name("Mapping"), ast.Tuple([_, ast.Subscript()])):
            yield "lists by name, such as {'petits': [2, 3]}"
        case ast.Subscript(ast.Name("Mapping"), ast.Tuple([ast.Name("int"), _])):
            yield "values by seat, such as {1: 'steady'}"
        case ast.Subscript(ast.Name("Mapping"), ast.Tuple([_, ast.Name("float")])):
            yield f"{NAMES['Mapping'][1]}, each a number"
        case ast.Subscript(of):
            yield from _words(of)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
