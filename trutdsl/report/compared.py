"""What is said of two variants, in words: the same sentences for a terminal and for a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trutdsl.report.language import figure, say, tell_again, titled
from trutdsl.report.wording import form_of, say_count

DIFFERS, LITTLE, SAME, OPEN = "differs", "differs a little", "the same", "not told apart"
IDENTICAL, ABSENT, UNSEEN = "identical", "only there", "never came up"
TITLES = {
    LITTLE: "differs, but by less than matters",
    SAME: "the same, as far as it matters",
    OPEN: "not told apart; more deals may do it",
}
NOWHERE = 5e-6  # of a share: so seldom that it is not worth a line
UNSEEN_IN = "came up only in {variant}"
MOST_TOGETHER = 5
AGAINST_BASE = "the base"
AND = " + "  # between the pieces of rules that are one point
MADE = (
    "Intervals: 95 %, for all {many} figures that are looked at together (max-t), on the same sets "
    "of deals in {clusters} clusters: all of them hold, 95 times in 100. A verdict is read off its "
    "interval: what differs leaves out 0; what is the same lies within what matters, {shares} in "
    "100 for shares, and for other numbers {numbers} in 100 of the least that the base may be."
)
SCREENED = (
    "Intervals: 95 %, on the same sets of deals in {clusters} clusters. Of what differs among "
    "{many} figures that are looked at together, and of its intervals, at most 5 in 100 are false, "
    "on average (false discovery rate, Benjamini and Hochberg). A verdict is read off its "
    "interval: what differs leaves out 0; what is the same lies within what matters, {shares} in "
    "100 for shares, and for other numbers {numbers} in 100 of the least that the base may be."
)
PRIMARY = "Declared beforehand, tested by itself: {words}: {both}, {change}: {verdict}"
CLAIM = "Everything below holds for play by {strategies}. Other strategies can give other results."
PLAYED = "{variant}: {matches} matches, {deals} deals"
OTHER_PACK = f"{PLAYED}; another pack, so that its deals are others"
Row = Mapping[str, Any]


@dataclass(frozen=True)
class ComparisonSummary:
    """What is said of a variant against its base.

    headline:  how much differs; nothing else is said where not one deal goes differently.
    clear:     the rows that differ by more than matters, the farthest beyond it first.
    others:    title -> rows that differ by little, are the same, or are not told apart.
    only:      title -> what only one of the two has.
    agreement: a sentence on the order of the strategies, None if there is none.
    primary:   a sentence on the metric that was declared beforehand, None if none was.
    """

    headline: str
    clear: Sequence[Row] = ()
    others: Mapping[str, Sequence[Row]] | None = None
    only: Mapping[str, Sequence[str]] | None = None
    agreement: str | None = None
    primary: str | None = None


@dataclass(frozen=True)
class ToldPoint:
    """What is said of a point of a variant alone.

    title: what it is. remark: what is said where nothing clearly differs. clear: see `Told`.
    """

    title: str
    remark: str | None
    clear: Sequence[Row] = ()


def headline(results: Mapping[str, Any]) -> str:
    """Return what is compared, as a title."""
    base, *others = (variant["name"] for variant in results["variants"])
    return say("{base} against {others}", base=base, others=listed(others))


def setting(asked: Mapping[str, Any]) -> str:
    """Return who plays how much, at which table."""
    return say(
        "{players} players, {names}; {sets} sets of deals, seed {seed}",
        players=asked["players"],
        names=", ".join(asked["strategies"]),
        sets=figure(asked["sets"], ",d"),
        seed=asked["seed"],
    )


def claim(asked: Mapping[str, Any]) -> str:
    """Return of whose play everything is true that a comparison says."""
    return say(CLAIM, strategies=listed(list(asked["strategies"])))


def played(variant: Mapping[str, Any]) -> str:
    """Return how much a variant was played."""
    text = PLAYED if variant["same_pack"] else OTHER_PACK
    numbers = {name: figure(variant[name], ",d") for name in ("matches", "deals")}
    needed, told = variant["sets_needed"], say(text, variant=variant["name"], **numbers)
    if needed is None:
        return told
    if needed["low"] is None:
        return told + say("; in how many sets two of the strategies are told apart is not known")
    low = figure(needed["low"], ",.0f")
    if needed["high"] is None:
        return told + say("; two of the strategies are told apart in {low} sets or more", low=low)
    high = figure(needed["high"], ",.0f")
    if low == high:
        return told + say("; two of the strategies are told apart in {low} sets", low=low)
    return told + say(
        "; two of the strategies are told apart in {low} to {high} sets", low=low, high=high
    )


def tell_difference(
    difference: Mapping[str, Any], base: str, primary: str | None = None
) -> ComparisonSummary:
    """Return what is said of one variant.

    primary: the metric that was declared beforehand; it is told by itself, not among the others.
    """
    name, rows = difference["variant"], difference["metrics"]
    if any(row["verdict"] == IDENTICAL for row in rows):
        return ComparisonSummary(
            say("{variant}: not one deal goes differently than in {base}", variant=name, base=base)
        )
    found, declared = difference["agreement"], [r for r in rows if r["metric"] == primary]
    things = say_count(len(_clear(rows)), "thing differs", "things differ")
    rows = [row for row in rows if row["metric"] != primary]
    clear = _clear(rows)
    absent = [row for row in rows if row["verdict"] == ABSENT]
    unseen = [row for row in rows if row["verdict"] == UNSEEN]
    return ComparisonSummary(
        say("{variant}: {things} from {base}", variant=name, things=things, base=base),
        clear,
        {
            say(title): [row for row in rows if row["verdict"] == verdict]
            for verdict, title in TITLES.items()
        },
        {
            say(title, variant=what): _about(some, side)
            for title, some in (("only in {variant}", absent), (UNSEEN_IN, unseen))
            for side, what in (("base", base), ("other", name))
        },
        None if found is None else _agreement(found),
        _declared(declared[0]) if declared else None,
    )


def _declared(row: Row) -> str:
    """Return what came of the metric that was declared beforehand."""
    if row["difference"] is None:
        return titled(words(row), say(row["verdict"]))
    return say(
        PRIMARY,
        words=words(row),
        both=both_values(row),
        change=change(row),
        verdict=say(row["verdict"]),
    )


def tell_points(difference: Mapping[str, Any]) -> Iterator[ToldPoint]:
    """Yield what each point of the variant does alone."""
    for point in difference["points"]:
        title = point_name(point)
        if point["shared"]:
            text = " (one point, as they share {names})"
            title += say(text, names=listed(point["shared"]))
        if point["says"]:
            title += f", {point['says'].rstrip('.')}"
        if point["against"] != AGAINST_BASE:
            title += say(" (against {other})", other=say(point["against"]))
        if point["why_not"]:
            yield ToldPoint(title, say("means nothing alone: {why}", why=point["why_not"]))
            continue
        rows = point["metrics"]
        if all(row["verdict"] in (IDENTICAL, ABSENT) for row in rows):
            yield ToldPoint(title, say("never acted: not one deal went differently"))
            continue
        clear = _clear(rows)
        left = sum(row["verdict"] == OPEN and not is_nowhere(row) for row in rows)
        nothing = say("changes nothing that matters")
        if left:
            nothing = say("nothing found; {things} not told apart", things=left)
        yield ToldPoint(title, None if clear else nothing, clear)


def tell_together(difference: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the points do only together, that which is clearest first."""
    clear = [row for row in difference["together"] if row["clear"]]
    if not difference["together"]:
        return
    if not clear:
        yield say("Together they do what they do alone, as far as these deals tell")
        return
    yield say("Together they do more, or less, than one after the other:")
    for row in sorted(clear, key=lambda row: row["p"])[:MOST_TOGETHER]:
        alone, whole = ({**row, "difference": row[name]} for name in ("added", "whole"))
        yield say(
            "  {words}: {whole}, where the points add up to {alone}",
            words=words(row),
            whole=change(whole),
            alone=change(alone),
        )


