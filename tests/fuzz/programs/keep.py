"""Reads and writes the files of programs for which two ways of playing differed."""

from __future__ import annotations

import json
from pathlib import Path

from .write import Program

FOLDER = Path(__file__).parent / "found"
MARK = "=== "


def to_text(program: Program, why: str) -> str:
    """Return the text of a program's file: the difference, the table, its rules files."""
    how = {"seed": program.seed, "players": program.players, "parameters": program.parameters}
    lines = [f"# {line}" for line in why.splitlines()[:8]]
    parts = [f"{MARK}{name}\n{text}" for name, text in program.files.items()]
    return "\n".join([*lines, json.dumps(how)]) + "\n" + "".join(parts)


def from_text(text: str) -> Program:
    """Return the program of such a file's text."""
    head, *parts = text.split(MARK)
    how = json.loads(head.strip().splitlines()[-1])
    files = {part.partition("\n")[0].strip(): part.partition("\n")[2] for part in parts}
    return Program(how["seed"], files, how["players"], how["parameters"], False)


def store_program(program: Program, why: str, folder: Path = FOLDER) -> Path:
    """Write a program into a folder, and return its path."""
    folder.mkdir(exist_ok=True)
    path = folder / f"program-{program.seed}.txt"
    path.write_text(to_text(program, why), encoding="utf-8")
    return path
