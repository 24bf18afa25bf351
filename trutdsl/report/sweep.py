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
    how_made,
    setting,
    value,
    weight,
    words,
)
from trutdsl.report.comparison import WIDTH
from trutdsl.report.language import figure, say, tell_again, titled

SHOWN = ("length.deals", "first_dealer", "dealer", "skill")
ENDS = ("mean", "low", "high")
MOST = 5  # differences of a reading


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
    for name, text in shown_metrics(results).items():
        yield ""
        yield text
        yield from _table(results["sweep"]["axes"], cell_estimates(results, name))
    yield ""
    yield from wrap(
        say("Each with its 95 % interval, by itself; all cells play the same sets of deals."), WIDTH
    )


def _table(
    axes: Sequence[Mapping[str, Any]], cells: Mapping[tuple[str, ...], Any]
) -> Iterator[str]:
    """Yield a block of rows for each combination of all axes but the first."""
    first, rest = axes[0], axes[1:]
    width = max(len(text) for text in first["values"])
    for others in product(*(axis["values"] for axis in rest)):
        if others:
            pairs = zip(rest, others, strict=True)
            yield "  " + ", ".join(f"{axis['name']} = {text}" for axis, text in pairs)
        for text in first["values"]:
            yield f"    {first['name']} = {text:{width}}  {cell_text(cells[(text, *others)])}"


def cell_text(estimate: Mapping[str, Any] | None) -> str:
    """Return an estimate with as many decimals as its interval tells, and the interval."""
    if estimate is None:
        return "-"
    if estimate["low"] is None:
        return value(estimate["kind"], estimate["mean"])
    scale = 100 if estimate["kind"] == "share" else 1
    width = scale * (estimate["high"] - estimate["low"])
    digits = next((d for d in range(6) if width >= 2 * 10**-d), 6)
    mean, low, high = (figure(scale * estimate[end], f".{digits}f") for end in ENDS)
    unit = figure(0, ".0%").removeprefix("0") if scale == 100 else ""
    return f"{mean}{unit} ({say('{low} to {high}', low=low, high=high)})"


def ambiguity_lines(results: Mapping[str, Any]) -> Iterator[str]:
    """Yield what each other reading of an unclear rule changes, those that matter most first."""
    yield f"{results['variants'][0]['name']}, {setting(results['comparison'])}"
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
