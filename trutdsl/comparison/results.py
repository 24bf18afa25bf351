"""The results of a comparison as JSON has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from trutdsl.comparison.answers import answered_at_random, bluff_ledger, unknown_answers
from trutdsl.comparison.cell import Cell
from trutdsl.comparison.compare import Row, estimate_all, show
from trutdsl.comparison.measured import Measurement, length_distributions
from trutdsl.comparison.parts import Interaction
from trutdsl.comparison.request import Request
from trutdsl.comparison.statistics import sets_needed
from trutdsl.files import own_version
from trutdsl.report.labels import FORMAT
from trutdsl.stats.estimate import Estimate
from trutdsl.stats.payoffs import pair_payoffs
from trutdsl.stats.resampling import ratio_influences


def describe(
    asked: Request, cell: Cell, sets: int, base: Measurement, tables: Sequence[int]
) -> dict[str, Any]:
    """Return everything that decides what came out.

    tables: other numbers of players that were possible.
    """
    return {
        "format": FORMAT,
        "trutdsl": own_version(),
        "engine": asked.engine,
        "players": cell.game.players,
        "tables": [] if asked.players is not None else list(tables),
        "strategies": {spec.name: spec.fingerprint for spec in cell.strategies},
        "seed": asked.seed,
        "sets": sets,
        "clusters": base.clusters,
        "primary": asked.primary,
        "screening": asked.screening,
        "margins": {
            "shares": asked.margins.shares,
            "numbers": asked.margins.numbers,
            "by_name": dict(asked.margins.by_name or {}),
        },
    }


def given_by(asked: Request) -> dict[str, Any]:
    """Return how variants and strategies were called, and what else the same command needs."""
    return {
        "variants": list(asked.variants),
        "players": asked.players,
        "parameters": list(asked.parameters),
        "strategies": None if asked.strategies is None else list(asked.strategies),
        "apart": asked.apart,
        "metrics": list(asked.wanted),
    }


def show_variant(cell: Cell, base: Cell, measured: Measurement) -> dict[str, Any]:
    """Return a variant with all that was found of it alone."""
    game = cell.game
    estimates = estimate_all(measured)
    several = measured.design.strategies > 1
    payoffs = pair_payoffs(measured.tally, measured.design) if several else None
    return {
        "name": cell.name,
        "title": game.variant.title,
        "variant": game.name,
        "parameters": game.parameter_texts(),
        "fingerprint": game.fingerprint,
        "same_pack": game.deck == base.game.deck,
        "deals": measured.number("deals"),
        "decisions": measured.number("decisions"),
        "matches": measured.number("matches"),
        "metrics": [
            {"metric": m.name, "kind": m.kind, **asdict(show(m, found))}
            for m, found in estimates.values()
            if not m.rest
        ],
        "lengths": length_distributions(measured),
        "scores": _scores(measured),
        "sets_needed": sets_needed(measured) if "skill" in estimates else None,
        "ledger": bluff_ledger(measured),
        "unknown": unknown_answers(base.game.count_plan, measured, cell.strategies),
        "at_random": answered_at_random(measured, cell.strategies),
        "payoffs": None if payoffs is None else payoffs.tolist(),
    }


def _scores(measured: Measurement) -> dict[str, Any]:
    """Return, by counter, the deals from each score and the share won by the dealer's side.

    Each share with its interval; None for a score that no deal began at.
    """
    if measured.plan.teams != 2:
        return {}
    stood, won = (measured.by_cluster(part) for part in ("stood", "stood_won"))
    found = {}
    for place, counter in enumerate(measured.plan.counters):
        size = range(stood.shape[-1])
        shares = [
            [
                ratio_influences(won[:, place, own, other], 2 * stood[:, place, own, other])
                for other in size
            ]
            for own in size
        ]
        told = [[one and one.estimate(0.0, 1.0) for one in row] for row in shares]
        found[counter] = {
            "deals": stood[:, place].sum(axis=0).tolist(),
            "won": [[one and one.mean for one in row] for row in told],
            "low": [[one and one.low for one in row] for row in told],
            "high": [[one and one.high for one in row] for row in told],
        }
    return found


def show_row(row: Row) -> dict[str, Any]:
    """Return a row as JSON has it."""
    return {
        "metric": row.metric.name,
        "kind": row.metric.kind,
        "base": maybe(row.base),
        "other": maybe(row.other),
        "difference": maybe(row.difference),
        "effect": row.effect,
        "pairing": row.pairing,
        "margin": row.margin,
        "p": row.p,
        "p_together": row.p_together,
        "verdict": row.verdict,
    }


def show_interaction(found: Interaction) -> dict[str, Any]:
    """Return what points do together as JSON has it."""
    return {
        "metric": found.metric.name,
        "kind": found.metric.kind,
        "added": asdict(found.added),
        "whole": asdict(found.whole),
        "difference": asdict(found.beyond),
        "margin": found.margin,
        "p": found.p,
        "clear": found.clear,
    }


def maybe(estimate: Estimate | None) -> Mapping[str, Any] | None:
    """Return an estimate as JSON has it, None for none."""
    return None if estimate is None else asdict(estimate)
