"""The command line: a module for a command, or for a few; `main` turns mistakes into messages."""

import gc
import os

# What `signal` calls; that imports more, and Ctrl-C shows a traceback until its handler is set.
from _signal import SIG_DFL, SIGHUP, SIGINT, SIGTERM, default_int_handler, getsignal, signal  # type: ignore[import-not-found]
from os import _exit  # a command replaces that of `os`

# New objects between two garbage collections. Nearly all objects of a command live until its end,
# and Python's default threshold would cost a seventh of its time.
SELDOM = 250_000
SIGNAL_EXIT = 128  # with the number of a signal the exit code after it
stop_is_told = False  # whether the user has read that a signal stopped this command


def main() -> None:
    """Run the command line and exit, see `app.main`.

    Ctrl-C, a request to terminate and a terminal that is closed end it also while it is imported.
    """
    usual_handlers = ((SIGINT, default_int_handler), (SIGTERM, SIG_DFL), (SIGHUP, SIG_DFL))
    for number, usual in usual_handlers:
        if getsignal(number) is usual:
            signal(number, stop_at_once)
    gc.set_threshold(SELDOM)
    # NumPy's threads cost more at the start than they gain, and all cores play matches anyway.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from trutdsl.cli import app

    app.main()


def stop_at_once(number: int, _frame: object) -> None:
    """End the process; an exception could be lost in the middle of an import."""
    if stop_is_told:  # it ends in any case, with the exit code of the first signal
        return
    try:
        os.write(2, b"stopped\n")
    finally:
        _exit(SIGNAL_EXIT + number)
