"""Small print of a tournament: the field, the matches played, the failed strategies.

The forecast of a pilot is here, too.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping
from math import inf
from pathlib import Path
from typing import Any

from trutdsl.ir.intervals import MOST_DEALS
from trutdsl.language import figure, mark, say, say_count, spoken_time
from trutdsl.options import DEALS
from trutdsl.report.checks import each_flag
from trutdsl.report.rounding import (
    EXACT,
    Shown,
    counted_matches,
    format_estimate,
    name_metric,
    round_up,
)
from trutdsl.stats.design import MATCHES, SINGLE
from trutdsl.stats.estimate import LEAST
from trutdsl.strategy.spec import PROCESS_END, OutOfTime

# The meaning of a ranking if results decide who meets.
SAYS = {
    "swiss": (
        "points: 1 for a round won or sat out, 1/2 for a drawn one; opponents of similar "
        "points can differ in strength, which elo allows for; rank: what the meetings make "
        "certain"
    ),
    "knock-out": (
        "points: rounds survived; of an even meeting, the earlier in the draw survives; strategies "
        "that did not meet are not compared, so the second best may be out in round one"
    ),
    "ladder": (
        "points: the rung; neighbours were compared again whenever they changed places; rank: "
        "what the meetings make certain"
    ),
}
# In single deals a match is one deal.
DEALS_AT_ONCE = (
    "{matches} ({sets} of deals, each with the {seatings} seatings of every combination)"
)
DEALS_IN_ROUNDS = (
    "{matches} ({sets} of deals in {rounds} rounds, each with the {seatings} seatings of every "
    "meeting)"
)
AT_ONCE, IN_ROUNDS = f"{DEALS_AT_ONCE}, {{deals}}", f"{DEALS_IN_ROUNDS}, {{deals}}"
SHARD = (
    "this is shard {shard} of {sets} sets: {done} of its {own} are played; trutdsl merge puts all "
    "shards together"
)
OF_DEALS = mark("score of the first seat's team {score}")
OF_POINTS = "deals a match {length}, score of the first seat's team {score}"
OF_MATCHES = f"{OF_POINTS}, {{fair}} if seats are alike"
PRECISE = mark("Every difference is known to +-{reached}; +-{precision} was asked for.")
IMPRECISE = mark(
    "The widest interval of a difference still reaches +-{reached}; +-{precision} was asked for."
)
METHOD = (
    "In brackets: 95 % intervals, over sets of deals. That of a score stands by itself; in the "
    "first sentence it allows for the choice of the best. Those of differences and of pairs hold "
    "all together. Two are told apart if the interval of their difference excludes 0."
)
METHOD_IN_ROUNDS = (
    "In brackets: 95 % intervals, over the sets of a meeting. Those of all meetings hold all "
    "together. Two are told apart if the interval of the difference in their last meeting excludes "
    "0. Scores have no interval, because opponents depend on earlier results."
)
METHOD_OF_TEST = (
    "In brackets: 95 % intervals, over sets of deals. Those of scores and differences hold at "
    "every look of the test; below {least} sets there are none. The test and its interval decide "
    "on {first} and {second}. If these are equally good, they are told apart in at most 7.5 % of "
    "runs: 5 % by the test, and 2.5 % by its interval. Two others are told apart if the interval "
    "of their difference excludes 0."
)


def lines_below_tables(results: Mapping[str, Any], verbose: bool = False) -> list[str]:
    """Return what stands below the tables; verbose: also the methods."""
    manifest, run = results["manifest"], results["run"]
    lines = list[str]()
    if results["partners"]:
        partners = ", ".join(
            f"{p['strategy']} {format_estimate(p['score'])}" for p in results["partners"]
        )
        lines.append(say("with every partner: {ranked}", ranked=partners))
    if verbose:
        lines += [*_field(results), *_making(results)]
    lines += _precision(results["stop"] or {})
    if run["unfinished"]:
        text = "drawn, as nobody had won after {deals} deals: {matches}"
        many = say_count(run["unfinished"], "match", "matches")
        lines.append(say(text, deals=figure(MOST_DEALS, ","), matches=many))
    if run["sets"] > run["rounds"]:
        first, second = (results["stop"] or {}).get("test", ("", ""))
        method = METHOD_IN_ROUNDS if "rounds" in manifest["meetings"] else METHOD
        method = METHOD_OF_TEST if first else method
        lines.append(say(method, first=first, second=second, least=LEAST))
    lines += _size_lines(manifest, run)
    if "rounds" in manifest["meetings"]:
        lines.append(say(SAYS[manifest["meetings"]["format"]]))
    return lines


def _field(results: Mapping[str, Any]) -> Iterator[str]:
    if results["run"]["sets"] < 2:
        return
    rows = [row for row in results["standings"] if row["elo"] is not None]
    if rows:
        names = ", ".join(f"{row['strategy']} {format_estimate(row['elo'], '+f')}" for row in rows)
        yield say("Elo: {rated}", rated=names)
    seat = results["field"]["first_seat"]
    if seat is not None:
        yield say(
            "the first seat's team has by its seats {elo} Elo", elo=format_estimate(seat, "+f")
        )
    share = results["field"]["cyclic_share"]
    if share is not None:
        text = "intransitive share of pairwise differences: {share}"
        yield say(text, share=format_estimate(share, "%"))
    nash = results["field"]["nash"]
    weights = [] if nash is None else [w for w in nash["weights"].items() if w[1]["high"]]
    if len(weights) > 1:
        names = ", ".join(f"{name} {format_estimate(_varied(w), '%')}" for name, w in weights)
        yield say("no mixture beats this one (Nash average): {told}", told=names)


def _varied(estimate: Shown) -> Shown:
    """Return an estimate, without an interval if it is the same in all replicates."""
    low, high = estimate["low"], estimate["high"]
    return estimate if low is None or high - low > EXACT else {**estimate, "low": None}


def _size_lines(manifest: Mapping[str, Any], run: Mapping[str, Any]) -> Iterator[str]:
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
        part, parts = map(int, manifest["shard"].split("/"))
        own = manifest["sets"] * part // parts - manifest["sets"] * (part - 1) // parts
        yield say(
            SHARD,
            shard=manifest["shard"],
            sets=figure(manifest["sets"], ",d"),
            done=figure(run["sets"], ",d"),
            own=figure(own, ",d"),
        )
    fingerprint = manifest["variant"]["fingerprint"][:12]
    yield say("seed {seed}, variant {variant}", seed=manifest["seed"], variant=fingerprint)


def _precision(stop: Mapping[str, Any]) -> Iterator[str]:
    """Yield how precise the differences are, if a precision was asked for."""
    if stop.get("reached") is not None:
        reached, precision = stop["reached"], stop["precision"]
        text, most = (PRECISE, precision) if reached <= precision else (IMPRECISE, inf)
        yield say(text, reached=round_up(reached, most), precision=figure(precision, "g"))


def _making(results: Mapping[str, Any]) -> Iterator[str]:
    run = results["run"]
    known = {
        "length": format_estimate(run["deals_per_match"]),
        "score": format_estimate(run["team_scores"][0]),
    }
    if results["manifest"]["mode"] == SINGLE:
        yield say(OF_DEALS, score=known["score"])
    elif results["manifest"]["metric"] == MATCHES.name:
        yield say(OF_MATCHES, **known, fair=figure(1 / len(run["team_scores"]), ".4g"))
    else:
        yield say(OF_POINTS, **known)


MOST_SHOWN = 12  # kinds of faults
# Kinds in words that are exceptions of our own, on the program of a bot.
OF_BOTS = {
    "raised ProcessFailed": mark("ended, or wrote too long a line"),
    "raised ProcessMissing": mark("cannot be run"),
    "raised BotError": mark("wrote something else than an answer"),
}
# Kinds that another process shows only if it watches the strategy as closely as a worker.
PROCESS_FAULTS = (OutOfTime.kind, PROCESS_END, "raised KeyboardInterrupt")


def forfeit_lines(
    results: Mapping[str, Any], names: Mapping[str, Any] | None = None
) -> Iterator[str]:
    """Yield a line for each kind of fault, and one with the command that repeats it.

    names: the names of variant, parameters and strategies on the command line.
    """
    faults, manifest = results["faults"], results["manifest"]
    names = names or {"variant": manifest["variant"]["name"], "parameters": (), "strategies": ()}
    for fault in faults[:MOST_SHOWN]:
        first = fault["first"]
        prefix, verb, name = fault["kind"].partition("raised ")
        own = verb and not prefix and fault["kind"] not in OF_BOTS  # an exception, by its name
        yield say(
            "{strategy} forfeited {many}: it {kind}, first in match {match} as player {player}; "
            "again with",
            strategy=fault["strategy"],
            many=say_count(fault["matches"], "match", "matches"),
            kind=say("raised {name}", name=name)
            if own
            else say(OF_BOTS.get(fault["kind"], fault["kind"])),
            match=first["match"] + 1,
            player=first["seat"] + 1,
        )
        yield f"  {_command(manifest, fault, names)}"
    if len(faults) > MOST_SHOWN:
        yield say(
            "and {more} more kinds of faults, see results.json", more=len(faults) - MOST_SHOWN
        )


def _name_on_command_line(name: str, strategies: Iterable[str]) -> str:
    """Return the name of a strategy on the command line, which may be its file."""
    for one in strategies:
        file, colon, rest = one.partition(":")
        if name in (one, f"{Path(file).stem}{colon}{rest}"):
            return one
    return name


def _command(manifest: Shown, fault: Shown, names: Shown) -> str:
    first = fault["first"]
    parts = ["trutdsl", "simulate", names["variant"], "--players", manifest["variant"]["players"]]
    parts += each_flag("--param", names["parameters"])
    if manifest["mode"] != "matches":
        parts += ["--mode", manifest["mode"]]
    parts += each_flag("--score", manifest["score"])
    seating = [_name_on_command_line(name, names["strategies"]) for name in first["strategies"]]
    parts += ["--strategies", ",".join(seating), "--seed", manifest["seed"]]
    parts += ["--first", first["match"], "--matches", 1]
    if fault["kind"] in PROCESS_FAULTS:
        parts += ["--move-timeout", manifest["move_timeout"]]
    return shlex.join(map(str, parts))


def forecast_lines(forecast: Mapping[str, Any]) -> Iterator[str]:
    """Yield the forecast as lines of text, the whole tournament last."""
    pilot, whole, each = forecast["pilot"], forecast["needed"], forecast["each_set"]
    single = forecast["mode"] == DEALS
    text = "pilot: {sets}, {matches}, {deals} deals, seed {seed}"
    if single:
        text = "pilot: {sets}, {deals} deals, seed {seed}"
    yield say(
        text,
        sets=say_count(pilot["sets"], "set", "sets"),
        matches=say_count(pilot["matches"], "match", "matches"),
        deals=figure(pilot["deals"], ",d"),
        seed=forecast["seed"],
    )
    yield say(
        "to detect a difference of {detect} in {power} of such runs ({hundred} {metric}):",
        detect=figure(forecast["detect"], "g"),
        power=figure(forecast["power"], ".0%"),
        hundred=figure(100 * forecast["detect"], "g"),
        metric=name_metric(forecast),
    )
    for pair in forecast["pairs"]:
        text = "  {first} and {second}: {many} sets"
        yield say(text, first=pair["first"], second=pair["second"], many=_range(pair))
    matches = _range(whole, each["matches"])
    text = "for all of them: {sets} sets, {matches} matches, about {deals} deals, about {time}"
    if single:
        text = "for all of them: {sets} sets, {deals} deals, about {time}"
    yield say(
        text,
        sets=_range(whole),
        matches=matches,
        deals=matches if single else _round(whole["sets"] * each["deals"]),
        time=_time(whole, each["seconds"]),
    )


def _range(size: Mapping[str, int], each: int = 1) -> str:
    sets, low, high = (figure(size[name] * each, ",d") for name in ("sets", "low", "high"))
    return f"{sets} ({say('{low} to {high}', low=low, high=high)})"


def _time(size: Mapping[str, int], seconds: float) -> str:
    sets, low, high = (spoken_time(size[name] * seconds) for name in ("sets", "low", "high"))
    return sets if low == high else f"{sets} ({say('{low} to {high}', low=low, high=high)})"


def _round(number: float) -> str:
    """Return a number in its two known digits."""
    unit = 10 ** max(0, len(str(round(number))) - 2)
    return figure(round(number / unit) * unit, ",d")
