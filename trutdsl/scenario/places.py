"""Reads the texts of a scenario by the game: zones and variables as declared, actions as worded."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

from trutdsl.diagnostics import Rejected, Span, did_you_mean, reject, write_instead
from trutdsl.game import HIDDEN, Game, load_game
from trutdsl.ir import nodes
from trutdsl.ir.nodes import questions_of
from trutdsl.ir.types import (
    NUMBER,
    VARIABLES,
    Among,
    Element,
    Hands,
    Kind,
    Number,
    OneOf,
    SetOf,
    Type,
    YesNo,
    element_words,
)
from trutdsl.language import languages, say
from trutdsl.scenario.model import Named
from trutdsl.scenario.read_expected import is_null
from trutdsl.table.match import kind_of
from trutdsl.table.setting import Setting
from trutdsl.table.sight import Reading, number_of, reading_of
from trutdsl.variant import Node, Scalar, Sequence, YamlMapping, list_variants, words_of
from trutdsl.variant.pack import SAME_RANK, card_meant_by
from trutdsl.variant.read_values import BOOLEANS, describe, parse_integer

ANY = "hidden"  # the text for a place that a seat may not see


@dataclass(frozen=True)
class PlaceValue:
    """The given or expected content of one place of a zone or variable.

    where: its name as a person writes it. value: cards (a tuple of their indices), a variable's
    value as Python's own, or `HIDDEN`. size: the number of cards, if only that is given.
    """

    name: str
    at: int
    where: str
    value: Any
    size: int | None
    span: Span


def read_zones(game: Game, named: Named, sizes: bool, hidden: bool) -> list[PlaceValue]:
    """Return the values of zones, place by place; raises `Rejected`.

    sizes: a number of cards is enough; hidden: places may be `hidden`.
    """
    result = []
    for name, node in named:
        zone = game.program.zones.get(name.text)
        if zone is None:
            raise _unknown(game, name, "zone", [*game.program.zones])
        for at, where, part in places_of(game, name, zone.index, node):
            value: Any = None
            size = None
            if hidden and _is_hidden(part):
                value = HIDDEN
            elif sizes and isinstance(part, Scalar) and part.style == "plain":
                size = parse_integer(part.text)
            if value is None and size is None:
                value = _cards(game, where, part, sizes)
            result.append(PlaceValue(zone.name, at, where, value, size, part.span))
    return result


def read_variables(
    game: Game, named: Named, hidden: bool, counters: bool = False
) -> list[PlaceValue]:
    """Return the values of variables, place by place; raises `Rejected`.

    hidden: places may be `hidden`; counters: counters are allowed, too.
    """
    variables = game.program.variables.items()
    known = [n for n, v in variables if (counters or not v.counter) and ":" not in n]
    result = []
    for name, node in named:
        if name.text not in (*known, *VARIABLES):
            counter = name.text in game.program.variables
            help_ = say("it is a counter: name it under `counters`") if counter else None
            raise _unknown(game, name, "variable", known, help_)
        index, type_ = _declaration(game, name.text)
        for at, where, part in places_of(game, name, index, node):
            value = HIDDEN if hidden and _is_hidden(part) else value_of(game, where, type_, part)
            result.append(PlaceValue(name.text, at, where, value, None, part.span))
    return result


def reading(game: Game, name: str) -> Reading:
    """Return the function that turns values of a variable into text."""
    return reading_of(_declaration(game, name)[1], game.setting)


def describe_value(game: Game, place_value: PlaceValue) -> str:
    """Return the value of a place as text: a zone's cards or a variable's value."""
    if place_value.name in game.program.zones:
        texts = [game.deck.texts[card] for card in place_value.value]
        return f"{place_value.where} {' '.join(texts) or 'no cards'}"
    value = reading(game, place_value.name).plain(number_of(place_value.value))
    return f"{place_value.where} {plain(value)}"


def plain(value: Any) -> str:
    """Return a value in the notation of scenarios."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case list() | tuple():
            return "[" + ", ".join(plain(v) for v in value) + "]"
    return str(value)


def _declaration(game: Game, name: str) -> tuple[Among | None, Type]:
    if name in VARIABLES:
        return None, VARIABLES[name][0]
    variable = game.program.variables[name]
    return variable.index, variable.type


def _unknown(
    game: Game, name: Scalar, what: str, known: list[str], help_: str | None = None
) -> Rejected:
    text = "{game} has no {what} '{name}'; it has {names}"
    message = say(text, game=game.name, what=what, name=name.text, names=", ".join(known) or "none")
    help_ = help_ or did_you_mean(name.text, known)
    return reject("unknown-name", message, name.span, help=help_)


