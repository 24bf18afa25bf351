"""Blame: which clauses of a script come to a place in what its variant defines."""

from __future__ import annotations

from collections.abc import Iterator

from trutdsl.ir.nodes import Call, Node, Policy, Program
from trutdsl.ir.walk import walk
from trutdsl.source import Span

MOST_NAMED = 3


def clauses_at(program: Program, policy: Policy, question: int, at: Span) -> tuple[Span, ...]:
    """Return where an answer comes to a place of another file: at most three sentences, in order.

    None if the place stands in the script itself. A sentence comes to what its defines come to.
    """
    found: list[Span] = []
    leads = dict[str, bool]()
    if at.source.name == policy.span.source.name:
        return ()
    for answer in policy.answers:
        if answer.question == question:
            sentences = answer.body.statements
            found += [one.span for one in sentences if _comes_to(program, one, at, leads)]
    return tuple(dict.fromkeys(found))[:MOST_NAMED]


def _comes_to(program: Program, node: Node, at: Span, leads: dict[str, bool]) -> bool:
    """Tell whether a node, or a define that it asks, holds a place; `leads`: of each define."""
    for name in _asked(node):
        if name not in leads:
            leads[name] = False  # defines do not lead back to themselves
            leads[name] = _comes_to(program, program.functions[name], at, leads)
        if leads[name]:
            return True
    return any(one.span == at for one in walk(node))


def _asked(node: Node) -> Iterator[str]:
    return (one.function for one in walk(node) if isinstance(one, Call))
