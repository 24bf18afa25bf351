"""Standard output: what becomes of it when it cannot be written, and when strategies print, too."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from errno import EBADF
from io import TextIOBase, TextIOWrapper
from typing import TextIO, cast

from trutdsl.diagnostics import Failure

OUT, ERRORS = 1, 2  # the descriptors that every process is given


class _Closed(TextIOBase):
    """A standard output that was closed by whoever started this program."""

    def write(self, _text: str, /) -> int:
        """Raise OSError."""
        raise OSError(EBADF, "it is closed")


def prepare_output() -> None:
    """Have a text that standard output has no signs for be written with escapes."""
    if sys.stdout is None:
        os.open(os.devnull, os.O_WRONLY)  # so that no file gets its descriptor
        sys.stdout = cast(TextIO, _Closed())
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def give_up_output() -> None:
    """Write no more to standard output, not even what still waits to be written."""
    try:
        place = sys.stdout.fileno()
    except (AttributeError, OSError):  # no file of this process
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, place)
    os.close(nowhere)


@contextmanager
def own_output() -> Iterator[TextIO]:
    """Give the block standard output for itself: what else is printed goes to standard error.

    Strategies print, and may do so without Python or as late as at the end of the process, so that
    the descriptor of standard output stays turned away.
    """
    before = sys.stdout
    own = _turned_away(before)
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


def _turned_away(out: TextIO) -> TextIO:
    """Return another way to standard output, whose descriptor leads to standard error from now on.

    Where `out` is something else, for which code without Python has no name, it is returned.
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
        give_up_output()
    return own
