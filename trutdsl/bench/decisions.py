"""Decisions in a second: how fast strategies are asked and answer, however they are written."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path

import numpy as np

from trutdsl.bench.timing import SEATS, Clock, Figure, make_code, rate_of, timed
from trutdsl.game import Question, load_game
from trutdsl.native.play.batch import Batch
from trutdsl.native.play.search import SearchCode
from trutdsl.strategy import ScriptSpec, load_strategy, play_match, read_leg
from trutdsl.strategy.legs import MOST
from trutdsl.strategy.match_history import MatchHistory
from trutdsl.strategy.monte_carlo import wanted_of
from trutdsl.strategy.script import table_for
from trutdsl.streams import Stream
from trutdsl.table import StreamChance
from trutdsl.table.counts import DECISIONS

STEADY = str(Path(__file__).with_name("steady.py"))
BATCH = 4096  # matches side by side
BOT_TABLES = 32  # matches at once that bots play
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
    code, numbers = load_game("trut", 2).steps, count(0, BATCH)

    def play() -> int:
        batch = Batch(code, 1, next(numbers), BATCH)
        while len(batch.waiting):
            legal = batch.observe(()).legal[:, 0]
            lowest = np.bitwise_count((legal & (~legal + np.uint64(1))) - np.uint64(1))
            batch.answer(lowest.astype(np.int64))
        return int(batch.decisions.sum())

    return rate_of(partial(_repeat, play), seconds)


def view_rate(seconds: float) -> Figure:
    """Return the rate of matches one by one whose seats a strategy in Python plays.

    After as long a time that nobody counts, in which most of what can be asked is asked for the
    first time.
    """
    game, seating = load_game("trut", 2, engine="native"), [load_strategy(STEADY)] * 2
    numbers = count()

    def play() -> int:
        return play_match(game, seating, 1, next(numbers)).decisions

    _repeat(play, seconds)
    return rate_of(partial(_repeat, play), seconds)


def array_rate(seconds: float) -> Figure:
    """Return the rate of matches side by side whose seats the same strategy plays in arrays."""
    return _leg_rate(STEADY, seconds, MOST, time.process_time)


def bot_rate(folder: Path, seconds: float) -> Figure:
    """Return the rate of matches at many tables whose seats bots play that read next to nothing."""
    command = f"tables: {BOT_TABLES}\n{shlex.quote(sys.executable)} first.py\n"
    (folder / "first.py").write_text(FIRST_BOT, encoding="utf-8")
    (folder / "first.bot").write_text(command, encoding="utf-8")
    return _leg_rate(str(folder / "first.bot"), seconds, BOT_TABLES, time.perf_counter)


def _leg_rate(ref: str, seconds: float, many: int, clock: Clock) -> Figure:
    """Return the rate of legs of so many matches whose seats a strategy plays."""
    game, seating = load_game("trut", 2, engine="native"), [load_strategy(ref)] * 2
    numbers = count(0, many)

    def play() -> int:
        records = read_leg(game, seating, (0, 1), 1, next(numbers), many)
        return int(sum(some[:, DECISIONS].sum() for some in records))

    return rate_of(partial(_repeat, play, clock=clock), seconds)


def playout_rate(seconds: float) -> Figure:
    """Return the rate at which `monte-carlo` plays deals of Trut for two on, worlds and all.

    At each question of matches in which all is done at random, also by those who play on.
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
    """Play again and again for so long; return how many decisions it was, and the seconds."""
    decisions, took = 0, 0.0
    while took < length:
        spent, more = timed(play, clock)
        decisions, took = decisions + more, took + spent
    return decisions, took
