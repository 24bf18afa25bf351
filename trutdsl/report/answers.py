"""Answers for an organiser from a comparison: length, fairness, luck, skill, boldness, comebacks.

Each answer follows from the simultaneous interval of its difference. It says more or less only if
the interval excludes 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from trutdsl.language import figure, mark, say
from trutdsl.report.blocks import Tile, Tiles, ends_of
from trutdsl.report.labels import (
    DIFFERS,
    IDENTICAL,
    Row,
    change,
    two_values,
    weight,
    word_for,
    words,
)

MINUTE = 60
ONE_SET = mark("This is one set of deals only: no interval and no test are possible.")
DEALS, DECISIONS = "length.deals", "length.decisions"
FIRST_DEALER, SKILL = "first_dealer", "skill"
MORE, LESS, UNCLEAR, UNKNOWN = 0, 1, 2, 3  # the place of a text in `SENTENCES`


@dataclass(frozen=True)
class Group:
    """Metrics that a player would name together; families: the first parts of their names.

    about: explains them in a sentence.
    """

    title: str
    about: str
    families: tuple[str, ...]


GROUPS = (
    Group(
        mark("Length"),
        mark("How many deals and choices a match has; a choice is an answer among two or more."),
        ("length", "spread"),
    ),
    Group(
        mark("Fairness"),
        mark("What the side that deals, leads or sits first wins; draws."),
        (FIRST_DEALER, "first_seat", "dealer", "leader", "draws"),
    ),
    Group(
        mark("Luck and skill"),
        mark(
            "Of all that decides a match: the part of the strategies, and that of the cards dealt."
        ),
        (SKILL, "deal_luck"),
    ),
    Group(
        mark("Boldness"),
        mark(
            "What is said how often, also with a weak hand, which beats fewer than 3 of 10; and "
            "how deals end."
        ),
        ("answer", "weak", "weak_wins", "ends", "stake", "tied_tricks"),
    ),
    Group(
        mark("Comebacks"),
        mark("How often the lead changes, and how far behind the winners were before."),
        ("comebacks", "held", "lead_changes", "deficit"),
    ),
)


def by_group(rows: Sequence[Row]) -> Iterator[tuple[Group, list[Row]]]:
    """Yield each group with its metrics; the first is the headline figure of the group."""
    for group in GROUPS:
        members = [row for row in rows if row["metric"].partition(".")[0] in group.families]
        members.sort(key=lambda row: group.families.index(row["metric"].partition(".")[0]))
        if members:
            yield group, members


def titles_of(results: Mapping[str, Any]) -> dict[str, str]:
    """Return the title of each variant by its name, with its parameters where titles are alike."""
    result = dict[str, str]()
    variants = results["variants"]
    for variant in variants:
        alike = sum(other["title"] == variant["title"] for other in variants) > 1
        _, _, settings = variant["name"].partition(":")
        title = word_for("titles", variant["variant"], variant["title"] or variant["name"])
        result[variant["name"]] = f"{title} ({settings})" if alike and settings else title
    if len(set(result.values())) < len(result):
        return {name: name for name in result}
    return result


def in_order(rows: Sequence[Row]) -> list[Row]:
    """Return rows by importance: the first one of each group, then the second ones, ..."""
    groups = [members for _, members in by_group(rows)]
    return [row for place in zip_longest(*groups) for row in place if row is not None]


def is_clear(row: Row) -> bool:
    """Tell whether the interval of a difference excludes 0."""
    result = row["difference"]
    return result["low"] is not None and result["low"] * result["high"] > 0


def answers(difference: Mapping[str, Any], seconds: float) -> Iterator[str]:
    """Yield at most five sentences on the effects of a variant; seconds: the time of a choice."""
    rows = {row["metric"]: row for row in difference["metrics"]}
    if any(row["verdict"] == IDENTICAL for row in rows.values()):
        yield say("Nothing changes in what was played: all deals go the same.")
        return
    rows = {name: row for name, row in rows.items() if row["difference"] is not None}
    for name, texts in SENTENCES.items():
        if name in rows and (name != DEALS or DECISIONS in rows):
            yield _sentence(rows[name], texts, rows.get(DECISIONS), seconds)
    yield from _boldness(list(rows.values()))
    others = [
        row
        for family in ("comebacks", "lead_changes", "held", "tied_tricks", "stake", "ends")
        for row in rows.values()
        if row["metric"].partition(".")[0] == family and row["verdict"] == DIFFERS
    ]
    if others:
        text = "Also: {what}, {other}{instead} ({change})."
        yield _fill(text, others[0])


HAS_DEALS = (
    "a match has {other} deals{instead} ({change}). At {seconds} s a choice it lasts {minutes} "
    "minutes{before} ({time})."
)
DEALS_A_MATCH = (
    "{other} deals a match{instead} ({change}). At {seconds} s a choice a match lasts {minutes} "
    "minutes{before} ({time})."
)
WINS = "wins {other} of the decided matches{instead} ({change})."
DECIDE = "the strategies decide {other} of the results{instead} ({change})."
# By metric: the text for more, for less, for no clear difference, and without an interval.
SENTENCES = {
    DEALS: (
        f"Longer: {HAS_DEALS}",
        f"Shorter: {HAS_DEALS}",
        f"No clear difference in length: {DEALS_A_MATCH}",
        f"Length, without an interval: {DEALS_A_MATCH}",
    ),
    FIRST_DEALER: (
        f"Better for who deals first: that side {WINS}",
        f"Worse for who deals first: that side {WINS}",
        f"No clear difference in fairness: the side that deals first {WINS}",
        f"Fairness, without an interval: the side that deals first {WINS}",
    ),
    SKILL: (
        f"More skill: {DECIDE}",
        f"More luck: {DECIDE}",
        f"No clear difference between luck and skill: {DECIDE}",
        f"Luck and skill, without an interval: {DECIDE}",
    ),
}

# If the deals of a match do not change as its time does: by the changes of deals and of time.
MORE_DEALS, FEWER_DEALS = f"More deals: {HAS_DEALS}", f"Fewer deals: {HAS_DEALS}"
UNLIKE_CHANGES = {
    (MORE, LESS): MORE_DEALS,
    (MORE, UNCLEAR): MORE_DEALS,
    (LESS, MORE): FEWER_DEALS,
    (LESS, UNCLEAR): FEWER_DEALS,
    (UNCLEAR, MORE): mark(
        "Longer in time: at {seconds} s a choice a match lasts {minutes} minutes{before} ({time}). "
        "No clear difference in deals: {other} a match{instead} ({change})."
    ),
    (UNCLEAR, LESS): mark(
        "Shorter in time: at {seconds} s a choice a match lasts {minutes} minutes{before} "
        "({time}). No clear difference in deals: {other} a match{instead} ({change})."
    ),
}


def _direction(row: Row) -> int:
    if row["difference"]["low"] is None:
        return UNKNOWN
    return UNCLEAR if not is_clear(row) else MORE if row["difference"]["mean"] > 0 else LESS


def _sentence(row: Row, texts: Sequence[str], choices: Row | None, seconds: float) -> str:
    text = texts[_direction(row)]
    if row["metric"] != DEALS or choices is None:
        return _fill(text, row)
    text = UNLIKE_CHANGES.get((_direction(row), _direction(choices)), text)
    old, minutes, in_minutes = _minutes(choices, seconds)
    old = _instead(old, minutes)
    values = {"seconds": figure(seconds, "g"), "before": old, "minutes": minutes}
    return _fill(text, row, **values, time=_difference(in_minutes))


def _fill(text: str, row: Row, **more: str) -> str:
    one, other = two_values(row, apart=is_clear(row))
    base_text = _instead(one, other)
    return say(
        text, what=words(row), other=other, instead=base_text, change=_difference(row), **more
    )


def _instead(one: str, other: str) -> str:
    """Return what stands behind the value of a variant: that of the base, if it reads otherwise."""
    return say(" in both") if one == other else say(" instead of {one}", one=one)


def _difference(row: Row) -> str:
    """Return a difference with its interval, for use within brackets."""
    mean, _, ends = change(row).rstrip(")").partition(" (")
    return say("difference {mean}, interval {ends}", mean=mean, ends=ends) if ends else mean


def _minutes(row: Row, seconds: float) -> tuple[str, str, Row]:
    """Return the minutes of a match by base and variant, and the row in minutes."""
    in_minutes = {**row, "kind": "number"}
    for name in ("base", "other", "difference"):
        ends = ((end, row[name][end]) for end in ("mean", "low", "high"))
        in_minutes[name] = {end: x if x is None else x * seconds / MINUTE for end, x in ends}
    one, other = two_values(in_minutes, apart=is_clear(row))
    return one, other, in_minutes


def _boldness(rows: Sequence[Row]) -> Iterator[str]:
    """Yield a sentence on the answer whose share changes most, or that none clearly does."""
    answer_rows = [row for row in rows if row["metric"].startswith(("answer.", "weak."))]
    clear = sorted(filter(is_clear, answer_rows), key=weight, reverse=True)
    if clear:
        text = "Less often: {what}, {other}{instead} ({change})."
        if clear[0]["difference"]["mean"] > 0:
            text = "More often: {what}, {other}{instead} ({change})."
        yield _fill(text, clear[0])
    elif answer_rows:
        text = "No clear difference in boldness: {what}, {other}{instead} ({change})."
        if _direction(answer_rows[0]) == UNKNOWN:
            text = "Boldness, without an interval: {what}, {other}{instead} ({change})."
        yield _fill(text, answer_rows[0])


def tiles(difference: Mapping[str, Any], titles: tuple[str, str], seconds: float) -> Tiles | None:
    """Return the figures of the first sentences as tiles; titles: of base and variant."""
    rows = {row["metric"]: row for row in difference["metrics"] if row["difference"] is not None}
    result = []
    for name, sign, title in (
        (DEALS, "♠", say("Deals a match")),
        (DECISIONS, "♥", say("Minutes at {seconds} s a choice", seconds=figure(seconds, "g"))),
        (FIRST_DEALER, "♦", say("Decided matches won by who deals first")),
        (SKILL, "♣", say("Decided by skill")),
    ):
        if name in rows:
            result.append(_tile(rows[name], sign, title, titles, seconds))
    return Tiles(result) if result else None


def _tile(row: Row, sign: str, title: str, titles: tuple[str, str], seconds: float) -> Tile:
    one, other = two_values(row)
    difference = change(row)
    if row["metric"] == DECISIONS:
        one, other, in_minutes = _minutes(row, seconds)
        difference = change(in_minutes)
    ends = [ends_of(row[side]) for side in ("base", "other")]
    most = 1.0 if row["metric"] == FIRST_DEALER else max(high for *_, high in ends) or 1.0
    look = "clear" if is_clear(row) else "unclear"
    bars = []
    for name, text, three in zip(titles, (one, other), ends, strict=True):
        mean, low, high = (100 * max(0.0, value) / most for value in three)
        bars.append((name, text, mean, low, high))
    return Tile(sign, title, other, difference, look, bars)
