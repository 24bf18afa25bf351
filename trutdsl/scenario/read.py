"""Reads scenario files."""

from __future__ import annotations

from pathlib import Path

from trutdsl.diagnostics import Collector, Note
from trutdsl.scenario.model import Chosen, Expect, Open, Scenario, Scripted, Start
from trutdsl.source import Span
from trutdsl.variant import Mapping, Node, Scalar, Sequence, read_documents, read_source
from trutdsl.variant.read_values import (
    read_boolean,
    read_entries,
    read_fields,
    read_integer,
    read_line,
    read_value,
    refuse,
)

KEYS = ("scenario", "rules", "variant", "players", "parameters", "start", "actions", "expect")
START = ("dealer", "counters", "hands", "stock", "turned", "special_cards", "random")
EXPECT = (
    "counters", "deal_over", "deal_winner", "match_winner", "next_dealer", "tricks", "decision",
    "choose", "error",
)  # fmt: skip
NULL = ("null", "~", "")


def read_scenarios(path: Path, name: str) -> tuple[Scenario, ...]:
    """Return the scenarios of a file in order; raises `Rejected` if it is not a scenario file."""
    source = read_source(path, name)
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
        items = _list(fields["rules"], "`rules`", errors)
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
    expect = _expect(fields["expect"], errors)
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
        _counter_spans(fields.get("start"), fields["expect"]),
    )


def _counter_spans(*nodes: Node | None) -> dict[str, Span]:
    """Return where each counter is named first."""
    spans: dict[str, Span] = {}
    for node in nodes:
        for key, value in node.entries if isinstance(node, Mapping) else ():
            if key.text == "counters" and isinstance(value, Mapping):
                for name, _ in value.entries:
                    spans.setdefault(name.text, name.span)
    return spans


def _list(node: Node, what: str, errors: Collector) -> tuple[Node, ...]:
    """Return the items of a list, which may be empty."""
    if isinstance(node, Sequence):
        return node.items
    refuse(node, what, "a list", errors)
    return ()


def _start(node: Node | None, errors: Collector) -> Start:
    fields = (read_fields(node, "`start`", errors, START) if node is not None else None) or {}
    dealer = (
        read_integer(fields["dealer"], "`dealer`", errors, 0, 15) if "dealer" in fields else None
    )
    counters = _counters(fields["counters"], errors) if "counters" in fields else {}
    hands: dict[int, tuple[Scalar, ...]] = {}
    if "hands" in fields:
        for key, value in read_entries(fields["hands"], "`hands`", errors) or ():
            seat = read_integer(key, "a seat", errors, 0, 15)
            if seat is not None:
                hands[seat] = _cards(value, f"the hand of seat {seat}", errors)
    kept: dict[int, Scalar] = {}
    if "special_cards" in fields:
        for key, value in read_entries(fields["special_cards"], "`special_cards`", errors) or ():
            seat = read_integer(key, "a seat", errors, 0, 15)
            if seat is not None and isinstance(value, Scalar):
                kept[seat] = value
            elif seat is not None:
                refuse(value, f"the special card of seat {seat}", "one card", errors)
    stock = _cards(fields["stock"], "`stock`", errors) if "stock" in fields else ()
    random = _cards(fields["random"], "`random`", errors) if "random" in fields else ()
    turned = fields.get("turned")
    if turned is not None and not isinstance(turned, Scalar):
        refuse(turned, "`turned`", "one card", errors)
        turned = None
    return Start(dealer, counters, hands, stock, turned, kept, random)


def _cards(node: Node, what: str, errors: Collector) -> tuple[Scalar, ...]:
    cards: list[Scalar] = []
    for item in _list(node, what, errors):
        if isinstance(item, Scalar):
            cards.append(item)
        else:
            refuse(item, f"an entry of {what}", "one text", errors)
    return tuple(cards)


def _counters(node: Node, errors: Collector) -> dict[str, tuple[int, ...]]:
    counters: dict[str, tuple[int, ...]] = {}
    for key, value in read_entries(node, "`counters`", errors) or ():
        items = _list(value, f"counter '{key.text}'", errors)
        values = [read_integer(i, f"counter '{key.text}'", errors, -(10**6), 10**6) for i in items]
        counters[key.text] = tuple(v for v in values if v is not None)
    return counters


def _actions(node: Node, errors: Collector) -> tuple[Scripted, ...]:
    actions: list[Scripted] = []
    for item in _list(node, "`actions`", errors):
        if not isinstance(item, Mapping) or len(item.entries) != 1:
            refuse(item, "an action", "`SEAT: ACTION`, as in `0: play 7h`", errors)
            continue
        key, value = item.entries[0]
        seat = read_integer(key, "a seat", errors, 0, 15)
        text = read_line(value, "an action", errors)
        if seat is not None and text is not None:
            actions.append(Scripted(seat, " ".join(text.split()), item.span))
    return tuple(actions)


def _is_null(node: Node) -> bool:
    return isinstance(node, Scalar) and node.style == "plain" and node.text.lower() in NULL


def _expect(node: Node, errors: Collector) -> Expect:
    fields = read_fields(node, "`expect`", errors, EXPECT) or {}
    values: dict[str, object] = {}
    for key, value in fields.items():
        match key:
            case "counters":
                values[key] = _counters(value, errors)
            case "deal_over":
                values[key] = read_boolean(value, "`deal_over`", errors)
            case "deal_winner" | "match_winner":
                draw = isinstance(value, Scalar) and value.text == "draw" and key == "match_winner"
                if draw or _is_null(value):
                    values[key] = "draw" if draw else None
                else:
                    values[key] = read_integer(value, f"`{key}`", errors, 0, 15)
            case "next_dealer":
                values[key] = read_integer(value, "`next_dealer`", errors, 0, 15)
            case "tricks":
                items = _list(value, "`tricks`", errors)
                what = "a trick's team (or null, if it was tied)"
                values[key] = [
                    None if _is_null(i) else read_integer(i, what, errors, 0, 15) for i in items
                ]
            case "decision":
                values[key] = _open(value, errors)
            case "choose":
                values[key] = _chosen(value, errors)
            case "error":
                if not (isinstance(value, Scalar) and value.text == "illegal"):
                    refuse(value, "`error`", "`illegal`", errors)
                values[key] = "illegal"
    return Expect(values, {key: value.span for key, value in fields.items()})


def _chosen(node: Node, errors: Collector) -> tuple[Chosen, ...]:
    found = []
    for key, value in read_entries(node, "`choose`", errors) or ():
        text = read_line(value, f"what '{key.text}' chooses", errors)
        if text is not None:
            found.append(Chosen(key.text, " ".join(text.split()), key.span))
    return tuple(found)


def _open(node: Node, errors: Collector) -> Open:
    fields = read_fields(node, "`decision`", errors, ("seat", "name", "actions")) or {}
    seat = read_integer(fields["seat"], "`seat`", errors, 0, 15) if "seat" in fields else None
    name = read_line(fields["name"], "`name`", errors) if "name" in fields else None
    actions = None
    if "actions" in fields:
        items = _list(fields["actions"], "`actions`", errors)
        texts = [read_line(i, "an action", errors) for i in items]
        actions = tuple(" ".join(t.split()) for t in texts if t is not None)
    return Open(seat, name, actions)
