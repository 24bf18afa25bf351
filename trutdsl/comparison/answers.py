"""Answers: the bluff ledger, and answers that scripts give without a reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from trutdsl.comparison.measured import Ints, Measurement
from trutdsl.stats.resampling import Influences, break_even, ratio_influences
from trutdsl.strategy import Spec
from trutdsl.strategy.script import ScriptSpec
from trutdsl.table.counts import STRENGTHS, CountPlan

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
