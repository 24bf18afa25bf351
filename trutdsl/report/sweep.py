"""Sweeps told in words: a table for each metric, and which reading of a rule matters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from textwrap import wrap
from typing import Any

from trutdsl.report.compared import (
    DIFFERS,
    IDENTICAL,
    LITTLE,
    OPEN,
    Row,
    change,
    claim,
    how_made,
    setting,
    unit_of,
    weight,
    words,
)
from trutdsl.report.comparison import WIDTH
from trutdsl.report.language import say, tell_again, titled
from trutdsl.report.wording import shown

SHOWN = ("length.deals", "first_dealer", "dealer", "skill")
MOST = 5  # differences of a reading
SWEPT = (
    "Values have 95 % intervals, each by itself; behind them stands the difference from {variant}. "
    "All cells play the same sets of deals."
)


def shown_metrics(results: Mapping[str, Any]) -> dict[str, str]:
    """Return the metrics of a sweep that were asked for, or some, with their words."""
    known = {m["metric"]: m["words"] for v in results["variants"] for m in v["metrics"]}
    wanted = results["given"]["metrics"] or SHOWN
    return {name: tell_again(known[name]) for name in wanted if name in known}


def cell_estimates(results: Mapping[str, Any], metric: str) -> dict[tuple[str, ...], Any]:
    """Return a metric by the values of a cell, None where it says nothing there."""
    variants = {variant["name"]: variant["metrics"] for variant in results["variants"]}
    return {
        tuple(cell["values"].values()): next(
            (m for m in variants[cell["name"]] if m["metric"] == metric), None
        )
        for cell in results["sweep"]["cells"]
    }


def sweep_lines(results: Mapping[str, Any]) -> Iterator[str]:
    """Yield a table for each metric that was asked for, or for some."""
    many, asked = len(results["sweep"]["cells"]), results["comparison"]
    yield say(
        "{variant}, {setting}; {many} cells",
        variant=results["variants"][0]["name"],
        setting=setting(asked),
        many=many,
    )
    yield from wrap(claim(asked), WIDTH)
    for name, text in shown_metrics(results).items():
        yield ""
        yield text
        yield from _table(results, name)
    yield ""
    yield from wrap(say(SWEPT, variant=results["variants"][0]["name"]), WIDTH)
    yield from wrap(how_made(asked), WIDTH)


def cell_changes(results: Mapping[str, Any], metric: str) -> dict[tuple[str, ...], str]:
    """Return what is said of the difference of each cell from the variant itself."""
    rows = {
        difference["variant"]: row
        for difference in results["differences"]
        for row in difference["metrics"]
        if row["metric"] == metric and row["difference"] is not None
    }
    return {
        tuple(cell["values"].values()): f"{change(row)}, {say(row['verdict'])}"
        for cell in results["sweep"]["cells"]
        if (row := rows.get(cell["name"])) is not None
    }


def _table(results: Mapping[str, Any], metric: str) -> Iterator[str]:
    """Yield a block of rows for each combination of all axes but the first."""
    axes, cells = results["sweep"]["axes"], cell_estimates(results, metric)
    changes = cell_changes(results, metric)
    first, rest = axes[0], axes[1:]
    width = max(len(text) for text in first["values"])
    widest = max(len(cell_text(cell)) for cell in cells.values())
    for others in product(*(axis["values"] for axis in rest)):
        if others:
            pairs = zip(rest, others, strict=True)
            yield "  " + ", ".join(f"{axis['name']} = {text}" for axis, text in pairs)
        for text in first["values"]:
            key = (text, *others)
            line = f"    {first['name']} = {text:{width}}  {cell_text(cells[key]):{widest}}"
            yield f"{line}  {changes.get(key, '')}".rstrip()


def cell_text(estimate: Mapping[str, Any] | None) -> str:
    if estimate is None:
        return "-"
    return shown(estimate, unit_of(estimate["kind"]))


def ambiguity_lines(results: Mapping[str, Any]) -> Iterator[str]:
    """Yield what each other reading of an unclear rule changes, those that matter most first."""
    yield f"{results['variants'][0]['name']}, {setting(results['comparison'])}"
    yield from wrap(claim(results["comparison"]), WIDTH)
    for reading, rows in by_weight(results):
        yield ""
        yield from wrap(
            titled(reading_name(reading), reading["help"]), WIDTH, subsequent_indent="  "
        )
        clear = clear_rows(rows)
        yield f"  {titled(verdict_on(rows)) if clear else verdict_on(rows)}"
        for row in clear[:MOST]:
            yield f"    {titled(words(row), change(row))}"
        if len(clear) > MOST:
            yield f"    {say('and {more} more', more=len(clear) - MOST)}"
    yield ""
    yield from wrap(how_made(results["comparison"]), WIDTH)


def by_weight(results: Mapping[str, Any]) -> list[tuple[Mapping[str, Any], Sequence[Row]]]:
    """Return every reading with its differences from the default, what matters most first."""
    rows = {d["variant"]: d["metrics"] for d in results["differences"]}
    found = [(reading, rows[reading["name"]]) for reading in results["readings"]]

    def most(one: tuple[Mapping[str, Any], Sequence[Row]]) -> float:
        return max(map(weight, clear_rows(one[1])), default=0)

    return sorted(found, key=most, reverse=True)


def reading_name(reading: Mapping[str, Any]) -> str:
    """Return which value is read instead of which."""
    return say(
        "{parameter} = {value} instead of {default}",
        **{name: reading[name] for name in ("parameter", "value", "default")},
    )


def clear_rows(rows: Sequence[Row]) -> list[Row]:
    """Return what differs by more than matters, the farthest beyond it first."""
    return sorted((r for r in rows if r["verdict"] == DIFFERS), key=weight, reverse=True)


def verdict_on(rows: Sequence[Row]) -> str:
    """Return in words whether a reading matters."""
    verdicts = {row["verdict"] for row in rows}
    if DIFFERS in verdicts:
        return say("it matters")
    if IDENTICAL in verdicts:
        return say("it never came up: not one deal went differently")
    if OPEN in verdicts:
        many = sum(row["verdict"] == OPEN for row in rows)
        return say(
            "no difference that matters was found; {many} things are not told apart", many=many
        )
    if LITTLE in verdicts:
        return say("it changes a little, less than matters")
    return say("it changes nothing")
