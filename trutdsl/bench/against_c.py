"""Machine code against C written by hand, over the same matches in turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from pathlib import Path

from trutdsl.bench.by_hand import SCRIPTS, TABLES, ByHand, compile_by_hand
from trutdsl.bench.tables import SEATS, make_code, matches_for, sums_of
from trutdsl.bench.timing import TURNS, Figure, speed_of
from trutdsl.game import load_game
from trutdsl.strategy import load_strategy
from trutdsl.strategy.native import compile_for, native_seating
from trutdsl.table.rows import DEALS, Records, Rows

Say = Callable[[str], None]


def random_play_against_c(folder: Path, seconds: float, say: Say) -> Iterator[tuple[str, Figure]]:
    """Yield how fast native code is, C being 1, for each table; without a compiler nothing.

    folder: where the C programs are compiled.
    """
    for name, players in TABLES:
        library = compile_by_hand(name, folder)
        if library is None:
            return
        table = f"{name}-{players}p"
        say(f"{table} against C")
        code = make_code(name, players)
        program = ByHand(library, players, len(code.fields))
        matches = matches_for(code, players, seconds * 5 / TURNS)
        native = partial(code.rows, SEATS[:players], 1, 0, matches)
        yield table, _speed(table, native, partial(program.rows, 1, 0, matches))


def scripts_against_c(folder: Path, seconds: float, say: Say) -> Iterator[tuple[str, Figure]]:
    """Yield the speed of scripts, the same in C being 1, for each way to seat two of them."""
    library = compile_by_hand("trut", folder)
    if library is None:
        return
    game, meeting = load_game("trut", 2, engine="native"), [load_strategy(s) for s in SCRIPTS]
    code = compile_for(game, meeting).runs
    program = ByHand(library, 2, len(code.fields))
    matches = matches_for(code, 2, seconds * 5 / TURNS)
    for seating in product(meeting, repeat=2):
        names = [spec.name for spec in seating]
        say(f"{' and '.join(names)} against C")
        played = native_seating(game, seating, meeting)
        assert played is not None
        native = partial(played.rows, 1, 0, matches)
        by_hand = partial(program.rows_of_scripts, names, 1, 0, matches)
        yield ",".join(names), _speed(f"trut-2p, {names}", native, by_hand)


def _speed(
    table: str,
    native: Callable[[], Iterator[Rows]],
    by_hand: Callable[[], Iterator[Records]],
) -> Figure:
    """Return how fast native code is, C being 1, over the same matches, which it makes sure of."""
    in_native, in_c = sums_of(native), sums_of(by_hand)
    if in_native != in_c:
        raise AssertionError(f"{table}: {in_native} in native code, {in_c} in C")
    return speed_of(partial(_deals, native), partial(_deals, by_hand))


def _deals(play: Callable[[], Iterator[Rows | Records]]) -> float:
    return sums_of(play)[DEALS]
