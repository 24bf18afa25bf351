"""The pack: as a file declares a part of it, and as a variant has it in the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from trutdsl.diagnostics import Collector, Span
from trutdsl.variant.read_values import (
    WORD,
    NameForm,
    key_span,
    read_entries,
    read_fields,
    read_integer,
    read_name,
    read_names,
    refuse,
)
from trutdsl.variant.yaml_nodes import Node, Scalar

MOST_CARDS = 64


@dataclass(frozen=True)
class Suit:
    """A suit: the one letter it has in a card's text, and its name."""

    letter: str
    name: str
    span: Span


@dataclass(frozen=True)
class Rank:
    """A rank as it stands in a card's text."""

    text: str
    span: Span


@dataclass(frozen=True)
class SpecialCard:
    """A card beside suits and ranks; its name is its text."""

    name: str
    span: Span


@dataclass(frozen=True)
class Worth:
    """What one rank, suit or card (`key`) has of one named value."""

    value: str
    key: str
    amount: int
    span: Span


@dataclass(frozen=True)
class PackPart:
    """The keys of a pack that one file writes; None for a key that it does not write.

    value_names: the names of its values, also of those that no card has.
    """

    suits: tuple[Suit, ...] | None
    ranks: tuple[Rank, ...] | None
    special_cards: tuple[SpecialCard, ...]
    value_names: tuple[Scalar, ...]
    worths: tuple[Worth, ...]
    span: Span


@dataclass(frozen=True)
class PackDeclaration:
    """What one file says of the pack.

    part: what holds whatever the parameters are.
    by:   the choice parameter that picks one of `of`, or None.
    """

    part: PackPart
    by: Scalar | None
    of: tuple[tuple[Scalar, PackPart], ...]
    span: Span


@dataclass(frozen=True)
class Pack:
    """A complete pack.

    ranks:  the strongest first.
    values: value name -> rank, suit or card -> amount; what a card says goes before the others.
    """

    suits: tuple[Suit, ...]
    ranks: tuple[Rank, ...]
    special_cards: tuple[SpecialCard, ...]
    values: Mapping[str, Mapping[str, int]]

    @property
    def cards(self) -> tuple[str, ...]:
        """The text of every card: suit by suit from the strongest rank, then the special ones."""
        regular = [rank.text + suit.letter for suit in self.suits for rank in self.ranks]
        return (*regular, *(card.name for card in self.special_cards))

    def value(self, name: str, card: str) -> int:
        """Return how much of the named value a card (its text) has; 0 if nothing is said."""
        return self.said(name, card) or 0

    def said(self, name: str, card: str) -> int | None:
        """Return what is said of a card's value: by the card, else by its rank or suit."""
        amounts = self.values.get(name, {})
        if card in amounts or any(card == c.name for c in self.special_cards):
            return amounts.get(card)
        return amounts.get(card[:-1], amounts.get(card[-1]))


# The `pack` of a variant file, from nodes.

KEYS = ("suits", "ranks", "values", "special_cards")
MODULE_KEYS = ("values", "special_cards")
LETTER = NameForm("[a-z]", "one small letter")
RANK = NameForm("[A-Za-z0-9]{1,3}", "one to three letters and digits")
LARGEST_VALUE = 1_000_000


def read_pack(node: Node, is_module: bool, errors: Collector) -> PackDeclaration | None:
    """Return what a file says of the pack, or None if that is not a mapping.

    A module may only add values and special cards.
    """
    keys = MODULE_KEYS if is_module else (*KEYS, "by", "of")
    what = "the pack of a module" if is_module else "the pack"
    fields = read_fields(node, what, errors, keys)
    if fields is None:
        return None
    by, of = None, []
    if ("by" in fields) != ("of" in fields):
        lone, other = ("by", "of") if "by" in fields else ("of", "by")
        message = f"the pack has '{lone}' without '{other}'"
        help_text = "write by: PARAMETER and of: {CHOICE: {...}, ...}"
        errors.error("missing-key", message, key_span(node, lone), help=help_text)
    elif "by" in fields:
        by = read_name(fields["by"], "'by'", errors)
        choices = read_entries(fields["of"], "'of'", errors)
        if choices == ():
            refuse(fields["of"], "'of'", "a mapping with a pack for each choice", errors)
        for choice, choice_node in choices or ():
            part_fields = read_fields(choice_node, f"the pack '{choice.text}'", errors, KEYS)
            if part_fields is not None:
                of.append((choice, _read_part(choice_node, part_fields, errors)))
    return PackDeclaration(_read_part(node, fields, errors), by, tuple(of), node.span)


def _read_part(node: Node, fields: dict[str, Node], errors: Collector) -> PackPart:
    suits = _read_suits(fields["suits"], errors) if "suits" in fields else None
    ranks = None
    if "ranks" in fields:
        names = read_names(fields["ranks"], "'ranks'", errors, RANK)
        ranks = tuple(Rank(name.text, name.span) for name in names or ())
    value_names: dict[str, Scalar] = {}
    worths: list[Worth] = []
    for value, cards in (
        read_entries(fields["values"], "'values'", errors) or () if ("values" in fields) else ()
    ):
        if read_name(value, "the name of a value", errors):
            value_names[value.text] = value
            _read_worths(value, cards, worths, errors)
    special: tuple[SpecialCard, ...] = ()
    if "special_cards" in fields:
        special = _read_special(fields["special_cards"], value_names, worths, errors)
    return PackPart(suits, ranks, special, tuple(value_names.values()), tuple(worths), node.span)


def _read_suits(node: Node, errors: Collector) -> tuple[Suit, ...]:
    suits: dict[str, Suit] = {}
    for letter, name_node in read_entries(node, "'suits'", errors) or ():
        name = read_name(name_node, "the name of a suit", errors)
        if not read_name(letter, "the letter of a suit", errors, LETTER) or name is None:
            continue
        if name.text in suits:
            message = f"two suits have the name '{name.text}'"
            errors.error("declared-twice", message, name.span)
        suits[name.text] = Suit(letter.text, name.text, letter.span)
    return tuple(suits.values())


def _read_worths(value: Scalar, node: Node, worths: list[Worth], errors: Collector) -> None:
    for card, amount_node in read_entries(node, f"the value '{value.text}'", errors) or ():
        what = f"'{value.text}' of '{card.text}'"
        name = read_name(card, "a rank, suit or card", errors, WORD)
        amount = read_integer(amount_node, what, errors, -LARGEST_VALUE, LARGEST_VALUE)
        if amount is not None and name is not None:
            worths.append(Worth(value.text, card.text, amount, card.span))


def _read_special(
    node: Node, value_names: dict[str, Scalar], worths: list[Worth], errors: Collector
) -> tuple[SpecialCard, ...]:
    cards = []
    for name, values in read_entries(node, "'special_cards'", errors) or ():
        if not read_name(name, "the name of a special card", errors):
            continue
        cards.append(SpecialCard(name.text, name.span))
        for value, amount_node in read_entries(values, f"'{name.text}'", errors) or ():
            what = f"'{value.text}' of '{name.text}'"
            amount = read_integer(amount_node, what, errors, -LARGEST_VALUE, LARGEST_VALUE)
            if amount is not None and read_name(value, "the name of a value", errors):
                value_names.setdefault(value.text, value)
                worths.append(Worth(value.text, name.text, amount, value.span))
    return tuple(cards)
