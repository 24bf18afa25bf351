"""What a strategy has answered: which legal action, or if none, what it was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trutdsl.diagnostics import did_you_mean
from trutdsl.game import Action, Question
from trutdsl.strategy.calls import Calling, name_of_kind, shorten


def index_of(answer: Any, question: Question, calling: Calling) -> int | None:
    """Return which legal action was answered, itself or as it is written; None for none.

    calling: of the strategy, whose code comparing may be, if it made the action itself.
    """
    try:
        if type(answer) is str:
            return question.texts.index(answer)
        if type(answer) is Action:
            with calling:
                return question.actions.index(answer) if answer in question.actions else None
    except ValueError:
        pass
    return None


def describe_illegal(answer: Any, texts: Sequence[str]) -> str:
    """Return what was answered instead of a legal action, and what is legal, in one line."""
    near = ""
    if type(answer) is str:
        said = f"'{shorten(answer)}'"
        near = f"; {found}" if (found := did_you_mean(answer, texts)) else ""
    elif type(answer) is Action and type(answer.text) is str:
        said = f"the action '{shorten(answer.text)}'"
    elif answer is None:
        said = "nothing"
    else:
        said = f"something of the kind {name_of_kind(answer)}"
    return f"it returned {said}{near}; legal: {', '.join(texts)}"
