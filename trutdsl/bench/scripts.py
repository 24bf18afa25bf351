"""Scripts against play at random: what thinking costs, deal by deal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from trutdsl.bench.tables import matches_for, sums_of
from trutdsl.bench.timing import Figure, speed_of
from trutdsl.game import Game, load_game
from trutdsl.strategy import ScriptSpec, Spec, list_strategies, load_strategy
from trutdsl.strategy.fitness import meant_variants
from trutdsl.strategy.native import UNIFORM, compile_for, native_seating
from trutdsl.table.rows import DEALS

TURNS = 9


def uniform_against_scripts(
    seconds: float, say: Callable[[str], None]
) -> Iterator[tuple[str, Figure]]:
    """Yield how many times as fast deals of `uniform` are as those of each shipped script.

    Two seats, on Trut if the script is for it, else on the first variant that it is for.
    """
    played: dict[str, list[ScriptSpec]] = {}
    for spec in map(load_strategy, list_strategies()):
        if isinstance(spec, ScriptSpec) and spec.name != UNIFORM:
            names = [variant.name for variant in meant_variants(spec)]
            played.setdefault("trut" if "trut" in names else names[0], []).append(spec)
    for name, meeting in played.items():
        say(f"scripts of {name}")
        game, uniform = load_game(name, 2, engine="native"), load_strategy(UNIFORM)
        matches = matches_for(compile_for(game, meeting).runs, 2, seconds / 8)
        for spec in meeting:
            random, script = (
                partial(_deals, game, one, meeting, matches) for one in (uniform, spec)
            )
            yield spec.name, speed_of(random, script, TURNS)


def _deals(game: Game, spec: Spec, meeting: Sequence[Spec], matches: int) -> float:
    played = native_seating(game, [spec, spec], meeting)
    assert played is not None
    return sums_of(partial(played.rows, 1, 0, matches))[DEALS]
