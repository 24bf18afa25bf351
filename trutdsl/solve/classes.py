"""Card classes: which cards neither the rules nor the strategies at a table can tell apart.

Two cards are of one class if every attribute that the program reads is the same for both, and
nothing depends on the order in which it goes through cards. Then exchanging the two is a symmetry
of the game (an automorphism), and deals that differ only by such exchanges count as one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from trutdsl.diagnostics import Span
from trutdsl.ir.nodes import Program
from trutdsl.language import say
from trutdsl.solve.card_reads import PRINTED, CardReads
from trutdsl.solve.card_uses import CardUses
from trutdsl.table.setting import Setting


@dataclass(frozen=True)
class CardClasses:
    """The classes of the cards at one table.

    of:         the class of each card, by its index; classes are numbered by their first cards.
    attributes: the attributes that rules and strategies read, in words.
    order_span: where the order of cards matters, None where it does not.
    """

    of: tuple[int, ...]
    attributes: tuple[str, ...]
    order_span: Span | None

    @property
    def count(self) -> int:
        return max(self.of) + 1

    @property
    def all_differ(self) -> bool:
        """Whether each card is alone in its class."""
        return self.count == len(self.of)

    def sentence(self) -> str:
        """Say which differences between cards do not matter, and why."""
        cards = len(self.of)
        if self.order_span is not None:
            text = "the order of the pack matters ({ordered}), so all {cards} cards differ"
            return say(text, ordered=self.order_span, cards=cards)
        known = {"suit": say("suit"), "rank": say("rank")}
        unread_names = [
            name for attribute, name in known.items() if attribute not in self.attributes
        ]
        if self.all_differ or not unread_names:
            return say("all {cards} cards differ", cards=cards)
        names = say("suit or rank") if unread_names[1:] else unread_names[0]
        text = (
            "nothing reads the {names} of a card or its place in the pack: of {cards} "
            "cards {count} differ"
        )
        return say(text, names=names, cards=cards, count=self.count)

    def names(self, cards: Sequence[str]) -> list[tuple[str, ...]]:
        """Return the names of the cards of each class; cards: all names."""
        pairs = list(zip(cards, self.of, strict=True))
        return [tuple(name for name, its in pairs if its == c) for c in range(self.count)]

    @cached_property
    def masks(self) -> NDArray[np.uint64]:
        """The cards of each class, uint64 (classes,)."""
        masks = np.zeros(self.count, np.uint64)
        np.bitwise_or.at(
            masks, list(self.of), np.uint64(1) << np.arange(len(self.of), dtype=np.uint64)
        )
        return masks


def class_names(classes: Sequence[Sequence[str]]) -> list[str]:
    """Return a name for each class of cards; classes: the names of the cards of each.

    This is the rank if the class has all cards of the rank, else the names of all its cards.
    """
    every = [name for names in classes for name in names]
    result = []
    for names in classes:
        start = _common_start(names)
        count = sum(_has_rank(name, start) for name in every)
        is_rank = start and count == len(names) and all(_has_rank(name, start) for name in names)
        result.append(start if is_rank else "/".join(names))
    return result


def _common_start(names: Sequence[str]) -> str:
    """Return the whole words or characters with which all names start, such as a rank."""
    letters = takewhile(lambda column: len(set(column)) == 1, zip(*names, strict=False))
    start = "".join(column[0] for column in letters)
    if len(names) > 1 and " " in start:  # as in `7 oros`
        start = start[: start.rindex(" ")]
    return start


def _has_rank(name: str, rank: str) -> bool:
    """Tell whether only a suit follows the rank in a card's name, such as `7♥` or `7 oros`."""
    rest = name.removeprefix(rank)
    return name.startswith(rank) and (len(rest) < 2 or rest.startswith(" "))


def find_classes(program: Program, setting: Setting) -> CardClasses:
    """Return the classes of the cards at a table, as far as the program's text proves them."""
    reads = CardUses(program, setting)
    every = range(len(setting.deck.texts))
    columns = [reads.attribute(name) for name in sorted(reads.attributes)]
    columns += [[card in group for card in every] for group in reads.groups]
    rows = list(zip(*columns, strict=True))
    ordered = reads.order_span or _broken_tie(reads, rows)
    if len(set(rows)) == len(every):
        ordered = None  # all cards differ anyway
    numbers: dict[object, int] = {}
    keys = rows if ordered is None else every
    of = tuple(numbers.setdefault(key, len(numbers)) for key in keys)
    names = tuple(sorted(name.removeprefix(PRINTED) for name in reads.attributes))
    return CardClasses(of, names, ordered)


def _broken_tie(reads: CardReads, rows: list[tuple[object, ...]]) -> Span | None:
    """Return where cards tie that must be alike, but are of different classes."""
    for span, name in reads.ties:
        keys = reads.attribute(name)
        if len(set(zip(keys, rows, strict=True))) > len(set(keys)):
            return span
    return None
