"""Rates of native play: deals and decisions per second.

Other load on a machine only slows a part. So the fastest part says most about the program, and the
median shows the effect of other load.
"""

from __future__ import annotations

import os
import shlex
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count, product
from pathlib import Path
from statistics import median
from types import MappingProxyType
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from trutdsl.game import Game, Question, load_game
from trutdsl.native.play.batch import Batch
from trutdsl.native.play.runs import RunCode
from trutdsl.native.play.search import SearchCode
from trutdsl.strategy.legs import compile_for, native_seating, read_leg
from trutdsl.strategy.load import Spec, StrategyLike, load_strategy
from trutdsl.strategy.match_history import MatchHistory
from trutdsl.strategy.monte_carlo import request_of
from trutdsl.strategy.play import play_match
from trutdsl.strategy.script import UNIFORM, ScriptSpec, table_for
from trutdsl.streams import Stream
from trutdsl.table.chance import StreamChance
from trutdsl.table.counts import DEALS, DECISIONS, Records, Rows
from trutdsl.table.setting import SeatedPlayer
from trutdsl.variant import list_variants, load_variant

Made = TypeVar("Made")
Clock = Callable[[], float]
PARTS = 12
TURNS = 15
SCRIPT_TURNS = 9


@contextmanager
def own_cache(keep: bool) -> Iterator[Path]:
    """Use a new folder as the cache, or no cache; yields the folder."""
    before = os.environ.get("TRUTDSL_CACHE")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TRUTDSL_CACHE"] = folder if keep else ""
        try:
            yield Path(folder)
        finally:
            if before is None:
                del os.environ["TRUTDSL_CACHE"]
            else:
                os.environ["TRUTDSL_CACHE"] = before


class Figure(NamedTuple):
    """A rate, a ratio of rates, or seconds, by the fastest of several parts and by their median."""

    fastest: float
    median: float


def time_call(do: Callable[[], Made], clock: Clock = time.perf_counter) -> tuple[float, Made]:
    """Return the seconds of a call, by default of wall time, and its result.

    At least a microsecond, because a coarse clock may not have moved.
    """
    start = clock()
    result = do()
    return max(clock() - start, 1e-6), result


def rate_of(part: Callable[[float], tuple[float, float]], seconds: float) -> Figure:
    """Return the work a second, over `PARTS` parts that together take about this many seconds.

    part: works for about a number of seconds; returns its amount of work, and the real seconds.
    """
    length = seconds / PARTS
    rates = [amount / took for amount, took in (part(length) for _ in range(PARTS))]
    return Figure(max(rates), median(rates))


def speed_of(
    one: Callable[[], float],
    other: Callable[[], float],
    turns: int = TURNS,
    clock: Clock = time.process_time,
) -> Figure:
    """Return the ratio of the speeds of two functions, called in turns this many times.

    Each returns its amount of work. By the fastest of each, and by the median of the turns' ratios.
    """
    rates = [(_rate(one, clock), _rate(other, clock)) for _ in range(turns)]
    ones, others = zip(*rates, strict=True)
    return Figure(max(ones) / max(others), median(mine / its for mine, its in rates))


def _rate(do: Callable[[], float], clock: Clock) -> float:
    took, amount = time_call(do, clock)
    return amount / took


SEATS = 16 * [SeatedPlayer("uniform")]
PILOT = 200  # matches


class Table(NamedTuple):
    """A variant by name or path, at a number of players and with parameters."""

    variant: str
    players: int
    parameters: Mapping[str, str]


def benchmark_tables() -> dict[str, Table]:
    """Return every shipped variant with each number of players and pack: name -> the table.

    The name has a pack other than the default, as in `truc-french-2p pack=36`.
    """
    tables = {}
    for name in list_variants():
        variant = load_variant(name)
        for pack, players in product(variant.pack_choices, variant.players):
            words = [f"{name}-{players}p", *(f"{key}={value}" for key, value in pack.items())]
            tables[" ".join(words)] = Table(name, players, pack)
    return tables


