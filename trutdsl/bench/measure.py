"""Rates of native play: deals and decisions per second, and machine code against C.

Other load on a machine only slows a part. So the fastest part says most about the program, and the
median shows the effect of other load.
"""

from __future__ import annotations

import ctypes
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import count, product
from pathlib import Path
from statistics import median
from types import MappingProxyType
from typing import NamedTuple, TypeVar

import numpy as np

from trutdsl.game import Question, load_game
from trutdsl.native.abi import MOST_RECORDS
from trutdsl.native.play.batch import Batch
from trutdsl.native.play.runs import RunCode
from trutdsl.native.play.search import SearchCode
from trutdsl.strategy import ScriptSpec, load_strategy, play_match, read_leg
from trutdsl.strategy.legs import MOST, compile_for, native_seating
from trutdsl.strategy.match_history import MatchHistory
from trutdsl.strategy.monte_carlo import wanted_of
from trutdsl.strategy.script import table_for
from trutdsl.streams import Stream, chance_key, strategy_key
from trutdsl.table.chance import StreamChance
from trutdsl.table.counts import DEALS, DECISIONS, Records, Rows
from trutdsl.table.setting import SeatedPlayer
from trutdsl.variant import list_variants, load_variant

Made = TypeVar("Made")
Clock = Callable[[], float]
PARTS = 12
TURNS = 15


class Figure(NamedTuple):
    """A rate, a ratio of rates, or seconds, by the fastest of several parts and by their median."""

    fastest: float
    median: float


def timed(do: Callable[[], Made], clock: Clock = time.perf_counter) -> tuple[float, Made]:
    """Return the seconds of a call, by default of wall time, and its result."""
    start = clock()
    made = do()
    return clock() - start, made


def rate_of(part: Callable[[float], tuple[float, float]], seconds: float) -> Figure:
    """Return the work a second, over `PARTS` parts that together take about this many seconds.

    part: works for about a number of seconds; returns its amount of work, and the real seconds.
    """
    length = seconds / PARTS
    rates = [amount / took for amount, took in (part(length) for _ in range(PARTS))]
    return Figure(max(rates), median(rates))


def speed_of(one: Callable[[], float], other: Callable[[], float], turns: int = TURNS) -> Figure:
    """Return the ratio of the speeds of two functions, called in turns this many times.

    Each returns its amount of work. By the fastest of each, and by the median of the turns' ratios.
    """
    rates = [(_rate(one), _rate(other)) for _ in range(turns)]
    ones, others = zip(*rates, strict=True)
    return Figure(max(ones) / max(others), median(mine / its for mine, its in rates))


def _rate(do: Callable[[], float]) -> float:
    took, amount = timed(do)
    return amount / took


SEATS = 16 * [SeatedPlayer("uniform")]
PILOT = 200  # matches


def benchmark_tables() -> dict[str, tuple[str, int, dict[str, str]]]:
    """Return every shipped variant with each number of players and pack: name -> the table.

    The name has a pack other than the default, as in `truc-french-2p pack=36`.
    """
    tables = {}
    for name in list_variants():
        variant = load_variant(name)
        for pack, players in product(variant.pack_choices, variant.players):
            words = [f"{name}-{players}p", *(f"{key}={value}" for key, value in pack.items())]
            tables[" ".join(words)] = (name, players, pack)
    return tables


def make_code(
    name: str, players: int, parameters: Mapping[str, str] = MappingProxyType({})
) -> RunCode:
    """Return a variant parsed, checked and compiled."""
    return load_game(name, players, parameters, engine="reference").runs


def deal_rate(code: RunCode, players: int, seconds: float) -> Figure:
    """Return the deals in a second of processor time, with random play on every seat."""

    def part(length: float) -> tuple[float, float]:
        play = partial(count_deals, code, players, 0, matches_for(code, players, length))
        took, deals = timed(play, time.process_time)
        return deals, took

    return rate_of(part, seconds)


def matches_for(code: RunCode, players: int, seconds: float) -> int:
    """Return about how many matches take this long."""
    took, _ = timed(lambda: count_deals(code, players, 0, PILOT), time.process_time)
    return max(PILOT, int(PILOT * seconds / max(took, 1e-6)))


