"""A worker process that reads inputs.

`python -m tests.fuzz.readers.work FOLDER OPTIONS` receives blocks of numbers as JSON lines, and
answers each with a line of results. Before it reads an input, it writes the number into a file. So
the number of an input that kills or blocks the process is known.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import sys
import traceback
from collections import Counter
from hashlib import blake2b
from pathlib import Path
from time import process_time
from typing import Any

from trutdsl.interp import machine

from . import corpus, planted
from .formats import FORMATS, Format, write_input
from .inputs import corpus_of, make_input
from .judge import BrokenPromise, Reading, judge

CURRENT = "current"  # the file with the number of the current input
MEGABYTE = 1 << 20
IDLE_LIMIT = 120  # seconds that an input may wait without processor time
MOST_STEPS = 100_000  # of rules between two questions: fewer than the default, for speed
REREAD_SHARE = 16  # one in so many inputs is read twice in the same process


class Limits:
    """The limits for one input: seconds of processor time, and bytes of additional memory."""

    def __init__(self, seconds: float, memory: int) -> None:
        self.seconds, self.memory = seconds, memory

    def limit_memory(self) -> None:
        """Limit the memory of this process from now on."""
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + self.memory
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def limit_time(self) -> None:
        """Limit the time of this process from now on, to twice the limit of an input."""
        most = int(process_time() + 2 * self.seconds) + 2
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))
        signal.alarm(IDLE_LIMIT)


def peak() -> int:
    """Return the peak memory of this process, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def read_input(one: Format, data: bytes, limits: Limits) -> tuple[Reading, float]:
    """Read an input within limits; return the result and its seconds."""
    path = write_input(one, data)
    limits.limit_time()
    start = process_time()
    reading = judge(lambda: one.read(path))
    took = process_time() - start
    if took > limits.seconds:
        raise BrokenPromise(f"took {took:.1f} s of processor time")
    return reading, took


def read_block(
    seed: int, numbers: range, names: list[str], limits: Limits, current: int
) -> dict[str, Any]:
    """Read a block of inputs and return the results, ready for JSON."""
    outcomes: Counter[str] = Counter()
    slowest: dict[str, tuple[float, int]] = {}
    largest: dict[str, tuple[int, int]] = {}
    digests, failures = [], []
    for number in numbers:
        os.pwrite(current, number.to_bytes(8, "little"), 0)
        limits.limit_time()
        one, data = make_input(seed, number, names)
        before = peak()
        try:
            reading, took = read_input(one, data, limits)
            if number % REREAD_SHARE == 0 and read_input(one, data, limits)[0] != reading:
                raise BrokenPromise("says something else when it is read again")
        except BrokenPromise as broken:
            trace = "".join(traceback.format_exception(broken.__cause__)[-8:])
            failures.append((number, one.name, str(broken), trace))
            outcomes[f"{one.name} BROKEN"] += 1
            digests.append("")
            continue
        outcomes[f"{one.name} {reading.outcome}"] += 1
        digests.append(blake2b(repr(reading).encode("utf-8", "replace"), digest_size=6).hexdigest())
        slowest[one.name] = max(slowest.get(one.name, (0.0, 0)), (took, number))
        largest[one.name] = max(largest.get(one.name, (0, 0)), (peak() - before, number))
    return {
        "first": numbers.start,
        "outcomes": outcomes,
        "slowest": slowest,
        "largest": largest,
        "digests": digests,
        "failures": failures,
    }


def main(folder: str, text: str) -> None:
    """Read blocks until there are none."""
    options = json.loads(text)
    os.chdir(folder)
    os.environ["TRUTDSL_CACHE"] = str(Path("kept").absolute())
    names = options["formats"] or list(FORMATS)
    corpus.fill_folder(Path())
    for name in names:
        corpus_of(name)
    limits = Limits(options["seconds"], options["megabytes"] * MEGABYTE)
    limits.limit_memory()
    machine.MOST_STEPS = MOST_STEPS
    current = os.open(CURRENT, os.O_RDWR | os.O_CREAT)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    defect = (
        planted.DEFECTS[options["planted"]].plant if options["planted"] else contextlib.nullcontext
    )
    with defect():
        for line in sys.stdin:
            first, count = json.loads(line)
            block = range(first, first + count)
            answers.write(json.dumps(read_block(options["seed"], block, names, limits, current)))
            answers.write("\n")
            answers.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
