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
    change,
    how_made,
    value,
    weight,
)
from trutdsl.report.comparison import WIDTH

SHOWN = ("length.deals", "first_dealer", "dealer", "skill")


def sweep_lines(results: Mapping[str, Any], wanted: Sequence[str]) -> Iterator[str]:
    """Yield a table for each metric that is wanted, or for some."""
    grid, variants = results["sweep"], {v["name"]: v for v in results["variants"]}
    base = results["variants"][0]
    words = {m["metric"]: m["words"] for v in variants.values() for m in v["metrics"]}
    axes = grid["axes"]
    asked = results["comparison"]
    yield (
        f"{base['name']}, {asked['players']} players, {', '.join(asked['strategies'])}; "
        f"{len(grid['cells'])} cells of {asked['sets']:,} sets of deals, seed {asked['seed']}"
    )
    for name in [name for name in wanted or SHOWN if name in words]:
        yield ""
        yield words[name]
        yield from _table(name, axes, grid["cells"], variants)
    yield ""
    yield from wrap(
        "Each with its 95 % interval, by itself; all cells play the same sets of deals.", WIDTH
    )


def _table(
    metric: str,
    axes: Sequence[Mapping[str, Any]],
    cells: Sequence[Mapping[str, Any]],
    variants: Mapping[str, Any],
) -> Iterator[str]:
    """Yield a block of rows for each combination of all axes but the first."""
    found = {tuple(cell["values"].values()): variants[cell["name"]] for cell in cells}
    first, rest = axes[0], axes[1:]
    width = max(len(text) for text in first["values"])
    for others in product(*(axis["values"] for axis in rest)):
        if others:
            pairs = zip(rest, others, strict=True)
            yield "  " + ", ".join(f"{axis['name']} = {text}" for axis, text in pairs)
        for text in first["values"]:
            of_cell = found[(text, *others)]["metrics"]
            estimate = next((m for m in of_cell if m["metric"] == metric), None)
            yield f"    {first['name']} = {text:{width}}  {_estimate(estimate)}"


def _estimate(estimate: Mapping[str, Any] | None) -> str:
    if estimate is None:
        return "-"
    scale, unit = (100, "%") if estimate["kind"] == "share" else (1, "")
    if estimate["low"] is None:
        return value(estimate["kind"], estimate["mean"])
    mean, low, high = (scale * estimate[end] for end in ("mean", "low", "high"))
    digits = next((d for d in range(6) if high - low >= 2 * 10**-d), 6)
    return f"{mean:.{digits}f}{unit} ({low:.{digits}f} to {high:.{digits}f})"


def ambiguity_lines(results: Mapping[str, Any]) -> Iterator[str]:
    """Yield what each other reading of an unclear rule changes, those that matter most first."""
    asked, base = results["comparison"], results["variants"][0]
    yield (
        f"{base['name']}, {asked['players']} players, {', '.join(asked['strategies'])}; "
        f"{asked['sets']:,} sets of deals, seed {asked['seed']}"
    )
    rows = {d["variant"]: d["metrics"] for d in results["differences"]}

    def most(reading: Mapping[str, Any]) -> float:
        return max((weight(r) for r in rows[reading["name"]] if r["verdict"] == DIFFERS), default=0)

    for reading in sorted(results["readings"], key=most, reverse=True):
        of = rows[reading["name"]]
        yield ""
        title = f"{reading['parameter']} = {reading['value']} instead of {reading['default']}"
        yield from wrap(f"{title}: {reading['help']}", WIDTH, subsequent_indent="  ")
        yield f"  {_verdict(of)}"
        clear = sorted((r for r in of if r["verdict"] == DIFFERS), key=weight, reverse=True)
        for row in clear[:5]:
            yield f"    {row['words']}: {change(row)}"
        if len(clear) > 5:
            yield f"    and {len(clear) - 5} more"
    yield ""
    yield from wrap(how_made(asked), WIDTH)


def _verdict(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return in words whether a reading matters."""
    verdicts = {row["verdict"] for row in rows}
    if DIFFERS in verdicts:
        return "it matters:"
    if IDENTICAL in verdicts:
        return "it never came up: not one deal went differently"
    if OPEN in verdicts:
        open_ = sum(row["verdict"] == OPEN for row in rows)
        return f"no difference that matters was found; {open_} things are not told apart"
    return "it changes a little, less than matters" if LITTLE in verdicts else "it changes nothing"
