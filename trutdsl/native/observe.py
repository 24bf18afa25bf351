"""What a seat sees of a match that lies in memory, read all at once."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

from trutdsl.ir import Program, nodes
from trutdsl.native.layout import MOST_CARDS, Field, Layout
from trutdsl.table.questions import Said
from trutdsl.table.setting import Setting
from trutdsl.table.sight import HIDDEN, Sight, bits_in, sees, variables_of

Pick = Callable[[Sequence[Any]], tuple[Any, ...]]
LETTERS = {8: "b", 16: "h", 32: "i", 64: "q"}
MOST_KEPT = 4096


class Fields:
    """Reads chosen fields of a match at once: `read(memory)` gives all their numbers in a tuple.

    at: field -> the index of its first number in that tuple.
    """

    def __init__(self, layout: Layout, names: Sequence[str]) -> None:
        self.at: dict[str, int] = {}
        letters, end, count = ["<"], 0, 0
        for field in sorted((layout.fields[name] for name in names), key=lambda f: f.offset):
            letters.append(f"{field.offset - end}x{field.count}{_letter(field)}")
            self.at[field.name], count = count, count + field.count
            end = field.offset + field.size * field.count
        self.read = struct.Struct("".join(letters)).unpack_from


def _letter(field: Field) -> str:
    return LETTERS[field.bits] if field.signed else LETTERS[field.bits].upper()


class Pile(NamedTuple):
    """A place of a pile: which it is among all places of zones, and where its parts are read.

    below: the byte of the match at which the cards below the top group lie.
    """

    place: int
    below: int
    depth: int
    top: int


class Glance(NamedTuple):
    """What one seat reads while so much is revealed: cards, values and, of piles, their order."""

    cards: Pick
    values: Pick
    piles: tuple[Pile, ...]


class Observer:
    """Reads what a seat sees, just as `interp.observe` asks for it place by place."""

    def __init__(self, layout: Layout, program: Program, setting: Setting) -> None:
        self.layout, self.setting = layout, setting
        self.zones, self.variables = program.zones.values(), variables_of(program)
        masks = {z.name: f"{z.name}.all" if z.ordered else z.name for z in self.zones}
        orders = [f"{z.name}.{part}" for z in self.zones if z.ordered for part in ("top", "depth")]
        shown = [f"{name}.shown" for name, _ in layout.shown]
        names = ["#deals", "dealer", "on_lead", *masks.values(), *orders, *shown]
        self.fields = Fields(layout, [*names, *(v.name for v in self.variables)])
        at = self.fields.at
        self._places = [(z, i, at[masks[z.name]] + i) for z in self.zones for i in self._of(z)]
        self._values = [(v, i, at[v.name] + i) for v in self.variables for i in self._of(v)]
        self._pick_all = _pick([number for _, _, number in self._places])
        self._when = at["#deals"], at["dealer"], at["on_lead"]
        self._shown = {
            (name, i): at[f"{name}.shown"] + i for name, count in layout.shown for i in range(count)
        }
        self._revealed = tuple(self._shown.values())
        self._glances = lru_cache(maxsize=MOST_KEPT)(self._glance)

    def observe(self, memory: memoryview, seat: int, heard: tuple[Said, ...]) -> Sight:
        """Return what a seat sees; heard: the answers that it noticed."""
        numbers = self.fields.read(memory)
        revealed = ()
        if self._revealed:
            revealed = tuple([numbers[i] >> seat & 1 for i in self._revealed])
        pick_cards, pick_values, piles = self._glances(seat, revealed)
        sizes = tuple(map(int.bit_count, self._pick_all(numbers)))
        deals, dealer, leader = self._when
        numbers = (*numbers, HIDDEN)
        cards = pick_cards(numbers)
        if piles:
            ordered = list(cards)
            for pile in piles:
                below = memory[pile.below : pile.below + numbers[pile.depth]].tobytes()
                ordered[pile.place] = below + bytes(bits_in(numbers[pile.top]))
            cards = tuple(ordered)
        values = pick_values(numbers)
        return Sight(
            numbers[deals] - 1, numbers[dealer], numbers[leader], cards, sizes, values, heard
        )

    def _of(self, declared: nodes.Zone | nodes.Variable) -> range:
        return range(self.setting.count(declared.index))

    def _glance(self, seat: int, revealed: tuple[int, ...]) -> Glance:
        """Return what a seat reads while it is shown those revealed places whose flag is 1."""
        shown = {where for where, flag in zip(self._shown, revealed, strict=True) if flag}

        def may_see(declared: nodes.Zone | nodes.Variable, i: int) -> bool:
            return sees(declared, i, seat, self.setting) or (declared.name, i) in shown

        at, fields = self.fields.at, self.layout.fields
        piles = [
            Pile(
                place,
                fields[f"{zone.name}.below"].offset + MOST_CARDS * i,
                at[f"{zone.name}.depth"] + i,
                at[f"{zone.name}.top"] + i,
            )
            for place, (zone, i, _) in enumerate(self._places)
            if zone.ordered and may_see(zone, i)
        ]
        return Glance(
            _pick([number if may_see(zone, i) else -1 for zone, i, number in self._places]),
            _pick([number if may_see(one, i) else -1 for one, i, number in self._values]),
            tuple(piles),
        )


def _pick(indices: list[int]) -> Pick:
    """Return what picks these of a sequence; -1 is its last."""
    if len(indices) > 1:
        return itemgetter(*indices)
    return lambda numbers: tuple([numbers[i] for i in indices])
