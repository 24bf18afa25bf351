"""Coverage of new answers: what a variant lets its players say that a script has no clause for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from trutdsl.ir.policy.forms import is_called, shown_form
from trutdsl.strategy import Spec
from trutdsl.strategy.script import ScriptSpec
from trutdsl.syntax import ast
from trutdsl.syntax import strategy_ast as script
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
                named = _named(spec, decision, options)
                missing = tuple(option for option in new if option not in named)
                if missing:
                    by_missing.setdefault((not named, missing), []).append(spec.name)
        found += [
            {"question": decision, "options": list(m), "at_random": random, "strategies": who}
            for (random, m), who in by_missing.items()
        ]
    return found


def _named(spec: ScriptSpec, decision: str, options: Sequence[str]) -> set[str]:
    """Return the options that a clause names which the script may come to at a question."""
    told = spec.script
    answers = told.answers.get(decision) or told.answers.get(None, ())
    rules = (rule for of_name in told.rules.values() for rule in of_name)
    clauses = [one for part in (*answers, *rules) for one in _clauses(part)]
    found = set()
    for option in options:
        form = shown_form(option, decision)
        if any(one.words and is_called(one, form) for one in clauses):
            found.add(option)
    return found


def _clauses(node: object) -> Iterator[script.Clause]:
    """Yield every clause within a node."""
    if isinstance(node, script.Clause):
        yield node
    elif isinstance(node, tuple):
        for one in node:
            yield from _clauses(one)
    elif isinstance(node, ast.Node):
        for one in vars(node).values():
            yield from _clauses(one)
