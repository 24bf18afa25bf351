"""The text of a file, read within bounds; a block can note or replace the files that are read."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

from trutdsl.diagnostics import Rejected, Source, Span, did_you_mean, reject
from trutdsl.files import NotPlain, is_script, open_plain, shipped_folder
from trutdsl.language import figure, mark, quote_name, say

MOST_NAMES = 8  # of files in a message
MOST_BYTES = 1_000_000

# Control characters, the line separators that YAML would count as line ends, signs that reverse the
# direction of text (so that it misleads readers), and lone surrogates.
FORBIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]"
)

# What Git writes around two versions of some lines.
CONFLICT_ENDS = re.compile(r"^(?:<{7}|>{7})(?: .*)?$", re.MULTILINE)
CONFLICT = re.compile(r"^(?:<{7}|\|{7}|={7}|>{7})(?: .*)?$", re.MULTILINE)
MERGED = mark(
    "keep one of both versions, and delete the lines that begin with <<<<<<<, ======= and >>>>>>>"
)

DOCUMENTS = (".doc", ".docx", ".odt", ".rtf", ".pages", ".pdf")
STRATEGY_FILE = re.compile(r".+?\.(?:strategy|py|bot|policy)(?=$|:)", re.DOTALL)
SPLITTERS = ":,"  # a colon stands before parameters, a comma between strategies
ENDING = re.compile(
    r"(.+?)((?:\.(?:ya?ml|strategy|py|txt|text|md|doc))*)", re.IGNORECASE | re.DOTALL
)
HALVES = re.compile("[\ud800-\udfff]")

# How files begin that are no plain text.
BEGINNINGS = {
    b"PK\x03\x04": mark("a zip archive, or a document of a word processor"),
    b"\xd0\xcf\x11\xe0": mark("a document of a word processor"),
    b"{\\rtf": mark("a document of a word processor"),
    b"%PDF": mark("a PDF document"),
    b"\x89PNG": mark("a picture"),
    b"\xff\xd8\xff": mark("a picture"),
    b"\x1f\x8b": mark("a compressed file"),
    b"SQLite format 3": mark("a database"),
}
UTF_16 = mark("the file is in UTF-16: save it as UTF-8")

Stamp = tuple[int, int] | None  # when a file was changed, and its size; None if it is missing
_noted: ContextVar[dict[Path, Stamp] | None] = ContextVar("noted", default=None)
_unsaved: ContextVar[Mapping[Path, str] | None] = ContextVar("unsaved", default=None)


# Kinds of things that a word can name, and what each is for.
VARIANT = mark("a variant")
STRATEGY = mark("a strategy")
SCENARIOS = mark("a file of scenarios")
EXPERIMENT = mark("an experiment")
TRANSCRIPT = mark("a transcript")
RESULTS = mark("a folder of results")
VALUE = mark("the value of a parameter")
FILE = mark("a file")  # of whatever kind
USES = {
    VARIANT: mark("`trutdsl check {name}` checks it"),
    STRATEGY: mark("`trutdsl simulate VARIANT --strategies {name}` lets it play"),
    SCENARIOS: mark(
        "`trutdsl scenario {name}` plays them, `trutdsl play {name} --scenario {one}` takes a seat"
    ),
    EXPERIMENT: mark("`trutdsl tournament {name}` or `trutdsl compare {name}` plays it"),
    TRANSCRIPT: mark("`trutdsl replay {name}` tells it"),
    RESULTS: mark("`trutdsl results {name}` shows them"),
    VALUE: mark("write VARIANT:{name} in comparisons, and --param {name} elsewhere"),
}


@contextmanager
def noting_files() -> Iterator[dict[Path, Stamp]]:
    """Yield the files that are read or missed within the block, each as it was before."""
    files: dict[Path, Stamp] = {}
    token = _noted.set(files)
    try:
        yield files
    finally:
        _noted.reset(token)


@contextmanager
def reading_unsaved(texts: Mapping[Path, str]) -> Iterator[None]:
    """Read these texts within the block instead of the files, which need not exist.

    Their paths are absolute.
    """
    token = _unsaved.set(texts)
    try:
        yield
    finally:
        _unsaved.reset(token)


def note_file(path: Path) -> None:
    """Note a file that is to be read, also if it is missing."""
    if (stamps := _noted.get()) is not None:
        stamps.setdefault(path, stamp_of(path))


def is_file(path: Path) -> bool:
    """Note a file that is to be read, and tell whether it exists."""
    note_file(path)
    try:
        return _unsaved_text(path) is not None or path.is_file()
    except (OSError, ValueError):  # a name too long
        return False


def is_folder(path: Path) -> bool:
    """Tell whether a folder exists."""
    try:
        return path.is_dir()
    except (OSError, ValueError):  # a name too long
        return False


def kind_of_place(path: Path) -> str | None:
    """Return what stands there instead of a file: a message's words; None for nothing or a file."""
    try:
        with open_plain(path):
            return None
    except NotPlain as wrong:
        return str(wrong.strerror)
    except (OSError, ValueError):
        return None


