"""Strategies in machine code: a game compiled, once, with the policies of all who meet in it."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

from trutdsl.game import Game
from trutdsl.strategy.script import ScriptSpec, table_for
from trutdsl.strategy.spec import Spec
from trutdsl.table import Seated
from trutdsl.table.counts import Counts
from trutdsl.table.rows import Rows

UNIFORM = "uniform"


@dataclass(frozen=True)
class NativeSeating:
    """A game in machine code, with the strategy of each seat; which it is, is known at run time."""

    game: Game
    seats: tuple[Seated, ...]

    def rows(self, seed: int, first: int, matches: int) -> Iterator[Rows]:
        """Yield some matches of a seed as rows, some at a time, see `Game.run_rows`.

        Raises `RuleError` at a match whose rules, and `PolicyError` at one in which a script
        leads to something impossible; then as many were played as were given.
        """
        return self.game.run_rows(self.seats, seed, first, matches)

    def fill(self, seed: int, first: int, rows: Rows) -> Iterator[int]:
        """Write matches of a seed into rows, and yield how many more are there; raises likewise."""
        return self.game.fill_rows(self.seats, seed, first, rows)

    def counted(self, seed: int, first: int, rows: Rows) -> Generator[int, None, Counts]:
        """Yield what `fill` does, and return what is counted over these matches."""
        return self.game.fill_counted(self.seats, seed, first, rows)

    def count(self, seed: int, first: int, matches: int) -> Counts:
        """Return what is counted over some matches of a seed; raises as `rows` does."""
        return self.game.count(self.seats, seed, first, matches)


def native_seating(
    game: Game, seating: Sequence[Spec], meeting: Sequence[Spec] = ()
) -> NativeSeating | None:
    """Return a game with these strategies on its seats; None if one of them is no machine code.

    meeting: all who meet in the game, on whatever seats: it is compiled for all of them at once.
    """
    if game.engine != "native":
        return None
    seats = []
    for seat, spec in enumerate(seating):
        alike = spec.native_on(seat) == UNIFORM
        if not alike and not isinstance(spec, ScriptSpec):
            return None
        seats.append(Seated(spec.name, None if alike else spec.name))
    return NativeSeating(compile_for(game, (*seating, *meeting)), tuple(seats))


def compile_for(game: Game, meeting: Sequence[Spec]) -> Game:
    """Return the game that is compiled with the scripts among those who meet in it, if there are.

    The same for the same scripts, in whatever order they come.
    """
    scripts = {s for s in meeting if isinstance(s, ScriptSpec) and s.native_on(0) != UNIFORM}
    ordered = sorted(scripts, key=lambda spec: (spec.name, spec.fingerprint))
    return table_for(game, tuple(ordered)).compiled if ordered else game
