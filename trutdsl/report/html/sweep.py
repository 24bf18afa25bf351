"""Sweeps and readings as parts of a page: each metric over the grid; what each reading changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trutdsl.report.compared import both_values, change, words
from trutdsl.report.figures.charts import ALIKE, ChartPoint, Interval, draw_curve, draw_forest
from trutdsl.report.html.blocks import Block, Heading, HtmlTable, Items, Paragraph, TableCell
from trutdsl.report.html.cells import estimate_text, heat, plot
from trutdsl.report.language import say, titled
from trutdsl.report.sweep import (
    by_weight,
    cell_estimates,
    cell_text,
    clear_rows,
    reading_name,
    shown_metrics,
    verdict_on,
)

Cells = Mapping[tuple[str, ...], Any]
Axes = Sequence[Mapping[str, Any]]


def sweep_title(results: Mapping[str, Any]) -> str:
    """Return what is swept, as a title."""
    names = ", ".join(axis["name"] for axis in results["sweep"]["axes"])
    return say("{variant} by {names}", variant=results["variants"][0]["name"], names=names)


def readings_title(results: Mapping[str, Any]) -> str:
    """Return whose readings they are, as a title."""
    return say("What is unclear in {variant}", variant=results["variants"][0]["name"])


def sweep_blocks(results: Mapping[str, Any]) -> Iterator[Block]:
    """Yield each metric that is shown: a curve, a map of two parameters, or a line for each cell.

    A curve where one parameter takes numbers.
    """
    axes = results["sweep"]["axes"]
    yield Paragraph(say("Each with its 95 % interval; all cells play the same sets of deals."))
    for number, (name, told) in enumerate(shown_metrics(results).items()):
        cells = cell_estimates(results, name)
        key = f"sweep{number}"
        if len(axes) == 2:
            yield _map(axes, cells, told)
        elif len(axes) == 1 and len(cells) > 1 and all(_is_number(x) for x in axes[0]["values"]):
            yield _curve(axes[0]["name"], cells, told, key)
        else:
            yield _lines(axes, cells, told, key)


def _curve(name: str, cells: Cells, told: str, key: str) -> Block:
    points = [
        ChartPoint(
            float(at), *_ends(metric), titled(f"{name} = {at}", cell_text(metric)), _data(metric)
        )
        for (at,), metric in cells.items()
        if metric is not None
    ]
    about = say("an interval for each of {many} cells", many=len(points))
    share = any(point.data["kind"] == "share" for point in points)
    return plot(key, told, about, lambda wide: draw_curve(points, name, share, wide))


def _map(axes: Axes, cells: Cells, told: str) -> Block:
    """Return a table with the first parameter downwards and the second one across, coloured."""
    known = [_ends(metric) for metric in cells.values() if metric is not None]
    means = [mean for mean, _, _ in known]
    # Colours reach as far as the values, but not to where an interval would reach as well.
    middle = (min(means) + max(means)) / 2
    reach = max([max(means) - middle, *(high - low for _, low, high in known)])
    down, across = axes
    rows = [
        [
            TableCell(f"{down['name']} = {row}"),
            *(
                TableCell("-")
                if (metric := cells[row, column]) is None
                else TableCell(
                    cell_text(metric), heat(metric["mean"], middle - reach, middle + reach)
                )
                for column in across["values"]
            ),
        ]
        for row in down["values"]
    ]
    columns = ["", *(f"{across['name']} = {column}" for column in across["values"])]
    return HtmlTable(told, columns, rows, matrix=True)


def _lines(axes: Axes, cells: Cells, told: str, key: str) -> Block:
    names = [axis["name"] for axis in axes]
    lines = [
        Interval(
            ", ".join(f"{n} = {x}" for n, x in zip(names, values, strict=True)),
            estimate_text(metric["kind"], metric),
            *_ends(metric),
            ALIKE,
            _data(metric),
        )
        for values, metric in cells.items()
        if metric is not None
    ]
    about = say("an interval for each of {many} cells", many=len(lines))
    return plot(key, told, about, lambda wide: draw_forest(lines, told, wide))


def _ends(metric: Mapping[str, Any]) -> tuple[float, float, float]:
    mean = metric["mean"]
    low, high = (mean if metric[end] is None else metric[end] for end in ("low", "high"))
    return mean, low, high


def _data(metric: Mapping[str, Any]) -> dict[str, Any]:
    return {name: metric[name] for name in ("metric", "kind", "mean", "low", "high")}


def _is_number(text: str) -> bool:
    try:
        return abs(float(text)) < float("inf")
    except ValueError:
        return False


def reading_blocks(results: Mapping[str, Any]) -> Iterator[Block]:
    """Yield whether each other reading matters, and what it changes, what matters most first."""
    found = by_weight(results)
    yield Heading(say("Which reading matters?"))
    yield Items([(reading_name(reading), verdict_on(of)) for reading, of in found])
    for reading, of in found:
        clear = clear_rows(of)
        if not clear:
            continue
        yield Heading(reading_name(reading))
        yield Paragraph(reading["help"])
        columns = ("what", "base -> variant", "difference, with its interval")
        cells = [
            [TableCell(words(row)), TableCell(both_values(row)), TableCell(change(row))]
            for row in clear
        ]
        caption = reading_name(reading)
        yield HtmlTable(caption, [say(name) for name in columns], cells, titled=True, stacked=True)
