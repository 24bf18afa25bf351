"""Reads scenario files."""

from __future__ import annotations

from pathlib import Path

from trutdsl.diagnostics import Collector, Note, Source, Span
from trutdsl.scenario.model import (
    DealCards,
    Expect,
    Expectation,
    ExpectedChoice,
    Named,
    Open,
    Scenario,
    ScriptedAction,
    Sights,
    Start,
    Step,
)
from trutdsl.variant import Node, Scalar, Sequence, YamlMapping, read_documents, read_source
from trutdsl.variant.read_values import (
    parse_integer,
    read_boolean,
    read_entries,
    read_fields,
    read_integer,
    read_key,
    read_line,
    read_value,
    refuse,
)

# Reads what a scenario expects.

EXPECT = (
    "counters", "deal_over", "deal_winner", "match_winner", "next_dealer", "tricks", "decision",
    "zones", "variables", "views", "choose", "error",
)  # fmt: skip
BETWEEN = EXPECT[:-2]  # what can be expected between two actions
NULL = ("null", "~", "")


def read_list(node: Node, what: str, errors: Collector) -> tuple[Node, ...]:
    """Return the items of a list, which may be empty."""
    if isinstance(node, Sequence):
        return node.items
    refuse(node, what, "a list", errors)
    return ()


def read_counters(node: Node, errors: Collector) -> dict[str, tuple[int, ...]]:
    """Return counters with a value for each team."""
    counters: dict[str, tuple[int, ...]] = {}
    for key, value in read_entries(node, "`counters`", errors) or ():
        items = read_list(value, f"counter '{key.text}'", errors)
        values = [read_integer(i, f"counter '{key.text}'", errors, -(10**6), 10**6) for i in items]
        counters[key.text] = tuple(v for v in values if v is not None)
    return counters


def read_named(node: Node | None, what: str, errors: Collector) -> Named:
    """Return zones or variables by name, what lies or stands there still as it is written."""
    return (read_entries(node, f"`{what}`", errors) or ()) if node is not None else ()


def _views(node: Node, errors: Collector) -> dict[int, Sights]:
    views = {}
    for key, value in read_entries(node, "`views`", errors) or ():
        seat = read_key(key, "a seat", errors, 0, 15)
        known = ("zones", "variables", "told")
        fields = read_fields(value, f"the view of seat {key.text}", errors, known) or {}
        told = _told(fields["told"], errors) if "told" in fields else None
        if seat is not None:
            zones, variables = (read_named(fields.get(part), part, errors) for part in known[:2])
            views[seat] = Sights(zones, variables, told, value.span)
    return views


def _told(node: Node, errors: Collector) -> tuple[str, ...]:
    """Return what a seat was told, in order: who said it, as what, and the value."""
    found = []
    for item in read_list(node, "`told`", errors):
        if not isinstance(item, YamlMapping) or len(item.entries) != 1:
            refuse(item, "what was told", "`SEAT: WORDS VALUE`, as in `1: points 7`", errors)
            continue
        key, value = item.entries[0]
        text = read_line(value, "what was told", errors)
        if text is not None:
            found.append(f"{key.text}: {' '.join(text.split())}")
    return tuple(found)


def is_null(node: Node) -> bool:
    """Tell whether a node says that there is none."""
    return isinstance(node, Scalar) and node.style == "plain" and node.text.lower() in NULL


def read_expect(node: Node, errors: Collector, known: tuple[str, ...] = EXPECT) -> Expect:
    """Return what is expected, of these keys."""
    fields = read_fields(node, "`expect`", errors, known) or {}
    values: dict[str, object] = {}
    for key, value in fields.items():
        match key:
            case "counters":
                values[key] = read_counters(value, errors)
            case "deal_over":
                values[key] = read_boolean(value, "`deal_over`", errors)
            case "deal_winner" | "match_winner":
                draw = isinstance(value, Scalar) and value.text == "draw" and key == "match_winner"
                if draw or is_null(value):
                    values[key] = "draw" if draw else None
                else:
                    values[key] = read_integer(value, f"`{key}`", errors, 0, 15)
            case "next_dealer":
                values[key] = read_integer(value, "`next_dealer`", errors, 0, 15)
            case "tricks":
                items = read_list(value, "`tricks`", errors)
                what = "a trick's team (or null, if it was tied)"
                values[key] = [
                    None if is_null(i) else read_integer(i, what, errors, 0, 15) for i in items
                ]
            case "decision":
                values[key] = _open(value, errors)
            case "zones" | "variables":
                values[key] = read_named(value, key, errors)
            case "views":
                values[key] = _views(value, errors)
            case "choose":
                values[key] = _chosen(value, errors)
            case "error":
                if not (isinstance(value, Scalar) and value.text == "illegal"):
                    refuse(value, "`error`", "`illegal`", errors)
                values[key] = "illegal"
    return Expect(values, {key: value.span for key, value in fields.items()})


