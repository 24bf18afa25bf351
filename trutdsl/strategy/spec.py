"""Strategies in Python: their class, their data before a match, and calls of their code."""

from __future__ import annotations

import mmap
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache, partial
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

from trutdsl.diagnostics import FOREIGN_CODE, Failure, Source, reject
from trutdsl.game import Action, View
from trutdsl.language import say, with_title
from trutdsl.variant import read_source

Value = bool | int | float | str  # of a setting


class Strategy(Protocol):
    """Plays one seat in one match; each match gets a new instance, so it may remember.

    A class may name in `native` a policy of the native engine with exactly the same play; there is
    one, "uniform". It can have `choose_batch(self, seen, names)`, which answers in many matches at
    once, see `docs/python.md`.
    """

    def choose(self, view: View) -> Action | str:
        """Return one of `view.actions`, or its text, such as `"fold"`.

        Take random numbers only from `view.random`, so that a match can be repeated.
        """


# Process identity, without a system call each time: the number lies in a page of memory that Linux
# clears in every copy of a process (madvise(2), MADV_WIPEONFORK, since Linux 4.14).

WIPE_ON_FORK = 18  # <linux/mman.h>; Python has no name for it


class ProcessIdSlot(Protocol):
    """Holds the number of a process at index 0; in a copy of the process it differs."""

    def __getitem__(self, index: int, /) -> int: ...
    def __setitem__(self, index: int, value: int, /) -> None: ...


class ProcessIdCall:
    """Makes a system call each time, if there is no such page: 0.2 µs, not 0.03."""

    def __getitem__(self, _: int) -> int:
        return os.getpid()

    def __setitem__(self, _: int, value: int) -> None:
        pass


