"""Vocabulary: the words of strategies, proved to show a seat nothing that is hidden."""

from __future__ import annotations

from trutdsl.diagnostics import Collector, Note, Span
from trutdsl.ir import nodes
from trutdsl.ir.builtins import VARIABLES
from trutdsl.ir.effects import Effects
from trutdsl.ir.flow.expressions import ValueFlow
from trutdsl.ir.flow.labels import NO_CONTROL, PUBLIC, UNKNOWN, Atoms, Reader, hidden_from
from trutdsl.ir.flow.rule_flow import NAMES, FlowFrame, Leaks
from trutdsl.ir.flow.state import Binding, Env
from trutdsl.ir.flow.statements import Sentences
from trutdsl.ir.script.defines import DefineBuilder
from trutdsl.ir.script.history import add_history, said_name
from trutdsl.ir.script.names import OWN, make_scope
from trutdsl.ir.types import SEAT, Element, Kind, Number
from trutdsl.syntax import ast
from trutdsl.variant import Variant

# Sight: proves that a policy looks at nothing that its seat may not see.

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
        frame, self.sentences.frame = self.sentences.frame, FlowFrame()
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


class _SeenValues(ValueFlow):
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


# The vocabulary of a variant: `define`s for strategies, from all that the variant is made of.
#
# It is no part of play: nothing in it can change a rule, and no fingerprint that decides play
# holds it. `me` in it is the seat that is asked.

PREFIX = "vocabulary"


def vocabulary_of(variant: Variant, program: nodes.Program, errors: Collector) -> DefineBuilder:
    """Return what builds the vocabulary of a variant; mistakes go to `errors`."""
    chains: dict[str, list[tuple[str, ast.Define]]] = {}
    builder = DefineBuilder(PREFIX, chains, errors)
    builder.scope = scope = make_scope(variant, program, builder.find, errors)
    for layer in variant.layers:
        own: set[str] = set()
        for define in layer.vocabulary.defines if layer.vocabulary else ():
            name, span = define.name.text, define.name.span
            known = chains.get(name)
            if name in own or (known and not define.replaces):
                first = known[-1][1].name.span if known else span
                errors.error(
                    "defined-twice",
                    f"the vocabulary has a '{name}' already",
                    span,
                    Note("it stands here", first),
                    help="write `replace` before it, or choose another name",
                )
            elif define.replaces and not known:
                scope.names.unknown(
                    "define of the vocabulary to replace called", name, span, chains
                )
            elif not known and (name in OWN or not scope.names.declare(name, span, "define")):
                if name in OWN:
                    message = f"'{name}' is a word of strategies"
                    errors.error("reserved-word", message, span, help="choose another")
            else:
                chains.setdefault(name, []).append((layer.name, define))
                own.add(name)
    scope.names.own |= set(chains)
    return builder


def check_vocabulary(variant: Variant, program: nodes.Program) -> None:
    """Check the vocabulary of a variant by itself; raises `Rejected` with every mistake found."""
    errors = Collector()
    builder = vocabulary_of(variant, program, errors)
    for name in builder.chains:
        builder.find(name)
    errors.raise_if_any()
    assert builder.scope is not None
    whole = add_history(program, builder.scope.past)
    whole = with_functions(whole, builder)
    for function in builder.functions.values():
        check_function(whole, function, errors)
    errors.raise_if_any()


def with_functions(program: nodes.Program, *builders: DefineBuilder) -> nodes.Program:
    """Return a program that has what was built of these `define`s."""
    functions = dict(program.functions)
    for builder in builders:
        functions |= builder.functions
    return nodes.Program(
        program.zones, program.variables, functions, program.rules, program.policies
    )


# Probe: what a measurement asks of who answers, by a word of the variant's vocabulary.

# How strong a hand is: of a thousand hands that could be held, how many it beats.
WORD, STRENGTH = "hands_beaten", "measure:strength"
WHOLE = 1000


def add_probe(variant: Variant, program: nodes.Program) -> nodes.Program:
    """Return a program that has the strength of hands as the function `STRENGTH` of a seat.

    With what of the past that rests on; nothing that happens is changed by it. The same program
    where the vocabulary does not say how strong a hand is.
    """
    errors = Collector()
    builder = vocabulary_of(variant, program, errors)
    found = builder.find(WORD)
    errors.raise_if_any()
    if found is None or found.memory or not isinstance(found.function.result, Number):
        return program
    function, span = found.function, found.function.span
    assert builder.scope is not None
    whole = with_functions(add_history(program, builder.scope.past), builder)
    seat = nodes.Local(span, SEAT, 0, "")
    body = nodes.Call(span, function.result, function.name, (seat,))
    probe = nodes.Function(
        span, STRENGTH, (SEAT,), function.result, 1, body, function.layer, None, None
    )
    functions = {**whole.functions, STRENGTH: probe}
    return nodes.Program(whole.zones, whole.variables, functions, whole.rules, whole.policies)
