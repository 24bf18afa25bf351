"""What an organiser asks of a tournament: who won, by how much, how sure, and how long it lasts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from trutdsl.language import figure, mark, say, say_count
from trutdsl.options import SECONDS
from trutdsl.report.answers import MINUTE, ONE_SET
from trutdsl.report.blocks import Tile, Tiles, ends_of
from trutdsl.report.rounding import (
    counted_matches,
    format_estimate,
    format_of,
    limits,
    name_metric,
    name_score,
    round_as_shown,
)
from trutdsl.stats.design import MATCHES, SINGLE
from trutdsl.stats.estimate import LEAST
from trutdsl.stats.sequential import BOUNDARY

ONE_SET_EACH = mark("Each meeting is one set of deals only: no interval and no test are possible.")
MOST_ANSWERS, MOST_PAIRS, MOST_BARS = 5, 3, 6


def tournament_answers(results: Mapping[str, Any], seconds: float = SECONDS) -> list[str]:
    """Return at most five sentences on a tournament; seconds: that a choice takes at a table."""
    result = [*_first(results), *plain_verdict(results), *_close(results), *_circle(results)]
    result = [*result, *_length(results, seconds), *_seats(results)][:MOST_ANSWERS]
    if results["run"]["drawn"] and results["manifest"]["metric"] == MATCHES.name:
        result[0] += " " + say("A drawn match counts as half a win.")
    return result


def _first(results: Mapping[str, Any]) -> Iterator[str]:
    """Yield who comes first, with the score.

    The interval allows for the choice of the first; folders of earlier versions have that of its
    score alone. In rounds, scores of unlike meetings mean little. After a sequential test, its own
    sentences say what is known.
    """
    first, stop = results["standings"][0], results["stop"]
    if stop is not None and "test" in stop:
        return
    meetings = results["manifest"]["meetings"]
    if results["run"]["sets"] < meetings.get("sets", 0):
        yield say("Nobody comes first: the first round is not over.")
        return
    if "rounds" in meetings:
        points = figure(first["points"], "g")
        text = "{name} comes first. Points: {points}."
        equal = [r["strategy"] for r in results["standings"][1:] if r["points"] == first["points"]]
        if equal:
            text = (
                "{name} comes first. Points: {points}, as {names}: the points of the opponents "
                "decide, then the margin, then a lot."
            )
        if equal and results["standings"][1]["place"] == 1:  # a knock-out that is not over
            equal.insert(0, first["strategy"])
            text = "Nobody comes first alone: {names} have the same points, {points}."
        names = ", ".join(equal)
        yield say(text, name=first["strategy"], points=points, names=names)
        return
    equal = [r for r in results["standings"] if r["score"]["mean"] == first["score"]["mean"]]
    score = _score_in_hundred(
        results["run"].get("first_score", first["score"]), results["standings"]
    )
    if len(equal) > 1:
        names = ", ".join(r["strategy"] for r in equal)
        text = "Nobody comes first alone: {names} have the same score, {score} {what}."
        yield say(text, names=names, score=score, what=name_score(results["manifest"]))
        return
    text = "{name} comes first, with {score} {what}."
    yield say(text, name=first["strategy"], score=score, what=name_score(results["manifest"]))


def _in_hundred(score: Mapping[str, Any], places: int) -> dict[str, float | None]:
    """Return a score of 100, first rounded as in the table of standings, so that both agree."""
    values = ((end, score[end]) for end in ("mean", "low", "high"))
    return {end: None if x is None else 100 * round_as_shown(x, places) for end, x in values}


def places_of_scores(standings: Sequence[Mapping[str, Any]]) -> int:
    """Return the number of decimals of all scores in the table of standings."""
    return int(format_of(row["score"] for row in standings).partition(".")[2][0])


def _score_in_hundred(score: Mapping[str, Any], standings: Sequence[Mapping[str, Any]]) -> str:
    if score["low"] is None:
        return format_estimate(score, scale=100)
    places = places_of_scores(standings)
    form, ends = f",.{max(0, places - 2)}f", _in_hundred(score, places)
    return f"{figure(ends['mean'] or 0.0, form)} ({limits(ends, form)})"


# The matches that compare two strategies: all, if only the two play; those in which the two met;
# all matches of each, which may all be against the same one.
THE_TWO, MEETINGS, FIELD, AGAINST = "the two", "meetings", "field", "against"
VERDICTS = {  # by whether the difference is significant
    THE_TWO: {
        False: mark("{best} and {second} cannot be told apart: {amount}."),
        True: mark("{best} is better than {second}: {amount}."),
    },
    MEETINGS: {
        False: mark("{best} and {second} cannot be told apart by their meetings: {amount}."),
        True: mark("{best} is better than {second} in their meetings: {amount}."),
    },
    FIELD: {
        False: mark("{best} and {second} cannot be told apart against the whole field: {amount}."),
        True: mark("{best} is better than {second} against the whole field: {amount}."),
    },
    AGAINST: {
        False: mark("{best} and {second} cannot be told apart against {common}: {amount}."),
        True: mark("{best} is better than {second} against {common}: {amount}."),
    },
}


def plain_verdict(results: Mapping[str, Any]) -> Iterator[str]:
    """Yield one plain sentence on the two best strategies, once there are two sets."""
    best, second = (row["strategy"] for row in results["standings"][:2])
    contrasts = [c for c in results["contrasts"] if {c["first"], c["second"]} == {best, second}]
    if not contrasts:
        text = "{best} did not meet {second}, who comes second, so that they are not compared."
        if results["standings"][1]["place"] == 1:
            text = "{best} did not meet {second}, so that they are not compared."
        yield say(text, best=best, second=second)
        return
    contrast = contrasts[0]
    difference, stop = contrast["difference"], results["stop"]
    if stop is not None and "test" in stop:
        yield _test_verdict(stop, len(results["standings"]) > 2)
        sentences = list(_after_test(stop, results["manifest"]))
        yield from sentences
        if sentences and contrasts_are_of(results) == THE_TWO:
            return  # the sentence of the test has the same difference
    if difference["low"] is None:
        return
    turn = 1 if contrast["first"] == best else -1
    if turn * difference["mean"] < 0:  # in rounds, the first need not be ahead of the next
        best, second, turn = second, best, -turn
    low, high = sorted(100 * turn * difference[end] for end in ("low", "high"))
    form = format_of([difference], "+f", 100).removeprefix("+")
    amount = say(
        "{mean} {what} more ({low} to {high})",
        mean=figure(abs(100 * difference["mean"]), form),
        what=name_metric(results["manifest"]),
        low=figure(low, form),
        high=figure(high, form),
    )
    matches, common = contrasts_are_of(results), results["manifest"]["meetings"].get("against")
    if matches == AGAINST and common in (best, second):
        matches = MEETINGS  # this one meets all others
    text = VERDICTS[matches][contrast["separated"]]
    yield say(text, best=best, second=second, common=common, amount=amount)


def is_significant(contrast: Mapping[str, Any]) -> bool | None:
    """Return whether a difference is significant, None without an interval.

    In results of earlier versions it is not significant without an interval, either.
    """
    separated: bool | None = contrast["separated"]
    return separated or (None if contrast["difference"]["low"] is None else separated)


def contrasts_are_of(results: Mapping[str, Any]) -> str:
    """Return which matches compare two strategies, one of the four above."""
    meetings = results["manifest"]["meetings"]
    if len(results["standings"]) == 2:
        return THE_TWO
    return MEETINGS if "rounds" in meetings else AGAINST if "against" in meetings else FIELD


def _test_verdict(stop: Mapping[str, Any], others: bool) -> str:
    """Return the result of a sequential test; others: more than two strategies met."""
    first, second = stop["test"]
    low, high = stop["bounds"]
    text = {
        "better": "{first} is better than {second}",
        "not better": "{first} is not better than {second} by {margin}",
        "open": "it is not decided whether {first} is better than {second}",
    }[stop["says"]]
    whole = "{said} (sequential test, ratio {ratio}, bounds {low} and {high})."
    if others:
        whole = (
            "In their own matches {said} (sequential test, ratio {ratio}, bounds {low} and {high})."
        )
    ratio = stop["ratio"]
    sentence = say(
        whole,
        said=say(text, first=first, second=second, margin=figure(stop["margin"], "g")),
        ratio=say("none") if ratio is None else figure(ratio, ".2f"),
        low=figure(low, ".2f"),
        high=figure(high, ".2f"),
    )
    if stop["says"] == "open":
        sentence = sentence[:1].upper() + sentence[1:]  # no name stands first
    if stop["says"] == "open" and ratio is not None and not low < ratio < high:
        text = "The test looks after every {every} sets, and the run ended between two looks."
        sentence += " " + say(text, every=BOUNDARY)
    return sentence


def _after_test(stop: Mapping[str, Any], manifest: Mapping[str, Any]) -> Iterator[str]:
    difference, elo = stop["difference"], stop["normalized_elo"]
    if difference["low"] is None:
        return
    text = "{first} less {second}, allowing for when the test ends: {amount} {what}"
    sentence = say(
        text,
        first=stop["test"][0],
        second=stop["test"][1],
        amount=format_estimate(difference, "+f", 100),
        what=name_metric(manifest),
    )
    if elo is not None:
        sentence += say("; normalized Elo {elo}", elo=format_estimate(elo, "+f"))
    yield f"{sentence}." + _interval_note(stop)


def _interval_note(stop: Mapping[str, Any]) -> str:
    """Return what the interval says beyond the test, or why it contains what the test rejects.

    A blank comes before it. The test errs to one side, in 5 % of runs; the interval does in 2.5 %
    to either side.
    """
    difference = stop["difference"]
    if stop["says"] != "better" and difference["low"] * difference["high"] > 0:
        first, second = stop["test"]
        best, other = (first, second) if difference["low"] > 0 else (second, first)
        text = "The interval excludes 0: in these matches {best} is better than {other}."
        return " " + say(text, best=best, other=other)
    if stop["says"] == "better" and difference["low"] <= 0:
        value = 0.0
    elif stop["says"] == "not better" and difference["high"] >= stop["margin"]:
        value = stop["margin"]
    else:
        return ""
    text = (
        "The interval contains {rejected}: it is two-sided, with 2.5 % to either side. The test is "
        "one-sided, with an error of 5 %."
    )
    return " " + say(text, rejected=figure(100 * value, "g"))


def _close(results: Mapping[str, Any]) -> Iterator[str]:
    """Yield who cannot be told apart beyond the first two, or that intervals are missing."""
    run, contrasts = results["run"], results["contrasts"]
    if run["sets"] == run["rounds"]:
        yield say(ONE_SET if run["sets"] == 1 else ONE_SET_EACH)
        return
    names = [row["strategy"] for row in results["standings"]]
    compared = {frozenset((c["first"], c["second"])): is_significant(c) for c in contrasts}
    differ = {two for two, separated in compared.items() if separated}
    pairs = [two for two in combinations(names, 2) if frozenset(two) in compared]
    met = len(pairs) < len(names) * (len(names) - 1) // 2  # not all pairs did
    close = [two for two in pairs if frozenset(two) not in differ]
    if len(names) == 2:
        return
    if None in compared.values():
        text = (
            "Nothing can be said on the other pairs: a run with a test has intervals from {least} "
            "sets on."
        )
        if contrasts_are_of(results) == FIELD:
            text = (
                "Nothing can be said on who is better against the whole field: a run with a test "
                "has intervals from {least} sets on."
            )
        yield say(text, least=LEAST)
    elif close and "test" in (results["stop"] or {}) and contrasts_are_of(results) == FIELD:
        text = (
            "Against the whole field {close} of {pairs} pairs cannot be told apart; the ranks "
            "below leave them open."
        )
        yield say(text, close=len(close), pairs=len(pairs))
    elif not differ:
        text = "No two of them can be told apart; more deals may decide it."
        if met:
            text = "No two that met can be told apart; more deals may decide it."
        yield say(text)
    elif not close:
        text = "All others can be told apart, too, each from each."
        if met:
            text = "All others that met can be told apart, too, each from each."
        yield say(text)
    elif len(close) > MOST_PAIRS:
        text = "{close} of {pairs} pairs cannot be told apart; the ranks below leave them open."
        if met:
            text = (
                "{close} of {pairs} pairs that met cannot be told apart; the ranks below leave "
                "them open."
            )
        yield say(text, close=len(close), pairs=len(pairs))
    elif others := [two for two in close if two != tuple(names[:2])]:
        text = "Not told apart, so that more deals may decide it: {pairs}."
        phrases = (say("{one} and {other}", one=one, other=other) for one, other in others)
        yield say(text, pairs=", ".join(phrases))
    else:
        text = "Every other two can be told apart."
        if met:
            text = "Every other two that met can be told apart."
        yield say(text)


def _circle(results: Mapping[str, Any]) -> Iterator[str]:
    cycles, text = results["field"]["cycles"], "{one} beats {other}"
    if not cycles:
        return
    if results["manifest"]["metric"] != MATCHES.name:
        text = "{one} has more than {other}"
    pairs = zip(cycles[0], [*cycles[0][1:], cycles[0][0]], strict=True)
    steps = ", ".join(say(text, one=one, other=other) for one, other in pairs)
    sentence = say("There is no consistent order: {steps}, each significantly.", steps=steps)
    if len(cycles) > 1:
        more = say_count(len(cycles) - 1, "cycle", "cycles")
        sentence += " " + say("There are {cycles} more, in results.json.", cycles=more)
    yield sentence


PLAYED = (
    "The {matches} played took {choices} choices each: {minutes} minutes at {seconds} s a choice."
)
ONE_DEAL = f"Between them a match has 1 deal. {PLAYED}"
MANY_DEALS = f"Between them a match has {{deals}} deals. {PLAYED}"


def _length(results: Mapping[str, Any], seconds: float) -> Iterator[str]:
    run, single = results["run"], results["manifest"]["mode"] == SINGLE
    matches = counted_matches(run["matches"], single)
    choices = run["decisions"] / max(1, run["matches"])
    values = {
        "matches": matches,
        "choices": figure(choices, ",.1f"),
        "seconds": figure(seconds, "g"),
        "minutes": figure(choices * seconds / MINUTE, ",.1f"),
    }
    if single:
        yield say(PLAYED, **values)
        return
    deals = format_estimate(run["deals_per_match"])
    sentence = say(ONE_DEAL if deals == "1" else MANY_DEALS, deals=deals, **values)
    if forfeited := sum(row["forfeited"] for row in results["standings"]):
        many = say_count(forfeited, "forfeited match", "forfeited matches")
        sentence += " " + say("This counts {many}, without deals.", many=many)
    yield sentence


def _seats(results: Mapping[str, Any]) -> Iterator[str]:
    """Yield whether the side of the first seat has more than the others, in two teams."""
    run, manifest = results["run"], results["manifest"]
    if manifest["metric"] != MATCHES.name or len(run["team_scores"]) != 2:
        return
    score = run["team_scores"][0]
    if score["low"] is None:
        return
    text = "No clear advantage of a seat: the side of the first seat wins {share} of the matches."
    if score["low"] > 0.5:
        text = "The first seat is an advantage: its side wins {share} of the matches."
    elif score["high"] < 0.5:
        text = "The first seat is a disadvantage: its side wins {share} of the matches."
    yield say(text, share=format_estimate(score, "%"))


def tournament_tiles(results: Mapping[str, Any]) -> Tiles:
    """Return scores, length of a match and the share of the first seat's side as tiles."""
    run, manifest = results["run"], results["manifest"]
    result = [_score_tile(results["standings"], name_score(manifest), manifest["metric"])]
    if manifest["mode"] != SINGLE:
        played = [row for row in results["standings"] if row["matches"]]
        rows = [(row["strategy"], row["deals_per_match"]) for row in played]
        result.append(make_tile("♥", say("Deals a match"), run["deals_per_match"], rows))
    if manifest["metric"] == MATCHES.name and len(run["team_scores"]) == 2:
        sides = [
            (say("side of seat {number}", number=number), score)
            for number, score in enumerate(run["team_scores"], 1)
        ]
        result.append(
            make_tile("♦", say("Won by the side of the first seat"), sides[0][1], sides, 1.0)
        )
    return Tiles(result)


