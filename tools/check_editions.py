"""Plays variants of older commits with the program of their commit and with the present one.

The transcripts must be the same, byte for byte. `make editions` runs it; see `docs/language.md`.
Each program plays all tables of a commit in one process, and both run side by side.
"""

from __future__ import annotations

import inspect
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from hashlib import sha256
from pathlib import Path
from unittest.mock import patch

from trutdsl.cli.app import run
from trutdsl.diagnostics import Rejected
from trutdsl.variant import load_variant
from trutdsl.variant.load import Library

ROOT = Path(__file__).parents[1]
COMMITS = ("2b2dcd58633017cd078794dc798e4da80366fcc2", "a05c9a1fc9dd4ddda287049278c4b4bb51832d89",
           "99411359076231e5ebbddf1cbca94a3f56b0a18f")  # fmt: skip
MATCHES, TABLES = 2, 2  # matches of each table; tables of each variant
PRESENT = "now"  # the first argument of the process that runs the present program


def main() -> None:
    """Compare the commits given as arguments, by default `COMMITS`; exit 1 at any difference."""
    if sys.argv[1:2] == [PRESENT]:
        library = Library(Path.cwd() / "variants")
        with patch("trutdsl.variant.load.shipped_library", lambda: library):
            play_tables()
        return
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
    """Return the number of tables of a commit that are played differently now."""
    tables = [*tables_of(tree)]
    # The old program runs only `play_tables` of this file, which needs only its own `run`.
    old = f"{PLAYER}\n{_source()}\nplay_tables()"
    old_process = _start([sys.executable, "-c", old], tree, tree, tables)
    new_process = _start([sys.executable, __file__, PRESENT], tree, ROOT, tables)
    outputs = [process.communicate()[0].splitlines() for process in (old_process, new_process)]
    events = differ = older = 0
    for (ref, players), one, two in zip(tables, *outputs, strict=True):
        (before, _, many), (after, warned, _) = json.loads(one), json.loads(two)
        events, older = events + many, older + warned
        if before is None or before != after:
            differ += 1
            print(f"{commit[:8]} {ref} for {players}: played differently", flush=True)
    print(
        f"{commit[:8]}: {len(tables) - differ} tables played alike, {older} of them brought up, "
        f"{events:,} events; {differ} differ",
        flush=True,
    )
    return differ


def tables_of(tree: Path) -> Iterator[tuple[str, int]]:
    """Yield the variants of a tree, each with its first numbers of players."""
    library = Library(tree / "variants")
    for path in sorted([*tree.glob("variants/**/*.yaml"), *tree.glob("tests/good/*.yaml")]):
        try:
            variant = load_variant(path, library=library)
        except Rejected:
            continue  # a module
        for players in variant.players[:TABLES]:
            yield str(path.relative_to(tree)), players


def _start(
    command: list[str], tree: Path, program: Path, tables: list[tuple[str, int]]
) -> subprocess.Popen[str]:
    """Start a program that plays these tables."""
    cache = str(tree / f"cache-{program.name}")
    environment = {**os.environ, "PYTHONPATH": str(program), "TRUTDSL_CACHE": cache}
    environment["TABLES"] = json.dumps(
        [["simulate", ref, "--players", str(players), "--matches", str(MATCHES), "--seed", "1",
          "--engine", "reference", "--transcript", "-"] for ref, players in tables]
    )  # fmt: skip
    return subprocess.Popen(command, cwd=tree, env=environment, stdout=-1, text=True)


PLAYER = """\
import io, json, os, sys
from contextlib import redirect_stderr, redirect_stdout
from hashlib import sha256
from trutdsl.cli.app import run"""


def play_tables() -> None:
    """Print for each table the hash of its events, whether its file is old, and their number."""
    for command in json.loads(os.environ["TABLES"]):
        shown, warnings = io.StringIO(), io.StringIO()
        with redirect_stdout(shown), redirect_stderr(warnings):
            code = run(command)
        events = shown.getvalue()
        digest = sha256(events.encode()).hexdigest() if code == 0 else None
        print(
            json.dumps([digest, "older-language" in warnings.getvalue(), events.count("\n")]),
            flush=True,
        )


def _source() -> str:
    """Return the text of `play_tables`."""
    return inspect.getsource(play_tables).replace(" -> None", "")


if __name__ == "__main__":
    main()
