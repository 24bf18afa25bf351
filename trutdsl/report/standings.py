"""The standings as shown on a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from rich.console import Console
from rich.table import Table
from rich.text import Text

from trutdsl.arena.chunks import shard
from trutdsl.ir.intervals import MOST_DEALS
from trutdsl.report.language import figure, say
from trutdsl.report.wording import (
    counted_matches,
    cross_form,
    cross_scores,
    form_of,
    limits,
    plain_verdict,
    say_count,
    shorter,
    shown,
)
from trutdsl.stats.design import MATCHES, SINGLE

NARROWEST = 100  # columns, where the output goes into a file or a pipe
# What a ranking says, where who meets depends on what came before.
SAYS = {
    "swiss": "points: 1 a round won or sat out, 1/2 an even one; who is near in points has met "
    "stronger or weaker ones, which elo allows for; rank is what the meetings make certain",
    "knock-out": "points: rounds survived; the first one beat those it met, and nothing is said of "
    "any two that did not meet: the second best may be out in round one",
    "ladder": "points: the rung; neighbours were compared, again and again as they changed places; "
    "rank is what the meetings make certain",
}
AT_ONCE = (
    "{matches} ({sets} of deals, each with the {seatings} seatings of every combination), {deals}"
)
IN_ROUNDS = (
    "{matches} ({sets} of deals in {rounds} rounds, each with the {seatings} seatings of every "
    "meeting), {deals}"
)
# Of single deals there are as many as matches.
DEALS_AT_ONCE = (
    "{matches} ({sets} of deals, each with the {seatings} seatings of every combination)"
)
DEALS_IN_ROUNDS = (
    "{matches} ({sets} of deals in {rounds} rounds, each with the {seatings} seatings of every "
    "meeting)"
)
SHARD = (
    "this is shard {shard} of {sets} sets: {done} of its {own} are played; trutdsl merge puts all "
    "shards together"
)
OF_POINTS = "deals a match {length}, score of seat 0's team {score}"
OF_MATCHES = f"{OF_POINTS}, {{fair}} if seats are alike"
MADE = (
    "over sets of deals; the interval of a score stands by itself, those of differences and of "
    "pairs hold all together: what is separated lies beside 0"
)
LINES = 3  # columns that a line and room on both sides of a cell take
MOST_CYCLES = 2  # told one by one
MOST_CROSSED = 12  # strategies in a crosstable; all pairs are in pairs.csv


def show_standings(
    results: Mapping[str, Any], folder: str | None, console: Console, verbose: bool = False
) -> None:
    """Print the tables and what can be said in a sentence; verbose: also how it was worked out."""
    variant = results["manifest"]["variant"]
    table = Table(
        title=Text(
            say(
                "{variant}, {players} players",
                variant=variant["name"],
                players=variant["players"],
            )
        ),
        title_justify="left",
    )
    columns, rows = standings_cells(results)
    for name, width in zip(columns, _fit(table, columns, rows, console.width), strict=True):
        side: Literal["left", "right"] = "left" if name == say("strategy") else "right"
        table.add_column(name, justify=side, width=width)
    for row in rows:
        table.add_row(*map(Text, row))  # a name is shown as it is, not read as markup
    console.print(table)
    if 2 < len(results["standings"]) <= MOST_CROSSED:
        console.print(_crosstable(results, console.width))
    if verbose:
        console.print(_pair_table(results["pairs"]))
    lines = told_lines(results, verbose)
    for line in lines if folder is None else [*lines, say("files: {folder}", folder=folder)]:
        console.print(Text(line), soft_wrap=True)


def _fit(
    table: Table, columns: Sequence[str], rows: Sequence[Sequence[str]], room: int
) -> list[int]:
    """Return the width of each column; where room is short, titles break between words.

    Cells never break; a table that is still too wide has no lines.
    """
    cells = [[*map(len, of_column)] for of_column in zip(*rows, strict=True)]
    whole, broken = (
        [max(*found, *map(len, parts)) for found, parts in zip(cells, titles, strict=True)]
        for titles in ([[name] for name in columns], [name.split() for name in columns])
    )
    lines = LINES * len(columns) + 1
    if sum(whole) + lines <= room:
        return whole
    if sum(broken) + lines > room:
        table.box, table.padding, table.pad_edge = None, (0, 1, 0, 0), False
    return broken


def told_lines(results: Mapping[str, Any], verbose: bool = False) -> list[str]:
    """Return what can be said in sentences; verbose: also how it was worked out."""
    manifest, run = results["manifest"], results["run"]
    lines = [*plain_verdict(results), *_remarks(results), *_cycles(results)]
    lines += _partners(results)
    if verbose:
        lines += [*_field(results), *_making(run)]
    return [*lines, *_unfinished(run), *_played(manifest, run), *_says(manifest)]


def standings_cells(results: Mapping[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Return the titles of the columns of the standings, and a row for each strategy."""
    in_rounds = "rounds" in results["manifest"]["meetings"]
    first = ("place", "points", "rank") if in_rounds else ("rank",)
    failed = any(row["forfeited"] for row in results["standings"])
    last = ("forfeited", "score without forfeits") if failed else ()
    form = form_of(row["score"] for row in results["standings"])
    clean = form_of(row["without_forfeits"] for row in results["standings"])
    rows = []
    for row in results["standings"]:
        placed = [str(row["place"]), figure(row["points"], "g")] if in_rounds else []
        rows.append(
            [
                *placed,
                _ranks(row["ranks"]),
                row["strategy"],
                figure(row["score"]["mean"], form),
                limits(row["score"], form),
                *(str(row[name]) for name in ("won", "drawn", "lost")),
                *(
                    (str(row["forfeited"]), _clean(row["without_forfeits"], clean))
                    if failed
                    else ()
                ),
            ]
        )
    shared = ("strategy", "score", "95 % interval", "won", "drawn", "lost")
    return [say(name) for name in (*first, *shared, *last)], rows


