"""Compiles expressions and assignments to functions of the match and the frame."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, assert_never

from trutdsl.interp.compile_builtins import compile_builtin, compile_quantifier
from trutdsl.interp.machine import CompiledProgram, Evaluate, Machine, Signal, Slots
from trutdsl.ir import nodes
from trutdsl.ir.types import NUMBER, Number, OneOf, SetOf, among
from trutdsl.language import mark, say
from trutdsl.table.faults import none_message

COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt,
    "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul,
    "div": operator.floordiv, "mod": operator.mod,
}  # fmt: skip
SETS: dict[str, Callable[[frozenset[int], frozenset[int]], frozenset[int]]] = {
    "+": operator.or_, "-": operator.sub, "&": operator.and_,
}  # fmt: skip

TOO_SMALL = mark("{value} is too small a number")
TOO_LARGE = mark("{value} is too large a number")


def compile_expression(node: nodes.Expression, code: CompiledProgram) -> Evaluate:
    """Return a function that evaluates the expression.

    Numbers and indices are ints, yes/no bools, sets frozensets of indices, nobody None.
    """
    match node:
        case nodes.Const(_, _, value):
            return lambda _m, _f: value
        case nodes.PackText(_, _, kind, text):
            index = code.setting.deck.index_of(kind, text)
            return lambda _m, _f: index
        case nodes.Parameter(_, type_, name):
            parameter = code.setting.parameters[name]
            if isinstance(type_, OneOf):
                parameter = type_.names.index(str(parameter))
            return lambda _m, _f: parameter
        case nodes.Local(_, _, slot):
            return lambda _m, f: f[slot]
        case nodes.Var(_, _, name, None):
            return lambda m, _f: m.variables[name][0]
        case nodes.Var(_, _, name, index_node) if index_node is not None:
            at = compile_expression(index_node, code)
            return lambda m, f: m.variables[name][at(m, f)]
        case nodes.ZoneCards(_, _, name, _):
            where = code.place(node)
            return lambda m, f: frozenset(m.zones[name][where(m, f)].cards())
        case nodes.Builtin():
            return compile_builtin(node, code)
        case nodes.CardValue(_, _, name, card):
            amounts = code.setting.deck.values.get(name)
            of = compile_expression(card, code)
            return (lambda m, f: amounts[of(m, f)]) if amounts else (lambda _m, _f: 0)
        case nodes.Call(_, _, name, args):
            values = [compile_expression(a, code) for a in args]
            function = code.function(name)
            cost = code.cost(node)
            if not cost:
                return lambda m, f: function(m, [g(m, f) for g in values])

            def call(m: Machine, f: Slots) -> Any:
                m.step(node.span, cost)
                return function(m, [g(m, f) for g in values])

            return call
        case nodes.Arithmetic(_, _, op, left, right):
            a, b = compile_expression(left, code), compile_expression(right, code)
            work = ARITHMETIC[op]
            return lambda m, f: work(a(m, f), b(m, f))
        case nodes.Compare(_, _, op, left, right):
            if is_missing(left, code) or is_missing(right, code):
                return lambda _m, _f: op == "!="
            a, b = compile_expression(left, code), compile_expression(right, code)
            test = COMPARE[op]
            return lambda m, f: test(a(m, f), b(m, f))
        case nodes.Logic(_, _, op, left, right):
            a, b = compile_expression(left, code), compile_expression(right, code)
            if op == "and":
                return lambda m, f: a(m, f) and b(m, f)
            return lambda m, f: a(m, f) or b(m, f)
        case nodes.Not(_, _, inner):
            a = compile_expression(inner, code)
            return lambda m, f: not a(m, f)
        case nodes.Choice(_, _, test_node, yes, no):
            t = compile_expression(test_node, code)
            a, b = compile_expression(yes, code), compile_expression(no, code)
            return lambda m, f: a(m, f) if t(m, f) else b(m, f)
        case nodes.Unwrap(_, type_, inner):
            return _compile_unwrap(node, compile_expression(inner, code))
        case nodes.Within(_, _, inner):
            return _compile_within(node, compile_expression(inner, code), code)
        case nodes.Member(_, _, item, items):
            a, b = compile_expression(item, code), compile_expression(items, code)
            return lambda m, f: a(m, f) in b(m, f)
        case nodes.SetLiteral(_, _, item_nodes):
            each = [compile_expression(i, code) for i in item_nodes]
            return lambda m, f: frozenset(i for e in each if (i := e(m, f)) is not None)
        case nodes.SetOperation(_, _, op, left, right):
            a, b, join = compile_expression(left, code), compile_expression(right, code), SETS[op]
            return lambda m, f: join(a(m, f), b(m, f))
        case nodes.Selection():
            return _compile_selection(node, code)
        case nodes.Image():
            return _compile_image(node, code)
        case nodes.Quantifier():
            return compile_quantifier(node, code)
        case nodes.Lookup(_, _, _, key_nodes, grid):
            return _compile_lookup(grid, [compile_expression(key, code) for key in key_nodes])
        case nodes.Legal() | nodes.LegalAt() | nodes.Remembered():
            return code.policy_value(node)
        case _:
            raise AssertionError(f"{type(node).__name__} is no plain expression")


def _compile_lookup(grid: nodes.Grid, keys: Sequence[Evaluate]) -> Evaluate:
    def look_up(m: Machine, f: Slots) -> int:
        place, digits = 0, [key(m, f) - low for key, low in zip(keys, grid.lows, strict=True)]
        for digit, size in zip(digits, grid.sizes, strict=True):
            if not 0 <= digit < size:
                return grid.other
            place = place * size + digit
        return grid.cells[place]

    return look_up


def is_missing(node: nodes.Expression, code: CompiledProgram) -> bool:
    """Return whether a text names nothing in this pack."""
    index_of = code.setting.deck.index_of
    return isinstance(node, nodes.PackText) and index_of(node.kind, node.text) is None


def _compile_selection(node: nodes.Selection, code: CompiledProgram) -> Evaluate:
    of_cards = list(enumerate(code.setting.deck.attribute(node.attribute)))
    if is_missing(node.key, code):
        cards = frozenset(card for card, _ in of_cards if node.op == "!=")
        return lambda _m, _f: cards
    key, test = compile_expression(node.key, code), COMPARE[node.op]

    def select(m: Machine, f: Slots) -> frozenset[int]:
        target = key(m, f)
        return frozenset(card for card, has in of_cards if test(has, target))

    return select


def _compile_image(node: nodes.Image, code: CompiledProgram) -> Evaluate:
    deck, cards = code.setting.deck, compile_expression(node.cards, code)
    holds = [
        (deck.attribute(r.attribute), COMPARE[r.op], deck.attribute(r.other))
        for r in node.relations
    ]

    def image(m: Machine, f: Slots) -> frozenset[int]:
        sources = cards(m, f)
        return frozenset(
            card
            for card in range(len(deck.texts))
            if any(all(test(has[c], target[card]) for has, test, target in holds) for c in sources)
        )

    return image


def _compile_unwrap(node: nodes.Unwrap, inner: Evaluate) -> Evaluate:
    def unwrap(m: Machine, f: Slots) -> Any:
        value = inner(m, f)
        if value is None:
            raise m.error("nobody", none_message(node.span, node.type), node.span)
        return value

    return unwrap


def _compile_within(node: nodes.Within, inner: Evaluate, code: CompiledProgram) -> Evaluate:
    kind = node.type
    if isinstance(kind, SetOf):
        kind = kind.kind  # type: ignore[assignment]
    assert isinstance(kind, Number)
    least = compile_expression(node.low or nodes.Const(node.span, kind, kind.low), code)
    most = compile_expression(node.high or nodes.Const(node.span, kind, kind.high), code)

    def within(m: Machine, f: Slots) -> int:
        value, low, high = int(inner(m, f)), least(m, f), most(m, f)
        if not low <= value <= high:
            message = say("{value} is not from {low} to {high}", value=value, low=low, high=high)
            if node.type == NUMBER:
                message = say(TOO_SMALL if value < low else TOO_LARGE, value=value)
                raise m.error("out-of-range", message, node.span, "too-large-a-number")
            raise m.error("out-of-range", message, node.span)
        return value

    def all_within(m: Machine, f: Slots) -> frozenset[int]:
        values, low, high = inner(m, f), least(m, f), most(m, f)
        for value in sorted(values):
            if not low <= value <= high:
                text = "{value} is not from {low} to {high}"
                message = say(text, value=value, low=low, high=high)
                raise m.error("out-of-range", message, node.span)
        return frozenset(values)

    return all_within if isinstance(node.type, SetOf) else within


def compile_chance(
    node: nodes.Roll | nodes.RandomFrom | nodes.Chance, code: CompiledProgram
) -> Evaluate:
    match node:
        case nodes.Roll(span, _, low, high):
            a, b = compile_expression(low, code), compile_expression(high, code)

            def roll(m: Machine, f: Slots) -> int:
                least, most = a(m, f), b(m, f)
                if least > most:
                    text = "there is no number from {least} to {most}"
                    message = say(text, least=least, most=most)
                    raise m.error("nothing", message, span, "no-number")
                number = m.chance.number(least, most)
                m.emit_random("die", number)
                return number

            return roll
        case nodes.RandomFrom(span, _, items):
            of = compile_expression(items, code)
            kind = items.type.kind if isinstance(items.type, SetOf) else None

            def pick(m: Machine, f: Slots) -> int:
                elements = sorted(of(m, f))
                if not elements or kind is None:
                    raise m.error("nothing", say("there is nothing for chance to pick from"), span)
                element = m.chance.element(elements, kind)
                m.emit_random(among(kind), m.code.setting.text_of(kind, element))
                return element

            return pick
        case nodes.Chance(span, _, part, whole):
            a = compile_expression(part, code)
            million = nodes.number(span, 10**6)
            b = compile_expression(whole or million, code)

            def chance(m: Machine, f: Slots) -> bool:
                p, n = a(m, f), b(m, f)
                if not 0 <= p <= n:
                    message = say("{part} out of {whole} is not a chance", part=p, whole=n)
                    raise m.error("nothing", message, span, "no-chance")
                happened = m.chance.yes(p, n)
                m.emit_random("chance", happened)
                return happened

            return chance
        case _:
            assert_never(node)


def new_value(old: Any, op: str, value: Any) -> Any:
    """Return the new value of an assignment: `=`, `+=` or `-=`."""
    if op == "=":
        return value
    if isinstance(old, frozenset):
        return old | value if op == "+=" else old - value
    return old + value if op == "+=" else old - value


def compile_store(
    node: nodes.Assign, code: CompiledProgram
) -> Callable[[Machine, Slots, Any], Signal]:
    target, op = node.target, node.op
    if isinstance(target, nodes.Local):
        return _compile_local_store(target, op)
    if isinstance(target, nodes.Remembered):
        return code.memory_store(target, op)
    name, at = target.name, compile_index(target.index, code)
    bounds = code.bounds.get(name)
    variable = code.program.variables.get(name)
    counter = variable is not None and variable.counter

    def store(m: Machine, f: Slots, value: Any) -> None:
        values, i = m.variables[name], at(m, f)
        old = values[i]
        new = new_value(old, op, value)
        if bounds is not None and not bounds[0] <= new <= bounds[1]:
            text = "'{name}' would be {value}, but is from {low} to {high}"
            message = say(text, name=name, value=new, low=bounds[0], high=bounds[1])
            cure = "below-its-minimum" if counter and new < bounds[0] else None
            raise m.error("out-of-range", message, node.span, cure)
        values[i] = new
        if counter and new != old:
            m.emit("counter", name=name, team=i, delta=new - old, value=new)

    return store


def _compile_local_store(target: nodes.Local, op: str) -> Callable[[Machine, Slots, Any], Signal]:
    slot, kind = target.slot, target.type

    def store(m: Machine, f: Slots, value: Any) -> None:
        new = new_value(f[slot], op, value)
        if isinstance(kind, Number) and not kind.low <= new <= kind.high:
            message = say(TOO_SMALL if new < kind.low else TOO_LARGE, value=new)
            raise m.error("out-of-range", message, target.span, "too-large-a-number")
        f[slot] = new

    return store


def compile_index(index: nodes.Expression | None, code: CompiledProgram) -> Evaluate:
    """Return a function for the number of a place; 0 if there is only one place."""
    return compile_expression(index, code) if index is not None else lambda _m, _f: 0


def compile_cards(
    node: nodes.CardSentence, code: CompiledProgram
) -> Callable[[Machine, Slots], Any]:
    match node:
        case nodes.Shuffle(_, zone):
            at = code.place(zone)
            return lambda m, f: m.zones[zone.name][at(m, f)].shuffle()
        case nodes.Draw(span, origin, target, face_up, slot):
            a, b = code.place(origin), code.place(target)

            def draw(m: Machine, f: Slots) -> None:
                card = m.draw(origin.name, a(m, f), target.name, b(m, f), face_up, span)
                if slot is not None:
                    f[slot] = card

            return draw
        case nodes.Move(span, card_node, origin, target, under):
            card = compile_expression(card_node, code)
            a, b = code.place(origin), code.place(target)

            def move(m: Machine, f: Slots) -> None:
                moving_card, at = card(m, f), a(m, f)
                if not m.zones[origin.name][at].take(moving_card):
                    raise m.no_such_card(moving_card, origin.name, span)
                to = b(m, f)
                m.put([[moving_card]], target.name, to, under, span)
                m.report_passing(origin.name, at, target.name, to, [moving_card])

            return move
        case nodes.MoveAll(span, origin, target, under, turned):
            a, b = code.place(origin), code.place(target)

            def move_all(m: Machine, f: Slots) -> None:
                at, to = a(m, f), b(m, f)
                m.pour(origin.name, at, target.name, to, span, under, turned)

            return move_all
        case nodes.Swap(span, card_node, origin, other_node, target):
            card, other = compile_expression(card_node, code), compile_expression(other_node, code)
            a, b = code.place(origin), code.place(target)

            def swap(m: Machine, f: Slots) -> None:
                m.swap(card(m, f), origin.name, a(m, f), other(m, f), target.name, b(m, f), span)

            return swap
        case nodes.Gather(span, names, start, target):
            first = compile_index(start, code)
            b = code.place(target)

            def gather(m: Machine, f: Slots) -> None:
                begin, at = first(m, f), b(m, f)
                for name in names:
                    places = range(len(m.zones[name]))
                    turn = begin if len(places) == code.setting.players else 0
                    for place in (*places[turn:], *places[:turn]):
                        if (name, place) != (target.name, at):
                            m.pour(name, place, target.name, at, span)

            return gather
        case _:
            assert_never(node)
