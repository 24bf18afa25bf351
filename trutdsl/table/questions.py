"""What a match waits for: a seat's choice, what chance gives, or to go on with the next deal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from trutdsl.ir import nodes
from trutdsl.ir.types import Among, Chosen, Hands, Number, SetOf
from trutdsl.streams import Stream
from trutdsl.syntax.ast import Audience
from trutdsl.table.setting import Setting


class Action(NamedTuple):
    """A legal action; a tuple, because strategies are given the very object.

    text:   as it is written, e.g. `play 7h`.
    words:  the words of its option, e.g. ("play",).
    values: what was chosen with each word `from`: an index of `kinds`, or a number (kind None), or
            a mask of several cards (kind `Hands`).
    """

    text: str
    words: tuple[str, ...]
    values: tuple[int, ...]
    kinds: tuple[Chosen | None, ...]
    option: int


class Question(NamedTuple):
    """What a match waits for: a seat's choice among actions, answered with the index of one.

    texts:  how each of them is written.
    number: which of the program's questions it is, counted from 0 in the order of its text.
    """

    seat: int
    decision: str
    audience: Audience
    actions: tuple[Action, ...]
    texts: tuple[str, ...]
    number: int


class Said(NamedTuple):
    """An answer that was given: whose, to which question, and how the action is written."""

    seat: int
    decision: str
    action: str


class Announcement(Said):
    """What was announced: by whom (-1: by nobody), as what, and how the value is written.

    It stands among the answers where the seat heard it.
    """

    __slots__ = ()


class PassedCards(Said):
    """Cards that went from one seat to another: whose they were, to which zone, which and to whom.

    Of teams, the seat is -1. Who may see neither place notices only how many there were.
    """

    __slots__ = ()


def plain_said(said: Said) -> dict[str, Any]:
    """Return what was said as JSON has it; what is no answer has also `event`."""
    plain = said._asdict()
    if isinstance(said, Announcement | PassedCards):
        plain["event"] = "announced" if isinstance(said, Announcement) else "passed"
    return plain


@dataclass(frozen=True)
class DealStart:
    """A match stands before the next deal, whose index this is."""

    deal: int


@dataclass(frozen=True)
class ChanceNode:
    """A match waits for what chance gives, answered with the index of one outcome.

    what:     "card", "number", "element" or "yes".
    outcomes: all that can come: cards or elements by their index, ascending; numbers, ascending;
              of yes and no, True first. A single one if nothing else can come.
    names:    how each is written; empty for numbers. odds: see `weights`; empty if all are equal.
    zone, index, face_up: where a drawn card goes, and whether all see it; else None, 0, False.
    kind:     what a card or an element is; else None.
    """

    what: str
    outcomes: Sequence[int]
    names: tuple[str, ...] = ()
    odds: tuple[int, ...] = ()
    zone: str | None = None
    index: int = 0
    face_up: bool = False
    kind: Among | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """How each outcome is written."""
        return self.names or tuple(map(str, self.outcomes))

    @property
    def weights(self) -> tuple[int, ...]:
        """A positive number for each outcome, whose probability is its part of their sum."""
        return self.odds or (1,) * len(self.outcomes)

    def draw(self, random: Stream) -> int:
        """Return the index of an outcome, drawn by the weights as a seed's own chance draws it."""
        if not self.odds:
            return random.below(len(self.outcomes))
        left = random.below(sum(self.odds))
        return next(i for i in range(len(self.odds)) if left < sum(self.odds[: i + 1]))


def kind_of(binder: nodes.Binder) -> Chosen | None:
    """Return what is chosen: one of a kind, a named value, several cards, or a number."""
    match binder.items.type:
        case SetOf(kind) if not isinstance(kind, Number):
            return kind
        case Hands() as hands:
            return hands
    return None


def action_of(
    setting: Setting, option: nodes.Option, number: int, values: tuple[int, ...]
) -> Action:
    """Return the action of an option, the `number`-th of its question, with what was chosen."""
    parts = list(option.words)
    kinds: list[Chosen | None] = []
    for binder, value in zip(option.binders, values, strict=True):
        kind = kind_of(binder)
        kinds.append(kind)
        if isinstance(kind, Hands):
            cards = enumerate(setting.deck.texts)
            parts += [text for card, text in cards if value >> card & 1]
        else:
            parts.append(setting.text_of(kind, value) if kind is not None else str(value))
        parts += binder.words
    return Action(" ".join(parts), option.words, values, tuple(kinds), number)
