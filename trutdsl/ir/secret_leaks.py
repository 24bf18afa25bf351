"""Gathers what the visibility check finds, so that each mistake is told once and as a whole."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from trutdsl.diagnostics import Collector, Note
from trutdsl.ir.secrets import Control, Secret
from trutdsl.source import Span

NAMES = "\0"  # stands in a message for the names of the secrets
OPENLY = "write `openly(...)` around it if the rule makes it known"


@dataclass
class _Leak:
    place: str | None
    help: str
    names: set[str] = field(default_factory=set)
    notes: dict[Note, None] = field(default_factory=dict)


class Leaks:
    """What was found; `place` is the rule that is being looked at."""

    def __init__(self) -> None:
        self.place: str | None = None
        self.found: dict[tuple[str, str, Span], _Leak] = {}
        self.deep: dict[tuple[Span, int], str | None] = {}

    def error(
        self,
        code: str,
        message: str,
        span: Span,
        secrets: Iterable[Secret],
        control: Control,
        help: str = OPENLY,
    ) -> None:
        """Note a mistake, if there are any secrets; its message has `NAMES` where theirs stand."""
        for secret in secrets:
            leak = self.found.setdefault((code, message, span), _Leak(self.place, help))
            leak.names.add(f"'{secret.name}'")
            note = control.get(secret)
            if note is not None and note.span != span:
                leak.notes[note] = None

    def too_deep(self, span: Span, most: int) -> None:
        """Note a loop or question that stands in too many others to be followed."""
        self.deep.setdefault((span, most), self.place)

    def report(self, errors: Collector) -> None:
        """Report all that was noted."""
        for (code, message, span), leak in self.found.items():
            errors.place = leak.place
            *others, last = sorted(leak.names)
            names = ", ".join(others) + " and " + last if others else last
            notes = sorted(leak.notes, key=lambda note: str(note.span))
            errors.error(code, message.replace(NAMES, names), span, *notes[:3], help=leak.help)
        for (span, most), place in self.deep.items():
            errors.place = place
            errors.error(
                "too-deep",
                f"more than {most} loops and questions stand in each other here",
                span,
                help="make the inner ones a rule of their own",
            )
        errors.place = None
