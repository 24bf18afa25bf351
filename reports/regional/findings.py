"""The page of findings: every figure and every statement comes from the runs that it is given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from two_runs import Pooled, Ranking, Runs, in_all, ledger_rows, pool, ranking_of, reversed_in_some

from trutdsl.report.labels import DIFFERS, IDENTICAL, weight, words
from trutdsl.report.rounding import format_of, round_up

TUTE = "tute"
CALLS = ("trut", "truc", "retruc")
Comparisons = Mapping[tuple[str, int], Runs]  # by field and number of players
Readings = Mapping[tuple[str, int, str], Runs]  # by variant, number of players and field


@dataclass(frozen=True)
class Played:
    """What was played.

    fields: who plays, by the name of the field. readings: comparisons of
    unclear rules.
    deals, few: at least so many of each variant in a run, and of each reading.
    """

    fields: Mapping[str, Sequence[str]]
    players: Sequence[int]
    seeds: Sequence[int]
    comparisons: Comparisons
    readings: Readings
    deals: int
    few: int

    def in_order(self, main: str) -> list[str]:
        """Return the fields, the main one first."""
        return [main, *(field for field in self.fields if field != main)]


def findings(played: Played) -> Iterator[str]:
    """Yield the page, line by line."""
    sections: list[str] = []
    tally = _Tally()
    for title, lines in _sections(played, tally):
        sections += [f"## {title}", "", *lines]
    yield "# What the regional variants do"
    yield ""
    yield from _claim(played)
    yield from _how_made(played, tally)
    yield from sections


@dataclass
class _Tally:
    """How many rankings the page has, and how likely it is that one of them is wrong."""

    rankings: int = 0
    wrong: float = 0.0

    def add(self, ranking: Ranking) -> None:
        self.rankings += 1
        self.wrong += ranking.wrong


def _claim(played: Played) -> Iterator[str]:
    who = "; ".join(f"*{name}* is {', '.join(names)}" for name, names in played.fields.items())
    yield (
        "Every statement here is about these variants as the named strategies play them. Other "
        f"players can come to other figures. Three fields of strategies play: {who}. Each "
        "statement is about one field, which it names. Beside most of them stands what the others "
        "say. `best-play.md` says which of them survive if two players play as well as possible."
    )
    yield ""


def _how_made(played: Played, tally: _Tally) -> Iterator[str]:
    seeds = " and ".join(map(str, played.seeds))
    share = round_up(100 * tally.wrong)
    yield (
        f"Each field plays at least {played.deals:,} deals of each variant in each of two "
        f"independent runs, seeds {seeds}. A figure is the mean of both runs. Its interval of 95 % "
        "comes from how clusters of duplicate sets differ. In the tables with ranks, the intervals "
        "of all variants in a column hold together, so that the least and the most may be picked "
        "from them. In all other tables each interval stands by itself, if nothing else is said."
    )
    yield ""
    yield (
        "Rank 1 has the most. One variant stands above another only if each of the two runs says "
        "so, at 5 % for all pairs of variants together (the greatest |t| of all pairs). Variants "
        "whose ranks do not overlap differ significantly. The page has "
        f"{tally.rankings} such rankings. The chance that any order in them is wrong, or any side "
        f"of a half, is at most {share} in 100."
    )
    yield ""
    yield (
        "`docs/statistics.md` explains the methods, and `make regional` makes this page and the "
        "tables beside it again, the same bytes on every machine."
    )
    yield ""


def _sections(played: Played, tally: _Tally) -> Iterator[tuple[str, Iterator[str]]]:
    def table(main: str, metric: str, title: str) -> Iterator[str]:
        return _ranked(played, tally, main, metric, title)

    def half(metric: str, title: str) -> Iterator[str]:
        return _ranked(played, tally, "plain", metric, title, half=True)

    yield "How long is a match?", table("bluffing", "length.deals", "deals a match")
    yield "How much do matches differ in length?", _lengths(played, "bluffing")
    yield (
        "Does the first dealer have the advantage?",
        half("first_dealer", "decided matches won by the side that deals first"),
    )
    yield (
        "Does the dealer have the advantage?",
        half("dealer", "decided deals won by the dealer's side"),
    )
    yield (
        "Does the first leader have the advantage?",
        half("leader", "decided deals won by the side that leads first"),
    )
    yield "How much is a bluff worth?", _bluffs(played, "bluffing")
    yield (
        "How much do the strategies decide?",
        table("bluffing", "skill", "share of the results due to the strategies"),
    )
    yield (
        "How much does the deal decide?",
        _deal(played, tally),
    )
    yield "How far behind are winners?", _deficits(played, tally)
    yield "Which games order strategies alike?", _agreements(played, "bluffing")
    yield "Which unclear rule matters?", _readings(played, "bluffing")


def _ranked(
    played: Played, tally: _Tally, main: str, metric: str, title: str, half: bool = False
) -> Iterator[str]:
    """Yield a metric by all fields, with ranks, and what the runs and fields agree on."""
    fields = played.in_order(main)
    for players in played.players:
        rankings = {
            field: ranking_of(played.comparisons[field, players], metric) for field in fields
        }
        known = {field: one for field, one in rankings.items() if one is not None}
        if main not in known:
            continue
        yield f"{title[0].upper()}{title[1:]}, {players} players:"
        yield ""
        yield "| variant | " + " | ".join(f"{field} | rank" for field in known) + " |"
        yield "|---" * (1 + 2 * len(known)) + "|"
        for name in known[main].names:
            cells = (_cell(one, name) for one in known.values())
            yield f"| {name} | {' | '.join(cells)} |"
        if main == "plain":
            yield from _tute(played, players, metric, len(known))
        yield ""
        for ranking in known.values():
            tally.add(ranking)
        yield from _common_orders(main, known)
        if half:
            tute = ranking_of(played.comparisons[TUTE, players], metric)
            if tute is not None:
                tally.add(tute)
            yield from _halves(main, known, tute)


def _deal(played: Played, tally: _Tally) -> Iterator[str]:
    """Yield the part that is due to the deal, and what that number is."""
    yield (
        "It is a lower bound of what the deal decides, and can be negative: unlike strategies make "
        "different things of the same cards."
    )
    yield ""
    yield from _ranked(
        played, tally, "bluffing", "deal_luck", "share of the results due to the deal, at least"
    )


def _deficits(played: Played, tally: _Tally) -> Iterator[str]:
    """Yield how far winners were behind, and in what."""
    yield (
        "The variants of Trut count longs first, those of Truc points. A long is dearer than a "
        "point, so an order of a Trut and a Truc says little."
    )
    yield ""
    yield from _ranked(
        played,
        tally,
        "bluffing",
        "deficit",
        "how far winners were behind at the worst of times, in what is counted first",
    )


def _tute(played: Played, players: int, metric: str, fields: int) -> Iterator[str]:
    """Yield the row of Tute, which plays other sets of deals, so that it has no rank."""
    ranking = ranking_of(played.comparisons[TUTE, players], metric)
    if ranking is not None and TUTE in ranking.values:
        yield f"| {TUTE} | {shown(ranking.values[TUTE])} | - |" + " - | - |" * (fields - 1)


def _cell(ranking: Ranking, name: str) -> str:
    """Return the value of a variant and the ranks that it can have."""
    if name not in ranking.values:
        return "- | -"
    best, worst = ranking.ranks()[name]
    rank = str(best) if best == worst else f"{best} to {worst}"
    return f"{shown(ranking.values[name])} | {rank}"


def _common_orders(main: str, known: Mapping[str, Ranking]) -> Iterator[str]:
    """Yield which variants have the least and the most, and what all fields agree on."""
    ranking = known[main]
    others = [one for field, one in known.items() if field != main]
    for sign, word in ((-1, "Least"), (1, "Most")):
        names = ranking.extremes(sign)
        everywhere = all(one.extremes(sign) == names for one in others)
        if len(names) == 1:
            text = f"{word} by *{main}*: {names[0]}, {shown(ranking.values[names[0]])}."
        elif len(names) == len(ranking.names):
            text = f"{word} by *{main}*: it may be any of them."
        else:
            text = f"{word} by *{main}*: {listed(names)}, without a significant difference."
        if others and len(names) == 1:
            also = [f for f, one in known.items() if f != main and one.extremes(sign) == names]
            if everywhere:
                text += " So it is by the other two fields."
            elif also:
                text += f" So it is by *{also[0]}*, but not for certain by the other field."
            else:
                text += " Neither other field says so for certain."
        yield text
    every, orders = len(ranking.names) * (len(ranking.names) - 1) // 2, ranking.orders()
    text = f"Of {every} pairs {len(orders)} differ significantly by *{main}*"
    if others:
        turned = reversed_in_some(ranking, others)
        text += f"; the same way in all three fields: {len(in_all(list(known.values())))}"
        text += f"; the other way round in another field: {len(turned)}"
    yield f"{text}."
    yield ""


def _halves(main: str, known: Mapping[str, Ranking], tute: Ranking | None) -> Iterator[str]:
    """Yield where both runs put a share above or below a half, and where all fields do."""
    for side, word in ((1, "More"), (-1, "Less")):
        names = [name for name, on in known[main].sides.items() if on == side]
        same = [n for n in names if all(one.sides.get(n) == side for one in known.values())]
        text = f"{word} than half by *{main}*: {listed(names) or 'none'}."
        if names:
            text += f" In all three fields: {listed(same) or 'none'}."
        yield text
    even = [name for name, on in known[main].sides.items() if on == 0]
    yield f"By *{main}* it may be even, or may not: {listed(even) or 'none'}."
    if tute is not None and TUTE in tute.sides:
        texts = {1: "more than half", -1: "less than half", 0: "it may be even, or may not"}
        yield f"In {TUTE}, which *{main}* alone plays: {texts[tute.sides[TUTE]]}."
    yield ""


def _lengths(played: Played, main: str) -> Iterator[str]:
    """Yield quantiles of the lengths of matches, from the least to the greatest of both runs."""
    yield f"At least 10 of 100 matches are as short as this or shorter, half, 90 (by *{main}*):"
    yield ""
    yield "| variant | players | deals: 10 | half | 90 | decisions: 10 | half | 90 |"
    yield "|---" * 8 + "|"
    for players in played.players:
        one, other = (run["variants"] for run in played.comparisons[main, players])
        for variant, beside in zip(one, other, strict=True):
            cells = [
                _span(a, b)
                for what in ("deals", "decisions")
                for a, b in zip(
                    variant["lengths"][what]["quantiles"],
                    beside["lengths"][what]["quantiles"],
                    strict=True,
                )
            ]
            yield f"| {variant['name']} | {players} | {' | '.join(cells)} |"
    yield ""
    yield "Each interval goes from the lower end of both runs to the upper one."
    yield ""


def _span(one: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """Return the mean of two values, and what the intervals of both reach over."""
    mean = f"{(one['value'] + other['value']) / 2:,g}"
    if any(run[end] is None for run in (one, other) for end in ("low", "high")):
        return mean
    low, high = min(one["low"], other["low"]), max(one["high"], other["high"])
    return f"{mean} ({low:,} to {high:,})"


def _bluffs(played: Played, main: str) -> Iterator[str]:
    """Yield what is called with the weakest hands, how often it wins, and what it brings."""
    yield (
        "What is said with a hand that beats fewer than one hand in ten, where it can be said; the "
        "share of these deals that is won; and what the own side then had more than the other from "
        "such a deal, by counter. That is a mean over the deals in which it was said, no "
        "comparison with another answer."
    )
    yield ""
    fields = played.in_order(main)
    worth = " | ".join(f"worth by {field}" for field in fields)
    yield f"| variant | players | said | how often ({main}) | deals won ({main}) | {worth} |"
    yield "|---" * (5 + len(fields)) + "|"
    for players in played.players:
        weak = {field: dict(_weak(played.comparisons[field, players])) for field in fields}
        for (name, question, option), (one, other) in weak[main].items():
            cells = [pool(one[what], other[what], "share") for what in ("rate", "wins")]
            worths = (_worth(weak[field].get((name, question, option))) for field in fields)
            yield (
                f"| {name} | {players} | {option} ({question}) | "
                f"{' | '.join(map(shown, cells))} | {' | '.join(worths)} |"
            )
    yield ""


def _weak(
    runs: Runs,
) -> Iterator[tuple[tuple[str, str, str], tuple[Mapping[str, Any], Mapping[str, Any]]]]:
    for name, one, other in ledger_rows(runs):
        if not one["beats"] and one["option"] in CALLS and one["wins"] and other["wins"]:
            yield (name, one["question"], one["option"]), (one, other)


def _worth(rows: tuple[Mapping[str, Any], Mapping[str, Any]] | None) -> str:
    if rows is None:
        return "-"
    one, other = rows
    texts = []
    for counter, worth in one["worth"].items():
        beside = other["worth"][counter]
        if worth and beside:
            texts.append(f"{shown(pool(worth, beside, 'number'))} {counter}")
    return ", ".join(texts) or "-"


def _agreements(played: Played, main: str) -> Iterator[str]:
    """Yield how alike each variant ranks the strategies as the first one does."""
    fields = played.in_order(main)
    yield (
        "Kendall's tau of the mean scores, against trut: 1 is the same order, -1 the reverse. It "
        "takes few values with few strategies. The interval reaches over those of both runs."
    )
    yield ""
    yield f"| variant | players | {' | '.join(fields)} |"
    yield "|---" * (2 + len(fields)) + "|"
    for players in played.players:
        for place, one in enumerate(played.comparisons[main, players][0]["differences"]):
            cells = (
                _tau(
                    [
                        run["differences"][place]["agreement"]
                        for run in played.comparisons[f, players]
                    ]
                )
                for f in fields
            )
            yield f"| {one['variant']} | {players} | {' | '.join(cells)} |"
    yield ""


def _tau(runs: Sequence[Mapping[str, Any] | None]) -> str:
    known = [run for run in runs if run is not None]
    if len(known) < len(runs):
        return "-"
    low, high = min(run["low"] for run in known), max(run["high"] for run in known)
    mean = sum(run["mean"] for run in known) / len(known)
    return f"{mean:.2f} ({low:.2f} to {high:.2f})"


def _readings(played: Played, main: str) -> Iterator[str]:
    """Yield what each other reading of an unclear rule changes most, in each field."""
    yield (
        f"At least {played.few:,} deals of each reading in each run. A row names a change if both "
        "runs find it, in the same direction. Of several it names the one that is farthest beyond "
        "what matters. Of the changes that one run finds at most 5 in 100 are false ones, on "
        "average (Benjamini and Hochberg), and its intervals allow for that. Readings that no rule "
        "uses with so many players are left out."
    )
    yield ""
    fields = played.in_order(main)
    yield f"| variant | players | reading | instead of | {' | '.join(fields)} |"
    yield "|---" * (4 + len(fields)) + "|"
    for variant, players in dict.fromkeys((v, p) for v, p, _ in played.readings):
        of = {f: played.readings.get((variant, players, f)) for f in fields}
        first = next(runs for runs in of.values() if runs is not None)
        for reading in first[0]["readings"]:
            cells = (_changes(runs, reading["name"]) if runs else "-" for runs in of.values())
            yield (
                f"| {variant} | {players} | {reading['parameter']} = {reading['value']} | "
                f"{reading['default']} | {' | '.join(cells)} |"
            )
    yield ""


def _changes(runs: Runs, reading: str) -> str:
    """Return what both runs say that a reading changes."""
    of = [
        {row["metric"]: row for row in difference["metrics"]}
        for run in runs
        for difference in run["differences"]
        if difference["variant"] == reading
    ]
    if all(any(row["verdict"] == IDENTICAL for row in rows.values()) for rows in of):
        return "nothing: not one deal went differently"
    one, other = of
    clear = [(row, other[n]) for n, row in one.items() if n in other and _both(row, other[n])]
    if not clear:
        return "nothing that both runs tell"
    row, beside = max(clear, key=lambda pair: min(weight(pair[0]), weight(pair[1])))
    change = pool(row["difference"], beside["difference"], row["kind"])
    more = f", and {len(clear) - 1} more" if len(clear) > 1 else ""
    return f"{words(row)}: {shown(change)}{more}"


def _both(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    if one["verdict"] != DIFFERS or other["verdict"] != DIFFERS:
        return False
    return bool((one["difference"]["mean"] > 0) == (other["difference"]["mean"] > 0))


def shown(value: Pooled) -> str:
    """Return an estimate with its interval, in as many decimals as this can tell."""
    scale, unit = (100, " %") if value.kind == "share" else (1, "")
    form = f"z{format_of([asdict(value)], 'f', scale)}"
    mean = f"{scale * value.mean:{form}}{unit}"
    if value.low is None or value.high is None:
        return mean
    return f"{mean} ({scale * value.low:{form}} to {scale * value.high:{form}})"


def listed(names: Sequence[str]) -> str:
    """Return names as a sentence lists them."""
    *others, last = names or [""]
    return f"{', '.join(others)} and {last}" if others else last
