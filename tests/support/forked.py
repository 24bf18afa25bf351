"""Run the program in processes that are forked after its imports.

To start Python and import the program takes longer than most tests do. A forked process gets its
own arguments, folder, environment, limits and streams, as a new process would. Its parent only
waits.
"""

from __future__ import annotations

import atexit
import json
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import weakref
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
    if "pid" in request:
        pid, status = os.waitpid(request["pid"], request["options"])
        print(os.waitstatus_to_exitcode(status) if pid else "", flush=True)
        continue
    child = os.fork()
    if not child:
        os.setsid()
        for number, name in enumerate(request["streams"]):
            flags = os.O_WRONLY if number else os.O_RDONLY
            os.dup2(os.open(name, flags | os.O_NOCTTY), number)
        sys.stdin = open(0, closefd=False)
        os.chdir(request["folder"])
        os.environ.clear()
        os.environ.update(request["environment"])
        for kind, most in request["limits"]:
            resource.setrlimit(kind, (most, most))  # -1: no limit
        sys.dont_write_bytecode = request["no_bytecode"]
        sys.argv[1:] = request["args"]
        break
    print(child, flush=True)
else:
    sys.exit()
exec(request["program"])
"""


class Forked:
    """A forked process in a session of its own; the methods are those of `subprocess.Popen`.

    program: Python code to run; stdout: a file for standard output; seconds: of processor time;
    file_size: the most bytes of a file; environment: more variables.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *args: str,
        program: str = MAIN,
        stdout: str | None = None,
        seconds: int = CPU_SECONDS,
        file_size: int = -1,
        environment: dict[str, str] | None = None,
    ) -> None:
        self.args, self.returncode = args, None
        outputs = tempfile.mkdtemp()
        weakref.finalize(self, shutil.rmtree, outputs)
        self.out, self.err = Path(outputs, "out"), Path(outputs, "err")
        self.out.touch()
        self.err.touch()
        request = {
            "streams": [os.devnull, str(stdout or self.out), str(self.err)],
            "folder": str(folder),
            "environment": {
                **os.environ,
                "PYTHONPATH": os.pathsep.join(sys.path),
                **(environment or {}),
            },
            "limits": [(resource.RLIMIT_CPU, seconds), (resource.RLIMIT_FSIZE, file_size)],
            "no_bytecode": file_size >= 0,  # Python does not notice that a file is cut off
            "args": args,
            "program": program,
        }
        self.pid = int(_ask(request))

    def poll(self) -> int | None:
        if self.returncode is None and (code := _ask({"pid": self.pid, "options": os.WNOHANG})):
            self.returncode = int(code)
        return self.returncode

    def communicate(self, timeout: float = TIMEOUT) -> tuple[str, str]:
        """Wait for the end and return the outputs. After the timeout, kill the process."""
        if self.returncode is None:
            request = {"pid": self.pid, "options": 0}
            try:
                self.returncode = int(_ask(request, timeout))
            except subprocess.TimeoutExpired:
                self.kill()
                self.returncode = int(_read_answer(request, TIMEOUT))
                raise
        return self.out.read_text("utf-8"), self.err.read_text("utf-8")

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill the process, unless its end was noticed."""
        if self.returncode is None:
            self.send_signal(signal.SIGKILL)


def trutdsl(folder, *args, **more):
    """Run the program in a folder, as `Forked` does; return its exit code and outputs."""
    process = Forked(folder, *args, **more)
    outputs = process.communicate()
    return subprocess.CompletedProcess(args, process.returncode, *outputs)


def _ask(request, timeout=TIMEOUT):
    """Send a request to the parent; return its answer."""
    parent = _start_parent()
    parent.stdin.write(json.dumps(request) + "\n")
    parent.stdin.flush()
    return _read_answer(request, timeout)


def _read_answer(request, timeout):
    parent = _start_parent()
    if not select.select([parent.stdout], [], [], timeout)[0]:
        raise subprocess.TimeoutExpired(request, timeout)
    return parent.stdout.readline().strip()


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
