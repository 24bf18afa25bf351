"""Reads what a scenario expects, and the values that its start has, too: cards, seats, counters."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from trutdsl.diagnostics import Collector
from trutdsl.language import say
from trutdsl.scenario.model import Counters, Expect, ExpectedChoice, Open, Sights
from trutdsl.variant import Node, Scalar, Sequence, YamlMapping
from trutdsl.variant.read_values import (
    parse_integer,
    read_boolean,
    read_entries,
    read_fields,
    read_integer,
    read_items,
    read_key,
    read_known,
    read_line,
    read_mapping,
    refuse,
)
from trutdsl.variant.shapes import (
    NOTHING,
    PLAIN,
    YamlKey,
    YamlKeys,
    array,
    integer,
    mapping,
    shaped,
    table,
)

MOST_SEAT = 15
SEAT = integer(0, MOST_SEAT)
SEAT_KEY = "[0-9]|1[0-5]"
NULL = ("null", "~", "")


def is_null(node: Node) -> bool:
    """Return whether a node is YAML's null."""
    return isinstance(node, Scalar) and node.style == "plain" and node.text.lower() in NULL


def read_words(node: Node, what: str, errors: Collector) -> str | None:
    """Return one line of words, with one space between them."""
    text = read_line(node, what, errors)
    return None if text is None else " ".join(text.split())


read_seat = partial(read_integer, least=0, most=MOST_SEAT)


def read_seat_key(key: Node, errors: Collector) -> int | None:
    return read_key(key, say("a seat"), errors, 0, MOST_SEAT)


def read_by_seat(
    node: Node, what: str, errors: Collector, read: Callable[[int, Node], Any]
) -> dict[int, Any]:
    """Return the result of `read` for each seat of a mapping, without None."""
    result = {}
    for key, value in _refuse_loose(read_entries(node, what, errors) or (), errors):
        seat = read_seat_key(key, errors)
        if seat is not None and (one := read(seat, value)) is not None:
            result[seat] = one
    return result


Entries = tuple[tuple[Scalar, Node], ...]


def _refuse_loose(entries: Entries, errors: Collector) -> Entries:
    """Refuse a list that lacks its brackets, `{0: 7h, 8c}`; return the entries before it."""
    for number, (key, value) in enumerate(entries[1:]):
        seat, first = entries[number]
        if is_null(value) and not key.text.isdigit() and isinstance(first, Scalar):
            loose = [one.text for one, empty in entries[number + 1 :] if is_null(empty)]
            whole = f"{seat.text}: [{', '.join([first.text, *loose])}]"
            help_text = say("write `{words}`", words=whole)
            refuse(first, f"`{seat.text}`", say("a list"), errors, help_text)
            return entries[:number]
    return entries


@shaped(PLAIN)
def read_text_node(
    node: Node, what: str, errors: Collector, expected: str = "one card"
) -> Scalar | None:
    if isinstance(node, Scalar):
        return node
    refuse(node, what, expected, errors)
    return None


@shaped(array(PLAIN))
def read_cards(node: Node, what: str, errors: Collector) -> tuple[Scalar, ...]:
    items = read_items(node, what, errors)
    each = (
        read_text_node(i, say("an entry of {what}", what=what), errors, say("one text"))
        for i in items
    )
    return tuple(one for one in each if one is not None)


@shaped(table(array(integer(-(10**6), 10**6))))
def read_counters(node: Node, what: str, errors: Collector) -> Counters:
    counters = []
    for key, value in read_entries(node, what, errors) or ():
        one = say("counter '{key}'", key=key.text)
        if not isinstance(value, Sequence):
            number = value.text if isinstance(value, Scalar) and value.text.isdecimal() else "0"
            help_text = say(
                "a value for each team: write `{key}: [{first}, 0]`", key=key.text, first=number
            )
            refuse(value, one, say("a list"), errors, help_text)
            continue
        items = read_items(value, one, errors)
        values = [read_integer(i, one, errors, -(10**6), 10**6) for i in items]
        counters.append((key, tuple(v for v in values if v is not None)))
    return tuple(counters)


# The expectations.


@shaped({"anyOf": [SEAT, NOTHING]})
def _read_winner(node: Node, what: str, errors: Collector, draw: bool = False) -> int | str | None:
    if draw and isinstance(node, Scalar) and node.text == "draw":
        return "draw"
    if is_null(node):
        return None
    if isinstance(node, Scalar) and parse_integer(node.text) is None:
        expected = say("a team, `draw` or null") if draw else say("a team or null")
        key = what.strip("`")
        cure = say("teams are numbers from 0, such as `{what}: 0`", what=key)
        if node.text.lower() in ("nobody", "none", "no", "personne", "nul"):
            cure = say("write `{words}`", words=f"{key}: null")
        refuse(node, what, expected, errors, cure)
        return None
    return read_seat(node, what, errors)


