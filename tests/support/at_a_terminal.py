"""Run the program at a terminal, a pseudo-terminal of a given width."""

import fcntl
import os
import pty
import struct
import termios
from contextlib import contextmanager, suppress
from threading import Thread

from forked import trutdsl


@contextmanager
def terminal(columns):
    """Yield both ends of a terminal with so many columns: ours, and the program's."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    try:
        yield ours, its
    finally:
        os.close(ours)
        with suppress(OSError):
            os.close(its)


def shown(columns, *args, folder):
    """Return what a call prints at a terminal with so many columns; nobody answers."""
    parts = []

    def read(ours):
        with suppress(OSError):  # the program's end is closed
            while part := os.read(ours, 1 << 16):
                parts.append(part)

    with terminal(columns) as (ours, its):
        reader = Thread(target=read, args=(ours,))
        reader.start()
        try:
            trutdsl(folder, *args, stdout=os.ttyname(its), environment={"NO_COLOR": "1"})
        finally:
            os.close(its)
            reader.join()
    return b"".join(parts).decode().replace("\r\n", "\n")
