"""Sentences on a comparison of variants, for a terminal and for a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trutdsl.language import figure, mark, one_by_one, say, say_count, say_key, with_title
from trutdsl.report.answers import ONE_SET, in_order, titles_of
from trutdsl.report.labels import (
    ABSENT,
    BASE,
    DIFFERS,
    IDENTICAL,
    OPEN,
    PIECES,
    UNKNOWN,
    UNSEEN,
    Row,
    both_values,
    change,
    is_nowhere,
    point_title,
    verdict_words,
    word_for,
    words,
)
from trutdsl.report.rounding import counted_matches, format_of
from trutdsl.stats.multiplicity import FEWEST

MOST_TOGETHER, MOST_OF_POINT = 3, 3
METHOD = mark(
    "Intervals: 95 %, for all {many} figures together ({method}), on the same sets of deals "
    "in {clusters} clusters: all of them hold, 95 times in 100."
)
SCREENING_METHOD = mark(
    "Intervals: 95 %, on the same sets of deals in {clusters} clusters. Of the "
    "differences reported among {many} figures, and of their intervals, at most 5 in 100 "
    "are false on average (false discovery rate, Benjamini and Hochberg)."
)
SINGLE_METHOD = mark("Intervals: 95 %, on the same sets of deals in {clusters} clusters.")
VERDICT_RULE = mark(
    "A metric differs if its interval excludes 0. It is equivalent if its interval contains 0 and "
    "lies within the margin. The margin is {shares} in 100 for shares. For other numbers it is "
    "{numbers} in 100 of the lowest value in the base's interval. Differences are computed before "
    "rounding."
)
PRIMARY = mark("Primary metric, tested by itself: {words}: {both}, {change}: {verdict}")
UNTESTED = mark("Primary metric: {words}: {both}, {change}: {verdict}")
PLAIN_CLAIM = (
    "Everything below holds for play by {strategies}. Other strategies can give other results."
)
CLAIM = f"{PLAIN_CLAIM} All intervals of differences hold together, 95 times in 100."
PRIMARY_CLAIM = (
    f"{PLAIN_CLAIM} All intervals of differences but that of the primary metric hold together, 95 "
    "times in 100."
)
SIZE = "{variant}: {matches}, {deals}"
OTHER_PACK = f"{SIZE}; another pack, so that its deals are others"


def setting(comparison: Mapping[str, Any]) -> str:
    """Return players, strategies, sets and seed in words."""
    return say(
        "{players} players, {names}; {sets} of deals, seed {seed}",
        players=comparison["players"],
        names=", ".join(comparison["strategies"]),
        sets=say_count(comparison["sets"], "set", "sets"),
        seed=comparison["seed"],
    )


def claim(comparison: Mapping[str, Any]) -> str:
    """Return sentences on the strategies for which the results hold, and on the intervals."""
    single = comparison["sets"] == 1
    text = CLAIM if comparison["primary"] is None else PRIMARY_CLAIM
    text = PLAIN_CLAIM if comparison["screening"] or single else text
    sentence = say(text, strategies=join_names(list(comparison["strategies"])))
    return f"{sentence} {say(ONE_SET)}" if single else sentence


def size_of_run(variant: Mapping[str, Any], title: str) -> str:
    """Return the numbers of matches, deals and necessary sets of a variant."""
    text = SIZE if variant["same_pack"] else OTHER_PACK
    matches, deals = (counted_matches(variant[n], n == "deals") for n in ("matches", "deals"))
    sets, sentence = variant["sets_needed"], say(text, variant=title, matches=matches, deals=deals)
    if sets is None:
        return sentence
    if sets["low"] is None:
        return sentence + say("; the number of sets that separates two strategies is unknown")
    low = round(sets["low"])
    if sets["high"] is None:
        return sentence + say_count(
            low,
            "; {number} set or more separates two strategies",
            "; {number} sets or more separate two strategies",
        )
    high = round(sets["high"])
    if low == high:
        return sentence + say_count(
            low,
            "; {number} set separates two strategies",
            "; {number} sets separate two strategies",
        )
    numbers = {"low": figure(low, ",d"), "high": figure(high, ",d")}
    return sentence + say("; {low} to {high} sets separate two strategies", **numbers)


def tell_primary(row: Row) -> str:
    """Return the result for the metric that was declared beforehand."""
    if row["difference"] is None:
        return with_title(words(row), verdict_words(row))
    values = {"words": words(row), "both": both_values(row), "change": change(row)}
    text = UNTESTED if row["verdict"] in (UNKNOWN, IDENTICAL) else PRIMARY
    return say(text, **values, verdict=verdict_words(row))


def tell_points(difference: Mapping[str, Any]) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the effect of each point of the variant alone: its name, and sentences."""
    for point in difference["points"]:
        title = point_title(point)
        if point["shared"]:
            text = " (one point, as they share {names})"
            title += say(text, names=join_names(point["shared"]))
        if point["against"] != BASE:
            title += say(" (against {other})", other=say(PIECES[point["against"]]))
        yield title, list(_alone(point))


