"""Reads scenario files."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from trutdsl.diagnostics import Collector, Note, Source, Span
from trutdsl.language import say
from trutdsl.scenario.model import (
    Counters,
    DealCards,
    Expect,
    Expectation,
    ExpectedChoice,
    Open,
    Scenario,
    ScriptedAction,
    Sights,
    Start,
    Step,
)
from trutdsl.variant import Node, Scalar, Sequence, YamlMapping, read_source
from trutdsl.variant.compose_yaml import read_documents
from trutdsl.variant.read_values import (
    YamlKey,
    YamlKeys,
    keep_node,
    parse_integer,
    read_boolean,
    read_entries,
    read_fields,
    read_integer,
    read_key,
    read_known,
    read_line,
    read_mapping,
    read_value,
    refuse,
    refuse_list,
)
from trutdsl.variant.shapes import NOTHING, PLAIN, VALUE, array, integer, mapping, shaped, table

MOST_SEAT = 15
SEAT = integer(0, MOST_SEAT)
SEAT_KEY = "[0-9]|1[0-5]"
ACTION = {**table(PLAIN, SEAT_KEY), "minProperties": 1, "maxProperties": 1}
NULL = ("null", "~", "")


def is_null(node: Node) -> bool:
    """Return whether a node is YAML's null."""
    return isinstance(node, Scalar) and node.style == "plain" and node.text.lower() in NULL


def _read_list(node: Node, what: str, errors: Collector) -> tuple[Node, ...]:
    """Return the items of a list, which may be empty."""
    if isinstance(node, Sequence):
        return node.items
    refuse_list(node, what, errors)
    return ()


def _words(node: Node, what: str, errors: Collector) -> str | None:
    """Return one line of words, with one space between them."""
    text = read_line(node, what, errors)
    return None if text is None else " ".join(text.split())


_read_seat = partial(read_integer, least=0, most=MOST_SEAT)


def _read_seat_key(key: Node, errors: Collector) -> int | None:
    return read_key(key, say("a seat"), errors, 0, MOST_SEAT)


def _read_by_seat(
    node: Node, what: str, errors: Collector, read: Callable[[int, Node], Any]
) -> dict[int, Any]:
    """Return the result of `read` for each seat of a mapping, without None."""
    found = {}
    for key, value in _refuse_loose(read_entries(node, what, errors) or (), errors):
        seat = _read_seat_key(key, errors)
        if seat is not None and (one := read(seat, value)) is not None:
            found[seat] = one
    return found


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
def _read_text_node(
    node: Node, what: str, errors: Collector, expected: str = "one card"
) -> Scalar | None:
    if isinstance(node, Scalar):
        return node
    refuse(node, what, expected, errors)
    return None


@shaped(array(PLAIN))
def _read_cards(node: Node, what: str, errors: Collector) -> tuple[Scalar, ...]:
    items = _read_list(node, what, errors)
    each = (
        _read_text_node(i, say("an entry of {what}", what=what), errors, say("one text"))
        for i in items
    )
    return tuple(one for one in each if one is not None)


@shaped(table(array(PLAIN), SEAT_KEY))
def _read_hands(node: Node, what: str, errors: Collector) -> dict[int, tuple[Scalar, ...]]:
    return _read_by_seat(
        node,
        what,
        errors,
        lambda seat, one: _read_cards(one, say("the hand of seat {seat}", seat=seat), errors),
    )


@shaped(table(PLAIN, SEAT_KEY))
def _read_special_cards(node: Node, what: str, errors: Collector) -> dict[int, Scalar]:
    def read(seat: int, one: Node) -> Scalar | None:
        return _read_text_node(one, say("the special card of seat {seat}", seat=seat), errors)

    return _read_by_seat(node, what, errors, read)


@shaped(table(array(integer(-(10**6), 10**6))))
def _read_counters(node: Node, what: str, errors: Collector) -> Counters:
    counters = []
    for key, value in read_entries(node, what, errors) or ():
        one = say("counter '{key}'", key=key.text)
        items = _read_list(value, one, errors)
        values = [read_integer(i, one, errors, -(10**6), 10**6) for i in items]
        counters.append((key, tuple(v for v in values if v is not None)))
    return tuple(counters)


