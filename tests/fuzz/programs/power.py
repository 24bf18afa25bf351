"""Counts the random programs until each mutant of the engines is found."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from pathlib import Path

import trutdsl

from .mutants import MUTANTS, Mutant
from .search import find_difference, limit_time, say
from .write import write_program

WITHIN = 400  # programs in which a mutant is looked for
ROOT = Path(__file__).parents[3]
COPIED_FOLDERS = ("trutdsl", "strategies", "variants")


def count_programs_until_found(mutant: Mutant, most: int = WITHIN) -> int | None:
    """Return the number of programs until a mutant is found; None if `most` do not find it."""
    with tempfile.TemporaryDirectory() as folder:
        for name in COPIED_FOLDERS:
            shutil.copytree(ROOT / name, Path(folder) / name)
        path = Path(folder) / "trutdsl" / f"{mutant.module}.py"
        text = path.read_text(encoding="utf-8")
        if text.count(mutant.old) != 1:
            raise ValueError(f"{mutant.name}: its text is {text.count(mutant.old)} times there")
        path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([folder, str(ROOT)]),
            "TRUTDSL_CACHE": "",
        }
        look = [sys.executable, "-m", "tests.fuzz.programs.power", str(most)]
        done = subprocess.run(
            look, env=environment, cwd=folder, capture_output=True, text=True, check=False
        )
    seeds = [int(line) for line in done.stdout.split() if line.isdecimal()]
    if done.returncode == 0:
        return None
    if not seeds:
        raise RuntimeError(done.stderr)
    return seeds[-1] + 1  # this program differed, or the process died


def add_options(parser: ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("names", nargs="*", help="which mutants; all if none is named")
    parser.add_argument("--within", type=int, default=WITHIN, help="how many programs at most")


def main(options: Namespace) -> int:
    """Print the number of programs until each mutant is found; return 1 if one is not found."""
    missed = 0
    for mutant in MUTANTS:
        if not options.names or mutant.name in options.names:
            found = count_programs_until_found(mutant, options.within)
            missed += found is None
            say(f"| {mutant.name} | `{mutant.module}` | {found or f'not in {options.within}'} |\n")
    return int(missed > 0)


def print_seeds_until_difference(most: int) -> int:
    """Print the seed of each program until two ways of playing differ; then return 1, else 0."""
    assert Path(trutdsl.__file__).is_relative_to(Path.cwd()), "this is not the mutant"
    for seed in range(most):
        print(seed, flush=True)  # noqa: T201 - the parent process reads it
        limit_time()
        if find_difference(write_program(seed)) is not None:
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(print_seeds_until_difference(int(sys.argv[1])))
