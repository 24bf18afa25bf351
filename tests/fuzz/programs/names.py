"""The scope of a place in a program: names, variables, zones, defines."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from .tables import DIGITS, MOOD_SET, MOODS, Table, Variable, Zone

MOST = 2**31 - 1
NAMED_VALUE = re.compile(MOODS.removeprefix("one of ").replace(" | ", "|"))
PLACES = (MOODS, "-2 to 3", "0 to 4")  # index types of variables, beside seats, teams and cards
SINGLE = ("seat", "team", "card", "suit", "rank")
KINDS = (
    "number", "number", "number", "yes_no", "yes_no", "seat", "seat", "team", "card", "suit",
    "rank", "seat?", "card?", "team?", "seats", "cards", "teams", "suits", MOODS, MOOD_SET, DIGITS,
)  # fmt: skip


@dataclass(frozen=True)
class Name:
    """A local name: its type, whether it can be set, and where its card lies."""

    text: str
    kind: str
    settable: bool = False
    lies: str | None = None


@dataclass(frozen=True)
class Number:
    """The expression of a number, and the bounds that the check computes for it."""

    text: str
    low: int
    high: int


@dataclass(frozen=True)
class Define:
    """A `define` or rule: the types of its parameters and of its result, None without one."""

    name: str
    takes: tuple[str, ...]
    gives: str | None


@dataclass(frozen=True)
class Form:
    """An option as a clause of a script names it.

    decision: "" if several questions have it. behind: the word behind each choice, or "".
    """

    decision: str
    words: str
    names: tuple[Name, ...] = ()
    behind: tuple[str, ...] = ()

    def text(self) -> str:
        """Return the words and names of a clause for it."""
        pairs = zip(self.names, self.behind, strict=True)
        return f"{self.words} {', '.join(f'{n.text} {word}'.strip() for n, word in pairs)}".strip()


class Names(ABC):
    """The declarations and bound names at a place.

    forms:     the options so far.
    said:      words, type and whether a seat says it, of each announcement so far.
    missing:   whether the program names ranks and cards that some packs lack.
    in_define: whether this is inside a `define`, which reveals nothing.
    typed:     whether the named values have a named type.
    daring:    below 1 in careful programs, which do less often what may end a match with an error.
    """

    missing = True
    in_define = typed = False
    daring = 1.0

    def __init__(self, table: Table) -> None:
        self.table, self.random = table, table.random
        self.names: list[Name] = []
        self.zones: list[Zone] = []
        self.variables: list[Variable] = []
        self.defines: list[Define] = []
        self.forms: list[Form] = []
        self.said: list[tuple[str, str, bool]] = []
        self.name_count = self.inside = 0

    def fresh(self, letter: str) -> str:
        """Return a new name."""
        self.name_count += 1
        return f"{letter}{self.name_count}"

    def odds(self, part: float) -> bool:
        """Return true with a probability."""
        return self.random.random() < part

    def avoids(self) -> bool:
        """Return whether a careful program leaves out what may end a match with an error."""
        return self.daring < 1 and self.random.random() >= self.daring

    def pick(self, *choices: str) -> str:
        """Return one of some texts."""
        return self.random.choice(choices)

    @contextmanager
    def bind(self, *names: Name) -> Iterator[None]:
        """Add these names to the scope; at the end, remove them and all later ones."""
        before = len(self.names)
        self.names += names
        yield
        del self.names[before:]

    @abstractmethod
    def value(self, kind: str, depth: int = 2) -> str:
        """Return an expression of a type."""

    @abstractmethod
    def named_value(self, kind: str) -> str:
        """Return one of some named values."""

    @abstractmethod
    def one(self, kind: str, depth: int = 2) -> str:
        """Return a seat, team, card, suit or rank."""

    def publish(self, text: str) -> str:
        """Return a value, mostly inside `openly` if places are hidden and this is no `define`."""
        hidden = self.table.hidden and not self.in_define
        hidden = hidden and not NAMED_VALUE.search(
            text
        )  # the place of a named value gives its type
        return f"openly({text})" if hidden and self.odds(0.93) else text

    # ---------------------------------------------------------------- stored values

    def place(self, name: str, index: str | None, depth: int) -> str:
        """Return one of the places of a zone or variable."""
        if index in PLACES:
            return f"{name}[{self.clip_index(index)}]"
        return name if index is None else f"{name}[{self.one(index, min(depth, 1) - 1)}]"

    def clip_index(self, index: str) -> str:
        """Return an index of a place, in few cases one out of range."""
        if index == MOODS:
            return self.named_value(index)
        low, high = map(int, index.split(" to "))
        names = [n.text for n in self.names if n.kind == "number"]
        if names and self.odds(0.5):
            return f"min({high}, max({low}, {self.pick(*names)}))"
        return str(self.random.randint(low, high + (self.odds(0.04) and not self.avoids())))

    def zone(self, depth: int = 1, pile: bool | None = None) -> tuple[Zone, str]:
        """Return a zone and one of its places."""
        found = [z for z in self.zones if pile is None or z.pile == pile] or self.zones
        zone = self.random.choice(found)
        return zone, self.place(zone.name, zone.index, depth)

    def known_values(self, kind: str, depth: int) -> list[str]:
        """Return values of a type: a local name, a variable, the result of a define."""
        found = [n.text for n in self.names if n.kind == kind]
        found = [self.random.choice(found)] * 2 if found else []
        declared = [v for v in (*self.variables, *self.table.parameters) if v.kind == kind]
        declared = [v for v in declared if v.index is None or depth >= 0]
        if declared:
            one = self.random.choice(declared)
            found.append(self.place(one.name, one.index, depth))
        called = self.call_of(kind, depth)
        return [*found, called] if called else found

    def call_of(self, kind: str, depth: int) -> str:
        """Return the use of a define with a result of this type; "" without one."""
        defines = [d for d in self.defines if d.gives == kind]
        if not defines or depth <= 0 or self.inside >= 2:
            return ""
        return self.call(self.random.choice(defines), depth - 1)

    def call(self, definition: Define, depth: int) -> str:
        """Return a define or rule with its arguments."""
        if not definition.takes:
            return definition.name
        given = [self.argument(kind, depth) for kind in definition.takes]
        return f"{definition.name}({', '.join(given)})"

    def argument(self, kind: str, depth: int) -> str:
        """Return an argument for a parameter, in few cases one out of its bounds."""
        if " to " not in kind:
            return self.value(kind, depth)
        low, high = kind.split(" to ")
        number = self.value("number", depth)
        if self.odds(0.3) and not self.avoids():
            beyond = f"min({high}, max({int(low) - 1}, {number}))"
            return self.pick(number, beyond, beyond, f"min({int(high) + 1}, max({low}, {number}))")
        return f"min({high}, max({low}, {number}))"
