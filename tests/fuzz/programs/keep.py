"""Programs that were kept because two ways of playing them differed, as files to be read."""

from __future__ import annotations

import json
from pathlib import Path

from .write import Program

FOLDER = Path(__file__).parent / "found"
MARK = "=== "


def text_of(program: Program, why: str) -> str:
    """Return a program as the text of a file: how it is played, what differed, its files."""
    how = {"seed": program.seed, "players": program.players, "parameters": program.parameters}
    lines = [f"# {line}" for line in why.splitlines()[:8]]
    parts = [f"{MARK}{name}\n{text}" for name, text in program.files.items()]
    return "\n".join([*lines, json.dumps(how)]) + "\n" + "".join(parts)


def program_of(text: str) -> Program:
    """Return the program of such a text."""
    head, *parts = text.split(MARK)
    how = json.loads(head.strip().splitlines()[-1])
    files = {part.partition("\n")[0].strip(): part.partition("\n")[2] for part in parts}
    return Program(how["seed"], files, how["players"], how["parameters"], False)


def keep(program: Program, why: str, folder: Path = FOLDER) -> Path:
    """Write a program that was found into a folder, and return where."""
    folder.mkdir(exist_ok=True)
    path = folder / f"program-{program.seed}.txt"
    path.write_text(text_of(program, why), encoding="utf-8")
    return path
