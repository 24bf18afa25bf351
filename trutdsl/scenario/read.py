"""Reads scenario files: their start, their actions, and what belongs to the whole."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from trutdsl.diagnostics import Collector, Note, Source, Span, reject
from trutdsl.language import say
from trutdsl.scenario.model import DealCards, Expectation, Scenario, ScriptedAction, Start, Step
from trutdsl.scenario.read_expected import (
    BETWEEN_KEYS,
    SEAT_KEY,
    read_by_seat,
    read_cards,
    read_counters,
    read_expect,
    read_seat,
    read_seat_key,
    read_text_node,
    read_words,
)
from trutdsl.variant import Node, Scalar, Sequence, YamlMapping, read_source
from trutdsl.variant.compose_yaml import read_documents
from trutdsl.variant.read_values import (
    keep_node,
    parse_integer,
    read_entries,
    read_fields,
    read_integer,
    read_items,
    read_known,
    read_line,
    read_mapping,
    read_value,
    refuse,
    refuse_other_kind,
)
from trutdsl.variant.shapes import PLAIN, VALUE, YamlKey, YamlKeys, array, mapping, shaped, table
from trutdsl.variant.source import SCENARIOS, kind_of_ending, name_other

ACTION = {**table(PLAIN, SEAT_KEY), "minProperties": 1, "maxProperties": 1}


@shaped(table(array(PLAIN), SEAT_KEY))
def _read_hands(node: Node, what: str, errors: Collector) -> dict[int, tuple[Scalar, ...]]:
    return read_by_seat(
        node,
        what,
        errors,
        lambda seat, one: read_cards(one, say("the hand of seat {seat}", seat=seat), errors),
    )


@shaped(table(PLAIN, SEAT_KEY))
def _read_special_cards(node: Node, what: str, errors: Collector) -> dict[int, Scalar]:
    def read(seat: int, one: Node) -> Scalar | None:
        return read_text_node(one, say("the special card of seat {seat}", seat=seat), errors)

    return read_by_seat(node, what, errors, read)


def _read_step(item: Node, what: str, errors: Collector) -> ScriptedAction | None:
    """Return an action with the seat that does it."""
    if not isinstance(item, YamlMapping) or len(item.entries) != 1:
        refuse(item, what, say("`SEAT: ACTION`, as in `0: play 7h`"), errors)
        return None
    key, value = item.entries[0]
    seat = read_seat_key(key, errors)
    text = read_words(value, say("an action"), errors)
    return None if seat is None or text is None else ScriptedAction(seat, text, item.span)


@shaped(array(ACTION))
def _read_before(node: Node, what: str, errors: Collector) -> tuple[ScriptedAction, ...]:
    items = read_items(node, what, errors)
    steps = (_read_step(item, say("an action of {what}", what=what), errors) for item in items)
    return tuple(step for step in steps if step is not None)


@shaped(lambda: array({"anyOf": [ACTION, table(mapping(BETWEEN_KEYS), "expect")]}))
def _read_actions(node: Node, what: str, errors: Collector) -> tuple[Step, ...]:
    actions: list[Step] = []
    for item in read_items(node, what, errors):
        entries = item.entries if isinstance(item, YamlMapping) else ()
        if len(entries) == 1 and entries[0][0].text == "expect":
            expect = read_expect(entries[0][1], "`expect`", errors, BETWEEN_KEYS)
            actions.append(Expectation(expect, item.span))
        elif (step := _read_step(item, say("an action"), errors)) is not None:
            actions.append(step)
    return tuple(actions)


@shaped(lambda: array(mapping(REDEAL_KEYS)))
def _read_redeals(node: Node, what: str, errors: Collector) -> tuple[DealCards, ...]:
    return tuple(
        DealCards(**read_mapping(item, say("a redeal"), errors, REDEAL_KEYS, quote="`"))
        for item in read_items(node, what, errors)
    )


@shaped(lambda: array(mapping(DEAL_KEYS)))
def _read_later(node: Node, what: str, errors: Collector) -> tuple[DealCards, ...]:
    return tuple(
        DealCards(**read_mapping(item, say("a later deal"), errors, DEAL_KEYS, quote="`"))
        for item in read_items(node, what, errors)
    )


_read_at = partial(
    read_text_node,
    expected="a rule, and perhaps which time, as in `at: play_trick 2`, or a deal, `at: deal 4`",
)
START_KEYS = {
    "dealer": YamlKey("the seat that deals first", read_seat),
    "counters": YamlKey("the value of counters for each team", read_counters, ()),
    "hands": YamlKey("the cards that each seat is dealt", _read_hands, {}),
    "stock": YamlKey("the next cards off the stock", read_cards, ()),
    "turned": YamlKey("the card that is turned up", read_text_node),
    "special_cards": YamlKey("the special card of each seat", _read_special_cards, {}),
    "random": YamlKey("the next results of dice and other chance", read_cards, ()),
    "draws": YamlKey("every card that is drawn, in order", read_cards, ()),
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
    has_questions = isinstance(before, Sequence) and before.items
    if before and has_questions and start.at is None and not start.zones and not start.variables:
        message = say(
            "`before` says what is answered before the rule of `at`, and there is no `at`"
        )
        errors.error("bad-scenario", message, before.span)
    return start


@shaped(array(PLAIN))
def _read_rules(node: Node, what: str, errors: Collector) -> tuple[str, ...]:
    ids = (read_line(i, say("a rule's id"), errors) for i in read_items(node, what, errors))
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
    "expect": YamlKey("what must hold at the end", read_expect, required=True),
}


def read_scenarios(path: Path, name: str) -> tuple[Scenario, ...]:
    """Return the scenarios of a file in order; raises `Rejected` if it is not a scenario file."""
    return parse_scenarios(read_source(path, name))


def parse_scenarios(source: Source) -> tuple[Scenario, ...]:
    """Return the scenarios of a text in order; raises `Rejected` if it holds none."""
    errors = Collector()
    if (found := kind_of_ending(source.name)) is not None:
        help_ = name_other(SCENARIOS, found, source.name)
        message = say("this is {found}, not {expected}", found=say(found), expected=say(SCENARIOS))
        raise reject("wrong-kind", message, source.point(1, 1), help=help_)
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
    if isinstance(node, YamlMapping) and refuse_other_kind(node, SCENARIOS, errors):
        return None
    fields = read_fields(node, say("a scenario"), errors, tuple(SCENARIO_KEYS), required)
    if fields is None or any(name not in fields for name in required):
        return None
    name = read_line(fields["scenario"], say("a scenario's name"), errors)
    variant = read_text_node(
        fields["variant"], "`variant`", errors, say("a variant's name or path")
    )
    if variant is None:
        return None
    result = read_known(fields, errors, SCENARIO_KEYS, "`")
    if name is None or result["players"] is None:
        return None
    start = fields.get("start")
    result["start"] = result["start"] or Start(**read_known({}, errors, START_KEYS))
    del result["scenario"]
    return Scenario(
        **result | {"variant": variant},
        name=name,
        span=fields["scenario"].span,
        start_span=(start or fields["scenario"]).span,
        seat_spans=_seat_spans(start),
    )


def _seat_spans(node: Node | None) -> dict[int, Span]:
    """Return where a start first names each seat: as dealer, or with its cards."""
    spans: dict[int, Span] = {}
    for key, value in node.entries if isinstance(node, YamlMapping) else ():
        scalars: list[Scalar] = []
        if key.text == "dealer" and isinstance(value, Scalar):
            scalars = [value]
        elif key.text in ("hands", "special_cards") and isinstance(value, YamlMapping):
            scalars = [seat for seat, _ in value.entries]
        elif key.text in ("later", "redeals") and isinstance(value, Sequence):
            for deal in value.items:
                spans = _seat_spans(deal) | spans
        for seat in scalars:
            if (number := parse_integer(seat.text)) is not None:
                spans.setdefault(number, seat.span)
    return spans
