"""Diagnostics: the one form of all user errors, and their renderer."""

from __future__ import annotations

import copyreg
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cached_property
from pathlib import Path

from trutdsl.language import figure, mark, say


@dataclass(frozen=True)
class Source:
    """A file as a person edits it.

    name: how the person calls it (the path given on the command line).
    text: its content; line ends are `\\n`.
    """

    name: str
    text: str = field(repr=False)

    @cached_property
    def lines(self) -> list[str]:
        """The lines without their ends."""
        return self.text.split("\n")

    def line(self, number: int) -> str:
        """Return line `number` (from 1), or the empty string after the end."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    def point(self, line: int, col: int) -> Span:
        """Return the span of one character."""
        return Span(self, line, col, line, col + 1)

    def span_at(self, offset: int) -> Span:
        """Return the span of the character at an offset (from 0) of the text."""
        head = self.text[:offset]
        return self.point(head.count("\n") + 1, offset - head.rfind("\n"))


@dataclass(frozen=True)
class Span:
    """A range of a source, both ends 1-based; `end_col` is the column after the last character."""

    source: Source
    line: int
    col: int
    end_line: int
    end_col: int

    def to(self, other: Span) -> Span:
        """Return the span from the start of this one to the end of `other`."""
        return Span(self.source, self.line, self.col, other.end_line, other.end_col)

    @property
    def text(self) -> str:
        """The text of the range, or the empty string if it has more than one line."""
        if self.end_line != self.line:
            return ""
        return self.source.line(self.line)[self.col - 1 : self.end_col - 1]

    def __str__(self) -> str:
        return f"{self.source.name}:{self.line}:{self.col}"


@dataclass(frozen=True)
class Excerpt:
    """A block of text inside a source, with its position there.

    text:   the block with its common indentation removed.
    line:   the source line of the block's first line.
    indent: columns removed from the left of each line.
    """

    source: Source
    text: str = field(repr=False)
    line: int = 1
    indent: int = 0

    def span(self, line: int, col: int, end_line: int, end_col: int) -> Span:
        """Translate a position in the block (1-based) to one in the source."""
        down, right = self.line - 1, self.indent
        return Span(self.source, line + down, col + right, end_line + down, end_col + right)


MOST_SHOWN = 20
MOST_KNOWN = 1_000  # names that an unknown one is compared with
WIDEST_LINE = 160


@dataclass(frozen=True)
class Note:
    """An additional fact for the reader, with or without a place."""

    message: str
    span: Span | None = None


@dataclass(frozen=True)
class Edit:
    """A change of a text: what to write in place of a range, which may be empty."""

    span: Span
    text: str


@dataclass(frozen=True)
class Diagnostic:
    """An error or warning: the finding, the expectation, and a suggested correction.

    code:  a short stable name, e.g. `unknown-name`.
    place: its rule or section, e.g. `rule 'turn' [T11 000]`.
    kind:  `error`, or `warning` for input that is valid but probably a mistake.
    edits: what a file of an older edition of the language has to change here.
    """

    code: str
    message: str
    span: Span
    notes: tuple[Note, ...] = ()
    help: str | None = None
    place: str | None = None
    kind: str = "error"
    edits: tuple[Edit, ...] = ()

    def __post_init__(self) -> None:
        text = IN_QUOTES.sub("", self.span.text)
        sign = WIDE_SIGN.search(text)
        if self.help is None:
            sign = sign or CURLY_QUOTE.search(text)
        if sign:
            object.__setattr__(self, "help", instead_of(sign[0]))


# Signs of other keyboards and of word processors that stand for signs of our languages.
QUOTES = "\u201c\u201d\u201e\u00ab\u00bb\u2018\u2019"
CURLY_QUOTE = re.compile(f"[{QUOTES}]")
IN_QUOTES = re.compile("\"[^\"]*\"|'[^']*'")  # a text may have any sign
WIDE_SIGN = re.compile("[\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff5e]")
FULL_WIDTH = 0xFEE0  # from a sign to its wide form


def meant_by(sign: str) -> str:
    """Return the sign of our languages that a curly quote or a wide sign stands for."""
    return '"' if sign in QUOTES else chr(ord(sign) - FULL_WIDTH)


def instead_of(sign: str) -> str:
    """Return what to write instead of a curly quote or a wide sign."""
    return say("write `{meant}` instead of `{found}`", meant=meant_by(sign), found=sign)


class Error(Exception):
    """The base class of all errors that a caller can cause or meet."""

    def __reduce__(self) -> tuple[object, ...]:
        # Processes exchange errors, whatever the arguments of their constructors.
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


class Rejected(Error):  # noqa: N818 - it is an outcome, not a fault
    """Input that cannot be used; carries all diagnostics in order of position."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(
            sorted(diagnostics, key=lambda d: (d.span.source.name, d.span.line, d.span.col))
        )
        super().__init__("; ".join(f"{d.span}: {d.message}" for d in self.diagnostics))


