"""What a match waits for: a seat's choice, or to go on with the next deal."""

from __future__ import annotations

from dataclasses import dataclass

from trutdsl.ir import nodes
from trutdsl.ir.types import Kind, SetOf
from trutdsl.syntax.ast import Audience
from trutdsl.table.setting import Setting


@dataclass(frozen=True)
class Action:
    """A legal action.

    text:   as it is written, e.g. `play 7h`.
    words:  the words of its option, e.g. ("play",).
    values: what was chosen with each word `from`: an index of `kinds`, or a number (kind None).
    """

    text: str
    words: tuple[str, ...]
    values: tuple[int, ...]
    kinds: tuple[Kind | None, ...]
    option: int


@dataclass(frozen=True)
class Question:
    """What a match waits for: a seat's choice among actions, answered with the index of one."""

    seat: int
    decision: str
    audience: Audience
    actions: tuple[Action, ...]


@dataclass(frozen=True)
class DealStart:
    """A match stands before the next deal, whose index this is."""

    deal: int


def action_of(
    setting: Setting, option: nodes.Option, number: int, values: tuple[int, ...]
) -> Action:
    """Return the action of an option, the `number`-th of its question, with what was chosen."""
    parts = list(option.words)
    kinds: list[Kind | None] = []
    for binder, value in zip(option.binders, values, strict=True):
        kind = binder.items.type.kind if isinstance(binder.items.type, SetOf) else None
        kinds.append(kind)
        parts.append(setting.text_of(kind, value) if kind is not None else str(value))
        parts += binder.words
    return Action(" ".join(parts), option.words, values, tuple(kinds), number)
