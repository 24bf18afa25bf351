"""How fast the native engine is: figures of one run, on the machine that it is made on."""

from __future__ import annotations

import os
import shlex
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count, product
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from types import MappingProxyType
from typing import Any

import numpy as np

from trutdsl.game import Game, Question, load_game
from trutdsl.native.play.batch import Batch
from trutdsl.native.play.runs import RunCode
from trutdsl.native.play.search import SearchCode
from trutdsl.report.by_hand import SCRIPTS, TABLES, ByHand, compile_by_hand
from trutdsl.report.runner_cost import runner_cost
from trutdsl.strategy import (
    ScriptSpec,
    Spec,
    list_strategies,
    load_strategy,
    play_match,
    read_leg,
)
from trutdsl.strategy.course import Course
from trutdsl.strategy.fitness import meant_variants
from trutdsl.strategy.monte_carlo import wanted_of
from trutdsl.strategy.native import UNIFORM, compile_for, native_seating
from trutdsl.strategy.script import table_for
from trutdsl.strategy.side_by_side import MOST
from trutdsl.streams import Stream
from trutdsl.table import Seated, StreamChance
from trutdsl.table.rows import DECISIONS, Records, Rows
from trutdsl.variant import list_variants, load_variant

SEATS = 16 * [Seated("uniform")]
ROUNDS = 5
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


def benchmark_tables() -> dict[str, tuple[str, int, dict[str, str]]]:
    """Return every shipped variant with each number of players and pack: name -> the table.

    A table other than with the default pack is named by it, as `truc-french-2p pack=36`.
    """
    tables = {}
    for name in list_variants():
        variant = load_variant(name)
        for pack, players in product(variant.pack_choices, variant.players):
            words = [f"{name}-{players}p", *(f"{key}={value}" for key, value in pack.items())]
            tables[" ".join(words)] = (name, players, pack)
    return tables


def benchmark(seconds: float, say: Callable[[str], None], keep: bool = True) -> dict[str, Any]:
    """Return the figures of `docs/performance.md`; each rate is measured for about `seconds`.

    keep: use a folder of its own for what is kept; else nothing is, and it is not measured either.
    """
    figures: dict[str, Any] = {"deals_per_second": {}, "compile_seconds": {}}
    kept = os.environ.get("TRUTDSL_CACHE")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TRUTDSL_CACHE"] = folder if keep else ""
        try:
            for table, (name, players, pack) in benchmark_tables().items():
                say(table)
                cold, code = _timed(partial(_made, name, players, pack))
                figures["compile_seconds"][table] = {"cold": cold}
                if keep:
                    cached, code = _timed(partial(_made, name, players, pack))
                    figures["compile_seconds"][table]["cached"] = cached
                figures["deals_per_second"][table] = _rate(code, players, seconds)
            figures["native_over_c"] = dict(_against_c(folder, seconds, say))
            figures["script_over_c"] = dict(_scripts_against_c(folder, seconds, say))
            figures["uniform_over_script"] = dict(_scripts_against_uniform(seconds, say))
            say("callback")
            figures["callback_decisions_per_second"] = _callback_rate(seconds)
            say("batch")
            figures["batch_decisions_per_second"] = _batch_rate(seconds)
            say("views")
            figures["view_decisions_per_second"] = _strategy_rate(
                str(Path(__file__).with_name("steady.py")), seconds
            )
            say("arrays")
            figures["array_decisions_per_second"] = _array_rate(seconds)
            say("a bot")
            figures["bot_decisions_per_second"] = _bot_rate(Path(folder), seconds)
            say("play-outs")
            figures["play_outs_per_second"] = _play_out_rate(seconds)
            say("two workers")
            figures["parallel_speedup"] = _speedup(seconds)
            say("runner")
            figures["runner_over_machine_code"] = runner_cost(seconds)
        finally:
            if kept is None:
                del os.environ["TRUTDSL_CACHE"]
            else:
                os.environ["TRUTDSL_CACHE"] = kept
    for name in ("native_over_c", "script_over_c"):
        if not figures[name]:  # nothing compiles C here
            del figures[name]
    return figures


def _made(name: str, players: int, parameters: Mapping[str, str] = MappingProxyType({})) -> RunCode:
    """Return a variant parsed, checked and compiled."""
    return load_game(name, players, parameters).runs