def count_deals(code: RunCode, players: int, first: int, count: int) -> int:
    """Play some matches at random, and return the number of their deals."""
    return sums_of(partial(code.rows, SEATS[:players], 1, first, count))[DEALS]


def sums_of(play: Callable[[], Iterator[Rows | Records]]) -> list[int]:
    """Return the sums over the records of matches, field by field: winners, deals, decisions..."""
    return [sum(parts) for parts in zip(*map(_sums, play()), strict=True)]


def _sums(rows: Rows | Records) -> list[int]:
    if isinstance(rows, Rows):
        return [int(c.sum(dtype=np.int64)) for c in rows.columns if c is not None]
    sums: list[int] = rows.sum(axis=0).tolist()
    return sums


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


def callback_rate(seconds: float) -> Figure:
    """Return the rate of a seat's choices by a callback from machine code into Python."""
    code, numbers = make_code("trut", 2), count(0, 500)

    def play() -> int:
        decisions = 0

        def first(_match: int, _count: int) -> int:
            nonlocal decisions
            decisions += 1
            return 0

        for _ in code.run(SEATS[:2], 1, next(numbers), 500, first):
            pass
        return decisions

    return rate_of(partial(_repeat, play), seconds)


def batch_rate(seconds: float) -> Figure:
    """Return the rate of matches side by side whose seats take the lowest legal action."""
    code, numbers = load_game("trut", 2, engine="reference").steps, count(0, BATCH)

    def play() -> int:
        batch = Batch(code, 1, next(numbers), BATCH)
        while len(batch.waiting):
            legal = batch.observe(()).legal[:, 0]
            lowest = np.bitwise_count((legal & (~legal + np.uint64(1))) - np.uint64(1))
            batch.answer(lowest.astype(np.int64))
        return int(batch.decisions.sum())

    return rate_of(partial(_repeat, play), seconds)


def view_rate(seconds: float) -> Figure:
    """Return the rate of single matches between strategies in Python.

    An equally long part before it is not counted; there most questions occur for the first time.
    """
    game, seating = load_game("trut", 2, engine="native"), [load_strategy(STEADY)] * 2
    numbers = count()

    def play() -> int:
        return play_match(game, seating, 1, next(numbers)).decisions

    _repeat(play, seconds)
    return rate_of(partial(_repeat, play), seconds)


def array_rate(seconds: float) -> Figure:
    """Return the rate of matches side by side between the same strategies, in arrays."""
    return _leg_rate(STEADY, seconds, MOST, time.process_time)


def bot_rate(folder: Path, seconds: float) -> Figure:
    """Return the rate of matches at many tables between bots that read almost nothing."""
    command = f"tables: {BOT_TABLES}\n{shlex.quote(sys.executable)} first.py\n"
    (folder / "first.py").write_text(FIRST_BOT, encoding="utf-8")
    (folder / "first.bot").write_text(command, encoding="utf-8")
    return _leg_rate(str(folder / "first.bot"), seconds, BOT_TABLES, time.perf_counter)


def _leg_rate(ref: str, seconds: float, many: int, clock: Clock) -> Figure:
    game, seating = load_game("trut", 2, engine="native"), [load_strategy(ref)] * 2
    numbers = count(0, many)

    def play() -> int:
        records = read_leg(game, seating, (0, 1), 1, next(numbers), many)
        return int(sum(some[:, DECISIONS].sum() for some in records))

    return rate_of(partial(_repeat, play, clock=clock), seconds)


def playout_rate(seconds: float) -> Figure:
    """Return the rate of deals of Trut for two in the play-outs of `monte-carlo`, with worlds.

    It searches at each question of random matches; play-outs are random, too.
    """
    game, script = load_game("trut", 2, engine="native"), load_strategy("uniform")
    assert isinstance(script, ScriptSpec)
    table, luck = table_for(game, (script,)).compiled, Stream(1)
    code = table.steps
    assert isinstance(code, SearchCode)
    courses = (MatchHistory(table, (0, 1), StreamChance(1, match)) for match in count())
    course = next(courses)

    def part(length: float) -> tuple[float, float]:
        nonlocal course
        playouts, spent = 0, 0.0
        while spent < length:
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
                wanted = wanted_of(course, question.seat, script, luck.next64(), each)
                took, (_, rows) = timed(partial(code.search, wanted), time.process_time)
                playouts, spent = playouts + rows.shape[0] * actions, spent + took
            course.apply(luck.below(actions))
        return playouts, spent

    return rate_of(part, seconds)


