"""Sweeps: one variant with many values of its parameters, each compared with the variant itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from trutdsl.comparison.asked import Asked, split_variant
from trutdsl.comparison.grid import cells_of, has_same_values, other_readings, read_axes
from trutdsl.comparison.hold import Watcher, compare
from trutdsl.game import BadUsage, Game, load_game


def sweep(
    asked: Asked,
    axes: Sequence[str],
    root: Path,
    jobs: int | None = None,
    watcher: Watcher | None = None,
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
    asked: Asked, root: Path, jobs: int | None = None, watcher: Watcher | None = None
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


def _base(asked: Asked) -> tuple[Game, str, tuple[str, ...]]:
    ref, own = split_variant(asked.variants[0])
    game = load_game(ref, asked.players, [*asked.parameters, *own], asked.engine)
    return game, ref, own


def _compare(
    asked: Asked, others: Sequence[str], root: Path, jobs: int | None, watcher: Watcher | None
) -> Mapping[str, Any]:
    variants = (asked.variants[0], *others)
    return compare(
        replace(asked, variants=variants, apart=False, screening=True), root, jobs, watcher
    )
