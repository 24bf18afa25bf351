"""Comparisons of variants told in words: what differs, what is the same, what is not known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any

from trutdsl.report.compared import (
    DIFFERS,
    IDENTICAL,
    LITTLE,
    OPEN,
    SAME,
    Row,
    both_values,
    change,
    claim,
    headline,
    how_made,
    is_nowhere,
    listed,
    played,
    setting,
    tell_difference,
    tell_points,
    tell_together,
    two_values,
    weight,
    words,
)
from trutdsl.report.language import figure, one_by_one, say, tell_again, titled

# A comparison in a few sentences: what a variant does, what it does not, by whom it is played.

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


# Which of several variants has most, and which least, in words.

SEVERAL = 3  # variants; of two the difference says it all
TITLE = "Which has most? Every order holds, 95 times in 100 for all pairs of a line together"


def tell_ranks(results: Mapping[str, Any]) -> Iterator[str]:
    """Yield who has most and least of what a table asks first; nothing for fewer than three."""
    if len(results["variants"]) < SEVERAL:
        return
    rankings = {ranking["by"]: ranking for ranking in results["ranks"]}
    for name in ASKED:
        ranking = rankings.get(name)
        if ranking is None or len(ranking["variants"]) < SEVERAL:
            continue
        most, least = (_extreme(ranking, end) for end in ("best", "worst"))
        if len(most) == len(least) == len(ranking["variants"]):
            told = say("it may be any of them")
        else:
            told = say("most {most}; least {least}", most=_names(most), least=_names(least))
        yield say("{title}: {told}", title=tell_again(ranking["words"]), told=told)


def _extreme(ranking: Mapping[str, Any], end: str) -> list[str]:
    """Return the variants that can have the first rank (best), or the last (worst)."""
    variants = ranking["variants"]
    place = 1 if end == "best" else len(variants)
    return [variant["name"] for variant in variants if variant[end] == place]


def _names(names: Sequence[str]) -> str:
    return say("one of {names}", names=", ".join(names)) if len(names) > 1 else names[0]


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
