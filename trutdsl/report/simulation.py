"""The figures of matches that were just played, from what was counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from trutdsl.game import Game
from trutdsl.native.counts import Counts
from trutdsl.report.wording import counted, shown
from trutdsl.stats.estimate import Sums
from trutdsl.stats.positive import RatioSums, estimate_positive, estimate_ratio
from trutdsl.stats.share import estimate_share


def simulation_figures(
    game: Game, strategies: Sequence[str], seed: int, counts: Counts
) -> dict[str, Any]:
    """Return what matches of the same seating came to; each match counts as independent.

    Deals and answers do not, so that their shares have no intervals.
    """
    matches, deals, deals_sq = (counts[name] for name in ("matches", "deals", "deals_sq"))
    length = Sums(matches, deals, deals_sq, 1)
    decisions = RatioSums(
        matches,
        counts["decisions"],
        deals,
        counts["decisions_sq"],
        deals_sq,
        counts["deals_decisions"],
    )
    *wins, draws = counts["winners"]
    return {
        "variant": game.name,
        "players": game.players,
        "teams": list(game.teams),
        "parameters": game.parameter_texts(),
        "strategies": list(strategies),
        "seed": seed,
        "fingerprint": game.fingerprint,
        "matches": matches,
        "deals": deals,
        "deals_per_match": asdict(estimate_positive(length)),
        # A game without a deal has no such figure.
        "decisions_per_deal": asdict(estimate_ratio(decisions)) if deals else None,
        "draws": asdict(estimate_share(draws, matches)),
        "wins": [asdict(estimate_share(won, matches)) for won in wins],
        **_within_matches(counts),
    }


def _within_matches(counts: Counts) -> dict[str, Any]:
    """Return how deals end, who wins them seen from the dealer, and what is answered.

    Only what happened; of a decision that was asked for, every option.
    """
    ended = dict(zip(counts.plan.reasons, map(sum, counts["ended"]), strict=True))
    won = {_from_dealer(seats): deals for seats, deals in enumerate(counts["after_dealer"])}
    won["nobody"] = sum(nobody for *_, nobody in counts["ended"])
    return {
        "deal_ends": _shares({reason: deals for reason, deals in ended.items() if deals}),
        "deal_winners": _shares(won) if any(won.values()) else {},
        "answers": {
            decision: _shares(chosen)
            for decision, chosen in counts.answers()
            if any(chosen.values())
        },
    }


def _from_dealer(seats: int) -> str:
    """Return a team by how many seats its first one is behind the dealer."""
    return counted(seats, "seat", "seats") + " on" if seats else "dealer"


def _shares(seen: Mapping[str, int]) -> dict[str, dict[str, float]]:
    """Return how often each was seen, and its share of all."""
    whole = sum(seen.values())
    return {name: {"count": count, "share": count / whole} for name, count in seen.items()}


def simulation_lines(figures: dict[str, Any]) -> Iterator[str]:
    """Yield the figures as lines to read."""
    yield (
        f"{figures['variant']}, {figures['players']} players, "
        f"{counted(figures['matches'], 'match', 'matches')}, "
        f"seed {figures['seed']}, rules {figures['fingerprint'][:12]}"
    )
    lengths = [figures["deals_per_match"]]
    yield f"  deals a match     {shown(lengths[0], '.2f')}"
    if figures["decisions_per_deal"] is not None:
        lengths.append(figures["decisions_per_deal"])
        yield f"  decisions a deal  {shown(lengths[1], '.2f')}"
    for team, share in enumerate(figures["wins"]):
        seats = zip(figures["strategies"], figures["teams"], strict=True)
        seated = ", ".join(strategy for strategy, of_team in seats if of_team == team)
        yield f"  team {team} wins       {shown(share, '.1%')}: {seated}"
    if figures["draws"]["mean"]:
        yield f"  draws             {shown(figures['draws'], '.1%')}"
    by_t = any(length["method"] == "log-t" for length in lengths)
    yield (
        "Intervals: 95 %, over independent matches; shares by Clopper and Pearson"
        + (", the others by Student's t on the logarithm." if by_t else ".")
    )
    yield from _lines_within(figures)


def _lines_within(figures: dict[str, Any]) -> Iterator[str]:
    """Yield what happens within matches, a line for each thing that is shared out."""
    shares = [
        (f"{name} ({_whole(found)})", found)
        for name, found in (
            ("deals end", figures["deal_ends"]),
            ("deals won", figures["deal_winners"]),
            *figures["answers"].items(),
        )
        if found
    ]
    if not shares:
        return
    yield "Within matches, whose deals are not independent, so that there are no intervals:"
    width = max(len(name) for name, _ in shares)
    for name, found in shares:
        parts = ", ".join(f"{what} {of['share']:.1%}" for what, of in found.items())
        yield f"  {name:{width}}  {parts}"


def _whole(found: Mapping[str, Mapping[str, int]]) -> int:
    return sum(of["count"] for of in found.values())
