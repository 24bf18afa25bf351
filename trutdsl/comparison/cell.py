"""Cells: one variant at one table, measured over sets of deals and kept in a folder of its own."""

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
from typing import Any, NamedTuple

from trutdsl.cache import kept_folder
from trutdsl.comparison.measured import (
    Measurement,
    cluster_size,
    clusters_hold,
    gather,
    is_measured,
    measure_sets,
)
from trutdsl.files import own_version
from trutdsl.game import BadUsage, Game
from trutdsl.stats.design import everyone_meets
from trutdsl.strategy import CountedLegs, Spec, count_matches, load_strategies
from trutdsl.strategy.legs import compile_for, native_seating
from trutdsl.table.counts import Counts
from trutdsl.tournaments.folder import RUN_LOG, Fits, Journal, open_folder
from trutdsl.tournaments.missing import Assignment, play_missing
from trutdsl.tournaments.play import fits_faults, play_sets
from trutdsl.tournaments.processes import (
    STOPPING,
    StopRequest,
    choose_context,
    end_with_parent,
    limit_workers,
    run_log,
)
from trutdsl.tournaments.schedule import Chunk, Experiment, chunk_key
from trutdsl.tournaments.supervisor import Executor, FinishedChunk, Supervisor
from trutdsl.tournaments.worker import Task

FORMAT = 3
PILOT = 16  # sets from which it is told how many deals a set has


class ReplayCheck(NamedTuple):
    """Some sets that were played again: from which on, how many, and whether all came the same."""

    first: int
    sets: int
    same: bool


@dataclass(frozen=True)
class Cell:
    """A variant at a table, with the strategies that meet at it.

    name:       how it is called in what is reported.
    strategies: in order of their names; one alone plays against itself.
    """

    name: str
    game: Game
    strategies: tuple[Spec, ...]
    seed: int

    def experiment(self, sets: int) -> Experiment:
        """Return what is played: so many sets, in which every choice of strategies meets."""
        teams = self.game.team_count
        alone = len(self.strategies) == 1
        meetings = ((0,) * teams,) if alone else everyone_meets(len(self.strategies), teams)
        play = CountedLegs()
        return Experiment(self.game, self.strategies, self.seed, sets, play, meetings=meetings)

    @property
    def compiled(self) -> Game:
        """The game with the scripts among its strategies, as one of which machine code is made."""
        return compile_for(self.game, self.strategies)

    @property
    def lacks_machine_code(self) -> bool:
        """Tell whether machine code could play it and be kept, and is not yet."""
        seated = native_seating(self.game, self.strategies)
        return seated is not None and kept_folder() is not None and not seated.game.counting_kept

    def deals_per_set(self) -> float:
        """Return how many deals the first sets have on average; makes the machine code."""
        total = Counts.none(self.game.count_plan)
        for leg in dict.fromkeys(self.experiment(1).legs):
            seating = [self.strategies[number] for number in leg]
            total += count_matches(self.game, seating, self.seed, 0, PILOT, self.strategies)
        deals: int = total["deals"]
        return deals / PILOT


def make_cell(name: str, game: Game, strategies: Sequence[str], seed: int) -> Cell:
    """Return a cell; raises `Rejected` or `BadUsage` for strategies that cannot play there."""
    if 1 < len(strategies) < game.team_count:
        raise BadUsage(
            f"{game.name} with {game.players} players has {game.team_count} teams: name one "
            f"strategy, which plays against itself, or {game.team_count} or more; "
            f"{len(strategies)} given"
        )
    specs = sorted(load_strategies(strategies, game), key=lambda spec: spec.name)
    return Cell(name, game.measuring(), tuple(specs), seed)


def measure(
    cell: Cell,
    sets: int,
    root: Path,
    jobs: int | None = None,
    progress: Callable[[FinishedChunk], None] = lambda _: None,
    tell: Callable[[str], None] = lambda _: None,
) -> Measurement:
    """Return what is counted of a cell; what its folders below `root` hold is not played again.

    A strategy that fails ends it, as no forfeit says anything about the rules. Raises `RunStopped`
    if it was stopped by a signal, `Failure` or `Rejected` if it cannot go on.
    """
    experiment = cell.experiment(sets)
    context = choose_context(None)
    with StopRequest() as stop, ExitStack() as stack:
        folder, journal = _open(cell, experiment, root, tell)
        stack.enter_context(journal)
        forked = context.get_start_method() == "fork"
        by_queue = stack.enter_context(run_log(folder / RUN_LOG, forked))

        def start() -> Executor:
            # Workers that are forked from here have the machine code.
            task = Task(experiment, measure_sets, log_by_pipe=not by_queue)
            return Supervisor(task, limit_workers(jobs), context)

        size = cluster_size(sets)
        assignment = Assignment(experiment, Chunk(0, sets), None, stop_at_fault=True, chunk=size)
        play_missing(assignment, journal, start, stop, progress)
        return gather(experiment, ((chunk, kept["counts"]) for chunk, kept in journal.rows()))


