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
    listed,
    two_values,
    weight,
    words,
)
from trutdsl.report.language import figure, one_by_one, say

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
        parts.append(
            say(
                text,
                what=one_by_one(f"{words(row)}, {change(row)}" for row in unknown[:MOST_TOLD]),
            )
        )
    return " ".join(parts)


def _does(by_name: Mapping[str, Row], clear: Sequence[Row]) -> Iterator[str]:
    """Yield what changes most: how long a match is, if that does, and what is farthest beyond.

    Other lengths and spreads are told where nothing else changes.
    """
    length = by_name.get(LENGTH)
    first = [length] if length is not None and length["verdict"] == DIFFERS else []
    others = [row for row in clear if row["metric"].partition(".")[0] not in ("length", "spread")]
    for row in ([*first, *others] or clear)[:MOST_TOLD]:
        one, other = two_values(row)
        text = "{words}, from {one} to {other}, by {change}"
        yield say(text, words=words(row), one=one, other=other, change=change(row))


NOT_CHOSEN = {  # whether every answer was taken at random
    False: "{variant}: where '{question}' is asked, {names} never chose on purpose: {options}",
    True: "{variant}: where '{question}' is asked, {names} took any answer, at random, always",
}
AT_RANDOM = "{names} took any answer, at random, at: {questions}"
SELDOM = 0.01  # of a script's answers to a question: fewer taken at random are not told


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
            text = NOT_CHOSEN[one["at_random"]]
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
    """Yield who took any answer at which questions, in all variants; what is said already, not.

    Behind a question stands how many of the answers there, unless it is all of them.
    """
    told = {
        (one["question"], name)
        for variant in variants
        for one in variant["unknown"]
        if one["at_random"]
        for name in one["strategies"]
    }
    sums = dict[tuple[str, str], tuple[int, int]]()
    for one in (one for variant in variants for one in variant["at_random"]):
        key = one["question"], one["strategy"]
        answers, taken = sums.get(key, (0, 0))
        sums[key] = answers + one["answers"], taken + one["at_random"]
    labels = dict[str, list[str]]()
    for (question, name), (answers, taken) in sums.items():
        if (question, name) not in told and taken >= SELDOM * answers:
            text = "{question}" if taken == answers else "{question} ({taken} of {answers})"
            many = {"taken": figure(taken, ",d"), "answers": figure(answers, ",d")}
            labels.setdefault(say(text, question=question, **many), []).append(name)
    found = dict[tuple[str, ...], list[str]]()
    for label, who in labels.items():
        found.setdefault(tuple(who), []).append(label)
    for names, questions in found.items():
        yield say(AT_RANDOM, names=listed(names), questions=", ".join(questions))
