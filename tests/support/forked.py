"""Run the program in processes that are forked after its imports.

To start Python and import the program takes longer than most tests do. A forked process gets its
own arguments, folder, environment, limits and streams, as a new process would. Its parent only
waits.
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

CPU_SECONDS = 40  # of processor time, for each process
TIMEOUT = 300  # seconds
MAIN = "from trutdsl.cli import main\nmain()"
# A shell starts background processes with SIGINT ignored; this enables it again.
INTERRUPTIBLE_MAIN = (
    f"import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n{MAIN}"
)
# Most processes need these modules, the parser's tables, and the checked rules of Trut.
IMPORTS = """\
import trutdsl.tournaments.run, trutdsl.cli.simulate, trutdsl.cli.tournament
import trutdsl.report.csv_files, trutdsl.report.simulation, trutdsl.report.tournament
import trutdsl.cli.compare, trutdsl.cli.progress, trutdsl.comparison.run_comparison
import trutdsl.scenario.run, trutdsl.strategy, trutdsl.transcript
import multiprocessing.connection, multiprocessing.forkserver, scipy.optimize, scipy.special
from trutdsl.game import load_game
load_game("trut").program
"""
PARENT_PROGRAM = f"""\
import json, os, resource, sys
{IMPORTS}
for line in sys.stdin:
    request = json.loads(line)
    child = os.fork()
    if not child:
        for number, name in enumerate(request["streams"]):
            os.dup2(os.open(name, os.O_WRONLY if number else os.O_RDONLY), number)
        os.chdir(request["folder"])
        os.environ.clear()
        os.environ.update(request["environment"])
        resource.setrlimit(resource.RLIMIT_CPU, (request["seconds"], request["seconds"]))
        sys.argv[1:] = request["args"]
        break
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
else:
    sys.exit()
exec(request["program"])
"""


def trutdsl(folder, *args, program=MAIN, stdout=None, seconds=CPU_SECONDS):
    """Run the program in a folder; return its exit code and outputs.

    program: Python code to run instead; stdout: a file for standard output.
    """
    with tempfile.TemporaryDirectory() as folder_of_outputs:
        out, err = Path(folder_of_outputs, "out"), Path(folder_of_outputs, "err")
        out.touch()
        err.touch()
        request = {
            "streams": [os.devnull, str(stdout or out), str(err)],
            "folder": str(folder),
            "environment": {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            "seconds": seconds,
            "args": args,
            "program": program,
        }
        code = _run_child(json.dumps(request))
        return subprocess.CompletedProcess(
            args, code, out.read_text("utf-8"), err.read_text("utf-8")
        )


def _run_child(request):
    """Have the parent fork a process for this request; return its exit code."""
    parent = _start_parent()
    parent.stdin.write(request + "\n")
    parent.stdin.flush()
    if not select.select([parent.stdout], [], [], TIMEOUT)[0]:
        os.killpg(parent.pid, signal.SIGKILL)
        _start_parent.cache_clear()
        raise subprocess.TimeoutExpired(request, TIMEOUT)
    return int(parent.stdout.readline())


@cache
def _start_parent():
    """Start the process that forks all others of this worker."""
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT_PROGRAM],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    atexit.register(parent.kill)  # others may hold copies of its pipe, so it may see no end
    return parent
