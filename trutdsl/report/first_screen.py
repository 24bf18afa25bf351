"""The first screen of a comparison: a few sentences, large figures, and metrics in groups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trutdsl.language import figure, one_by_one, say, with_title
from trutdsl.report.answers import answers, by_group, tiles, titles_of
from trutdsl.report.blocks import Block, Details, Items, Paragraph, TableBlock, TableCell
from trutdsl.report.comparison_text import join_names, tell_agreement, tell_primary
from trutdsl.report.labels import (
    ABSENT,
    DIFFERS,
    IDENTICAL,
    UNSEEN,
    Row,
    both_values,
    change,
    changes_table,
    estimate_text,
    is_nowhere,
    metric_subject,
    metric_words,
    verdict_words,
    words,
)


def headline(results: Mapping[str, Any]) -> str:
    """Return the titles of the compared variants, as a title."""
    base, *others = titles_of(results).values()
    return say("{base} against {others}", base=base, others=join_names(others))


def is_identical(difference: Mapping[str, Any]) -> bool:
    return any(row["verdict"] == IDENTICAL for row in difference["metrics"])


def answer_lines(
    results: Mapping[str, Any], difference: Mapping[str, Any], seconds: float, every: bool = False
) -> tuple[str, list[Block]]:
    """Return a title and the blocks of a difference for a terminal; every: with all metrics."""
    title, result = _opening(results, difference, seconds)
    title = with_title(title)
    if is_identical(difference):
        return title, result
    lines, tables = list[tuple[str, str]](), list[Block]()
    for group, rows in by_group(_comparable_metrics(difference)):
        lines.append((say(group.title), _line(rows[0])))
        tables += [
            Paragraph(with_title(say(group.title), say(group.about))),
            changes_table(rows, ""),
        ]
    if every:
        return title, [*result, *tables, Items(_besides(results, difference))]
    return title, [*result, Paragraph(say("One figure of each kind:")), Items(lines)]


def answer_blocks(
    results: Mapping[str, Any], difference: Mapping[str, Any], seconds: float
) -> tuple[str, list[Block]]:
    """Return a title and the blocks of a difference for a page."""
    title, result = _opening(results, difference, seconds, large=True)
    if is_identical(difference):
        return title, result
    titles, base = titles_of(results), results["variants"][0]["name"]
    overview = tiles(difference, (titles[base], titles[difference["variant"]]), seconds)
    result += [overview] if overview else []
    for group, rows in by_group(_comparable_metrics(difference)):
        of = with_title(say(group.title), _line(rows[0]))
        result.append(
            Details(of, [Paragraph(say(group.about)), metrics_table(rows, say(group.title))])
        )
    extras = _besides(results, difference)
    return title, [*result, *([Details(say("Also"), [Items(extras)])] if extras else [])]


def _opening(
    results: Mapping[str, Any], difference: Mapping[str, Any], seconds: float, large: bool = False
) -> tuple[str, list[Block]]:
    """Return the title of a difference, the primary metric and the answers; large: see `Items`."""
    titles = titles_of(results)
    base, name = results["variants"][0]["name"], difference["variant"]
    items = [("", text) for text in answers(difference, seconds)]
    title = say("{variant} instead of {base}", variant=titles[name], base=titles[base])
    return title, [*_primary(results, difference), Items(items, large)]


def _comparable_metrics(difference: Mapping[str, Any]) -> list[Row]:
    rows = difference["metrics"]
    return [row for row in rows if row["difference"] is not None and not is_nowhere(row)]


def _line(row: Row) -> str:
    values = {"what": words(row), "both": both_values(row), "change": change(row)}
    return say("{what}: {both}, {change}", **values)


def _primary(results: Mapping[str, Any], difference: Mapping[str, Any]) -> Iterator[Block]:
    for row in difference["metrics"]:
        if row["metric"] == results["comparison"]["primary"]:
            yield Paragraph(tell_primary(row))


def _besides(
    results: Mapping[str, Any], difference: Mapping[str, Any]
) -> list[tuple[str, str | Sequence[str]]]:
    """Return the parts that only one of the variants has, and the agreement of their rankings."""
    titles, rows = titles_of(results), difference["metrics"]
    base, name = results["variants"][0]["name"], difference["variant"]
    result: list[tuple[str, str | Sequence[str]]] = []
    for verdict, text, tell in (
        (ABSENT, "only in {variant}", metric_subject),
        (UNSEEN, "with a figure only in {variant}", metric_words),
    ):
        for side, variant in (("base", base), ("other", name)):
            subjects = [tell(r["metric"]) for r in rows if r["verdict"] == verdict and r[side]]
            if subjects:
                names = one_by_one(dict.fromkeys(subjects))
                result.append((say(text, variant=titles[variant]), names))
    if difference["agreement"] is not None:
        result.append(("", tell_agreement(difference["agreement"])))
    return result


def metrics_table(rows: Sequence[Row], caption: str, margins: bool = False) -> TableBlock:
    """Return a table of metrics with both values, the difference and the verdict.

    margins: also with what matters.
    """
    columns = ["what", "base", "variant", "difference, with its interval", "verdict"]
    cells = []
    for row in rows:
        estimate, margin, kind = row["difference"], row["margin"], row["kind"]
        texts = [
            words(row),
            *(estimate_text(kind, row[side], row["metric"]) for side in ("base", "other")),
        ]
        texts.append("" if estimate is None else change(row))
        if margins:
            texts.append("" if margin is None else _margin(kind, margin))
        verdict = TableCell(verdict_words(row), look="" if row["verdict"] != DIFFERS else "sure")
        cells.append([*map(TableCell, texts), verdict])
    if margins:
        columns.insert(-1, "margin")
    titles = [say(name) for name in columns]
    return TableBlock(caption, titles, cells, (0, len(columns) - 1), titled=not margins)


def _margin(kind: str, margin: float) -> str:
    return figure(margin, ".4g") if kind != "share" else figure(100 * margin, "g") + say(" in 100")
