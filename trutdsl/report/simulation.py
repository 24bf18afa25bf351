"""Figures of simulated matches: their counts, and the rules that they reached."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import reduce
from math import ceil
from typing import TYPE_CHECKING, Any

from trutdsl.diagnostics import Span
from trutdsl.game import Game
from trutdsl.language import figure, say, say_count
from trutdsl.report.in_play import InPlay, deals_to_some
from trutdsl.stats.estimate import (
    RatioSums,
    Sums,
    estimate_length,
    estimate_ratio,
    estimate_share,
    estimate_whole,
    ratio_sums,
)
from trutdsl.syntax.ast import LEAVE_IT
from trutdsl.table.counts import Counts, name_of_option

if TYPE_CHECKING:
    from trutdsl.strategy.coverage import Coverage

HANDED_ON = " ".join(LEAVE_IT)
DEALER, NOBODY = "dealer", "nobody"
BEHIND = re.compile(r"(\d+) seats? on")  # who won a deal: that many seats behind the dealer
Figures = dict[str, Any]
Options = set[tuple[str, str]]  # decision and option


def simulation_figures(
    game: Game, strategies: Sequence[str], seed: int, clusters: Sequence[Counts]
) -> Figures:
    """Return the results of matches with the same seating, counted in clusters.

    Matches are independent. Deals and answers within one match are not, so the error of their
    shares comes from the variance between clusters.
    """
    counts = reduce(Counts.__add__, clusters)
    matches, deals, deals_sq = (counts[name] for name in ("matches", "deals", "deals_sq"))
    length = Sums(matches, deals, deals_sq, 1)
    answers, squared, both = (
        counts[name] for name in ("decisions", "decisions_sq", "deals_decisions")
    )
    decisions = RatioSums(matches, answers, deals, squared, deals_sq, both)
    # The forced answers of a deal, with an error from the variance between clusters.
    forced = ratio_sums(*([of[name] for of in clusters] for name in ("forced", "deals")))
    *wins, draws = counts["winners"]
    impossible = _impossible(game, counts)
    return {
        "variant": game.name,
        "players": game.players,
        "teams": list(game.teams),
        "parameters": game.parameter_texts(),
        "strategies": list(strategies),
        "seed": seed,
        "fingerprint": game.fingerprint,
        "score": None if game.score is None else {n: list(of) for n, of in game.score.items()},
        "matches": matches,
        "deals": deals,
        "deals_per_match": asdict(estimate_length(length)),
        # A game without deals has no such figure.
        "decisions_per_deal": asdict(estimate_ratio(decisions)) if deals else None,
        "decisions_per_match": asdict(estimate_whole(Sums(matches, answers, squared, 1), least=0)),
        "forced_per_deal": asdict(estimate_ratio(forced)) if deals else None,
        "draws": asdict(estimate_share(draws, matches)),
        "unfinished": counts["unfinished"],
        "wins": [asdict(estimate_share(win, matches)) for win in wins],
        **_within_matches(clusters),
        # Between two sides nobody drops out.
        "deals_to_some": game.team_count > 2 and deals_to_some(game.program),
        "answers": _answers(clusters, impossible),
        "answers_by_strategy": _by_strategy(strategies, clusters, impossible),
        "at_random": _at_random(strategies, counts),
    }


def _within_matches(clusters: Sequence[Counts]) -> dict[str, Any]:
    """Return the ends of deals that occurred, and the winners as seen from the dealer, if any."""
    ends = (dict(zip(of.plan.reasons, map(sum, of["ended"]), strict=True)) for of in clusters)
    winners = list(map(_deal_winners, clusters))
    won = any(many for of in winners for who, many in of.items() if who != NOBODY)
    return {
        "deal_ends": _shares(list(ends), all_of_them=False),
        "deal_winners": _shares(winners) if won else {},
    }


def _impossible(game: Game, counts: Counts) -> Options:
    """Return the options of questions that were asked which no match at this table can reach.

    Only a variant with a base has rules that it replaces; others need not be parsed for this.
    """
    if game.variant.base is None:
        return set()
    never = {
        (decision, name)
        for decision, options in counts.answers()
        for name, many in options.items()
        if not many and any(options.values())
    }
    if never:
        in_play = InPlay(game.program, [game.setting]).questions.items()
        never -= {(decision, name_of_option(one)) for decision, of in in_play for one in of}
    return never


def _answers(clusters: Sequence[Counts], impossible: Options, *seats: int) -> dict[str, Any]:
    """Return the answers to each decision that was asked, with every possible option.

    seats: whose answers count; none are all of them.
    """
    answers = [
        {
            decision: {name: n for name, n in of.items() if (decision, name) not in impossible}
            for decision, of in counts.answers(*seats)
        }
        for counts in clusters
    ]
    shares = {d: _shares([of[d] for of in answers]) for d in answers[0]}
    return {decision: of for decision, of in shares.items() if of}


def _by_strategy(
    strategies: Sequence[str], clusters: Sequence[Counts], impossible: Options
) -> dict[str, dict[str, Any]]:
    if len(set(strategies)) < 2:
        return {}
    result = {}
    for name in dict.fromkeys(strategies):
        seats = [seat for seat, other in enumerate(strategies) if other == name]
        result[name] = _answers(clusters, impossible, *seats)
    return result


def _at_random(strategies: Sequence[str], counts: Counts) -> dict[str, dict[str, int]]:
    result: dict[str, dict[str, int]] = {}
    for name in dict.fromkeys(strategies):
        seats = [seat for seat, other in enumerate(strategies) if other == name]
        guesses = {d: sum(of.values()) for d, of in counts.answers(*seats, part="taken_any")}
        answers = {decision: many for decision, many in guesses.items() if many}
        if answers:
            result[name] = answers
    return result


def _deal_winners(counts: Counts) -> dict[str, int]:
    """Return the deals won by each team, by the distance of its first seat from the dealer."""
    first, *others = counts["after_dealer"]
    by_seat = {f"{n} seat{'s' * (n > 1)} on": wins for n, wins in enumerate(others, 1)}
    return {DEALER: first, **by_seat, NOBODY: sum(nobody for *_, nobody in counts["ended"])}


def _shares(seen: Sequence[Mapping[str, int]], all_of_them: bool = True) -> dict[str, Any]:
    """Return the count of each item in all clusters, and its share with the interval.

    all_of_them: also those that never occurred, if any did, except for `leave it`.
    """
    wholes = [sum(cluster.values()) for cluster in seen]
    result = {}
    for name in seen[0] if sum(wholes) else ():
        parts = [cluster[name] for cluster in seen]
        # If one seat is asked alone, it can leave nothing to others.
        if any(parts) or (all_of_them and name != HANDED_ON):
            share = estimate_ratio(ratio_sums(parts, wholes), most=1.0)
            result[name] = {"count": sum(parts), "share": asdict(share)}
    return result


def coverage_figures(
    game: Game,
    strategies: list[str],
    seed: int,
    coverage: Coverage,
    clauses: Mapping[tuple[str, Span], int],
    clause_matches: int,
    in_scenarios: Mapping[str, int],
    scenarios: int,
    deals: Mapping[str, str],
) -> Figures:
    """Return the coverage as JSON, parts that were never reached first.

    in_scenarios: the count of each part in this many scenarios. deals: for each part the file
    with a deal that reaches it.
    """
    own = next(layer.path for layer in game.variant.layers if layer.own)
    parts: list[Figures] = []
    for name, part in coverage.parts.items():
        share = estimate_share(coverage.in_matches.get(name, 0), max(1, coverage.matches))
        entry = {
            "kind": part.kind,
            "what": part.what,
            "in": part.place,
            "place": str(part.span),
            "times": coverage.times.get(name, 0),
            "matches": coverage.in_matches.get(name, 0),
            "share": {"mean": share.mean, "low": share.low, "high": share.high},
        }
        if scenarios:
            entry["scenarios"] = in_scenarios.get(name, 0)
        if name in deals:
            entry["deal"] = deals[name]
        parts.append(entry)
    parts += [
        {
            "kind": "clause",
            "what": f"`{span.source.line(span.line).strip()}`",
            "in": say("strategy '{strategy}'", strategy=strategy),
            "place": str(span),
            "times": times,
        }
        for (strategy, span), times in clauses.items()
    ]
    parts.sort(key=lambda one: (_visits(one), _place(one["place"], own)))
    return {
        "variant": game.name,
        "players": game.players,
        "parameters": game.parameter_texts(),
        "strategies": strategies,
        "seed": seed,
        "matches": coverage.matches,
        "deals": coverage.deals,
        "scenarios": scenarios,
        "clause_matches": clause_matches if clauses else 0,
        "parts": parts,
    }


def own_figures(game: Game, figures: Figures) -> Figures:
    """Return the coverage of the variant's own file only."""
    own = next(layer.path for layer in game.variant.layers if layer.own)
    parts = [one for one in figures["parts"] if one["place"].rsplit(":", 2)[0] == own]
    return {**figures, "parts": parts}


