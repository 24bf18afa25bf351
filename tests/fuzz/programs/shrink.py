"""Shrinks a program while it keeps a property: removes lines, blocks and expressions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from .write import Program

INNERMOST = re.compile(r"\{[^{}]*\}|\([^()]*\)")
PLAIN = ("yes", "no", "1", "0", "dealer", "seats")


def shrink(program: Program, keeps_property: Callable[[Program], bool], most: int = 400) -> Program:
    """Return a smaller program that keeps a property, after at most `most` attempts."""
    left = most
    changed = True
    while changed and left > 0:
        changed = False
        for smaller in _smaller_programs(program):
            left -= 1
            if left < 0:
                break
            if keeps_property(smaller):
                program, changed = smaller, True
                break
    return program


def _smaller_programs(program: Program) -> Iterator[Program]:
    """Yield smaller programs, the smallest first."""
    for name in sorted(program.files):
        lines = program.files[name].splitlines()
        blocks = sorted(_blocks(lines), key=lambda b: b[0] - b[1])
        for first, end in blocks:
            yield _replace_lines(program, name, lines[:first] + lines[end:])
    for name in sorted(program.files):
        lines = program.files[name].splitlines()
        for number, line in enumerate(lines):
            for shorter in _shorter_lines(line):
                yield _replace_lines(
                    program, name, [*lines[:number], shorter, *lines[number + 1 :]]
                )
        for first, end in _blocks(lines):
            if end > first + 1:
                inner = [line[4:] for line in lines[first + 1 : end]]
                yield _replace_lines(program, name, lines[:first] + inner + lines[end:])


def _replace_lines(program: Program, name: str, lines: list[str]) -> Program:
    return replace(program, files={**program.files, name: "\n".join(lines) + "\n"})


def _blocks(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Yield the range of each line and of the more indented lines below it."""
    for first, line in enumerate(lines):
        depth = len(line) - len(line.lstrip())
        end = first + 1
        while end < len(lines) and len(lines[end]) - len(lines[end].lstrip()) > depth:
            end += 1
        yield first, end


def _shorter_lines(line: str) -> Iterator[str]:
    """Yield shorter versions of a line: without its condition, or with a simple expression."""
    for word in (" when ", " where ", " has "):
        if word in line and line.endswith(":"):
            yield line[: line.index(word)] + ":"
    for found in INNERMOST.finditer(line):
        for plain in PLAIN:
            if len(found[0]) > len(plain) + 2:
                yield line[: found.start()] + plain + line[found.end() :]
        if found[0].startswith("("):
            for part in re.split(r" if | else | and | or | [-+*&] ", found[0][1:-1])[:3]:
                if part != found[0][1:-1]:
                    yield line[: found.start()] + part + line[found.end() :]
