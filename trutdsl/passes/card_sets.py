"""Sets of cards as expressions: these cards, or all but these."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce

from trutdsl.diagnostics import Span
from trutdsl.ir import nodes
from trutdsl.ir.nodes import Expression
from trutdsl.ir.types import CARDS, YES_NO


@dataclass(frozen=True)
class CardSet:
    """The cards of a set, or all others; `others` says which."""

    cards: Expression
    others: bool = False

    def among(self, items: Expression) -> Expression:
        """Return those of a set that are of these."""
        op = "-" if self.others else "&"
        return nodes.SetOperation(items.span, CARDS, op, items, self.cards)

    def negated(self) -> CardSet:
        return CardSet(self.cards, not self.others)

    def both(self, other: CardSet) -> CardSet:
        """Return the cards that are of these and of the other."""
        if self.others and other.others:
            return CardSet(union(self.cards.span, (self.cards, other.cards)), True)
        one, two = (other, self) if self.others else (self, other)
        return CardSet(two.among(one.cards))

    def either(self, other: CardSet) -> CardSet:
        """Return the cards that are of these or of the other."""
        if self.others or other.others:
            return self.negated().both(other.negated()).negated()
        return CardSet(union(self.cards.span, (self.cards, other.cards)))


def union(span: Span, sets: Iterable[Expression]) -> Expression:
    """Return the cards of any of some sets."""
    first, *others = sets or (nodes.SetLiteral(span, CARDS, ()),)
    return reduce(lambda one, two: nodes.SetOperation(span, CARDS, "+", one, two), others, first)


def none_of(span: Span, cards: Expression) -> Expression:
    return nodes.Builtin(span, YES_NO, "empty", (cards,))


def some_of(span: Span, cards: Expression) -> Expression:
    return nodes.Not(span, YES_NO, none_of(span, cards))


def all_hold(parts: list[Expression]) -> Expression:
    """Return whether all conditions hold, looked at one after the other."""
    return reduce(lambda one, two: nodes.Logic(two.span, YES_NO, "and", one, two), parts)
