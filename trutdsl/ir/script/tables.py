"""Tables of scripts: numbers by keys, read from CSV files."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from math import prod
from pathlib import PurePosixPath

from trutdsl.diagnostics import Collector, Note, Source, Span, did_you_mean
from trutdsl.ir import nodes
from trutdsl.ir.types import Number, OneOf, Type, YesNo, describe_type
from trutdsl.language import figure, say, say_count
from trutdsl.syntax import strategy_ast as script

MOST_TABLES = 10  # of a script with its bases
MOST_ROWS, MOST_KEYS, MOST_CELLS = 10_000, 8, 100_000  # of a table
LARGEST = 1_000_000  # number
MOST_SHOWN = 100  # characters of a cell in a message
ENDING = ".csv"
Texts = Mapping[str, Source]  # the content of each CSV file by the name that messages quote


@dataclass(frozen=True)
class ScriptTable:
    """A table as its file gives it.

    columns: the names of the keys. rows: the texts of the keys, and the number, with its line.
    default: the number where there is no row.
    """

    name: str
    span: Span
    help: str
    columns: tuple[str, ...] = ()
    rows: Mapping[tuple[str, ...], tuple[int, Span]] = field(default_factory=dict)
    default: int = 0


def table_file(table: script.TableDeclaration) -> str | None:
    """Return the name of a table's file for messages; None if scripts may not read such a file.

    A script reads CSV files beside it or below, so that a stranger's script reads nothing else.
    """
    path = PurePosixPath(table.file.text)
    plain = not path.is_absolute() and ".." not in path.parts and "\\" not in table.file.text
    if not plain or path.suffix != ENDING or ":" in table.file.text:
        return None
    return (PurePosixPath(table.span.source.name).parent / path).as_posix()


def read_table(table: script.TableDeclaration, texts: Texts, errors: Collector) -> ScriptTable:
    """Return a table from the text of its file; mistakes go to `errors`."""
    name, default = table.name.text, _whole_number(table.default.span.text)
    empty = ScriptTable(name, table.name.span, table.help or "")
    if default is None:
        text = "the default is a whole number up to {largest}"
        message = say(text, largest=figure(LARGEST, ",d"))
        errors.error("bad-default", message, table.default.span)
        return empty
    file = table_file(table)
    if file is None:
        text = "a script reads tables beside it or below, from a file that ends in {ending}"
        message = say(text, ending=ENDING)
        help_ = say("write {code}", code=f'`from "NAME{ENDING}"`')
        errors.error("table", message, table.file.span, help=help_)
        return empty
    return _Reader(texts[file], errors).read(empty, default)


def _whole_number(text: str) -> int | None:
    digits = text.removeprefix("-")
    if not digits.isascii() or not digits.isdecimal() or len(digits) > 9:
        return None
    return int(text) if abs(int(text)) <= LARGEST else None


def _one_text(key: str) -> str:
    """Return the same text for each way to write a number, such as 1 and 01."""
    number = _whole_number(key)
    return key if number is None else str(number)


class _Reader:
    def __init__(self, source: Source, errors: Collector) -> None:
        self.source, self.errors = source, errors

    def read(self, empty: ScriptTable, default: int) -> ScriptTable:
        lines = self._lines()
        head, _ = next(lines, ([], 1))
        if not 2 <= len(head) <= MOST_KEYS + 1:
            text = "the first line names 1 to {most} keys and then the number, with commas"
            detail = say("found {number} names; write `score,chance`", number=len(head))
            self._error(say(text, most=MOST_KEYS), 1, detail)
            return empty
        rows: dict[tuple[str, ...], tuple[int, Span]] = {}
        for cells, line in lines:
            span = self.source.point(line, 1)
            value = _whole_number(cells[-1]) if len(cells) == len(head) else None
            keys = tuple(_one_text(cell) for cell in cells[:-1])
            if len(cells) != len(head):
                detail = say_count(len(cells), "{number} cell", "{number} cells")
                text = "found {found}, expected {expected}"
                self._error(say(text, found=detail, expected=len(head)), line)
            elif value is None:
                text, detail = "found '{found}', expected a whole number", cells[-1][:MOST_SHOWN]
                help_ = say("write one up to {largest}", largest=figure(LARGEST, ",d"))
                self._error(say(text, found=detail), line, help_)
            elif keys in rows:
                note = Note(say("the first one is here"), rows[keys][1])
                self.errors.error("defined-twice", say("these keys have a row already"), span, note)
            elif len(rows) == MOST_ROWS:
                message = say("a table has at most {most} rows", most=figure(MOST_ROWS, ",d"))
                self.errors.error("too-large", message, span)
            else:
                rows[keys] = value, span
                continue
            return empty
        return ScriptTable(empty.name, empty.span, empty.help, tuple(head[:-1]), rows, default)

    def _lines(self) -> Iterator[tuple[list[str], int]]:
        """Yield the cells of each line that is not empty, and its number."""
        reader = csv.reader(StringIO(self.source.text), strict=True)
        try:
            for cells in reader:
                if any(cells):
                    yield [cell.strip() for cell in cells], reader.line_num
        except csv.Error as wrong:
            text = "this is no line of a CSV file: {problem}"
            self._error(say(text, problem=wrong), reader.line_num)

    def _error(self, message: str, line: int, help: str | None = None) -> None:
        self.errors.error("table", message, self.source.point(max(1, line), 1), help=help)


def look_up(
    table: ScriptTable, keys: Sequence[nodes.Expression], span: Span, errors: Collector
) -> nodes.Expression:
    """Return the number that a table has for these keys."""
    columns = [[_code(row[at], key.type) for row in table.rows] for at, key in enumerate(keys)]
    for at, (key, codes) in enumerate(zip(keys, columns, strict=True)):
        if None in codes:
            row = list(table.rows)[codes.index(None)]
            names = key.type.names if isinstance(key.type, OneOf) else ()
            text = "'{key}' is no key for '{column}', which is here {kind}"
            where, kind = table.columns[at], describe_type(key.type)
            errors.error(
                "type", say(text, key=row[at][:MOST_SHOWN], column=where, kind=kind),
                table.rows[row][1],
                Note(say("it is looked up here"), span), help=did_you_mean(row[at], names),
            )  # fmt: skip
            return nodes.number(span, 0)
    known = [[code for code in codes if code is not None] for codes in columns]
    lows = tuple(min(codes, default=0) for codes in known)
    sizes = tuple(max(codes, default=0) - min(codes, default=0) + 1 for codes in known)
    if prod(sizes) > MOST_CELLS:
        text = "the keys of '{name}' lie too far apart: {number} combinations"
        message = say(text, name=table.name, number=figure(prod(sizes), ",d"))
        help_ = say("at most {most} are allowed", most=figure(MOST_CELLS, ",d"))
        errors.error("too-large", message, table.span, help=help_)
        return nodes.number(span, 0)
    cells = [table.default] * prod(sizes)
    for number, (value, _) in enumerate(table.rows.values()):
        place = 0
        for column, low, size in zip(known, lows, sizes, strict=True):
            place = place * size + column[number] - low
        cells[place] = value
    type_ = Number(min(*cells, table.default), max(*cells, table.default))
    grid = nodes.Grid(lows, sizes, tuple(cells), table.default)
    return nodes.Lookup(span, type_, table.name, tuple(keys), grid)


def _code(text: str, type_: Type) -> int | None:
    """Return the number that stands for a key of a type; None if it has no such value."""
    match type_:
        case Number():
            return _whole_number(text)
        case YesNo():
            return {"yes": 1, "no": 0}.get(text)
        case OneOf(names):
            return names.index(text) if text in names else None
    return None
