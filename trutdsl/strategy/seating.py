"""Which strategy sits where, from the texts that a person gives for them."""

from __future__ import annotations

from collections.abc import Sequence

from trutdsl.game import Game
from trutdsl.strategy.fitness import check_for
from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.monte_carlo import MonteCarloSpec
from trutdsl.strategy.script import ScriptSpec
from trutdsl.strategy.spec import Spec


def split_strategies(text: str) -> list[str]:
    """Return the strategies named in a list with commas, each with the settings behind its colon.

    What has an `=` and no colon before it belongs to the strategy before: `a,b:x=1,y=2,c`.
    """
    found: list[str] = []
    for part in (one.strip() for one in text.split(",")):
        if found and "=" in part and ":" not in part.partition("=")[0] and ":" in found[-1]:
            found[-1] += f",{part}"
        else:
            found.append(part)
    return found


def load_strategies(names: Sequence[str], game: Game) -> list[Spec]:
    """Return strategies by their names, each once; raises `Rejected` for one that does not fit."""
    loaded = {name: load_strategy(name) for name in names}
    for spec in loaded.values():
        if isinstance(spec, ScriptSpec):
            check_for(spec, game)
        elif isinstance(spec, MonteCarloSpec):
            check_for(spec.script_for(game), game)
    return [loaded[name] for name in names]
