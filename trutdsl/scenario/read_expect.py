"""Reads what a scenario expects."""

from __future__ import annotations

from trutdsl.diagnostics import Collector
from trutdsl.scenario.model import Chosen, Expect, Named, Open, Sights
from trutdsl.variant import Mapping, Node, Scalar, Sequence
from trutdsl.variant.read_values import (
    read_boolean,
    read_entries,
    read_fields,
    read_integer,
    read_key,
    read_line,
    refuse,
)

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
        if not isinstance(item, Mapping) or len(item.entries) != 1:
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
        items = read_list(fields["actions"], "`actions`", errors)
        texts = [read_line(i, "an action", errors) for i in items]
        actions = tuple(" ".join(t.split()) for t in texts if t is not None)
    return Open(seat, name, actions)
