"""Sweeps: every combination of some parameter values, compared with the variant itself."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from trutdsl.comparison.run_comparison import ComparisonWatcher, Request, compare, split_variant
from trutdsl.game import BadUsage, Game, load_game
from trutdsl.language import figure, say
from trutdsl.report.in_play import InPlay
from trutdsl.variant import BadParameter, Parameter, Value

MOST_CELLS = 400
RANGE = re.compile(r"(-?\d{1,9})\.\.(-?\d{1,9})(?::(\d{1,9}))?")


def read_axes(texts: Sequence[str], game: Game) -> dict[str, tuple[str, ...]]:
    """Return the values of each parameter, in the given order.

    texts: such as `goal=3..9` or `leader=dealer,left_of_dealer`; `3..9:2` has steps. Semicolons can
    replace commas, and must if values are sets of cards. Raises `BadParameter` or `BadUsage` for
    invalid texts.
    """
    result: dict[str, tuple[str, ...]] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        if not equals or not values:
            raise BadUsage(
                say(
                    "--param {text}: expected values, such as goal=3..9 or {name}=A,B",
                    text=text,
                    name=name or "goal",
                )
            )
        if name in result:
            raise BadUsage(
                say("--param {name} is given twice; write all its values in one", name=name)
            )
        game.variant.bind({name: _values(text, values, game.variant.parameters.get(name))[0]})
        parameter = game.variant.parameters[name]
        bound = [game.variant.bind({name: one})[name] for one in _values(text, values, parameter)]
        result[name] = tuple(dict.fromkeys(parameter.text_of(value) for value in bound))
    cells = prod(map(len, result.values()))
    if cells > MOST_CELLS:
        text = "the grid has {cells} cells; at most {most_cells} are played"
        raise BadUsage(say(text, cells=figure(cells, ","), most_cells=MOST_CELLS))
    return result


def other_readings(game: Game) -> tuple[tuple[str, str], ...]:
    """Return the other values of every parameter that is marked as a choice, as (name, value).

    A number has its neighbours, a set of cards none and all. A parameter that no rule can read at
    this table has none.
    """
    unused = InPlay(game.program, [game.setting]).unused_parameters() - {game.variant.pack_by}
    return tuple(
        (name, text)
        for name, parameter in game.variant.parameters.items()
        if parameter.is_choice and name not in unused
        for text in _others(parameter, game.parameters[name])
    )


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
    result = []
    for text in texts:
        try:
            value = parameter.value_of(text)
        except BadParameter:
            continue
        if value != default:
            result.append(text)
    return result


def _values(text: str, values: str, parameter: Parameter | None) -> list[str]:
    if parameter is not None and parameter.type == "cards":
        return values.split(";")
    result: list[str] = []
    for part in values.replace(";", ",").split(","):
        numbers = RANGE.fullmatch(part)
        if numbers is None:
            result.append(part)
            continue
        low, high, step = int(numbers[1]), int(numbers[2]), int(numbers[3] or 1)
        if high < low or step < 1 or (high - low) // step >= MOST_CELLS:
            raise BadUsage(
                say(
                    "--param {text}: expected a range upwards of at most {most_cells} values, "
                    "such as {low}..{high}",
                    text=text,
                    most_cells=MOST_CELLS,
                    low=low,
                    high=low + 4,
                )
            )
        result += map(str, range(low, high + 1, step))
    return result


def sweep(
    request: Request,
    axes: Sequence[str],
    root: Path,
    jobs: int | None = None,
    watcher: ComparisonWatcher | None = None,
    scheduler: str | None = None,
) -> dict[str, Any]:
    """Play every cell of a grid and return a comparison with the unchanged variant.

    Its field `sweep` has the axes and, for each cell, the values and the name of the variant. The
    cell with the values of the variant itself has the variant's own name. axes: texts for
    `read_axes`. Raises like `compare` and `read_axes`.
    """
    game, ref, own = _base(request)
    grid = read_axes(axes, game)
    cells = [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]
    parameters = game.variant.parameters
    same = [
        all(parameters[name].value_of(text) == game.parameters[name] for name, text in cell.items())
        for cell in cells
    ]
    others = [
        _with(ref, own, values) for values, is_base in zip(cells, same, strict=True) if not is_base
    ]
    results = compare(_against(request, others), root, jobs, watcher, scheduler)
    base, *names = (variant["name"] for variant in results["variants"])
    following = iter(names)
    return {
        **results,
        "sweep": {
            "axes": [{"name": name, "values": list(values)} for name, values in grid.items()],
            "cells": [
                {"values": values, "name": base if is_base else next(following)}
                for values, is_base in zip(cells, same, strict=True)
            ],
        },
    }


def _with(ref: str, own: Sequence[str], values: Mapping[str, str]) -> str:
    """Return a variant with its own parameters and these values, which replace some."""
    others = [text for text in own if text.partition("=")[0] not in values]
    return f"{ref}:{','.join([*others, *(f'{name}={value}' for name, value in values.items())])}"


def ambiguities(
    request: Request,
    root: Path,
    jobs: int | None = None,
    watcher: ComparisonWatcher | None = None,
    scheduler: str | None = None,
) -> dict[str, Any]:
    """Play every other reading of a variant and return a comparison with the default.

    `readings` in it has, for each, parameter, value, default and help text. Raises `BadUsage` for a
    variant without choices, and like `compare`.
    """
    game, ref, own = _base(request)
    readings = other_readings(game)
    if not readings:
        text = (
            "{game} has no parameter that is marked as a choice and comes up at this table; "
            "trutdsl sweep tells what any other parameter changes"
        )
        raise BadUsage(say(text, game=game.name))
    others = [_with(ref, own, {name: value}) for name, value in readings]
    results = compare(_against(request, others), root, jobs, watcher, scheduler)
    parameters, texts = game.variant.parameters, game.parameter_texts()
    return {
        **results,
        "readings": [
            {
                "parameter": name,
                "value": value,
                "default": texts[name],
                "help": parameters[name].help,
                "name": variant["name"],
            }
            for (name, value), variant in zip(readings, results["variants"][1:], strict=True)
        ],
    }


def _base(request: Request) -> tuple[Game, str, tuple[str, ...]]:
    ref, own = split_variant(request.variants[0])
    game = load_game(ref, request.players, [*request.parameters, *own], request.engine)
    return game, ref, own


def _against(request: Request, others: Sequence[str]) -> Request:
    """Return the request to compare a variant with others, as in a sweep."""
    return replace(request, variants=(request.variants[0], *others), apart=False, screening=True)
