"""What a place of a program knows: names, variables, zones, defines."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from .tables import DIGITS, MOOD_SET, MOODS, Table, Variable, Zone

MOST = 2**31 - 1
NAMED = re.compile(MOODS.removeprefix("one of ").replace(" | ", "|"))
PLACES = (MOODS, "-2 to 3", "0 to 4")  # for which a variable may have a value each
SINGLE = ("seat", "team", "card", "suit", "rank")
KINDS = (
    "number", "number", "number", "yes_no", "yes_no", "seat", "seat", "team", "card", "suit",
    "rank", "seat?", "card?", "team?", "seats", "cards", "teams", "suits", MOODS, MOOD_SET, DIGITS,
)  # fmt: skip


@dataclass(frozen=True)
class Name:
    """A name of a block: what it stands for, whether it can be set, where its card lies."""

    text: str
    kind: str
    settable: bool = False
    lies: str | None = None


@dataclass(frozen=True)
class Number:
    """An expression that is a number, and the bounds that a check works out for it."""

    text: str
    low: int
    high: int


@dataclass(frozen=True)
class Define:
    """A `define` or rule: the types that it takes and what it gives, None for nothing."""

    name: str
    takes: tuple[str, ...]
    gives: str | None


class Names(ABC):
    """Knows what is declared and which names are bound at a place.

    missing:   whether ranks and cards are named that not every pack has.
    in_define: whether a `define` is written, which shows nothing.
    typed:     whether the named values have a type of a name.
    """

    missing = True
    in_define = typed = False

    def __init__(self, table: Table) -> None:
        self.table, self.random = table, table.random
        self.names: list[Name] = []
        self.zones: list[Zone] = []
        self.variables: list[Variable] = []
        self.defines: list[Define] = []
        self.made = self.inside = 0

    def fresh(self, letter: str) -> str:
        """Return a name that nothing has."""
        self.made += 1
        return f"{letter}{self.made}"

    def odds(self, part: float) -> bool:
        """Return yes with a chance."""
        return self.random.random() < part

    def pick(self, *choices: str) -> str:
        """Return one of some texts."""
        return self.random.choice(choices)

    @contextmanager
    def bound(self, *names: Name) -> Iterator[None]:
        """Know these names, and those that are made meanwhile, for a while."""
        before = len(self.names)
        self.names += names
        yield
        del self.names[before:]

    @abstractmethod
    def value(self, kind: str, depth: int = 2) -> str:
        """Return an expression of a type."""

    @abstractmethod
    def named(self, kind: str) -> str:
        """Return one of some named values."""

    @abstractmethod
    def one(self, kind: str, depth: int = 2) -> str:
        """Return a seat, team, card, suit or rank."""

    def shown(self, text: str) -> str:
        """Return a value that is made known, where not all is anyway and something is done."""
        hidden = self.table.hidden and not self.in_define
        hidden = hidden and not NAMED.search(text)  # they are known by where they stand
        return f"openly({text})" if hidden and self.odds(0.93) else text

    # ---------------------------------------------------------------- what is remembered

    def place(self, name: str, index: str | None, depth: int) -> str:
        """Return one of the places of a zone or variable."""
        if index in PLACES:
            return f"{name}[{self.place_among(index)}]"
        return name if index is None else f"{name}[{self.one(index, min(depth, 1) - 1)}]"

    def place_among(self, index: str) -> str:
        """Return a number or named value for which there is a place, but for a few."""
        if index == MOODS:
            return self.named(index)
        low, high = map(int, index.split(" to "))
        names = [n.text for n in self.names if n.kind == "number"]
        if names and self.odds(0.5):
            return f"min({high}, max({low}, {self.pick(*names)}))"
        return str(self.random.randint(low, high + self.odds(0.04)))

    def zone(self, depth: int = 1, pile: bool | None = None) -> tuple[Zone, str]:
        """Return a zone and one of its places."""
        found = [z for z in self.zones if pile is None or z.pile == pile] or self.zones
        zone = self.random.choice(found)
        return zone, self.place(zone.name, zone.index, depth)

    def remembered(self, kind: str, depth: int) -> list[str]:
        """Return what has a type: a name of the block, a variable, what a define gives."""
        found = [n.text for n in self.names if n.kind == kind]
        found = [self.random.choice(found)] * 2 if found else []
        declared = [v for v in (*self.variables, *self.table.parameters) if v.kind == kind]
        declared = [v for v in declared if v.index is None or depth >= 0]
        if declared:
            one = self.random.choice(declared)
            found.append(self.place(one.name, one.index, depth))
        defines = [d for d in self.defines if d.gives == kind]
        if defines and depth > 0 and self.inside < 2:
            found.append(self.call(self.random.choice(defines), depth - 1))
        return found

    def call(self, made: Define, depth: int) -> str:
        """Return a define or rule with its arguments."""
        if not made.takes:
            return made.name
        given = [self.argument(kind, depth) for kind in made.takes]
        return f"{made.name}({', '.join(given)})"

    def argument(self, kind: str, depth: int) -> str:
        """Return what is given for a parameter; within its bounds, but for a few."""
        if " to " not in kind:
            return self.value(kind, depth)
        low, high = kind.split(" to ")
        number = self.value("number", depth)
        if self.odds(0.3):
            beyond = f"min({high}, max({int(low) - 1}, {number}))"
            return self.pick(number, beyond, beyond, f"min({int(high) + 1}, max({low}, {number}))")
        return f"min({high}, max({low}, {number}))"
