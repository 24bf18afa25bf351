"""Snapshot: stores the output and files of fixed commands, to compare two versions by bytes.

    python tools/snapshot.py FOLDER
    diff -r BEFORE AFTER

Texts that name the program's own source (hashes of the engine) and times are masked.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = ROOT / ".venv" / "bin" / "trutdsl"
SCRIPTS = "steady,caller,quiet"
HOUSE = """variant: house
title: Trut to three longs
extends: trut
set: {goal: 3, trut_window: own_turn}
"""
EXPERIMENT = """experiment: small
variant: trut
players: 2
strategies: [steady, caller, bluffer]
sets: 32
seed: 5
"""
TOURNAMENT = (
    "tournament trut --strategies steady,caller,quiet,bluffer --sets 40 --seed 3 --jobs 2 --chunk 8"
)
COMMANDS = {
    "list": "list",
    "matrix": "list --matrix",
    "check": "check house.yaml --no-cache",
    "check-variants": "check variants/*.yaml strategies/*.strategy",
    "scenario": "scenario tests/scenarios/*.yaml",
    "scenario-tell": "scenario --tell tests/scenarios/trut.yaml",
    "coverage": "coverage trut --players 2 --matches 200 --seed 2",
    "simulate": "simulate trut --players 4 --matches 300 --seed 7 --json",
    "simulate-text": "simulate truc-catalan --matches 300 --strategies steady,caller --seed 7",
    "simulate-deals": "simulate trut --mode deals --matches 200 --score longs=6,6 --json",
    "reference": "simulate tute --players 2 --matches 4 --seed 7 --engine reference --json",
    "transcript": "simulate trut-deluxe --players 2 --matches 3 --seed 7 --transcript t.jsonl",
    "replay": "replay t.jsonl",
    "replay-verify": "replay --verify t.jsonl",
    "explain": "explain-choice honest tests/strategy/choices/trut.yaml",
    "plan": f"plan trut --strategies {SCRIPTS} --detect 0.02 --pilot 40 --seed 1 --json",
    "tournament": f"{TOURNAMENT} --out run",
    "tournament-verbose": "results run --verbose",
    "tournament-fr": "results run --lang fr --verbose",
    "extend": "extend run --sets 60 --json",
    "report-run": "report run -o run.html",
    "report-run-fr": "report run -o run-fr.html --lang fr",
    "tournament-file": "tournament small.yaml --out file-run",
    "swiss": f"{TOURNAMENT} --format swiss --rounds 2 --out swiss",
    "knock-out": f"{TOURNAMENT} --format knock-out --out knock-out",
    "deals": f"{TOURNAMENT} --mode deals --metric '3 longs + petits' --out deals",
    "test": "tournament trut --strategies steady,caller --test steady,caller --margin 0.05 "
    "--seed 2 --out test",
    "four": f"tournament trut --players 4 --strategies {SCRIPTS} --sets 20 --seed 3 --out four",
    "shard-1": f"{TOURNAMENT} --shard 1/2 --out part-1",
    "shard-2": f"{TOURNAMENT} --shard 2/2 --out part-2",
    "merge": "merge part-1 part-2 --out merged",
    "verify": "verify run --chunks 100",
    "compare": "compare trut house.yaml --sets 60 --seed 2 --out compare --all",
    "compare-fr": "compare trut house.yaml --sets 60 --seed 2 --out compare --all --lang fr",
    "report-compare": "report compare -o compare.html",
    "report-compare-fr": "report compare -o compare-fr.html --lang fr",
    "sweep": "sweep trut --param goal=3..5 --sets 30 --seed 2 --out sweep",
    "report-sweep": "report sweep -o sweep.html",
    "ambiguities": "ambiguities truc-catalan --sets 30 --seed 2 --out ambiguities",
}
COPIED_SUFFIXES = {".json", ".csv", ".html", ".jsonl"}
MASKS = [
    (re.compile(r'("(?:engine_hash|trutdsl|fingerprint)": ")[^"]*'), r"\1MASKED"),
    (re.compile(r'("seconds": )[-\d.e]+'), r"\1TIME"),
    (re.compile(r"\b[0-9a-f]{64}\b"), "HASH"),
    (re.compile(r"\d[\d,.]* ?(ms|s|min|h)\b"), "TIME"),
    (re.compile(r"[\d,.\u202f\u00a0 ]+ deals/s"), "RATE"),
]


def mask(text: str, folder: Path) -> str:
    """Return a text without hashes of the program, times, and the name of the folder."""
    text = text.replace(str(folder), "FOLDER").replace(str(ROOT), "ROOT")
    for pattern, instead in MASKS:
        text = pattern.sub(instead, text)
    return text


def run(arguments: str, folder: Path) -> str:
    """Return the output of a command on both streams, and its exit code."""
    line = f"{PROGRAM} {arguments}"
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return mask(f"{done.stdout}\n--- errors\n{done.stderr}\n--- exit {done.returncode}\n", folder)


def tables() -> list[tuple[str, str]]:
    """Return every shipped variant with each number of players that it allows."""
    code = (
        "from trutdsl import load_variant\n"
        "import pathlib\n"
        "for p in sorted(pathlib.Path('variants').glob('*.yaml')):\n"
        "    print(p.stem, *load_variant(p.stem).players)\n"
    )
    python = PROGRAM.with_name("python")
    text = subprocess.run(
        [python, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    rows = (line.split() for line in text.stdout.splitlines())
    return [(name, n) for name, *numbers in rows for n in numbers]


def main(target: Path) -> None:
    """Write the snapshot into a new folder."""
    target.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in ("variants", "strategies", "tests"):
            (folder / part).symlink_to(ROOT / part)
        (folder / "house.yaml").write_text(HOUSE, encoding="utf-8")
        (folder / "small.yaml").write_text(EXPERIMENT, encoding="utf-8")
        for what, arguments in COMMANDS.items():
            (target / f"{what}.txt").write_text(run(arguments, folder), encoding="utf-8")
        for path in sorted(folder.rglob("*")):
            inside = path.relative_to(folder)
            if (
                path.is_symlink()
                or path.suffix not in COPIED_SUFFIXES
                or inside.parts[0] in ("tests",)
            ):
                continue
            copy = target / "files" / inside
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(mask(path.read_text(encoding="utf-8"), folder), encoding="utf-8")
        with ThreadPoolExecutor(2) as pool:
            pairs = tables()
            texts = pool.map(
                lambda t: run(f"dump {t[0]} --players {t[1]} --stage llvm", folder), pairs
            )
            for (variant, players), text in zip(pairs, texts, strict=True):
                (target / f"llvm-{variant}-{players}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
