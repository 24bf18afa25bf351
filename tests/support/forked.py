"""The program in processes of its own, forked from one in which it is imported already.

Python takes longer to start and to import than most of what tests have a process do. What such a
process is given (arguments, folder, environment, limits, streams) and how it ends is as if it had
been started; the one that it is forked from does nothing but wait.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

SECONDS = 40  # of processor time, for each process
HANGS = 300  # seconds after which a process is thought to wait for ever
MAIN = "from trutdsl.cli import main\nmain()"
# What most processes need: modules, the parser's tables, and the rules of Trut, read and checked.
READY = """\
import trutdsl.tournaments.run, trutdsl.cli.simulate, trutdsl.cli.tournament
import trutdsl.report.csv_files, trutdsl.report.simulation, trutdsl.report.tournament
import trutdsl.cli.compare, trutdsl.cli.progress, trutdsl.comparison.run_comparison
import trutdsl.scenario.run, trutdsl.strategy, trutdsl.transcript
import multiprocessing.connection, multiprocessing.forkserver, scipy.optimize, scipy.special
from trutdsl.game import load_game
load_game("trut").program
"""
STEM = f"""\
import json, os, resource, sys
{READY}
for line in sys.stdin:
    asked = json.loads(line)
    child = os.fork()
    if not child:
        for number, name in enumerate(asked["streams"]):
            os.dup2(os.open(name, os.O_WRONLY if number else os.O_RDONLY), number)
        os.chdir(asked["folder"])
        os.environ.clear()
        os.environ.update(asked["environment"])
        resource.setrlimit(resource.RLIMIT_CPU, (asked["seconds"], asked["seconds"]))
        sys.argv[1:] = asked["args"]
        break
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
else:
    sys.exit()
exec(asked["program"])
"""


def trutdsl(folder, *args, program=MAIN, stdout=None, seconds=SECONDS):
    """Run the program in a folder; return how it ended and what it wrote.

    program: what is run instead, in Python; stdout: a file that gets what is written there.
    """
    with tempfile.TemporaryDirectory() as written:
        out, err = Path(written, "out"), Path(written, "err")
        out.touch()
        err.touch()
        asked = {
            "streams": [os.devnull, str(stdout or out), str(err)],
            "folder": str(folder),
            "environment": {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            "seconds": seconds,
            "args": args,
            "program": program,
        }
        code = _ended(json.dumps(asked))
        return subprocess.CompletedProcess(
            args, code, out.read_text("utf-8"), err.read_text("utf-8")
        )


def _ended(asked):
    """Return how a process ended that was given this."""
    stem = _stem()
    stem.stdin.write(asked + "\n")
    stem.stdin.flush()
    if not select.select([stem.stdout], [], [], HANGS)[0]:
        os.killpg(stem.pid, signal.SIGKILL)
        _stem.cache_clear()
        raise subprocess.TimeoutExpired(asked, HANGS)
    return int(stem.stdout.readline())


@cache
def _stem():
    """Return the process from which all others of this worker are forked."""
    stem = subprocess.Popen(
        [sys.executable, "-c", STEM],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    atexit.register(stem.communicate)  # which ends it
    return stem