def make_place() -> ProcessIdSlot:
    """Return a place for the number: a page of its own, if the system has such pages."""
    if sys.platform != "linux":
        return ProcessIdCall()
    page = mmap.mmap(-1, mmap.PAGESIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    try:
        page.madvise(WIPE_ON_FORK)
    except OSError:
        page.close()
        return ProcessIdCall()
    return memoryview(page).cast("q")


NUMBER = make_place()


def number_process() -> int:
    """Return the number of this process, and store it in `NUMBER[0]`."""
    NUMBER[0] = number = os.getpid()
    return number


LONGEST = 200  # characters of what an exception says
MOST_CALLS = 20


class StrategyError(Failure):
    """A strategy failed: its name, place and fault; the notes are its calls.

    seat: its seat. kind: the kind of fault, in fixed words.
    """

    def __init__(self, message: str, seat: int, kind: str) -> None:
        super().__init__(message)
        self.seat, self.kind = seat, kind


class ProcessFailed(Exception):  # noqa: N818 - an outcome of the program's own making
    """A program ended, is silent, or writes too much; it is over now."""


class ProcessSilent(ProcessFailed):
    """A program gave no sign for too long."""


class ProcessMissing(ProcessFailed):
    """A program cannot be run."""


class BotError(Exception):
    """A bot did something other than answer."""


# Kinds of faults, as `OutOfTime.kind` is.
PROCESS_END = "ended its process"
DAMAGE = "damaged its interpreter"


class OutOfTime(BaseException):
    """The watcher of a strategy raises this in its code if it takes too long on a seat."""

    kind = "took too long"

    def __init__(self, message: str, seat: int) -> None:
        super().__init__(message)
        self.seat = seat


class CallWatcher(Protocol):
    """Follows every call of a strategy's code; it may raise `OutOfTime` during one."""

    def enter(self, seat: int, together: bool) -> None:
        """Begin a call of the strategy on this seat; together: for several matches at once."""

    def leave(self) -> None:
        """End the call."""

    @property
    def interrupted(self) -> bool:
        """Whether the run is to stop."""


_watcher: CallWatcher | None = None  # of this process


def watch_calls(watcher: CallWatcher | None) -> CallWatcher | None:
    """Let `watcher` follow every call in this process from now on; return the one before."""
    global _watcher  # calls belong to a process, as processor time does
    before, _watcher = _watcher, watcher
    return before


_together = False  # whether the current call may be for any of several matches


@contextmanager
def several_matches(many: int) -> Iterator[None]:
    """Mark the calls in this block as calls for so many matches."""
    global _together  # as above
    _together = many > 1
    try:
        yield
    finally:
        _together = False


class StrategyCall:
    """While entered, code of a strategy runs: whatever it raises becomes a `StrategyError`.

    name, path: the strategy and its file. describe_fault: returns the fault's text, e.g. `cannot
                start`.
    seat:       its seat.
    KeyboardInterrupt passes, unless the code raised it itself. A process that the code has forked
    ends when it comes here; the parent goes on with the run. A recursion limit that it has lowered
    is raised again.
    """

    __slots__ = ("depth", "describe_fault", "name", "path", "process", "seat")

    def __init__(self, name: str, path: str, describe_fault: Callable[[], str], seat: int) -> None:
        self.name, self.path, self.describe_fault, self.seat = name, path, describe_fault, seat
        self.process, self.depth = number_process(), sys.getrecursionlimit()

    def __enter__(self) -> None:
        if _watcher is not None:
            _watcher.enter(self.seat, _together)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if NUMBER[0] != self.process:
            os._exit(0)
        if sys.getrecursionlimit() < self.depth:
            sys.setrecursionlimit(self.depth)
        if error is None and _watcher is None:
            return
        try:
            if error is not None:
                self.explain(error, kind, trace)
        finally:  # methods of the exception are code of the strategy, too
            if _watcher is not None:
                _watcher.leave()

    def explain(
        self, error: BaseException, kind: type[BaseException] | None, trace: TracebackType | None
    ) -> None:
        """Raise a `StrategyError` for what the strategy's code raised."""
        # Look at `kind` only: methods of the exception are code of the strategy, too.
        if kind is None:
            return
        interrupted = (
            not _is_own_interrupt(kind, trace) if _watcher is None else _watcher.interrupted
        )
        if issubclass(kind, KeyboardInterrupt) and interrupted:
            return
        calls = calls_of(trace)
        lines = [line for file, line, _ in calls if file == self.path]
        where = f"{self.path}:{lines[-1]}" if lines else self.path
        failure = StrategyError(
            say(
                "strategy '{spec}' ({path}) {what}",
                spec=self.name,
                path=where,
                what=with_title(self.describe_fault(), _describe_exception(error)),
            ),
            self.seat,
            # The move clock may notice a silent bot first; the kind is the same.
            OutOfTime.kind
            if issubclass(kind, OutOfTime | ProcessSilent)
            else f"raised {name_of_kind(error)}",
        )
        for file, line, function in calls[-MOST_CALLS:]:
            failure.add_note(shorten(f"{file}:{line} in {function}"))
        raise failure from None


def _is_own_interrupt(kind: type[BaseException], trace: TracebackType | None) -> bool:
    """Return whether code raised `KeyboardInterrupt` itself, if signals have a Python handler.

    The last call of an exception of a signal is its handler.
    """
    code = getattr(signal.getsignal(signal.SIGINT), "__code__", None)
    if kind is not KeyboardInterrupt or code is None or trace is None:
        return False
    while trace.tb_next is not None:
        trace = trace.tb_next
    return trace.tb_frame.f_code is not code


def calls_of(trace: TracebackType | None) -> list[tuple[str, int, str]]:
    """Return the file, line and function of each call, the outermost first."""
    result = []
    while trace is not None:
        code = trace.tb_frame.f_code
        result.append((_plain(code.co_filename), trace.tb_lineno, _plain(code.co_name)))
        trace = trace.tb_next
    return result


def _describe_exception(error: BaseException) -> str:
    """Return an exception's kind and text in a short line, for any class."""
    kind = name_of_kind(error)
    own = type(error) in (
        ProcessFailed,
        ProcessMissing,
        ProcessSilent,
        BotError,
    )  # their texts say it all
    try:
        text = _plain(str(error), LONGEST + 1)
    except KeyboardInterrupt:
        raise
    except BaseException:  # its text is code of the strategy, too
        text = "(the error has no text)"
    return shorten(text if own else f"{kind}: {text}" if text else kind)


def name_of_kind(thing: object) -> str:
    """Return the name of a thing's class, even if the class overrides it."""
    return shorten(_plain(type.__dict__["__name__"].__get__(type(thing))))


def _plain(text: str, most: int | None = None) -> str:
    """Return the beginning of a text as a plain `str`."""
    return str.__getitem__(text, slice(0, most))


NO_BREAK = "\u00a0\u202f"  # spaces of French sentences


def shorten(text: str) -> str:
    """Return the first line of a text, cut, with escapes for unprintable characters."""
    line = (text.splitlines() or [""])[0]
    line = line if len(line) <= LONGEST else line[: LONGEST - 3] + "..."
    return "".join(
        c if c.isprintable() or c in NO_BREAK else c.encode("unicode_escape").decode() for c in line
    )


def _note_code(spec: StrategySpec) -> None:
    """Note that code of a strategy runs in this process."""
    text = "strategy '{spec}' ({path})"
    FOREIGN_CODE.setdefault(spec.path, say(text, spec=spec.name, path=spec.path))


@dataclass(frozen=True)
class StrategySpec:
    """A strategy before a match, with its file's text, so that workers need no file.

    name:        the file's name without `.py`, and the settings.
    class_name:  the one class in it that has `choose`; summary is its first docstring line.
    fingerprint: SHA-256 of the text and the settings, in hexadecimal.
    settings:    arguments of the class.
    """

    name: str
    class_name: str
    summary: str
    path: str
    fingerprint: str
    text: str = field(repr=False)
    settings: tuple[tuple[str, Value], ...]

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.name}>"

    @property
    def files(self) -> tuple[str, ...]:
        """The names of the files that decide the fingerprint, its own first."""
        return (self.path,)

    def native_on(self, seat: int) -> str | None:
        """Return the policy of the native engine that the class names, if any; raises as `make`."""
        with StrategyCall(self.name, self.path, lambda: say("cannot start"), seat):
            native_name = getattr(self._class(), "native", None)
        return native_name if type(native_name) is str else None

    def answers_in_arrays(self, seat: int) -> bool:
        """Tell whether it can answer in many matches at once; raises as `make`."""
        with StrategyCall(self.name, self.path, lambda: say("cannot start"), seat):
            return callable(getattr(self._class(), "choose_batch", None))

    def make(self, place: str = "", seat: int = -1) -> Strategy:
        """Return a fresh instance; raises `StrategyError` with the text of `place`.

        seat: where it will play, -1 for nowhere.
        """
        _ = self.native_on(seat)  # it fails on every engine, or on none
        describe_fault = partial(say, "cannot start{place}", place=place)
        with StrategyCall(self.name, self.path, describe_fault, seat):
            strategy: Strategy = self._class()(**dict(self.settings))
        return strategy

    def _class(self) -> Any:
        _note_code(self)
        result = _classes(self.text, self.path)
        if self.class_name not in result:
            raise NameError(f"the class {self.class_name} is gone once the file has run")
        return result[self.class_name]


