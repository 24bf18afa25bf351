"""What the writers of random small games share."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

Lines = list[str]


def indent(lines: Lines) -> Lines:
    """Return lines with one more step of indentation."""
    return ["    " + line for line in lines]


def fill(template: str, blocks: Mapping[str, Lines]) -> Lines:
    """Return the lines of a template, with blocks of lines in the place of their names."""
    result: Lines = []
    for line in template.splitlines():
        block = blocks.get(line.strip())
        gap = line[: len(line) - len(line.lstrip())]
        result += [line] if block is None else [gap + one for one in block]
    return result


class SmallWriter:
    """Draws the parts of a game; pieces: its rules and defines."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.names = 0
        self.pieces: Lines = []

    def pick(self, *items: str) -> str:
        return self.random.choice(items)

    def odds(self, share: float) -> bool:
        return self.random.random() < share

    def fresh(self) -> str:
        self.names += 1
        return f"v{self.names}"
