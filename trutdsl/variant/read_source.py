"""Reading a text file from disk, within bounds, with a diagnostic for whatever is wrong with it."""

from __future__ import annotations

import os
import re
from pathlib import Path

from trutdsl.diagnostics import Rejected, Source, Span, reject
from trutdsl.files import NotPlain, open_plain

MOST_BYTES = 1_000_000

# Control characters, the line separators that YAML would count as line ends, signs that reverse the
# direction of the text that follows (what one reads is then not what is there), half characters.
FORBIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]"
)

HALVES = re.compile("[\ud800-\udfff]")


def point(source: Source, line: int, col: int) -> Span:
    return Span(source, line, col, line, col + 1)


def read_source(path: Path, name: str) -> Source:
    """Return the text of a file, its line ends as `\\n`, without a byte order mark.

    name: how the person calls the file; it stands in every diagnostic.
    Raises `Rejected` for a file that is missing, not a plain file, unreadable, larger than
    `MOST_BYTES`, not UTF-8, or that holds characters of `FORBIDDEN`.
    """
    data = _read_bytes(path, name)
    try:
        text = _with_plain_line_ends(data.decode("utf-8"))
    except UnicodeDecodeError as wrong:
        raise _not_utf8(name, data, wrong.start) from None
    source = Source(name, text.removeprefix("\ufeff"))
    found = FORBIDDEN.search(source.text)
    if found:
        raise reject(
            "control-character",
            f"found the character U+{ord(found[0]):04X}, expected text",
            span_at(source, found.start()),
            help="remove it; a variant is a plain text file in UTF-8",
        )
    return source


def span_at(source: Source, offset: int) -> Span:
    """Return the place of the character at an offset (from 0) of the source's text."""
    before = source.text[:offset]
    return point(source, before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1)


def _read_bytes(path: Path, name: str) -> bytes:
    start = point(Source(name, ""), 1, 1)
    if HALVES.search(name):  # it could stand in no transcript
        raise reject("unreadable", "the file cannot be read: its name is not text in UTF-8", start)
    try:
        with open_plain(path) as file:
            size = os.fstat(file.fileno()).st_size
            if size > MOST_BYTES:
                raise _too_large(size, start)
            data = file.read(MOST_BYTES + 1)
    except NotPlain as wrong:
        raise reject("not-a-file", str(wrong.strerror), start) from None
    except FileNotFoundError:
        raise reject("missing-file", "there is no such file", start) from None
    except (OSError, ValueError) as wrong:
        reason = getattr(wrong, "strerror", None) or "its name is not a file name"
        raise reject("unreadable", f"the file cannot be read: {reason}", start) from None
    if len(data) > MOST_BYTES:
        raise _too_large(len(data), start)
    return data


def _too_large(size: int, start: Span) -> Rejected:
    return reject(
        "too-large", f"the file has {size:,} bytes, expected at most {MOST_BYTES:,}", start
    )


def _not_utf8(name: str, data: bytes, offset: int) -> Rejected:
    source = Source(name, _with_plain_line_ends(data.decode("utf-8", errors="replace")))
    before = Source(name, _with_plain_line_ends(data[:offset].decode("utf-8")))
    place = span_at(before, len(before.text))
    utf16 = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    return reject(
        "not-utf8",
        f"found the byte 0x{data[offset]:02X}, expected text in UTF-8",
        point(source, place.line, place.col),
        help="the file is in UTF-16: save it as UTF-8" if utf16 else "save the file as UTF-8",
    )


def _with_plain_line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
