"""The measurements of each variant alone, as parts of a page: lengths, scores, strategies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from trutdsl.language import figure, say, with_title
from trutdsl.report.answers import titles_of
from trutdsl.report.blocks import (
    Block,
    Distributions,
    Download,
    Items,
    Lengths,
    Paragraph,
    Plot,
    TableBlock,
    TableCell,
    heat,
    matrix,
    text_rows,
)
from trutdsl.report.csv_files import csv_text, ledger_csv
from trutdsl.report.labels import estimate_text, word_for
from trutdsl.report.rounding import format_of, limits, round_up
from trutdsl.table.counts import PATH

FEW = 100  # deals; a share of fewer is shown as unsure

LENGTHS = {  # title of the table, caption and axis of the figure
    "deals": (
        "Deals a match",
        "Matches by their number of deals",
        "deals a match; the upright line is the mean, the outline that of the base",
    ),
    "decisions": (
        "Decisions a match",
        "Matches by their number of decisions",
        "decisions a match; the upright line is the mean, the outline that of the base",
    ),
}


def length_blocks(
    variants: Sequence[Mapping[str, Any]], titles: Mapping[str, str]
) -> Iterator[Block]:
    """Yield the lengths of matches in deals and in decisions."""
    description = say("distributions, one below the other; the table below has their quantiles")
    text = (
        "Numbers above 63 are counted in groups, each at most one part in 32 wide: a quantile is "
        "the middle of its group, and the longest match its upper end."
    )
    sentences = [say(text)]
    if any(one["low"] for variant in variants for one in variant["lengths"]["deals"]["quantiles"]):
        sentences.insert(
            0, say("Figures have their 95 % intervals beside them, if enough matches were played.")
        )
    yield Paragraph(" ".join(sentences))
    columns = (
        "variant",
        "mean",
        "at most 1 in 10 is shorter",
        "median",
        "at most 1 in 10 is longer",
        "longest",
    )
    for what, (title, caption, axis) in LENGTHS.items():
        lengths = [_lengths(variant, what, titles[variant["name"]]) for variant in variants]
        chart = Distributions(lengths, say(axis), what)
        yield Plot(f"lengths-{what}", say(caption), description, chart)
        rows = text_rows(
            (one.name, one.text, *_quantiles(variant["lengths"][what]))
            for one, variant in zip(lengths, variants, strict=True)
        )
        yield TableBlock(say(title), [say(name) for name in columns], rows)
    lines = [["variant", "what", "from", "to", "matches", "share", "low", "high"]]
    for variant in variants:
        for what, of in variant["lengths"].items():
            ends = (of[name] for name in ("from", "to", "matches", "low", "high"))
            for first, last, many, low, high in zip(*ends, strict=True):
                share = round(many / variant["matches"], 9)
                lines.append([variant["name"], what, first, last, many, share, low, high])
    yield Download("lengths.csv", csv_text(lines))


SCORE_KEYS = {"mean": "won", "low": "low", "high": "high"}


def score_blocks(
    variants: Sequence[Mapping[str, Any]], titles: Mapping[str, str]
) -> Iterator[Block]:
    """Yield the share of matches that the dealer's side wins from each score, for each counter."""
    tables, lines, widest, long = list[TableBlock](), list[list[object]](), 0.0, False
    for variant in variants:
        for counter, table in variant["scores"].items():
            size = _used_size(table["deals"])
            if size > 1:
                caption = with_title(titles[variant["name"]], word_for("counters", counter))
                tables.append(_score_table(caption, table, size))
                long |= variant["lengths"]["deals"]["to"][-1] > PATH
            of = (table[name] for name in ("deals", "won", "low", "high"))
            for own, row in enumerate(zip(*of, strict=True)):
                for other, (deals, *share) in enumerate(zip(*row, strict=True)):
                    if deals:
                        ends = (*_ends(own, table), *_ends(other, table))
                        lines.append([variant["name"], counter, *ends, deals, *share])
                        if deals >= FEW and share[1] is not None:
                            widest = max(widest, share[0] - share[1], share[2] - share[0])
    if not tables:
        return
    text = (
        "Of 100 deals that begin at a score, how many lead to a match won by the dealer's "
        "side; a drawn match counts as half a win. Its score stands before the row, that of the "
        "others above the column. Cells with fewer than {few} deals have no colour."
    )
    sentences = [say(text, few=FEW), *_reach_sentences(widest)]
    if widest:
        sentences.append(say("The linked table has all intervals."))
    if long:
        sentences.append(say("Of each match the first {most} deals count.", most=PATH))
    yield Paragraph(" ".join(sentences))
    yield from tables
    both = ["dealer_from", "dealer_to", "others_from", "others_to"]
    header = ["variant", "counter", *both, "deals", "won", "low", "high"]
    yield Download("scores.csv", csv_text([header, *lines]))


def _ends(place: int, table: Mapping[str, Any]) -> tuple[int | None, int | None]:
    """Return the least and greatest score of a row or column; None for no limit.

    The first may have negative scores, too, and the last any larger ones. Results of earlier
    versions do not say whether there are negative ones.
    """
    open_below = place == 0 and table.get("least", -1) < 0
    return None if open_below else place, place if place < len(table["deals"]) - 1 else None


def _score_table(caption: str, table: Mapping[str, Any], size: int) -> TableBlock:
    deals = table["deals"]
    ends = [_ends(n, table) for n in range(size)]
    places = [
        say("{number} or less", number=high) if low is None else str(low) + "+" * (high is None)
        for low, high in ends
    ]

    def cell(own: int, other: int) -> TableCell:
        share = {name: table[of][own][other] for name, of in SCORE_KEYS.items()}
        return hundredth(share, deals[own][other])

    rows = [(places[own], [cell(own, n) for n in range(size)]) for own in range(size)]
    return matrix(caption, [say("dealer's side"), *places], rows)


