"""An executor: whatever plays chunks, and what comes back from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from trutdsl.arena.chunks import Chunk
from trutdsl.arena.play import Fault, Place
from trutdsl.diagnostics import Rejected


@dataclass(frozen=True)
class Finished:
    """A chunk that was played.

    kept:    what is kept of it, as JSON has it: `counts` and `faults`.
    faults:  of its matches, in order of play.
    seconds: how long it took.
    """

    chunk: Chunk
    kept: dict[str, Any]
    faults: tuple[Fault, ...]
    seconds: float


@dataclass(frozen=True)
class LeftAside:
    """A chunk that cannot be played: why, and in which match, if that is known."""

    chunk: Chunk
    place: Place | None
    why: str


@dataclass(frozen=True)
class Failed:
    """A chunk in which the rules of the variant lead to something impossible."""

    chunk: Chunk
    error: Rejected


Result: TypeAlias = Finished | LeftAside | Failed


class Executor(Protocol):
    """Plays chunks somewhere, several at once; each comes out whole or in parts, in any order."""

    @property
    def room(self) -> int:
        """How many chunks can be submitted at once."""

    @property
    def busy(self) -> bool:
        """Whether chunks are under way."""

    def submit(self, chunk: Chunk) -> None:
        """Have a chunk played."""

    def gather(self, seconds: float) -> list[Result]:
        """Wait until something is finished, at most so long, and return what is."""

    def end(self) -> None:
        """Give up whatever is under way, at once."""