def _alone(point: Mapping[str, Any]) -> Iterator[str]:
    rows = point["metrics"]
    clear = [row for row in rows if row["verdict"] == DIFFERS]
    if point["why_not"]:
        yield say("means nothing alone: {why}", why=say_key(point["why_not"]))
    elif all(row["verdict"] in (IDENTICAL, ABSENT) for row in rows):
        yield say("never acted: all deals went the same")
    elif clear:
        yield from tell_some(in_order(clear), MOST_OF_POINT)
    elif not has_intervals(rows):
        yield say("no interval, so that nothing can be said")
    elif number := sum(row["verdict"] in (OPEN, UNKNOWN) and not is_nowhere(row) for row in rows):
        yield say("no relevant difference was found; {things} undecided", things=number)
    else:
        yield tell_small(rows)


def has_intervals(rows: Sequence[Row]) -> bool:
    """Return whether any difference has an interval, or none has figures of both variants."""
    return {row["verdict"] for row in rows} - {ABSENT, UNSEEN} != {UNKNOWN}


def tell_small(rows: Sequence[Row]) -> str:
    """Return what is known of differences of which none is larger than the margin."""
    if any(row["verdict"] in (UNSEEN, ABSENT) for row in rows):
        return say("no relevant difference, but only one of both has some of the figures")
    return say("any change is less than the margin")


def tell_some(rows: Sequence[Row], most: int) -> Iterator[str]:
    """Yield the changes of the first rows, and the number of further ones."""
    for row in rows[:most]:
        yield with_title(words(row), change(row))
    if len(rows) > most:
        yield say("and {more} more", more=len(rows) - most)


def tell_together(difference: Mapping[str, Any]) -> tuple[str, str | Sequence[str]] | None:
    """Return the interactions of the points with a title, in the order of `in_order`."""
    if all(row["difference"]["low"] is None for row in difference["together"]):
        return None
    clear = [row for row in difference["together"] if row["clear"]]
    if not clear:
        return "", say("These deals show no interaction of the points beyond the margin")
    lines = []
    for row in in_order(clear)[:MOST_TOGETHER]:
        alone, whole = ({**row, "difference": row[name]} for name in ("added", "whole"))
        text = "{words}: {whole}, where the points add up to {alone}; interaction {beyond}"
        values = {"words": words(row), "whole": change(whole), "alone": change(alone)}
        lines.append(say(text, beyond=change(row), **values))
    if len(clear) > MOST_TOGETHER:
        lines.append(say("and {more} more", more=len(clear) - MOST_TOGETHER))
    return say("The points interact: together they change more or less than their sum"), lines


def method_words(comparison: Mapping[str, Any]) -> str:
    """Return the method of intervals and verdicts in words."""
    margins, clusters = comparison["margins"], comparison["clusters"]
    if clusters < 2:
        return say("Intervals and verdicts need two sets of deals or more.")
    shares, numbers = (figure(100 * margins[name], "g") for name in ("shares", "numbers"))
    size = comparison["family"]["size"]
    text = SCREENING_METHOD if comparison["screening"] else METHOD
    text = text if size > 1 else SINGLE_METHOD
    sentence = say(
        text,
        many=figure(size, ",d"),
        method="max-t" if clusters >= FEWEST else say("Bonferroni"),
        clusters=clusters,
    )
    text = VERDICT_RULE
    sentence = f"{sentence} {say(text, shares=shares, numbers=numbers)}"
    if own := [f"{name} {figure(margin, 'g')}" for name, margin in margins["by_name"].items()]:
        text = "Metrics with margins of their own: {metrics}."
        sentence += f" {say(text, metrics=one_by_one(own))}"
    return sentence


def join_names(names: Sequence[str]) -> str:
    *others, last = names
    return say("{others} and {last}", others=", ".join(others), last=last) if others else last


def tell_agreement(agreement: Mapping[str, Any]) -> str:
    form = format_of([agreement])
    return say(
        "how alike the strategies are ranked: {mean} ({low} to {high}); 1 in the same order, "
        "-1 reversed",
        **{name: figure(agreement[name], form) for name in ("mean", "low", "high")},
    )


