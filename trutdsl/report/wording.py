"""How numbers are written for reading."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from trutdsl.report.language import figure, name_metric, say


def counted(number: int, one: str, many: str) -> str:
    """Return a number with its noun."""
    return f"{number} {say(one if number == 1 else many)}"


def shown(estimate: Mapping[str, Any], form: str) -> str:
    """Return mean and interval, all in the same form, such as `.2f`."""
    mean = figure(estimate["mean"], form)
    return mean if estimate["low"] is None else f"{mean} ({limits(estimate, form)})"


def limits(estimate: Mapping[str, Any], form: str) -> str:
    """Return an interval, or that there is none."""
    if estimate["low"] is None:
        return say("none")
    low, high = (figure(estimate[end], form) for end in ("low", "high"))
    return say("{low} to {high}", low=low, high=high)


def plain_verdict(results: Mapping[str, Any]) -> Iterator[str]:
    """Yield one plain sentence on the two best, once there are two sets."""
    best, second = (row["strategy"] for row in results["standings"][:2])
    found = [c for c in results["contrasts"] if {c["first"], c["second"]} == {best, second}]
    if not found:
        text = "{best} comes first; it did not meet {second}, so that they are not compared"
        yield say(text, best=best, second=second)
        return
    contrast = found[0]
    difference, stop = contrast["difference"], results["stop"]
    if stop is not None and "test" in stop:
        yield _test_verdict(stop, len(results["standings"]) > 2)
    if difference["low"] is None:
        return
    turn = 1 if contrast["first"] == best else -1
    if turn * difference["mean"] < 0:  # in rounds, who comes first need not be ahead of the next
        best, second, turn = second, best, -turn
    low, high = sorted(100 * turn * difference[end] for end in ("low", "high"))
    amount = say(
        "{mean} {what} more, {low} to {high}",
        mean=figure(abs(100 * difference["mean"]), ".1f"),
        what=name_metric(results["run"]["metric"]),
        low=figure(low, ".1f"),
        high=figure(high, ".1f"),
    )
    text = "{best} and {second} are not separated: {amount}"
    if contrast["separated"]:
        text = "{best} is better than {second}: {amount}"
    yield say(text, best=best, second=second, amount=amount)


def _test_verdict(stop: Mapping[str, Any], others: bool) -> str:
    """Return in a sentence what a sequential test says; others: whether more than two have met."""
    first, second = stop["test"]
    low, high = stop["bounds"]
    text = {
        "better": "{first} is better than {second}",
        "not better": "{first} is not better than {second} by {margin}",
        "open": "it is not decided whether {first} is better than {second}",
    }[stop["says"]]
    whole = "{said} (sequential test, ratio {ratio}, bounds {low} and {high})"
    if others:
        whole = (
            "in their own matches {said} (sequential test, ratio {ratio}, bounds {low} and {high})"
        )
    return say(
        whole,
        said=say(text, first=first, second=second, margin=figure(stop["margin"], "g")),
        ratio=say("none") if stop["ratio"] is None else figure(stop["ratio"], ".2f"),
        low=figure(low, ".2f"),
        high=figure(high, ".2f"),
    )


def spoken_time(seconds: float) -> str:
    """Return a time as a person says it, in the unit that fits."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 90 * 60:
        return f"{round(seconds / 60)} min"
    if seconds < 48 * 3600:
        return f"{figure(seconds / 3600, '.1f')} h"
    return say("{days} days", days=figure(seconds / 86400, ".1f"))


def counted_matches(number: int, single: bool) -> str:
    """Return so many matches in words; single: each is a deal by itself."""
    return counted(number, "deal", "deals") if single else counted(number, "match", "matches")