def _is_hidden(node: Node) -> bool:
    return isinstance(node, Scalar) and node.text == ANY


def places_of(
    game: Game, name: Scalar, index: Among | None, node: Node
) -> Iterator[tuple[int, str, Node]]:
    """Yield each given place: its number, its name, and its node."""
    if index is None:
        yield 0, name.text, node
        return
    count, first = game.setting.count(index), 0
    if isinstance(index, Number):  # as it is declared, and not from 0
        first = game.program.variables[name.text].first
        index = Number(first, first + index.high)
    if isinstance(node, YamlMapping):
        for key, value in node.entries:
            element = _element(game, index, key.text)
            if element is None:
                text = "'{name}' has no place '{key}': it has one for each {among}"
                message = say(text, name=name.text, key=key.text, among=element_words(index))
                raise reject("bad-scenario", message, key.span)
            yield element - first, f"{name.text}[{key.text}]", value
        return
    if isinstance(node, Sequence) and len(node.items) == count:
        for at, item in enumerate(node.items):
            yield at, f"{name.text}[{game.setting.text_of(index, first + at)}]", item
        return
    each = say("`{{PLACE: ...}}` for some, or a list of all {count}", count=count)
    text = "'{name}' has a place for each {among}; write {each}"
    message = say(text, name=name.text, among=element_words(index), each=each)
    raise reject("bad-scenario", message, node.span)


def _element(game: Game, kind: Among, text: str) -> int | None:
    """Return the index of an element by its text, None if there is none."""
    if isinstance(kind, Number):
        number = parse_integer(text)
        return number if number is not None and kind.low <= number <= kind.high else None
    names = [game.setting.text_of(kind, i) for i in range(game.setting.count(kind))]
    if text in names:
        return names.index(text)
    if not isinstance(kind, Kind) or kind in (Kind.SEAT, Kind.TEAM):
        return None
    return game.deck.index_of(kind, text)


def _cards(game: Game, where: str, node: Node, sizes: bool) -> tuple[int, ...]:
    if not isinstance(node, Sequence):
        more = say(", or how many") if sizes else ""
        text = "'{where}' must be a list of cards{more}, found {found}"
        message = say(text, where=where, more=more, found=describe(node))
        raise reject("bad-scenario", message, node.span)
    return tuple(read_card(game, item) for item in node.items)


def read_card(game: Game, node: Node) -> int:
    """Return the index of a card; raises `Rejected` if the pack has none."""
    text = node.text if isinstance(node, Scalar) else describe(node)
    card = game.deck.index_of(Kind.CARD, text)
    if card is None:
        raise reject(
            "unknown-card",
            say("the pack of {game} has no card '{text}'", game=game.name, text=text),
            node.span,
            help=_several(game, text) or _meant(game, text) or _help_for_cards(game),
        )
    return card


def _several(game: Game, text: str) -> str | None:
    """Return the help for several cards without commas between."""
    cards = re.split(r"[\s;+]+", text)
    if len(cards) < 2 or any(game.deck.index_of(Kind.CARD, one) is None for one in cards):
        return None
    return say("write a comma between: `{found}`", found=", ".join(cards))


def _meant(game: Game, text: str) -> str | None:
    """Return the card that a wrong spelling means, as a help."""
    deck = game.deck
    letters = dict(zip(deck.suit_names, deck.suits, strict=True))
    meant = card_meant_by(text, deck.texts, letters)
    ranks = SAME_RANK.get(text[:-1], "").split()
    same = next((one for rank in ranks if (one := rank + text[-1:]) in deck.texts), None)
    if same and not meant and text[:-1].isalpha() and text[0] != "A":
        # Users who call a king `R` may also use another letter for the suit.
        names = ", ".join(f"{letter} {name}" for name, letter in letters.items())
        return say("did you mean '{same}'? The suits are {letters}", same=same, letters=names)
    meant = meant or same
    return write_instead(meant) if meant else did_you_mean(text, deck.texts)


def _help_for_cards(game: Game) -> str:
    """Return how the cards of a pack are written, as a help."""
    deck = game.deck
    special = ", ".join(deck.texts[deck.regular :])
    if not deck.regular:
        return say("its cards are {special}", special=special)
    ranks, suits = ", ".join(deck.ranks), ", ".join(deck.suits)
    text = say(
        "a card is a rank of {ranks} and a suit of {suits}, such as '{card}'",
        ranks=ranks,
        suits=suits,
        card=deck.texts[0],
    )
    return say("{regular}; or {special}", regular=text, special=special) if special else text


