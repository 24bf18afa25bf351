"""The one form and the one renderer of every mistake that a person can make."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from trutdsl.source import Span

MOST_SHOWN = 20
WIDEST_LINE = 160


@dataclass(frozen=True)
class Note:
    """Something else that the reader should see, with or without a place."""

    message: str
    span: Span | None = None


@dataclass(frozen=True)
class Diagnostic:
    """A mistake: what was found, what was expected, and what to write instead.

    code:  a short stable name, e.g. `unknown-name`.
    place: the rule or section it stands in, e.g. `rule 'turn' [T11 000]`.
    kind:  `error`, or `warning` for what can be meant but most likely is not.
    """

    code: str
    message: str
    span: Span
    notes: tuple[Note, ...] = ()
    help: str | None = None
    place: str | None = None
    kind: str = "error"


class Rejected(Exception):  # noqa: N818 - it is an outcome, not a fault
    """Input that cannot be used; carries every diagnostic found, in order of position."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(
            sorted(diagnostics, key=lambda d: (d.span.source.name, d.span.line, d.span.col))
        )
        super().__init__("; ".join(f"{d.span}: {d.message}" for d in self.diagnostics))


class BadUsage(ValueError):  # noqa: N818 - it is an outcome, not a fault
    """A request that cannot be met, said in one line."""


class Failure(Exception):  # noqa: N818 - it is an outcome, not a fault
    """What was asked for was begun and failed, said in one line: a strategy, a run."""


class Collector:
    """Gathers diagnostics during a phase and stops at its end."""

    def __init__(self) -> None:
        self.diagnostics: list[Diagnostic] = []
        self.place: str | None = None
        self._told: set[Diagnostic] = set()

    def error(
        self,
        code: str,
        message: str,
        span: Span,
        *notes: Note,
        help: str | None = None,
    ) -> None:
        """Add one mistake, standing in the current `place`; the same one twice counts once."""
        found = Diagnostic(code, message, span, notes, help, self.place)
        if found not in self._told:
            self._told.add(found)
            self.diagnostics.append(found)

    def raise_if_any(self) -> None:
        """Raise `Rejected` with everything gathered, if anything was."""
        if self.diagnostics:
            raise Rejected(self.diagnostics)


def reject(
    code: str,
    message: str,
    span: Span,
    *,
    help: str | None = None,
    place: str | None = None,
) -> Rejected:
    """Return the exception for a single mistake that ends a phase at once."""
    return Rejected([Diagnostic(code, message, span, (), help, place)])


def did_you_mean(name: str, known: Iterable[str], least: float = 0.6) -> str | None:
    """Return a `did you mean` sentence for the nearest known name, or None if none is near.

    least: how alike the two must be, from 0 to 1. Names of up to three letters begin alike.
    """
    best, score = None, least
    for candidate in sorted(set(known)):
        if candidate == name or abs(len(candidate) - len(name)) > 4 or len(name) > 60:
            continue
        if len(name) <= 3 and name[:1].lower() != candidate[:1].lower():
            continue
        ratio = SequenceMatcher(None, name.lower(), candidate.lower()).ratio()
        if ratio > score:
            best, score = candidate, ratio
    return f"did you mean '{best}'?" if best else None


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number with what it counts, such as `1 card` and `2 cards`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def render(diagnostic: Diagnostic) -> str:
    """Return the text shown for one diagnostic, without a final line end.

    First line `FILE:LINE:COL: error: MESSAGE [code]` (or `warning:`), then the line with a caret,
    then the place, the notes and the help.
    """
    lines = [f"{diagnostic.span}: {diagnostic.kind}: {diagnostic.message} [{diagnostic.code}]"]
    lines += _excerpt(diagnostic.span)
    if diagnostic.place:
        lines.append(f"  in {diagnostic.place}")
    for note in diagnostic.notes:
        lines.append(f"  note: {note.message}" + (f" ({note.span})" if note.span else ""))
        lines += _excerpt(note.span) if note.span else []
    if diagnostic.help:
        lines.append(f"  help: {diagnostic.help}")
    return "\n".join(lines)


def render_all(rejected: Rejected) -> str:
    """Return the text for every diagnostic, at most `MOST_SHOWN`, then how many more there are."""
    shown = [render(d) for d in rejected.diagnostics[:MOST_SHOWN]]
    more = len(rejected.diagnostics) - len(shown)
    return "\n".join(shown + ([f"... and {more} more"] if more else []))


def _excerpt(span: Span) -> list[str]:
    text = span.source.line(span.line)
    if not text.strip():
        return []
    start = span.col - 1
    stop = span.end_col - 1 if span.end_line == span.line else len(text)
    cut = 0
    if len(text) > WIDEST_LINE:
        cut = max(0, min(start - WIDEST_LINE // 2, len(text) - WIDEST_LINE))
        text = text[cut : cut + WIDEST_LINE]
    text = "".join(c if c.isprintable() else "·" for c in text.replace("\t", "→"))
    width = max(1, min(stop - cut, len(text)) - (start - cut))
    gutter = f"{span.line:>5} | "
    return [gutter + text, " " * (len(gutter) - 2) + "| " + " " * (start - cut) + "^" * width]


def moved(diagnostic: Diagnostic, place: str) -> Diagnostic:
    """Return the diagnostic as standing in `place`, unless it already names one."""
    return diagnostic if diagnostic.place else replace(diagnostic, place=place)
