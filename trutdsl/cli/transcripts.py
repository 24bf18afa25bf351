"""Transcripts as files that a command writes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from trutdsl.diagnostics import Failure
from trutdsl.game import BadUsage

LONGEST_LINE = 1000
TRANSCRIPT = b'{"event": "match"'  # how each transcript begins


@contextmanager
def open_transcript(name: str, out: IO[str]) -> Iterator[IO[str]]:
    """Give the block the file of this name to write into, or `out` for `-`."""
    if name == "-":
        yield out
        return
    try:
        _refuse_place(Path(name))
        file = Path(name).open("w", encoding="utf-8")  # noqa: SIM115 - closed below
    except OSError as e:
        raise BadUsage(f"{name} cannot be written: {e.strerror}") from None
    try:
        with file:
            yield file
    except OSError as e:
        raise Failure(f"{name} cannot be written: {e.strerror}") from None


def _refuse_place(path: Path) -> None:
    """Refuse a pipe, which waits for a reader, and a file that is no transcript.

    Such a file was hardly meant, and nobody has a copy.
    """
    if path.is_fifo() or path.is_socket() or path.is_block_device():
        raise BadUsage(
            f"{path} cannot be written: found a device or pipe, expected a file; "
            "write - for standard output"
        )
    if not path.is_file() or not path.stat().st_size:
        return
    with path.open("rb") as file:
        first = file.readline(LONGEST_LINE)
    if not first.startswith(TRANSCRIPT):
        raise BadUsage(
            f"{path} exists and is no transcript, so it is not overwritten; "
            "give --transcript the name of a new file, or delete this one first"
        )
