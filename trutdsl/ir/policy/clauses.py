"""Clauses written out as sentences: which option is taken, and whether."""

from __future__ import annotations

from collections.abc import Sequence

from trutdsl.ir import nodes
from trutdsl.ir.policy.answer_body import AnswerBody, Statements
from trutdsl.ir.policy.choices import Chosen, choose_one, choose_several, if_holds, must, there
from trutdsl.ir.policy.forms import form_of, names_in
from trutdsl.ir.types import YES_NO, SetOf
from trutdsl.syntax import strategy_ast as script


def build_clauses(
    builder: AnswerBody,
    node: script.Clause,
    numbers: Sequence[int],
    ask: nodes.Ask,
    test: nodes.Expression | None,
) -> Statements:
    """Return what a clause says of these options of a question, where its condition holds.

    test: the condition. If there is one option, and nothing to choose in it, it is looked at only
    where that is legal.
    """
    if len(numbers) == 1 and not ask.options[numbers[0]].binders:
        return _build_clause(builder, node, numbers[0], ask, test)
    built = [s for number in numbers for s in _build_clause(builder, node, number, ask, None)]
    return when(node, test, built)


def when(node: script.Clause, test: nodes.Expression | None, body: Statements) -> Statements:
    """Return what is done if a clause's condition holds."""
    if test is None or node.condition is None:
        return body
    return [if_holds(node.condition.span, test, body)]


def _build_clause(
    builder: AnswerBody,
    node: script.Clause,
    number: int,
    ask: nodes.Ask,
    test: nodes.Expression | None,
) -> Statements:
    """Return what a clause says of one option, the `number`-th; test: what must hold besides."""
    option = ask.options[number]
    names = names_in(node, form_of(option, ask.decision))
    if not names:
        chosen = Chosen(nodes.LegalAt(node.span, YES_NO, number, ()), [], [], [])
    elif len(names) == 1 and isinstance(option.binders[0].items.type, SetOf):
        chosen = choose_one(builder, node, number, option.binders[0], names[0])
    else:
        chosen = choose_several(builder, node, number, option, names)
    outer = builder.frame.inner()
    for name, value in zip(names, chosen.values, strict=True):
        builder.frame.bind(name, value.type)
        builder.frame.size -= 1
        builder.frame.bound[name.text] = (value.slot, there(value.type))
    remembered = builder.assignments(node.body)
    builder.frame.leave(outer)
    values = tuple(must(value) for value in chosen.values)
    end: Statements = [*chosen.pick, *remembered, nodes.Take(node.span, number, values)]
    inner = when(node, test, builder.by_chance(node.odds, end))
    return [*chosen.before, if_holds(node.span, chosen.found, inner)]
