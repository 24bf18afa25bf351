"""The bluff ledger as a part of a page: what is said with which hands, and how often that wins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from trutdsl.report.comparison_tables import ledger_csv
from trutdsl.report.html.blocks import Block, Cell, Download, Paragraph, Table
from trutdsl.report.html.measured import FEW, hundredth
from trutdsl.report.language import figure, say

SAID = "{variant}: of 100 such hands, with how many it is said"
WON = "{variant}: of 100 deals in which it is said, how many one's own side wins"


def ledger_blocks(results: Mapping[str, Any], table: bool = True) -> Iterator[Block]:
    """Yield, for each variant, how often each thing is said by tenths of hands, and wins.

    table: with all of it as CSV.
    """
    variants = [variant for variant in results["variants"] if variant["ledger"]]
    if not variants:
        return
    yield Paragraph(
        say(
            "Hands by how many of ten others they beat at least: 0 the weakest tenth, 9 the "
            "strongest. Without colour where there were fewer than {few}; else the 95 % interval "
            "ends at most {widest} away. What it brings and the share that it has to win are in "
            "ledger.csv, with all intervals.",
            few=FEW,
            widest=figure(100 * max(map(_reach, variants)), ".2g"),
        )
    )
    for variant in variants:
        name, rows = variant["name"], variant["ledger"]
        yield _table(say(SAID, variant=name), rows, "rate", "offered")
        yield _table(say(WON, variant=name), rows, "wins", "chosen")
    if table:
        yield Download("ledger.csv", ledger_csv(results))


def _reach(variant: Mapping[str, Any]) -> float:
    """Return how far an interval of what is coloured reaches from its middle, at the most."""
    found = [
        max(row[what]["mean"] - row[what]["low"], row[what]["high"] - row[what]["mean"])
        for row in variant["ledger"]
        for what, of in (("rate", "offered"), ("wins", "chosen"))
        if row[of] >= FEW and row[what]["low"] is not None
    ]
    return max(found, default=0.0)


def _table(caption: str, rows: Sequence[Mapping[str, Any]], what: str, of: str) -> Table:
    """Return a row for each thing that can be said, a column for each tenth of hands."""
    found = [list(own) for _, own in groupby(rows, lambda row: (row["question"], row["option"]))]
    tenths = [str(row["beats"]) for row in found[0]]
    cells = [
        [
            Cell(f"{own[0]['option']} ({own[0]['question']})"),
            *(hundredth(r[what], r[of]) for r in own),
        ]
        for own in found
    ]
    return Table(caption, [say("what is said"), *tenths], cells, matrix=True)