# The expectations.


@shaped({"anyOf": [SEAT, NOTHING]})
def _read_winner(node: Node, what: str, errors: Collector, draw: bool = False) -> int | str | None:
    if draw and isinstance(node, Scalar) and node.text == "draw":
        return "draw"
    return None if is_null(node) else _read_seat(node, what, errors)


@shaped(array({"anyOf": [SEAT, NOTHING]}))
def _read_tricks(node: Node, what: str, errors: Collector) -> list[int | None]:
    one = say("a trick's team (or null, if it was tied)")
    items = _read_list(node, what, errors)
    return [None if is_null(i) else _read_seat(i, one, errors) for i in items]


@shaped(array({**table(PLAIN), "maxProperties": 1, "minProperties": 1}))
def _read_told(node: Node, what: str, errors: Collector) -> tuple[str, ...]:
    """Return the announcements to a seat, in order: speaker, words and value."""
    found = []
    for item in _read_list(node, what, errors):
        if not isinstance(item, YamlMapping) or len(item.entries) != 1:
            refuse(
                item, say("what was told"), say("`SEAT: WORDS VALUE`, as in `1: points 7`"), errors
            )
            continue
        key, value = item.entries[0]
        text = _words(value, say("what was told"), errors)
        if text is not None:
            found.append(f"{key.text}: {text}")
    return tuple(found)


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

    return _read_by_seat(node, what, errors, read)


@shaped(table(PLAIN))
def _read_choose(node: Node, what: str, errors: Collector) -> tuple[ExpectedChoice, ...]:
    found = []
    for key, value in read_entries(node, what, errors) or ():
        text = _words(value, say("what '{key}' chooses", key=key.text), errors)
        if text is not None:
            found.append(ExpectedChoice(key.text, text, key.span))
    return tuple(found)


@shaped(array(PLAIN))
def _read_legal(node: Node, what: str, errors: Collector) -> tuple[str, ...]:
    texts = (_words(i, say("an action"), errors) for i in _read_list(node, what, errors))
    return tuple(text for text in texts if text is not None)