def value_of(game: Game, where: str, type_: Type, node: Node) -> Any:
    """Return the Python value of a node."""

    def wrong(expected: str, at: Node = node) -> Rejected:
        text = "'{where}' must be {wanted}, found {found}"
        message = say(text, where=where, wanted=expected, found=describe(at))
        return reject("bad-scenario", message, at.span)

    text = node.text if isinstance(node, Scalar) else None
    match type_:
        case YesNo():
            if text not in BOOLEANS:
                raise wrong(say("true or false"))
            return BOOLEANS[text]
        case Number():
            number = parse_integer(text) if text is not None else None
            low, high = game.code.bounds.get(where.partition("[")[0], (NUMBER.low, NUMBER.high))
            if number is None or not low <= number <= high:
                raise wrong(say("a number from {low} to {high}", low=low, high=high))
            return number
        case OneOf(names):
            if text not in names:
                raise wrong(say("one of ") + ", ".join(names))
            return names.index(text)
        case Element(kind, optional):
            if optional and (is_null(node) or text == "none"):
                return None
            element = _element(game, kind, text) if text is not None else None
            if element is None:
                raise wrong(f"a {kind.value}" + (say(" or null") if optional else ""))
            return element
        case SetOf(kind):
            what = str(type_) if isinstance(kind, Kind) else element_words(kind)
            return frozenset(_elements(node, lambda t: _element(game, kind, t), wrong, what))
    raise wrong(say("left out: it cannot be given"))


def _elements(
    node: Node,
    known: Callable[[str], int | None],
    wrong: Callable[[str, Node], Rejected],
    what: str,
) -> Iterator[int]:
    items = node.items if isinstance(node, Sequence) else None
    for item in items if items is not None else [node]:
        one = known(item.text) if isinstance(item, Scalar) else None
        if items is None or one is None:
            raise wrong(say("a list of {what}", what=what), item)
        yield one


NEAR = 0.8  # how similar an action must be to be suggested


def has_option(game: Game, text: str) -> bool:
    """Return whether some question has an option that is written so, at whatever time.

    Numbers may be out of their bounds: a bet that is too high is refused, but it is an action.
    """
    options = (option for ask in questions_of(game.program) for option in ask.options)
    return any(re.fullmatch(_pattern(game.setting, option), text) for option in options)


def is_action_of_other_rules(game: Game, text: str) -> bool:
    """Return whether the text is an action with another pack, or one of a shipped variant."""
    shipped = (load_game(name, engine="reference") for name in list_variants())
    return any(_has_option_with_any_rank(one, text) for one in chain([game], shipped))


def _has_option_with_any_rank(game: Game, text: str) -> bool:
    """Return whether the text is an action, or would be one if the pack had more ranks.

    Nobody can play a two with a pack that begins with the seven, but the action is well written.
    """
    deck = game.setting.deck
    suits = "".join(suit for suit in deck.suits if len(suit) == 1)
    card = re.compile(f"(?:[1-9]|1[0-2]|[AKQJ])[{re.escape(suits)}]") if suits else None
    words = [deck.texts[0] if card and card.fullmatch(one) else one for one in text.split(" ")]
    return has_option(game, " ".join(words))


def near_action(game: Game, texts: tuple[str, ...], text: str) -> str | None:
    """Return a `did you mean` sentence for an action that is written almost so, or None.

    It is a legal one (texts), also if a word is missing in front, or in the words of the players.
    Or it is one at any time, with the names of suits instead of their letters, or without a first
    word that no option has.
    """
    if spoken := _spoken(game, texts, text):
        return say("did you mean '{inside}'?", inside=spoken)
    near = [legal for legal in texts if legal.endswith(f" {text}")]
    if not near and not has_option(game, text):
        deck = game.setting.deck
        suits = dict(zip(deck.suits, deck.suit_names, strict=True))
        named = " ".join(suits.get(word, word) for word in text.split(" "))
        near = [one for one in (named, text.partition(" ")[2]) if one and has_option(game, one)]
    if len(near) == 1:
        return say("did you mean '{inside}'?", inside=near[0])
    return did_you_mean(text, texts, NEAR)


def _spoken(game: Game, texts: tuple[str, ...], said: str) -> str | None:
    """Return the legal action for which players say these words in some language, or None."""
    for language in languages():
        words = words_of(game.variant, language, game.parameters)
        for text in texts:
            if said in (words.action(text), words.action(text, str)):
                return text
    return None


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
