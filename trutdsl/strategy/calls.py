"""Calls of a strategy's own code, of which anything may come; nobody else calls it."""

from __future__ import annotations

import os
from types import TracebackType

LONGEST = 200  # characters of what an exception says
MOST_CALLS = 20


class StrategyError(Exception):
    """A strategy that failed: which one, where, and how; its notes say what called what."""


class Calling:
    """While entered, code of a strategy runs: whatever it raises becomes a `StrategyError`.

    name, path: the strategy and its file. failed: what to say then, e.g. `cannot start`.
    A wish to stop, KeyboardInterrupt, passes. A process that the code has forked, and that comes
    out here as well, ends: there is one run, and the parent goes on with it.
    """

    __slots__ = ("failed", "name", "path", "process")

    def __init__(self, name: str, path: str, failed: str) -> None:
        self.name, self.path, self.failed = name, path, failed

    def __enter__(self) -> None:
        self.process = os.getpid()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if os.getpid() != self.process:
            os._exit(0)
        # Asked of the kind: what an exception says of itself is code of the strategy, too.
        if error is None or kind is None or issubclass(kind, KeyboardInterrupt):
            return
        calls = _calls(trace)
        lines = [line for file, line, _ in calls if file == self.path]
        where = f"{self.path}:{lines[-1]}" if lines else self.path
        failed = StrategyError(f"strategy '{self.name}' ({where}) {self.failed}: {_said(error)}")
        for file, line, function in calls[-MOST_CALLS:]:
            failed.add_note(_short(f"{file}:{line} in {function}"))
        raise failed from None


def _calls(trace: TracebackType | None) -> list[tuple[str, int, str]]:
    """Return the file, line and function of each call, the outermost first; no file is read."""
    found = []
    while trace is not None:
        code = trace.tb_frame.f_code
        found.append((_plain(code.co_filename), trace.tb_lineno, _plain(code.co_name)))
        trace = trace.tb_next
    return found


def _said(error: BaseException) -> str:
    """Return an exception's kind and what it says, in a short line, whatever its class does."""
    kind = type.__dict__["__name__"].__get__(type(error))
    try:
        text = _plain(str(error), LONGEST + 1)
    except KeyboardInterrupt:
        raise
    except BaseException:  # its text is code of the strategy, too
        text = "(it cannot say what is wrong)"
    return _short(f"{kind}: {text}" if text else kind)


def _plain(text: str, most: int | None = None) -> str:
    """Return the beginning of a text as a plain one, even if its class says otherwise."""
    return str.__getitem__(text, slice(0, most))


def _short(text: str) -> str:
    """Return the first line of a text, cut and with escapes for what cannot be printed."""
    line = (text.splitlines() or [""])[0]
    cut = line if len(line) <= LONGEST else line[: LONGEST - 3] + "..."
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in cut)
