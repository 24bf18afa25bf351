"""The wording of actions: which texts the questions of a variant can ever have as an answer."""

from __future__ import annotations

import re

from trutdsl.diagnostics import did_you_mean
from trutdsl.game import Game, Question
from trutdsl.ir import nodes
from trutdsl.ir.nodes import questions_of
from trutdsl.ir.types import Hands
from trutdsl.language import say
from trutdsl.table.match import kind_of
from trutdsl.table.setting import Setting

NEAR = 0.8  # how similar an action must be to be suggested


def can_be_said(game: Game, text: str) -> bool:
    """Return whether some question has an option that is written so, at whatever time.

    Numbers may be out of their bounds: a bet that is too high is refused, but it is an action.
    """
    options = (option for ask in questions_of(game.program) for option in ask.options)
    return any(re.fullmatch(_pattern(game.setting, option), text) for option in options)


def near_action(game: Game, question: Question, text: str) -> str | None:
    """Return a `did you mean` sentence for an action that is written almost so, or None.

    It is a legal one, also if a word is missing in front; or one at any time, without a first word
    that no option has.
    """
    longer = [legal for legal in question.texts if legal.endswith(f" {text}")]
    shorter = text.partition(" ")[2]
    if not longer and shorter and not can_be_said(game, text) and can_be_said(game, shorter):
        longer = [shorter]
    if len(longer) == 1:
        return say("did you mean '{inside}'?", inside=longer[0])
    return did_you_mean(text, question.texts, NEAR)


def _pattern(setting: Setting, option: nodes.Option) -> str:
    """Return a regular expression for the texts of an option."""
    parts = [re.escape(word) for word in option.words]
    for binder in option.binders:
        parts += [_choice(setting, binder), *map(re.escape, binder.words)]
    return " ".join(parts)


def _choice(setting: Setting, binder: nodes.Binder) -> str:
    kind = kind_of(binder)
    if kind is None:
        return "-?[0-9]+"
    if isinstance(kind, Hands):
        cards = "|".join(map(re.escape, setting.deck.texts))
        return f"(?:{cards})(?: (?:{cards}))*"
    texts = (setting.text_of(kind, number) for number in range(setting.count(kind)))
    return f"(?:{'|'.join(map(re.escape, texts))})"
