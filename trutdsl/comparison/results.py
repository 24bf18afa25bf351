"""Results as JSON: variants, the bluff ledger, answers without a reason, agreement of rankings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from trutdsl.comparison.cell import Cell
from trutdsl.comparison.compare import estimate_all, show
from trutdsl.comparison.measurement import Ints, Measurement, length_distributions
from trutdsl.comparison.metrics import sets_needed
from trutdsl.ir import Program
from trutdsl.ir.types import Number
from trutdsl.stats.estimate import Estimate
from trutdsl.stats.multiplicity import DECIMALS, Floats
from trutdsl.stats.payoffs import pair_payoffs, payoff_replicates
from trutdsl.stats.resampling import (
    FEW_GROUPS,
    Influences,
    break_even,
    percentile_interval,
    ratio_influences,
)
from trutdsl.strategy.load import Spec
from trutdsl.strategy.script import ScriptSpec
from trutdsl.table.counts import STRENGTHS, CountPlan


def show_variant(cell: Cell, base: Cell, measurement: Measurement) -> dict[str, Any]:
    """Return a variant with all its own results."""
    game = cell.game
    estimates = estimate_all(measurement)
    several = measurement.design.strategies > 1
    payoffs = pair_payoffs(measurement.tally, measurement.design) if several else None
    return {
        "name": cell.name,
        "title": game.variant.title,
        "variant": game.name,
        "parameters": game.parameter_texts(),
        "fingerprint": game.fingerprint,
        "same_pack": game.deck == base.game.deck,
        "deals": measurement.number("deals"),
        "decisions": measurement.number("decisions"),
        "matches": measurement.number("matches"),
        "metrics": [
            {"metric": m.name, "kind": m.kind, **asdict(show(m, result))}
            for m, result in estimates.values()
            if not m.rest
        ],
        "lengths": length_distributions(measurement),
        "scores": _scores(measurement, game.program),
        "sets_needed": sets_needed(measurement) if "skill" in estimates else None,
        "ledger": bluff_ledger(measurement),
        "unknown": unknown_answers(base.game.count_plan, measurement, cell.strategies),
        "at_random": answered_at_random(measurement, cell.strategies),
        "payoffs": None if payoffs is None else payoffs.tolist(),
    }


def _scores(measurement: Measurement, program: Program) -> dict[str, Any]:
    """Return, by counter, the deals from each score and the share won by the dealer's side.

    Shares have intervals; None for a score at which no deal began. The first place has all scores
    up to 0, the last one also larger ones. least: the lowest score that the declaration allows.
    """
    if measurement.plan.teams != 2:
        return {}
    visits, won = (measurement.by_cluster(part) for part in ("stood", "stood_won"))
    result = {}
    for place, counter in enumerate(measurement.plan.counters):
        size = range(visits.shape[-1])
        shares = [
            [
                ratio_influences(won[:, place, own, other], 2 * visits[:, place, own, other])
                for other in size
            ]
            for own in size
        ]
        known = [[one and one.estimate(0.0, 1.0) for one in row] for row in shares]
        parts = {"won": "mean", "low": "low", "high": "high"}
        values = program.variables[counter].type
        result[counter] = {
            "least": values.low if isinstance(values, Number) else 0,
            "deals": visits[:, place].sum(axis=0).tolist(),
        } | {
            key: [[one and getattr(one, name) for one in row] for row in known]
            for key, name in parts.items()
        }
    return result


OWN, OTHER = 0, 1  # the winner of a deal, in `bet_ended` and `bet_points`


def bluff_ledger(measurement: Measurement) -> list[dict[str, Any]]:
    """Return a row for each bet and each tenth of hands, as `BetRow` of `cli.printed` describes.

    Estimates have intervals by clusters of sets; None without data.
    """
    plan = measurement.plan
    offered, ends = map(measurement.by_cluster, ("offered", "bet_ended"))
    points = measurement.by_cluster("bet_points")
    result = []
    for bet, (question, option) in enumerate(plan.betting):
        for tenth in range(STRENGTHS):
            of = ends[:, bet, tenth]
            choices, won = of.sum(axis=(1, 2)), of[:, :, OWN].sum(axis=1)
            result.append(
                {
                    "question": question,
                    "option": option,
                    "beats": tenth,
                    "offered": int(offered[:, bet, tenth].sum()),
                    "chosen": int(choices.sum()),
                    "rate": _share(choices, offered[:, bet, tenth]),
                    "wins": _share(won, choices),
                    "ends": dict(zip(plan.reasons, of.sum(axis=(0, 2)).tolist(), strict=True)),
                    "won_by": {
                        reason: _share(of[:, place, OWN], choices)
                        for place, reason in enumerate(plan.reasons)
                    },
                    **_payoff(points[:, bet, tenth], of.sum(axis=1), plan.counters),
                }
            )
    return result


def _payoff(points: Ints, deals: Ints, counters: tuple[str, ...]) -> Mapping[str, Any]:
    """Return gain, loss, break-even and worth by counter.

    points: by cluster, who won, and counter; deals: by cluster and who won.
    """
    result: dict[str, dict[str, Any]] = {"gain": {}, "loss": {}, "break_even": {}, "worth": {}}
    for place, counter in enumerate(counters):
        won = ratio_influences(points[:, OWN, place], deals[:, OWN])
        lost = ratio_influences(-points[:, OTHER, place], deals[:, OTHER])
        even = break_even(won, lost) if won and lost else None
        worth = ratio_influences(points[:, :, place].sum(axis=1), deals.sum(axis=1))
        result["gain"][counter], result["loss"][counter] = _maybe(won), _maybe(lost)
        result["break_even"][counter] = _maybe(even, 0.0, 1.0)
        result["worth"][counter] = _maybe(worth)
    return result


def _share(part: Ints, whole: Ints) -> Mapping[str, Any] | None:
    return _maybe(ratio_influences(part, whole), 0.0, 1.0)


def _maybe(
    influences: Influences | None, least: float | None = None, most: float | None = None
) -> Mapping[str, Any] | None:
    return None if influences is None else asdict(influences.estimate(least, most))


def unknown_answers(
    base: CountPlan, measurement: Measurement, strategies: Sequence[Spec]
) -> list[dict[str, Any]]:
    """Return the new options that scripts never chose in play, question by question.

    Each with `strategies`, and `at_random` if they took every answer there by a clause `any`.
    Strategies in code are left out, and so is `uniform`, which takes any action everywhere.
    """
    known, by_missing = dict(base.decisions), dict[tuple[str, bool, tuple[str, ...]], list[str]]()
    for name, question, options, answers, counts in _answers(measurement, strategies):
        choices = answers - counts
        missing = tuple(
            option
            for option, times in zip(options, choices.tolist(), strict=True)
            if option not in known.get(question, ()) and not times
        )
        if missing:
            key = question, not choices.any(), missing
            by_missing.setdefault(key, []).append(name)
    return [
        {"question": question, "options": list(m), "at_random": random, "strategies": who}
        for (question, random, m), who in by_missing.items()
    ]


def answered_at_random(
    measurement: Measurement, strategies: Sequence[Spec]
) -> list[dict[str, Any]]:
    """Return the scripts and questions with answers by a clause `any`; `uniform` is left out."""
    return [
        {
            "strategy": name,
            "question": question,
            "answers": int(answers.sum()),
            "at_random": int(counts.sum()),
        }
        for name, question, _, answers, counts in _answers(measurement, strategies)
        if counts.any()
    ]


def _answers(
    measurement: Measurement, strategies: Sequence[Spec]
) -> Iterator[tuple[str, str, tuple[str, ...], Ints, Ints]]:
    """Yield script, question and options, the count of each option, and the count by `any`."""
    plan = measurement.plan
    choices, taken_any = (of.sum(axis=0) for of in (measurement.chosen, measurement.taken_any))
    for question, options in plan.decisions:
        places = [plan.options[question, option] for option in options]
        for number, spec in enumerate(strategies):
            answers = choices[number, places]
            if isinstance(spec, ScriptSpec) and not spec.uniform and answers.any():
                yield spec.name, question, options, answers, taken_any[number, places]


FEWEST = 3  # strategies


def agreement(base: Measurement, other: Measurement) -> Estimate | None:
    """Return Kendall's tau-b of the strategies' mean scores in two variants, 1 for the same order.

    The interval comes from a bootstrap over groups of sets, with the same draws in both. None for
    fewer than three strategies, or 20 groups. Source: M. G. Kendall, Biometrika 33 (1945) 239-251.
    """
    if base.design.strategies < FEWEST or base.design != other.design:
        return None
    one, two = (pair_payoffs(m.tally, m.design) for m in (base, other))
    if one is None or two is None or len(base.tally.groups) < FEW_GROUPS:
        return None
    tau = kendall_tau(one.mean(axis=1), two.mean(axis=1))
    if tau is None:
        return None
    both = (payoff_replicates(m.tally, m.design).mean(axis=2) for m in (base, other))
    taus = [kendall_tau(a, b) for a, b in zip(*both, strict=True)]
    known = np.array([one for one in taus if one is not None])
    return percentile_interval(round(tau, DECIMALS), known)


def kendall_tau(one: Floats, other: Floats) -> float | None:
    """Return tau-b of two rankings, None if all scores of one are equal.

    Scores that differ by rounding errors only are equal.
    """
    first, second = (
        np.sign((scores[:, None] - scores[None, :]).round(DECIMALS)) for scores in (one, other)
    )
    squares = float((first**2).sum() * (second**2).sum())
    return float((first * second).sum()) / squares**0.5 if squares else None