def point_name(point: Mapping[str, Any]) -> str:
    """Return what a point of a variant is called."""
    return AND.join(map(tell_again, point["point"].split(AND)))


def how_made(asked: Mapping[str, Any]) -> str:
    """Return how intervals and verdicts are made."""
    margins = asked["margins"]
    shares, numbers = (figure(100 * margins[name], "g") for name in ("shares", "numbers"))
    many = figure(asked["family"]["size"], ",d")
    text = SCREENED if asked["screening"] else MADE
    return say(text, many=many, clusters=asked["clusters"], shares=shares, numbers=numbers)


def weight(row: Row) -> float:
    """Return how far a difference is beyond what matters, in margins."""
    return abs(row["difference"]["mean"]) / row["margin"] if row["margin"] else float("inf")


def is_nowhere(row: Row) -> bool:
    """Tell whether a share is next to nothing in both variants."""
    values = [row[side]["mean"] for side in ("base", "other") if row[side]]
    return row["kind"] == "share" and all(min(v, 1 - v) < NOWHERE for v in values)


def words(row: Row) -> str:
    """Return what a metric is, as part of a sentence."""
    return tell_again(row["words"])


def both_values(row: Row) -> str:
    return " -> ".join(two_values(row))


def two_values(row: Row) -> list[str]:
    """Return what the base has, and the variant, rounded alike."""
    form = form_of([row["base"], row["other"]], unit_of(row["kind"]))
    return [figure(row[side]["mean"], form) for side in ("base", "other")]


def unit_of(kind: str) -> str:
    """Return the unit in which a metric of a kind is written, see `form_of`."""
    return "%" if kind == "share" else "f"


def change(row: Row) -> str:
    """Return a difference with its interval."""
    found = row["difference"]
    scale, unit = (100, say(" in 100")) if row["kind"] == "share" else (1, "")
    form = form_of([found], "+f", scale)
    mean = figure(scale * found["mean"], form) + unit
    if found["low"] is None:
        return mean
    low, high = (figure(scale * found[end], form) for end in ("low", "high"))
    return f"{mean} ({say('{low} to {high}', low=low, high=high)})"


def listed(names: Sequence[str]) -> str:
    *others, last = names
    return say("{others} and {last}", others=", ".join(others), last=last) if others else last


def _clear(rows: Sequence[Row]) -> list[Row]:
    return sorted((r for r in rows if r["verdict"] == DIFFERS), key=weight, reverse=True)


def _about(rows: Sequence[Row], side: str) -> list[str]:
    """Return what of the rules rows are about that only one side has, each once."""
    return list(dict.fromkeys(tell_again(row["about"]) for row in rows if row[side]))


def _agreement(found: Mapping[str, Any]) -> str:
    form = form_of([found])
    mean, low, high = (figure(found[name], form) for name in ("mean", "low", "high"))
    return say(
        "how alike the strategies are ranked: {mean} ({low} to {high}); 1 in the same order, "
        "-1 reversed",
        mean=mean,
        low=low,
        high=high,
    )
