"""Which parts of the rules scenarios reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from trutdsl.game import Game
from trutdsl.scenario.read import read_scenarios
from trutdsl.scenario.run import Games, run_scenario


class _Covered(Games):
    """Games for scenarios, each counting what is reached; of one variant."""

    def __init__(self, wanted: str) -> None:
        super().__init__()
        self.wanted = wanted

    def __setitem__(self, key: tuple[object, ...], game: Game) -> None:
        counts = game.variant.fingerprint == self.wanted
        super().__setitem__(key, game.covered[0] if counts else game)


def cover_scenarios(game: Game, files: Sequence[Path]) -> tuple[dict[str, int], int]:
    """Return how often each part is reached in the scenarios of a variant, and how many there are.

    Whatever they expect; scenarios of other variants are left out. Raises `Rejected` for a file
    that holds no scenarios.
    """
    games = _Covered(game.variant.fingerprint)
    reached: Counter[str] = Counter()
    many = 0
    for file in files:
        for one in read_scenarios(file, str(file)):
            outcome = run_scenario(one, file, "reference", games)
            if outcome.variant == game.variant.fingerprint:
                many += 1
                reached.update({n: sum(v) for n, v in outcome.counters.items()})
    return {name: reached[name] for name in game.covered[1]}, many
