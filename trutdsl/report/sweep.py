"""Sweeps and ambiguities as blocks: metrics over a grid, and effects of other readings of rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from trutdsl.language import mark, one_by_one, say, say_count, with_title
from trutdsl.report.answers import titles_of
from trutdsl.report.blocks import (
    ALIKE,
    Block,
    ChartPoint,
    Curve,
    Forest,
    Heading,
    Interval,
    Items,
    Paragraph,
    Plot,
    Section,
    TableBlock,
    TableCell,
    ends_of,
    heat,
    matrix,
    text_rows,
)
from trutdsl.report.comparison_text import (
    claim,
    has_intervals,
    method_words,
    setting,
    tell_small,
    tell_some,
)
from trutdsl.report.labels import (
    ABSENT,
    DIFFERS,
    IDENTICAL,
    LITTLE,
    OPEN,
    UNKNOWN,
    UNSEEN,
    Row,
    change,
    changes_table,
    clear_rows,
    estimate_text,
    in_words_of,
    metric_words,
    setting_words,
    verdict_words,
    weight,
)
from trutdsl.report.terminal import text_lines

DEFAULT_METRICS = ("length.deals", "first_dealer", "dealer", "skill")
MOST = 5  # reported differences of a reading
SWEPT = mark("Behind a value stands the difference from {variant}.")
WITH_INTERVALS = mark("Values have 95 % intervals, each by itself.")
SAME_PACK = mark("All cells play the same sets of deals.")
SEVERAL_PACKS = mark(
    "Cells with the same pack play the same sets of deals; another pack has others."
)

Cells = Mapping[tuple[str, ...], Any]
Axes = Sequence[Mapping[str, Any]]


def shown_metrics(results: Mapping[str, Any]) -> dict[str, str]:
    """Return the requested metrics of a sweep, or the default ones, with their words.

    Those without a figure in any cell are left out.
    """
    cells = {cell["name"] for cell in results["sweep"]["cells"]}
    known = {m["metric"] for v in results["variants"] if v["name"] in cells for m in v["metrics"]}
    names = results["given"]["metrics"] or DEFAULT_METRICS
    return {name: metric_words(name) for name in names if name in known}


def _without_figures(results: Mapping[str, Any]) -> Iterator[Block]:
    """Yield which requested metrics have no figure."""
    shown = shown_metrics(results)
    for name in results["given"]["metrics"] or ():
        if name not in shown:
            text = (
                "{what}: no figure. In these cells it never came up, or the other of two answers "
                "has the figure."
            )
            yield Paragraph(say(text, what=metric_words(name)))


def cell_estimates(results: Mapping[str, Any], metric: str) -> dict[tuple[str, ...], Any]:
    """Return a metric by the values of a cell, None without data."""
    variants = {variant["name"]: variant["metrics"] for variant in results["variants"]}
    return {
        tuple(cell["values"].values()): next(
            (m for m in variants[cell["name"]] if m["metric"] == metric), None
        )
        for cell in results["sweep"]["cells"]
    }


def cell_text(estimate: Mapping[str, Any] | None) -> str:
    """Return the value of a cell with its interval."""
    return (
        "-"
        if estimate is None
        else estimate_text(estimate["kind"], estimate, estimate.get("metric", ""))
    )


def cell_changes(results: Mapping[str, Any], metric: str) -> dict[tuple[str, ...], str]:
    """Return the difference of each cell from the unchanged variant, in words."""
    rows = {
        difference["variant"]: row
        for difference in results["differences"]
        for row in difference["metrics"]
        if row["metric"] == metric and row["difference"] is not None
    }
    return {
        tuple(cell["values"].values()): f"{change(row)}, {verdict_words(row)}"
        for cell in results["sweep"]["cells"]
        if (row := rows.get(cell["name"])) is not None
    }


def sweep_lines(results: Mapping[str, Any]) -> Iterator[str]:
    """Return a table for each requested or default metric, as lines of text."""
    with in_words_of(results):
        return text_lines(list(_sweep_sections(results)))


def _sweep_sections(results: Mapping[str, Any]) -> Iterator[Section]:
    comparison, name = results["comparison"], _base_title(results)
    cells = say_count(len(results["sweep"]["cells"]), "{number} cell", "{number} cells")
    text = one_by_one([f"{name}, {setting(comparison)}", cells])
    yield Section("", "", [Paragraph(text), Paragraph(claim(comparison)), _axes(results)])
    for metric, title in shown_metrics(results).items():
        yield Section("", title, list(_cell_tables(results, metric)))
    swept = say(SWEPT, variant=name)
    method = [Paragraph(f"{swept} {_about_cells(results)}"), Paragraph(method_words(comparison))]
    yield Section("", "", [*_without_figures(results), *method])


def _about_cells(results: Mapping[str, Any]) -> str:
    """Return sentences on the intervals of values, if there are any, and on the deals of cells."""
    same = all(variant["same_pack"] for variant in results["variants"])
    sentences = [say(SAME_PACK if same else SEVERAL_PACKS)]
    if results["comparison"]["clusters"] > 1:
        sentences.insert(0, say(WITH_INTERVALS))
    return " ".join(sentences)


def _base_title(results: Mapping[str, Any]) -> str:
    return titles_of(results)[results["variants"][0]["name"]]


def _axes(results: Mapping[str, Any]) -> Items:
    """Return what each swept parameter decides, with its values."""
    axes = results["sweep"]["axes"]
    values = {
        axis["name"]: [_value(axis["name"], text) for text in axis["values"]] for axis in axes
    }
    return Items([("", with_title(_decides(name), _in_line(of))) for name, of in values.items()])


def _in_line(values: Sequence[str]) -> str:
    return one_by_one(values) if any("," in one for one in values) else ", ".join(values)


def _decides(name: str) -> str:
    return setting_words(name, "")[0]


def _value(name: str, text: str) -> str:
    return setting_words(name, text)[1]


def _cell_tables(results: Mapping[str, Any], metric: str) -> Iterator[Block]:
    (first, *rest), cells = results["sweep"]["axes"], cell_estimates(results, metric)
    changes = cell_changes(results, metric)
    for others in product(*(axis["values"] for axis in rest)):
        pairs = zip(rest, others, strict=True)
        title = one_by_one(with_title(_decides(axis["name"]), _value(axis["name"], text))
                           for axis, text in pairs)  # fmt: skip
        if title:
            yield Items([("", title)])
        rows = []
        for text in first["values"]:
            at = (text, *others)
            rows.append((_value(first["name"], text), cell_text(cells[at]), changes.get(at, "")))
        yield TableBlock(title, (), text_rows(rows))


def sweep_title(results: Mapping[str, Any]) -> str:
    names = one_by_one(_decides(axis["name"]) for axis in results["sweep"]["axes"])
    return with_title(_base_title(results), names)


def readings_title(results: Mapping[str, Any]) -> str:
    return say("What is unclear in {variant}", variant=_base_title(results))


def sweep_blocks(results: Mapping[str, Any]) -> Iterator[Block]:
    """Yield each metric: a curve, a map of two parameters, or a line for each cell.

    A curve if one parameter takes numbers.
    """
    axes = results["sweep"]["axes"]
    yield _axes(results)
    yield Paragraph(_about_cells(results))
    for number, (name, title) in enumerate(shown_metrics(results).items()):
        cells = cell_estimates(results, name)
        key = f"sweep{number}"
        if len(axes) == 2:
            yield _map(axes, cells, title)
        elif len(axes) == 1 and len(cells) > 1 and all(_is_number(x) for x in axes[0]["values"]):
            yield _curve(axes[0]["name"], cells, title, key)
        else:
            yield _lines(axes, cells, title, key)
    yield from _without_figures(results)


def _curve(name: str, cells: Cells, title: str, key: str) -> Block:
    points = []
    for (at,), metric in cells.items():
        if metric is not None:
            text = with_title(_value(name, at), cell_text(metric))
            points.append(ChartPoint(float(at), *ends_of(metric), text, _data(metric)))
    description = say("a value for each cell, with its interval if it has one")
    share = any(point.data["kind"] == "share" for point in points)
    return Plot(key, title, description, Curve(points, _decides(name), share))


def _map(axes: Axes, cells: Cells, title: str) -> Block:
    known = [ends_of(metric) for metric in cells.values() if metric is not None]
    means = [mean for mean, _, _ in known]
    # Colours span the values, and at least twice the widest interval.
    middle = (min(means) + max(means)) / 2
    reach = max([max(means) - middle, *(high - low for _, low, high in known)])
    row_axis, column_axis = axes

    def cell(metric: Mapping[str, Any] | None) -> TableCell:
        if metric is None:
            return TableCell("-")
        return TableCell(cell_text(metric), heat(metric["mean"], middle - reach, middle + reach))

    rows = [
        (
            _value(row_axis["name"], row),
            [cell(cells[row, column]) for column in column_axis["values"]],
        )
        for row in row_axis["values"]
    ]
    text = "{metric}; down: {rows}; across: {columns}"
    caption = say(
        text, metric=title, rows=_decides(row_axis["name"]), columns=_decides(column_axis["name"])
    )
    return matrix(
        caption, ["", *(_value(column_axis["name"], of) for of in column_axis["values"])], rows
    )


def _lines(axes: Axes, cells: Cells, title: str, key: str) -> Block:
    lines = []
    for values, metric in cells.items():
        if metric is not None:
            pairs = zip(axes, values, strict=True)
            name = ", ".join(_value(axis["name"], x) for axis, x in pairs)
            data = _data(metric)
            lines.append(Interval(name, cell_text(metric), *ends_of(metric), ALIKE, data))
    description = say("a value for each cell, with its interval if it has one")
    return Plot(key, title, description, Forest(lines, title))


def _data(metric: Mapping[str, Any]) -> dict[str, Any]:
    return {name: metric[name] for name in ("metric", "kind", "mean", "low", "high")}


def _is_number(text: str) -> bool:
    try:
        return abs(float(text)) < float("inf")
    except ValueError:
        return False


def ambiguity_lines(results: Mapping[str, Any]) -> Iterator[str]:
    """Return the effects of each other reading of an unclear rule, the most important first."""
    with in_words_of(results):
        return text_lines(list(_reading_sections(results)))


def _reading_sections(results: Mapping[str, Any]) -> Iterator[Section]:
    comparison = results["comparison"]
    title = f"{_base_title(results)}, {setting(comparison)}"
    yield Section("", "", [Paragraph(title), Paragraph(claim(comparison))])
    for reading, rows in by_weight(results):
        lines = list(tell_some(clear_rows(rows), MOST))
        item = (verdict_on(rows), lines) if lines else ("", verdict_on(rows))
        yield Section("", reading_name(reading), [Items([item])])
    yield Section("", "", [Paragraph(method_words(comparison))])


def reading_blocks(results: Mapping[str, Any]) -> Iterator[Block]:
    """Yield whether each other reading matters, and its effects, the most important first."""
    readings = by_weight(results)
    yield Heading(say("Which reading matters?"))
    yield Items([(reading_name(reading), verdict_on(of)) for reading, of in readings])
    for reading, of in readings:
        clear = clear_rows(of)
        if not clear:
            continue
        yield Heading(reading_name(reading))
        yield changes_table(clear, reading_name(reading))


def by_weight(results: Mapping[str, Any]) -> list[tuple[Mapping[str, Any], Sequence[Row]]]:
    """Return every reading with its differences from the default, the most important first."""
    rows = {d["variant"]: d["metrics"] for d in results["differences"]}
    result = [(reading, rows[reading["name"]]) for reading in results["readings"]]

    def most(one: tuple[Mapping[str, Any], Sequence[Row]]) -> float:
        return max(map(weight, clear_rows(one[1])), default=0)

    return sorted(result, key=most, reverse=True)


def reading_name(reading: Mapping[str, Any]) -> str:
    """Return what is unclear, a reading of it and the default that it replaces."""
    name = reading["parameter"]
    text, value = setting_words(name, reading["value"], reading["help"])
    default = _value(name, reading["default"])
    return with_title(text, say("{value} instead of {default}", value=value, default=default))


def verdict_on(rows: Sequence[Row]) -> str:
    """Return whether a reading matters, in words."""
    verdicts = {row["verdict"] for row in rows}
    if DIFFERS in verdicts:
        return say("it matters")
    if IDENTICAL in verdicts:
        return say("it never came up: all deals went the same")
    if not has_intervals(rows):
        return say("no interval, so that nothing can be said")
    if many := sum(row["verdict"] in (OPEN, UNKNOWN) for row in rows):
        return say_count(
            many,
            "no relevant difference was found; {number} metric is undecided",
            "no relevant difference was found; {number} metrics are undecided",
        )
    if LITTLE in verdicts and not verdicts & {UNSEEN, ABSENT}:
        return say("it changes something, but less than the margin")
    return tell_small(rows)