DECISION_KEYS = {
    "seat": YamlKey("the addressee of `ask`", _read_seat),
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
    "counters": YamlKey("the value of counters for each team", _read_counters),
    "deal_over": YamlKey("whether the deal is over", read_boolean),
    "deal_winner": YamlKey("the team that won the deal", _read_winner),
    "match_winner": YamlKey(
        "the team that won the match",
        partial(_read_winner, draw=True),
        shape={"anyOf": [SEAT, NOTHING, {"const": "draw"}]},
    ),
    "next_dealer": YamlKey("the seat that deals next", _read_seat),
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
def _read_expect(node: Node, what: str, errors: Collector, keys: YamlKeys = EXPECT_KEYS) -> Expect:
    fields = read_fields(node, what, errors, tuple(keys)) or {}
    present = {name: keys[name] for name in fields}
    spans = {name: value.span for name, value in fields.items()}
    return Expect(read_known(fields, errors, present, "`"), spans)


# The start and the actions.


def _read_step(item: Node, what: str, errors: Collector) -> ScriptedAction | None:
    """Return an action with the seat that does it."""
    if not isinstance(item, YamlMapping) or len(item.entries) != 1:
        refuse(item, what, say("`SEAT: ACTION`, as in `0: play 7h`"), errors)
        return None
    key, value = item.entries[0]
    seat = _read_seat_key(key, errors)
    text = _words(value, say("an action"), errors)
    return None if seat is None or text is None else ScriptedAction(seat, text, item.span)


@shaped(array(ACTION))
def _read_before(node: Node, what: str, errors: Collector) -> tuple[ScriptedAction, ...]:
    items = _read_list(node, what, errors)
    steps = (_read_step(item, say("an action of {what}", what=what), errors) for item in items)
    return tuple(step for step in steps if step is not None)


@shaped(lambda: array({"anyOf": [ACTION, table(mapping(BETWEEN_KEYS), "expect")]}))
def _read_actions(node: Node, what: str, errors: Collector) -> tuple[Step, ...]:
    actions: list[Step] = []
    for item in _read_list(node, what, errors):
        entries = item.entries if isinstance(item, YamlMapping) else ()
        if len(entries) == 1 and entries[0][0].text == "expect":
            expect = _read_expect(entries[0][1], "`expect`", errors, BETWEEN_KEYS)
            actions.append(Expectation(expect, item.span))
        elif (step := _read_step(item, say("an action"), errors)) is not None:
            actions.append(step)
    return tuple(actions)


@shaped(lambda: array(mapping(REDEAL_KEYS)))
def _read_redeals(node: Node, what: str, errors: Collector) -> tuple[DealCards, ...]:
    return tuple(
        DealCards(**read_mapping(item, say("a redeal"), errors, REDEAL_KEYS, quote="`"))
        for item in _read_list(node, what, errors)
    )


@shaped(lambda: array(mapping(DEAL_KEYS)))
def _read_later(node: Node, what: str, errors: Collector) -> tuple[DealCards, ...]:
    return tuple(
        DealCards(**read_mapping(item, say("a later deal"), errors, DEAL_KEYS, quote="`"))
        for item in _read_list(node, what, errors)
    )


_read_at = partial(
    _read_text_node,
    expected="a rule, and perhaps which time, as in `at: play_trick 2`, or a deal, `at: deal 4`",
)
START_KEYS = {
    "dealer": YamlKey("the seat that deals first", _read_seat),
    "counters": YamlKey("the value of counters for each team", _read_counters, ()),
    "hands": YamlKey("the cards that each seat is dealt", _read_hands, {}),
    "stock": YamlKey("the next cards off the stock", _read_cards, ()),
    "turned": YamlKey("the card that is turned up", _read_text_node),
    "special_cards": YamlKey("the special card of each seat", _read_special_cards, {}),
    "random": YamlKey("the next results of dice and other chance", _read_cards, ()),
    "draws": YamlKey("every card that is drawn, in order", _read_cards, ()),
    "at": YamlKey("the rule where zones and variables are put in place", _read_at),
    "before": YamlKey("what is answered before play comes there", _read_before, ()),
    "zones": YamlKey("the cards in zones", read_entries, ()),
    "variables": YamlKey("the values of variables", read_entries, ()),
    "redeals": YamlKey("the cards of redeals within the first deal", _read_redeals, ()),
    "later": YamlKey("the cards of the deals after the first", _read_later, ()),
    "memory": YamlKey("the match memory of scripts", read_entries, ()),
    "rates": YamlKey("how often seats have chosen options", read_entries, ()),
}
REDEAL_KEYS: YamlKeys = {name: START_KEYS[name] for name in ("hands", "stock", "turned", "draws")}
DEAL_KEYS: YamlKeys = {**REDEAL_KEYS, "redeals": START_KEYS["redeals"]}


@shaped(lambda: mapping(START_KEYS))
def _read_start(node: Node, what: str, errors: Collector) -> Start:
    fields = read_fields(node, what, errors, tuple(START_KEYS)) or {}
    start = Start(**read_known(fields, errors, START_KEYS, "`"))
    before = fields.get("before")
    asked = isinstance(before, Sequence) and before.items
    if before and asked and start.at is None and not start.zones and not start.variables:
        message = say(
            "`before` says what is answered before the rule of `at`, and there is no `at`"
        )
        errors.error("bad-scenario", message, before.span)
    return start


@shaped(array(PLAIN))
def _read_rules(node: Node, what: str, errors: Collector) -> tuple[str, ...]:
    ids = (read_line(i, say("a rule's id"), errors) for i in _read_list(node, what, errors))
    return tuple(one for one in ids if one is not None)


@shaped(table(VALUE))
def _read_parameters(node: Node, what: str, errors: Collector) -> dict[str, Scalar]:
    entries = read_entries(node, what, errors) or ()
    each = ((k.text, read_value(v, say("parameter '{k}'", k=k.text), errors)) for k, v in entries)
    return {name: value for name, value in each if value is not None}


SCENARIO_KEYS = {
    "scenario": YamlKey("its name", keep_node, required=True, shape=PLAIN),
    "rules": YamlKey("the ids of the rules that it tests", _read_rules, ()),
    "variant": YamlKey("a variant's name or path", keep_node, required=True, shape=PLAIN),
    "players": YamlKey("how many play", partial(read_integer, least=1, most=16), required=True),
    "parameters": YamlKey("the parameters that are set", _read_parameters, {}),
    "start": YamlKey("what is given beforehand", _read_start),
    "actions": YamlKey("what is done, in order", _read_actions, (), required=True),
    "expect": YamlKey("what must hold at the end", _read_expect, required=True),
}


def read_scenarios(path: Path, name: str) -> tuple[Scenario, ...]:
    """Return the scenarios of a file in order; raises `Rejected` if it is not a scenario file."""
    return parse_scenarios(read_source(path, name))


def parse_scenarios(source: Source) -> tuple[Scenario, ...]:
    """Return the scenarios of a text in order; raises `Rejected` if it holds none."""
    errors = Collector()
    scenarios = [s for d in read_documents(source) if (s := _scenario(d, errors)) is not None]
    first: dict[str, Span] = {}
    for scenario in scenarios:
        if scenario.name in first:
            errors.error(
                "duplicate-key",
                say("there is already a scenario '{scenario}'", scenario=scenario.name),
                scenario.span,
                Note(say("the first one is here"), first[scenario.name]),
            )
        first.setdefault(scenario.name, scenario.span)
    errors.raise_if_any()
    return tuple(scenarios)


def _scenario(node: Node, errors: Collector) -> Scenario | None:
    required = tuple(name for name, key in SCENARIO_KEYS.items() if key.required)
    keys = [key.text for key, _ in node.entries] if isinstance(node, YamlMapping) else []
    if "scenario" not in keys and {"extends", "title", "module", "pack"} & {*keys}:
        file = node.span.source.name
        message = say("this is the file of a variant, not of scenarios")
        errors.error(
            "wrong-kind",
            message,
            node.span,
            help=say("check it: `trutdsl check {file}`", file=file),
        )
        return None
    fields = read_fields(node, say("a scenario"), errors, tuple(SCENARIO_KEYS), required)
    if fields is None or any(name not in fields for name in required):
        return None
    name = read_line(fields["scenario"], say("a scenario's name"), errors)
    variant = _read_text_node(
        fields["variant"], "`variant`", errors, say("a variant's name or path")
    )
    if variant is None:
        return None
    found = read_known(fields, errors, SCENARIO_KEYS, "`")
    if name is None or found["players"] is None:
        return None
    start = fields.get("start")
    found["start"] = found["start"] or Start(**read_known({}, errors, START_KEYS))
    del found["scenario"]
    return Scenario(
        **found | {"variant": variant},
        name=name,
        span=fields["scenario"].span,
        start_span=(start or fields["scenario"]).span,
        seat_spans=_seat_spans(start),
    )


def _seat_spans(node: Node | None) -> dict[int, Span]:
    """Return where a start first names each seat: as dealer, or with its cards."""
    spans: dict[int, Span] = {}
    for key, value in node.entries if isinstance(node, YamlMapping) else ():
        named: list[Scalar] = []
        if key.text == "dealer" and isinstance(value, Scalar):
            named = [value]
        elif key.text in ("hands", "special_cards") and isinstance(value, YamlMapping):
            named = [seat for seat, _ in value.entries]
        elif key.text == "later" and isinstance(value, Sequence):
            for deal in value.items:
                spans = _seat_spans(deal) | spans
        for seat in named:
            if (number := parse_integer(seat.text)) is not None:
                spans.setdefault(number, seat.span)
    return spans