@shaped({"anyOf": [SEAT, NOTHING]})
def _read_next_dealer(node: Node, what: str, errors: Collector) -> int | None:
    return None if is_null(node) else read_seat(node, what, errors)


@shaped(array({"anyOf": [SEAT, NOTHING]}))
def _read_tricks(node: Node, what: str, errors: Collector) -> list[int | None]:
    one = say("a trick's team (or null, if it was tied)")
    result: list[int | None] = []
    for item in read_items(node, what, errors):
        if isinstance(item, Scalar) and item.text.isalpha() and not is_null(item):
            refuse(item, one, say("a number"), errors, say("write a tied trick as `null`"))
        else:
            result.append(None if is_null(item) else read_seat(item, one, errors))
    return result


@shaped(array({**table(PLAIN), "maxProperties": 1, "minProperties": 1}))
def _read_told(node: Node, what: str, errors: Collector) -> tuple[str, ...]:
    """Return the announcements to a seat, in order: speaker, words and value."""
    result = []
    for item in read_items(node, what, errors):
        if not isinstance(item, YamlMapping) or len(item.entries) != 1:
            refuse(
                item, say("what was told"), say("`SEAT: WORDS VALUE`, as in `1: points 7`"), errors
            )
            continue
        key, value = item.entries[0]
        text = read_words(value, say("what was told"), errors)
        if text is not None:
            result.append(f"{key.text}: {text}")
    return tuple(result)


VIEW_KEYS = {
    "zones": YamlKey("the cards that it sees", read_entries, ()),
    "variables": YamlKey("the variables that it sees", read_entries, ()),
    "told": YamlKey("what it was told in the deal", _read_told),
}


@shaped(lambda: table(mapping(VIEW_KEYS), SEAT_KEY))
def _read_views(node: Node, what: str, errors: Collector) -> dict[int, Sights]:
    def read(seat: int, one: Node) -> Sights:
        what = say("the view of seat {seat}", seat=seat)
        return Sights(**read_mapping(one, what, errors, VIEW_KEYS, quote="`"), span=one.span)

    return read_by_seat(node, what, errors, read)


@shaped(table(PLAIN))
def _read_choose(node: Node, what: str, errors: Collector) -> tuple[ExpectedChoice, ...]:
    result = []
    for key, value in read_entries(node, what, errors) or ():
        text = read_words(value, say("what '{key}' chooses", key=key.text), errors)
        if text is not None:
            result.append(ExpectedChoice(key.text, text, key.span))
    return tuple(result)


@shaped(array(PLAIN))
def _read_legal(node: Node, what: str, errors: Collector) -> tuple[str, ...]:
    texts = (read_words(i, say("an action"), errors) for i in read_items(node, what, errors))
    return tuple(text for text in texts if text is not None)


DECISION_KEYS = {
    "seat": YamlKey("the addressee of `ask`", read_seat),
    "name": YamlKey("the decision", read_line),
    "actions": YamlKey("all legal actions", _read_legal),
}


@shaped(lambda: mapping(DECISION_KEYS))
def _read_decision(node: Node, what: str, errors: Collector) -> Open:
    return Open(**read_mapping(node, what, errors, DECISION_KEYS, quote="`"))


@shaped({"const": "illegal"})
def _read_error(node: Node, what: str, errors: Collector) -> str:
    if not (isinstance(node, Scalar) and node.text == "illegal"):
        refuse(node, what, "`illegal`", errors)
    return "illegal"


BETWEEN_KEYS = {
    "counters": YamlKey("the value of counters for each team", read_counters),
    "deal_over": YamlKey("whether the deal is over", read_boolean),
    "deal_winner": YamlKey("the team that won the deal", _read_winner),
    "match_winner": YamlKey(
        "the team that won the match",
        partial(_read_winner, draw=True),
        shape={"anyOf": [SEAT, NOTHING, {"const": "draw"}]},
    ),
    "next_dealer": YamlKey("the seat that deals next", _read_next_dealer),
    "tricks": YamlKey("the team that won each trick", _read_tricks),
    "decision": YamlKey("the open question", _read_decision),
    "zones": YamlKey("the cards in zones", read_entries),
    "variables": YamlKey("the values of variables", read_entries),
    "views": YamlKey("what seats see", _read_views),
}
EXPECT_KEYS = {
    **BETWEEN_KEYS,
    "choose": YamlKey("what strategies choose", _read_choose),
    "error": YamlKey("that the last action is refused", _read_error),
}


@shaped(lambda: mapping(EXPECT_KEYS))
def read_expect(node: Node, what: str, errors: Collector, keys: YamlKeys = EXPECT_KEYS) -> Expect:
    fields = read_fields(node, what, errors, tuple(keys)) or {}
    present = {name: keys[name] for name in fields}
    spans = {name: value.span for name, value in fields.items()}
    return Expect(read_known(fields, errors, present, "`"), spans)