def refuse_other_ending(ref: str, ending: str) -> None:
    """Raise `Rejected` for the path of a file with another ending, such as `.yaml.txt` or `.YAML`.

    ending: of such files; a file that names another ending of ours should have that.
    """
    path = Path(ref)
    refuse_split_name(ref)
    if is_file(path):
        hit = ENDING.fullmatch(path.name)
        stem, found = hit.groups() if hit else (path.name, "")
        if path.suffix != ".strategy":
            ending = next((one for one in (".strategy", ".py") if one in found.lower()), ending)
        message = say("the name of this file must end in {ending}", ending=ending)
        if path.suffix.lower() in DOCUMENTS:
            name = path.with_suffix(ending)
            cure = say("save it as plain text, with the name {name}", name=name)
        else:
            cure = say("rename the file: {name}", name=path.with_name(stem + ending))
        raise reject("wrong-name", message, Source(ref, "").point(1, 1), help=cure)


def kind_of(ref: str) -> str | None:
    """Return what a word of a command names: a key of `USES`, or None."""
    path = Path(ref)
    if (kind := kind_of_ending(ref)) is not None:
        return kind
    if is_file(path):
        with suppress(Rejected):
            if path.suffix in (".yaml", ".yml"):
                return kind_of_text(read_source(path, ref).text)
        return None
    if all(map(is_script, ref.split(","))):
        return STRATEGY
    if is_file(shipped_folder("variants") / f"{ref}.yaml"):
        return VARIANT
    if any(is_file(path / name) for name in ("journal.sqlite", "comparison.json")):
        return RESULTS
    return VALUE if re.fullmatch(r"[a-z]\w*=.+", ref) else None


def kind_of_ending(ref: str) -> str | None:
    """Return which kind of file has a name with this ending; None for YAML files and others."""
    if STRATEGY_FILE.fullmatch(ref.partition(":")[0]):
        return STRATEGY
    return TRANSCRIPT if Path(ref).suffix == ".jsonl" else None


def kind_of_text(text: str) -> str | None:
    """Return which kind of YAML file has this text."""
    return kind_of_keys(re.findall(r"^(\w+) *:", text, re.MULTILINE))


def kind_of_keys(keys: Collection[str]) -> str | None:
    """Return which kind of YAML file has these keys."""
    if "scenario" in keys or "experiment" in keys:
        return SCENARIOS if "scenario" in keys else EXPERIMENT
    return VARIANT if {"extends", "title", "module", "pack"} & {*keys} else None


def instead_of_kind(expected: str, ref: str) -> str | None:
    """Return the help for a word that names another kind of thing than the expected one."""
    found = kind_of(ref)
    if found in (None, expected):
        return None
    text = "that is {found}: {cure}"
    return say(text, found=say(found), cure=name_other(expected, found, ref))


def name_other(expected: str, found: str, name: str, one: str = "NAME") -> str:
    """Return the help where a thing of an expected kind belongs; one: the name of a scenario."""
    use = say(USES[found], name=name, one=one)
    return say("name {expected} here; {use}", expected=say(expected), use=use)


def refuse_split_name(ref: str) -> None:
    """Raise `Rejected` for the path of a strategy whose name has a sign that splits a call."""
    hit = STRATEGY_FILE.match(ref)
    path = Path(hit[0]) if hit else Path()
    sign = next((sign for sign in SPLITTERS if sign in path.name), None)
    if sign is not None and is_file(path):
        text = "the name of a strategy's file must have no '{sign}', which has a meaning in a call"
        better = path.with_name(path.name.translate(dict.fromkeys(map(ord, SPLITTERS), "-")))
        cure = say("rename the file: {name}", name=better)
        raise reject(
            "wrong-name", say(text, sign=sign), Source(str(path), "").point(1, 1), help=cure
        )


def stamp_of(path: Path) -> Stamp:
    """Return the stamp of a file, by which a change is noticed."""
    try:
        result = path.stat()
    except (OSError, ValueError):
        return None
    return result.st_mtime_ns, result.st_size


