"""The benchmark of one variant: all its tables, and strategies at the smallest of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from trutdsl.bench.against_c import TABLES, random_play_against_c
from trutdsl.bench.measure import (
    Figure,
    Table,
    batch_rate,
    callback_rate,
    has_choices,
    own_cache,
    playout_rate,
    table_rate,
    uniform_over_scripts,
    view_rate,
)
from trutdsl.game import Game, load_game
from trutdsl.language import mark, say
from trutdsl.strategy.fitness import fitness
from trutdsl.strategy.load import list_strategies, load_strategy
from trutdsl.strategy.script import UNIFORM, ScriptSpec

USUAL = ("steady", "honest", "actuary")  # from fast to slow
MOST_SCRIPTS = 3
Figures = dict[str, Any]
Step = tuple[str, Callable[[], None]]
Rate = Callable[[Game, float], Figure]


def benchmark_variant(
    game: Game,
    players: Sequence[int],
    seconds: float,
    show: Callable[[str], None],
    keep: bool = True,
) -> Figures:
    """Return the figures of a game's variant and parameters, by the names of `benchmark`.

    players: of each table; the first is that of the strategies. show: gets a text at each step.
    keep:    use a cache in a new folder; otherwise there is no cache, and it is not measured.
    """
    figures: Figures = {"deals_per_second": {}, "compile_seconds": {}}
    with own_cache(keep) as folder:
        steps = list(_steps(game, players, seconds, keep, folder, figures))
        for number, (name, measure) in enumerate(steps, 1):
            show(say("{number} of {steps}: {name}", number=number, steps=len(steps), name=name))
            measure()
    return figures


def table_name(game: Game, players: int) -> str:
    """Return the name of a table of this variant, such as `trut-2p`."""
    return f"{game.name}-{players}p"


def _steps(
    game: Game, players: Sequence[int], seconds: float, keep: bool, folder: Path, figures: Figures
) -> Iterator[Step]:
    def measure_table(number: int) -> None:
        table = Table(game.ref, number, game.parameter_texts())
        took, rate = table_rate(table, seconds, keep)
        name = table_name(game, number)
        figures["compile_seconds"][name], figures["deals_per_second"][name] = took, rate

    def measure_against_c() -> None:
        ratios = dict(random_play_against_c(folder, 2 * seconds, lambda _: None, in_c))
        if ratios:  # else there is no C compiler
            figures["native_over_c"] = ratios

    def measure_scripts() -> None:
        figures["uniform_over_script"] = dict(uniform_over_scripts(game, scripts, seconds))

    def measure_rate(name: str, rate: Rate) -> None:
        figures[name] = rate(game, seconds)

    for number in players:
        yield say("{many} players", many=number), partial(measure_table, number)
    if in_c := [(game.name, number) for number in players if is_in_c(game, number)]:
        yield say("against hand-written C"), measure_against_c
    if scripts := fitting_scripts(game):
        yield say("scripts"), measure_scripts
    # A game without choices has no answers to measure.
    for text, name, rate in RATES if game.plans and has_choices(game) else ():
        yield say(text), partial(measure_rate, f"{name}_per_second", rate)


def _function_rate(game: Game, seconds: float) -> Figure:
    return view_rate(game, lambda view: view.actions[0], seconds)


RATES: tuple[tuple[str, str, Rate], ...] = (
    (mark("a callback in Python"), "callback_decisions", callback_rate),
    (mark("many matches side by side"), "batch_decisions", batch_rate),
    (mark("a function of the view"), "function_decisions", _function_rate),
    (mark("search"), "playouts", playout_rate),
)


def is_in_c(game: Game, players: int) -> bool:
    """Tell whether a table is played by one of the programs in C."""
    if (game.name, players) not in TABLES:
        return False
    table = load_game(game.ref, players, game.parameter_texts())
    return table.fingerprint == load_game(game.name, players).fingerprint


def fitting_scripts(game: Game) -> list[ScriptSpec]:
    """Return a few scripts that can play a game."""
    others = (name for name in list_strategies() if name not in (UNIFORM, *USUAL))
    result: list[ScriptSpec] = []
    for spec in map(load_strategy, (*USUAL, *others)):
        if isinstance(spec, ScriptSpec) and fitness(spec, game) == "complete":
            result.append(spec)
            if len(result) == MOST_SCRIPTS:
                break
    return result