def _chosen(node: Node, errors: Collector) -> tuple[ExpectedChoice, ...]:
    found = []
    for key, value in read_entries(node, "`choose`", errors) or ():
        text = read_line(value, f"what '{key.text}' chooses", errors)
        if text is not None:
            found.append(ExpectedChoice(key.text, " ".join(text.split()), key.span))
    return tuple(found)


def _open(node: Node, errors: Collector) -> Open:
    fields = read_fields(node, "`decision`", errors, ("seat", "name", "actions")) or {}
    seat = read_integer(fields["seat"], "`seat`", errors, 0, 15) if "seat" in fields else None
    name = read_line(fields["name"], "`name`", errors) if "name" in fields else None
    actions = None
    if "actions" in fields:
        items = read_list(fields["actions"], "`actions`", errors)
        texts = [read_line(i, "an action", errors) for i in items]
        actions = tuple(" ".join(t.split()) for t in texts if t is not None)
    return Open(seat, name, actions)


KEYS = ("scenario", "rules", "variant", "players", "parameters", "start", "actions", "expect")
DEALT = ("hands", "stock", "turned", "draws")
START = (
    "dealer", "counters", "hands", "stock", "turned", "special_cards", "random", "draws", "at",
    "before", "zones", "variables", "later",
)  # fmt: skip


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
                f"there is already a scenario '{scenario.name}'",
                scenario.span,
                Note("the first one stands here", first[scenario.name]),
            )
        first.setdefault(scenario.name, scenario.span)
    errors.raise_if_any()
    return tuple(scenarios)


def _scenario(node: Node, errors: Collector) -> Scenario | None:
    required = ("scenario", "variant", "players", "actions", "expect")
    fields = read_fields(node, "a scenario", errors, KEYS, required)
    if fields is None or any(key not in fields for key in required):
        return None
    name = read_line(fields["scenario"], "a scenario's name", errors)
    variant = fields["variant"]
    if not isinstance(variant, Scalar):
        refuse(variant, "`variant`", "a variant's name or path", errors)
        return None
    rules: tuple[str | None, ...] = ()
    if "rules" in fields:
        items = read_list(fields["rules"], "`rules`", errors)
        rules = tuple(read_line(i, "a rule's id", errors) for i in items)
    players = read_integer(fields["players"], "`players`", errors, 1, 16)
    parameters: dict[str, Scalar] = {}
    if "parameters" in fields:
        for key, value in read_entries(fields["parameters"], "`parameters`", errors) or ():
            one = read_value(value, f"parameter '{key.text}'", errors)
            if one is not None:
                parameters[key.text] = one
    start = _start(fields.get("start"), errors)
    actions = _actions(fields["actions"], errors)
    expect = read_expect(fields["expect"], errors)
    if name is None or players is None:
        return None
    span = fields["scenario"].span
    start_span = fields["start"].span if "start" in fields else span
    ids = tuple(r for r in rules if r is not None)
    return Scenario(
        name,
        span,
        ids,
        variant,
        players,
        parameters,
        start,
        start_span,
        actions,
        expect,
        _counter_spans(fields.get("start"), *_expected(fields["actions"]), fields["expect"]),
        _seat_spans(fields.get("start")),
    )


def _expected(actions: Node) -> list[Node]:
    items = actions.items if isinstance(actions, Sequence) else ()
    each = [entry for item in items if isinstance(item, YamlMapping) for entry in item.entries]
    return [value for key, value in each if key.text == "expect"]


def _counter_spans(*nodes: Node | None) -> dict[str, Span]:
    """Return where each counter is named first."""
    spans: dict[str, Span] = {}
    for node in nodes:
        for key, value in node.entries if isinstance(node, YamlMapping) else ():
            if key.text == "counters" and isinstance(value, YamlMapping):
                for name, _ in value.entries:
                    spans.setdefault(name.text, name.span)
    return spans


