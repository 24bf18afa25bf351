"""Effects: what a part of the rules reads and changes, and whether it can be a mistake."""

from __future__ import annotations

from collections.abc import Iterable

from trutdsl.ir import nodes
from trutdsl.ir.types import Number
from trutdsl.ir.walk import children, walk

Names = frozenset[str]
NOTHING: Names = frozenset()


def slot_name(slot: int, frame: int = 0) -> str:
    """Return the name of a slot among those of zones and variables."""
    return f"#slot {slot}" if frame == 0 else f"#slot {slot} of {frame}"


class Effects:
    """What parts of the rules read and change, with all that they do and use.

    Names are those of zones and variables; slots and a policy's memory have names of their own.
    """

    def __init__(self, program: nodes.Program) -> None:
        self.program = program
        # By `id`, which the node holds.
        self._changed: dict[int, tuple[nodes.Node, Names]] = {}
        self._read: dict[int, tuple[nodes.Node, Names]] = {}
        self._failing: dict[int, tuple[nodes.Node, bool]] = {}
        self._rules: dict[str, Names] = {}
        self._dealing: dict[str, bool] = {}

    def read_by(self, part: nodes.Node) -> Names:
        """Return the zones and variables that a part of a rule or `define` looks at or names."""
        if id(part) not in self._read:
            below = [*children(part), *self._body_of(part)]
            own = {part.name} if isinstance(part, nodes.Var | nodes.ZoneCards) else NOTHING
            self._read[id(part)] = part, frozenset(own).union(*map(self.read_by, below))
        return self._read[id(part)][1]

    def _body_of(self, node: nodes.Node) -> tuple[nodes.Node, ...]:
        match node:
            case nodes.Call(_, _, name):
                return (self.program.functions[name].body,)
            case nodes.Do(_, _, name):
                return (self.program.rules[name].body,)
        return ()

    def can_fail(self, part: nodes.Node) -> bool:
        """Tell whether working a part out can run into a mistake, but for being too long."""
        if id(part) not in self._failing:
            fails = self._fails_at(part) or any(map(self.can_fail, children(part)))
            self._failing[id(part)] = part, fails
        return self._failing[id(part)][1]

    def fails_alike(self, part: nodes.Node, slot: int) -> bool:
        """Tell whether a part that fails for one value of a slot would fail for every value."""
        if not self.can_fail(part):
            return True
        match part:
            case nodes.Unwrap() | nodes.Within():
                looks = any(isinstance(n, nodes.Local) and n.slot == slot for n in walk(part))
                return not looks and self.fails_alike(part.value, slot)
            case nodes.Call(_, _, name) if self.can_fail(self.program.functions[name].body):
                return False
            case nodes.Builtin(_, _, "top" | "bottom") | nodes.Quantifier():
                return False
            case nodes.Logic() | nodes.Choice():
                first, *later = children(part)
                return self.fails_alike(first, slot) and not any(map(self.can_fail, later))
        return all(self.fails_alike(below, slot) for below in children(part))

    def _fails_at(self, node: nodes.Node) -> bool:
        match node:
            case nodes.Unwrap() | nodes.Within() | nodes.Repeat():
                return True
            case nodes.Builtin(_, _, name):
                return name in ("top", "bottom")
            case nodes.Quantifier(_, _, kind) if kind in ("highest", "lowest"):
                return True
            case nodes.Binder():
                return node.last is not None
            case nodes.Domain():
                return node.last is not None or isinstance(node.items, nodes.ZoneCards)
            case nodes.Assign(_, target):
                return isinstance(target.type, Number)
            case nodes.Call(_, _, name):
                return self.can_fail(self.program.functions[name].body)
        return False

    def changed_by(self, part: nodes.Node) -> Names:
        """Return what a part of a rule can change, its own slots included."""
        if id(part) not in self._changed:
            inside = map(self.changed_by, children(part))
            self._changed[id(part)] = part, frozenset(self._changed_at(part)).union(*inside)
        return self._changed[id(part)][1]

    def _changed_at(self, node: nodes.Node) -> Iterable[str]:
        match node:
            case nodes.Assign(_, nodes.Var(_, _, name)) | nodes.Setup(_, name):
                return {name}
            case nodes.Assign(_, nodes.Local(_, _, slot)):
                return {slot_name(slot)}
            case nodes.Assign(_, nodes.Remembered(_, _, name)):
                return {f"#memory {name}"}
            case (
                nodes.Let(_, slot)
                | nodes.For(_, slot)
                | nodes.Quantifier(_, _, _, slot)
                | nodes.Binder(_, slot)
            ):
                return {slot_name(slot)}
            case nodes.Shuffle(_, zone):
                return {zone.name}
            case nodes.Draw(_, origin, target, _, slot):
                own = {slot_name(slot)} if slot is not None else set()
                return {origin.name, target.name} | own
            case nodes.Move(_, _, origin, target) | nodes.MoveAll(_, origin, target):
                return {origin.name, target.name}
            case nodes.Swap(_, _, origin, _, target):
                return {origin.name, target.name}
            case nodes.Gather():
                return {*node.names, node.target.name}
            case nodes.DealBlock():
                return self.starting("deal")
            case nodes.TrickBlock():
                return self.starting("trick")
            case nodes.Do(_, _, name):
                return self._changed_by_rule(name)
        return NOTHING

    def _changed_by_rule(self, name: str) -> Names:
        if name not in self._rules:
            body = self.changed_by(self.program.rules[name].body)
            self._rules[name] = frozenset(n for n in body if not n.startswith("#slot"))
        return self._rules[name]

    def assigned(self) -> Names:
        """Return what sentences of rules set, other than by starting anew."""
        sentences = (node for rule in self.program.rules.values() for node in walk(rule.body))
        set_there = (n for n in sentences if isinstance(n, nodes.Assign | nodes.Setup))
        return frozenset[str]().union(*map(self._changed_at, set_there))

    def plays_deals(self, rule: str) -> bool:
        """Tell whether a deal begins in a rule, or in one that it does."""
        if rule not in self._dealing:
            self._dealing[rule] = any(
                isinstance(node, nodes.DealBlock)
                or (isinstance(node, nodes.Do) and self.plays_deals(node.rule))
                for node in walk(self.program.rules[rule].body)
            )
        return self._dealing[rule]

    def starting(self, lifetime: str) -> Names:
        """Return the variables that start anew with each deal or each trick."""
        timed = self.program.variables.values()
        return frozenset(v.name for v in timed if v.lifetime == lifetime)
