"""Output and exits of the process: standard output, notes, transcripts, signals, exit codes."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from _thread import start_new_thread
from codecs import register_error
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from errno import EBADF, ENOENT
from io import TextIOBase, TextIOWrapper
from pathlib import Path
from shutil import get_terminal_size
from typing import IO, TYPE_CHECKING, Any, NoReturn, TextIO

import typer

from trutdsl import cli
from trutdsl.cli import SIGNAL_EXIT, stop_at_once
from trutdsl.diagnostics import BadUsage, Failure, check_output, refuse_os_errors
from trutdsl.files import write_whole
from trutdsl.language import figure, mark, say

if TYPE_CHECKING:
    from rich.console import Console

OUT, ERRORS = 1, 2  # file descriptors
LONGEST_LINE = 1000
PLAIN = "trutdsl-plain"  # how characters are written that an output cannot encode
PLAIN_SIGNS = {
    "\u00a0": " ", "\u202f": " ", "\u2212": "-", "\u2013": "-", "\u2014": "-", "\u2026": "...",
    "\u2018": "'", "\u2019": "'", "\u00ab": '"', "\u00bb": '"', "\u201c": '"', "\u201d": '"',
}  # fmt: skip
TRANSCRIPT = b'{"event": "match"'  # how each transcript begins


class _Closed(TextIOBase, TextIO):
    """A standard output that was closed before this program started, or by a strategy."""

    def write(self, _text: str, /) -> int:
        raise OSError(EBADF, "it is closed")


def prepare_output() -> None:
    """Write characters that the outputs cannot encode plainly, or with escapes.

    Where standard error is closed, messages get lost, but the command runs.
    """
    if sys.stderr is None:
        if (sink := os.open(os.devnull, os.O_WRONLY)) != ERRORS:
            os.dup2(sink, ERRORS)
            os.close(sink)
        sys.stderr = os.fdopen(ERRORS, "w")
    if sys.stdout is None:
        os.open(os.devnull, os.O_WRONLY)  # no file must get its descriptor
        sys.stdout = _Closed()
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors=PLAIN)
    if isinstance(sys.stderr, TextIOWrapper):
        sys.stderr.reconfigure(errors=PLAIN)


def _write_plainly(problem: UnicodeError) -> tuple[str, int]:
    """Return typographic signs as ASCII, and others as escapes, so that names stay different."""
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    found = problem.object[problem.start : problem.end]
    parts = [
        PLAIN_SIGNS.get(sign) or sign.encode("ascii", "backslashreplace").decode() for sign in found
    ]
    return "".join(parts), problem.end


register_error(PLAIN, _write_plainly)


def discard_output() -> None:
    """Discard all further output, including the buffer."""
    try:
        place = sys.stdout.fileno()
    except (AttributeError, OSError):  # no file of this process
        return
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, place)
    os.close(sink)


def print_json(figures: Any, output: IO[str] | None = None) -> None:
    """Print figures as JSON, on standard output by default."""
    typer.echo(json.dumps(figures, indent=2, sort_keys=True), output)


def print_lines(lines: Iterable[str], output: IO[str]) -> None:
    """Print lines of text; on a terminal that is too narrow for them they break between words."""
    from trutdsl.report.terminal import fit_lines, fitting_lines

    with fitting_lines(output):
        for line in fit_lines(lines):
            typer.echo(line, output)


PAGE = "report.html"
PAGES = (".html", ".htm")
# Endings of files, which no new folder of results has.
OF_FILES = (
    *PAGES,
    ".csv",
    ".json",
    ".jsonl",
    ".md",
    ".parquet",
    ".pdf",
    ".policy",
    ".txt",
    ".xlsx",
)


def check_page(place: Path, what: str = mark("a page"), endings: tuple[str, ...] = PAGES) -> None:
    """Raise `BadUsage` if a page, or another text for readers, cannot be written there."""
    check_output("-o", place, what, endings)


def check_folder(flag: str, folder: Path) -> None:
    """Raise `BadUsage` for a new folder that is named like a file."""
    if folder.suffix.lower() not in OF_FILES or folder.exists():
        return
    better = folder.with_suffix("")
    text = (
        "{flag} {folder} is the name of a file, and results go to a folder; write {flag} {better}"
    )
    if folder.suffix.lower() in PAGES:
        text = (
            "{flag} {folder} is the name of a page, and results go to a folder; write {flag} "
            "{better}, then `trutdsl report {better} -o {folder}`"
        )
    raise BadUsage(say(text, flag=flag, folder=folder, better=better))


def write_page(place: Path, page: str) -> None:
    """Write a page and say how large it is."""
    store_page(place, page)
    tell_size(place, page)


def store_page(place: Path, page: str) -> None:
    """Write a page; raises `BadUsage` if it cannot be written."""
    with refuse_os_errors(place):
        write_whole(place, page)


def tell_size(place: Path, page: str) -> None:
    """Say how large a page is."""
    typer.echo(say("{place}: {number} bytes", place=place, number=figure(len(page.encode()), ",")))


@contextmanager
def own_output() -> Iterator[TextIO]:
    """Yield standard output for the block alone; all other output goes to standard error.

    Strategies may print without Python, or at the end of the process. So the descriptor of standard
    output stays redirected. If they have closed standard error, it is opened again for messages.
    """
    stdout = sys.stdout
    own, reopen = _redirect(stdout), _keep_errors()
    sys.stdout = sys.stderr
    try:
        if own is stdout:
            yield own
        else:
            with closing(own):
                try:
                    yield own
                except Failure:
                    with suppress(OSError):  # the failure may have closed it
                        own.close()
                    raise
    finally:
        reopen()
        sys.stdout = _Closed() if stdout.closed else stdout


def _keep_errors() -> Callable[[], None]:
    """Return a function that opens standard error again if it was closed since."""
    stderr, copy = sys.stderr, os.dup(ERRORS)

    def reopen() -> None:
        with suppress(OSError):  # the copy may be closed, too
            os.dup2(copy, ERRORS)
            os.close(copy)
        sys.stderr = stderr
        if stderr.closed:
            sys.stderr = os.fdopen(ERRORS, "w", encoding=stderr.encoding, errors=PLAIN)

    return reopen


def _redirect(out: TextIO) -> TextIO:
    """Redirect the descriptor of standard output to standard error; return a new one for it.

    Return `out` if it is not standard output, because only Python code can use it.
    """
    try:
        if out.fileno() != OUT:
            return out
    except (AttributeError, OSError):
        return out
    out.flush()
    own = os.fdopen(os.dup(OUT), "w", encoding=out.encoding, errors=PLAIN)
    os.dup2(ERRORS, OUT)
    return own


def make_console(file: IO[str] | None = None, width: int | None = None) -> Console:
    """Return a console for tables, which raises an error for a broken pipe.

    A text in brackets or colons is no markup: titles and names may have both.
    """
    from rich.console import Console  # few commands print tables

    class Screen(Console):
        def on_broken_pipe(self) -> None:
            raise

    screen = Screen(file=file, highlight=False, markup=False, emoji=False, width=width)
    if not screen.width:  # the environment says `COLUMNS=0`
        screen.width = get_terminal_size().columns
    return screen


# Notes to the user: text on standard error beside the results; `--quiet` leaves it out.

_quiet = False  # whether the command line says so


def settle_quiet(_context: Any, _param: Any, quiet: bool) -> bool:
    """Note whether the command is to be quiet; the callback of the option."""
    global _quiet
    _quiet = quiet
    return quiet


def is_quiet() -> bool:
    """Return whether progress and notes are left out."""
    return _quiet


def note(text: str) -> None:
    if not _quiet:
        typer.echo(text, err=True)


@contextmanager
def open_transcript(name: str, out: IO[str]) -> Iterator[IO[str]]:
    """Yield the file of this name for writing, or `out` for `-`."""
    if name == "-":
        yield out
        return
    with refuse_os_errors(name):
        file = Path(name).open("w", encoding="utf-8")  # noqa: SIM115 - closed below
    with refuse_os_errors(name), file:
        yield file
        if not os.fstat(file.fileno()).st_nlink:  # it was deleted meanwhile
            raise FileNotFoundError(ENOENT, os.strerror(ENOENT))


def check_transcript(name: str) -> None:
    """Raise `BadUsage` if a transcript cannot be written there; `-` is standard output."""
    place = Path(name)
    with refuse_os_errors(name):
        if name != "-" and not place.is_char_device():  # as /dev/null
            _refuse_content(place)
            check_output("--transcript", place, mark("a transcript"), (".jsonl",))


def _refuse_content(path: Path) -> None:
    """Raise `BadUsage` for a pipe, and for a file that is no transcript."""
    if path.is_fifo() or path.is_socket() or path.is_block_device():
        text = (
            "{path} cannot be written: found a device or pipe, expected a file; write "
            "- for standard output"
        )
        raise BadUsage(say(text, path=path))
    if not path.is_file() or not path.stat().st_size:
        return
    with path.open("rb") as file:
        first = file.readline(LONGEST_LINE)
    if not first.startswith(TRANSCRIPT):
        text = (
            "{path} exists and is not a transcript, so it is not overwritten; give "
            "--transcript the name of a new file, or delete this one first"
        )
        raise BadUsage(say(text, path=path))


LEAVE = os._exit  # `telling_exits` replaces it
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
SOON = 0.02  # seconds
_received: deque[int] = deque([signal.SIGINT], maxlen=1)  # the last signal that interrupted


def stopped_code() -> int:
    """Return the exit code of a command that was interrupted."""
    return SIGNAL_EXIT + _received[-1]


def tell_stopped(text: str) -> None:
    """Print that a signal stopped the command, once; further signals have no effect then."""
    if not cli.stop_is_told:
        cli.stop_is_told = True
        typer.echo(text, err=True)


@contextmanager
def telling_exits() -> Iterator[None]:
    """Make `os._exit` raise SystemExit in the block; forked processes end as usual."""
    process, leave = os.getpid(), os._exit

    def tell(status: int) -> NoReturn:
        if os.getpid() != process:
            leave(status)
        raise SystemExit(status)

    os._exit = tell
    try:
        yield
    finally:
        os._exit = leave


@contextmanager
def interruptible() -> Iterator[None]:
    """Make signals raise KeyboardInterrupt in the block instead of ending the process.

    An interrupted import may raise another error; it becomes KeyboardInterrupt, too. Before Python
    3.12 the creation of a class may, too. Python drops an exception in a finalizer or callback; the
    signal is then sent again.
    """
    asked, report = False, sys.unraisablehook

    def interrupt(number: int, _frame: object) -> None:
        nonlocal asked
        if cli.stop_is_told:
            return
        asked = True
        _received.append(number)
        raise KeyboardInterrupt

    def send_again(dropped: Any) -> None:
        if asked and issubclass(dropped.exc_type, KeyboardInterrupt):
            # A `Thread` needs a lock that the interrupted code may hold.
            start_new_thread(_send_soon, (_received[-1],))
        else:
            report(dropped)

    numbers = [number for number in STOPPING if signal.getsignal(number) is stop_at_once]
    for number in numbers:
        signal.signal(number, interrupt)
    if numbers:
        sys.unraisablehook = send_again
    try:
        yield
    except (ImportError, SystemError, RuntimeError) as problem:
        if asked and not isinstance(problem, typer.Exit):
            raise KeyboardInterrupt from None
        raise
    finally:
        for number in numbers:
            signal.signal(number, stop_at_once)
        sys.unraisablehook = report


def _send_soon(number: int) -> None:
    time.sleep(SOON)
    os.kill(os.getpid(), number)


@contextmanager
def leaving_at_once() -> Iterator[None]:
    """Make signals end the process in the block, which only prints what is already stored.

    They raise no exception there, because an interrupted import of an extension module reports
    another error.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def leave(number: int, _frame: object) -> None:
        LEAVE(SIGNAL_EXIT + number)

    heeded = [number for number in STOPPING if signal.getsignal(number) is not signal.SIG_IGN]
    handlers = [(number, signal.signal(number, leave)) for number in heeded]
    try:
        yield
    finally:
        for number, handler in handlers:
            signal.signal(number, handler)
