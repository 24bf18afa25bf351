"""Ctrl-C prints one word at any moment after the first import of the program."""

import os
import subprocess
import sys

import pytest

# Sends the signal just before a module is imported.
START = """\
import os, signal, sys
from importlib.abc import MetaPathFinder
signal.signal(signal.SIGINT, signal.default_int_handler)
_, module, *sys.argv[1:] = sys.argv

class Sends(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == module:
            os.kill(os.getpid(), signal.SIGINT)

from trutdsl.cli import main
sys.meta_path.insert(0, Sends())
main()
"""
MODULES = (
    "typer", "trutdsl.cli.app", "trutdsl.diagnostics", "trutdsl.cli.simulate",
    "trutdsl.game", "numpy", "numpy._core._multiarray_umath", "llvmlite", "trutdsl.interp.machine",
)  # fmt: skip


@pytest.mark.parametrize("module", MODULES)
def test_ctrl_c_during_an_import(module):
    command = [sys.executable, "-c", START, module, "simulate", "trut", "--matches", "1"]
    path = {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, env=os.environ | path, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "stopped\n")


def test_the_package_itself_imports_only_fast_modules():
    show = (
        "import sys; before = {*sys.modules}; import trutdsl.cli; print(*{*sys.modules} - before)"
    )
    done = subprocess.run([sys.executable, "-c", show], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= {"trutdsl", "trutdsl.cli", "functools", "gc", "types"} | {
        "collections", "keyword", "operator", "reprlib", "_collections", "_functools", "_operator",
        "itertools",
    }  # fmt: skip
