"""Forms of options: their words and choices in order, by which a clause of a script names them."""

from __future__ import annotations

from collections.abc import Sequence

from trutdsl.ir import nodes
from trutdsl.syntax import ast
from trutdsl.syntax import strategy_ast as script

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
