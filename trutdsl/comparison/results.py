"""What a comparison found, as JSON: variants, the bluff ledger, answers, differences, agreement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from trutdsl.comparison.cell import Cell
from trutdsl.comparison.compare import Row, estimate_all, show
from trutdsl.comparison.measured import Ints, Measurement, length_distributions
from trutdsl.comparison.metrics import sets_needed
from trutdsl.comparison.parts import Interaction
from trutdsl.comparison.request import Request
from trutdsl.files import own_version
from trutdsl.report.labels import FORMAT
from trutdsl.stats.estimate import Estimate
from trutdsl.stats.numeric import DECIMALS, Floats
from trutdsl.stats.payoffs import pair_payoffs, payoff_replicates
from trutdsl.stats.resampling import (
    FEW_GROUPS,
    Influences,
    break_even,
    percentile_interval,
    ratio_influences,
)
from trutdsl.strategy import Spec
from trutdsl.strategy.script import ScriptSpec
from trutdsl.table.counts import STRENGTHS, CountPlan


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


# The bluff ledger: what is said with hands of every strength, and what comes of it.


OWN, OTHER = 0, 1  # who has won a deal, in `bet_ended` and `bet_points`


def bluff_ledger(measured: Measurement) -> list[dict[str, Any]]:
    """Return a row for each thing that can be said and each tenth of hands, as JSON has it.

    question, option: what was said. beats: of ten hands, how many the hand beats at least.
    offered, chosen: how often it could be said, and was. rate: the share; wins: the share of
    those deals that the own side wins; won_by: the share that it wins for each reason, as by what
    others do not accept (fold equity). ends: how many ended for each. gain, loss: by counter what
    the own side has more than others from a deal that it wins, and less from one that another one
    wins. break_even: the share of such deals that has to be won so that both come to the same.
    worth: by counter what the own side has more than others from all these deals, on average.
    Estimates have intervals by clusters of sets; None where there is nothing to say.
    """
    plan = measured.plan
    offered, ended = map(measured.by_cluster, ("offered", "bet_ended"))
    points = measured.by_cluster("bet_points")
    found = []
    for bet, (question, option) in enumerate(plan.betting):
        for tenth in range(STRENGTHS):
            of = ended[:, bet, tenth]
            chosen, won = of.sum(axis=(1, 2)), of[:, :, OWN].sum(axis=1)
            found.append(
                {
                    "question": question,
                    "option": option,
                    "beats": tenth,
                    "offered": int(offered[:, bet, tenth].sum()),
                    "chosen": int(chosen.sum()),
                    "rate": _share(chosen, offered[:, bet, tenth]),
                    "wins": _share(won, chosen),
                    "ends": dict(zip(plan.reasons, of.sum(axis=(0, 2)).tolist(), strict=True)),
                    "won_by": {
                        reason: _share(of[:, place, OWN], chosen)
                        for place, reason in enumerate(plan.reasons)
                    },
                    **_payoff(points[:, bet, tenth], of.sum(axis=1), plan.counters),
                }
            )
    return found


def _payoff(points: Ints, deals: Ints, counters: tuple[str, ...]) -> Mapping[str, Any]:
    """Return gain, loss, break-even and worth by counter.

    points: by cluster, who won, and counter; deals: by cluster and who won.
    """
    found: dict[str, dict[str, Any]] = {"gain": {}, "loss": {}, "break_even": {}, "worth": {}}
    for place, counter in enumerate(counters):
        won = ratio_influences(points[:, OWN, place], deals[:, OWN])
        lost = ratio_influences(-points[:, OTHER, place], deals[:, OTHER])
        even = break_even(won, lost) if won and lost else None
        worth = ratio_influences(points[:, :, place].sum(axis=1), deals.sum(axis=1))
        found["gain"][counter], found["loss"][counter] = _maybe(won), _maybe(lost)
        found["break_even"][counter] = _maybe(even, 0.0, 1.0)
        found["worth"][counter] = _maybe(worth)
    return found


def _share(part: Ints, whole: Ints) -> Mapping[str, Any] | None:
    return _maybe(ratio_influences(part, whole), 0.0, 1.0)


def _maybe(
    found: Influences | None, least: float | None = None, most: float | None = None
) -> Mapping[str, Any] | None:
    return None if found is None else asdict(found.estimate(least, most))


# Answers without a reason: new options that a script never chose, and what it took at random.


def unknown_answers(
    base: CountPlan, measured: Measurement, strategies: Sequence[Spec]
) -> list[dict[str, Any]]:
    """Return the new options that scripts never chose in play, question by question.

    Each with `strategies`, and `at_random` if they took every answer there by a clause `any`.
    Of programs and of `uniform`, which takes any everywhere, nothing is told.
    """
    known, by_missing = dict(base.decisions), dict[tuple[str, bool, tuple[str, ...]], list[str]]()
    for name, question, options, answers, taken in _answers(measured, strategies):
        chosen = answers - taken
        missing = tuple(
            option
            for option, times in zip(options, chosen.tolist(), strict=True)
            if option not in known.get(question, ()) and not times
        )
        if missing:
            key = question, not chosen.any(), missing
            by_missing.setdefault(key, []).append(name)
    return [
        {"question": question, "options": list(m), "at_random": random, "strategies": who}
        for (question, random, m), who in by_missing.items()
    ]


def answered_at_random(measured: Measurement, strategies: Sequence[Spec]) -> list[dict[str, Any]]:
    """Return at which questions which scripts took answers by a clause `any`.

    answers: how many there were among two legal actions or more; at_random: those taken so.
    `uniform` is left out.
    """
    return [
        {
            "strategy": name,
            "question": question,
            "answers": int(answers.sum()),
            "at_random": int(taken.sum()),
        }
        for name, question, _, answers, taken in _answers(measured, strategies)
        if taken.any()
    ]


def _answers(
    measured: Measurement, strategies: Sequence[Spec]
) -> Iterator[tuple[str, str, tuple[str, ...], Ints, Ints]]:
    """Yield script, question and options, how often it took each, and how often by `any`."""
    plan = measured.plan
    chosen, taken_any = (of.sum(axis=0) for of in (measured.chosen, measured.taken_any))
    for question, options in plan.decisions:
        places = [plan.options[question, option] for option in options]
        for number, spec in enumerate(strategies):
            answers = chosen[number, places]
            if isinstance(spec, ScriptSpec) and not spec.uniform and answers.any():
                yield spec.name, question, options, answers, taken_any[number, places]


# Agreement of rankings: whether strategies that are good in one variant are good in another.


FEWEST = 3  # strategies


def agreement(base: Measurement, other: Measurement) -> Estimate | None:
    """Return Kendall's tau-b of the strategies' mean scores in two variants, 1 for the same order.

    The interval is that of a bootstrap over groups of sets, drawn alike in both, cut at what was
    found. None for fewer than three strategies, or 20 groups. Source: M. G. Kendall, Biometrika 33
    (1945) 239-251.
    """
    if base.design.strategies < FEWEST or base.design != other.design:
        return None
    one, two = (pair_payoffs(m.tally, m.design) for m in (base, other))
    few = len(base.tally.groups) < FEW_GROUPS
    if one is None or two is None or few:
        return None
    tau = kendall_tau(one.mean(axis=1), two.mean(axis=1))
    if tau is None:
        return None
    both = (payoff_replicates(m.tally, m.design).mean(axis=2) for m in (base, other))
    drawn = [kendall_tau(a, b) for a, b in zip(*both, strict=True)]
    known = np.array([one for one in drawn if one is not None])
    return percentile_interval(round(tau, DECIMALS), known)


def kendall_tau(one: Floats, other: Floats) -> float | None:
    """Return tau-b of two rankings, None where one of them ranks nobody above anybody."""
    first, second = (np.sign(scores[:, None] - scores[None, :]) for scores in (one, other))
    squares = float((first**2).sum() * (second**2).sum())
    return float((first * second).sum()) / squares**0.5 if squares else None
