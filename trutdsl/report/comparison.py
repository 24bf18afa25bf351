"""A comparison of variants as blocks: for a terminal, and as a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import log10
from typing import Any

from trutdsl.language import say, say_count, with_title
from trutdsl.options import SECONDS
from trutdsl.report.answers import titles_of
from trutdsl.report.blocks import (
    ALIKE,
    CLEAR,
    COOLEST,
    EVEN,
    SLIGHT,
    UNSURE,
    Block,
    Details,
    Download,
    FigureLegend,
    Forest,
    Heading,
    Interval,
    Items,
    Page,
    Paragraph,
    Plot,
    Section,
    TableBlock,
    TableCell,
    ends_of,
    matrix,
)
from trutdsl.report.checks import check_comparison, command_of_comparison, made_blocks
from trutdsl.report.comparison_text import (
    TITLE,
    claim,
    method_words,
    remarks,
    setting,
    size_of_run,
    tell_points,
    tell_ranks,
    tell_together,
)
from trutdsl.report.csv_files import metrics_csv
from trutdsl.report.first_screen import (
    answer_blocks,
    answer_lines,
    headline,
    is_identical,
    metrics_table,
)
from trutdsl.report.labels import (
    DIFFERS,
    LITTLE,
    OPEN,
    SAME,
    UNKNOWN,
    Row,
    change,
    clear_rows,
    in_words_of,
    is_nowhere,
    metric_words,
    point_title,
    weight,
    who_played,
    words,
)
from trutdsl.report.sweep import reading_blocks, readings_title, sweep_blocks, sweep_title
from trutdsl.report.terminal import text_lines
from trutdsl.report.variant_blocks import (
    ledger_blocks,
    length_blocks,
    score_blocks,
    strategy_blocks,
)

LOOKS = {DIFFERS: CLEAR, LITTLE: SLIGHT, SAME: ALIKE, OPEN: UNSURE}


def comparison_lines(
    results: Mapping[str, Any], every: bool = False, seconds: float = SECONDS
) -> Iterator[str]:
    """Return a comparison as lines of text.

    every: list all metrics. seconds: that a choice takes at a table.
    """
    with in_words_of(results):
        return text_lines(list(_sections(results, every, seconds)))


def _sections(results: Mapping[str, Any], every: bool, seconds: float) -> list[Section]:
    comparison, titles = results["comparison"], titles_of(results)
    first = [
        Paragraph(text) for text in (headline(results), claim(comparison), setting(comparison))
    ]
    sections = [Section("", "", first)]
    for difference in results["differences"]:
        title, blocks = answer_lines(results, difference, seconds, every)
        points = _points(difference)
        if points:
            text = say("Each point of {variant} alone", variant=titles[difference["variant"]])
            blocks.append(Details(f"{say('Which rule does it?')} {text}", points))
        sections.append(Section("", title, blocks))
    ranks = list(tell_ranks(results))
    if ranks:
        sections.append(
            Section("", with_title(say(TITLE)), [Items([("", text) for text in ranks])])
        )
    method: list[Block] = [
        Items([("", size_of_run(one, titles[one["name"]])) for one in results["variants"]]),
        Items([("", text) for text in remarks(results)]),
        Paragraph(method_words(comparison)),
    ]
    return [*sections, Section("", "", method)]


def _points(difference: Mapping[str, Any]) -> list[Block]:
    if not difference["points"] or is_identical(difference):
        return []
    interaction = tell_together(difference)
    return [
        Items(list(tell_points(difference))),
        *([] if interaction is None else [Items([interaction])]),
    ]


def comparison_page(results: Mapping[str, Any], brief: int = 0, seconds: float = SECONDS) -> Page:
    """Return the page of a comparison or a sweep, from `comparison.json`.

    brief: leave out the largest parts: from 1 on the points of variants in `metrics.csv`, from 2 on
    `ledger.csv`. seconds: that a choice takes at a table.
    """
    with in_words_of(results):
        return _page(results, brief, seconds)


def _page(results: Mapping[str, Any], brief: int, seconds: float) -> Page:
    variants, titles = results["variants"], titles_of(results)
    lengths = ("lengths", "How long a match is", list(length_blocks(variants, titles)))
    differences = ("differences", "What differs", list(_differences(results, brief)))
    parts: list[tuple[str, str, Sequence[Block]]]
    if "sweep" in results:
        title = sweep_title(results)
        summary = [*sweep_blocks(results), Download("metrics.csv", metrics_csv(results))]
        parts = [("summary", "What the parameters change", summary), lengths]
    elif "readings" in results:
        title = readings_title(results)
        parts = [("summary", "In words", list(reading_blocks(results))), differences, lengths]
    else:
        title = headline(results)
        parts = [
            ("summary", "In words", list(_summary(results, seconds))),
            differences,
            ("points", "Which rule does it?", list(_all_points(results))),
            lengths,
            ("scores", "Who wins from which score", list(score_blocks(variants, titles))),
            ("ledger", "What is said with which hands", list(_ledger(results, brief))),
        ]
    parts += [
        ("strategies", "How the strategies fare", list(strategy_blocks(results))),
        ("made", "How this was made", list(_method_blocks(results))),
    ]
    sections = [Section(key, say(title), blocks) for key, title, blocks in parts if blocks]
    of_whom = Paragraph(claim(results["comparison"]))
    sections[0] = replace(sections[0], blocks=[of_whom, *sections[0].blocks])
    return Page(title, setting(results["comparison"]), sections, list(check_comparison(results)))


def _summary(results: Mapping[str, Any], seconds: float) -> Iterator[Block]:
    several = len(results["differences"]) > 1
    for difference in results["differences"]:
        title, blocks = answer_blocks(results, difference, seconds)
        yield from ([Heading(title)] if several else [])
        yield from blocks
    ranks = list(tell_ranks(results))
    if ranks:
        yield Heading(say(TITLE))
        yield Items([("", text) for text in ranks])
    yield from _changes(results)
    yield from who_played(results["comparison"]["strategies"])
    for text in remarks(results):
        yield Paragraph(text)


def _changes(results: Mapping[str, Any]) -> Iterator[Block]:
    """Yield the texts of the rules and parameters that each variant changes."""
    titles = titles_of(results)
    for variant in results["variants"]:
        if changes := variant.get("changes"):
            yield Heading(say("What {variant} changes", variant=titles[variant["name"]]))
            yield Items([("", point_title(one)) for one in changes])


def _differences(results: Mapping[str, Any], brief: int) -> Iterator[Block]:
    plots, titles = difference_plots(results), titles_of(results)
    if plots:
        yield from _reading()
    for difference in results["differences"]:
        if difference["variant"] in plots:
            yield Heading(titles[difference["variant"]])
            yield plots[difference["variant"]]
        title = titles[difference["variant"]]
        caption = say("All metrics of {variant} and the base", variant=title)
        table = metrics_table(difference["metrics"], caption, margins=True)
        yield Details(table.caption, [table])
    yield Download("metrics.csv", metrics_csv(results, not brief))
    if brief and any(difference["points"] for difference in results["differences"]):
        yield Paragraph(say("There is no room here for the points of variants in that table."))


def _ledger(results: Mapping[str, Any], brief: int) -> Iterator[Block]:
    blocks = list(ledger_blocks(results, brief < 2))
    yield from blocks
    if blocks and brief >= 2:
        text = "There is no room here for ledger.csv; it lies in the folder of the comparison."
        yield Paragraph(say(text))


def difference_plots(results: Mapping[str, Any]) -> Mapping[str, Plot]:
    """Return a forest plot of each variant with metrics that can differ."""
    result, titles = {}, titles_of(results)
    for number, difference in enumerate(results["differences"]):
        rows = (r for r in difference["metrics"] if r["verdict"] in LOOKS and r["margin"])
        differences = [row for row in rows if not is_nowhere(row)]
        if differences:
            lines = [_line(row) for row in sorted(differences, key=weight, reverse=True)]
            name = difference["variant"]
            caption = say("Differences of {variant} from the base", variant=titles[name])
            description = say_count(
                len(lines),
                "{number} interval; the table below it has the same numbers, and all others",
                "{number} intervals; the table below it has the same numbers, and all others",
            )
            axis = say("difference, in multiples of the margin")
            result[name] = Plot(
                f"difference{number}", caption, description, Forest(lines, axis, 1.0)
            )
    return result


def _reading() -> Iterator[Block]:
    yield Paragraph(
        say(
            "Each line is a difference from the base with its 95 % interval, in multiples "
            "of the margin: within the band it is less than the margin. The scale is "
            "logarithmic beyond 2."
        )
    )
    yield FigureLegend(
        [
            ("●", "strong", say("differs")),
            ("◆", "mild", say("differs, but by less than the margin")),
            ("■", "even", say("equivalent within the margin")),
            ("○", "open", say("undecided; more deals may decide it")),
        ]
    )
    yield Paragraph(say("An interval that excludes 0 shows a difference."))


def _line(row: Row) -> Interval:
    difference, margin = row["difference"], row["margin"]
    data = {"metric": row["metric"], **{name: difference[name] for name in ("mean", "low", "high")}}
    mean, low, high = (end / margin for end in ends_of(difference))
    look = LOOKS[row["verdict"]]
    return Interval(words(row), change(row), mean, low, high, look, {**data, "margin": margin})


def _all_points(results: Mapping[str, Any]) -> Iterator[Block]:
    titles = titles_of(results)
    for difference in results["differences"]:
        points, title = _points(difference), titles[difference["variant"]]
        if points:
            yield Heading(say("Each point of {variant} alone", variant=title))
            yield from points
            table = _side_by_side(difference, title)
            if table.rows:
                yield table


def _side_by_side(difference: Mapping[str, Any], title: str) -> TableBlock:
    columns = [(title, difference["metrics"])]
    columns += [(point_title(p), p["metrics"]) for p in difference["points"] if p["metrics"]]
    by_name = [{row["metric"]: row for row in rows} for _, rows in columns]
    clear = clear_rows([row for _, rows in columns for row in rows])
    rows = [
        (metric_words(name), [_difference_cell(of.get(name)) for of in by_name])
        for name in dict.fromkeys(row["metric"] for row in clear)
    ]
    caption = say(
        "What {variant} changes, and each of its points alone; strong colours are far "
        "beyond the margin, pale figures are undecided",
        variant=title,
    )
    return matrix(caption, [say("what"), *(name for name, _ in columns)], rows)


def _difference_cell(row: Row | None) -> TableCell:
    """Return a difference, coloured by its size in margins."""
    if row is None or row["difference"] is None:
        return TableCell("")
    text = change(row).partition(" (")[0]
    if row["verdict"] in (OPEN, SAME, UNKNOWN):
        return TableCell(text, EVEN, "unsure")
    if row["verdict"] not in (DIFFERS, LITTLE):
        return TableCell("0", EVEN, "unsure")
    steps = min(1.0, log10(1 + weight(row)) / 2) * (COOLEST - EVEN)
    return TableCell(text, EVEN + round(steps if row["difference"]["mean"] > 0 else -steps), "sure")


def _method_blocks(results: Mapping[str, Any]) -> Iterator[Block]:
    comparison, titles = results["comparison"], titles_of(results)
    yield Items([("", size_of_run(one, titles[one["name"]])) for one in results["variants"]])
    yield Paragraph(method_words(comparison))
    text = "Decisions, options, counters and parameters are called as in the files of the variants."
    yield Paragraph(say(text))
    parameters = {variant["name"]: variant["parameters"] for variant in results["variants"]}
    names = {variant["name"]: variant["fingerprint"] for variant in results["variants"]}
    yield from made_blocks(results, command_of_comparison(results), comparison, parameters, names)
