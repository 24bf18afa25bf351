"""What chance gives, and where values are stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from trutdsl.interp.compile_expressions import compile_expression
from trutdsl.interp.machine import CompiledProgram, Evaluate, Machine, Signal, Slots
from trutdsl.ir import nodes
from trutdsl.ir.types import Number, SetOf, among


def compile_chance(
    node: nodes.Roll | nodes.RandomFrom | nodes.Chance, code: CompiledProgram
) -> Evaluate:
    """Return what chance decides."""
    match node:
        case nodes.Roll(span, _, low, high):
            a, b = compile_expression(low, code), compile_expression(high, code)

            def roll(m: Machine, f: Slots) -> int:
                least, most = a(m, f), b(m, f)
                if least > most:
                    raise m.error("nothing", f"there is no number from {least} to {most}", span)
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
                    raise m.error("nothing", "there is nothing for chance to pick from", span)
                element = m.chance.element(elements, kind)
                m.emit_random(among(kind), m.code.setting.text_of(kind, element))
                return element

            return pick
        case nodes.Chance(span, _, part, whole):
            a = compile_expression(part, code)
            million = nodes.Const(span, Number(10**6, 10**6), 10**6)
            b = compile_expression(whole or million, code)

            def chance(m: Machine, f: Slots) -> bool:
                p, n = a(m, f), b(m, f)
                if not 0 <= p <= n:
                    raise m.error("nothing", f"{p} out of {n} is no chance", span)
                happened = m.chance.yes(p, n)
                m.emit_random("chance", happened)
                return happened

            return chance
        case _:
            assert_never(node)


class LocalStore:
    """Stores values in a slot of the rule's frame."""

    def __init__(self, slot: int, op: str, target: nodes.Local | None) -> None:
        self.slot, self.op, self.target = slot, op, target

    def store(self, m: Machine, f: Slots, value: Any) -> None:
        """Store a value."""
        new = changed(f[self.slot], self.op, value)
        if self.target is not None and isinstance(self.target.type, Number):
            kind = self.target.type
            if not kind.low <= new <= kind.high:
                message = f"{new} is too {'small' if new < kind.low else 'large'} a number"
                raise m.error("out-of-range", message, self.target.span)
        f[self.slot] = new


def changed(old: Any, op: str, value: Any) -> Any:
    """Return what an assignment makes of an old value: `=`, `+=` or `-=`."""
    if op == "=":
        return value
    if isinstance(old, frozenset):
        return old | value if op == "+=" else old - value
    return old + value if op == "+=" else old - value


def compile_store(
    node: nodes.Assign, code: CompiledProgram
) -> Callable[[Machine, Slots, Any], Signal]:
    """Return what stores a value where an assignment says."""
    target, op = node.target, node.op
    if isinstance(target, nodes.Local):
        return LocalStore(target.slot, op, target).store
    if isinstance(target, nodes.Remembered):
        return code.memory_store(target, op)
    name, at = target.name, compile_index(target.index, code)
    bounds = code.bounds.get(name)
    variable = code.program.variables.get(name)
    counter = variable is not None and variable.counter

    def store(m: Machine, f: Slots, value: Any) -> None:
        values, i = m.variables[name], at(m, f)
        old = values[i]
        new = changed(old, op, value)
        if bounds is not None and not bounds[0] <= new <= bounds[1]:
            allowed = f"from {bounds[0]} to {bounds[1]}"
            raise m.error("out-of-range", f"'{name}' would be {new}, but is {allowed}", node.span)
        values[i] = new
        if counter and new != old:
            m.emit("counter", name=name, team=i, delta=new - old, value=new)

    return store


def compile_index(index: nodes.Expression | None, code: CompiledProgram) -> Evaluate:
    """Return which place is meant, 0 where there is only one."""
    return compile_expression(index, code) if index is not None else lambda _m, _f: 0


# What the sentences that move cards do.


def compile_cards(
    node: nodes.Shuffle | nodes.Draw | nodes.Move | nodes.MoveAll | nodes.Swap | nodes.Gather,
    code: CompiledProgram,
) -> Callable[[Machine, Slots], Any]:
    """Return what a sentence does with cards."""
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
                moved, at = card(m, f), a(m, f)
                if not m.zones[origin.name][at].take(moved):
                    raise m.no_such_card(moved, origin.name, span)
                to = b(m, f)
                m.put([[moved]], target.name, to, under, span)
                m.passed(origin.name, at, target.name, to, [moved])

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
