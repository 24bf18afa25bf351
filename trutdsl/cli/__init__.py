"""The command line: one module a command; `main` turns mistakes into messages."""

import os

# What `signal` calls; that imports more, and Ctrl-C shows a traceback until its handler is set.
from _signal import SIGINT, default_int_handler, getsignal, signal  # type: ignore[import-not-found]

INTERRUPTED = 130  # the exit code after Ctrl-C


def main() -> None:
    """Run the command line and exit, see `app.main`; Ctrl-C ends it also while it is imported."""
    if getsignal(SIGINT) is default_int_handler:
        signal(SIGINT, stop_at_once)
    from trutdsl.cli import app

    app.main()


def stop_at_once(_signal: int, _frame: object) -> None:
    """End the process; an exception could be lost in the middle of an import."""
    try:
        os.write(2, b"stopped\n")
    finally:
        os._exit(INTERRUPTED)
