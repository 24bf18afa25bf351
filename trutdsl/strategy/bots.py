"""Bots: strategies that are programs of their own, asked over standard input and output.

`docs/bots.md` says what is written and read. A bot that ends, is silent, or writes anything but one
answer to each question fails as a strategy whose code raises.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any

from trutdsl.diagnostics import reject
from trutdsl.game import View
from trutdsl.source import Source, Span
from trutdsl.strategy.bot_process import BotProcess
from trutdsl.strategy.calls import Calling
from trutdsl.strategy.spec import StrategySpec
from trutdsl.strategy.view_lines import Questions, lasting_line, questions_for
from trutdsl.variant import read_source

MOST_TABLES = 256
TABLES = re.compile(r"tables: *([0-9]{1,9})\s*$")
TABLES_HELP = f"a bot plays at 1 to {MOST_TABLES} tables at once"
COMMAND_HELP = "write the command that starts it, as in `python3 my_bot.py`"


class BotError(Exception):
    """A bot that did not answer as it should: what it did instead."""


@dataclass(frozen=True)
class BotSpec(StrategySpec):
    """A bot as it is known before a match; text is its command, run in its file's folder.

    fingerprint: SHA-256 of the command and of every file that it names, in hexadecimal.
    tables:      how many matches it can play at once; 0 if it has not said that it can.
    """

    tables: int = 0

    def native_on(self, _seat: int) -> str | None:
        """No policy of the native engine plays as a bot does."""
        return None

    def answers_in_arrays(self, _seat: int) -> bool:
        """Tell that a bot is asked in one match after the other."""
        return False

    def make(self, place: str = "", seat: int = -1, table: int = 0) -> Bot:
        """Return the bot on a seat, ready for a new match at a table; raises `StrategyError`.

        One process plays all matches on one seat, until it fails; no process sees two seats.
        """
        with Calling(self.name, self.path, lambda: f"cannot start{place}", seat):
            return Bot(_process_of(self, seat), table if self.tables else None)


class Bot:
    """A bot in one match; table: which of its tables that is, None if it knows of none."""

    def __init__(self, process: BotProcess, table: int | None) -> None:
        self.process, self.asked = process, 0
        self._end = "}" if table is None else f', "table": {table}}}'
        self._questions: Questions | None = None

    def choose(self, view: View) -> str:
        """Return what the bot answers, whatever action that may be."""
        self.ask(view)
        return self.answer()

    def ask(self, view: View) -> None:
        """Ask the bot, which answers all that it is asked in this order."""
        if self._questions is None:
            self._questions = questions_for(view)
            self.process.write(lasting_line(view)[:-1] + self._end)
        luck = view.random.below(2**32)
        self.process.write(self._questions.line(view, self.asked, luck)[:-1] + self._end)

    def answer(self) -> str:
        """Return what the bot answers to what it was asked last."""
        try:
            answer = _read_answer(self.process.read_line(), self.asked)
        except BaseException:  # whoever watches it may have had enough of waiting, too
            self.process.end()
            raise
        self.asked += 1
        return answer


def _read_answer(line: str, number: int) -> str:
    """Return the action of an answer; raises `BotError` for what is none."""
    try:
        answer: Any = json.loads(line)
    except (ValueError, RecursionError):
        raise BotError(f"it wrote no JSON: {line!r}") from None
    if not isinstance(answer, dict) or not isinstance(answer.get("action"), str):
        raise BotError(f"it wrote no object with an action: {line!r}")
    if type(answer.get("id")) is not int or answer["id"] != number:
        raise BotError(f"it was asked question {number}, and answered {answer.get('id')!r}")
    return str(answer["action"])


_processes: dict[tuple[int, str, int], BotProcess] = {}  # by our process, fingerprint, seat


def _process_of(spec: BotSpec, seat: int) -> BotProcess:
    """Return the process that plays as a bot on this seat, started if there is none."""
    key = (os.getpid(), spec.fingerprint, seat)
    found = _processes.get(key)
    if found is None or found.over:
        folder = Path(spec.path).resolve().parent
        _processes[key] = found = BotProcess(shlex.split(spec.text), folder)
    return found


def end_process(spec: BotSpec, seat: int) -> None:
    """End the process that plays as a bot on this seat, with all that it was asked."""
    if (found := _processes.pop((os.getpid(), spec.fingerprint, seat), None)) is not None:
        found.end()


def end_bots() -> None:
    """End all bots that this process has started; for who ends without Python's own clearing up."""
    for (process, _, _), found in _processes.items():
        if process == os.getpid():
            found.end()


def load_bot(ref: str) -> BotSpec:
    """Return the bot of a file; raises `Rejected` for a faulty one.

    The file holds one command, and before it perhaps `tables: N`; lines that begin with `#` are
    comments, the first is its summary.
    """
    path = Path(ref)
    source = read_source(path, ref)
    lines = source.text.split("\n")
    comments = [line.lstrip("# ") for line in lines if line.startswith("#")]
    commands = [
        number for number, line in enumerate(lines, 1) if line.strip() and not line.startswith("#")
    ]
    tables = 0
    if commands and (found := TABLES.match(lines[commands[0] - 1])):
        tables = int(found[1])
        if not 0 < tables <= MOST_TABLES:
            raise _rejected(source, commands[0], f"for {tables} tables", TABLES_HELP)
        del commands[0]
    if len(commands) != 1:
        raise _rejected(source, commands[1] if commands else 1, f"but here are {len(commands)}")
    command = lines[commands[0] - 1].strip()
    try:
        words = shlex.split(command)
    except ValueError as e:
        raise _rejected(source, commands[0], f"but {str(e).lower()}") from None
    fingerprint = _fingerprint(command, words, path.parent)
    summary = comments[0] if comments else ""
    return BotSpec(path.stem, "", summary, ref, fingerprint, command, (), tables)


def _rejected(source: Source, line: int, found: str, help: str = COMMAND_HELP) -> Exception:
    said = f"a bot's file holds one command, {found}"
    return reject("no-bot", said, Span(source, line, 1, line, 2), help=help)


def _fingerprint(command: str, words: Sequence[str], folder: Path) -> str:
    digests = [sha256(command.encode()).digest()]
    for word in words:
        try:
            path = folder / word
            if path.is_file():
                with path.open("rb") as file:
                    digests.append(file_digest(file, "sha256").digest())
        except OSError:
            continue  # no file's name, or of one that cannot be read
    return sha256(b"".join(digests)).hexdigest()
