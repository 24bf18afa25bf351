"""Settings of strategies, NAME=VALUE behind a colon: of all kinds alike, and of those in Python."""

from __future__ import annotations

import ast
from collections.abc import Collection
from contextlib import suppress
from math import isfinite

from trutdsl.variant import BadParameter
from trutdsl.variant.parameters import unknown_parameter, written
from trutdsl.variant.read_values import BOOLEANS, parse_integer

Value = bool | int | float | str


def split_settings(settings: str, known: Collection[str], strategy: str) -> dict[str, str]:
    """Return the text of each setting by its name, as `bluff=0.2,enough=70` gives them.

    Raises `BadParameter` for one that is none of those known, is set twice or has no value.
    """
    given: dict[str, str] = {}
    for setting in settings.split(",") if settings else ():
        name, equals, text = (part.strip() for part in setting.partition("="))
        if not equals:
            message = f"a parameter of a strategy is set by NAME=VALUE, not by '{setting}'"
            raise BadParameter(name, message)
        if name not in known:
            raise unknown_parameter(name, known, f"strategy '{strategy}'")
        if name in given:
            raise BadParameter(name, f"the parameter '{name}' is set twice")
        given[name] = text
    return given


def read_settings(
    node: ast.ClassDef, settings: str, strategy: str
) -> tuple[tuple[tuple[str, Value], ...], str]:
    """Return what a class is made with that differs from its defaults, and how that is written.

    Its parameters are those of its `__init__` whose default is a number, a text or a truth value;
    a value is of its default's kind. Nothing of the class is run. Raises `BadParameter`.
    """
    defaults = _defaults(node)
    given = {
        name: _value(name, text, defaults[name])
        for name, text in split_settings(settings, defaults, strategy).items()
    }
    changed = {name: given[name] for name in defaults if name in given}
    changed = {name: value for name, value in changed.items() if value != defaults[name]}
    shown = ",".join(f"{name}={written(value)}" for name, value in changed.items())
    return tuple(changed.items()), shown


def _defaults(node: ast.ClassDef) -> dict[str, Value]:
    """Return the parameters of a class's `__init__` that can be set, each with its default."""
    found: dict[str, Value] = {}
    for part in node.body:
        if isinstance(part, ast.FunctionDef) and part.name == "__init__":
            places, named = [*part.args.posonlyargs, *part.args.args], part.args.kwonlyargs
            first = len(places) - len(part.args.defaults)
            pairs = [*zip(places[first:], part.args.defaults, strict=True)]
            pairs += [
                (arg, value)
                for arg, value in zip(named, part.args.kw_defaults, strict=True)
                if value
            ]
            for arg, default in pairs:
                with suppress(ValueError):  # it is worked out when the file runs
                    if isinstance(value := ast.literal_eval(default), Value):
                        found[arg.arg] = value
    return found


def _value(name: str, text: str, default: Value) -> Value:
    """Return what a text means for a parameter, as its default is."""
    found: Value | None = text
    wanted = "a text"
    if isinstance(default, bool):
        found, wanted = BOOLEANS.get(text), "true or false"
    elif isinstance(default, int):
        found, wanted = parse_integer(text), "a whole number"
    elif isinstance(default, float):
        found, wanted = _number(text), "a number"
    if found is None or found == "":
        raise BadParameter(name, f"'{name}' is {wanted}, not '{text}'")
    return found


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if isfinite(number) else None
