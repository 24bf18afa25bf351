"""The pack: one file's declarations, and the complete pack of a variant."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from trutdsl.diagnostics import Collector, Span, write_instead
from trutdsl.language import mark, quote_name, say
from trutdsl.variant.read_values import (
    IDENTIFIER,
    LONGEST_NAME,
    WORD,
    NameForm,
    keep_node,
    key_span,
    parse_integer,
    read_entries,
    read_integer,
    read_mapping,
    read_name,
    read_names,
    refuse,
)
from trutdsl.variant.shapes import PLAIN, YamlKey, array, integer, mapping, name_of, shaped, table
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
    """A rank, as in a card's text."""

    text: str
    span: Span


@dataclass(frozen=True)
class SpecialCard:
    """A card beside suits and ranks; its name is its text.

    above: the rank that it just beats, `highest` if it beats every card; None if it has a number.
    """

    name: str
    span: Span
    above: Scalar | None = None


@dataclass(frozen=True)
class Worth:
    """The value of one rank, suit or card (`key`) under one name."""

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
    value_names: tuple[str, ...]
    worths: tuple[Worth, ...]
    span: Span


@dataclass(frozen=True)
class PackDeclaration:
    """The declarations of one file about the pack.

    part: those that hold for all parameters.
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
    values: value name -> rank, suit or card -> amount; the amount of a card takes precedence.
    span:   where the file that was named declares it, else the name of that file.
    """

    suits: tuple[Suit, ...]
    ranks: tuple[Rank, ...]
    special_cards: tuple[SpecialCard, ...]
    values: Mapping[str, Mapping[str, int]]
    span: Span = field(compare=False, repr=False)

    @property
    def cards(self) -> tuple[str, ...]:
        """The text of every card: suit by suit from the strongest rank, then the special cards."""
        regular = [rank.text + suit.letter for suit in self.suits for rank in self.ranks]
        return (*regular, *(card.name for card in self.special_cards))

    def value(self, name: str, card: str) -> int:
        """Return the amount of a named value for a card (its text); 0 without one."""
        return self.declared_amount(name, card) or 0

    def declared_amount(self, name: str, card: str) -> int | None:
        """Return the declared amount for a card: of the card, else of its rank or suit."""
        amounts = self.values.get(name, {})
        if card in amounts or any(card == c.name for c in self.special_cards):
            return amounts.get(card)
        return amounts.get(card[:-1], amounts.get(card[-1]))


# The `pack` of a variant file, from nodes.

SUIT_NAME = NameForm(
    r"(?=[^\W\d_A-Z])\w[^\WA-Z]*", mark("a small letter, then small letters, digits and '_'")
)
LETTER = NameForm("[a-z]", mark("one small letter"))
RANK = NameForm(
    r"(?:[^\W\d_]|[0-9]){1,3}",
    mark("one to three letters and digits"),
    mark("write a short form, such as `Q`; its word in each language stands in `words:`"),
)
HIGHEST = "highest"
ABOVE = re.compile(rf"{HIGHEST}|above +({RANK.pattern})")
STRENGTH = "strength"
LARGEST_VALUE = 1_000_000
AMOUNT = integer(-LARGEST_VALUE, LARGEST_VALUE)
# Special cards, the names of values, and their amounts.
_Values: TypeAlias = tuple[tuple[SpecialCard, ...], list[str], list[Worth]]


@shaped(lambda: table(name_of(SUIT_NAME.pattern, LONGEST_NAME), LETTER.pattern))
def _read_suits(node: Node, what: str, errors: Collector) -> tuple[Suit, ...]:
    suits: dict[str, Suit] = {}
    for letter, name_node in read_entries(node, what, errors) or ():
        name = read_name(name_node, say("the name of a suit"), errors, SUIT_NAME)
        if not re.fullmatch(LETTER.pattern, letter.text) and len(letter.text) < LONGEST_NAME:
            message = say(
                "the letter of a suit must be one small letter; found {found}",
                found=quote_name(letter.text),
            )
            word = name.text if name and len(name.text) > 1 else letter.text
            one = f"{unicodedata.normalize('NFD', word)[:1]}: {word}"
            errors.error("bad-name", message, letter.span, help=say("write `{found}`", found=one))
            continue
        if not read_name(letter, say("the letter of a suit"), errors, LETTER) or name is None:
            continue
        if name.text in suits:
            message = say("two suits have the name '{name}'", name=name.text)
            errors.error("declared-twice", message, name.span)
        suits[name.text] = Suit(letter.text, name.text, letter.span)
    return tuple(suits.values())