def _visits(one: Figures) -> int:
    return int(one["times"]) + int(one.get("scenarios", 0))


def _place(text: str, own: str) -> tuple[bool, str, int, int]:
    """Return the sort key of a position: the variant's own file comes first."""
    file, line, column = text.rsplit(":", 2)
    return file != own, file, int(line), int(column)


def coverage_lines(figures: Figures) -> Iterator[str]:
    """Yield the coverage as lines of text."""
    seats = ", ".join(figures["strategies"])
    yield (
        say(
            "{variant}, {players} players, {matches}, {deals}, seed {seed}: {seats}",
            variant=figures["variant"],
            players=figures["players"],
            matches=say_count(figures["matches"], "match", "matches"),
            deals=say_count(figures["deals"], "deal", "deals"),
            seed=figures["seed"],
            seats=seats,
        )
    )
    if figures["scenarios"]:
        yield say_count(figures["scenarios"], "and {number} scenario", "and {number} scenarios")
    parts = figures["parts"]
    gaps = [one for one in parts if not _visits(one)]
    if gaps:
        yield ""
        yield say("Never reached, {number} of {all}:", number=len(gaps), all=len(parts))
        yield from (f"  {_part_line(one)}" for one in gaps)
    if len(gaps) < len(parts):
        yield ""
        yield say("Reached, the least often first (how often, in which share of matches, where):")
        yield from (f"  {_times(one)}  {_part_line(one)}" for one in parts if one not in gaps)
    yield ""
    if gaps and figures["matches"]:
        most = estimate_share(0, figures["matches"]).high
        assert most is not None
        text = (
            "What was never reached is reached in at most {most} of matches between "
            "these strategies (95 %, Clopper and Pearson)."
        )
        yield say(text, most=figure(ceil(most * 10_000) / 10_000, ".2%"))
    if figures["clause_matches"]:
        first = say("the first {figures} matches", figures=figure(figures["clause_matches"], ","))
        yield say("Clauses of scripts: how often they were taken in {first}.", first=first)
    if any("deal" in one for one in parts):
        yield _of_deals(figures["matches"])
    yield say(
        "Parameters have the values of this table; parts that need other values are listed, too."
    )


