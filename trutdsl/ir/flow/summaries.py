"""Procedure summaries: what was found of a rule is kept, so that it is checked once a situation.

Two situations are the same if they differ only in the numbers of their keys. A rule that is met
in very many situations is looked at in one that holds for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field, replace

from trutdsl.ir.flow.labels import Atoms, Control, Key, Label, map_control, map_key, map_label
from trutdsl.ir.flow.state import Binding, Revealed, map_facts

MOST_SITUATIONS = 60


@dataclass(frozen=True)
class Situation:
    """All that the check of a rule or function depends on."""

    args: tuple[Binding, ...]
    stored: tuple[tuple[str, Key], ...]
    control: Control
    facts: frozenset[Revealed]


@dataclass(frozen=True)
class Outcome:
    """What is known when a rule has been done.

    dead: it never comes to its end.
    left: the zones from which it may have taken cards by other than what lies there.
    """

    result: Binding
    stored: tuple[tuple[str, Key], ...]
    facts: frozenset[Revealed]
    dead: bool = False
    left: frozenset[str] = frozenset()

    def mapped(self, number: Callable[[int], int]) -> Outcome:
        """Return the same with other numbers in its keys."""
        return Outcome(
            _map_binding(self.result, number),
            tuple((name, map_key(key, number)) for name, key in self.stored),
            map_facts(self.facts, number),
            self.dead,
            self.left,
        )


Check = Callable[[Situation], Outcome]


@dataclass
class _Numbering:
    """Numbers for atoms in the order in which they are met."""

    numbers: dict[int, int] = field(default_factory=dict)

    def __call__(self, number: int) -> int:
        return self.numbers.setdefault(number, len(self.numbers) + 1)

    def peek(self, number: int) -> int:
        return self.numbers.get(number, 10**6)

    def label(self, label: Iterable[object]) -> Label:
        secrets: list[object] = sorted(label, key=lambda s: repr(s.mapped(self.peek)))  # type: ignore[attr-defined]
        return frozenset(s.mapped(self) for s in secrets)  # type: ignore[attr-defined]


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
        numbering = _Numbering()
        case = (what, _canonical(situation, numbering))
        if case not in self.outcomes:
            self.met[what] = self.met.get(what, 0) + 1
            if self.met[what] > MOST_SITUATIONS:
                return self._widest(what, situation, check)
            self.checks += 1
            found = check(situation)
            self.outcomes[case] = found.mapped(numbering)
            return found
        back = {new: old for old, new in numbering.numbers.items()}
        return self.outcomes[case].mapped(lambda number: self._back(back, number))

    def _back(self, back: dict[int, int], number: int) -> int:
        if number not in back:
            back[number] = self.atoms.fresh().number
        return back[number]

    def _widest(self, what: Hashable, situation: Situation, check: Check) -> Outcome:
        """Check a situation that holds for this one and for all that came here before it."""
        unknown: Callable[[int], int] = lambda _number: 0  # noqa: E731
        before = self.widest.get(what)
        labels = [map_label(a.label, unknown) for a in situation.args]
        control = map_control(situation.control, unknown)
        if before is not None:
            labels = [a | b.label for a, b in zip(labels, before.args, strict=True)]
            control = {**control, **before.control}
        if (
            before is None
            or [b.label for b in before.args] != labels
            or (control.keys() != before.control.keys())
        ):
            stored = tuple((name, self.atoms.fresh()) for name, _ in situation.stored)
            args = tuple(Binding(self.atoms.fresh(), label) for label in labels)
            wide = Situation(args, stored, control, frozenset())
            self.widest[what] = wide
            self.checks += 1
            self.outcomes[what, "widest"] = check(wide)
        back: dict[int, int] = {}
        return self.outcomes[what, "widest"].mapped(lambda number: self._back(back, number))


def _map_binding(binding: Binding, number: Callable[[int], int]) -> Binding:
    key = map_key(binding.key, number) if binding.key is not None else None
    return replace(binding, key=key, label=map_label(binding.label, number))


def _canonical(situation: Situation, numbering: _Numbering) -> Hashable:
    keys = tuple(map_key(a.key, numbering) for a in situation.args if a.key is not None)
    stored = tuple((name, map_key(key, numbering)) for name, key in situation.stored)
    labels = tuple(numbering.label(a.label) for a in situation.args)
    control = numbering.label(situation.control)
    facts = sorted(situation.facts, key=repr)
    picked = tuple(a.picked for a in situation.args)
    return keys, picked, stored, labels, control, map_facts(facts, numbering)
