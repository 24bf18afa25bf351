"""Effects and costs: the variables that rules read and change, and bounds of their steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import comb

from trutdsl.ir import nodes
from trutdsl.ir.intervals import MOST_ACTIONS, hand_sizes, most_hands
from trutdsl.ir.nodes import walk
from trutdsl.ir.types import Among, Kind, Number, SetOf

# Effects: the names that a part of the rules reads and changes, and whether it can fail.

Names = frozenset[str]
NOTHING: Names = frozenset()


def slot_name(slot: int, frame: int = 0) -> str:
    """Return the name of a slot, in the same name space as zones and variables."""
    return f"#slot {slot}" if frame == 0 else f"#slot {slot} of {frame}"


class Effects:
    """The names that parts of rules read and change, directly and through rules and defines.

    Names are those of zones and variables; slots and a policy's memory have names of their own.
    """

    def __init__(self, program: nodes.Program) -> None:
        self.program = program
        # By `id`; the value keeps the node alive.
        self._writes: dict[int, tuple[nodes.Node, Names]] = {}
        self._reads: dict[int, tuple[nodes.Node, Names]] = {}
        self._failing: dict[int, tuple[nodes.Node, bool]] = {}
        self._rules: dict[str, Names] = {}
        self._dealing: dict[str, bool] = {}

    def reads_of(self, part: nodes.Node) -> Names:
        """Return the zones and variables that a part of a rule or `define` reads or names."""
        if id(part) not in self._reads:
            parts = [*part.children, *nodes.bodies_of(part, self.program)]
            own = {part.name} if isinstance(part, nodes.Var | nodes.ZoneCards) else NOTHING
            self._reads[id(part)] = part, frozenset(own).union(*map(self.reads_of, parts))
        return self._reads[id(part)][1]

    def can_fail(self, part: nodes.Node) -> bool:
        """Return whether evaluation of a part can fail, other than by the limit of steps."""
        if id(part) not in self._failing:
            fails = self._fails_at(part) or any(map(self.can_fail, part.children))
            self._failing[id(part)] = part, fails
        return self._failing[id(part)][1]

    def is_pure(self, part: nodes.Expression) -> bool:
        """Return whether it cannot fail, counts no steps and uses no chance.

        So it can be moved, repeated or dropped.
        """
        short = not any(
            isinstance(n, nodes.Source) or (isinstance(n, CountedNode) and n.steps)
            for n in walk(part)
        )
        return short and not self.can_fail(part)

    def fails_alike(self, part: nodes.Node, slot: int) -> bool:
        """Return whether a part that fails for one value of a slot fails for every value."""
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
                first, *others = part.children
                return self.fails_alike(first, slot) and not any(map(self.can_fail, others))
        return all(self.fails_alike(child, slot) for child in part.children)

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

    def writes_of(self, part: nodes.Node) -> Names:
        """Return the names that a part of a rule can change, its own slots included."""
        if id(part) not in self._writes:
            writes = map(self.writes_of, part.children)
            self._writes[id(part)] = part, frozenset(self._writes_at(part)).union(*writes)
        return self._writes[id(part)][1]

    def _writes_at(self, node: nodes.Node) -> Iterable[str]:
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
                return self._writes_of_rule(name)
        return NOTHING

    def _writes_of_rule(self, name: str) -> Names:
        if name not in self._rules:
            body = self.writes_of(self.program.rules[name].body)
            self._rules[name] = frozenset(n for n in body if not n.startswith("#slot"))
        return self._rules[name]

    def assigned_names(self) -> Names:
        """Return the names that sentences of rules assign, except for resets."""
        writers = nodes.walk_rules(self.program, nodes.Assign, nodes.Setup)
        return frozenset[str]().union(*map(self._writes_at, writers))

    def plays_deals(self, rule: str) -> bool:
        """Return whether a deal begins in a rule, or in a rule that it calls."""
        if rule not in self._dealing:
            self._dealing[rule] = any(
                isinstance(node, nodes.DealBlock)
                or (isinstance(node, nodes.Do) and self.plays_deals(node.rule))
                for node in walk(self.program.rules[rule].body)
            )
        return self._dealing[rule]

    def starting(self, lifetime: str) -> Names:
        variables = self.program.variables.values()
        return frozenset(v.name for v in variables if v.lifetime == lifetime)


# Cost bounds: the greatest number of steps of each part, so that endless rules are stopped.

FEW = 100_000  # steps that need no counting
MANY = 10**18
CountedNode = nodes.For | nodes.Quantifier | nodes.Repeat | nodes.Call | nodes.Do
MOST_COST = 10**6  # of one turn


class Work:
    """Bounds of the steps that rules take, at a table with these numbers of each kind.

    A step is the evaluation of one node. A loop, a use of a `define` and a call of a rule are long
    if all their steps can be more than `FEW`. At each turn or use of a long part, engines count its
    greatest number of steps, without those of long parts within it. So all rules stop in time, and
    short parts cost nothing.
    """

    def __init__(self, program: nodes.Program, count: Callable[[Among | None], int]) -> None:
        self.program, self.count = program, count
        self._known: dict[tuple[int, bool], int] = {}
        self._times = {id(node): most for node, most in _repeats_by_parameter(program)}
        self._in_hand = {id(domain): hands for domain, hands in _loops_through_a_hand(program)}

    def cost(self, node: CountedNode) -> int:
        """Return the steps to count for one turn or use; 0 if all together are few."""
        if node.steps is not None:
            return node.steps
        if self._of(node, True) <= FEW:
            return 0
        steps = 1 + sum(
            self._of(part, False) for part in (*node.children, *nodes.bodies_of(node, self.program))
        )
        return min(steps, MOST_COST)

    def of(self, node: nodes.Node) -> int:
        """Return the greatest number of steps of a node, at most `MANY`."""
        return self._of(node, True)

    def _of(self, node: nodes.Node, all_of_it: bool) -> int:
        key = id(node), all_of_it
        if key not in self._known:
            if isinstance(node, nodes.Option):
                steps = self._of_option(node, all_of_it)
            else:
                inner = 1
                for part in (*node.children, *nodes.bodies_of(node, self.program)):
                    inner += self._of(part, all_of_it)
                steps = min(MANY, self._turns(node) * inner)
            if isinstance(node, CountedNode) and node.steps:
                steps = max(steps, FEW + 1)  # still counted if a pass has shortened it
            if not all_of_it and isinstance(node, CountedNode) and self._of(node, True) > FEW:
                steps = 0
            self._known[key] = steps
        return self._known[key]

    def _of_option(self, node: nodes.Option, all_of_it: bool) -> int:
        """Return the greatest number of steps of an option: its block runs for one choice only."""
        steps, choices = 1 + self._of(node.body, all_of_it), 1
        for binder in node.binders:
            steps += choices * self._of(binder, all_of_it)
            choices = min(choices * self._elements(binder), MOST_ACTIONS)
        if node.condition is not None:
            steps += choices * self._of(node.condition, all_of_it)
        return min(steps, MANY)

    def _turns(self, node: nodes.Node) -> int:
        match node:
            case nodes.For(_, _, domain) | nodes.Quantifier(_, _, _, _, domain):
                return self._elements(domain)
            case nodes.Repeat(_, times):
                most = times.type.high if isinstance(times.type, Number) else MANY
                return max(1, min(most, self._times.get(id(node), MANY)))
        return 1

    def _elements(self, domain: nodes.Domain | nodes.Binder) -> int:
        kind = domain.items.type
        if isinstance(domain.items, nodes.Hands):
            hands, cards = domain.items, self.count(Kind.CARD)
            if hands.last is None:
                return min(MANY, max(1, most_hands(cards, hands.size.type)))
            sizes = hand_sizes(cards, hands.size.type, hands.last.type)
            return min(MANY, max(1, sum(comb(cards, size) for size in sizes)))
        if id(domain) in self._in_hand:
            sizes = hand_sizes(self.count(Kind.CARD), self._in_hand[id(domain)].size.type, None)
            return max(1, sizes.stop - 1)
        if domain.last is None:
            return max(1, self.count(kind.kind)) if isinstance(kind, SetOf) else MANY
        last = domain.last.type
        if not isinstance(kind, Number) or not isinstance(last, Number):
            return MANY
        return max(1, last.high - kind.low + 1)


def _repeats_by_parameter(program: nodes.Program) -> Iterator[tuple[nodes.Repeat, int]]:
    """Yield the repetitions whose number is a parameter of their rule, with its greatest value."""
    bodies = [list(walk(one.body)) for one in program.callables]
    highest: dict[tuple[str, int], int] = {}
    for parts in bodies:
        lets = _single_lets(parts)
        for node in parts:
            if isinstance(node, nodes.Do | nodes.Call):
                name = node.rule if isinstance(node, nodes.Do) else node.function
                for slot, value in enumerate(node.args):
                    high = _most(value, lets, program)
                    highest[name, slot] = max(high, highest.get((name, slot), 0))
    for one, parts in zip(program.callables, bodies, strict=True):
        slots = _assigned_slots(parts)
        for node in parts:
            if isinstance(node, nodes.Repeat) and isinstance(node.times, nodes.Local):
                slot = node.times.slot
                if slot < len(one.params) and slot not in slots:
                    yield node, highest.get((one.name, slot), MANY)


def _loops_through_a_hand(program: nodes.Program) -> Iterator[tuple[nodes.Domain, nodes.Hands]]:
    """Yield the loops through the cards of one hand, inside a loop through hands."""
    policies = (answer.body for policy in program.policies.values() for answer in policy.answers)
    bodies = (*policies, *(function.body for function in program.functions.values()))
    for loop in (node for body in bodies for node in walk(body)):
        if isinstance(loop, nodes.For | nodes.Quantifier):
            hands = loop.domain.items
            if isinstance(hands, nodes.Hands):
                for inner in walk(loop):
                    match inner:
                        case nodes.Domain(items=nodes.Local(slot=slot)) if slot == loop.slot:
                            yield inner, hands


def _most(
    value: nodes.Expression, lets: Mapping[int, nodes.Expression], program: nodes.Program
) -> int:
    """Return the greatest possible value of a number, also of a rule's result.

    lets: the values of the rule's names that have a single one.
    """
    most = value.type.high if isinstance(value.type, Number) else MANY
    match value:
        case nodes.Local(_, _, slot) if slot in lets:
            most = min(most, _most(lets[slot], lets, program))
        case nodes.Do(_, _, name):
            parts = list(walk(program.rules[name].body))
            its_own = _single_lets(parts)
            results = [n.value for n in parts if isinstance(n, nodes.Return)]
            values = (_most(v, its_own, program) for v in results if v is not None)
            most = min(most, max(values, default=MANY))
    return most


def _single_lets(parts: list[nodes.Node]) -> dict[int, nodes.Expression]:
    """Return the value of each slot that a single `let` binds and nothing changes later."""
    lets = [node for node in parts if isinstance(node, nodes.Let)]
    counts = Counter(node.slot for node in lets)
    slots = _assigned_slots(parts)
    return {n.slot: n.value for n in lets if counts[n.slot] == 1 and n.slot not in slots}


def _assigned_slots(parts: list[nodes.Node]) -> set[int]:
    return {
        n.target.slot
        for n in parts
        if isinstance(n, nodes.Assign) and isinstance(n.target, nodes.Local)
    }
