"""What every reader promises, looked at for one input."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass

from trutdsl.diagnostics import Diagnostic, Failure, Rejected, Span, render_all
from trutdsl.game import BadUsage, RuleError
from trutdsl.strategy import StrategyError
from trutdsl.variant import BadParameter
from trutdsl.variant.source import FORBIDDEN

OUTCOMES = (BadUsage, BadParameter, Failure, StrategyError)


class Broken(Exception):  # noqa: N818 - what the fuzz looks for
    """A promise that was not kept."""


class Refused(Exception):  # noqa: N818 - it is an outcome, not a fault
    """What a reader does not use and need not explain: a code, and what it said of it."""

    def __init__(self, code: str, said: str) -> None:
        super().__init__(said)
        self.code = code


@dataclass(frozen=True)
class Reading:
    """How a reader answered, and all that it said.

    outcome: `accepted`, the code of a refusal, or `in-play:` and the code of what rules did wrong.
    """

    outcome: str
    said: str


def judge(read: Callable[[], str]) -> Reading:
    """Read an input once; raises `Broken` for whatever is no answer in place.

    read: returns all that is printed of what was accepted.
    """
    try:
        reading = Reading("accepted", read())
    except Rejected as rejected:
        for found in rejected.diagnostics:
            _check_places(found)
        if not rejected.diagnostics:
            raise Broken("refused without a reason") from None
        stage = "in-play:" if isinstance(rejected, RuleError) else ""
        reading = Reading(stage + rejected.diagnostics[0].code, render_all(rejected))
    except Refused as refused:
        reading = Reading(refused.code, str(refused))
    except OUTCOMES as bad:
        reading = Reading(type(bad).__name__, f"error: {bad}")
    except Broken:
        raise
    except Exception as other:
        last = traceback.extract_tb(other.__traceback__)[-1]
        place = f"{last.filename.rsplit('/', 1)[-1]}:{last.lineno}"
        raise Broken(f"{type(other).__name__} at {place}: {str(other)[:200]}") from other
    _check_text(reading.said)
    return reading


def _check_places(found: Diagnostic) -> None:
    for span in (found.span, *(note.span for note in found.notes if note.span)):
        if (why := _misplaced(span)) is not None:
            raise Broken(f"[{found.code}] {span}: {why}")


def _misplaced(span: Span) -> str | None:
    """Say what is wrong with a place, or None if it lies in its text."""
    lines = span.source.lines
    if not 1 <= span.line <= len(lines):
        return f"line {span.line} of {len(lines)}"
    if not 1 <= span.col <= len(lines[span.line - 1]) + 1:
        return f"column {span.col} in a line of {len(lines[span.line - 1])}"
    if (span.end_line, span.end_col) < (span.line, span.col):
        return f"ends at {span.end_line}:{span.end_col}, before it begins"
    return None


def _check_text(said: str) -> None:
    """Raise `Broken` for what no terminal should be sent."""
    found = FORBIDDEN.search(said)
    if found:
        raise Broken(f"U+{ord(found[0]):04X} is printed: {said[found.start() - 60 :][:80]!r}")
