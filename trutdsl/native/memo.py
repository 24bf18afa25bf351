"""What was worked out already in a rule and still holds, so that it is worked out once."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir

from trutdsl.ir import Program, nodes
from trutdsl.ir.types import Number
from trutdsl.ir.walk import children, walk

Names = frozenset[str]
NOTHING: Names = frozenset()
Known = dict[Hashable, tuple[Any, Names]]


class Memo:
    """Values by what they are of, each with the names of what it rests on.

    Names are those of zones and variables, and of the rule's own slots, see `slot_name`.

    behind: what will be known behind the sentence that is being written.
    """

    def __init__(self) -> None:
        self._kept: list[Known] = [{}]
        self.behind: Known = {}

    def find(self, key: Hashable) -> Any:
        """Return what is known of a key, or None."""
        for scope in reversed(self._kept):
            if key in scope:
                return scope[key][0]
        return None

    def all_of(self, *start: Hashable) -> list[Any]:
        """Return all that is known of keys that start like this."""
        return [
            value
            for scope in self._kept
            for key, (value, _) in scope.items()
            if isinstance(key, tuple) and key[: len(start)] == start
        ]

    def keep(self, key: Hashable, value: Any, rests_on: Names) -> None:
        """Keep a value as long as nothing changes that it rests on, within this scope."""
        self._kept[-1][key] = value, rests_on

    def lower(self, flags: Names) -> None:
        """Note of these yes/no variables that all of them are no."""
        for name in flags:
            self.keep(("no", name), True, frozenset({name}))

    def is_lowered(self, name: str) -> bool:
        """Tell whether all of a yes/no variable are known to be no."""
        return bool(self.find(("no", name)))

    def forget(self, changed: Names) -> None:
        """Drop what rests on any of these."""
        for scope in self._kept:
            for key in [k for k, (_, rests_on) in scope.items() if rests_on & changed]:
                del scope[key]

    def go_on(self, changed: Names) -> None:
        """Go on behind a sentence that changed these."""
        self.forget(changed)
        self._kept[-1].update(self.behind)
        self.behind = {}

    @contextmanager
    def scope(self) -> Iterator[Known]:
        """Drop at the end what was kept since: it is worked out only on some of the ways.

        Yields what is kept there, to be looked at when the scope has ended.
        """
        kept: Known = {}
        self._kept.append(kept)
        yield kept
        self._kept.pop()


class NoMemo(Memo):
    """Keeps nothing: for rules that can be left in the middle."""

    def go_on(self, _changed: Names) -> None:
        """Go on, knowing nothing."""
        self.behind = {}

    def keep(self, _key: Hashable, _value: Any, _rests_on: Names) -> None:
        """Keep nothing."""


def slot_name(slot: int, frame: int = 0) -> str:
    """Return the name of a slot among those of zones and variables."""
    return f"#slot {slot}" if frame == 0 else f"#slot {slot} of {frame}"


def value_key(value: Any) -> tuple[str, int]:
    """Return what tells a value of llvmlite from all others of its function."""
    return ("const", value.constant) if isinstance(value, ir.Constant) else ("made", id(value))


def of_frame(name: str, frame: int) -> str:
    """Return what a name is called in a frame, if it is one of a slot."""
    return f"{name} of {frame}" if name.startswith("#slot") else name


class Effects:
    """What rules change and what defines rest on, whatever else they do or use included."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._changed: dict[int, Names] = {}
        self._failing: dict[int, bool] = {}
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
            self._failing[id(part)] = self._fails_at(part) or any(
                map(self.can_fail, children(part))
            )
        return self._failing[id(part)]

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
