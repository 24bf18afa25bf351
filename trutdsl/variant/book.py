"""The declared part of a rulebook: statements for readers, tied to parameters and rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from trutdsl.diagnostics import Collector, Span, did_you_mean
from trutdsl.language import quote_name, say
from trutdsl.variant.parameters import BadParameter, Parameter, Value
from trutdsl.variant.read_values import (
    HYPHENATED,
    read_entries,
    read_fields,
    read_integer,
    read_known,
    read_line,
    read_name,
    read_text,
    refuse,
)
from trutdsl.variant.shapes import PLAIN, VALUE, YamlKey, array, mapping, shaped, table
from trutdsl.variant.yaml_nodes import Node, Scalar, Sequence, YamlMapping

# The sections of a rulebook, in the order of reading.
SECTIONS = ("aim", "players", "cards", "deal", "tricks", "turn", "score", "special", "powers")
PLAYERS = "players"  # in conditions and texts, beside the parameters
# `{goal}`, `{goal - 1}`, or `{goal|long|longs}`: a word for one, and for more.
PLACE = re.compile(r"\{(\w+)(?: *([+-]) *(\d+))?(?:\|([^|{}]*)\|([^|{}]*))?\}")
LANGUAGE = re.compile("[a-z]{2}")


@dataclass(frozen=True)
class Condition:
    """A parameter, or `players`, and the values with which a statement is told."""

    name: Scalar
    values: tuple[Scalar, ...]


@dataclass(frozen=True)
class Case:
    """One wording of a statement.

    when:  all of these must hold.
    cites: the ids of the rules that it tells. tells: the names of rules and defines that it tells.
    draw:  cards, or the name of a value of the cards, drawn below it.
    card:  the special card that it is about.
    texts: the wording in each language.
    """

    when: tuple[Condition, ...]
    cites: tuple[str, ...]
    tells: tuple[Scalar, ...]
    draw: str | None
    card: str | None
    texts: Mapping[str, str]
    span: Span


@dataclass(frozen=True)
class Statement:
    """A statement of a rulebook: the first case whose condition holds is told.

    path: the file that writes it, as in diagnostics.
    """

    section: str
    name: str
    cases: tuple[Case, ...]
    path: str = ""


Book = tuple[Statement, ...]


@shaped(table(VALUE))
def _read_when(node: Node, what: str, errors: Collector) -> tuple[Condition, ...]:
    result = []
    for name, value in read_entries(node, what, errors) or ():
        items = value.items if isinstance(value, Sequence) else (value,)
        known = tuple(item for item in items if isinstance(item, Scalar) and item.text)
        if len(known) < len(items) or not known:
            refuse(value, quote_name(name.text), say("a value, or a list of values"), errors)
        else:
            result.append(Condition(name, known))
    return tuple(result)


@shaped(PLAIN)
def _read_words(node: Node, what: str, errors: Collector) -> tuple[Scalar, ...]:
    """Return the words of a line, each with the position of the line."""
    line = read_line(node, what, errors)
    return tuple(Scalar(word, "plain", node.span) for word in (line or "").split())


CASE_KEYS = {
    "when": YamlKey("the values of parameters with which it holds", _read_when, ()),
    "cites": YamlKey("the ids of the rules that it tells", _read_words, ()),
    "tells": YamlKey("the names of the rules that it tells", _read_words, ()),
    "draw": YamlKey("cards to draw, or the name of a value", read_line),
    "card": YamlKey("the special card that it is about", read_line),
}


CASE_SHAPE = mapping(CASE_KEYS, {f"^{LANGUAGE.pattern}$": PLAIN})


@shaped(table(table({"anyOf": [CASE_SHAPE, array(CASE_SHAPE)]}), "|".join(SECTIONS)))
def read_book(node: Node, what: str, errors: Collector) -> Book:
    """Return the statements of a file."""
    result = []
    for section, statements in read_entries(node, what, errors) or ():
        if section.text not in SECTIONS:
            message = say("a rulebook has no section '{section}'", section=section.text)
            hint = did_you_mean(section.text, SECTIONS)
            hint = hint or say("sections: {names}", names=", ".join(SECTIONS))
            errors.error("unknown-key", message, section.span, help=hint)
            continue
        for name, value in read_entries(statements, quote_name(section.text), errors) or ():
            if not read_name(name, "the name of a statement", errors, HYPHENATED):
                continue
            items = value.items if isinstance(value, Sequence) else (value,)
            one = quote_name(name.text)
            items = items or (YamlMapping((), value.span),)  # it has no text
            cases = [_read_case(item, one, errors) for item in items]
            result.append(Statement(section.text, name.text, tuple(filter(None, cases))))
    return tuple(result)


def _read_case(node: Node, what: str, errors: Collector) -> Case | None:
    entries = read_entries(node, what, errors)
    if entries is None:
        return None
    languages = [key.text for key, _ in entries if LANGUAGE.fullmatch(key.text)]
    fields = read_fields(node, what, errors, (*CASE_KEYS, *languages)) or {}
    known = read_known(fields, errors, CASE_KEYS)
    texts = {
        language: " ".join(text.split())
        for language in languages
        if (text := read_text(fields[language], quote_name(language), errors))
    }
    if not texts:
        help_text = say("write `en: ...`, `fr: ...` or both")
        errors.error("missing-key", say("{what} has no text", what=what), node.span, help=help_text)
    cites = tuple(one.text for one in known["cites"])
    return Case(
        known["when"], cites, known["tells"], known["draw"], known["card"], texts, node.span
    )


def merge_books(books: Iterable[tuple[str, Book]]) -> Book:
    """Return the statements of all files, bases first; a later one replaces one of its name.

    It takes the place of that one.
    """
    statements: dict[tuple[str, str], Statement] = {}
    for path, book in books:
        for one in book:
            statements[one.section, one.name] = replace(one, path=path)
    return tuple(sorted(statements.values(), key=lambda one: SECTIONS.index(one.section)))


def check_book(
    book: Book, parameters: Mapping[str, Parameter], own: str, errors: Collector
) -> None:
    """Report names and values in conditions and texts that the variant does not have.

    own: the path of its own file. Cards that other files name may have left the pack.
    """
    names = (*parameters, PLAYERS)
    for statement, case in ((one, case) for one in book for case in one.cases):
        for condition in case.when:
            name = condition.name
            if name.text not in names:
                hint = did_you_mean(name.text, names)
                message = say("there is no parameter '{name}'", name=name.text)
                errors.error("unknown-parameter", message, name.span, help=hint)
                continue
            if statement.path != own and name.text != PLAYERS and parameters[name.text].pool:
                continue
            for value in condition.values:
                _check_value(name.text, value, parameters, errors)
        for hit in (hit for text in case.texts.values() for hit in PLACE.finditer(text)):
            place, parameter = hit[1], parameters.get(hit[1])
            if place not in names:
                message = say("the text names a parameter '{name}', and there is none", name=place)
                hint = did_you_mean(place, names)
                errors.error("unknown-parameter", message, case.span, help=hint)
            elif parameter and parameter.type != "integer" and hit[0] != f"{{{place}}}":
                message = say("the text counts with '{name}', which is not a number", name=place)
                cure = say("write `{found}`", found=f"{{{place}}}")
                errors.error("wrong-type", message, case.span, help=cure)


def _check_value(
    name: str, value: Scalar, parameters: Mapping[str, Parameter], errors: Collector
) -> None:
    if name == PLAYERS:
        read_integer(value, "a number of players", errors, 2, 8)
        return
    try:
        parameters[name].value_of(value.text)
    except BadParameter as wrong:
        errors.error("out-of-range", str(wrong), value.span)


def holds(
    case: Case, values: Mapping[str, Value], parameters: Mapping[str, Parameter], players: set[int]
) -> bool:
    """Tell whether a case is to be told in a book for these numbers of players."""
    return all(
        any(_is(one.name.text, value.text, values, parameters, players) for value in one.values)
        for one in case.when
    )


def _is(
    name: str,
    text: str,
    values: Mapping[str, Value],
    parameters: Mapping[str, Parameter],
    players: set[int],
) -> bool:
    if name == PLAYERS:
        return int(text) in players
    result, parameter = values[name], parameters[name]
    if parameter.type == "cards" and text not in ("all", "none"):
        cards = {card.strip() for card in text.split(",")}
        return cards <= {*parameter.cards_in(result)}
    return result == parameter.value_of(text)


def parameters_in(case: Case) -> Iterator[str]:
    """Yield the names of parameters that decide a case or its text."""
    yield from (one.name.text for one in case.when)
    yield from places_in(case)


def places_in(case: Case) -> Iterator[str]:
    """Yield the names of parameters whose values stand in its text."""
    for text in case.texts.values():
        yield from (hit[1] for hit in PLACE.finditer(text))
