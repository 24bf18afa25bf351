"""What a variant's things are called in a language: the words of all its files.

A word that no file gives is the name as it stands in the rules, with spaces for `_`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from trutdsl.language import current_language, figure, is_singular, mark, say, say_reason
from trutdsl.syntax import ast
from trutdsl.variant.file_words import FileWords, Names
from trutdsl.variant.model import Definition, definitions
from trutdsl.variant.parameters import MILLION

if TYPE_CHECKING:
    from trutdsl.variant.model import Layer, Variant
    from trutdsl.variant.pack import Pack
    from trutdsl.variant.parameters import Parameter, Value

NONE = "none"  # nobody and nothing, whatever the type; it needs no word of a variant
LEFT = " ".join(ast.LEAVE_IT)  # what each of several asked seats may answer
LOOK = mark("look")  # the announcement of a `look`
OVER = "match_over"  # the reason of a deal that ends with the match
SIGNS = {"clubs": "♣", "diamonds": "♦", "hearts": "♥", "spades": "♠"}


@dataclass(frozen=True)
class Words:
    """The words of a variant in a language; each method takes a name of the rules.

    values: those of the parameters, which may choose one of several packs; None for all packs.
    """

    variant: Variant
    language: str
    values: Mapping[str, Value] | None = None

    @property
    def title(self) -> str:
        return self._own_words.title or self.variant.title

    @property
    def summary(self) -> str:
        """The summary of the variant, or of the nearest base that has one."""
        for layer in reversed(self.variant.layers):
            if layer.kind == "variant" and layer.summary:
                return self._of(layer).summary or layer.summary
        return ""

    def counter(self, name: str, number: int | None = None) -> str:
        """Return a counter's name: its singular for a number that takes it, else its plural."""
        if name not in self._names["counters"]:
            return _with_spaces(name)
        word = self._names["counters"][name]
        return word.one if number is not None and is_singular(number, self.language) else word.many

    def parameter(self, name: str) -> str:
        """Return what a parameter decides."""
        result = self._names["parameters"].get(name)
        return result.one if result else self.variant.parameters[name].help

    def choice(self, parameter: str, value: str) -> str:
        """Return what a value of a parameter is called."""
        return self._choices.get((parameter, value)) or _with_spaces(value)

    def value(self, parameter: Parameter, value: Value) -> str:
        """Return a value of a parameter as people write it."""
        text = parameter.text_of(value)
        if isinstance(value, bool):
            usual = say("yes") if value else say("no")
            return self._choices.get((parameter.name, text), usual)
        if parameter.type == "cards":
            labels = {"all": say("all"), "none": say("none")}
            return labels.get(text, ", ".join(map(self.card, text.split(","))))
        if parameter.type == "probability":
            return figure(int(value) / MILLION, "g")
        return self.choice(parameter.name, text) if parameter.type == "choice" else text

    def decision(self, name: str) -> str:
        return self._word("decisions", name)

    def action(self, text: str, of_choice: Callable[[str], str] | None = None) -> str:
        """Return what a player says who takes an action, such as `play 7h` or `raise 4`.

        of_choice: a function for what the option is taken with, other than the method.
        """
        parts, of_choice = text.split(), of_choice or self.of_choice
        for length in range(len(parts), 0, -1):
            name = " ".join(parts[:length])
            if name in self._names["options"]:
                phrase = self._names["options"][name].one
                return " ".join([phrase, *map(of_choice, parts[length:])])
        return say(LEFT) if text == LEFT else " ".join(map(of_choice, parts))

    def of_choice(self, text: str) -> str:
        """Return what an option is taken with: a card, a suit, a rank, a named value, or a number.

        A rank such as `10` may be a number, so it stays. Any other text is a name without a word.
        """
        if text == NONE:
            return say("none")
        if text in self._names["values"]:
            return self.named_value(text)
        if text in self._names["ranks"] and not text.isdecimal():
            return self.rank(text)
        if text in self._suits.values():
            return self.suit(text)
        return self.card(text) if text in self.cards else _with_spaces(text)

    def named_value(self, name: str) -> str:
        """Return what a value of a type such as `one of low | high` is called."""
        return self._word("values", name)

    def end(self, reason: str) -> str:
        """Return the reason for which a deal ended."""
        result = self._names["ends"].get(reason)
        return result.one if result else say_reason(_with_spaces(reason))

    def announcement(self, name: str) -> str:
        is_known = name != LOOK or name in self._names["announcements"]
        return self._word("announcements", name) if is_known else say(LOOK)

    def zone(self, name: str) -> str:
        return self._word("zones", name)

    def state(self, name: str) -> str:
        """Return what a variable is called."""
        return self._word("state", name)

    def suit(self, name: str) -> str:
        return self._word("suits", name)

    def rank(self, text: str) -> str:
        """Return what is written on a card of a rank."""
        return self._word("ranks", text)

    def card(self, text: str) -> str:
        """Return what a card is called: its own word, or its face; any other text unchanged."""
        if text in self.cards and text in self._names["cards"]:
            return self._names["cards"][text].one
        return self.face(text)

    def face(self, text: str) -> str:
        """Return what is on a card, such as `10♥` or `7 oros`; any other text unchanged."""
        if text not in self.cards:
            return text
        if text in self._special:
            return self._word("cards", text)
        rank, suit = self.rank(text[:-1]), self._suits[text[-1]]
        return rank + SIGNS[suit] if suit in SIGNS else f"{rank} {self.suit(suit)}"

    def rule(self, name: str) -> str:
        """Return the text of a rule or define as it now holds; empty if it has none."""
        result = self._definitions.get(name)
        return self.text_of(result[-1]) if result else ""

    def texts(self, name: str) -> list[str]:
        """Return the texts of all definitions of a name, such as `after lay`."""
        return [self.text_of(one) for one in self._definitions.get(name, ())]

    def text_of(self, definition: Definition) -> str:
        """Return the text of one definition, in the words of its own file."""
        layer = next(one for one in self.variant.layers if one.holds(definition.span))
        word = self._of(layer).names.get("rules", {}).get(definition.name)
        if word is None:
            return definition.help or ""
        versions = [d for d in self._definitions[definition.name] if layer.holds(d.span)]
        number = versions.index(definition)
        return word.texts[min(number, len(word.texts) - 1)]

    def source(self, id: str) -> str:
        """Return the line about a source."""
        result = self._names["sources"].get(id)
        return result.one if result else self.variant.sources[id]

    @property
    def _own_words(self) -> FileWords:
        return self._of(self.variant.layers[-1])

    def _of(self, layer: Layer) -> FileWords:
        return layer.words.get(self.language, NO_WORDS)

    def _word(self, kind: str, name: str) -> str:
        result = self._names[kind].get(name)
        return result.one if result else _with_spaces(name)

    @cached_property
    def _names(self) -> dict[str, Names]:
        result: dict[str, Names] = {}
        for layer in self.variant.layers:
            for kind, names in self._of(layer).names.items():
                result[kind] = {**result.get(kind, {}), **names}
        return _Kinds(result)

    @cached_property
    def _choices(self) -> dict[tuple[str, str], str]:
        return {
            (parameter, value): word.one
            for layer in self.variant.layers
            for parameter, (_, names) in self._of(layer).choices.items()
            for value, word in names.items()
        }

    @cached_property
    def _definitions(self) -> dict[str, list[Definition]]:
        return definitions(self.variant)

    @cached_property
    def _packs(self) -> list[Pack]:
        packs = self.variant.packs.values()
        return [*packs] if self.values is None else [self.variant.pack_for(self.values)]

    @cached_property
    def cards(self) -> frozenset[str]:
        """All cards, as the rules write them."""
        return frozenset(card for pack in self._packs for card in pack.cards)

    @cached_property
    def _special(self) -> frozenset[str]:
        return frozenset(card.name for pack in self._packs for card in pack.special_cards)

    @cached_property
    def _suits(self) -> dict[str, str]:
        return {suit.letter: suit.name for pack in self._packs for suit in pack.suits}


class _Kinds(dict[str, Names]):
    def __missing__(self, kind: str) -> Names:
        return {}


NO_WORDS = FileWords(None, None, {}, {})


def _with_spaces(name: str) -> str:
    return name.replace("_", " ")


def words_of(
    variant: Variant, language: str | None = None, values: Mapping[str, Value] | None = None
) -> Words:
    """Return the words of a variant, by default in the current language.

    values: those of the parameters, by default those of all packs of the variant.
    """
    return Words(variant, language or current_language(), values)