def make_code(
    name: str, players: int, parameters: Mapping[str, str] = MappingProxyType({})
) -> RunCode:
    """Return a variant parsed, checked and compiled."""
    return load_game(name, players, parameters, engine="reference").runs


def table_rate(table: Table, seconds: float, keep: bool) -> tuple[dict[str, float], Figure]:
    """Return the seconds to compile a table, and its deals a second.

    The former are `cold`, and `cached` if there is a cache.
    """
    took, code = time_call(partial(make_code, *table))
    compile_seconds = {"cold": took}
    if keep:
        compile_seconds["cached"], code = time_call(partial(make_code, *table))
    return compile_seconds, deal_rate(code, table.players, seconds)


def deal_rate(code: RunCode, players: int, seconds: float) -> Figure:
    """Return the deals in a second of processor time, with random play on every seat."""

    def part(length: float) -> tuple[float, float]:
        play = partial(count_deals, code, players, 0, matches_for(code, players, length))
        took, deals = time_call(play, time.process_time)
        return deals, took

    return rate_of(part, seconds)


def matches_for(code: RunCode, players: int, seconds: float) -> int:
    """Return about how many matches take this long."""
    took, _ = time_call(lambda: count_deals(code, players, 0, PILOT), time.process_time)
    return max(PILOT, int(PILOT * seconds / took))


def count_deals(code: RunCode, players: int, first: int, matches: int) -> int:
    """Play some matches at random, and return the number of their deals."""
    return sums_of(partial(code.rows, SEATS[:players], 1, first, matches))[DEALS]


def sums_of(play: Callable[[], Iterator[Rows | Records]]) -> list[int]:
    """Return the sums over the records of matches, field by field: winners, deals, decisions..."""
    return [sum(parts) for parts in zip(*map(_sums, play()), strict=True)]


def _sums(rows: Rows | Records) -> list[int]:
    if isinstance(rows, Rows):
        return [int(c.sum(dtype=np.int64)) for c in rows.columns if c is not None]
    sums: list[int] = rows.sum(axis=0).tolist()
    return sums


def uniform_over_scripts(
    game: Game, meeting: Sequence[ScriptSpec], seconds: float
) -> Iterator[tuple[str, Figure]]:
    """Yield the ratio of deals a second of `uniform` to those of each script, at one table.

    Scripts that end matches before the first deal are left out.
    """
    uniform = load_strategy(UNIFORM)
    matches = matches_for(compile_for(game, meeting).runs, game.players, seconds / 8)
    for spec in meeting:
        random, script = (partial(_deals, game, one, meeting, matches) for one in (uniform, spec))
        with suppress(ZeroDivisionError):  # without deals there is no ratio
            yield spec.name, speed_of(random, script, SCRIPT_TURNS)


def _deals(game: Game, spec: Spec, meeting: Sequence[Spec], matches: int) -> float:
    players = native_seating(game, [spec] * game.players, meeting)
    assert players is not None
    return sums_of(partial(players.game.runs.rows, players.seats, 1, 0, matches))[DEALS]


STEADY = str(Path(__file__).with_name("steady.py"))
BATCH = 4096  # matches side by side
BOT_TABLES = 32  # matches that bots play at once
FIRST_BOT = """\
import sys
for line in sys.stdin:
    if line.startswith('{"id": '):
        number, _, rest = line[7:].partition(",")
        action = rest.partition('"actions": [')[2].partition(",")[0].partition("]")[0]
        print('{"id": ' + number + ', "action": ' + action + "}", flush=True)
"""


def callback_rate(game: Game, seconds: float) -> Figure:
    """Return the rate of a seat's choices by a callback from machine code into Python."""
    code, seating, numbers = game.runs, SEATS[: game.players], count(0, 500)

    def play() -> int:
        decisions = 0

        def first(_match: int, _count: int) -> int:
            nonlocal decisions
            decisions += 1
            return 0

        for _ in code.rows(seating, 1, next(numbers), 500, first):
            pass
        return decisions

    return rate_of(partial(_repeat, play), seconds)


