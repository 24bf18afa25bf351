"""Opponents: strategies on some seats of many matches side by side; others play the rest."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trutdsl.arguments import check_arguments, check_range
from trutdsl.diagnostics import BadUsage
from trutdsl.game import Game
from trutdsl.native.play.batch import Batch
from trutdsl.native.play.observation import Numbers
from trutdsl.strategy.arrays import SeatInArrays
from trutdsl.strategy.fitness import load_strategies
from trutdsl.strategy.load import StrategyLike
from trutdsl.strategy.script import ScriptSpec, table_for
from trutdsl.strategy.solved_policy import SolvedSpec
from trutdsl.strategy.spec import StrategySpec


class Opponents:
    """Strategies on some seats: scripts play in machine code, code with `choose_batch` in arrays.

    seats: the strategy of each of these seats; nobody plays the others.
    Raises `BadUsage` for a strategy that plays one match at a time.
    """

    def __init__(self, game: Game, seats: Mapping[int, StrategyLike]) -> None:
        for seat in seats:
            if not 0 <= seat < game.players:
                raise BadUsage(
                    f"found seat {seat} among the opponents, expected one from 0 to "
                    f"{game.players - 1}"
                )
        specs = dict(zip(seats, load_strategies(seats.values(), game), strict=True))
        scripts = {s: spec for s, spec in specs.items() if isinstance(spec, ScriptSpec)}
        table = table_for(game, tuple(dict.fromkeys(scripts.values())))
        self.code = (table.compiled_game if scripts else game).steps
        self.scripts = {seat: table.policy_keys[spec] for seat, spec in scripts.items()}
        self._coded: dict[int, SeatInArrays] = {}
        for seat, spec in specs.items():
            if seat in scripts:
                continue
            if (
                not isinstance(spec, StrategySpec)
                or isinstance(spec, SolvedSpec)
                or not spec.answers_in_arrays(seat)
            ):
                raise BadUsage(
                    f"'{spec.name}' plays one match at a time; expected a script, or a class with "
                    "`choose_batch`, which can play many at once"
                )
            self._coded[seat] = SeatInArrays(game, spec, seat)
        self._seats = np.array(sorted(self._coded), np.int64)

    def play(self, batch: Batch) -> None:
        """Answer for all opponents until each match asks somebody else or is over."""
        if not self._coded:
            return
        while True:
            seen = batch.observe()
            for seat in np.intersect1d(seen.seat, self._seats).tolist():
                which = seen.seat == seat
                answers = self._coded[seat].answer(seen.take(which), 0)
                Batch.answer(batch, answers, seen.matches[which])
                break
            else:
                return


class PlayedBatch(Batch):
    """Matches side by side in which opponents answer for their seats after each answer."""

    def __init__(self, opponents: Opponents, seed: int, first: int, count: int) -> None:
        self._opponents, self._begun = opponents, False
        super().__init__(opponents.code, seed, first, count, opponents.scripts)
        self._begun = True
        opponents.play(self)

    def answer(self, actions: Numbers, rows: Numbers | None = None) -> None:
        """Answer waiting matches, see `Batch.answer`; then the opponents answer theirs."""
        super().answer(actions, rows)
        self._opponents.play(self)

    def restart(self, rows: Numbers, first: int) -> None:
        """Replace these matches by new ones, see `Batch.restart`."""
        super().restart(rows, first)
        if self._begun:
            self._opponents.play(self)


@check_arguments
def start_batch(
    game: Game,
    count: int,
    *,
    opponents: Mapping[int, StrategyLike] | None = None,
    seed: int = 1,
    first: int = 0,
) -> Batch:
    """Return matches of a seed side by side, with strategies on some seats.

    opponents: seat -> strategy, a script or a class with `choose_batch`. The caller answers for all
    other seats. Raises `BadUsage` for a strategy that plays one match at a time.
    """
    check_range("count", count, 0)
    check_range("first", first, 0)
    return PlayedBatch(Opponents(game, opponents or {}), seed, first, count)
