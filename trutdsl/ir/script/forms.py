"""Forms of options: their words and choices in order, by which clauses of scripts name them."""

from __future__ import annotations

from collections.abc import Sequence

from trutdsl.ir import nodes
from trutdsl.ir.script.history import words_of
from trutdsl.syntax import ast
from trutdsl.syntax import strategy_ast as script

Form = tuple[str | None, ...]  # words, and None for each choice: `name SUIT alone`


def form_of(option: nodes.Option, decision: str) -> Form:
    choices = (part for binder in option.binders for part in (None, *binder.words))
    return *words_of(option, decision), *choices


def form_of_syntax(option: ast.Option, decision: str) -> Form:
    words = tuple(word.text for word in option.words)
    choices = (p for b in option.binders for p in (None, *(word.text for word in b.words)))
    return *(words or (decision,)), *choices


def is_called(clause: script.Clause, form: Form) -> bool:
    """Return whether a clause names an option of this form."""
    words = clause.words
    return len(words) == len(form) and all(
        part in (None, word.text) for word, part in zip(words, form, strict=True)
    )


def options_called(clause: script.Clause, forms: Sequence[Form]) -> list[int]:
    """Return the numbers of the options that a clause names.

    A word is the name of a choice only if it is no word of an option: beside `raise n`, the clause
    `raise most` takes the option `raise most`.
    """
    called = [number for number, form in enumerate(forms) if is_called(clause, form)]
    fewest = min((forms[number].count(None) for number in called), default=0)
    return [number for number in called if forms[number].count(None) == fewest]


def names_in(clause: script.Clause, form: Form) -> Sequence[ast.Word]:
    """Return the names that a clause gives to the choices of its option."""
    return [word for word, part in zip(clause.words, form, strict=True) if part is None]
