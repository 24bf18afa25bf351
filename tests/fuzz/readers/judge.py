"""Checks the promises of a reader for one input."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass

from trutdsl.diagnostics import Diagnostic, Failure, Rejected, Span, render_all
from trutdsl.game import BadUsage, RuleError
from trutdsl.strategy.spec import StrategyError
from trutdsl.variant import BadParameter
from trutdsl.variant.source import FORBIDDEN

EXPECTED_ERRORS = (BadUsage, BadParameter, Failure, StrategyError)


class BrokenPromise(Exception):  # noqa: N818 - it is a finding
    """A reader broke a promise."""


class Refused(Exception):  # noqa: N818 - it is an outcome, not a fault
    """A reader ignored an input without a diagnostic, as it may: a code, and its message."""

    def __init__(self, code: str, said: str) -> None:
        super().__init__(said)
        self.code = code


@dataclass(frozen=True)
class Reading:
    """The outcome of reading an input, and the printed text.

    outcome: `accepted`, the code of a refusal, or `in-play:` and the code of an error in rules.
    """

    outcome: str
    said: str


def judge(read: Callable[[], str]) -> Reading:
    """Read an input once; raises `BrokenPromise` if the reader breaks a promise.

    read: returns all that is printed of an accepted input.
    """
    try:
        reading = Reading("accepted", read())
    except Rejected as rejected:
        for found in rejected.diagnostics:
            _check_places(found)
        if not rejected.diagnostics:
            raise BrokenPromise("refused without a reason") from None
        stage = "in-play:" if isinstance(rejected, RuleError) else ""
        reading = Reading(stage + rejected.diagnostics[0].code, render_all(rejected))
    except Refused as refused:
        reading = Reading(refused.code, str(refused))
    except EXPECTED_ERRORS as bad:
        reading = Reading(type(bad).__name__, f"error: {bad}")
    except BrokenPromise:
        raise
    except Exception as other:
        last = traceback.extract_tb(other.__traceback__)[-1]
        place = f"{last.filename.rsplit('/', 1)[-1]}:{last.lineno}"
        raise BrokenPromise(f"{type(other).__name__} at {place}: {str(other)[:200]}") from other
    _check_text(reading.said)
    return reading


def _check_places(found: Diagnostic) -> None:
    for span in (found.span, *(note.span for note in found.notes if note.span)):
        if (why := _describe_misplaced(span)) is not None:
            raise BrokenPromise(f"[{found.code}] {span}: {why}")


def _describe_misplaced(span: Span) -> str | None:
    """Describe the error in a span, or return None if it lies in its text."""
    lines = span.source.lines
    if not 1 <= span.line <= len(lines):
        return f"line {span.line} of {len(lines)}"
    if not 1 <= span.col <= len(lines[span.line - 1]) + 1:
        return f"column {span.col} in a line of {len(lines[span.line - 1])}"
    if (span.end_line, span.end_col) < (span.line, span.col):
        return f"ends at {span.end_line}:{span.end_col}, before it begins"
    return None


def _check_text(said: str) -> None:
    """Raise `BrokenPromise` for characters that a terminal must not receive."""
    found = FORBIDDEN.search(said)
    if found:
        raise BrokenPromise(
            f"U+{ord(found[0]):04X} is printed: {said[found.start() - 60 :][:80]!r}"
        )