def strategy_blocks(results: Mapping[str, Any]) -> Iterator[Block]:
    """Yield the results of the strategies against each other in each variant."""
    names = list(results["comparison"]["strategies"])
    if len(names) < 2:
        return
    yield Paragraph(
        say(
            "The lead of the row's strategy over the column's, in a match of both: +1 if "
            "it wins all, -1 if it loses all. The mean is over the other strategies. These "
            "are leads in the deals played, without intervals."
        )
    )
    titles = titles_of(results)
    agreements = {titles[d["variant"]]: d["agreement"] for d in results["differences"]}
    for variant in results["variants"]:
        payoffs = variant["payoffs"]
        if payoffs is None:
            continue
        most = max((abs(x) for row in payoffs for x in row), default=0)
        rows = list[tuple[str, list[TableCell]]]()
        for name, row in zip(names, payoffs, strict=True):
            cells = [TableCell(figure(x, "+.3f"), heat(x, -most, most)) for x in row]
            cells[len(rows)] = TableCell("")  # against itself
            mean = TableCell(figure(sum(row) / (len(names) - 1), "+.3f"), look="sure")
            rows.append((name, [*cells, mean]))
        yield matrix(titles[variant["name"]], ["", *names, say("mean")], rows)
    text = say("agreement of the order with that of the base (Kendall's tau)")
    items = [
        (f"{name}, {text}", estimate_text("number", agreement))
        for name, agreement in agreements.items()
        if agreement is not None
    ]
    yield Items(items)


def _lengths(variant: Mapping[str, Any], what: str, title: str) -> Lengths:
    mean = next(m for m in variant["metrics"] if m["metric"] == f"length.{what}")
    of = variant["lengths"][what]
    text = estimate_text(mean["kind"], mean)
    return Lengths(title, of["from"], of["to"], of["matches"], mean["mean"], text)


def _quantiles(lengths: Mapping[str, Any]) -> Iterator[str]:
    for one in lengths["quantiles"]:
        interval = "" if one["low"] is None else f" ({limits(one, ',d')})"
        yield figure(one["value"], ",d") + interval
    yield figure(lengths["to"][-1], ",d") if lengths["to"] else ""


def _used_size(deals: Sequence[Sequence[int]]) -> int:
    """Return the size of the square of scores that contains deals."""
    seen = [max(i, j) for i, row in enumerate(deals) for j, n in enumerate(row) if n]
    return max(seen, default=-1) + 1


def hundredth(share: Mapping[str, Any] | None, many: int) -> TableCell:
    """Return a share of 100, rounded by its interval; coloured if there are enough deals."""
    if share is None or share["mean"] is None:
        return TableCell("")
    text = figure(100 * share["mean"], format_of([share], "f", 100))
    return TableCell(text, heat(share["mean"], 0, 1) if many >= FEW else None)


RATE_CAPTION = "{variant}: of 100 times that it may be said, how often it is said"
WIN_CAPTION = "{variant}: of 100 deals in which it is said, how many one's own side wins"


def ledger_blocks(results: Mapping[str, Any], table: bool = True) -> Iterator[Block]:
    """Yield, for each variant, the frequency and the wins of each bet by tenths of hands.

    table: also the whole ledger as CSV.
    """
    variants = [variant for variant in results["variants"] if variant["ledger"]]
    if not variants:
        return
    text = (
        "Columns are hands by strength: of ten other hands, how many the hand beats at least. "
        "Cells with fewer than {few} cases have no colour."
    )
    sentences = [say(text, few=FEW), *_reach_sentences(max(map(_reach, variants)))]
    sentences.append(
        say("Gains, the break-even share of wins and all intervals are in ledger.csv.")
    )
    yield Paragraph(" ".join(sentences))
    titles = titles_of(results)
    for variant in variants:
        name, rows = titles[variant["name"]], variant["ledger"]
        yield _table(say(RATE_CAPTION, variant=name), rows, "rate", "offered")
        yield _table(say(WIN_CAPTION, variant=name), rows, "wins", "chosen")
    if table:
        yield Download("ledger.csv", ledger_csv(results))


def _reach(variant: Mapping[str, Any]) -> float:
    """Return the greatest distance of an interval's end from the middle, among coloured cells."""
    result = [
        max(row[what]["mean"] - row[what]["low"], row[what]["high"] - row[what]["mean"])
        for row in variant["ledger"]
        for what, of in (("rate", "offered"), ("wins", "chosen"))
        if row[of] >= FEW and row[what]["low"] is not None
    ]
    return max(result, default=0.0)


def _reach_sentences(share: float) -> Iterator[str]:
    """Yield how far intervals reach, never less than they do; share: 0 if there are none."""
    if share:
        text = "In cells with colour the 95 % interval ends at most {widest} away."
        yield say(text, widest=round_up(100 * share))


def _table(caption: str, rows: Sequence[Mapping[str, Any]], what: str, of: str) -> TableBlock:
    groups = [list(own) for _, own in groupby(rows, lambda row: (row["question"], row["option"]))]
    tenths = [str(row["beats"]) for row in groups[0]]
    cells = []
    for own in groups:
        name, question = own[0]["option"], word_for("decisions", own[0]["question"])
        label = f"{word_for('options', name)} ({question})"
        cells.append((label, [hundredth(r[what], r[of]) for r in own]))
    return matrix(caption, [say("what is said"), *tenths], cells)