@dataclass(frozen=True, repr=False)
class InstalledSpec(StrategySpec):
    """A strategy of an installed package, imported from its module; text is that of its file."""

    module: str

    def native_on(self, seat: int) -> str | None:
        self._refuse_another_text()
        return super().native_on(seat)

    def answers_in_arrays(self, seat: int) -> bool:
        self._refuse_another_text()
        return super().answers_in_arrays(seat)

    def _refuse_another_text(self) -> None:
        """Raise `Rejected` if the file has changed and its module is not yet imported."""
        if self.module in sys.modules or read_source(Path(self.path), self.path).text == self.text:
            return
        text = "this package has changed since the run began; restore it, or begin a new run"
        raise reject("changed-package", say(text), Source(self.path, self.text).point(1, 1))

    def _class(self) -> Any:
        _note_code(self)
        return getattr(import_module(self.module), self.class_name)


@lru_cache(maxsize=64)
def _classes(text: str, path: str) -> dict[str, Any]:
    space: dict[str, Any] = {"__name__": f"strategy:{path}"}
    exec(compile(text, path, "exec"), space)  # a strategy is code, run on purpose
    return space


@dataclass(frozen=True, repr=False)
class PersonSpec(StrategySpec):
    """A strategy that exists as an object, such as a person; it plays one match at a time.

    player: answers; a KeyboardInterrupt of its own ends the match.
    """

    player: Strategy

    def native_on(self, _seat: int) -> None:
        pass

    def answers_in_arrays(self, _seat: int) -> bool:
        return False

    def make(self, _place: str = "", _seat: int = -1) -> Strategy:
        return self.player


def person(name: str, player: Strategy) -> PersonSpec:
    """Return the strategy that seats a player at a table."""
    return PersonSpec(name, type(player).__name__, "", "standard input", "", "", (), player)