def batch_rate(game: Game, seconds: float) -> Figure:
    """Return the rate of matches side by side whose seats take the lowest legal action."""
    code, numbers = game.steps, count(0, BATCH)

    def play() -> int:
        batch = Batch(code, 1, next(numbers), BATCH)
        while len(batch.waiting):
            batch.answer(_lowest(batch.observe(()).legal))
        return int(batch.decisions.sum())

    return rate_of(partial(_repeat, play), seconds)


def has_choices(game: Game) -> bool:
    """Tell whether a seat has several legal actions in the first matches of `batch_rate`."""
    batch = Batch(game.steps, 1, 0, BATCH)
    while len(batch.waiting):
        legal = batch.observe(()).legal
        if (np.bitwise_count(legal).sum(axis=1) > 1).any():
            return True
        batch.answer(_lowest(legal))
    return False


def _lowest(legal: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the lowest action of each row of masks."""
    word = (legal != 0).argmax(axis=1)
    mask = legal[np.arange(len(legal)), word]
    below: NDArray[np.int64] = np.bitwise_count((mask & (~mask + np.uint64(1))) - np.uint64(1))
    lowest: NDArray[np.int64] = 64 * word + below
    return lowest


def view_rate(game: Game, strategy: StrategyLike, seconds: float) -> Figure:
    """Return the rate of single matches between equal strategies in Python.

    An equally long part before it is not counted; there most questions occur for the first time.
    """
    seating, numbers = [load_strategy(strategy)] * game.players, count()

    def play() -> int:
        return play_match(game, seating, 1, next(numbers)).decisions

    _repeat(play, seconds)
    return rate_of(partial(_repeat, play), seconds)


def bot_rate(folder: Path, seconds: float) -> Figure:
    """Return the rate of matches at many tables between bots that read almost nothing."""
    command = f"tables: {BOT_TABLES}\n{shlex.quote(sys.executable)} first.py\n"
    (folder / "first.py").write_text(FIRST_BOT, encoding="utf-8")
    (folder / "first.bot").write_text(command, encoding="utf-8")
    game, seating = load_game("trut", 2, engine="native"), [load_strategy(folder / "first.bot")] * 2
    numbers = count(0, BOT_TABLES)

    def play() -> int:
        records = read_leg(game, seating, (0, 1), 1, next(numbers), BOT_TABLES)
        return int(sum(some[:, DECISIONS].sum() for some in records))

    return rate_of(partial(_repeat, play, clock=time.perf_counter), seconds)


def playout_rate(game: Game, seconds: float) -> Figure:
    """Return the rate of deals in the play-outs of `monte-carlo`, with worlds.

    It searches at each question of random matches; play-outs are random, too.
    """
    script = load_strategy("uniform")
    assert isinstance(script, ScriptSpec)
    table, luck = table_for(game, (script,)).compiled_game, Stream(1)
    code = table.steps
    assert isinstance(code, SearchCode)
    seats = tuple(range(game.players))
    courses = (MatchHistory(table, seats, StreamChance(1, match)) for match in count())
    course = next(courses)

    def part(length: float) -> tuple[float, float]:
        nonlocal course
        playouts, total = 0, 0.0
        while total < length:
            question = course.state.pending
            if question is None:
                course = next(courses)
                continue
            if not isinstance(question, Question):
                course.next_deal()
                continue
            actions = len(question.actions)
            if actions > 1:
                each = 10_000 // actions
                request = request_of(course, question.seat, script.name, luck.next64(), each)
                took, (_, rows) = time_call(partial(code.search, request), time.process_time)
                playouts, total = playouts + rows.shape[0] * actions, total + took
            course.apply(luck.below(actions))
        return playouts, total

    return rate_of(part, seconds)


def _repeat(
    play: Callable[[], int], length: float, clock: Clock = time.process_time
) -> tuple[float, float]:
    decisions, took = 0, 0.0
    while took < length:
        seconds, more = time_call(play, clock)
        decisions, took = decisions + more, took + seconds
    return decisions, took
