"""Initial state of a single deal: the score from which it is played, as a person writes it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from trutdsl.diagnostics import BadUsage, did_you_mean
from trutdsl.game.game import Game


def play_from(game: Game, score: Iterable[str]) -> Game:
    """Return the game of single deals from a score; raises `BadUsage` for one that cannot be.

    score: texts NAME=A,B, a counter and where each team's stands; others stand at 0.
    """
    found: dict[str, tuple[int, ...]] = {}
    names = game.count_plan.counters
    for text in score:
        name, _, values = text.partition("=")
        given = [value.strip() for value in values.split(",")]
        if not all(map(re.compile(r"-?[0-9]{1,9}").fullmatch, given)):
            raise BadUsage(f"--score {text}: expected a counter and numbers, NAME=A,B")
        if name not in names:
            near = did_you_mean(name, names) or f"choose {', '.join(names)}"
            raise BadUsage(f"--score {text}: {game.name} has no counter '{name}'; {near}")
        found[name] = tuple(map(int, given))
    try:
        return game.one_deal({name: found.get(name, (0,) * game.team_count) for name in names})
    except ValueError as wrong:
        raise BadUsage(f"--score: {wrong}") from None
