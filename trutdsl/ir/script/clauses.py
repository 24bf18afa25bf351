"""Clauses and their branches, written as statements."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from trutdsl.diagnostics import Span
from trutdsl.ir import nodes
from trutdsl.ir.lower.statements import open_given
from trutdsl.ir.script.choices import (
    AnswerBody,
    Selection,
    Statements,
    choose_one,
    choose_several,
    if_holds,
    must,
    there,
)
from trutdsl.ir.script.names import Scope
from trutdsl.ir.types import YES_NO, SetOf
from trutdsl.syntax import ast
from trutdsl.syntax import strategy_ast as script

# Forms of options: their words and choices in order, by which a clause of a script names them.

Form = tuple[str | None, ...]  # words, and None for each choice: `name SUIT alone`


def form_of(option: nodes.Option, decision: str) -> Form:
    """Return the form of an option; one without words is named as its decision is."""
    choices = (part for binder in option.binders for part in (None, *binder.words))
    return *(option.words or (decision,)), *choices


def written_form(option: ast.Option, decision: str) -> Form:
    """Return the form of an option as it is written."""
    words = tuple(word.text for word in option.words)
    choices = (p for b in option.binders for p in (None, *(word.text for word in b.words)))
    return *(words or (decision,)), *choices


def shown_form(name: str, decision: str) -> Form:
    """Return the form of an option as it is counted: a kind in capitals for each choice."""
    parts = tuple(None if part.isupper() else part for part in name.split())
    return parts if parts and parts[0] is not None else (decision, *parts)


def is_called(clause: script.Clause, form: Form) -> bool:
    """Tell whether a clause names an option of this form."""
    words = clause.words
    return len(words) == len(form) and all(
        part in (None, word.text) for word, part in zip(words, form, strict=True)
    )


def names_in(clause: script.Clause, form: Form) -> Sequence[ast.Word]:
    """Return the names that a clause gives to an option's choices; it names the option."""
    return [word for word, part in zip(clause.words, form, strict=True) if part is None]


# Clauses written out as sentences: which option is taken, and whether.


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
        chosen = Selection(nodes.LegalAt(node.span, YES_NO, number, ()), [], [], [])
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


# Branches of an answer: `if`, `if let`, `else` around clauses, and what they cover together.

Branches = Sequence[tuple[ast.Expr | ast.Given, script.Choices]]


class BranchedAnswer(AnswerBody, ABC):
    """An answer with branches; an option is covered behind them if it is in every one.

    covered: the options that are taken for certain if they are legal, and by which clause.
    """

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.covered: dict[int, Span] = {}

    @abstractmethod
    def block(self, node: script.Choices) -> Statements:
        """Return the clauses of a block and what stands between them."""

    @abstractmethod
    def count(self, *built: nodes.Node) -> None:
        """Count what the answer has more."""

    def branched(self, node: script.IfChoice) -> Statements:
        """Return the sentences of an `if`."""
        before, ends = dict(self.covered), list[dict[int, Span]]()

        def inside(choices: script.Choices | None) -> Statements:
            self.covered = dict(before)
            built = self.block(choices) if choices is not None else []
            ends.append(self.covered)
            return built

        def branches(left: Branches) -> Statements:
            if not left:
                return inside(node.otherwise)
            (condition, choices), *others = left
            outer, opening = self.frame.inner(), list[nodes.Statement]()
            if isinstance(condition, ast.Given):
                value, test, name = open_given(self.sentences, condition)
                opening = [value]
                done = [name(), *inside(choices)]
            else:
                test = self.values.yes_no(condition)
                done = inside(choices)
            self.frame.leave(outer)
            last = nodes.Block(node.span, tuple(branches(others)))
            block = nodes.Block(choices.span, tuple(done))
            self.count(*opening, test)
            return [*opening, nodes.If(node.span, ((test, block),), last)]

        built = branches(node.branches)
        self.covered = {n: at for n, at in ends[0].items() if all(n in end for end in ends)}
        return built
