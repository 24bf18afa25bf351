"""How numbers are written for reading."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import isclose
from typing import Any

from trutdsl.report.language import figure, name_metric, say

# Rounding: every estimate is written with as many decimals as its interval bears out.

MOST = 6  # decimals
UNITS = 2  # half an interval is 2 to 19 units of the last decimal, so that it has 1 or 2 digits
PLAIN = 3  # decimals of a number that is known exactly, two fewer of 100
EXACT = 1e-9
LARGE = 1000
UNKNOWN = {"%": ".1%", "f": ",.3g"}  # where nothing is known of the error

Shown = Mapping[str, Any]


def form_of(estimates: Iterable[Shown | None], unit: str = "f", scale: float = 1) -> str:
    """Return the form in which estimates are written that stand side by side, for `figure`.

    unit: `%` for shares, `f` for other numbers; `+` before it writes a sign. scale: by what they
    are multiplied first. The narrowest interval decides. An end is not rounded to 0 where a sign
    is written and the interval leaves out 0. A number that is known exactly is written plainly.
    """
    sign, kind = unit[:-1], unit[-1]
    scale *= 100 if kind == "%" else 1
    known = [one for one in estimates if one is not None]
    unsure = [one for one in known if one["low"] is not None and one["high"] - one["low"] > EXACT]
    exact = [one["mean"] * scale for one in known if one["low"] is not None]
    if unsure:
        places = max(_places(one, scale, bool(sign)) for one in unsure)
    elif exact:
        most = PLAIN - 2 if kind == "%" else PLAIN
        places = max(_written_in_full(number, most) for number in exact)
    else:
        large = any(abs(one["mean"] * scale) >= LARGE for one in known)
        return sign + (",.0f" if large and kind == "f" else UNKNOWN[kind])
    return f"{sign},.{places}{kind}"


def shorter(form: str) -> str:
    """Return a form with a decimal less, if it has any."""
    head, _, tail = form.partition(".")
    return f"{head}.{max(0, int(tail[0]) - 1)}{tail[1:]}"


def _places(estimate: Shown, scale: float, signed: bool) -> int:
    low, high = (scale * estimate[end] for end in ("low", "high"))
    half = (high - low) / 2 + EXACT
    places = next((d for d in range(MOST) if half >= UNITS * 10**-d), MOST)
    if signed and low * high > 0:
        nearest = min(abs(low), abs(high))
        places = next((d for d in range(places, MOST) if round(nearest, d)), places)
    return places


def _written_in_full(number: float, most: int) -> int:
    """Return the least decimals that say a number whole, at most so many."""
    fits = (d for d in range(most) if isclose(round(number, d), number, abs_tol=EXACT))
    return next(fits, most)


# By which matches two strategies are compared: there are no others than those of the two; those in
# which the two met; those of each, with everybody.
THE_TWO, MEETINGS, FIELD = "the two", "meetings", "field"
VERDICTS = {  # whether they are separated
    THE_TWO: {
        False: "{best} and {second} are not separated: {amount}",
        True: "{best} is better than {second}: {amount}",
    },
    MEETINGS: {
        False: "{best} and {second} are not separated in their meetings: {amount}",
        True: "{best} is better than {second} in their meetings: {amount}",
    },
    FIELD: {
        False: "{best} and {second} are not separated against the whole field: {amount}",
        True: "{best} is better than {second} against the whole field: {amount}",
    },
}


def say_count(number: int, one: str, many: str) -> str:
    return f"{number} {say(one if number == 1 else many)}"


def shown(estimate: Mapping[str, Any], unit: str = "f", scale: float = 1) -> str:
    """Return mean and interval, rounded alike; unit and scale: see `form_of`."""
    form = form_of([estimate], unit, scale)
    mean = figure(scale * estimate["mean"], form)
    return mean if estimate["low"] is None else f"{mean} ({limits(estimate, form, scale)})"


def limits(estimate: Mapping[str, Any], form: str, scale: float = 1) -> str:
    """Return an interval in a form such as `.2f`, or that there is none."""
    if estimate["low"] is None:
        return say("none")
    low, high = (figure(scale * estimate[end], form) for end in ("low", "high"))
    return say("{low} to {high}", low=low, high=high)


def share_with_error(estimate: Mapping[str, Any]) -> str:
    """Return a share with its standard error in two digits."""
    mean, error = estimate["mean"], estimate["se"]
    form = form_of([{"mean": mean, "low": mean - error, "high": mean + error}])
    text = "{share}, standard error {error}"
    return say(text, share=figure(mean, form), error=figure(error, ".2g"))


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
        left = list(_after_test(stop, results["run"]["metric"]))
        yield from left
        if left and contrasts_are_of(results) == THE_TWO:
            return  # the same difference, told by the test itself
    if difference["low"] is None:
        return
    turn = 1 if contrast["first"] == best else -1
    if turn * difference["mean"] < 0:  # in rounds, who comes first need not be ahead of the next
        best, second, turn = second, best, -turn
    low, high = sorted(100 * turn * difference[end] for end in ("low", "high"))
    form = form_of([difference], "+f", 100).removeprefix("+")
    amount = say(
        "{mean} {what} more, {low} to {high}",
        mean=figure(abs(100 * difference["mean"]), form),
        what=name_metric(results["run"]["metric"]),
        low=figure(low, form),
        high=figure(high, form),
    )
    text = VERDICTS[contrasts_are_of(results)][contrast["separated"]]
    yield say(text, best=best, second=second, amount=amount)


def contrasts_are_of(results: Mapping[str, Any]) -> str:
    """Return which matches contrasts compare two strategies by, one of the three above."""
    if len(results["standings"]) == 2:
        return THE_TWO
    return MEETINGS if "rounds" in results["manifest"]["meetings"] else FIELD


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


def _after_test(stop: Mapping[str, Any], metric: str) -> Iterator[str]:
    """Yield what a sequential test leaves to estimate, which allows for when it ends."""
    found, elo = stop["difference"], stop["normalized_elo"]
    if found["low"] is None:
        return
    text = "{first} less {second}, allowing for when the test ends: {amount} {what}"
    told = say(
        text,
        first=stop["test"][0],
        second=stop["test"][1],
        amount=shown(found, "+f", 100),
        what=name_metric(metric),
    )
    if elo is not None:
        told += say("; normalized Elo {elo}", elo=shown(elo, "+f"))
    yield told


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
    return say_count(number, "deal", "deals") if single else say_count(number, "match", "matches")


# The crosstable: the mean score of each strategy against each other one.


def cross_scores(results: Mapping[str, Any]) -> dict[tuple[str, str], float]:
    """Return the mean score of the first against the second, for all that met, over all rounds."""
    points: dict[tuple[str, str], float] = {}
    matches: dict[tuple[str, str], int] = {}
    for pair in results["pairs"]:
        two, many = (pair["first"], pair["second"]), pair["matches"]
        for key, score in ((two, pair["score"]), (two[::-1], pair["second_score"])):
            points[key] = points.get(key, 0.0) + score["mean"] * many
            matches[key] = matches.get(key, 0) + many
    return {key: points[key] / matches[key] for key in points}


def cross_form(results: Mapping[str, Any]) -> str:
    """Return the form in which the scores of a crosstable are written, all alike."""
    return form_of(pair[of] for pair in results["pairs"] for of in ("score", "second_score"))