def _repeat(
    play: Callable[[], int], length: float, clock: Clock = time.process_time
) -> tuple[float, float]:
    decisions, took = 0, 0.0
    while took < length:
        spent, more = timed(play, clock)
        decisions, took = decisions + more, took + spent
    return decisions, took


# Variants in hand-written C, to measure the native engine against.
#
# They are in `trutdsl/bench/reference` and play the same matches as the native engine;
# `tests/bench/test_by_hand.py` checks this.

TABLES = (("truc-catalan", 2), ("trut", 2), ("trut", 4), ("tute", 4))
SCRIPTS = ("caller", "steady")  # those in `trut.c` for two players, in the order of their numbers
SHARED = "play.h"


class ByHand:
    """A variant in C, compiled for this machine, for a number of players."""

    def __init__(self, library: Path, players: int, width: int) -> None:
        """Load the result of `compile_by_hand`; width: the numbers stored of a match."""
        self.players, self.width = players, width
        self._library = ctypes.CDLL(str(library))

    def rows(self, seed: int, first: int, count: int) -> Iterator[Records]:
        """Yield the records of some matches at a time, in the same array."""
        keys = _numbers(*chance_key(seed), *strategy_key(seed, "uniform"))
        run = self._library.run_matches
        return self._chunks(partial(run, self.players, keys), first, count)

    def rows_of_scripts(
        self, names: Sequence[str], seed: int, first: int, count: int
    ) -> Iterator[Records]:
        """Yield the records of matches of two of `SCRIPTS`, by their names."""
        keys = [*chance_key(seed), *(half for name in names for half in strategy_key(seed, name))]
        plays = (ctypes.c_int * len(names))(*map(SCRIPTS.index, names))
        run = self._library.run_scripts
        return self._chunks(partial(run, plays, _numbers(*keys)), first, count)

    def _chunks(self, run: Callable[..., None], first: int, count: int) -> Iterator[Records]:
        records = np.zeros((MOST_RECORDS, self.width), np.int64)
        at, number = ctypes.c_void_p(records.ctypes.data), ctypes.c_uint64
        for begin in range(first, first + count, MOST_RECORDS):
            beyond = min(begin + MOST_RECORDS, first + count)
            run(number(begin), number(beyond), at)
            yield records[: beyond - begin]


def _numbers(*values: int) -> ctypes.Array[ctypes.c_uint64]:
    return (ctypes.c_uint64 * len(values))(*values)


def compile_by_hand(
    variant: str, folder: Path, sources: Traversable | None = None, effort: str = "-O3"
) -> Path | None:
    """Return the library of a variant's C program, or None without a working compiler.

    folder: the place for it and its sources; sources: the folder of the C programs; effort: the
    compiler's optimization flag.
    """
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        return None
    program = f"{variant}.c"
    for name in (SHARED, program):
        text = (sources or files("trutdsl.bench").joinpath("reference")).joinpath(name)
        (folder / name).write_bytes(text.read_bytes())
    library = folder / f"{variant}.so"
    flags = [effort, "-march=native", "-shared", "-fPIC"]
    command = [compiler, *flags, "-o", str(library), str(folder / program)]
    made = subprocess.run(command, check=False, capture_output=True)
    return library if made.returncode == 0 else None


Say = Callable[[str], None]


def random_play_against_c(folder: Path, seconds: float, say: Say) -> Iterator[tuple[str, Figure]]:
    """Yield the speed of native code relative to C for each table; nothing without a compiler.

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
    """Yield the speed of scripts relative to C, for each way to seat two of them."""
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
    table: str, native: Callable[[], Iterator[Rows]], by_hand: Callable[[], Iterator[Records]]
) -> Figure:
    """Return the speed of native code relative to C, after a check that the matches are equal."""
    in_native, in_c = sums_of(native), sums_of(by_hand)
    if in_native != in_c:
        raise AssertionError(f"{table}: {in_native} in native code, {in_c} in C")
    return speed_of(partial(_deals, native), partial(_deals, by_hand))


def _deals(play: Callable[[], Iterator[Rows | Records]]) -> float:
    return sums_of(play)[DEALS]
