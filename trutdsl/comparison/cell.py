"""Cells: one variant at one table, measured over sets of deals and stored in its own folder."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from hashlib import sha256
from itertools import count
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from trutdsl.child_processes import end_with_parent
from trutdsl.comparison.measurement import (
    Measurement,
    cluster_size,
    clusters_hold,
    gather,
    is_measured,
    measure_sets,
)
from trutdsl.files import cache_folder, own_version
from trutdsl.game import BadUsage, Game
from trutdsl.language import say
from trutdsl.options import DASK, Means
from trutdsl.stats.design import everyone_meets
from trutdsl.strategy.count import CountedLegs, count_matches
from trutdsl.strategy.fitness import load_strategies
from trutdsl.strategy.legs import compile_for, native_seating
from trutdsl.strategy.load import Spec
from trutdsl.strategy.threads import limit_workers
from trutdsl.table.counts import Counts
from trutdsl.tournaments.folder import RUN_LOG, ForeignFolder, open_folder
from trutdsl.tournaments.journal import Fits, Journal
from trutdsl.tournaments.missing import UnfinishedRun
from trutdsl.tournaments.play import play_sets
from trutdsl.tournaments.processes import STOPPING, StopRequest, choose_context, run_log
from trutdsl.tournaments.run import reach_machines
from trutdsl.tournaments.schedule import Chunk, Experiment, chunk_key, refuse_twice
from trutdsl.tournaments.supervisor import Executor, FinishedChunk
from trutdsl.tournaments.worker import Task

FORMAT = 4
PILOT = 16  # sets that estimate the deals of a set


@dataclass(frozen=True)
class Cell:
    """A variant at a table, with the strategies that meet at it.

    name:       in reports.
    strategies: in order of their names; a single one plays against itself.
    """

    name: str
    game: Game
    strategies: tuple[Spec, ...]
    seed: int

    def experiment(self, sets: int) -> Experiment:
        """Return the experiment of so many sets, in which every combination of strategies meets."""
        teams = self.game.team_count
        alone = len(self.strategies) == 1
        meetings = ((0,) * teams,) if alone else everyone_meets(len(self.strategies), teams)
        play = CountedLegs()
        return Experiment(self.game, self.strategies, self.seed, sets, play, meetings=meetings)

    @property
    def compiled_game(self) -> Game:
        """The game together with the scripts among its strategies, for machine code."""
        return compile_for(self.game, self.strategies)

    @property
    def lacks_machine_code(self) -> bool:
        """Return whether machine code is possible and cacheable, but missing."""
        players = native_seating(self.game, self.strategies)
        return players is not None and cache_folder() is not None and not players.game.counting_kept

    def deals_per_set(self) -> float:
        """Return the average deals of the first sets; compiles the machine code."""
        total = Counts.none(self.game.count_plan)
        for leg in dict.fromkeys(self.experiment(1).legs):
            seating = [self.strategies[number] for number in leg]
            total += count_matches(self.game, seating, self.seed, 0, PILOT, self.strategies)
        deals: int = total["deals"]
        return deals / PILOT


def make_cell(name: str, game: Game, strategies: Sequence[str], seed: int) -> Cell:
    """Return a cell; raise `Rejected` or `BadUsage` for strategies that cannot play there."""
    if 1 < len(strategies) < game.team_count:
        raise BadUsage(
            say(
                "{game} with {players} players has {team_count} teams: name one strategy, "
                "which plays against itself, or {team_count} or more; {number} given",
                game=game.name,
                players=game.players,
                team_count=game.team_count,
                number=len(strategies),
            )
        )
    specs = sorted(load_strategies(strategies, game), key=lambda spec: spec.name)
    refuse_twice(specs)
    cell = Cell(name, game.measuring(), tuple(specs), seed)
    if native_seating(cell.game, specs) is not None:
        cell.game.take_plan_of(cell.compiled_game)
    return cell


def measure(
    cell: Cell,
    sets: int,
    root: Path,
    jobs: int | None = None,
    progress: Callable[[FinishedChunk], None] = lambda _: None,
    tell: Callable[[str], None] = lambda _: None,
    scheduler: str | None = None,
) -> Measurement:
    """Return the measurement of a cell; sets in its folders below `root` are not played again.

    scheduler: the address of a cluster that plays, instead of `jobs` processes here.
    A failing strategy ends it, because forfeits show nothing about the rules. Raises `RunStopped`
    after a signal, `Failure` or `Rejected` if it cannot continue.
    """
    experiment = cell.experiment(sets)
    means = Means(jobs=jobs)
    if scheduler is not None:
        means = Means(executor=DASK, scheduler=scheduler)
    with StopRequest() as stop, ExitStack() as stack:
        folder, journal = _open(cell, experiment, root, tell)
        stack.enter_context(journal)
        _, forked, begin = stack.enter_context(reach_machines(means, tell))
        by_queue = stack.enter_context(run_log(folder / RUN_LOG, forked))

        def start() -> Executor:
            # Workers that are forked from here have the machine code.
            return begin(Task(experiment, measure_sets, log_by_pipe=not by_queue))

        span, size = Chunk(0, sets), cluster_size(sets)
        run = UnfinishedRun(
            experiment, span, journal, stop_at_fault=True, chunk=size, progress=progress
        )
        run.play(start, stop)
        return gather(experiment, ((chunk, record["counts"]) for chunk, record in journal.rows()))


def _open(
    cell: Cell, experiment: Experiment, root: Path, tell: Callable[[str], None]
) -> tuple[Path, Journal]:
    """Return the first folder of a cell whose chunks fit the clusters of this number of sets.

    Chunks of longer runs can be too large. A shorter run then has its own folder.
    """
    manifest, fits = _describe(cell), _fits(experiment)
    decides = f"{own_version()} {FORMAT} {cell.game.engine} {experiment.digest}"
    name = f"{cell.game.name}-{sha256(decides.encode()).hexdigest()[:12]}"
    for number in count(1):
        folder = root / (name if number == 1 else f"{name}-{number}")
        try:
            journal = open_folder(folder, manifest, fits, tell)
        except ForeignFolder as problem:  # the name of a cell's folder is a hash: it was exchanged
            text = (
                "{folder} holds other play than its name says ({why}); remove this folder and "
                "give the command again"
            )
            raise BadUsage(say(text, folder=folder, why=problem.why)) from None
        if clusters_hold(journal.chunks(), experiment.sets):
            break
        journal.close()
    return folder, journal


def play_again(cell: Cell, measurement: Measurement, sets: int) -> dict[str, Any]:
    """Play one cluster again in this process, chosen by seed and rules, and compare the counts.

    Return the first of its sets, their number, and whether all are the same.
    """
    experiment, size = cell.experiment(sets), cluster_size(sets)
    text = f"again {experiment.digest} {sets}"
    number = int.from_bytes(sha256(text.encode()).digest()[:8], "big") % measurement.clusters
    chunk = Chunk(number * size, min(size, sets - number * size))
    counts = measure_sets(experiment, play_sets(experiment, chunk)[0])
    sums = gather(experiment, [(chunk, counts)], number)
    same = (
        (sums.counts[0] == measurement.counts[number]).all()
        and (sums.chosen[0] == measurement.chosen[number]).all()
        and (sums.taken_any[0] == measurement.taken_any[number]).all()
        and sums.tallies == measurement.tallies[number : number + 1]
    )
    return {"first": chunk.first, "sets": chunk.sets, "same": bool(same)}


def _describe(cell: Cell) -> dict[str, Any]:
    """Return the manifest of a cell: everything that determines the counts."""
    game = cell.game
    return {
        "format": FORMAT,
        "kind": "measurement",
        "trutdsl": own_version(),
        "engine": game.engine,
        "variant": {
            "name": game.name,
            "players": game.players,
            "parameters": game.parameter_texts(),
            "fingerprint": game.fingerprint,
        },
        "strategies": {spec.name: spec.fingerprint for spec in cell.strategies},
        "seed": cell.seed,
    }


def _fits(experiment: Experiment) -> Fits:
    def check(key: str, chunk: Chunk, record: Any) -> bool:
        return (
            key == chunk_key(experiment, chunk)
            and isinstance(record, Mapping)
            and record.keys() == {"counts", "faults"}
            and record["faults"] == []
            and is_measured(experiment, chunk.sets, record["counts"])
        )

    return check


def compile_ahead(
    cells: Sequence[Cell], jobs: int | None, tell: Callable[[int, int], None] = lambda *_: None
) -> None:
    """Compile the machine code of cells in separate processes, for the cache.

    jobs: processes at a time; one a CPU if None. tell: receives the number of finished ones, and of
    all. Fewer than two are not compiled, and none without a cache. Errors are ignored: they occur
    again, and are reported, when the machine code is needed.
    """
    jobs = limit_workers(jobs)
    missing = {cell.compiled_game.fingerprint: cell for cell in cells if cell.lacks_machine_code}
    waiting, of = deque(missing.values()), len(missing)
    if min(jobs, of) < 2:
        return
    context = choose_context(None)
    running: list[BaseProcess] = []
    try:
        while waiting or running:
            tell(of - len(waiting) - len(running), of)
            while waiting and len(running) < jobs:
                process = context.Process(target=_compile, args=(waiting.popleft(),), daemon=True)  # type: ignore[attr-defined]
                running.append(process)  # first: an interrupt may come while it starts
                process.start()
            wait([process.sentinel for process in running])
            running = [process for process in running if process.is_alive()]
        tell(of, of)
    finally:
        for process in running:
            if process.pid:
                process.kill()
                process.join()


def _compile(cell: Cell) -> None:
    """Compile the machine code of a cell into the cache; the target of a process."""
    for number in STOPPING:
        signal.signal(number, signal.SIG_DFL)  # the parent decides
    end_with_parent()
    try:
        _ = cell.compiled_game.counting
    finally:
        os._exit(0)  # even after an error: the parent reads the cache
