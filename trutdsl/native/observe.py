"""What a seat sees of a match that lies in memory, read all at once."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Any

from trutdsl.ir import Program, nodes
from trutdsl.native.layout import MOST_CARDS, Field, Layout
from trutdsl.table.setting import Setting
from trutdsl.table.sight import HIDDEN, Seen, bits_in, sees, variables_of

LETTERS = {8: "b", 16: "h", 32: "i", 64: "q"}


class Fields:
    """Reads chosen fields of a match at once: `read(memory)` gives all their numbers in a tuple.

    at: field -> the index of its first number in that tuple. count: of all numbers.
    """

    def __init__(self, layout: Layout, names: Sequence[str]) -> None:
        self.at: dict[str, int] = {}
        letters, end, count = ["<"], 0, 0
        for field in sorted((layout.fields[name] for name in names), key=lambda f: f.offset):
            letters.append(f"{field.offset - end}x{field.count}{_letter(field)}")
            self.at[field.name], count = count, count + field.count
            end = field.offset + field.size * field.count
        self.count = count
        self.read = struct.Struct("".join(letters)).unpack_from


def _letter(field: Field) -> str:
    return LETTERS[field.bits] if field.signed else LETTERS[field.bits].upper()


def make_observers(
    layout: Layout, program: Program, setting: Setting
) -> list[Callable[[memoryview], Seen]]:
    """Return of each seat the function that gives what it sees, from a match's memory.

    Each reads just what `interp.observe` asks for place by place.
    """
    zones, variables = program.zones.values(), variables_of(program)
    masks = [f"{z.name}.all" if z.ordered else z.name for z in zones]
    orders = [f"{z.name}.{part}" for z in zones if z.ordered for part in ("top", "depth")]
    shown = [f"{name}.shown" for name, _ in layout.shown]
    names = ["#deals", "dealer", "on_lead", *masks, *orders, *shown]
    fields = Fields(layout, [*names, *(v.name for v in variables)])
    return [_observer(seat, fields, layout, program, setting) for seat in range(setting.players)]


def _observer(
    seat: int, fields: Fields, layout: Layout, program: Program, setting: Setting
) -> Callable[[memoryview], Seen]:
    """Return a seat's function, written out in Python.

    It has each number that it reads in a variable: half the time of one that picks them by their
    indices.
    """
    at, revealed = fields.at, dict(layout.shown)

    def seen(declared: nodes.Zone | nodes.Variable, i: int, value: str, hidden: str) -> str:
        if sees(declared, i, seat, setting):
            return f"{value}, "
        if i >= revealed.get(declared.name, 0):
            return f"{hidden}, "
        return f"{value} if n{at[f'{declared.name}.shown'] + i} >> {seat} & 1 else {hidden}, "

    found = f"n{at['#deals']} - 1, n{at['dealer']}, n{at['on_lead']}, "
    for zone in program.zones.values():
        for i in range(setting.count(zone.index)):
            mask = f"n{at[f'{zone.name}.all' if zone.ordered else zone.name] + i}"
            hidden = f"~{mask}.bit_count()"
            if zone.ordered:
                below = layout.fields[f"{zone.name}.below"].offset + MOST_CARDS * i
                depth, top = (f"n{at[f'{zone.name}.{part}'] + i}" for part in ("depth", "top"))
                mask = f"order(memory[{below} : {below} + {depth}], {top})"
            found += seen(zone, i, mask, hidden)
    for one in variables_of(program):
        for i in range(setting.count(one.index)):
            found += seen(one, i, f"n{at[one.name] + i}", "HIDDEN")
    numbers = "".join(f"n{i}, " for i in range(fields.count))
    text = f"def observe(memory):\n    {numbers}= read(memory)\n    return ({found})\n"
    names: dict[str, Any] = {"HIDDEN": HIDDEN, "order": _order, "read": fields.read}
    exec(text, names)
    made: Callable[[memoryview], Seen] = names["observe"]
    return made


def _order(below: memoryview, top: int) -> bytes:
    """Return the cards of a pile, from the cards below its top group and the mask of that."""
    return below.tobytes() + bytes(bits_in(top))
