"""What the sentences that move cards do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from trutdsl.interp.compile_changes import compile_index
from trutdsl.interp.compile_expressions import compile_expression
from trutdsl.interp.machine import Code, Machine, Slots
from trutdsl.ir import nodes


def compile_cards(
    node: nodes.Shuffle | nodes.Draw | nodes.Move | nodes.MoveAll | nodes.Swap | nodes.Gather,
    code: Code,
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
