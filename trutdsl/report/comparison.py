"""Comparisons of variants told in words: what differs, what is the same, what is not known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any

from trutdsl.report.compared import (
    Row,
    both_values,
    change,
    claim,
    headline,
    how_made,
    is_nowhere,
    played,
    setting,
    tell_difference,
    tell_points,
    tell_together,
    words,
)
from trutdsl.report.conclusion import conclusion, remarks
from trutdsl.report.language import one_by_one, say, titled
from trutdsl.report.ranks import TITLE, tell_ranks

MOST = 12  # metrics that are told one by one
MOST_OF_POINT = 3
WIDTH = 100


def comparison_lines(results: Mapping[str, Any], every: bool = False) -> Iterator[str]:
    """Yield a comparison as lines to read; every: all metrics one by one."""
    yield titled(headline(results), setting(results["comparison"]))
    yield from wrap(claim(results["comparison"]), WIDTH)
    for variant in results["variants"]:
        yield f"  {played(variant)}"
    for text in remarks(results):
        yield from wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ")
    for difference in results["differences"]:
        yield ""
        yield from _difference_lines(difference, results, every)
        told = conclusion(difference, list(results["comparison"]["strategies"]))
        yield ""
        yield from wrap(told, WIDTH, initial_indent="  ", subsequent_indent="  ")
    ranks = list(tell_ranks(results))
    if ranks:
        yield ""
        yield titled(say(TITLE))
    for text in ranks:
        yield from wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ")
    yield ""
    yield from wrap(how_made(results["comparison"]), WIDTH)


def _difference_lines(
    difference: Mapping[str, Any], results: Mapping[str, Any], every: bool
) -> Iterator[str]:
    """Yield what is said of one variant."""
    base, primary = results["variants"][0]["name"], results["comparison"]["primary"]
    told = tell_difference(difference, base, primary)
    yield told.headline
    if told.primary is not None:
        yield from wrap(told.primary, WIDTH, initial_indent="  ", subsequent_indent="    ")
    yield from _table(told.clear if every else told.clear[:MOST])
    if not every:
        yield from _also(say("and"), map(words, told.clear[MOST:]))
    for title, rows in (told.others or {}).items():
        if every and rows:
            yield f"  {titled(title)}"
            yield from _table(rows)
        else:
            yield from _also(title, (words(row) for row in rows if not is_nowhere(row)))
    for title, names in (told.only or {}).items():
        yield from _also(title, names)
    if told.agreement is not None:
        yield f"  {told.agreement}"
    if told.others is not None and difference["points"]:
        yield from _point_lines(difference)


def _point_lines(difference: Mapping[str, Any]) -> Iterator[str]:
    """Yield what each point of the variant does alone."""
    yield ""
    text = "Which rule does it? Each point of {variant} alone:"
    yield f"  {say(text, variant=difference['variant'])}"
    for point in tell_points(difference):
        yield from wrap(point.title, WIDTH, initial_indent="    ", subsequent_indent="      ")
        if point.remark is not None:
            yield f"      {point.remark}"
        for row in point.clear[:MOST_OF_POINT]:
            yield f"      {titled(words(row), change(row))}"
        if len(point.clear) > MOST_OF_POINT:
            yield f"      {say('and {more} more', more=len(point.clear) - MOST_OF_POINT)}"
    for text in tell_together(difference):
        yield from wrap(text, WIDTH, initial_indent="    ", subsequent_indent="      ")


def _table(rows: Sequence[Row]) -> Iterator[str]:
    width = max([len(words(row)) for row in rows], default=0)
    for row in rows:
        yield f"    {words(row):{width}}  {both_values(row):19}  {change(row)}"


def _also(title: str, found: Iterator[str] | Sequence[str]) -> Iterator[str]:
    """Yield the words of metrics behind a title, in lines."""
    text = one_by_one(found)
    if text:
        yield from wrap(titled(title, text), WIDTH, initial_indent="  ", subsequent_indent="    ")
