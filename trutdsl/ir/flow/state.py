"""Abstract state: what is known at one place of the rules, and how ways of play join there."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from trutdsl.ir.flow.labels import (
    NO_MOVEMENT,
    PUBLIC,
    UNKNOWN,
    Atoms,
    Control,
    Key,
    KeyHolder,
    Label,
    Movement,
    Reader,
    Shown,
    both,
    field_values,
    map_keys,
)


@dataclass(frozen=True)
class Binding(KeyHolder):
    """What is known of a value: whose it is or who it is, and the secrets that it was made of.

    key:    None only at the head of a loop, for what the loop changes.
    picked: it is just what was chosen in an option, and not worked out from that.
    counted: of cards that were picked, what decides how many they are; None if that is not known.
    in_turn: it is the card of a loop's turn, and the loop goes through all cards of a place.
    """

    key: Key | None
    label: Label
    picked: bool = False
    counted: Label | None = None
    in_turn: bool = False

    def after(self, movement: Movement) -> Binding:
        """Return what is known of the value after cards have moved, in each of its labels."""
        labels = {name: v for name, v in field_values(self).items() if isinstance(v, frozenset)}
        old: dict[str, Any] = {name: movement.update(label) for name, label in labels.items()}
        return replace(self, **old)


@dataclass(frozen=True)
class Revelation(KeyHolder):
    """That a reader (None: everybody) sees a zone or variable until the deal ends."""

    name: str
    index: Key | None
    reader: Reader | None

    @property
    def known(self) -> bool:
        """Tell whether it is known whose place this is, and who sees it."""
        return self.index != UNKNOWN and (self.reader is None or self.reader.known)


@dataclass
class Env(KeyHolder):
    """One way of play at one place of a rule.

    locals: slot -> what is bound to it.
    stored: variable that holds a seat or team -> the key of what it holds.
    facts:  what was revealed, whichever way led here.
    taints: what is left early -> the secrets that decided whether it was left; until it ends,
            going on says that it was not left.
    dead:   no way leads here.
    shown:  what was revealed on some way that leads here.
    """

    locals: dict[int, Binding]
    stored: dict[str, Key | None]
    facts: frozenset[Revelation] = frozenset()
    taints: dict[Hashable, Control] = field(default_factory=dict)
    dead: bool = False
    shown: frozenset[Shown] = frozenset()

    def copy(self) -> Env:
        """Return the same, to be changed by itself."""
        return replace(
            self, locals=dict(self.locals), stored=dict(self.stored), taints=dict(self.taints)
        )

    def become(self, other: Env) -> None:
        self.locals, self.stored, self.facts = other.locals, other.stored, other.facts
        self.shown, self.taints, self.dead = other.shown, other.taints, other.dead

    def taint(self, what: Hashable, control: Control) -> None:
        """Note that these secrets decided whether something was left early."""
        if control:
            self.taints[what] = both(self.taints.get(what, {}), control)

    def move(self, movement: Movement) -> None:
        """Note that cards have moved: what was seen in a place may no longer be what lies there."""
        self.shown |= movement.shown
        if movement != NO_MOVEMENT:
            for slot, binding in self.locals.items():
                self.locals[slot] = binding.after(movement)

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

    def widened(self, back: Env, mark: int) -> Env:
        """Return what holds at the head of a loop, at first as here and later as at its end.

        Keys with a number above `mark` mean something else in each turn of the loop, so what is
        carried from one turn to the next is known by them no more.
        """
        old = map_keys(back, lambda number: number if number <= mark else 0)
        result = self.copy()
        for what, control in old.taints.items():
            result.taint(what, control)
        if old.dead:
            return result
        for slot, binding in self.locals.items():
            other = old.locals[slot]
            key = binding.key if binding.key == other.key != UNKNOWN else None
            result.locals[slot] = _either((binding, other), key)
        for name, key in self.stored.items():
            result.stored[name] = key if key == old.stored[name] != UNKNOWN else None
        result.facts &= old.facts
        result.shown |= old.shown
        return result


def _either(bindings: Sequence[Binding], key: Key | None) -> Binding:
    """Return what is known of a value that is one of these; key: whose it is in any case."""
    counted = [b.counted for b in bindings if b.counted is not None]
    return Binding(
        key,
        label=PUBLIC.union(*(b.label for b in bindings)),
        picked=all(b.picked for b in bindings),
        counted=PUBLIC.union(*counted) if len(counted) == len(bindings) else None,
        in_turn=all(b.in_turn for b in bindings),
    )


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
        result.locals[slot] = _either(bindings, first.key if same else atoms.fresh())
    for name, key in list(result.stored.items()):
        if not all(e.stored[name] == key != UNKNOWN for e in alive):
            result.stored[name] = atoms.fresh()
    for env in alive:
        result.facts &= env.facts
        result.shown |= env.shown
    return result
