"""A comparison in a few sentences: what a variant does, what it does not, by whom it is played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trutdsl.report.compared import (
    DIFFERS,
    IDENTICAL,
    LITTLE,
    OPEN,
    SAME,
    Row,
    change,
    leaves_out_zero,
    listed,
    value,
    weight,
    words,
)
from trutdsl.report.language import one_by_one, say

LENGTH = "length.deals"
# What a table asks first, of what does not change or is not known.
ASKED = ("length.deals", "first_dealer", "dealer", "leader", "skill", "length.decisions")
MOST_TOLD = 2


def conclusion(difference: Mapping[str, Any], strategies: Sequence[str]) -> str:
    """Return in words what a variant does, with intervals, what it does not, what is not known."""
    name, rows = difference["variant"], difference["metrics"]
    if any(row["verdict"] == IDENTICAL for row in rows):
        return say("In short: {variant} changes nothing in these deals.", variant=name)
    by_name = {row["metric"]: row for row in rows}
    clear = sorted((r for r in rows if r["verdict"] == DIFFERS), key=weight, reverse=True)
    parts = []
    who = listed(strategies)
    if clear:
        text = "In short, played by {strategies}: {variant} changes {what}."
        parts.append(
            say(text, strategies=who, variant=name, what=one_by_one(_does(by_name, clear)))
        )
    else:
        text = "In short, played by {strategies}: nothing that matters was found to differ."
        parts.append(say(text, strategies=who))
    same = [by_name[n] for n in ASKED if n in by_name and by_name[n]["verdict"] in (SAME, LITTLE)]
    if same:
        text = "As far as it matters it does not change: {what}."
        parts.append(say(text, what=one_by_one(map(words, same[:MOST_TOLD]))))
    unknown = [by_name[n] for n in ASKED if n in by_name and by_name[n]["verdict"] == OPEN]
    if unknown:
        text = "It is not known yet whether it changes: {what}."
        parts.append(say(text, what=one_by_one(map(_open, unknown[:MOST_TOLD]))))
    return " ".join(parts)


def _does(by_name: Mapping[str, Row], clear: Sequence[Row]) -> Iterator[str]:
    """Yield what changes most: how long a match is, if that does, and what is farthest beyond.

    Other lengths and spreads are told where nothing else changes.
    """
    length = by_name.get(LENGTH)
    first = [length] if length is not None and length["verdict"] == DIFFERS else []
    others = [row for row in clear if row["metric"].partition(".")[0] not in ("length", "spread")]
    for row in ([*first, *others] or clear)[:MOST_TOLD]:
        one, other = (value(row["kind"], row[side]["mean"]) for side in ("base", "other"))
        text = "{words}, from {one} to {other}, by {change}"
        yield say(text, words=words(row), one=one, other=other, change=change(row))


def _open(row: Row) -> str:
    """Return what is not known, and its interval, which may leave out 0 for all that."""
    if leaves_out_zero(row):
        text = "{words}, {change}, which differs by itself"
        return say(text, words=words(row), change=change(row))
    return f"{words(row)}, {change(row)}"


NOT_KNOWN = {  # whether any answer is taken, and whether it is a single strategy
    (False, True): "{variant}: where '{question}' is asked, {names} never means to say: {options}",
    (False, False): "{variant}: where '{question}' is asked, {names} never mean to say: {options}",
    (True, True): "{variant}: where '{question}' is asked, {names} knows no answer and takes any",
    (True, False): "{variant}: where '{question}' is asked, {names} know no answer and take any",
}

ANY = {  # whether it is a single strategy
    True: "{names} takes any answer, at random, at: {questions}",
    False: "{names} take any answer, at random, at: {questions}",
}


def remarks(results: Mapping[str, Any]) -> Iterator[str]:
    """Yield what to know before a comparison is believed: at which table, and by whom it is played.

    Whether another number of players was possible and none was named; what the strategies have not
    learnt.
    """
    asked, given = results["comparison"], results["given"]
    if given["players"] is None and asked["tables"]:
        yield say(
            "Played by {players}, as no number was named; for {others} it may be otherwise: "
            "--players {first}",
            players=asked["players"],
            others=", ".join(map(str, asked["tables"])),
            first=4 if 4 in asked["tables"] else asked["tables"][0],
        )
    for variant in results["variants"]:
        for one in variant["unknown"]:
            names, options = listed(one["strategies"]), ", ".join(one["options"])
            text = NOT_KNOWN[one["at_random"], len(one["strategies"]) == 1]
            yield say(
                text, variant=variant["name"], question=one["question"], names=names,
                options=options,
            )  # fmt: skip
    yield from _at_random(results["variants"])
    if any(variant["unknown"] for variant in results["variants"]):
        yield say(
            "What a rule does with players who know how to play it may be something else; a script "
            "of your own can say how (docs/strategies.md)"
        )


def _at_random(variants: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield who takes any answer at which questions; of what is said already, nothing."""
    told = {
        (one["question"], name)
        for variant in variants
        for one in variant["unknown"]
        if one["at_random"]
        for name in one["strategies"]
    }
    found = dict[tuple[str, ...], list[str]]()
    for variant in variants:
        for one in variant["at_random"]:
            for question in one["questions"]:
                who = tuple(name for name in one["strategies"] if (question, name) not in told)
                told |= {(question, name) for name in who}
                if who:
                    found.setdefault(who, []).append(question)
    for who, questions in found.items():
        text = ANY[len(who) == 1]
        yield say(text, names=listed(who), questions=", ".join(questions))
