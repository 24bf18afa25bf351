"""The figures of matches that were just played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from trutdsl.game import Game
from trutdsl.report.wording import counted, shown
from trutdsl.stats.positive import estimate_ratio
from trutdsl.stats.share import estimate_share
from trutdsl.strategy import MatchResult


def simulation_figures(
    game: Game, strategies: Sequence[str], seed: int, results: Sequence[MatchResult]
) -> dict[str, Any]:
    """Return what matches of the same seating came to; each match counts as independent."""
    matches = len(results)
    deals = [r.deals for r in results]
    decisions = [r.decisions for r in results]
    winners = [r.winner for r in results]
    return {
        "variant": game.name,
        "players": game.players,
        "teams": list(game.teams),
        "parameters": game.parameter_texts(),
        "strategies": list(strategies),
        "seed": seed,
        "fingerprint": game.fingerprint,
        "matches": matches,
        "deals": sum(deals),
        "deals_per_match": asdict(estimate_ratio(deals, [1] * matches)),
        # A game without a deal has no such figure.
        "decisions_per_deal": asdict(estimate_ratio(decisions, deals)) if any(deals) else None,
        "draws": asdict(estimate_share(winners.count(None), matches)),
        "wins": [
            asdict(estimate_share(winners.count(team), matches)) for team in range(game.team_count)
        ],
    }


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