@shaped(lambda: array(name_of(RANK.pattern, LONGEST_NAME), 1, unique=True))
def _read_ranks(node: Node, what: str, errors: Collector) -> tuple[Rank, ...]:
    return tuple(Rank(name.text, name.span) for name in read_names(node, what, errors, RANK))


@shaped(lambda: table(table(AMOUNT)))
def _read_values(node: Node, what: str, errors: Collector) -> _Values:
    names, worths = [], []
    for value, cards in read_entries(node, what, errors) or ():
        is_name = re.fullmatch(IDENTIFIER.pattern, value.text) is not None
        if not is_name and isinstance(cards, Scalar) and parse_integer(cards.text) is not None:
            found = f"{value.text}: {cards.text}"
            text = "write its name before it, as in `values: {named}`"
            message = say("'{found}' is an amount without the name of its value", found=found)
            help_ = say(text, named=f"{{price: {{{found}}}}}")
            errors.error("wrong-type", message, value.span, help=help_)
        elif read_name(value, say("the name of a value"), errors):
            names.append(value.text)
            for card, amount in (
                read_entries(cards, say("the value '{value}'", value=value.text), errors) or ()
            ):
                name = read_name(card, say("a rank, suit or card"), errors, WORD)
                number = None if name is None else _read_amount(amount, value, card, errors)
                if number is not None:
                    worths.append(Worth(value.text, card.text, number, card.span))
    return (), names, worths


@shaped(
    lambda: table(
        table({"anyOf": [AMOUNT, {"type": "string", "pattern": f"^(?:{HIGHEST}|above .*)$"}]})
    )
)
def _read_special(node: Node, what: str, errors: Collector) -> _Values:
    cards, names, worths = [], [], []
    for card, values in read_entries(node, what, errors) or ():
        if read_name(card, say("the name of a special card"), errors):
            rank: Scalar | None = None
            if isinstance(values, Scalar) and values.text:
                cure = f"{card.text}: {{{STRENGTH}: {values.text}}}"
                help_ = write_instead(cure)
                refuse(values, quote_name(card.text), say("a mapping"), errors, help_)
                continue
            for value, amount in read_entries(values, quote_name(card.text), errors) or ():
                text = amount.text if isinstance(amount, Scalar) else ""
                if value.text == STRENGTH and ABOVE.fullmatch(text):
                    assert isinstance(amount, Scalar)
                    names.append(STRENGTH)
                    rank = replace(amount, text=amount.text.removeprefix("above").strip())
                    continue
                number = _read_amount(amount, value, card, errors)
                if number is not None and read_name(value, say("the name of a value"), errors):
                    names.append(value.text)
                    worths.append(Worth(value.text, card.text, number, value.span))
            cards.append(SpecialCard(card.text, card.span, rank))
    return tuple(cards), names, worths


def _read_amount(node: Node, value: Scalar, card: Scalar, errors: Collector) -> int | None:
    what = say("'{value}' of '{card}'", value=value.text, card=card.text)
    before = len(errors.diagnostics)
    result = read_integer(node, what, errors, -LARGEST_VALUE, LARGEST_VALUE)
    if result is None and value.text == STRENGTH and len(errors.diagnostics) > before:
        last = errors.diagnostics[-1]
        cure = say("write a number, `highest`, or `above RANK`")
        errors.diagnostics[-1] = replace(last, help=last.help or cure)
    return result


NO_VALUES: _Values = (), [], []
ADDED_KEYS = {
    "values": YamlKey("the named values of ranks, suits and cards", _read_values, NO_VALUES),
    "special_cards": YamlKey("cards beside suits and ranks", _read_special, NO_VALUES),
}
PART_KEYS = {
    "suits": YamlKey("a letter and a name for each suit", _read_suits),
    "ranks": YamlKey("the ranks, the strongest first", _read_ranks),
    **ADDED_KEYS,
}
PACK_KEYS = {
    **PART_KEYS,
    "by": YamlKey("the parameter that picks one of `of`", keep_node, shape=PLAIN),
    "of": YamlKey(
        "a pack for each choice of that parameter",
        keep_node,
        shape=lambda: table(mapping(PART_KEYS)),
    ),
}