def _seat_spans(node: Node | None) -> dict[int, Span]:
    """Return where a start names each seat first: as dealer, or by what it holds."""
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


def _start(node: Node | None, errors: Collector) -> Start:
    fields = (read_fields(node, "`start`", errors, START) if node is not None else None) or {}
    dealer = (
        read_integer(fields["dealer"], "`dealer`", errors, 0, 15) if "dealer" in fields else None
    )
    counters = read_counters(fields["counters"], errors) if "counters" in fields else {}
    kept: dict[int, Scalar] = {}
    if "special_cards" in fields:
        for key, value in read_entries(fields["special_cards"], "`special_cards`", errors) or ():
            seat = read_key(key, "a seat", errors, 0, 15)
            if seat is not None and isinstance(value, Scalar):
                kept[seat] = value
            elif seat is not None:
                refuse(value, f"the special card of seat {seat}", "one card", errors)
    dealt = _dealt(fields, errors)
    random = _cards(fields["random"], "`random`", errors) if "random" in fields else ()
    at = fields.get("at")
    if at is not None and not isinstance(at, Scalar):
        refuse(at, "`at`", "a rule, and perhaps which time, as in `at: play_trick 2`", errors)
        at = None
    zones, variables = (read_named(fields.get(key), key, errors) for key in ("zones", "variables"))
    items = read_list(fields["later"], "`later`", errors) if "later" in fields else ()
    each = (read_fields(item, "a later deal", errors, DEALT) or {} for item in items)
    later = tuple(_dealt(one, errors) for one in each)
    items = read_list(fields["before"], "`before`", errors) if "before" in fields else ()
    steps = (_step(item, "an action of `before`", errors) for item in items)
    before = tuple(step for step in steps if isinstance(step, ScriptedAction))
    if items and at is None and not zones and not variables:
        message = "`before` says what is answered before the rule of `at`, and there is no `at`"
        errors.error("bad-scenario", message, fields["before"].span)
    return Start(
        dealer, counters, dealt.hands, dealt.stock, dealt.turned, kept, random, dealt.draws, at,
        zones, variables, later, before,
    )  # fmt: skip


def _dealt(fields: dict[str, Node], errors: Collector) -> DealCards:
    """Return the cards of a deal."""
    hands: dict[int, tuple[Scalar, ...]] = {}
    if "hands" in fields:
        for key, value in read_entries(fields["hands"], "`hands`", errors) or ():
            seat = read_key(key, "a seat", errors, 0, 15)
            if seat is not None:
                hands[seat] = _cards(value, f"the hand of seat {seat}", errors)
    turned = fields.get("turned")
    if turned is not None and not isinstance(turned, Scalar):
        refuse(turned, "`turned`", "one card", errors)
        turned = None
    stock, draws = (
        _cards(fields[key], f"`{key}`", errors) if key in fields else ()
        for key in ("stock", "draws")
    )
    return DealCards(hands, stock, turned, draws)


def _cards(node: Node, what: str, errors: Collector) -> tuple[Scalar, ...]:
    cards: list[Scalar] = []
    for item in read_list(node, what, errors):
        if isinstance(item, Scalar):
            cards.append(item)
        else:
            refuse(item, f"an entry of {what}", "one text", errors)
    return tuple(cards)


def _actions(node: Node, errors: Collector) -> tuple[Step, ...]:
    actions: list[Step] = []
    for item in read_list(node, "`actions`", errors):
        entries = item.entries if isinstance(item, YamlMapping) else ()
        if len(entries) == 1 and entries[0][0].text == "expect":
            actions.append(Expectation(read_expect(entries[0][1], errors, BETWEEN), item.span))
        elif (step := _step(item, "an action", errors)) is not None:
            actions.append(step)
    return tuple(actions)


def _step(item: Node, what: str, errors: Collector) -> ScriptedAction | None:
    """Return an action with the seat that does it."""
    if not isinstance(item, YamlMapping) or len(item.entries) != 1:
        refuse(item, what, "`SEAT: ACTION`, as in `0: play 7h`", errors)
        return None
    key, value = item.entries[0]
    seat = read_key(key, "a seat", errors, 0, 15)
    text = read_line(value, "an action", errors)
    if seat is None or text is None:
        return None
    return ScriptedAction(seat, " ".join(text.split()), item.span)