def _open(
    cell: Cell, experiment: Experiment, root: Path, tell: Callable[[str], None]
) -> tuple[Path, Journal]:
    """Return the first of a cell's folders whose chunks can be put together to clusters of so many.

    Chunks of more sets are larger; where fewer are asked for they may be too large, and what is
    played then lies in a folder of its own.
    """
    manifest, fits = _describe(cell), _fits(experiment)
    name = _folder_name(cell, experiment)
    for number in count(1):
        folder = root / (name if number == 1 else f"{name}-{number}")
        journal = open_folder(folder, manifest, dict, fits, tell)
        if clusters_hold(journal.chunks(), experiment.sets):
            break
        journal.close()
    return folder, journal


def play_again(cell: Cell, measured: Measurement, sets: int) -> ReplayCheck:
    """Play one cluster of what was measured again, picked by seed and rules, and compare.

    Whatever workers did, or whatever lay in the folder: it is played in this process.
    """
    experiment, size = cell.experiment(sets), cluster_size(sets)
    text = f"again {experiment.digest} {sets}"
    picked = int.from_bytes(sha256(text.encode()).digest()[:8], "big") % measured.clusters
    chunk = Chunk(picked * size, min(size, sets - picked * size))
    counted = measure_sets(experiment, play_sets(experiment, chunk)[0])
    found = gather(experiment, [(chunk, counted)], picked)
    same = (
        (found.counts[0] == measured.counts[picked]).all()
        and (found.chosen[0] == measured.chosen[picked]).all()
        and (found.taken_any[0] == measured.taken_any[picked]).all()
        and found.tallies == measured.tallies[picked : picked + 1]
    )
    return ReplayCheck(chunk.first, chunk.sets, bool(same))


def _describe(cell: Cell) -> dict[str, Any]:
    """Return the manifest of a cell: everything that decides what is counted."""
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


def _folder_name(cell: Cell, experiment: Experiment) -> str:
    decides = f"{own_version()} {FORMAT} {cell.game.engine} {experiment.digest}"
    return f"{cell.game.name}-{sha256(decides.encode()).hexdigest()[:12]}"


def _fits(experiment: Experiment) -> Fits:
    def check(key: str, chunk: Chunk, kept: Any) -> bool:
        if key != chunk_key(experiment, chunk) or not isinstance(kept, Mapping):
            return False
        if kept.keys() != {"counts", "faults"}:
            return False
        faults = kept["faults"]
        return (
            fits_faults(experiment, faults)
            and not faults
            and is_measured(experiment, chunk.sets, kept["counts"])
        )

    return check


# Parallel compilation: the machine code of many cells, made side by side and ahead of time.


def compile_ahead(
    cells: Sequence[Cell], jobs: int | None, told: Callable[[int, int], None] = lambda *_: None
) -> None:
    """Make the machine code of cells in processes of their own, and keep it for this one.

    jobs: how many at once; one a CPU if None. told: how many are done, and of how many.
    Nothing is done for less than two, or where nothing is kept. What goes wrong is nothing here: it
    does so again, and is told, where the machine code is asked for.
    """
    jobs = limit_workers(jobs)
    missing = {cell.compiled.fingerprint: cell for cell in cells if cell.lacks_machine_code}
    waiting, of = deque(missing.values()), len(missing)
    if min(jobs, of) < 2:
        return
    context = choose_context(None)
    running: list[BaseProcess] = []
    try:
        while waiting or running:
            told(of - len(waiting) - len(running), of)
            while waiting and len(running) < jobs:
                process = context.Process(target=_compile, args=(waiting.popleft(),), daemon=True)  # type: ignore[attr-defined]
                process.start()
                running.append(process)
            wait([process.sentinel for process in running])
            running = [process for process in running if process.is_alive()]
        told(of, of)
    finally:
        for process in running:
            process.kill()
            process.join()


def _compile(cell: Cell) -> None:
    """Make and keep the machine code of a cell; the target of a process."""
    for number in STOPPING:
        signal.signal(number, signal.SIG_DFL)  # the parent says what it does
    end_with_parent()
    try:
        _ = cell.compiled.counting
    finally:
        os._exit(0)  # whatever comes, the parent sees what is kept
