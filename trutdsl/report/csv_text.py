"""CSV: tables as text, in which no cell is a formula for a spreadsheet."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from io import StringIO

from trutdsl.strategy.load import FORMULA

NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?(e[+-]?\d+)?", re.IGNORECASE)


def csv_text(rows: Iterable[Sequence[object]], delimiter: str = ",") -> str:
    """Return rows as CSV; None is an empty cell, and a text that may be a formula gets a quote."""
    out = StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerows([_plain(value) for value in row] for row in rows)
    return out.getvalue()


def _plain(value: object) -> object:
    """Return a value of which a spreadsheet shows the text, whoever wrote it."""
    if not isinstance(value, str):
        return value
    text = value.replace("\r", " ")  # which `csv` does not put into quotation marks
    if not text.startswith(tuple(FORMULA)) or NUMBER.fullmatch(text):
        return text
    return f"'{text}"