def read_pack(node: Node, is_module: bool, errors: Collector) -> PackDeclaration:
    """Return a file's declarations of the pack; a module may only add values and special cards."""
    what = say("the pack of a module") if is_module else say("the pack")
    result = read_mapping(node, what, errors, ADDED_KEYS if is_module else PACK_KEYS)
    by, parts, of = None, [], result.get("of")
    if (result.get("by") is None) != (of is None):
        lone, other = ("by", "of") if of is None else ("of", "by")
        message = say("the pack has '{lone}' without '{other}'", lone=lone, other=other)
        help_text = say("write by: PARAMETER and of: {CHOICE: {...}, ...}")
        errors.error("missing-key", message, key_span(node, lone), help=help_text)
    elif of is not None:
        by = read_name(result["by"], "'by'", errors)
        choices = read_entries(of, "'of'", errors)
        if choices == ():
            refuse(of, "'of'", say("a mapping with a pack for each choice"), errors)
        for choice, one in choices or ():
            part = read_mapping(
                one, say("the pack '{choice}'", choice=choice.text), errors, PART_KEYS
            )
            parts.append((choice, _part_of(part, one.span)))
    return PackDeclaration(_part_of(result, node.span), by, tuple(parts), node.span)


def _part_of(fields: Mapping[str, Any], span: Span) -> PackPart:
    (_, names, worths), (cards, more_names, more_worths) = fields["values"], fields["special_cards"]
    value_names = tuple(dict.fromkeys((*names, *more_names)))
    suits, ranks = fields.get("suits"), fields.get("ranks")
    return PackPart(suits, ranks, cards, value_names, (*worths, *more_worths), span)


# Cards, ranks and suits as people write them: in words, with signs, or the suit first.

SAME_RANK = {  # names of the same rank in English, French, Catalan and Spanish packs
    "1": "A As", "A": "1 As", "As": "A 1", "T": "10", "X": "10",
    "R": "K", "D": "Q", "V": "J", "K": "R", "Q": "D C", "J": "V S", "S": "J", "C": "Q",
}  # fmt: skip
# Words for ranks and suits, in English and French, and the signs of suits.
RANK_WORDS = {
    **dict.fromkeys(("ace", "as", "one", "un"), "A"),
    **dict.fromkeys(("king", "roi"), "K"),
    **dict.fromkeys(("queen", "dame", "reine"), "Q"),
    **dict.fromkeys(("jack", "knave", "valet"), "J"),
    **dict.fromkeys(("ten", "dix"), "10"),
    **dict.fromkeys(("nine", "neuf"), "9"),
    **dict.fromkeys(("eight", "huit"), "8"),
    **dict.fromkeys(("seven", "sept"), "7"),
    **dict.fromkeys(("six",), "6"),
    **dict.fromkeys(("five", "cinq"), "5"),
    **dict.fromkeys(("four", "quatre"), "4"),
    **dict.fromkeys(("three", "trois"), "3"),
    **dict.fromkeys(("two", "deux"), "2"),
}
SUIT_WORDS = {
    **dict.fromkeys(("hearts", "heart", "cœur", "coeur", "cœurs", "coeurs", "♥", "♡"), "hearts"),
    **dict.fromkeys(("spades", "spade", "pique", "piques", "♠", "♤"), "spades"),
    **dict.fromkeys(("diamonds", "diamond", "carreau", "carreaux", "♦", "♢"), "diamonds"),
    **dict.fromkeys(("clubs", "club", "trèfle", "trèfles", "trefle", "♣", "♧"), "clubs"),
}
CARD = re.compile(r"(\w+?)\s*(?:of|de|d\'|\s|-)?\s*([^\W\d_]+|[♥♡♠♤♦♢♣♧])", re.IGNORECASE)


def suit_meant_by(text: str, letters: Mapping[str, str]) -> str | None:
    """Return the letter of the suit that a word or sign means; letters: by the names of suits."""
    word = text.strip().lower()
    by_word = {SUIT_WORDS.get(name, name): letter for name, letter in letters.items()}
    return letters.get(word) or by_word.get(SUIT_WORDS.get(word, word))


def card_meant_by(text: str, cards: Collection[str], letters: Mapping[str, str]) -> str | None:
    """Return the card that a text means, such as `7 of hearts`, `7♥` or `h7`; None if unclear."""
    written = text.replace("\ufe0f", "").strip()
    turned = written[1:] + written[:1].lower()
    if turned in cards:
        return turned
    hit = CARD.fullmatch(written)
    if hit is None:
        return None
    suit = suit_meant_by(hit[2], letters)
    rank = RANK_WORDS.get(hit[1].lower(), hit[1].upper())
    ranks = (rank, *SAME_RANK.get(rank, "").split())
    return next((rank + suit for rank in ranks if suit and rank + suit in cards), None)
