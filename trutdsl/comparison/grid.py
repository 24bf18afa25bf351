"""Grids of parameters: every combination of some values, each as a variant to compare."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from trutdsl.game import BadUsage, Game
from trutdsl.variant import BadParameter, Parameter, Value

MOST_CELLS = 400
RANGE = re.compile(r"(-?\d{1,9})\.\.(-?\d{1,9})(?::(\d{1,9}))?")


@dataclass(frozen=True)
class Axis:
    """A parameter and the values that it takes, as texts in the order in which they were given."""

    name: str
    values: tuple[str, ...]


def read_axes(texts: Sequence[str], game: Game) -> tuple[Axis, ...]:
    """Return the axes that texts such as `goal=3..9` or `leader=dealer,left_of_dealer` name.

    `3..9:2` counts in steps. Semicolons do as well as commas, and are needed where
    values are sets of cards. Raises
    `BadParameter` or `BadUsage` for what is none.
    """
    found: dict[str, Axis] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        if not equals or not values:
            raise BadUsage(
                f"--param {text}: expected values, such as goal=3..9 or {name or 'goal'}=A,B"
            )
        if name in found:
            raise BadUsage(f"--param {name} is given twice; write all its values in one")
        game.variant.bind({name: _values(text, values, game.variant.parameters.get(name))[0]})
        found[name] = Axis(name, _settled(game, name, values, text))
    cells = 1
    for axis in found.values():
        cells *= len(axis.values)
    if cells > MOST_CELLS:
        raise BadUsage(f"the grid has {cells:,} cells; at most {MOST_CELLS} are played")
    return tuple(found.values())


def cells_of(ref: str, axes: Sequence[Axis]) -> tuple[tuple[dict[str, str], str], ...]:
    """Return every cell: its values, and how it is called, such as `trut:goal=3`."""
    found = []
    for chosen in product(*(axis.values for axis in axes)):
        values = {axis.name: value for axis, value in zip(axes, chosen, strict=True)}
        found.append((values, f"{ref}:{','.join(f'{n}={v}' for n, v in values.items())}"))
    return tuple(found)


def other_readings(game: Game) -> tuple[tuple[str, str], ...]:
    """Return the other values of every parameter that is marked as a choice, as (name, value).

    Of a number those next to its default; of a set of cards none and all.
    """
    found = []
    for name, parameter in game.variant.parameters.items():
        if parameter.is_choice:
            default = game.parameters[name]
            found += [(name, text) for text in _others(parameter, default)]
    return tuple(found)


def _others(parameter: Parameter, default: Value) -> list[str]:
    match parameter.type:
        case "boolean":
            texts = ["true", "false"]
        case "choice":
            texts = list(parameter.choices)
        case "integer":
            assert isinstance(default, int)
            texts = [str(default - 1), str(default + 1)]
        case "probability":
            texts = ["0", "1"]
        case "cards":
            texts = ["none", "all"]
    found = []
    for text in texts:
        try:
            value = parameter.value_of(text)
        except BadParameter:
            continue
        if value != default:
            found.append(text)
    return found


def _settled(game: Game, name: str, values: str, text: str) -> tuple[str, ...]:
    """Return values as they are written in files, each once."""
    parameter = game.variant.parameters[name]
    bound = [game.variant.bind({name: one})[name] for one in _values(text, values, parameter)]
    return tuple(dict.fromkeys(parameter.text_of(value) for value in bound))


def _values(text: str, values: str, parameter: Parameter | None) -> list[str]:
    if parameter is not None and parameter.type == "cards":
        return values.split(";")
    found: list[str] = []
    for part in values.replace(";", ",").split(","):
        numbers = RANGE.fullmatch(part)
        if numbers is None:
            found.append(part)
            continue
        low, high, step = int(numbers[1]), int(numbers[2]), int(numbers[3] or 1)
        if high < low or step < 1 or (high - low) // step >= MOST_CELLS:
            raise BadUsage(
                f"--param {text}: expected a range upwards of at most {MOST_CELLS} values, "
                f"such as {low}..{low + 4}"
            )
        found += map(str, range(low, high + 1, step))
    return found


def has_same_values(game: Game, values: Mapping[str, str]) -> bool:
    """Tell whether a game has these values already."""
    return all(
        game.variant.parameters[name].value_of(text) == game.parameters[name]
        for name, text in values.items()
    )
