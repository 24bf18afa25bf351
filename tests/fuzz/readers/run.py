"""Reads random inputs of every format in worker processes, and reports the results."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

from .corpus import ROOT
from .formats import FORMATS
from .inputs import make_input
from .planted import DEFECTS
from .work import CURRENT

BLOCK = 50
TWIN = 8  # a second process, with another order of sets, reads one in so many blocks
PROGRESS_INTERVAL = 20.0  # seconds
MOST_SHOWN = 40
TIMEOUT_SIGNALS = ("SIGXCPU", "SIGALRM")
MEMORY_FOLDER = Path("/dev/shm")


@dataclass(frozen=True)
class Failure:
    """An input for which a reader broke a promise."""

    number: int
    format: str
    what: str
    trace: str = ""

    def __str__(self) -> str:
        return f"input {self.number}, {self.format}: {self.what}"


@dataclass
class Report:
    """The results of a run; slowest and largest: format -> (seconds or bytes, number of input)."""

    outcomes: Counter[str] = field(default_factory=Counter)
    slowest: dict[str, tuple[float, int]] = field(default_factory=dict)
    largest: dict[str, tuple[int, int]] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    compared: int = 0

    @property
    def inputs(self) -> int:
        """The number of inputs that were read."""
        return self.outcomes.total()

    def add(self, answer: dict[str, Any]) -> None:
        """Add the results of a block."""
        self.outcomes.update(answer["outcomes"])
        for mine, theirs in ((self.slowest, "slowest"), (self.largest, "largest")):
            for name, found in answer[theirs].items():
                mine[name] = max(mine.get(name, (0, 0)), tuple(found))
        self.failures += [Failure(*one) for one in answer["failures"]]

    def lines(self) -> list[str]:
        """Return the report as text lines."""
        shown = [f"{self.inputs} inputs, {self.compared} of them compared between two processes"]
        for name in FORMATS:
            mine = {k.split()[1]: n for k, n in self.outcomes.items() if k.split()[0] == name}
            if not mine:
                continue
            took, slow = self.slowest.get(name, (0.0, 0))
            memory, big = self.largest.get(name, (0, 0))
            accepted = mine.pop("accepted", 0)
            shown.append(
                f"{name}: {sum(mine.values()) + accepted} inputs, {accepted} accepted; slowest "
                f"{took:.2f} s (input {slow}), most memory {memory / 2**20:.0f} MB (input {big})"
            )
            codes = sorted(mine.items(), key=lambda item: (-item[1], item[0]))
            shown.append("    " + ", ".join(f"{code} {n}" for code, n in codes))
        shown.append(f"{len(self.failures)} failures")
        return [*shown, *(f"  {failure}" for failure in self.failures[:MOST_SHOWN])]


@dataclass(frozen=True)
class Plan:
    """The plan of a run: `count` inputs of a seed from `first` on, in `jobs` processes.

    planted: the name of a defect to plant, or empty. enough: the number of failures to stop at.
    """

    seed: int
    count: int
    first: int = 0
    jobs: int = 1
    formats: tuple[str, ...] = tuple(FORMATS)
    planted: str = ""
    twins: bool = True
    seconds: float = 5.0
    megabytes: int = 500
    enough: int = 1_000


class Worker:
    """A process that reads blocks."""

    def __init__(self, plan: Plan, folder: Path, hash_seed: int) -> None:
        self.plan, self.folder, self.hash_seed = plan, folder, hash_seed
        self.block: range | None = None
        self.slow: set[int] = set()  # inputs that exceeded the time limit once
        self._starts = 0
        self.start()

    def start(self) -> None:
        """Start the process, in its own folder."""
        self._starts += 1
        self.folder_of_process = self.folder / f"{self.hash_seed}-{self._starts}"
        self.folder_of_process.mkdir()
        options = {
            "seed": self.plan.seed,
            "formats": self.plan.formats,
            "planted": self.plan.planted,
            "seconds": self.plan.seconds,
            "megabytes": self.plan.megabytes,
        }
        name = f"{__package__.removeprefix('tests.')}.work"
        with (self.folder_of_process / "errors").open("wb") as errors:
            self.process = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    f"tests.{name}",
                    str(self.folder_of_process),
                    json.dumps(options),
                ],
                cwd=ROOT,
                env=os.environ
                | {
                    "PYTHONHASHSEED": str(self.hash_seed),
                    "PYTHONPATH": str(ROOT),
                    "TMPDIR": str(self.folder_of_process),
                },
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
            )

    def send(self, block: range) -> None:
        """Send a block to the process."""
        self.block = block
        assert self.process.stdin
        self.process.stdin.write(json.dumps([block.start, len(block)]).encode() + b"\n")
        self.process.stdin.flush()

    def answer(self) -> dict[str, Any] | None:
        """Return the results of the block, or None if the process died."""
        assert self.process.stdout
        line = self.process.stdout.readline()
        return json.loads(line) if line.endswith(b"\n") else None

    def find_cause_of_death(self) -> tuple[int, str]:
        """Return the number of the input at which the process died, and the cause."""
        code = self.process.wait()
        path = self.folder_of_process / CURRENT
        number = int.from_bytes(path.read_bytes(), "little") if path.exists() else -1
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        errors = (
            (self.folder_of_process / "errors").read_text(errors="replace").strip().splitlines()
        )
        if number < 0:
            raise RuntimeError("\n".join(errors))
        return number, f"the process ended: {how} {errors[-1] if errors else ''}".strip()

    def stop(self) -> None:
        """Kill the process."""
        self.process.kill()
        with self.process:  # closes its pipes and waits for it
            pass


def run(plan: Plan, tell: Callable[[str], None] = lambda _line: None) -> Report:
    """Read all inputs of a plan, until enough failures or an interrupt."""
    report, started, last_progress = Report(), monotonic(), monotonic()
    end = plan.first + plan.count
    todo = deque(range(at, min(at + BLOCK, end)) for at in range(plan.first, end, BLOCK))
    again = deque(block for at, block in enumerate(todo) if at % TWIN == 0 and plan.twins)
    digests: dict[tuple[int, int], list[str]] = {}
    with tempfile.TemporaryDirectory(dir=MEMORY_FOLDER if MEMORY_FOLDER.is_dir() else None) as name:
        workers = {Worker(plan, Path(name), 1 + n): todo for n in range(plan.jobs)}
        if again:
            workers[Worker(plan, Path(name), 1_000)] = again
        selector = selectors.DefaultSelector()
        try:
            for worker, blocks in workers.items():
                _send_next(worker, blocks, selector)
            while selector.get_map() and len(report.failures) < plan.enough:
                for key, _ in selector.select(timeout=1.0):
                    worker = key.data
                    selector.unregister(key.fileobj)
                    before = len(report.failures)
                    _receive(worker, workers[worker], worker.hash_seed == 1_000, report, digests)
                    for found in report.failures[before:]:
                        tell(str(found))
                    _send_next(worker, workers[worker], selector)
                if monotonic() - last_progress > PROGRESS_INTERVAL:
                    last_progress = monotonic()
                    rate = report.inputs / (last_progress - started)
                    failed = f"{len(report.failures)} failures"
                    tell(f"{report.inputs} of {plan.count}, {rate:.0f}/s, {failed}")
        except KeyboardInterrupt:
            tell("interrupted")
        finally:
            selector.close()
            for worker in workers:
                worker.stop()
    return report


def _send_next(worker: Worker, blocks: deque[range], selector: selectors.BaseSelector) -> None:
    if blocks:
        worker.send(blocks.popleft())
        selector.register(worker.process.stdout, selectors.EVENT_READ, worker)  # type: ignore[arg-type]


def _receive(
    worker: Worker,
    blocks: deque[range],
    is_twin: bool,
    report: Report,
    digests: dict[tuple[int, int], list[str]],
) -> None:
    """Receive a worker's answer; if its process died, note the input and continue after it."""
    block, answer = worker.block, worker.answer()
    assert block is not None
    if answer is None:
        number, how = worker.find_cause_of_death()
        again = number not in worker.slow and any(f" {name}" in how for name in TIMEOUT_SIGNALS)
        this = range(number, number + 1 if again else number)
        for part in (range(block.start, number), this, range(number + 1, block.stop)):
            if part:
                blocks.appendleft(part)
        if again:  # the machine may have paused: only an input that is slow twice is a failure
            worker.slow.add(number)
        elif not is_twin:
            one, _ = make_input(worker.plan.seed, number, worker.plan.formats)
            report.failures.append(Failure(number, one.name, how))
            report.outcomes[f"{one.name} BROKEN"] += 1
        worker.stop()
        worker.start()
        return
    if not is_twin:
        report.add(answer)
    key = (block.start, len(block))
    other = digests.pop(key, None)
    if other is None:
        digests[key] = answer["digests"]
        return
    report.compared += len(other)
    for number, (mine, theirs) in enumerate(
        zip(answer["digests"], other, strict=True), block.start
    ):
        if mine and theirs and mine != theirs:
            one, _ = make_input(worker.plan.seed, number, worker.plan.formats)
            what = "says something else in a process that orders sets otherwise"
            report.failures.append(Failure(number, one.name, what))


