"""Makes a program smaller as long as something stays true of it: lines, blocks, expressions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from .write import Program

INNERMOST = re.compile(r"\{[^{}]*\}|\([^()]*\)")
PLAIN = ("yes", "no", "1", "0", "dealer", "seats")


def shrink(program: Program, still: Callable[[Program], bool], most: int = 400) -> Program:
    """Return a smaller program of which `still` is true; it is asked at most so often."""
    left = most
    changed = True
    while changed and left > 0:
        changed = False
        for smaller in _smaller(program):
            left -= 1
            if left < 0:
                break
            if still(smaller):
                program, changed = smaller, True
                break
    return program


def _smaller(program: Program) -> Iterator[Program]:
    """Yield programs with less in them, those with much less first."""
    for name in sorted(program.files):
        lines = program.files[name].splitlines()
        blocks = sorted(_blocks(lines), key=lambda b: b[0] - b[1])
        for first, beyond in blocks:
            yield _with(program, name, lines[:first] + lines[beyond:])
    for name in sorted(program.files):
        lines = program.files[name].splitlines()
        for number, line in enumerate(lines):
            for shorter in _shorter(line):
                yield _with(program, name, [*lines[:number], shorter, *lines[number + 1 :]])
        for first, beyond in _blocks(lines):
            if beyond > first + 1:
                inner = [line[4:] for line in lines[first + 1 : beyond]]
                yield _with(program, name, lines[:first] + inner + lines[beyond:])


def _with(program: Program, name: str, lines: list[str]) -> Program:
    return replace(program, files={**program.files, name: "\n".join(lines) + "\n"})


def _blocks(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Yield every line with what is indented below it, as the first and the one beyond the last."""
    for first, line in enumerate(lines):
        depth = len(line) - len(line.lstrip())
        beyond = first + 1
        while beyond < len(lines) and len(lines[beyond]) - len(lines[beyond].lstrip()) > depth:
            beyond += 1
        yield first, beyond


def _shorter(line: str) -> Iterator[str]:
    """Yield a line with less in it: without its `when` or `where`, with something plain in it."""
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
