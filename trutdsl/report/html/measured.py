"""What was measured of each variant alone, as parts of a page: lengths, scores, strategies."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from itertools import accumulate
from typing import Any

from trutdsl.report.figures.lengths import Lengths, draw_lengths
from trutdsl.report.html.blocks import Block, Cell, Download, Items, Paragraph, Table
from trutdsl.report.html.cells import estimate_text, heat, plot
from trutdsl.report.language import figure, say

FEW = 100  # deals: what is won from a score in fewer is shown as unsure


def length_blocks(variants: Sequence[Mapping[str, Any]]) -> Iterator[Block]:
    """Yield how long matches are, in deals."""
    found = [_lengths(variant) for variant in variants]
    caption = say("Matches by their number of deals")
    about = say("distributions, one below the other; the table below has their quantiles")
    axis = say("deals a match; the upright line is the mean, the outline that of the base")
    yield plot("lengths", caption, about, lambda wide: draw_lengths(found, axis, wide))
    titles = ("variant", "mean", "1 in 10 is shorter", "median", "1 in 10 is longer", "longest")
    rows = [
        [Cell(one.name), Cell(one.told), *(Cell(text) for text in _quantiles(one.counts))]
        for one in found
    ]
    yield Table(say("Deals a match"), [say(title) for title in titles], rows)
    longest = max(len(one.counts) for one in found)
    header = [say("deals"), *(one.name for one in found)]
    lines = [[n, *(one.counts[n] for one in found)] for n in range(longest)]
    yield Download("lengths.csv", _csv([header, *lines]))


def score_blocks(variants: Sequence[Mapping[str, Any]]) -> Iterator[Block]:
    """Yield how often the dealer's side wins from each score, for each counter."""
    tables, lines, widest = list[Table](), list[list[object]](), 0.0
    for variant in variants:
        for counter, found in variant["scores"].items():
            size = _used(found["deals"])
            if size > 1:
                tables.append(_score_table(f"{variant['name']}: {counter}", found, size))
            of = (found[name] for name in ("deals", "won", "low", "high"))
            for own, row in enumerate(zip(*of, strict=True)):
                for other, (deals, *share) in enumerate(zip(*row, strict=True)):
                    if deals:
                        lines.append([variant["name"], counter, own, other, deals, *share])
                        if deals >= FEW and share[1] is not None:
                            widest = max(widest, share[0] - share[1], share[2] - share[0])
    if not tables:
        return
    yield Paragraph(
        say(
            "Of 100 deals that begin at a score, the matches that the dealer's side wins: its own "
            "score stands before the row, that of the others above the column. Without colour "
            "where fewer than {few} deals began so; else the 95 % interval ends at most {widest} "
            "away. All intervals are in the table behind the link.",
            few=FEW,
            widest=figure(100 * widest, ".0f"),
        )
    )
    yield from tables
    header = ["variant", "counter", "dealer", "others", "deals", "won", "low", "high"]
    yield Download("scores.csv", _csv([header, *lines]))


def _score_table(caption: str, found: Mapping[str, Any], size: int) -> Table:
    """Return the shares won from each score below a size."""
    deals, won = found["deals"], found["won"]
    places = [str(n) if n < len(deals) - 1 else f"{n}+" for n in range(size)]
    rows = [
        [Cell(places[own]), *(_chance(deals[own][n], won[own][n]) for n in range(size))]
        for own in range(size)
    ]
    return Table(caption, [say("dealer's side"), *places], rows, matrix=True)


def strategy_blocks(results: Mapping[str, Any]) -> Iterator[Block]:
    """Yield what the strategies have against each other in each variant."""
    names = list(results["comparison"]["strategies"])
    if len(names) < 2:
        return
    yield Paragraph(
        say(
            "What the strategy of the row has more than that of the column, in a match of both: +1 "
            "if it wins all, -1 if it loses all."
        )
    )
    agreements = {d["variant"]: d["agreement"] for d in results["differences"]}
    for variant in results["variants"]:
        payoffs = variant["payoffs"]
        if payoffs is None:
            continue
        caption = variant["name"]
        most = max((abs(x) for row in payoffs for x in row), default=0)
        rows = [
            [
                Cell(name),
                *(
                    Cell("") if i == j else Cell(figure(x, "+.3f"), heat(x, -most, most))
                    for j, x in enumerate(payoffs[i])
                ),
                Cell(figure(sum(payoffs[i]) / len(names), "+.3f"), look="sure"),
            ]
            for i, name in enumerate(names)
        ]
        yield Table(caption, ["", *names, say("mean")], rows, matrix=True)
    text = say("agreement of the order with that of the base (Kendall's tau)")
    told = [
        (f"{name}, {text}", estimate_text("number", found))
        for name, found in agreements.items()
        if found is not None
    ]
    yield Items(told)


def _lengths(variant: Mapping[str, Any]) -> Lengths:
    mean = next(m for m in variant["metrics"] if m["metric"] == "length.deals")
    return Lengths(
        variant["name"], variant["lengths"], mean["mean"], estimate_text(mean["kind"], mean)
    )


def _quantiles(counts: Sequence[int]) -> Iterator[str]:
    """Yield the lengths that 10, 50 and 90 in 100 matches do not exceed, and the greatest."""
    for share in (0.1, 0.5, 0.9, 1.0):
        enough = share * sum(counts) - 1e-9
        found = next((n for n, total in enumerate(accumulate(counts)) if total >= enough), 0)
        yield f"{found}+" if found == len(counts) - 1 else str(found)


def _used(deals: Sequence[Sequence[int]]) -> int:
    """Return the size of the square in which there are deals."""
    seen = [max(i, j) for i, row in enumerate(deals) for j, n in enumerate(row) if n]
    return max(seen, default=-1) + 1


def _chance(deals: int, won: float | None) -> Cell:
    if won is None:
        return Cell("")
    return Cell(f"{100 * won:.0f}", heat(won, 0, 1) if deals >= FEW else None)


def _csv(rows: Sequence[Sequence[object]]) -> str:
    out = StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()
