"""The memory layout of a match: one flat block without pointers, copied as it is."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from trutdsl.ir import Program, nodes
from trutdsl.ir.nodes import Announce, Draw, RandomFrom, Variable, Zone, revealed_names, walk_rules
from trutdsl.ir.types import (
    VARIABLES,
    Among,
    Element,
    Kind,
    Number,
    OneOf,
    SetOf,
    Type,
    YesNo,
    among,
)
from trutdsl.table.actions import fold
from trutdsl.table.match import SightValues, routes_of
from trutdsl.table.setting import Setting
from trutdsl.table.sight import HIDDEN, bits_in, sees, variables_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_CARDS = 64


@dataclass(frozen=True)
class StructField:
    """Numbers of `bits` bits each, `count` of them, from byte `offset`.

    low, high: the range of a number in play, both included; for a mask its full set.
    """

    name: str
    bits: int
    count: int
    signed: bool
    low: int
    high: int
    offset: int = 0

    @property
    def size(self) -> int:
        return self.bits // 8

    def of_many(self, memory: NDArray[np.uint8]) -> NDArray[Any]:
        """Return the field of many matches, (matches, count), as it is in their memory."""
        kind = f"<{'i' if self.signed else 'u'}{self.size}"
        return memory[:, self.offset : self.offset + self.size * self.count].view(kind)


WORD = (1 << 64) - 1
HEARD = "#heard"  # each seat's hash of its information in the deal; only where rules give any
READ = "#read"  # the fields that a step read, a bit for each in this order
TRICKS = "#tricks"  # the deal's finished tricks, if a script has a memory for a trick
FLAG = (0, 1)
COUNT = (0, 2**31 - 1)


def _header(setting: Setting) -> list[StructField]:
    """Return the engine's own numbers, which precede those of the rules."""
    seat, team = (0, setting.players - 1), (-1, setting.teams - 1)
    parts = (
        # name, bits, signed, low and high
        ("#chance", 64, False, (0, WORD)),  # the state of the chance stream
        ("#key", 64, False, (0, WORD)),  # the start of the streams of the match's deals
        ("#next_deal", 64, False, (0, WORD)),  # the start of the next deal's stream
        ("#seat", 32, False, seat),  # of the open question
        ("#decision", 32, False, COUNT),  # its number
        ("#error", 32, False, COUNT),  # 0, or 1 + the number of the error that ended the match
        ("#deals", 32, False, COUNT),
        ("#decisions", 32, False, COUNT),
        ("#choices", 32, False, COUNT),  # those with two legal actions or more
        ("#questions_end", 32, False, COUNT),  # the limit of decisions, for now
        ("#winner", 32, True, team),  # a team, -1 for a draw or while the match is in progress
        ("#deal_winner", 32, True, team),
        ("#deal_reason", 32, False, COUNT),
        ("#steps", 32, False, COUNT),  # turns since the last question or deal
        ("#pc", 32, False, COUNT),  # the program counter of a suspended match
        ("#answer", 64, True, (-(2**63), 2**63 - 1)),  # the choice of a seat or of chance
        ("#luck", 64, True, COUNT),  # an open chance event: the parts of `Luck`, its kind ...
        ("#luck_one", 64, True, (-(2**63), 2**63 - 1)),
        ("#luck_two", 64, True, (-(2**63), 2**63 - 1)),
        ("#luck_zone", 32, False, COUNT),  # ... and of a draw the zone's number, whether all see it
        ("#luck_shown", 8, False, FLAG),
        ("#luck_origin", 32, False, COUNT),  # ... and the pile of a draw, its number and its place
        ("#luck_place", 8, False, (0, MOST_CARDS - 1)),
        ("#trick_winner", 8, True, (-1, setting.players - 1)),
        ("#deal_open", 8, False, FLAG),
        ("#trick_leader", 8, False, seat),
    )
    return [StructField(name, bits, 1, signed, *ends) for name, bits, signed, ends in parts]


