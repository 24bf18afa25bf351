"""Standard output: a console for tables, output that fails, and strategies that print, too."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from errno import EBADF
from io import TextIOBase, TextIOWrapper
from typing import IO, TYPE_CHECKING, TextIO, cast

from trutdsl.diagnostics import Failure

if TYPE_CHECKING:
    from rich.console import Console

OUT, ERRORS = 1, 2  # the descriptors that every process is given


class _Closed(TextIOBase):
    """A standard output that was closed by whoever started this program."""

    def write(self, _text: str, /) -> int:
        """Raise OSError."""
        raise OSError(EBADF, "it is closed")


def prepare_output() -> None:
    """Write characters that standard output cannot encode with escapes."""
    if sys.stdout is None:
        os.open(os.devnull, os.O_WRONLY)  # so that no file gets its descriptor
        sys.stdout = cast(TextIO, _Closed())
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def discard_output() -> None:
    """Write no more to standard output, not even its buffer."""
    try:
        place = sys.stdout.fileno()
    except (AttributeError, OSError):  # no file of this process
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, place)
    os.close(nowhere)


@contextmanager
def own_output() -> Iterator[TextIO]:
    """Give the block standard output for itself; all other output goes to standard error.

    Strategies may print without Python, or at the very end of the process. So the descriptor of
    standard output stays redirected.
    """
    before = sys.stdout
    own = _redirect(before)
    sys.stdout = sys.stderr
    try:
        if own is before:
            yield own
        else:
            with closing(own):
                try:
                    yield own
                except Failure:
                    with suppress(OSError):  # it may be what failed that has closed it
                        own.close()
                    raise
    finally:
        sys.stdout = before


def _redirect(out: TextIO) -> TextIO:
    """Redirect the descriptor of standard output to standard error; return a new one for it.

    Return `out` if it is not standard output: code without Python does not know it.
    """
    try:
        if out.fileno() != OUT:
            return out
    except (AttributeError, OSError):
        return out
    out.flush()
    own = os.fdopen(os.dup(OUT), "w", encoding=out.encoding, errors="backslashreplace")
    try:
        os.dup2(ERRORS, OUT)
    except OSError:  # there is no standard error
        discard_output()
    return own


def make_console(file: IO[str] | None = None, width: int | None = None) -> Console:
    """Return a console for tables; its caller learns of a broken pipe."""
    from rich.console import Console  # not before: few commands print tables

    class Screen(Console):
        def on_broken_pipe(self) -> None:
            raise

    return Screen(file=file, highlight=False, width=width)
