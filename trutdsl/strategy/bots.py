"""Bots: strategies in programs of their own, which read questions and write answers.

`docs/bots.md` defines the format. A bot that ends, is silent, or writes anything but one answer
to each question fails, like a strategy whose code raises.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import shlex
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any

from trutdsl.diagnostics import Source, Span, reject
from trutdsl.game import View
from trutdsl.game.legend import Legend, SightPart, card_texts
from trutdsl.game.view import UNSEEN, VIEW_FIELDS
from trutdsl.language import figure, mark, say
from trutdsl.strategy.spec import (
    BotError,
    ProcessFailed,
    ProcessMissing,
    ProcessSilent,
    StrategyCall,
    StrategySpec,
)
from trutdsl.table.match import HistoryEntry, SightValues, plain_entry
from trutdsl.table.sight import DEAL, DEALER, HIDDEN, LEADER, Hidden, count_cards, is_hidden
from trutdsl.variant import read_source

# The process of a bot shares a process group with a shell that waits for the end of a pipe. Our
# process has the other end. However ours ends, the shell then kills the group. The bot joins the
# group before it runs, and cannot join a dead one. So it cannot escape at any moment.

SILENCE = 10.0  # seconds without a sign after which a program has failed
SILENCE_OF_OTHERS = 1.0  # seconds, after a program has ended that started another one
LONGEST = 10_000  # bytes of a line from it
MOST_UNREAD = 100_000  # bytes from it while it reads nothing
SAID_NOTHING = mark("it said nothing for {seconds} seconds")
READS_NOTHING = mark("it reads no more questions for {seconds} seconds")
GUARD = ("/bin/sh", "-c", "read _; kill -9 0")


class BotProcess:
    """A running program; it writes to this process's standard error.

    over: whether it was ended. It ends with this object or with our process, and so do all
    processes of its group.
    """

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        """Start a command in a folder; raises OSError where it cannot be started."""
        # It does nothing in a copy of this process.
        from multiprocessing.util import Finalize

        nowhere, pipe = subprocess.DEVNULL, subprocess.PIPE
        guard = subprocess.Popen(GUARD, stdin=pipe, stdout=nowhere, stderr=nowhere, process_group=0)
        try:
            self._process = subprocess.Popen(
                command, cwd=folder, stdin=pipe, stdout=pipe, bufsize=0, process_group=guard.pid
            )
        except BaseException:
            _end(guard)
            raise
        self._end = Finalize(self, _end, (guard, self._process), exitpriority=0)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._input, False)
        self._unread, self._unwritten = b"", b""
        self.over = False

    def write(self, line: str) -> None:
        """Add a line to those that the next wait will write."""
        self._unwritten += line.encode() + b"\n"

    def read_line(self) -> str:
        """Return the next line from the program; raises `ProcessFailed` if none comes.

        While lines are buffered, nothing is written.
        """
        end = time.monotonic() + SILENCE
        while self._unread.find(b"\n", 0, LONGEST + 1) < 0:
            if len(self._unread) > LONGEST:
                most = figure(LONGEST, ",")
                self._fail(say("it wrote a line of more than {most} bytes", most=most))
            self._write_out()
            self._wait([self._output], [], end, SAID_NOTHING)
            self._take()
        line, _, self._unread = self._unread.partition(b"\n")
        return line.decode("utf-8", "replace")

    def _write_out(self) -> None:
        """Write all waiting lines, and meanwhile buffer the program's output."""
        end, most = time.monotonic() + SILENCE, len(self._unread) + MOST_UNREAD
        while self._unwritten:
            try:
                self._unwritten = self._unwritten[os.write(self._input, self._unwritten) :]
            except BlockingIOError:
                full = len(self._unread) > most
                reading = [] if full else [self._output]
                if self._wait(reading, [self._input], end, READS_NOTHING):
                    self._take()
            except BrokenPipeError:
                self._fail(self._describe_end())

    def _take(self) -> None:
        more = os.read(self._output, LONGEST)
        if not more:
            self._fail(self._describe_end())
        self._unread += more

    def _wait(self, reading: list[int], writing: list[int], end: float, text: str) -> bool:
        """Wait until reading or writing is possible; return whether reading is.

        text: what the program did, if neither is possible before the end. A process that the
        program has started can keep its pipes open after its own end.
        """
        while True:
            left = max(0.0, end - time.monotonic())
            readable, writable, _ = select.select(
                reading, writing, [], min(left, SILENCE_OF_OTHERS)
            )
            if readable or writable:
                return bool(readable)
            if self._process.poll() is not None:
                self._fail(self._describe_end())
            if left <= SILENCE_OF_OTHERS:
                self.end()
                raise ProcessSilent(say(text, seconds=figure(SILENCE, "g")))

    def _describe_end(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = self._process.wait(1)
            text = "it ended with exit code {code}" if code >= 0 else "it ended by signal {code}"
            return say(text, code=abs(code))
        return say("it closed its standard output")

    def end(self) -> None:
        """End the program with its process group."""
        self.over = True
        self._end()

    def _fail(self, what: str) -> None:
        self.end()
        raise ProcessFailed(what)


def _end(guard: subprocess.Popen[bytes], *others: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(guard.pid, signal.SIGKILL)
    for process in (guard, *others):
        process.kill()  # also one that has left the group
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()


# Views as lines of JSON, joined from cached texts. A bot reads these parts at the start of a match;
# the other parts change.
LASTING = ("seat", "team", "players", "teams", "parameters", "strengths", "values")
NOW = tuple(name for name in VIEW_FIELDS if name not in LASTING)
MOST_KEPT = 4096  # cached texts of a kind

Numbers = tuple[int | Hidden, ...]


class Questions:
    """Writes the questions to one seat of a game, as `json.dumps` would."""

    def __init__(self, legend: Legend) -> None:
        zones = legend.zones
        self._zones = [(f'"{part.name}": [', slice(part.first, part.end)) for part in zones]
        self._values = {
            "variables": _readers(legend.variables),
            "counters": _readers(legend.counters),
        }

        @lru_cache(maxsize=MOST_KEPT)
        def cards(seen: int | bytes) -> str:
            return json.dumps(UNSEEN if is_hidden(seen) else card_texts(seen, legend.pack))

        self._cards = cards

    def line(self, view: View, number: int, luck: int) -> str:
        """Return the question of this number in its match."""
        seen = view._values
        fields = {
            "decision": f'"{view.decision}"',
            "actions": _actions(view.texts),
            "deal": str(seen[DEAL]),
            "dealer": str(seen[DEALER]),
            "leader": str(seen[LEADER]),
            "zones": self._lists(self._cards, seen),
            "sizes": self._lists(_size, seen),
            "history": f"[{', '.join(map(_encode_entry, view.history))}]",
        }
        for name, readers in self._values.items():
            texts = [read(seen[part]) for part, read in readers]
            fields[name] = "{" + ", ".join(texts) + "}"
        parts = ", ".join([f'"{name}": {fields[name]}' for name in NOW])
        return f'{{"id": {number}, "luck": {luck}, "view": {{{parts}}}}}'

    def _lists(self, write: Callable[[int | bytes], str], seen: SightValues) -> str:
        """Return an object with a list for each zone."""
        lists = [zone + ", ".join(map(write, seen[part])) for zone, part in self._zones]
        return "{" + "], ".join(lists) + "]}" if lists else "{}"


questions_of = lru_cache(maxsize=64)(Questions)


@lru_cache(maxsize=MOST_KEPT)
def _size(cards: int | bytes) -> str:
    return str(count_cards(cards))


def _readers(parts: Sequence[SightPart]) -> list[tuple[slice, Callable[[Numbers], str]]]:
    """Return the slot of each variable, and a function that writes its values."""
    return [
        (slice(part.first, part.end), lru_cache(maxsize=MOST_KEPT)(_reader(part))) for part in parts
    ]


def _reader(part: SightPart) -> Callable[[Numbers], str]:
    def read(numbers: Numbers) -> str:
        plain: list[Any] = [
            UNSEEN if number is HIDDEN else part.reading.plain(number) for number in numbers
        ]
        return f"{json.dumps(part.name)}: {json.dumps(plain)}"

    return read


@lru_cache(maxsize=MOST_KEPT)
def _actions(texts: tuple[str, ...]) -> str:
    return json.dumps(texts)


@lru_cache(maxsize=MOST_KEPT, typed=True)
def _encode_entry(entry: HistoryEntry) -> str:
    return json.dumps(plain_entry(entry))


MOST_TABLES = 256
TABLES = re.compile(r"tables:\s*(.*?)\s*$")
COMMAND_HELP = mark("write the command that starts it, as in `python3 my_bot.py`")


@dataclass(frozen=True, repr=False)
class BotSpec(StrategySpec):
    """A bot before a match; text is its command, which runs in its file's folder.

    fingerprint: SHA-256 of the command and of every file that it names, in hexadecimal.
    tables:      how many matches it can play at once; 0 if its file does not say.
    program:     SHA-256 of the first of these files whose path is relative. The bot may write to
                 later ones, such as a log.
    """

    tables: int = 0
    program: bytes = b""

    @property
    def files(self) -> tuple[str, ...]:
        """The names of its file, and of those that its command names."""
        return self.path, *(word for word, _ in _digests(self.text, self.path))

    def native_on(self, _seat: int) -> str | None:
        return None

    def answers_in_arrays(self, _seat: int) -> bool:
        return False

    def make(self, place: str = "", seat: int = -1, table: int = 0) -> Bot:
        """Return the bot on a seat, ready for a new match at a table; raises `StrategyError`.

        One process plays all matches on one seat, until it fails; no process sees two seats. Raises
        `Rejected` if its program has changed before a process starts.
        """
        if _running(self, seat) is None and _program(self.text, self.path) != self.program:
            text = "this program has changed since the run began; restore it, or begin a new run"
            raise reject("changed-bot", say(text), Source(self.path, self.text).point(1, 1))
        describe_fault = partial(say, "cannot start{place}", place=place)
        with StrategyCall(self.name, self.path, describe_fault, seat):
            return Bot(_process_of(self, seat), table if self.tables else None)


class Bot:
    """A bot in one match; table: the number of its table, None if it does not know tables."""

    def __init__(self, process: BotProcess, table: int | None) -> None:
        self.process, self.count = process, 0
        self._end = "}" if table is None else f', "table": {table}}}'
        self._questions: Questions | None = None

    def choose(self, view: View) -> str:
        self.ask(view)
        return self.answer()

    def ask(self, view: View) -> None:
        """Send the question; the bot answers all questions in their order."""
        if self._questions is None:
            self._questions = questions_of(view._legend)
            self.process.write(json.dumps({"match": view.to_dict(LASTING)})[:-1] + self._end)
        luck = view.random.below(2**32)
        self.process.write(self._questions.line(view, self.count, luck)[:-1] + self._end)

    def answer(self) -> str:
        """Return the bot's answer to its oldest open question."""
        try:
            answer = _read_answer(self.process.read_line(), self.count)
        except BaseException:  # a watcher may raise `OutOfTime`
            self.process.end()
            raise
        self.count += 1
        return answer


def _read_answer(line: str, number: int) -> str:
    """Return the action of an answer; raises `BotError` for anything else."""
    try:
        answer: Any = json.loads(line)
    except (ValueError, RecursionError):
        raise BotError(say("it wrote no JSON: {line}", line=repr(line))) from None
    if not isinstance(answer, dict) or not isinstance(answer.get("action"), str):
        raise BotError(say("it wrote no object with an action: {line}", line=repr(line)))
    if type(answer.get("id")) is not int or answer["id"] != number:
        text = "it was asked question {number}, and answered {found}"
        raise BotError(say(text, number=number, found=repr(answer.get("id"))))
    return str(answer["action"])


# By our process, the bot, and its seat. Equal programs in two folders may load different files.
_processes: dict[tuple[int, BotSpec, int], BotProcess] = {}


def _running(spec: BotSpec, seat: int) -> BotProcess | None:
    """Return the process of a bot on this seat, None if there is none."""
    result = _processes.get((os.getpid(), spec, seat))
    return None if result is None or result.over else result


def _process_of(spec: BotSpec, seat: int) -> BotProcess:
    """Return the process of a bot on this seat, started if there is none."""
    result = _running(spec, seat)
    if result is None:
        folder = Path(spec.path).resolve().parent
        try:
            result = BotProcess(shlex.split(spec.text), folder)
        except OSError as problem:
            text = "its command cannot be run: {file}: {strerror}"
            reason = say(problem.strerror or "")
            raise ProcessMissing(say(text, file=problem.filename, strerror=reason)) from None
        _processes[os.getpid(), spec, seat] = result
    return result


def end_process(spec: BotSpec, seat: int) -> None:
    """End the process of a bot on this seat, including its open questions."""
    if (process := _processes.pop((os.getpid(), spec, seat), None)) is not None:
        process.end()


def end_bots() -> None:
    """End all bots of this process, if Python's own clean-up will not run."""
    for (process, _, _), bot in _processes.items():
        if process == os.getpid():
            bot.end()


def load_bot(ref: str) -> BotSpec:
    """Return the bot of a file; raises `Rejected` for a faulty one.

    The file contains one command, and possibly `tables: N` before it. Lines that begin with `#` are
    comments; the first one is its summary.
    """
    path = Path(ref)
    source = read_source(path, ref)
    lines = source.text.split("\n")
    comments = [line.lstrip("# ") for line in lines if line.startswith("#")]
    commands = [
        number for number, line in enumerate(lines, 1) if line.strip() and not line.startswith("#")
    ]
    tables = 0
    if commands and (hit := TABLES.match(lines[commands[0] - 1])):
        tables = int(hit[1]) if re.fullmatch("[0-9]{1,9}", hit[1]) else 0
        if not 0 < tables <= MOST_TABLES:
            text = "a bot plays at 1 to {most} tables at once, not at {tables}"
            message = say(text, most=MOST_TABLES, tables=hit[1] or say("nothing"))
            raise _reject(source, commands[0], message, "write `tables: 32`")
        del commands[0]
    if len(commands) != 1:
        text = "a bot's file holds one command, not {count}"
        line = commands[1] if commands else 1
        raise _reject(source, line, say(text, count=len(commands)), say(COMMAND_HELP))
    command = lines[commands[0] - 1].strip()
    try:
        digests = [digest for _, digest in _digests(command, ref)]
    except ValueError:
        text = "the command has a quotation mark that is not closed, or ends with a backslash"
        raise _reject(source, commands[0], say(text), say(COMMAND_HELP)) from None
    summary = comments[0] if comments else ""
    fingerprint = sha256(sha256(command.encode()).digest() + b"".join(digests)).hexdigest()
    program = _program(command, ref)
    return BotSpec(path.stem, "", summary, ref, fingerprint, command, (), tables, program)


def _reject(source: Source, line: int, message: str, help: str | None = None) -> Exception:
    return reject("no-bot", message, Span(source, line, 1, line, 2), help=help)


def _program(command: str, ref: str) -> bytes:
    named = (digest for word, digest in _digests(command, ref) if not Path(word).is_absolute())
    return next(named, b"")


def _digests(command: str, ref: str) -> Iterator[tuple[str, bytes]]:
    """Yield each file that the command of a bot names, with its SHA-256.

    Raises `ValueError` for a command that cannot be split.
    """
    for word in shlex.split(command):
        try:
            path = Path(ref).parent / word
            if path.is_file():
                with path.open("rb") as file:
                    digest = file_digest(file, "sha256").digest()
                yield word, digest
        except OSError:
            continue  # not the name of a readable file
