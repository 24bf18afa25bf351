"""How a match lies in memory: one flat block without pointers, copied as it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from trutdsl.ir import Program
from trutdsl.ir.builtins import VARIABLES
from trutdsl.ir.nodes import Reveal, Variable, Zone
from trutdsl.ir.types import LEAST, MOST, Number, SetOf, Type, YesNo
from trutdsl.ir.walk import walk
from trutdsl.table.setting import Setting

MOST_CARDS = 64


@dataclass(frozen=True)
class Field:
    """Numbers of `bits` bits each, `count` of them, from byte `offset`."""

    name: str
    bits: int
    count: int
    signed: bool
    offset: int

    @property
    def size(self) -> int:
        """Bytes of one of them."""
        return self.bits // 8


HEADER = (
    # name, bits, signed
    ("#chance", 64, False),  # the state of the chance stream
    ("#seed", 64, False),
    ("#match", 64, False),
    ("#key", 64, False),  # where the streams of the match's deals start from
    ("#error", 32, False),  # 0, or 1 + the number of the mistake that ended the match
    ("#deals", 32, False),
    ("#decisions", 32, False),
    ("#seat", 32, False),  # of the open question
    ("#decision", 32, False),  # its number
    ("#winner", 32, True),  # a team, -1 for a draw or while the match goes on
    ("#deal_winner", 32, True),
    ("#deal_reason", 32, False),
    ("#steps", 32, False),  # turns since the last question or deal
    ("#pc", 32, False),  # where a match that waits goes on
    ("#answer", 64, True),  # what was chosen, by a seat or by chance
    ("#luck", 64, True),  # what chance has to decide: the parts of `Luck`, its kind ...
    ("#luck_one", 64, True),
    ("#luck_two", 64, True),
    ("#luck_zone", 32, False),  # ... and of a draw the number of the zone and whether all see it
    ("#luck_shown", 8, False),
    ("#trick_winner", 8, True),
    ("#deal_open", 8, False),
    ("#trick_leader", 8, False),
)


class Layout:
    """Where each part of a match lies.

    fields: by name; those of the engine itself start with `#`. A zone that is no pile is one mask
    of cards for each place, named as the zone.
    A pile has for each place the masks `NAME.all` and `NAME.top` (of the group on top), the cards
    below that group, lowest first, in `NAME.below`, their number in `NAME.depth`, and the mask
    `NAME.starts` of the positions in `below` where a group starts.
    shown:  what rules reveal, with how many places it has; `NAME.shown` is a mask of seats.
    words: how many 64-bit masks of legal actions there are, in `#legal`.
    """

    def __init__(self, program: Program, setting: Setting, words: int) -> None:
        parts: list[tuple[str, int, int, bool]] = [(n, b, 1, s) for n, b, s in HEADER]
        parts.append(("#legal", 64, words, False))
        for zone in program.zones.values():
            parts += _zone_parts(zone, setting.count(zone.index))
        for name in VARIABLES:
            parts.append((name, 8, 1, True))
        for variable in program.variables.values():
            bits = bits_of(variable.type)
            count = setting.count(variable.index)
            signed = not isinstance(variable.type, SetOf | YesNo)
            parts.append((variable.name, bits, count, signed))
        self.shown = _shown(program, setting)
        parts += [(f"{name}.shown", 8, count, False) for name, count in self.shown]
        self.fields: dict[str, Field] = {}
        offset = 0
        for name, bits, count, signed in sorted(parts, key=lambda p: -p[1]):
            self.fields[name] = Field(name, bits, count, signed, offset)
            offset += bits // 8 * count
        self.size = -(-offset // 8) * 8
        self.words = words

    def __iter__(self) -> Iterator[Field]:
        return iter(self.fields.values())


def _shown(program: Program, setting: Setting) -> list[tuple[str, int]]:
    revealed = {
        node.what.name
        for rule in program.rules.values()
        for node in walk(rule.body)
        if isinstance(node, Reveal)
    }
    declared: list[Zone | Variable] = [*program.zones.values(), *program.variables.values()]
    return [(d.name, setting.count(d.index)) for d in declared if d.name in revealed]


def _zone_parts(zone: Zone, count: int) -> list[tuple[str, int, int, bool]]:
    if not zone.ordered:
        return [(zone.name, 64, count, False)]
    return [
        (f"{zone.name}.all", 64, count, False),
        (f"{zone.name}.top", 64, count, False),
        (f"{zone.name}.starts", 64, count, False),
        (f"{zone.name}.depth", 8, count, False),
        (f"{zone.name}.below", 8, count * MOST_CARDS, False),
    ]


def bits_of(type_: Type) -> int:
    """Return how many bits hold a value of this type."""
    match type_:
        case SetOf():
            return 64
        case Number(low, high):
            low, high = max(low, LEAST), min(high, MOST)
            return next(b for b in (8, 16, 32) if -(2 ** (b - 1)) <= low and high < 2 ** (b - 1))
    return 8
