"""Static checks of a program; this module checks its size, because large variants take long."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import comb

from trutdsl.diagnostics import Collector, Span
from trutdsl.ir import nodes
from trutdsl.ir.intervals import (
    MOST_ACTIONS,
    MOST_ACTIONS_IN_ALL,
    MOST_COUNTERS,
    MOST_NODES,
    MOST_NODES_OF_ONE,
    MOST_PARAMETERS,
    MOST_QUESTIONS_WRITTEN,
    MOST_RULES,
    MOST_VARIABLES,
    MOST_ZONES,
    hand_sizes,
    window_of,
)
from trutdsl.ir.nodes import walk
from trutdsl.ir.types import Among, Kind, Number, SetOf
from trutdsl.language import figure, say
from trutdsl.variant import Variant

GATHER_SIZE = 2  # the size of gathering the cards of one place, in nodes
SMALLER = "give the numbers that are chosen closer bounds, or choose less at once"


def check_declared(
    variant: Variant,
    zones: Sequence[Span],
    variables: Sequence[Span],
    functions: Sequence[Span],
    errors: Collector,
) -> None:
    """Report the first declaration beyond a limit."""
    parameters = [parameter.span for parameter in variant.parameters.values()]
    counters = [counter.span for counter in variant.counters]
    for spans, most, what in (
        (parameters, MOST_PARAMETERS, "parameters"),
        (counters, MOST_COUNTERS, "counters"),
        (zones, MOST_ZONES, "zones"),
        (variables, MOST_VARIABLES, "variables"),
        (functions, MOST_RULES, say("rules and defines")),
    ):
        if len(spans) > most:
            text = "these are {number} {what}, with those of what it builds on"
            message = say(text, number=figure(len(spans), ","), what=what)
            help_ = say("at most {most} are allowed", most=figure(most, ","))
            errors.error("too-large", message, spans[most], help=help_)


def check_size(program: nodes.Program, variant: Variant, errors: Collector) -> None:
    """Report rules that are too large, and questions with too many actions.

    The limits hold for all numbers of players and all values of the parameters.
    """
    most, total = most_of_each(variant), 0
    sizes = _Sizes(program, most)
    for name, span, part in _parts(program):
        size = sizes.of(part)
        if size > MOST_NODES_OF_ONE:
            text = "'{name}' is too large: {size} meaningful words"
            message = say(text, name=name, size=figure(size, ","))
            text = "at most {most} are allowed; make several of it"
            help_ = say(text, most=figure(MOST_NODES_OF_ONE, ","))
            errors.error("too-large", message, span, help=help_)
        total += size
        if total - size <= MOST_NODES < total:
            text = "up to here the rules have more than {most} meaningful words"
            message = say(text, most=figure(MOST_NODES, ","))
            errors.error("too-large", message, span, help=say("say less, or say it once"))
    errors.raise_if_any()
    _check_questions(program, most, errors)


def _parts(program: nodes.Program) -> Iterator[tuple[str, Span, nodes.Node]]:
    for one in program.callables:
        yield one.name.split(" of ")[0].removesuffix(" itself"), one.span, one.body
    for variable in program.variables.values():
        yield variable.name, variable.initial.span, variable.initial
    for zone in program.zones.values():
        if zone.content is not None:
            yield zone.name, zone.content.span, zone.content


class _Sizes:
    """Sizes of parts of the rules: their nodes, and the work for each place of the names in them.

    A deal or trick starts with all variables of its lifetime; eight of their places are one node.
    """

    def __init__(self, program: nodes.Program, most: dict[Kind, int]) -> None:
        self.program, self.most = program, most
        names = nodes.revealed_names(program)
        self.starting = {"match": 0, "deal": 0, "trick": 0}
        for variable in program.variables.values():
            places = self._places(variable.index)
            begins = places // 8 + sum(1 for _ in walk(variable.initial))
            self.starting[variable.lifetime] += begins
        for name in names:
            place = program.zones.get(name) or program.variables.get(name)
            self.starting["deal"] += self._places(place.index if place else None) // 8

    def of(self, part: nodes.Node) -> int:
        return sum(self._size(node) for node in walk(part))

    def _size(self, node: nodes.Node) -> int:
        match node:
            case nodes.Gather(_, names):
                places = (self._places(self.program.zones[name].index) for name in names)
                return 1 + GATHER_SIZE * sum(places)
            case nodes.DealBlock():
                return 1 + self.starting["deal"]
            case nodes.TrickBlock():
                return 1 + self.starting["trick"]
        return 1

    def _places(self, index: Among | None) -> int:
        return 1 if index is None else how_many(index, self.most)


def _check_questions(program: nodes.Program, most: dict[Kind, int], errors: Collector) -> None:
    questions = in_all = 0
    for rule in program.rules.values():
        errors.place = rule.heading
        for node in walk(rule.body):
            if not isinstance(node, nodes.Ask):
                continue
            questions += 1
            if questions == MOST_QUESTIONS_WRITTEN + 1:
                text = "up to here there are more than {most} questions"
                message = say(text, most=MOST_QUESTIONS_WRITTEN)
                errors.error("too-large", message, node.span, help=say("ask several in one rule"))
            legal = actions = 0
            for option in node.options:
                legal += _choices(option, program, most, held=True)
                actions += _choices(option, program, most, held=False)
                if legal > MOST_ACTIONS or actions > MOST_ACTIONS_IN_ALL:
                    _report_actions(node, option, legal, actions, errors)
                    break
            old, in_all = in_all, in_all + actions
            if old <= MOST_ACTIONS_IN_ALL < in_all and actions <= MOST_ACTIONS_IN_ALL:
                text = "up to here all questions could have more than {most} actions"
                message = say(text, most=figure(MOST_ACTIONS_IN_ALL, ","))
                errors.error("too-large", message, node.span, help=SMALLER)
    errors.place = None


def _report_actions(
    node: nodes.Ask, option: nodes.Option, legal: int, actions: int, errors: Collector
) -> None:
    """Report a question with too many actions, or too many numbers for them."""
    text = "'{decision}' could have {actions} actions; the maximum is {most}"
    message = say(
        text, decision=node.decision, actions=figure(legal, ","), most=figure(MOST_ACTIONS, ",")
    )
    help_ = SMALLER
    if legal > MOST_ACTIONS and any(isinstance(one.items.type, Number) for one in option.binders):
        text = "'{decision}' could have more than {most} actions"
        message = say(text, decision=node.decision, most=figure(MOST_ACTIONS, ","))
        line = option.span.source.line(option.span.line)
        if re.search(r"\bby\b|\bfrom \{", line):
            help_ = say(
                "all numbers from the lowest to the highest count, also those left out: offer "
                "the number of the step, as in `n from 0 to 9`, and use `10 * n`"
            )
    hands = any(isinstance(binder.items, nodes.Hands) for binder in option.binders)
    if hands:
        help_ = say("say how many cards a zone holds, or ask for one card at a time, with `again`")
    if legal <= MOST_ACTIONS:
        message = say(
            "'{decision}' needs {actions} numbers for its actions, but there are only {most}",
            decision=node.decision,
            actions=figure(actions, ","),
            most=figure(MOST_ACTIONS_IN_ALL, ","),
        )
        help_ = SMALLER
        if hands:
            help_ = say(
                "each choice from the whole pack has a number: "
                "ask for one card at a time, with `again`"
            )
    errors.error("too-large", message, option.span, help=help_)


def _choices(
    option: nodes.Option, program: nodes.Program, most: dict[Kind, int], held: bool
) -> int:
    """Return how many actions an option can have, or a number above the limits.

    held: count several cards from the largest hand; otherwise from the whole pack, because every
    choice from it has a number.
    """
    actions = 1
    for binder in option.binders:
        items = binder.items.type
        if isinstance(binder.items, nodes.Hands):
            last = binder.items.last.type if binder.items.last is not None else None
            pack = most[Kind.CARD]
            cards = most_cards(binder.items.cards, program, pack) if held else pack
            sizes = hand_sizes(cards, binder.items.size.type, last)
            actions *= sum(comb(cards, size) for size in sizes)
        elif isinstance(items, SetOf):
            actions *= how_many(items.kind, most)
        elif binder.last is not None and isinstance(binder.last.type, Number):
            window = window_of(items, binder.last.type)
            actions *= window.high - window.low + 1
            if binder.last.type.low > window.high:  # always out of range
                return MOST_ACTIONS + 1
    return actions


def most_cards(cards: nodes.Expression, program: nodes.Program, pack: int) -> int:
    """Return the greatest number of cards in a set, as far as its zones prove it."""

    def of(part: nodes.Expression) -> int:
        return most_cards(part, program, pack)

    match cards:
        case nodes.ZoneCards(_, _, name):
            capacity = program.zones[name].capacity
            if capacity is not None and isinstance(capacity.type, Number):
                return min(pack, capacity.type.high)
        case nodes.SetLiteral(_, _, items):
            return min(pack, len(items))
        case nodes.SetOperation(_, _, "+", left, right):
            return min(pack, of(left) + of(right))
        case nodes.SetOperation(_, _, op, left, right):
            return of(left) if op == "-" else min(of(left), of(right))
        case nodes.Choice(_, _, _, yes, no):
            return max(of(yes), of(no))
        case nodes.Quantifier(_, _, "those", _, domain):
            return of(domain.items)
        case nodes.Builtin(_, _, "openly", (inner,)):
            return of(inner)
    return pack


def how_many(of: Among, most: Mapping[Kind, int]) -> int:
    """Return the greatest number of these elements; of numbers from 0 on."""
    if isinstance(of, Kind):
        return most[of]
    return of.high + 1 if isinstance(of, Number) else len(of.names)


def most_of_each(variant: Variant) -> dict[Kind, int]:
    """Return the number of each kind at the largest table and in the largest pack."""
    packs = variant.packs.values()
    return {
        Kind.SEAT: max(variant.players),
        Kind.TEAM: max(variant.teams.values()),
        Kind.CARD: max(len(p.suits) * len(p.ranks) + len(p.special_cards) for p in packs),
        Kind.SUIT: max(len(p.suits) for p in packs),
        Kind.RANK: max(len(p.ranks) + len(p.special_cards) for p in packs),
    }
