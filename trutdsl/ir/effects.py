"""Side effects: what a part of the rules changes, rests on, and whether it can be a mistake."""

from __future__ import annotations

from trutdsl.ir import nodes
from trutdsl.ir.types import Number
from trutdsl.ir.walk import children, walk

Names = frozenset[str]
NOTHING: Names = frozenset()


def slot_name(slot: int, frame: int = 0) -> str:
    """Return the name of a slot among those of zones and variables."""
    return f"#slot {slot}" if frame == 0 else f"#slot {slot} of {frame}"


class Effects:
    """What rules change and what defines rest on, whatever else they do or use included."""

    def __init__(self, program: nodes.Program) -> None:
        self.program = program
        self._changed: dict[int, Names] = {}
        self._failing: dict[int, tuple[nodes.Node, bool]] = {}  # by `id`, which the node holds
        self._rules: dict[str, Names] = {}
        self._used: dict[str, Names] = {}

    def used_by(self, define: str) -> Names:
        """Return the zones and variables that a `define` looks at."""
        if define not in self._used:
            found: set[str] = set()
            for node in walk(self.program.functions[define].body):
                match node:
                    case nodes.Var(_, _, name) | nodes.ZoneCards(_, _, name):
                        found.add(name)
                    case nodes.Call(_, _, name):
                        found |= self.used_by(name)
            self._used[define] = frozenset(found)
        return self._used[define]

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
            self._changed[id(part)] = frozenset(self._changed_at(part)).union(*inside)
        return self._changed[id(part)]

    def _changed_at(self, node: nodes.Node) -> Names | set[str]:
        match node:
            case nodes.Assign(_, nodes.Var(_, _, name)) | nodes.Setup(_, name):
                return {name}
            case nodes.Assign(_, nodes.Local(_, _, slot)):
                return {slot_name(slot)}
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
                return self._starting("deal")
            case nodes.TrickBlock():
                return self._starting("trick")
            case nodes.Do(_, _, name):
                return self._changed_by_rule(name)
        return NOTHING

    def _changed_by_rule(self, name: str) -> Names:
        if name not in self._rules:
            body = self.changed_by(self.program.rules[name].body)
            self._rules[name] = frozenset(n for n in body if not n.startswith("#slot"))
        return self._rules[name]

    def _starting(self, lifetime: str) -> set[str]:
        return {v.name for v in self.program.variables.values() if v.lifetime == lifetime}
