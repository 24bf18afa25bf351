"""A sweep over parameters as a part of a page: each metric, cell by cell of the grid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from trutdsl.report.figures.forest import ALIKE, Interval, draw_forest
from trutdsl.report.html.blocks import Block, Paragraph
from trutdsl.report.html.cells import estimate_text, plot
from trutdsl.report.language import say, tell_again
from trutdsl.report.sweep import SHOWN


def sweep_title(results: Mapping[str, Any]) -> str:
    """Return what is swept, as a title."""
    names = ", ".join(axis["name"] for axis in results["sweep"]["axes"])
    return say("{variant} by {names}", variant=results["variants"][0]["name"], names=names)


def sweep_blocks(results: Mapping[str, Any]) -> Iterator[Block]:
    """Yield a plot for each metric that is shown, with a line for each cell."""
    variants = {variant["name"]: variant["metrics"] for variant in results["variants"]}
    cells = [
        (", ".join(f"{name} = {x}" for name, x in cell["values"].items()), variants[cell["name"]])
        for cell in results["sweep"]["cells"]
    ]
    yield Paragraph(say("Each with its 95 % interval; all cells play the same sets of deals."))
    for number, name in enumerate(SHOWN):
        rows = [(label, m) for label, metrics in cells for m in metrics if m["metric"] == name]
        if rows:
            lines = [_line(label, metric) for label, metric in rows]
            words = tell_again(rows[0][1]["words"])
            about = say("an interval for each of {many} cells", many=len(lines))

            def draw(wide: bool, lines: list[Interval] = lines, words: str = words) -> Any:
                return draw_forest(lines, words, wide)

            yield plot(f"sweep{number}", words, about, draw)


def _line(label: str, metric: Mapping[str, Any]) -> Interval:
    mean = metric["mean"]
    low, high = (mean if metric[end] is None else metric[end] for end in ("low", "high"))
    data = {name: metric[name] for name in ("metric", "mean", "low", "high")}
    return Interval(label, estimate_text(metric["kind"], metric), mean, low, high, ALIKE, data)