def _crosstable(results: Mapping[str, Any], room: int) -> Table:
    """Return the mean score of each strategy (row) against each (column), all rounds together.

    Numbers never break; where room is short, names of columns do, then there are no lines, and then
    a digit less.
    """
    names = [row["strategy"] for row in results["standings"]]
    found, form, first = cross_scores(results), cross_form(results), max(map(len, names))

    def cell(row: str, column: str) -> str:
        score = found.get((row, column))
        return "" if score is None else figure(score, form)

    def widest() -> int:
        return max(len(cell(row, column)) for row in names for column in names)

    table = Table(
        title=Text(say("scores head to head")),
        title_justify="left",
    )
    if first + len(names) * widest() + LINES * (len(names) + 1) + 1 > room:
        table.box, table.padding, table.pad_edge = None, (0, 1, 0, 0), False
        if first + 1 + len(names) * (widest() + 1) > room:
            form = shorter(form)
    table.add_column("", no_wrap=True)
    for name in names:
        table.add_column(Text(name), justify="right", overflow="fold", min_width=widest())
    for name in names:
        table.add_row(Text(name), *(cell(name, other) for other in names))
    return table


def _clean(score: Mapping[str, Any] | None, form: str) -> str:
    return say("none") if score is None else figure(score["mean"], form)


def _pair_table(pairs: Sequence[Mapping[str, Any]]) -> Table:
    """Return the pairs, with what the same deals in every seating bring to each."""
    table = Table(title=Text(say("pairs, on the same deals")), title_justify="left")
    for name in ("", "score", "95 % interval", "gain", "correlation"):
        table.add_column(say(name), justify="right" if name else "left", no_wrap=True)
    form = form_of(row["score"] for row in pairs)
    for row in pairs:
        table.add_row(
            Text(say("{one} against {other}", one=row["first"], other=row["second"])),
            figure(row["score"]["mean"], form),
            limits(row["score"], form),
            _gain(row),
            _number(row["correlation"]),
        )
    return table


def _gain(row: Mapping[str, Any]) -> str:
    """Return a gain with its interval."""
    if row["gain_low"] is None or row["gain_high"] is None:
        return _number(row["gain"])
    ends = {name: figure(row[f"gain_{name}"], ".2f") for name in ("low", "high")}
    return f"{_number(row['gain'])} ({say('{low} to {high}', **ends)})"


def _number(value: float | None) -> str:
    return say("none") if value is None else figure(value, ".2f")


def _ranks(ranks: list[int]) -> str:
    best, worst = ranks
    return str(best) if best == worst else f"{best}-{worst}"


def _remarks(results: Mapping[str, Any]) -> Iterator[str]:
    if results["run"]["sets"] < 2:
        yield say("one set only: no interval and no separation can be given")
        return
    apart = {frozenset((c["first"], c["second"])) for c in results["contrasts"] if c["separated"]}
    names = [row["strategy"] for row in results["standings"]]
    if not apart and len(names) > 2:
        yield say("not separated: any two of them")
        return
    close = [
        say("{name} from {others}", name=name, others=", ".join(near))
        for place, name in enumerate(names)
        if (near := [n for n in names[place + 1 :] if frozenset((name, n)) not in apart])
    ]
    if close:
        yield say("not separated: {pairs}", pairs="; ".join(close))


