"""Coverage of new answers: what a variant lets its players say that a script has no clause for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trutdsl.comparison.measured import Ints
from trutdsl.strategy import Spec
from trutdsl.strategy.named import named_options, takes_any
from trutdsl.strategy.script import ScriptSpec
from trutdsl.table.counts import CountPlan


def unknown_answers(
    base: CountPlan, other: CountPlan, strategies: Sequence[Spec]
) -> list[dict[str, Any]]:
    """Return the new options that scripts do not name, question by question.

    Each with `strategies`, and `at_random` if they name none of its options, new or not: then they
    take any. Of programs and of `uniform`, which takes any everywhere, nothing is told.
    """
    known, found = dict(base.decisions), list[dict[str, Any]]()
    for decision, options in other.decisions:
        new = [option for option in options if option not in known.get(decision, ())]
        if not new or len(options) < 2:
            continue
        by_missing: dict[tuple[bool, tuple[str, ...]], list[str]] = {}
        for spec in strategies:
            if isinstance(spec, ScriptSpec) and spec.native_on(0) != "uniform":
                named = named_options(spec, decision, options)
                missing = tuple(option for option in new if option not in named)
                if missing:
                    by_missing.setdefault((not named, missing), []).append(spec.name)
        found += [
            {"question": decision, "options": list(m), "at_random": random, "strategies": who}
            for (random, m), who in by_missing.items()
        ]
    return found


def answered_at_random(
    plan: CountPlan, strategies: Sequence[Spec], chosen: Ints
) -> list[dict[str, Any]]:
    """Return at which questions that were asked which scripts take any answer.

    chosen: int64 (strategies, options), how often who gave which answer. `uniform` is left out.
    """
    found = dict[tuple[str, ...], list[str]]()
    for decision, options in plan.decisions:
        places = [plan.options[decision, option] for option in options]
        who = tuple(
            spec.name
            for spec, answers in zip(strategies, chosen, strict=True)
            if spec.native_on(0) != "uniform"
            and takes_any(spec, [(decision, options)])
            and answers[places].any()
        )
        if who:
            found.setdefault(who, []).append(decision)
    return [{"strategies": list(who), "questions": asked} for who, asked in found.items()]
