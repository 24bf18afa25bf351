"""Procedure summaries: what was found of a rule is kept, so that it is checked once a situation.

Two situations are the same if they differ only in the numbers of their keys. A rule that is met
in very many situations is looked at in one that holds for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field

from trutdsl.ir.flow.labels import (
    NO_MOVEMENT,
    Atom,
    Atoms,
    Control,
    Key,
    KeyHolder,
    Movement,
    Shown,
    Step,
    TeamOf,
    field_values,
    map_key,
    map_keys,
)
from trutdsl.ir.flow.state import Binding, Revealed

MOST_SITUATIONS = 60


@dataclass(frozen=True)
class Situation(KeyHolder):
    """All that the check of a rule or function depends on."""

    args: tuple[Binding, ...]
    stored: tuple[tuple[str, Key], ...]
    control: Control
    facts: frozenset[Revealed]
    shown: frozenset[Shown] = frozenset()


@dataclass(frozen=True)
class Outcome(KeyHolder):
    """What is known when a rule has been done.

    dead:     it never comes to its end.
    movement: where it may have moved cards, and to whom it may have revealed them.
    """

    result: Binding
    stored: tuple[tuple[str, Key], ...]
    facts: frozenset[Revealed]
    dead: bool = False
    movement: Movement = NO_MOVEMENT


Check = Callable[[Situation], Outcome]


@dataclass
class Numbering:
    """Numbers for atoms in the order in which they are met."""

    numbers: dict[int, int] = field(default_factory=dict)

    def __call__(self, number: int) -> int:
        """Return the number of an atom, which is given one if it has none."""
        return self.numbers.setdefault(number, len(self.numbers) + 1)

    def peek(self, number: int) -> int:
        """Return the number of an atom, or one that stands for all that have none."""
        return self.numbers.get(number, 10**6)


class Memo:
    """The outcomes found so far."""

    def __init__(self, atoms: Atoms) -> None:
        self.atoms = atoms
        self.checks = 0
        self.outcomes: dict[Hashable, Outcome] = {}
        self.met: dict[Hashable, int] = {}
        self.widest: dict[Hashable, Situation] = {}

    def outcome(self, what: Hashable, situation: Situation, check: Check) -> Outcome:
        """Return what is known when this is done in this situation."""
        numbering = Numbering()
        case = (what, canonical(situation, numbering))
        if case not in self.outcomes:
            self.met[what] = self.met.get(what, 0) + 1
            if self.met[what] > MOST_SITUATIONS:
                return self._widest(what, situation, check)
            self.checks += 1
            found = check(situation)
            self.outcomes[case] = map_keys(found, numbering)
            return found
        back = {new: old for old, new in numbering.numbers.items()}
        return map_keys(self.outcomes[case], lambda number: self._back(back, number))

    def _back(self, back: dict[int, int], number: int) -> int:
        if number not in back:
            back[number] = self.atoms.fresh().number
        return back[number]

    def _widest(self, what: Hashable, situation: Situation, check: Check) -> Outcome:
        """Check a situation that holds for this one and for all that came here before it."""
        unknown: Callable[[int], int] = lambda _number: 0  # noqa: E731
        before = self.widest.get(what)
        labels = [map_keys(a.label, unknown) for a in situation.args]
        control = map_keys(situation.control, unknown)
        shown = map_keys(situation.shown, unknown)
        if before is not None:
            labels = [a | b.label for a, b in zip(labels, before.args, strict=True)]
            control = {**control, **before.control}
            shown |= before.shown
        if (
            before is None
            or [b.label for b in before.args] != labels
            or control.keys() != before.control.keys()
            or shown != before.shown
        ):
            stored = tuple((name, self.atoms.fresh()) for name, _ in situation.stored)
            args = tuple(Binding(self.atoms.fresh(), label) for label in labels)
            wide = Situation(args, stored, control, frozenset(), shown)
            self.widest[what] = wide
            self.checks += 1
            self.outcomes[what, "widest"] = check(wide)
        back: dict[int, int] = {}
        return map_keys(self.outcomes[what, "widest"], lambda number: self._back(back, number))


def canonical(value: object, number: Numbering) -> Hashable:
    """Return what is equal for two values just if they differ in the numbers of their keys only.

    It is made of every field of every data class in the value; see `KeyHolder`. Notes on what
    decides are left out, as they are words for messages.
    """
    match value:
        case Atom() | Step() | TeamOf():
            return map_key(value, number)
        case KeyHolder():
            return tuple(canonical(one, number) for one in field_values(value).values())
        case frozenset():
            items = sorted(value, key=lambda one: repr(map_keys(one, number.peek)))
            return frozenset(canonical(one, number) for one in items)
        case tuple():
            return tuple(canonical(one, number) for one in value)
        case Mapping():
            return canonical(frozenset(value), number)
        case None | bool() | int() | str():
            return value
    raise TypeError(f"no key can be made of {value!r}")
