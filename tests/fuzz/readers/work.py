"""A process that reads inputs, so that what ends or holds up a process is known by its number.

`python -m tests.fuzz.readers.work FOLDER OPTIONS` takes blocks of numbers as JSON lines and answers
each with a line of what came of it. Before an input is read its number is written into a file.
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
from .inputs import beginnings, make_input
from .judge import Broken, Reading, judge

CURRENT = "current"  # the file with the number of the input that is being read
MEGABYTE = 1 << 20
WAITS = 120  # seconds after which an input that takes no processor time is given up
MOST_STEPS = 100_000  # of rules between two questions: less than elsewhere, for speed
AGAIN = 16  # one input in so many is read a second time in the same process


class Limits:
    """How much one input may take: seconds of processor time, bytes of memory more than before."""

    def __init__(self, seconds: float, memory: int) -> None:
        self.seconds, self.memory = seconds, memory

    def hold(self) -> None:
        """End this process when it takes much more memory from here on."""
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + self.memory
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def begin(self) -> None:
        """Give this process so much time from here on, twice over."""
        most = int(process_time() + 2 * self.seconds) + 2
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))
        signal.alarm(WAITS)


def peak() -> int:
    """Return the most memory that this process had, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def read_input(one: Format, data: bytes, limits: Limits) -> tuple[Reading, float]:
    """Read an input within limits; return the answer and the seconds it took."""
    path = write_input(one, data)
    limits.begin()
    start = process_time()
    reading = judge(lambda: one.read(path))
    took = process_time() - start
    if took > limits.seconds:
        raise Broken(f"took {took:.1f} s of processor time")
    return reading, took


def read_block(
    seed: int, numbers: range, names: list[str], limits: Limits, current: int
) -> dict[str, Any]:
    """Read a block of inputs and return what came of it, as JSON has it."""
    outcomes: Counter[str] = Counter()
    slowest: dict[str, tuple[float, int]] = {}
    largest: dict[str, tuple[int, int]] = {}
    digests, failures = [], []
    for number in numbers:
        os.pwrite(current, number.to_bytes(8, "little"), 0)
        limits.begin()
        one, data = make_input(seed, number, names)
        before = peak()
        try:
            reading, took = read_input(one, data, limits)
            if number % AGAIN == 0 and read_input(one, data, limits)[0] != reading:
                raise Broken("says something else when it is read again")
        except Broken as broken:
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
    corpus.lay_out(Path())
    for name in names:
        beginnings(name)
    limits = Limits(options["seconds"], options["megabytes"] * MEGABYTE)
    limits.hold()
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