def read_source(path: Path, name: str) -> Source:
    """Return the text of a file, with line ends `\n` and without a byte order mark.

    name: the file's name for the user, which all diagnostics quote.
    Raises `Rejected` for a file that is missing, not a plain file, unreadable, larger than
    `MOST_BYTES`, not UTF-8, or that holds characters of `FORBIDDEN` or marks of a merge conflict.
    """
    note_file(path)
    unsaved = _unsaved_text(path)
    data = _read_bytes(path, name) if unsaved is None else unsaved.encode("utf-8", "surrogatepass")
    if len(data) > MOST_BYTES:
        raise _too_large(len(data), Source(name, "").point(1, 1))
    _refuse_other_kinds(data, name)
    try:
        text = _with_plain_line_ends(data.decode("utf-8"))
    except UnicodeDecodeError as wrong:
        raise _not_utf8(name, data, wrong.start) from None
    source = Source(name, text.removeprefix("\ufeff"))
    hit = FORBIDDEN.search(source.text)
    if hit:
        message = say("found the character U+{ord}, expected text", ord=f"{ord(hit[0]):04X}")
        cure = say("remove it; the file must be plain text in UTF-8")
        help_text = say(UTF_16) if _is_utf16(data) else cure
        raise reject("control-character", message, source.span_at(hit.start()), help=help_text)
    if CONFLICT_ENDS.search(source.text):
        hit = CONFLICT.search(source.text)
        assert hit
        at = source.span_at(hit.start())
        message = say("found a mark of a merge conflict")
        raise reject(
            "merge-conflict", message, at.to(source.span_at(hit.end() - 1)), help=say(MERGED)
        )
    return source


def _unsaved_text(path: Path) -> str | None:
    texts = _unsaved.get()
    return None if texts is None else texts.get(Path(os.path.normpath(path.absolute())))


def _read_bytes(path: Path, name: str) -> bytes:
    start = Source(name, "").point(1, 1)
    if HALVES.search(name):  # no transcript could contain it
        raise reject(
            "unreadable", say("the file cannot be read: its name is not text in UTF-8"), start
        )
    try:
        with open_plain(path) as file:
            size = os.fstat(file.fileno()).st_size
            if size > MOST_BYTES:
                raise _too_large(size, start)
            return file.read(MOST_BYTES + 1)
    except NotPlain as wrong:
        raise reject("not-a-file", str(wrong.strerror), start) from None
    except FileNotFoundError:
        other = None if kind_of_ending(name) else instead_of_kind(FILE, name)
        help_text = other or near_file(path)
        raise reject("missing-file", say("there is no such file"), start, help=help_text) from None
    except (OSError, ValueError) as wrong:
        reason = say(getattr(wrong, "strerror", None) or "its name is not a file name")
        raise reject(
            "unreadable", say("the file cannot be read: {reason}", reason=reason), start
        ) from None


def near_file(path: Path, ending: str = ".yaml") -> str:
    """Return which file of the same kind may be meant; ending: for a name without one."""
    if is_folder(path):
        inside = path / f"FILE{ending}"
        return say("that is a folder: name a file in it, as in {path}", path=inside)
    ending = path.suffix or ending
    try:
        paths = [one for one in path.parent.iterdir() if one.suffix == ending]
        names = [one.name for one in paths if one.is_file()]
    except OSError:
        if is_file(Path(path.name)):
            return say(
                "there is no folder '{parent}'; write {name}", parent=path.parent, name=path.name
            )
        return say("there is no folder '{parent}' either", parent=path.parent)
    other = path.with_suffix(".yaml" if ending == ".yml" else ".yml")
    if ending in (".yaml", ".yml") and stamp_of(other) is not None:
        return say("did you mean '{inside}'?", inside=other.name)
    if not path.suffix and path.name + ending in names:
        return say("did you mean '{inside}'?", inside=path.name + ending)
    candidates = [name for name in names if did_you_mean(path.stem, [Path(name).stem])]
    hint = did_you_mean(path.stem + ending, candidates)
    if hint:
        return hint
    some = ", ".join(sorted(names)[:MOST_NAMES]) + (", ..." if len(names) > MOST_NAMES else "")
    where = say("this folder") if path.parent == Path() else quote_name(path.parent)
    if not some:
        return say("{where} has no {ending} files", where=where, ending=ending)
    return say("{where} has {names}", where=where, names=some)


def _too_large(size: int, start: Span) -> Rejected:
    text = "the file has {size} bytes, expected at most {most}"
    return reject(
        "too-large", say(text, size=figure(size, ","), most=figure(MOST_BYTES, ",")), start
    )


def _not_utf8(name: str, data: bytes, offset: int) -> Rejected:
    source = Source(name, _with_plain_line_ends(data.decode("utf-8", errors="replace")))
    head = Source(name, _with_plain_line_ends(data[:offset].decode("utf-8")))
    place = head.span_at(len(head.text))
    message = say("found the byte 0x{data}, expected text in UTF-8", data=f"{data[offset]:02X}")
    help_text = say(UTF_16) if _is_utf16(data) else say("save the file as UTF-8")
    return reject("not-utf8", message, source.point(place.line, place.col), help=help_text)


def _is_utf16(data: bytes) -> bool:
    return data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data[:2]


def _refuse_other_kinds(data: bytes, name: str) -> None:
    """Raise `Rejected` for a file that another kind of program has written."""
    for beginning, what in BEGINNINGS.items():
        if data.startswith(beginning):
            message = say("found {what}, expected plain text", what=say(what))
            cure = say("save it as plain text in UTF-8, or write it with a text editor")
            raise reject("not-text", message, Source(name, "").point(1, 1), help=cure)


def _with_plain_line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