def _of_deals(matches: int) -> str:
    from trutdsl.strategy.coverage import CANDIDATES
    from trutdsl.transcript.events import SEARCH_LIMIT

    sentence = say(
        "A deal named behind a part is the one with the fewest actions in which it is reached"
    )
    if matches <= SEARCH_LIMIT:
        return f"{sentence}."
    text = (
        "{told}, of the first {searched} matches and of the {candidates} with the "
        "fewest decisions in which it is; there may be a shorter one."
    )
    return say(text, told=sentence, searched=figure(SEARCH_LIMIT, ","), candidates=CANDIDATES)


def _times(one: Figures) -> str:
    times = figure(one["times"], ",")
    if "matches" not in one:
        return f"{times:>11} {'':24}"
    share = one["share"]
    text = say(
        "{share} ({low} to {high})",
        share=figure(share["mean"], ".1%"),
        low=figure(share["low"], ".1%"),
        high=figure(share["high"], ".1%"),
    )
    more = say(" {one} in scenarios", one=f"{one['scenarios']:>4}") if "scenarios" in one else ""
    return f"{times:>11} {text:>24}{more}"


def _part_line(one: Figures) -> str:
    result = f"; {one['deal']}" if "deal" in one else ""
    where = say(", in {one}", one=one["in"]) if one["kind"] != "rule" else ""
    return f"{one['place']}: {one['what']}{where}{result}"