class Remark(UserWarning):
    """A warning that a command shows as a note."""


class OlderLanguage(Remark):
    """A file of an older edition of the language was converted in memory."""


class BadUsage(Error, ValueError):  # noqa: N818 - it is an outcome, not a fault
    """A request that cannot be met; the message has one line."""

    def __str__(self) -> str:
        return " ".join(super().__str__().splitlines())  # names and arrays can have several


class BadIndex(BadUsage, IndexError):  # noqa: N818 - it is an outcome, not a fault
    """An index of an action, an outcome or a seat that does not exist."""


class BadName(BadUsage, KeyError):  # noqa: N818 - it is an outcome, not a fault
    """A name that does not exist, such as of a zone; the message names a near one."""

    def __init__(self, what: str, name: object, known: Iterable[str]) -> None:
        super().__init__(what, name, tuple(known))

    def __str__(self) -> str:  # not before: comparing names takes long, and some are only tried
        what, name, known = self.args
        near = did_you_mean(str(name), known) or f"choose {', '.join(known) or 'none'}"
        return f"there is no {what} {' '.join(repr(name).splitlines())}; {near}"


class Failure(Error):  # noqa: N818 - it is an outcome, not a fault
    """A run or strategy that failed after its start; the message has one line."""


# The strategies in Python whose code has run in this process, in words, by their files.
FOREIGN_CODE: dict[str, str] = {}

CANNOT_WRITE = mark("{path} cannot be written: {strerror}")
CANNOT_GO_ON = mark(
    "{path} cannot be written: {strerror}; what is finished is kept, and the same command goes on"
)


def explain_os_error(problem: OSError, path: Path | str, text: str = CANNOT_WRITE) -> str:
    """Return the message for an error of the operating system at a path, or at a file in it."""
    file = problem.filename
    if isinstance(file, str) and Path(file).parent == Path(path):
        path = file
    return say(text, path=path, strerror=say(problem.strerror or ""))


@contextmanager
def refuse_os_errors(path: Path | str, text: str = CANNOT_WRITE) -> Iterator[None]:
    """Raise `BadUsage` if the block meets an error of the operating system."""
    if "\0" in str(path):  # Python itself refuses such a name, with `ValueError`
        raise BadUsage(say(text, path=path, strerror=say("its name is not a file name")))
    try:
        yield
    except OSError as problem:
        raise BadUsage(explain_os_error(problem, path, text)) from None


def check_output(flag: str, place: Path, what: str, endings: tuple[str, ...]) -> None:
    """Raise `BadUsage` for a file that cannot be written, or has another ending than such files.

    what: such a file, as `a page`; endings: the possible ones, the usual one first.
    """
    values: dict[str, object] = {"flag": flag, "place": place, "folder": place.parent}
    with refuse_os_errors(place):
        is_folder = place.is_dir()
    if is_folder:
        text = "{flag} {place} is a folder; expected a file, such as {better}"
        better = place / f"trut{endings[0]}"
    elif place.suffix not in endings:
        text = "{flag} {place}: the name of {what} ends in {endings}; write {flag} {better}"
        meant = place.suffix.lower()
        better = place.with_suffix(meant if meant in endings else endings[0])
        names = [", ".join(endings[:-1]), endings[-1]] if endings[1:] else endings
        values |= {"what": say(what), "endings": say(" or ").join(names)}
    elif not place.parent.is_dir():
        text = "{flag} {place}: there is no folder {folder}; make it, or write {flag} {better}"
        better = Path(place.name)
    elif not os.access(place.parent, os.W_OK):
        text = "{flag} {place}: you may not write in the folder {folder}; name another one"
        better = None
    else:
        return
    raise BadUsage(say(text, **values, better=better))


class RunStopped(Error):  # noqa: N818 - it is an outcome, not a fault
    """A run that a signal stopped (Ctrl-C); finished sets are stored; exit code 128 + `signal`.

    done: the number of finished sets; of: the number of all sets, None if unknown.
    kept: whether its folder remains.
    """

    def __init__(self, done: int, of: int | None, signal: int, kept: bool = True) -> None:
        if not kept:
            message = say("stopped; without a folder (out) nothing is kept")
        elif of is None:
            message = say("stopped: {done} sets are done and kept", done=figure(done, ","))
        else:
            text = "stopped: {done} of {of} sets are done and kept"
            message = say(text, done=figure(done, ","), of=figure(of, ","))
        super().__init__(message)
        self.done, self.of, self.signal = done, of, signal


