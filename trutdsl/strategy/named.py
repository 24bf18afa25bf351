"""Coverage of answers: which options of a question a script names, and where it takes any."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from trutdsl.ir.policy.forms import is_called, shown_form
from trutdsl.strategy.script import ScriptSpec
from trutdsl.strategy.spec import Spec
from trutdsl.syntax import ast
from trutdsl.syntax import strategy_ast as script


def takes_any(spec: Spec, decisions: Iterable[tuple[str, Sequence[str]]]) -> list[str]:
    """Return the questions with several options of which a script names none: it takes any.

    Of `uniform` these are all; of programs none, as nobody knows.
    """
    if not isinstance(spec, ScriptSpec):
        return []
    asked = [(decision, options) for decision, options in decisions if len(options) > 1]
    return [d for d, options in asked if not named_options(spec, d, options)]


def named_options(spec: ScriptSpec, decision: str, options: Sequence[str]) -> set[str]:
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
