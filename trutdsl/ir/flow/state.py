"""Abstract state: what is known at one place of the rules, and how ways of play join there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from trutdsl.ir.flow.labels import (
    PUBLIC,
    UNKNOWN,
    Atoms,
    Control,
    Key,
    Label,
    Reader,
    both,
    looked_at_before,
    map_control,
    map_key,
    map_label,
)


@dataclass(frozen=True)
class Binding:
    """What is known of a value: whose it is or who it is, and the secrets that it was made of.

    key:    None only at the head of a loop, for what the loop changes.
    picked: it is just what was chosen in an option, and not worked out from that.
    counted: of cards that were picked, what decides how many they are; None if that is not known.
    """

    key: Key | None
    label: Label
    picked: bool = False
    counted: Label | None = None


@dataclass(frozen=True)
class Revealed:
    """That a reader (None: everybody) sees a zone or variable until the deal ends."""

    name: str
    index: Key | None
    reader: Reader | None


@dataclass
class Env:
    """One way of play at one place of a rule.

    locals: slot -> what is bound to it.
    stored: variable that holds a seat or team -> the key of what it holds.
    facts:  what was revealed, whichever way led here.
    taints: what is left early -> the secrets that decided whether it was left; until it ends,
            going on says that it was not left.
    dead:   no way leads here.
    """

    locals: dict[int, Binding]
    stored: dict[str, Key | None]
    facts: frozenset[Revealed] = frozenset()
    taints: dict[Hashable, Control] = field(default_factory=dict)
    dead: bool = False

    def copy(self) -> Env:
        """Return the same, to be changed by itself."""
        return replace(
            self, locals=dict(self.locals), stored=dict(self.stored), taints=dict(self.taints)
        )

    def become(self, other: Env) -> None:
        """Take over all of another one."""
        self.locals, self.stored, self.facts = other.locals, other.stored, other.facts
        self.taints, self.dead = other.taints, other.dead

    def taint(self, what: Hashable, control: Control) -> None:
        """Note that these secrets decided whether something was left early."""
        if control:
            self.taints[what] = both(self.taints.get(what, {}), control)

    def left(self, places: Collection[str]) -> None:
        """Note that cards went from these places: what was seen there may be there no more."""
        for slot, binding in self.locals.items():
            if binding.label and places:
                label = looked_at_before(binding.label, places)
                self.locals[slot] = replace(binding, label=label)

    def named(self, atoms: Atoms) -> Env:
        """Return a copy in which all that a loop changes is something new."""
        result = self.copy()
        for slot, binding in self.locals.items():
            if binding.key is None:
                result.locals[slot] = replace(binding, key=atoms.fresh())
        for name, key in self.stored.items():
            if key is None:
                result.stored[name] = atoms.fresh()
        return result

    def mapped(self, number: Callable[[int], int]) -> Env:
        """Return a copy with other numbers in its keys; facts about unknown seats are lost."""
        return Env(
            {
                slot: Binding(
                    map_key(b.key, number) if b.key is not None else None,
                    map_label(b.label, number) if b.label else PUBLIC,
                    b.picked,
                )
                for slot, b in self.locals.items()
            },
            {n: map_key(k, number) if k is not None else None for n, k in self.stored.items()},
            map_facts(self.facts, number),
            {what: map_control(control, number) for what, control in self.taints.items()},
            self.dead,
        )

    def widened(self, back: Env, mark: int) -> Env:
        """Return what holds at the head of a loop, at first as here and later as at its end.

        Keys with a number above `mark` mean something else in each turn of the loop, so what is
        carried from one turn to the next is known by them no more.
        """
        old = back.mapped(lambda number: number if number <= mark else 0)
        result = self.copy()
        for what, control in old.taints.items():
            result.taint(what, control)
        if old.dead:
            return result
        for slot, binding in self.locals.items():
            other = old.locals[slot]
            key = binding.key if binding.key == other.key != UNKNOWN else None
            result.locals[slot] = Binding(
                key, binding.label | other.label, binding.picked and other.picked
            )
        for name, key in self.stored.items():
            result.stored[name] = key if key == old.stored[name] != UNKNOWN else None
        result.facts &= old.facts
        return result


def map_facts(facts: Iterable[Revealed], number: Callable[[int], int]) -> frozenset[Revealed]:
    """Return the facts with other numbers in their keys, without those about unknown seats."""
    found = set()
    for fact in facts:
        index = map_key(fact.index, number) if fact.index is not None else None
        reader = fact.reader and replace(fact.reader, key=map_key(fact.reader.key, number))
        if index != UNKNOWN and (reader is None or reader.known):
            found.add(Revealed(fact.name, index, reader))
    return frozenset(found)


def join(envs: Sequence[Env], atoms: Atoms) -> Env:
    """Return what holds where several ways meet; what differs between them is something new."""
    alive = [e for e in envs if not e.dead]
    result = (alive or envs)[0].copy()
    for env in envs:
        for what, control in env.taints.items():
            result.taint(what, control)
    if len(alive) < 2:
        return result
    for slot, first in list(result.locals.items()):
        bindings = [e.locals[slot] for e in alive if slot in e.locals]
        if len(bindings) < len(alive):
            del result.locals[slot]  # bound in a block that is left
            continue
        same = all(b.key == first.key != UNKNOWN for b in bindings)
        label = PUBLIC.union(*(b.label for b in bindings))
        picked = all(b.picked for b in bindings)
        result.locals[slot] = Binding(first.key if same else atoms.fresh(), label, picked)
    for name, key in list(result.stored.items()):
        if not all(e.stored[name] == key != UNKNOWN for e in alive):
            result.stored[name] = atoms.fresh()
    for env in alive:
        result.facts &= env.facts
    return result