class Collector:
    """Gathers the diagnostics of a phase, which stops at its end."""

    def __init__(self) -> None:
        self.diagnostics: list[Diagnostic] = []
        self.place: str | None = None
        self._seen: set[Diagnostic] = set()

    def error(
        self,
        code: str,
        message: str,
        span: Span,
        *notes: Note,
        help: str | None = None,
        edits: tuple[Edit, ...] = (),
    ) -> None:
        """Add an error at the current `place`; an identical error counts once."""
        diagnostic = Diagnostic(code, message, span, notes, help, self.place, edits=edits)
        if diagnostic not in self._seen:
            self._seen.add(diagnostic)
            self.diagnostics.append(diagnostic)

    def raise_if_any(self) -> None:
        """Raise `Rejected` with all diagnostics, if there are any."""
        if self.diagnostics:
            raise Rejected(self.diagnostics)


def reject(code: str, message: str, span: Span, *, help: str | None = None) -> Rejected:
    """Return the exception for a single error that ends a phase at once."""
    return Rejected([Diagnostic(code, message, span, (), help)])


class Replacement(str):
    """A help that only says what to write in place of the marked text; an editor can write it."""

    text: str


def _replacement(sentence: str, text: str) -> Replacement:
    result = Replacement(sentence)
    result.text = text
    return result


def write_instead(text: str) -> str:
    """Return the help that says to write this in place of the marked text."""
    return _replacement(say("write `{found}`", found=text), text)


def did_you_mean(name: str, known: Iterable[str], least: float = 0.6) -> str | None:
    """Return a `did you mean` sentence for the nearest known name, or None if none is near.

    least: minimal similarity, from 0 to 1. Names of up to three letters must begin alike. Of very
    many names only the first `MOST_KNOWN` in alphabetical order are compared.
    """
    best, score = None, least
    for candidate in sorted(set(known))[:MOST_KNOWN]:
        if candidate == name or abs(len(candidate) - len(name)) > 4 or len(name) > 60:
            continue
        if len(name) <= 3 and name[:1].lower() != candidate[:1].lower():
            continue
        ratio = SequenceMatcher(None, name.lower(), candidate.lower()).ratio()
        if ratio > score:
            best, score = candidate, ratio
    return _replacement(say("did you mean '{inside}'?", inside=best), best) if best else None


def render(diagnostic: Diagnostic) -> str:
    """Return the text of a diagnostic, without a final line end.

    First line `FILE:LINE:COL: error: MESSAGE [code]` (or `warning:`), then the line with a caret,
    then the place, the notes and the help.
    """
    kind = say("warning:") if diagnostic.kind == "warning" else say("error:")
    lines = [f"{diagnostic.span}: {kind} {diagnostic.message} [{diagnostic.code}]"]
    lines += _excerpt(diagnostic.span)
    if diagnostic.place:
        lines.append(say("  in {place}", place=diagnostic.place))
    for note in diagnostic.notes:
        where = f" ({note.span})" if note.span else ""
        lines.append(say("  note: {message}", message=say(note.message)) + where)
        lines += _excerpt(note.span) if note.span else []
    if diagnostic.help:
        lines.append(say("  help: {cure}", cure=_words_of(diagnostic.help)))
    return "\n".join(lines)


def _words_of(help_: str) -> str:
    """Translate a help; one that only says which code to write keeps its code."""
    code = re.fullmatch("write (`[^`]*`)", help_)
    return say("write {names}", names=code[1]) if code else say(help_)


def render_all(rejection: Rejected) -> str:
    """Return the text of at most `MOST_SHOWN` diagnostics, then the number of the others."""
    texts = [render(d) for d in rejection.diagnostics[:MOST_SHOWN]]
    more = len(rejection.diagnostics) - len(texts)
    return "\n".join(texts + ([say("... and {more} more", more=more)] if more else []))


def _excerpt(span: Span) -> list[str]:
    text = span.source.line(span.line)
    if not text.strip():
        return []
    start = span.col - 1
    stop = span.end_col - 1 if span.end_line == span.line else len(text)
    first = 0
    if len(text) > WIDEST_LINE:
        first = max(0, min(start - WIDEST_LINE // 2, len(text) - WIDEST_LINE))
        text = text[first : first + WIDEST_LINE]
    text = "".join(c if c.isprintable() else "·" for c in text.replace("\t", "→"))
    width = max(1, min(stop - first, len(text)) - (start - first))
    gutter = f"{span.line:>5} | "
    return [gutter + text, " " * (len(gutter) - 2) + "| " + " " * (start - first) + "^" * width]
