"""Sight: proves that a policy looks at nothing that its seat may not see."""

from __future__ import annotations

from trutdsl.diagnostics import Collector
from trutdsl.ir import nodes
from trutdsl.ir.analysis.effects import Effects
from trutdsl.ir.builtins import VARIABLES
from trutdsl.ir.flow.expressions import Values
from trutdsl.ir.flow.labels import NO_CONTROL, PUBLIC, UNKNOWN, Atoms, Reader, hidden_from
from trutdsl.ir.flow.report import NAMES, Leaks
from trutdsl.ir.flow.rule_flow import Frame
from trutdsl.ir.flow.state import Binding, Env
from trutdsl.ir.flow.statements import Sentences
from trutdsl.ir.policy.past import said_name
from trutdsl.ir.types import Element, Kind
from trutdsl.source import Span

HISTORY = said_name(()).partition("said")[0]
SEEN = f"this looks at {NAMES}, which the seat that is asked may not see"
INSTEAD = {
    "zone": "look at what is seen: the zone of `me`, or `in_sight(ZONE[x])` for what was shown",
    "variable": "look at what is seen by all, or belongs to `me`",
}


def check_policy(program: nodes.Program, policy: nodes.Policy, errors: Collector) -> None:
    """Report everything hidden that a policy looks at."""
    for memory in policy.memory:
        checker = _Sight(program)
        checker.values.label(memory.initial, checker.env)
        checker.leaks.report(errors)
    for answer in policy.answers:
        checker = _Sight(program)
        checker.sentences.follow(answer.body, checker.env, NO_CONTROL)
        checker.leaks.report(errors)


def check_function(program: nodes.Program, function: nodes.Function, errors: Collector) -> None:
    """Report everything hidden that a `define` for strategies looks at, whatever it is given."""
    checker = _Sight(program)
    args = [checker.env.locals[0]]
    args += [Binding(checker.atoms.fresh(), PUBLIC) for _ in function.params[1:]]
    checker.leaks.place = f"define '{function.name.rpartition(':')[2]}'"
    checker.follow(function, args, checker.env)
    checker.leaks.report(errors)


class _Sight:
    """Follows the sentences of a policy with the flow of rules, for one seat that looks."""

    def __init__(self, program: nodes.Program) -> None:
        self.program = program
        self.leaks, self.atoms = Leaks(), Atoms()
        me = self.atoms.fresh()
        self.reader = Reader(False, me)
        stored = [
            v.name
            for v in program.variables.values()
            if v.index is None
            and isinstance(v.type, Element)
            and v.type.kind in (Kind.SEAT, Kind.TEAM)
        ]
        self.env = Env(
            {0: Binding(me, PUBLIC)}, {n: self.atoms.fresh() for n in [*VARIABLES, *stored]}
        )
        self.values = _SeenValues(self)
        self.sentences = Sentences(program, self.values, self.leaks, Effects(program))
        self.at: Span | None = None  # the use of a `define` of the variant that is looked into

    def perform(self, node: nodes.Do | nodes.Call, args: list[Binding], env: Env) -> Binding:
        """Return what is known of a `define`'s value."""
        assert isinstance(node, nodes.Call)
        function = self.program.functions[node.function]
        before, place = self.at, self.leaks.place
        if self.at is None and ":" not in function.name:
            self.at = node.span  # nobody who writes a strategy can change what stands inside
        elif ":" in function.name:
            self.leaks.place = f"define '{function.name.rpartition(':')[2]}'"
        found = self.follow(function, args, env)
        self.at, self.leaks.place = before, place
        return found

    def follow(self, function: nodes.Function, args: list[Binding], env: Env) -> Binding:
        """Follow a `define` with these arguments."""
        inner = Env(dict(enumerate(args)), dict(env.stored), env.facts)
        if isinstance(function.body, nodes.Expression):
            return self.values.of(function.body, inner)
        frame, self.sentences.frame = self.sentences.frame, Frame()
        self.sentences.follow(function.body, inner, NO_CONTROL)
        results = self.sentences.frame.result
        self.sentences.frame = frame
        keys = {r.key for r in results}
        same = len(keys) == 1 and UNKNOWN not in keys and None not in keys
        label = PUBLIC.union(*(r.label for r in results))
        return Binding(keys.pop() if same else self.atoms.fresh(), label)

    def look(self, node: nodes.Var | nodes.ZoneCards, found: Binding) -> None:
        """Report a place that the seat may not see."""
        secrets = hidden_from(found.label, frozenset({self.reader}))
        if secrets and node.name.startswith(HISTORY):
            what = node.name.removeprefix(f"{HISTORY}said ")
            message = f"whoever is asked may not notice when others choose '{what}'"
            self.leaks.error("hidden", message, node.span, secrets, NO_CONTROL, "ask it of `me`")
            return
        kind = "zone" if node.name in self.program.zones else "variable"
        span = self.at or node.span
        self.leaks.error("hidden", SEEN, span, secrets, NO_CONTROL, INSTEAD[kind])


class _SeenValues(Values):
    """The values of a policy; whatever is looked at is reported if it is not seen."""

    def __init__(self, sight: _Sight) -> None:
        super().__init__(sight.program, sight.atoms, sight.perform)
        self.sight = sight

    def of(self, node: nodes.Expression, env: Env) -> Binding:
        """Return what is known of a value."""
        found = super().of(node, env)
        if isinstance(node, nodes.Var | nodes.ZoneCards):
            self.sight.look(node, found)
        return found