# The metrics that interest players most, among those without a clear change.
FIRST_METRICS = ("length.deals", "first_dealer", "dealer", "leader", "skill", "length.decisions")

NOT_CHOSEN = {  # by whether every answer was random
    False: "{variant}: where '{question}' is asked, {names} never chose on purpose: {options}",
    True: "{variant}: where '{question}' is asked, {names} always answered at random",
}
AT_RANDOM = "{names} answered at random at: {questions}"
SELDOM = 0.01  # of a script's answers to a question; a smaller random share is not reported


def remarks(results: Mapping[str, Any]) -> Iterator[str]:
    """Yield the limits of a comparison: the number of players, and gaps of the strategies."""
    comparison, request = results["comparison"], results["given"]
    if request["players"] is None and comparison["tables"]:
        text = (
            "Played with {players} players, the default. With {others} players, results can differ."
        )
        yield say(
            text, players=comparison["players"], others=", ".join(map(str, comparison["tables"]))
        )
    titles = titles_of(results)
    for variant in results["variants"]:
        for one in variant["unknown"]:
            options = ", ".join(word_for("options", option) for option in one["options"])
            question = word_for("decisions", one["question"])
            values = {
                "question": question,
                "names": join_names(one["strategies"]),
                "options": options,
            }
            yield say(NOT_CHOSEN[one["at_random"]], variant=titles[variant["name"]], **values)
    yield from _at_random(results["variants"])
    if any(variant["unknown"] for variant in results["variants"]):
        yield say(
            "Players who adapt to a rule can change its effect; your own script can play "
            "that way (docs/strategies.md)"
        )


def _at_random(variants: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield who answered at random at which questions, except for `NOT_CHOSEN`.

    A question has the number of these answers after it, unless all are random.
    """
    exceptions = {
        (one["question"], name)
        for variant in variants
        for one in variant["unknown"]
        if one["at_random"]
        for name in one["strategies"]
    }
    sums = dict[tuple[str, str], tuple[int, int]]()
    for one in (one for variant in variants for one in variant["at_random"]):
        key = one["question"], one["strategy"]
        answers, guesses = sums.get(key, (0, 0))
        sums[key] = answers + one["answers"], guesses + one["at_random"]
    labels = dict[str, list[str]]()
    for (question, name), (answers, guesses) in sums.items():
        if (question, name) not in exceptions and guesses >= SELDOM * answers:
            text = "{question}" if guesses == answers else "{question} ({taken} of {answers})"
            many = {"taken": figure(guesses, ",d"), "answers": figure(answers, ",d")}
            label = say(text, question=word_for("decisions", question), **many)
            labels.setdefault(label, []).append(name)
    groups = dict[tuple[str, ...], list[str]]()
    for label, who in labels.items():
        groups.setdefault(tuple(who), []).append(label)
    for names, questions in groups.items():
        yield say(AT_RANDOM, names=join_names(names), questions=", ".join(questions))


SEVERAL = 3  # variants; for two of them the difference is enough
TITLE = "Which has the most? All orders of a line hold together, 95 times in 100"
EACH_LINE = mark(
    "Each line holds by itself: it can order variants whose difference is undecided among all "
    "figures."
)


def tell_ranks(results: Mapping[str, Any]) -> Iterator[str]:
    """Yield the highest and lowest variant by interesting metrics, from three variants on."""
    if len(results["variants"]) < SEVERAL or results["comparison"]["clusters"] < 2:
        return
    titles, ordered = titles_of(results), False
    rankings = {ranking["by"]: ranking for ranking in results["ranks"]}
    for name in FIRST_METRICS:
        ranking = rankings.get(name)
        if ranking is None or len(ranking["variants"]) < SEVERAL:
            continue
        ends = (_extreme(ranking, end) for end in ("best", "worst"))
        most, least = ([titles[name] for name in names] for names in ends)
        if len(most) == len(least) == len(ranking["variants"]):
            summary = say("it may be any of them")
        else:
            summary = say("most {most}; least {least}", most=_names(most), least=_names(least))
            ordered = True
        yield with_title(words(ranking), summary)
    if ordered:
        yield say(EACH_LINE)


def _extreme(ranking: Mapping[str, Any], end: str) -> list[str]:
    variants = ranking["variants"]
    place = 1 if end == "best" else len(variants)
    return [variant["name"] for variant in variants if variant[end] == place]


def _names(names: Sequence[str]) -> str:
    return say("one of {names}", names=", ".join(names)) if len(names) > 1 else names[0]
