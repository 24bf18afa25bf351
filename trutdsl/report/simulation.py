"""The figures of matches that were just played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from trutdsl.game import Game
from trutdsl.stats.estimate import Estimate, Sums, estimate_mean
from trutdsl.stats.ratio import estimate_ratio
from trutdsl.strategy import MatchResult


def simulation_figures(
    game: Game, strategies: Sequence[str], seed: int, results: Sequence[MatchResult]
) -> dict[str, Any]:
    """Return what matches of the same seating came to; each match counts as independent."""
    deals = [r.deals for r in results]
    decisions = [r.decisions for r in results]
    return {
        "variant": game.name,
        "players": game.players,
        "parameters": game.parameter_texts(),
        "strategies": list(strategies),
        "seed": seed,
        "fingerprint": game.fingerprint,
        "matches": len(results),
        "deals": sum(deals),
        "deals_per_match": _estimate(_mean(deals, None)),
        "decisions_per_deal": _estimate(estimate_ratio(decisions, deals)),
        "draws": sum(r.winner is None for r in results),
        "wins": [
            _estimate(_mean([int(r.winner == team) for r in results], (0, 1)))
            for team in range(game.team_count)
        ],
    }


def _mean(values: Sequence[int], bounds: tuple[int, int] | None) -> Estimate:
    return estimate_mean(Sums(len(values), sum(values), sum(v * v for v in values), 1), bounds)


def _estimate(estimate: Estimate) -> dict[str, float | None]:
    return {"mean": estimate.mean, "se": estimate.se, "low": estimate.low, "high": estimate.high}


def simulation_lines(figures: dict[str, Any]) -> Iterator[str]:
    """Yield the figures as lines to read."""
    yield (
        f"{figures['variant']}, {figures['players']} players, {figures['matches']} matches, "
        f"seed {figures['seed']}, rules {figures['fingerprint'][:12]}"
    )
    yield f"  deals a match     {_shown(figures['deals_per_match'], '.2f')}"
    yield f"  decisions a deal  {_shown(figures['decisions_per_deal'], '.2f')}"
    for team, share in enumerate(figures["wins"]):
        seated = [
            s for i, s in enumerate(figures["strategies"]) if i % len(figures["wins"]) == team
        ]
        yield f"  team {team} wins       {_shown(share, '.1%')}  ({', '.join(seated)})"
    if figures["draws"]:
        yield f"  draws             {figures['draws']}"
    yield "Intervals: 95 %, Student's t over matches, each an independent one."


def _shown(estimate: dict[str, float | None], form: str) -> str:
    mean, low, high = estimate["mean"], estimate["low"], estimate["high"]
    assert mean is not None
    if low is None or high is None:
        return f"{mean:{form}}"
    return f"{mean:{form}} [{low:{form}}, {high:{form}}]"
