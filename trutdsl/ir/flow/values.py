"""Abstract values: the secrets and owners of values on one path, and their join."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from trutdsl.ir import nodes
from trutdsl.ir.flow.labels import (
    EVERYBODY,
    NO_MOVEMENT,
    NO_READER,
    PUBLIC,
    UNKNOWN,
    Atom,
    Atoms,
    Control,
    Key,
    KeyHolder,
    Label,
    Movement,
    PossibleRevelation,
    Reader,
    Readers,
    Secret,
    both,
    field_values,
    map_keys,
    step,
    team_of,
)
from trutdsl.ir.nodes import walk
from trutdsl.ir.types import VARIABLES, Element, Kind
from trutdsl.syntax.ast import Audience


@dataclass(frozen=True)
class Binding(KeyHolder):
    """An abstract value: its key (the seat or team, or its owner), and its secrets.

    key:         None only at the head of a loop, for values that the loop changes.
    picked:      it is exactly the choice of an option, and not computed from it.
    count_label: for picked cards, the secrets that decide their number; None if these are unknown.
    in_turn:     it is the card of a loop's turn, and the loop goes through all cards of a place.
    """

    key: Key | None
    label: Label
    picked: bool = False
    count_label: Label | None = None
    in_turn: bool = False

    def after(self, movement: Movement) -> Binding:
        """Return the abstract value after cards have moved, in each of its labels."""
        labels = {name: v for name, v in field_values(self).items() if isinstance(v, frozenset)}
        old: dict[str, Any] = {name: movement.update(label) for name, label in labels.items()}
        return replace(self, **old)


@dataclass(frozen=True)
class Revelation(KeyHolder):
    """A reader (None: everybody) sees a zone or variable until the deal ends."""

    name: str
    index: Key | None
    reader: Reader | None

    @property
    def known(self) -> bool:
        """Return whether the place and its reader are known."""
        return self.index != UNKNOWN and (self.reader is None or self.reader.known)


@dataclass
class Env(KeyHolder):
    """Abstract state: the facts on one path at one place of a rule.

    locals:      slot -> its abstract value.
    stored_keys: variable with a seat or team -> the key of its value.
    facts:       what was certainly revealed, on every path to here.
    taints:      an early exit -> the secrets that decided whether it was taken. Until its block
                 ends, execution here shows that it was not taken.
    dead:        no path leads here.
    revelations: what was possibly revealed, on some path to here.
    """

    locals: dict[int, Binding]
    stored_keys: dict[str, Key | None]
    facts: frozenset[Revelation] = frozenset()
    taints: dict[Hashable, Control] = field(default_factory=dict)
    dead: bool = False
    revelations: frozenset[PossibleRevelation] = frozenset()

    def copy(self) -> Env:
        return replace(
            self,
            locals=dict(self.locals),
            stored_keys=dict(self.stored_keys),
            taints=dict(self.taints),
        )

    def replace_by(self, other: Env) -> None:
        vars(self).update(vars(other))

    def taint(self, what: Hashable, control: Control) -> None:
        """Record that these secrets decided about an early exit."""
        if control:
            self.taints[what] = both(self.taints.get(what, {}), control)

    def move(self, movement: Movement) -> None:
        """Record that cards have moved: the cards seen in a place may no longer lie there."""
        self.revelations |= movement.revelations
        if movement != NO_MOVEMENT:
            for slot, binding in self.locals.items():
                self.locals[slot] = binding.after(movement)

    def with_new_keys(self, atoms: Atoms) -> Env:
        """Return a copy with new keys for everything that a loop changes."""
        result = self.copy()
        for slot, binding in self.locals.items():
            if binding.key is None:
                result.locals[slot] = replace(binding, key=atoms.fresh())
        for name, key in self.stored_keys.items():
            if key is None:
                result.stored_keys[name] = atoms.fresh()
        return result

    def widen(self, end: Env, mark: int) -> Env:
        """Return the state at the head of a loop: this one at first, later the one at its end.

        Keys with a number above `mark` change their meaning in each turn of the loop. So they no
        longer identify a value that one turn passes to the next.
        """
        old = map_keys(end, lambda number: number if number <= mark else 0)
        result = self.copy()
        for what, control in old.taints.items():
            result.taint(what, control)
        if old.dead:
            return result
        for slot, binding in self.locals.items():
            other = old.locals[slot]
            key = binding.key if binding.key == other.key != UNKNOWN else None
            result.locals[slot] = _either((binding, other), key)
        for name, key in self.stored_keys.items():
            result.stored_keys[name] = key if key == old.stored_keys[name] != UNKNOWN else None
        result.facts &= old.facts
        result.revelations |= old.revelations
        return result


def _either(bindings: Sequence[Binding], key: Key | None) -> Binding:
    """Return the abstract value of one of these; key: its key in any case."""
    counts = [b.count_label for b in bindings if b.count_label is not None]
    return Binding(
        key,
        label=PUBLIC.union(*(b.label for b in bindings)),
        picked=all(b.picked for b in bindings),
        count_label=PUBLIC.union(*counts) if len(counts) == len(bindings) else None,
        in_turn=all(b.in_turn for b in bindings),
    )


def join(envs: Sequence[Env], atoms: Atoms) -> Env:
    """Return the join of several states; a key that differs becomes a new one."""
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
            del result.locals[slot]  # bound in a finished block
            continue
        same = all(b.key == first.key != UNKNOWN for b in bindings)
        result.locals[slot] = _either(bindings, first.key if same else atoms.fresh())
    for name, key in list(result.stored_keys.items()):
        if not all(e.stored_keys[name] == key != UNKNOWN for e in alive):
            result.stored_keys[name] = atoms.fresh()
    for env in alive:
        result.facts &= env.facts
        result.revelations |= env.revelations
    return result


@dataclass
class FlowFrame:
    """A rule during its check.

    jumps:  exit (from the rule, a loop's turn, ...) -> the states that take it.
    blocks: for each enclosing deal and trick, the states that may end it.
    movement: where cards were moved, on any path.
    """

    result: list[Binding] = field(default_factory=list)
    jumps: dict[Hashable, list[Env]] = field(default_factory=dict)
    loops: list[int] = field(default_factory=list)
    asks: list[int] = field(default_factory=list)
    blocks: list[list[Env]] = field(default_factory=list)
    movement: Movement = NO_MOVEMENT

    @property
    def depth(self) -> int:
        """The number of loops and questions around the present sentence."""
        return len(self.loops) + len(self.asks)

    def result_value(self, atoms: Atoms) -> Binding:
        """Return the abstract value of the rule's result."""
        keys = {r.key for r in self.result}
        same = len(keys) == 1 and not keys & {None, UNKNOWN}
        label = PUBLIC.union(*(r.label for r in self.result))
        return Binding(keys.pop() if same else atoms.fresh(), label)


STEPS = {"next_seat": 1, "previous_seat": -1}

# Follows a rule or function with these arguments, and returns the abstract value of its result.
Perform = Callable[[nodes.Do | nodes.Call, list[Binding], Env], Binding]


def holds_seat(variable: nodes.Var | nodes.Variable) -> bool:
    """Return whether the check follows which seat or team a variable holds."""
    of_element = isinstance(variable.type, Element) and variable.type.kind in (Kind.SEAT, Kind.TEAM)
    return of_element and variable.index is None


def seat_variables(program: nodes.Program) -> list[str]:
    """Return the variables whose seat or team the check follows."""
    return [*VARIABLES, *(v.name for v in program.variables.values() if holds_seat(v))]


class ValueFlow:
    """Computes abstract values of expressions."""

    def __init__(self, program: nodes.Program, atoms: Atoms, perform: Perform) -> None:
        self.program, self.atoms, self.perform = program, atoms, perform

    def label(self, node: nodes.Expression | None, env: Env) -> Label:
        return self.of(node, env).label if node is not None else PUBLIC

    def of(self, node: nodes.Expression, env: Env) -> Binding:
        match node:
            case nodes.Local(_, _, slot) if slot in env.locals:
                return env.locals[slot]
            case nodes.Var(_, _, name, None) if holds_seat(node):
                return Binding(env.stored_keys[name], self.own(name, None, env))
            case nodes.Var(_, _, name, index) | nodes.ZoneCards(_, _, name, index):
                of = self.of(index, env) if index is not None else Binding(None, PUBLIC)
                return Binding(self.atoms.fresh(), of.label | self.own(name, of.key, env))
            case nodes.Unwrap(_, _, value):
                return self.of(value, env)
            case nodes.Builtin(_, _, "openly", (value,)):
                return Binding(self.of(value, env).key, PUBLIC)
            case nodes.Builtin(
                _, _, "size" | "empty" | "in_sight", (nodes.ZoneCards(_, _, _, index), *_)
            ):
                return Binding(self.atoms.fresh(), self.label(index, env))
            case nodes.Builtin(_, _, "team", (seat,)):
                of = self.of(seat, env)
                return Binding(team_of(of.key or UNKNOWN), of.label)
            case nodes.Builtin(_, _, "next_seat" | "previous_seat" as name, (seat,)):
                of = self.of(seat, env)
                return Binding(step(of.key or UNKNOWN, STEPS[name]), of.label)
            case nodes.Choice(_, _, test, yes, no):
                a, b = self.of(yes, env), self.of(no, env)
                key = a.key if a.key == b.key else self.atoms.fresh()
                return Binding(key, self.label(test, env) | a.label | b.label)
            case nodes.Call(_, _, _, args) | nodes.Do(_, _, _, args):
                return self.perform(node, [self.of(a, env) for a in args], env)
            case nodes.Quantifier():
                return self._quantifier(node, env)
        result = PUBLIC
        for child in node.children:
            if isinstance(child, nodes.Expression):
                result |= self.label(child, env)
        return Binding(self.atoms.fresh(), result)

    def readers(self, name: str, key: Key | None) -> Readers:
        """Return the readers of a zone or variable of the seat or team with this key."""
        place = self.program.zones.get(name) or self.program.variables.get(name)
        if place is None or place.audience is Audience.ALL:
            return EVERYBODY
        if place.audience is Audience.NOBODY or place.index is None:
            return NO_READER
        key = key or UNKNOWN
        if place.index is Kind.TEAM:
            return frozenset({Reader(True, key)})
        if place.audience is Audience.TEAM:
            return frozenset({Reader(True, team_of(key))})
        return frozenset({Reader(False, key)})

    def own(self, name: str, key: Key | None, env: Env) -> Label:
        """Return the secret in a zone or variable now, if not all may see it."""
        readers = self.readers(name, key)
        if readers is None:
            return PUBLIC
        viewers = [f.reader for f in env.facts if f.name == name and f.index == key != UNKNOWN]
        if None in viewers:
            return PUBLIC
        also = frozenset(reader for reader in viewers if reader is not None)
        place = self.program.zones.get(name) or self.program.variables.get(name)
        at = (key or UNKNOWN) if place is not None and place.index is not None else None
        return frozenset({Secret(name, next(iter(readers), None), also, at)})

    def readers_in(self, node: nodes.Expression, env: Env) -> Readers:
        """Return the known seats of a set; nobody else is in it."""
        match node:
            case nodes.Builtin(_, _, "seats", ()):
                return EVERYBODY
            case nodes.SetLiteral(_, _, items):
                keys = [self.of(item, env).key for item in items]
                return frozenset(Reader(False, k or UNKNOWN) for k in keys)
            case nodes.Builtin(_, _, "seats_of", (side,)):
                return frozenset({Reader(True, self.of(side, env).key or UNKNOWN)})
        return frozenset({Reader(True, UNKNOWN)})

    def bind_element(
        self, domain: nodes.Domain, slot: int, items: Label, team: Key | None, env: Env
    ) -> tuple[Key, Label]:
        """Bind the slot to an element of a domain; return its key and the secrets in `where`.

        `team` is the team of all of the domain's seats, if they have the same one.
        """
        key: Key | None = None
        tests = [domain.where] if domain.where is not None else []
        while tests:
            match tests.pop():
                case nodes.Logic(_, _, "and", left, right):
                    tests += [left, right]
                case nodes.Compare(_, _, "==", left, right):
                    for this, other in ((left, right), (right, left)):
                        same = self._same_as(this, other, slot, env)
                        if same is not None and isinstance(_bare(this), nodes.Local):
                            key = same
                        elif same is not None:
                            team = same
        if key is None or key == UNKNOWN:
            key = self.atoms.fresh(team)
        env.locals[slot] = Binding(key, items)
        return key, self.label(domain.where, env)

    def _same_as(
        self, this: nodes.Expression, other: nodes.Expression, slot: int, env: Env
    ) -> Key | None:
        """Return the key of `other` if `this` is the element or its team, and `other` is not."""
        this = _bare(this)
        if isinstance(this, nodes.Builtin) and this.name == "team":
            this = _bare(this.args[0])
        if not (isinstance(this, nodes.Local) and this.slot == slot):
            return None
        if any(isinstance(n, nodes.Local) and n.slot == slot for n in walk(other)):
            return None
        return self.of(other, env).key

    def team_of_all(self, node: nodes.Expression, env: Env) -> Key | None:
        """Return the common team of all seats of a set, or None if there is no known one."""
        match node:
            case nodes.Builtin(_, _, "seats_of", (side,)):
                return self.of(side, env).key
            case nodes.SetOperation(_, _, "-", left, _):
                return self.team_of_all(left, env)
            case nodes.SetOperation(_, _, "&", left, right):
                return self.team_of_all(left, env) or self.team_of_all(right, env)
            case nodes.Quantifier(_, _, "those", _, domain, _):
                return self.team_of_all(domain.items, env)
            case nodes.Call(_, _, name, args):
                body = self.program.functions[name].body
                if isinstance(body, nodes.Expression):
                    inner = env.copy()
                    inner.locals = dict(enumerate(self.of(a, env) for a in args))
                    return self.team_of_all(body, inner)
        return None

    def _quantifier(self, node: nodes.Quantifier, env: Env) -> Binding:
        domain = node.domain
        items = self.label(domain.items, env)
        domain_label = items | self.label(domain.last, env) | self.label(domain.start, env)
        team = self.team_of_all(domain.items, env)
        old_count = self.atoms.count
        key, where = self.bind_element(domain, node.slot, items, team, env)
        inner = domain_label | where | self.label(node.value, env)
        del env.locals[node.slot]
        element = key.number if isinstance(key, Atom) and key.number > old_count else 0
        # The reads were for many elements, not only for the final one.
        label = map_keys(inner, lambda number: 0 if number == element else number)
        if node.kind == "first" and not element:
            return Binding(key, label)
        return Binding(self.atoms.fresh(team if node.kind == "first" else None), label)


def _bare(node: nodes.Expression) -> nodes.Expression:
    return node.value if isinstance(node, nodes.Unwrap) else node
