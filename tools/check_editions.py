"""Plays variants of older commits with the program of their commit and with the present one.

The transcripts must be the same, byte for byte. `make editions` runs it; see `docs/language.md`.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
import tempfile
from contextlib import redirect_stdout
from pathlib import Path
from unittest.mock import patch

from trutdsl.cli.app import run
from trutdsl.diagnostics import Rejected
from trutdsl.variant import load_variant
from trutdsl.variant.load import Library

ROOT = Path(__file__).parents[1]
COMMITS = ("2b2dcd58633017cd078794dc798e4da80366fcc2", "a05c9a1fc9dd4ddda287049278c4b4bb51832d89",
           "99411359076231e5ebbddf1cbca94a3f56b0a18f")  # fmt: skip
MATCHES, TABLES = 2, 2  # of each variant: matches a table, and how many of its tables


def main() -> None:
    """Compare the commits given as arguments, by default `COMMITS`; exit 1 at any difference."""
    differ = 0
    for commit in sys.argv[1:] or COMMITS:
        with tempfile.TemporaryDirectory() as folder:
            tree = Path(folder)
            archive = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, stdout=-1)
            with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
                files.extractall(tree, filter="data")
            differ += compare(commit, tree)
    sys.exit(1 if differ else 0)


def compare(commit: str, tree: Path) -> int:
    """Return how many tables of a commit are played differently now."""
    library = Library(tree / "variants")
    same = older = differ = 0
    for path in sorted([*tree.glob("variants/**/*.yaml"), *tree.glob("tests/good/*.yaml")]):
        try:
            variant = load_variant(path, library=library)
        except Rejected:
            continue  # a module
        ref = path.relative_to(tree)
        for players in variant.players[:TABLES]:
            then, (now, warned) = _then(tree, ref, players), _now(tree, ref, players)
            older += warned
            same += then == now
            if then != now:
                differ += 1
                print(f"{commit[:8]} {ref} for {players}: played differently", flush=True)
    print(
        f"{commit[:8]}: {same} tables played alike, {older} of them brought up; {differ} differ",
        flush=True,
    )
    return differ


def _command(ref: Path, players: int) -> list[str]:
    return ["simulate", str(ref), "--players", str(players), "--matches", str(MATCHES),
            "--seed", "1", "--engine", "reference", "--transcript", "-"]  # fmt: skip


def _then(tree: Path, ref: Path, players: int) -> str:
    """Return what the program of the commit prints."""
    env = {**os.environ, "PYTHONPATH": str(tree), "TRUTDSL_CACHE": str(tree / "cache")}
    command = [sys.executable, "-m", "trutdsl", *_command(ref, players)]
    done = subprocess.run(command, cwd=tree, env=env, check=True, stdout=-1, text=True)
    return done.stdout


def _now(tree: Path, ref: Path, players: int) -> tuple[str, bool]:
    """Return what this program prints, and whether it warns of an older edition."""
    shown, told = io.StringIO(), io.StringIO()
    os.chdir(tree)
    with (
        patch("trutdsl.variant.load.shipped_library", lambda: Library(tree / "variants")),
        redirect_stdout(shown),
        patch("sys.stderr", told),
    ):
        run(_command(ref, players))
    return shown.getvalue(), "older-language" in told.getvalue()


if __name__ == "__main__":
    main()