class Layout:
    """The places of all parts of a match.

    fields: by name; those of the engine itself start with `#`. An unordered zone is one mask of
            cards for each place, with the name of the zone.
    A pile has for each place the masks `NAME.all` and `NAME.top` (of the top group). `NAME.many` is
    the size of that group. `NAME.below` has the cards below it, lowest first, and `NAME.depth`
    their number. The mask `NAME.starts` has the positions in `below` where a group starts.
    A pile that seats draw from also has reserved cards (`table.chance`). `NAME.left` is the mask of
    the top group as long as any of it is reserved, else 0. `NAME.aside` is the mask of reserved
    cards. `NAME.rounds` is the number of reserved rounds, and `NAME.order` their cards, round by
    round. `NAME.taken` is the number of rounds each seat has taken.
    for_seats:     the piles that seats draw from.
    shown:         revealable names, with their numbers of places; `NAME.shown` is a mask of seats.
    words:         the number of 64-bit masks of legal actions in `#legal`; `#seat` and `#decision`
                   follow, so that all data of the question are adjacent.
    announcements: the possible announcements: name and type.
    chance_sets:   the sets that chance can pick from, see `chance_sets`.
    routes:        the pairs of zones between which reported cards pass.
    """

    def __init__(
        self, program: Program, setting: Setting, words: int, traced: bool = False
    ) -> None:
        parts = _header(setting)
        if _remembers_tricks(program):
            parts.append(StructField(TRICKS, 32, 1, False, *COUNT))
        self.announcements = announcements_of(program)
        self.chance_sets = chance_sets(program)
        self.routes = routes_of(program)
        if self.announcements or self.routes:
            parts.append(StructField(HEARD, 64, setting.players, False, 0, WORD))
        self.for_seats = _piles_for_seats(program)
        for zone in program.zones.values():
            parts += _zone_parts(zone, setting, zone.name in self.for_seats)
        for name in VARIABLES:
            parts.append(StructField(name, 8, 1, True, 0, setting.players - 1))
        parts += [_variable(variable, setting) for variable in program.variables.values()]
        self.revealable = _revealable(program, setting)
        seats = (1 << setting.players) - 1
        bits = 8 if setting.players <= 8 else 16
        for name, count in self.revealable:
            parts.append(StructField(f"{name}.shown", bits, count, False, 0, seats))
        parts.append(StructField("#legal", 64, words, False, 0, WORD))
        if traced:
            parts.append(StructField(READ, 64, -(-(len(parts) + 1) // 64), False, 0, WORD))
        self.fields: dict[str, StructField] = {}
        offset = 0
        for part in sorted(parts, key=lambda p: -p.bits):
            self.fields[part.name] = replace(part, offset=offset)
            offset += part.size * part.count
        self.bits = {name: bit for bit, name in enumerate(self.fields)}
        self.size = -(-offset // 8) * 8
        self.words = words


def _remembers_tricks(program: Program) -> bool:
    memories = (memory for policy in program.policies.values() for memory in policy.memory)
    return any(memory.lifetime == "trick" for memory in memories)


def announcements_of(program: Program) -> list[tuple[str, Type]]:
    """Return all possible announcements, by name and type."""
    result = ((node.words, node.type) for node in walk_rules(program, Announce))
    return list(dict.fromkeys(result))


def chance_sets(program: Program) -> dict[str, Among]:
    """Return the sets that chance can pick from, by name: kinds, then types of other sets."""
    types = (node.items.type for node in walk_rules(program, RandomFrom))
    kinds = (*Kind, *(type_.kind for type_ in types if isinstance(type_, SetOf)))
    return {among(kind): kind for kind in kinds}


def _revealable(program: Program, setting: Setting) -> list[tuple[str, int]]:
    names = revealed_names(program)
    return [(d.name, setting.count(d.index)) for d in program.declarations if d.name in names]


def _piles_for_seats(program: Program) -> frozenset[str]:
    return frozenset(
        node.origin.name
        for node in walk_rules(program, Draw)
        if program.zones[node.target.name].index is Kind.SEAT
    )


def _zone_parts(zone: Zone, setting: Setting, for_seats: bool) -> list[StructField]:
    count, cards = setting.count(zone.index), len(setting.deck.texts)
    full = (1 << cards) - 1

    def mask(name: str) -> StructField:
        return StructField(name, 64, count, False, 0, full)

    if not zone.ordered:
        return [mask(zone.name)]
    aside = [
        mask(f"{zone.name}.left"),
        mask(f"{zone.name}.aside"),
        StructField(f"{zone.name}.rounds", 8, count, False, 0, cards),
        StructField(f"{zone.name}.taken", 8, count * setting.players, False, 0, cards),
        StructField(f"{zone.name}.order", 8, count * MOST_CARDS, False, 0, cards - 1),
    ]
    return [
        *(aside if for_seats else ()),
        mask(f"{zone.name}.all"),
        mask(f"{zone.name}.top"),
        StructField(f"{zone.name}.many", 8, count, False, 0, cards),
        mask(f"{zone.name}.starts"),
        StructField(f"{zone.name}.depth", 8, count, False, 0, cards),
        StructField(f"{zone.name}.below", 8, count * MOST_CARDS, False, 0, cards - 1),
    ]


def _variable(variable: Variable, setting: Setting) -> StructField:
    low, high = ends_of(variable.type, setting)
    if isinstance(variable.type, Number) and variable.low is not None and variable.high is not None:
        low, high = fold(variable.low, setting), fold(variable.high, setting)
    signed = not isinstance(variable.type, SetOf | YesNo)
    bits = bits_of(variable.type)
    return StructField(variable.name, bits, setting.count(variable.index), signed, low, high)


def ends_of(type_: Type, setting: Setting) -> tuple[int, int]:
    """Return the least and greatest number that encodes a value of this type at a table."""
    match type_:
        case Number(low, high):
            return low, high
        case SetOf(kind):
            return 0, (1 << setting.count(kind)) - 1
        case Element(kind, optional):
            return -int(optional), setting.count(kind) - 1
        case OneOf(names):
            return 0, len(names) - 1
    return 0, 1


def bits_of(type_: Type) -> int:
    match type_:
        case SetOf():
            return 64
        case Number(low, high):
            widths = (8, 16, 32, 64)
            return next(b for b in widths if -(2 ** (b - 1)) <= low and high < 2 ** (b - 1))
    return 8


# A seat's view of a match in memory, read at once.

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


def _letter(field: StructField) -> str:
    return LETTERS[field.bits] if field.signed else LETTERS[field.bits].upper()


def make_observers(
    layout: Layout, program: Program, setting: Setting
) -> list[Callable[[memoryview], SightValues]]:
    """Return for each seat the function that reads its view from a match's memory.

    It reads the same as `interp.table`, which reads place by place.
    """
    zones, variables = program.zones.values(), variables_of(program)
    masks = [f"{z.name}.all" if z.ordered else z.name for z in zones]
    orders = [f"{z.name}.{part}" for z in zones if z.ordered for part in ("top", "depth")]
    fields_shown = [f"{name}.shown" for name, _ in layout.revealable]
    names = ["#deals", "dealer", "on_lead", *masks, *orders, *fields_shown]
    fields = Fields(layout, [*names, *(v.name for v in variables)])
    return [_observer(seat, fields, layout, program, setting) for seat in range(setting.players)]


def _observer(
    seat: int, fields: Fields, layout: Layout, program: Program, setting: Setting
) -> Callable[[memoryview], SightValues]:
    """Return a seat's function, generated as Python source.

    Each number that it reads is a variable, which takes half the time of an index into a tuple.
    """
    at, revealable = fields.at, dict(layout.revealable)

    def seen(
        declaration: nodes.Zone | nodes.Variable, i: int, value: str, hidden_value: str
    ) -> str:
        if sees(declaration, i, seat, setting):
            return f"{value}, "
        if i >= revealable.get(declaration.name, 0):
            return f"{hidden_value}, "
        return (
            f"{value} if n{at[f'{declaration.name}.shown'] + i} >> {seat} & 1 else {hidden_value}, "
        )

    columns = f"n{at['#deals']} - 1, n{at['dealer']}, n{at['on_lead']}, "
    for zone in program.zones.values():
        for i in range(setting.count(zone.index)):
            mask = f"n{at[f'{zone.name}.all' if zone.ordered else zone.name] + i}"
            hidden_text = f"~{mask}.bit_count()"
            if zone.ordered:
                below = layout.fields[f"{zone.name}.below"].offset + MOST_CARDS * i
                depth, top = (f"n{at[f'{zone.name}.{part}'] + i}" for part in ("depth", "top"))
                mask = f"order(memory[{below} : {below} + {depth}], {top})"
            columns += seen(zone, i, mask, hidden_text)
    for one in variables_of(program):
        for i in range(setting.count(one.index)):
            columns += seen(one, i, f"n{at[one.name] + i}", "HIDDEN")
    numbers = "".join(f"n{i}, " for i in range(fields.count))
    text = f"def observe(memory):\n    {numbers}= read(memory)\n    return ({columns})\n"
    names: dict[str, Any] = {"HIDDEN": HIDDEN, "order": _order, "read": fields.read}
    exec(text, names)
    observe: Callable[[memoryview], SightValues] = names["observe"]
    return observe


def _order(below: memoryview, top: int) -> bytes:
    """Return the cards of a pile, from the cards below its top group and the mask of that group."""
    return below.tobytes() + bytes(bits_in(top))