def _cycles(results: Mapping[str, Any]) -> Iterator[str]:
    """Yield in words which strategies beat each other in a circle."""
    cycles, text = results["field"]["cycles"], "{one} beats {other}"
    if results["run"]["metric"] != MATCHES.words:
        text = "{one} has more than {other}"
    for cycle in cycles[:MOST_CYCLES]:
        met = zip(cycle, [*cycle[1:], cycle[0]], strict=True)
        steps = ", ".join(say(text, one=one, other=other) for one, other in met)
        yield say("no ranking tells this: {steps}; each of them is certain", steps=steps)
    if len(cycles) > MOST_CYCLES:
        more = len(cycles) - MOST_CYCLES
        yield say(
            "and {cycles} like it, in results.json", cycles=say_count(more, "cycle", "cycles")
        )


def _partners(results: Mapping[str, Any]) -> Iterator[str]:
    """Yield how strategies did with every partner, where they played in partnerships."""
    if results["partners"]:
        ranked = (f"{p['strategy']} {shown(p['score'])}" for p in results["partners"])
        yield say("with every partner: {ranked}", ranked=", ".join(ranked))


def _field(results: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is said of all strategies together, where it can be."""
    if results["run"]["sets"] < 2:
        return
    rated = [row for row in results["standings"] if row["elo"] is not None]
    if rated:
        told = ", ".join(f"{row['strategy']} {shown(row['elo'], '+f')}" for row in rated)
        yield say("Elo: {rated}", rated=told)
    seat = results["field"]["first_seat"]
    if seat is not None:
        yield say("seat 0's team has by its seats {elo} Elo", elo=shown(seat, "+f"))
    share = results["field"]["cyclic_share"]
    if share is not None:
        text = "what the scores do not tell: {share} of the pairs' differences"
        yield say(text, share=shown(share, "%"))
    nash = results["field"]["nash"]
    held = [] if nash is None else [w for w in nash["weights"].items() if w[1]["high"]]
    if len(held) > 1:
        told = ", ".join(f"{name} {shown(weight, '%')}" for name, weight in held)
        yield say("no mixture beats this one (Nash average): {told}", told=told)


def _unfinished(run: Mapping[str, Any]) -> Iterator[str]:
    """Yield how many matches came to no end, if any."""
    if run["unfinished"]:
        text = "drawn, as nobody had won after {deals} deals: {matches}"
        many = say_count(run["unfinished"], "match", "matches")
        yield say(text, deals=figure(MOST_DEALS, ","), matches=many)


def _played(manifest: Mapping[str, Any], run: Mapping[str, Any]) -> Iterator[str]:
    """Yield how much was played, of what."""
    single, rounds = manifest["mode"] == SINGLE, run["rounds"] > 1
    at_once, in_rounds = (DEALS_AT_ONCE, DEALS_IN_ROUNDS) if single else (AT_ONCE, IN_ROUNDS)
    yield say(
        in_rounds if rounds else at_once,
        matches=counted_matches(run["matches"], single),
        sets=say_count(run["sets"], "set", "sets"),
        rounds=run["rounds"],
        seatings=run["seatings"],
        deals=say_count(run["deals"], "deal", "deals"),
    )
    if "shard" in manifest:
        part = shard(manifest["sets"], manifest["shard"])
        yield say(
            SHARD,
            shard=manifest["shard"],
            sets=figure(manifest["sets"], ",d"),
            done=figure(run["sets"], ",d"),
            own=figure(part.sets, ",d"),
        )
    fingerprint = manifest["variant"]["fingerprint"][:12]
    yield say("seed {seed}, variant {variant}", seed=manifest["seed"], variant=fingerprint)


def _says(manifest: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the ranking of a format in rounds says, and what not."""
    if "rounds" in manifest["meetings"]:
        yield say(SAYS[manifest["meetings"]["format"]])


def _making(run: Mapping[str, Any]) -> Iterator[str]:
    """Yield how the numbers were worked out."""
    known = {
        "length": shown(run["deals_per_match"]),
        "score": shown(run["team_scores"][0]),
    }
    if run["metric"] == MATCHES.words:
        yield say(OF_MATCHES, **known, fair=figure(1 / len(run["team_scores"]), ".4g"))
    else:
        yield say(OF_POINTS, **known)
    if run["sets"] > 1:
        yield say(MADE)