def _timed(do: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = do()
    return time.perf_counter() - start, result


def _sums(play: Callable[[], Iterator[Rows | Records]]) -> list[int]:
    """Return the sums over the records of matches, field by field: winners, deals, decisions..."""
    return [sum(parts) for parts in zip(*map(_sums_of, play()), strict=True)]


def _sums_of(rows: Rows | Records) -> list[int]:
    if isinstance(rows, Rows):
        return [int(c.sum(dtype=np.int64)) for c in rows.columns if c is not None]
    sums: list[int] = rows.sum(axis=0).tolist()
    return sums


def _count_deals(code: RunCode, players: int, first: int, count: int) -> int:
    return _sums(partial(code.rows, SEATS[:players], 1, first, count))[1]


def _matches_for(code: RunCode, players: int, seconds: float) -> int:
    """Return about how many matches take so long."""
    took, _ = _timed(lambda: _count_deals(code, players, 0, 200))
    return max(200, int(200 * seconds / max(took, 1e-6)))


def _rate(code: RunCode, players: int, seconds: float) -> float:
    matches = _matches_for(code, players, seconds)
    took, deals = _timed(lambda: _count_deals(code, players, 0, matches))
    return float(deals / took)


def _against_c(
    folder: str, seconds: float, say: Callable[[str], None]
) -> Iterator[tuple[str, float]]:
    """Yield native against C speed, runs alternating; without a compiler nothing."""
    for name, players in TABLES:
        library = compile_by_hand(name, Path(folder))
        if library is None:
            return
        table = f"{name}-{players}p"
        say(f"{table} against C")
        code = _made(name, players)
        program = ByHand(library, players, len(code.fields))
        matches = _matches_for(code, players, seconds)
        native = partial(code.rows, SEATS[:players], 1, 0, matches)
        yield table, _ratio(table, native, partial(program.rows, 1, 0, matches))


def _scripts_against_c(
    folder: str, seconds: float, say: Callable[[str], None]
) -> Iterator[tuple[str, float]]:
    """Yield the speed of scripts against the same ones in C, for each way to seat two of them."""
    library = compile_by_hand("trut", Path(folder))
    if library is None:
        return
    game, meeting = load_game("trut", 2, engine="native"), [load_strategy(s) for s in SCRIPTS]
    code = compile_for(game, meeting).runs
    program, matches = ByHand(library, 2, len(code.fields)), _matches_for(code, 2, seconds)
    for seating in product(meeting, repeat=2):
        names = [spec.name for spec in seating]
        say(f"{' and '.join(names)} against C")
        played = native_seating(game, seating, meeting)
        assert played is not None
        native = partial(played.rows, 1, 0, matches)
        by_hand = partial(program.rows_of_scripts, names, 1, 0, matches)
        yield ",".join(names), _ratio(f"trut-2p, {names}", native, by_hand)


def _scripts_against_uniform(
    seconds: float, say: Callable[[str], None]
) -> Iterator[tuple[str, float]]:
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
        matches = _matches_for(compile_for(game, meeting).runs, 2, seconds / 4)
        for spec in meeting:
            ratios = []
            for _ in range(ROUNDS):
                slow, fast = (
                    _seconds_a_deal(game, one, meeting, matches) for one in (spec, uniform)
                )
                ratios.append(slow / fast)
            yield spec.name, median(ratios)


def _seconds_a_deal(game: Game, spec: Spec, meeting: Sequence[Spec], matches: int) -> float:
    played = native_seating(game, [spec, spec], meeting)
    assert played is not None
    took, sums = _timed(partial(_sums, partial(played.rows, 1, 0, matches)))
    return float(took / sums[1])


def _ratio(
    table: str,
    native: Callable[[], Iterator[Rows]],
    by_hand: Callable[[], Iterator[Records]],
) -> float:
    """Return how fast native code is, C being 1, over the same matches; runs alternate."""
    ratios = []
    for _ in range(ROUNDS):
        one, in_native = _timed(partial(_sums, native))
        other, in_c = _timed(partial(_sums, by_hand))
        if in_native != in_c:
            raise AssertionError(f"{table}: {in_native} in native code, {in_c} in C")
        ratios.append(other / one)
    return median(ratios)


def _callback_rate(seconds: float) -> float:
    code = _made("trut", 2)
    decisions = 0

    def first(_match: int, _count: int) -> int:
        nonlocal decisions
        decisions += 1
        return 0

    start = time.perf_counter()
    match = 0
    while time.perf_counter() - start < seconds:
        for _ in code.run(SEATS[:2], 1, match, 500, first):
            pass
        match += 500
    return decisions / (time.perf_counter() - start)


def _batch_rate(seconds: float) -> float:
    """Return the rate of matches side by side whose seats take the lowest legal action."""
    game = load_game("trut", 2)
    code = game.steps
    decisions, start, first = 0, time.perf_counter(), 0
    while (took := time.perf_counter() - start) < seconds:
        batch = Batch(code, 1, first, BATCH)
        while len(batch.waiting):
            legal = batch.observe(()).legal[:, 0]
            lowest = np.bitwise_count((legal & (~legal + np.uint64(1))) - np.uint64(1))
            batch.answer(lowest.astype(np.int64))
        decisions += int(batch.decisions.sum())
        first += BATCH
    return decisions / took


def _strategy_rate(ref: str, seconds: float) -> float:
    """Return the rate of matches one by one whose seats a strategy in Python plays.

    In processor time, the median of some rounds after as long a time that nobody counts, in which
    most of what can be asked is asked for the first time.
    """
    game, seating = load_game("trut", 2, engine="native"), [load_strategy(ref)] * 2
    rates, matches = [], count()
    for length in (seconds, *[seconds / ROUNDS] * ROUNDS):
        decisions, start = 0, time.process_time()
        while (took := time.process_time() - start) < length:
            decisions += play_match(game, seating, 1, next(matches)).decisions
        rates.append(decisions / took)
    return median(rates[1:])


def _array_rate(seconds: float) -> float:
    """Return the rate of matches side by side whose seats the same strategy plays in arrays."""
    return _leg_rate(str(Path(__file__).with_name("steady.py")), seconds, MOST)


def _leg_rate(ref: str, seconds: float, many: int) -> float:
    """Return the rate of legs of so many matches whose seats a strategy plays."""
    game, seating = load_game("trut", 2, engine="native"), [load_strategy(ref)] * 2
    decisions, start, first = 0, time.perf_counter(), 0
    while (took := time.perf_counter() - start) < seconds:
        records = read_leg(game, seating, (0, 1), 1, first, many)
        decisions += int(sum(some[:, DECISIONS].sum() for some in records))
        first += many
    return decisions / took


def _bot_rate(folder: Path, seconds: float) -> float:
    """Return the rate of matches at many tables whose seats bots play that read next to nothing."""
    command = f"tables: {BOT_TABLES}\n{shlex.quote(sys.executable)} first.py\n"
    (folder / "first.py").write_text(FIRST_BOT, encoding="utf-8")
    (folder / "first.bot").write_text(command, encoding="utf-8")
    return _leg_rate(str(folder / "first.bot"), seconds, BOT_TABLES)


def _play_out_rate(seconds: float) -> float:
    """Return the rate at which `monte-carlo` plays deals of Trut for two on, worlds and all.

    At each question of matches in which all is done at random, also by those who play on.
    """
    game, script = load_game("trut", 2, engine="native"), load_strategy("uniform")
    assert isinstance(script, ScriptSpec)
    table, luck = table_for(game, (script,)).compiled, Stream(1)
    code, playouts, spent = table.steps, 0, 0.0
    assert isinstance(code, SearchCode)
    courses = (Course(table, (0, 1), StreamChance(1, match)) for match in count())
    course = next(courses)
    while spent < seconds:
        question = course.state.pending
        if question is None:
            course = next(courses)
            continue
        if not isinstance(question, Question):
            course.next_deal()
            continue
        actions = len(question.actions)
        if actions > 1:
            wanted = wanted_of(course, question.seat, script, luck.next64(), 10_000 // actions)
            took, rows = _timed(partial(code.search, wanted))
            playouts, spent = playouts + rows.shape[0] * actions, spent + took
        course.apply(luck.below(actions))
    return playouts / spent


def _speedup(seconds: float) -> float:
    """Return how much faster two processes are than one at the same matches."""
    code = _made("trut", 2)
    half = _matches_for(code, 2, seconds)
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        list(pool.map(_play_part, [0, 0], [200, 200]))  # both have their code before time counts
        ratios = []
        for _ in range(ROUNDS):
            one, _ = _timed(lambda: list(pool.map(_play_part, [0], [2 * half])))
            two, _ = _timed(lambda: list(pool.map(_play_part, [0, half], [half, half])))
            ratios.append(one / two)
    return median(ratios)


_code: RunCode | None = None


def _play_part(first: int, count: int) -> int:
    global _code
    if _code is None:
        _code = _made("trut", 2)
    return _count_deals(_code, 2, first, count)