Rows = Sequence[tuple[str, Mapping[str, Any]]]


def _score_tile(standings: Sequence[Mapping[str, Any]], what: str, metric: str) -> Tile:
    places = places_of_scores(standings)
    played = [row for row in standings if row["matches"]]
    rows = [(row["strategy"], _in_hundred(row["score"], places)) for row in played]
    title = say("{name}: {what}", what=what, name=rows[0][0])
    return make_tile("♠", title, rows[0][1], rows, 100.0 if metric == MATCHES.name else None)


def make_tile(
    sign: str, title: str, estimate: Mapping[str, Any], rows: Rows, most: float | None = None
) -> Tile:
    """Return a tile with a bar for each row; the figure is that of `estimate`.

    most: the end of the scale, by default that of the longest interval; 1.0 for shares.
    """
    form = format_of([estimate], "%" if most == 1 else "f")
    least = min(0.0, *(ends_of(of)[1] for _, of in rows))
    most = max(ends_of(of)[2] for _, of in rows) if most is None else most
    scale = 100 / ((most - least) or 1.0)
    bars = []
    for name, of in rows[:MOST_BARS]:
        mean, low, high = (scale * (end - least) for end in ends_of(of))
        bars.append((name, figure(of["mean"], form), mean, low, high))
    interval = "" if estimate["low"] is None else limits(estimate, form)
    return Tile(sign, title, figure(estimate["mean"], form), interval, "clear level", bars)