def find_planted(name: str) -> Failure | None:
    """Look for a planted defect; return the failure that shows it, or None."""
    one = DEFECTS[name]
    plan = Plan(1, one.within, 0, 1, one.formats, name, one.twin, one.seconds, enough=1)
    return next(iter(run(plan).failures), None)


def add_options(parser: ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--count", type=int, default=200_000, help="how many inputs")
    parser.add_argument("--seed", type=int, default=1, help="what they derive from")
    parser.add_argument("--first", type=int, default=0, help="the number of the first input")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--formats", default=",".join(FORMATS), help="some of the formats")
    parser.add_argument("--planted", action="store_true", help="look for planted defects instead")
    parser.add_argument("--keep", type=Path, default=Path("fuzz-failures"), help="for what failed")


def main(options: Namespace) -> int:
    """Run, print the report, and write each failed input into a file."""
    if options.planted:
        return print_planted()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    names = tuple(options.formats.split(","))
    plan = Plan(options.seed, options.count, options.first, options.jobs, names)
    report = run(plan, lambda line: print(line, flush=True))  # noqa: T201 - it is a program
    print("\n".join(report.lines()))  # noqa: T201
    write_failures(plan, report.failures, options.keep)
    return 1 if report.failures else 0


def print_planted() -> int:
    """Look for each planted defect, and print where it was found."""
    found = {name: find_planted(name) for name in DEFECTS}
    for name, failure in found.items():
        where = f"found, {failure}" if failure else "NOT FOUND"
        print(f"{name}, within {DEFECTS[name].within} inputs: {where}")  # noqa: T201
    return 0 if all(found.values()) else 1


def write_failures(plan: Plan, failures: Sequence[Failure], folder: Path) -> None:
    """Write each failed input into a file, and its failure into another."""
    for failure in failures:
        one, data = make_input(plan.seed, failure.number, plan.formats)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{one.name}-{failure.number}{Path(one.file).suffix}"
        path.write_bytes(data)
        path.with_suffix(".txt").write_text(f"{failure.what}\n\n{failure.trace}", errors="replace")
