"""Sweeps: every combination of some parameter values, compared with the variant itself."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

from trutdsl.comparison.run_comparison import ComparisonWatcher, Request, compare, split_variant
from trutdsl.game import BadUsage, Game, load_game
from trutdsl.variant import BadParameter, Parameter, Value

# Grids of parameters: every combination of some values, each as a variant to compare.

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


def sweep(
    asked: Request,
    axes: Sequence[str],
    root: Path,
    jobs: int | None = None,
    watcher: ComparisonWatcher | None = None,
) -> dict[str, Any]:
    """Play every cell of a grid and return it as a comparison with the variant as it is.

    `sweep` in it has the axes and, for each cell, its values and the name under which it stands
    among the variants; the cell that is the variant itself has that name. axes: as `read_axes` has
    them. Raises as `compare` and `read_axes` do.
    """
    game, ref, own = _base(asked)
    grid = read_axes(axes, game)
    names = {axis.name for axis in grid}
    cells = []
    for values, _ in cells_of(game.name, grid):
        kept = [text for text in own if text.partition("=")[0] not in names]
        texts = [*kept, *(f"{name}={value}" for name, value in values.items())]
        same = has_same_values(game, values)
        cells.append((values, None if same else texts))
    others = [f"{ref}:{','.join(texts)}" for _, texts in cells if texts is not None]
    results = _compare(asked, others, root, jobs, watcher)
    called = iter(variant["name"] for variant in results["variants"][1:])
    base = results["variants"][0]["name"]
    return {
        **results,
        "sweep": {
            "axes": [{"name": axis.name, "values": list(axis.values)} for axis in grid],
            "cells": [
                {"values": values, "name": base if texts is None else next(called)}
                for values, texts in cells
            ],
        },
    }


def ambiguities(
    asked: Request, root: Path, jobs: int | None = None, watcher: ComparisonWatcher | None = None
) -> dict[str, Any]:
    """Play every other reading of a variant and return them as a comparison with the default.

    `readings` in it has, for each, parameter, value, default and help text. Raises `BadUsage` for a
    variant that leaves nothing open, and as `compare` does.
    """
    game, ref, own = _base(asked)
    readings = other_readings(game)
    if not readings:
        raise BadUsage(
            f"{game.name} has no parameter that is marked as a choice; trutdsl sweep tells what "
            "any other parameter changes"
        )
    others = []
    for name, value in readings:
        kept = [text for text in own if text.partition("=")[0] != name]
        others.append(f"{ref}:{','.join([*kept, f'{name}={value}'])}")
    results = _compare(asked, others, root, jobs, watcher)
    declared, texts = game.variant.parameters, game.parameter_texts()
    return {
        **results,
        "readings": [
            {
                "parameter": name,
                "value": value,
                "default": texts[name],
                "help": declared[name].help,
                "name": variant["name"],
            }
            for (name, value), variant in zip(readings, results["variants"][1:], strict=True)
        ],
    }


def _base(asked: Request) -> tuple[Game, str, tuple[str, ...]]:
    ref, own = split_variant(asked.variants[0])
    game = load_game(ref, asked.players, [*asked.parameters, *own], asked.engine)
    return game, ref, own


def _compare(
    asked: Request,
    others: Sequence[str],
    root: Path,
    jobs: int | None,
    watcher: ComparisonWatcher | None,
) -> Mapping[str, Any]:
    variants = (asked.variants[0], *others)
    return compare(
        replace(asked, variants=variants, apart=False, screening=True), root, jobs, watcher
    )
