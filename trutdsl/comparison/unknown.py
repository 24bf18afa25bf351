"""Answers without a reason: new options that a script never chose, and what it took at random."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from trutdsl.comparison.measured import Ints, Measured
from trutdsl.strategy import Spec
from trutdsl.strategy.script import ScriptSpec
from trutdsl.table.counts import CountPlan


def unknown_answers(
    base: CountPlan, measured: Measured, strategies: Sequence[Spec]
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


def answered_at_random(measured: Measured, strategies: Sequence[Spec]) -> list[dict[str, Any]]:
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
    measured: Measured, strategies: Sequence[Spec]
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
