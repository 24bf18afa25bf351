"""Vocabulary: the `define`s of strategies, with a proof that they show no hidden cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from trutdsl.diagnostics import Collector, Note, Span
from trutdsl.ir import nodes
from trutdsl.ir.effects import Effects
from trutdsl.ir.flow.labels import NO_CONTROL, PUBLIC, Atoms, Reader, hidden_from
from trutdsl.ir.flow.leaks import NAMES, Leaks
from trutdsl.ir.flow.statements import StatementFlow
from trutdsl.ir.flow.values import Binding, Env, FlowFrame, ValueFlow, seat_variables
from trutdsl.ir.lower.statements import StatementBuilder, build_define, can_be_built
from trutdsl.ir.script.history import HISTORY
from trutdsl.ir.script.names import ME, OWN, OwnDefine, PolicyExpressions, make_scope, own_frame
from trutdsl.ir.script.record import add_past
from trutdsl.ir.types import SEAT, STRENGTH, UNKNOWN, Number, describe_type, fits
from trutdsl.language import mark, say
from trutdsl.syntax import ast
from trutdsl.syntax.ast import walk
from trutdsl.variant import Variant
from trutdsl.variant.yaml_nodes import BoundedCollector

Chains = Mapping[str, Sequence[tuple[str, ast.Define]]]


class DefineBuilder:
    """Builds `define`s when they are first used.

    prefix: stands before their names among the program's functions, with a `:`.
    chains: for each name the first declaration and its replacements, each with its file.
    outer:  the builder of the `define`s that these may use, too.
    """

    def __init__(
        self,
        prefix: str,
        chains: Chains,
        variant: Variant,
        program: nodes.Program,
        errors: Collector,
        outer: DefineBuilder | None = None,
    ) -> None:
        self.prefix, self.chains, self.errors, self.outer = prefix, chains, errors, outer
        self.scope = make_scope(variant, program, self.find, errors)
        self.functions: dict[str, nodes.Function] = {}
        self._defines: dict[str, OwnDefine] = {}
        self._building: list[str] = []

    def find(self, name: str) -> OwnDefine | None:
        """Return a `define` by its name, or None if there is none."""
        if name not in self.chains:
            return None if self.outer is None else self.outer.find(name)
        if name not in self._defines:
            self._defines[name] = self._build(name)
        return self._defines[name]

    @property
    def used_names(self) -> frozenset[str]:
        """The names of the `define`s that something uses."""
        return frozenset(self._defines)

    def _build(self, name: str) -> OwnDefine:
        chain = self.chains[name]
        node = chain[-1][1]
        if not can_be_built(node, self._building, self.errors, node.name.span):
            types = (self.scope.declarations.type_of(p.type, SEAT) for p in node.params)
            empty = nodes.Const(node.span, UNKNOWN, 0)
            return OwnDefine(nodes.Function(
                node.span, f"{self.prefix}:{name}", (SEAT, *types), UNKNOWN, 0, empty, "", None,
                None,
            ), ())  # fmt: skip
        place, self.errors.place = self.errors.place, say("define '{name}'", name=name)
        self._building.append(name)
        memory = tuple(sorted(self._memory_of(name, set())))
        function: nodes.Function | None = None
        for number, (layer, one) in enumerate(chain):
            last = number == len(chain) - 1
            same = sum(other == layer for other, _ in chain[:number])  # files of the same name
            full = f"{self.prefix}:{name}" + ("" if last else f" of {layer}" + "'" * same)
            function = self._function(full, layer, one, function, memory)
            self.functions[full] = function
        self._building.pop()
        self.errors.place = place
        assert function is not None
        return OwnDefine(function, memory)

    def _memory_of(self, name: str, seen: set[str]) -> set[str]:
        """Return the script's memory that a `define` uses, directly or through others."""
        seen.add(name)
        result: set[str] = set()
        for _, node in self.chains[name]:
            for word in names_in(node.body):
                if word in self.scope.memory:
                    result.add(word)
                elif word in self.scope.indexed:
                    result |= set(self.scope.places(word))
                elif word in self.chains and word not in seen:
                    result |= self._memory_of(word, seen)
        return result

    def _function(
        self,
        name: str,
        layer: str,
        node: ast.Define,
        base: nodes.Function | None,
        memory: tuple[str, ...],
    ) -> nodes.Function:
        scope = self.scope
        frame = own_frame(scope.names)
        types = tuple(scope.declarations.type_of(p.type, SEAT) for p in node.params)
        params = [nodes.Local(node.span, SEAT, 0, ME)]
        for param, type_ in zip(node.params, types, strict=True):
            slot = frame.bind(param.name, type_)
            params.append(nodes.Local(node.span, type_, slot, param.name.text))
        slots: dict[str, int] = {}
        for one in memory:
            slots[one] = frame.size
            params.append(nodes.Local(node.span, scope.memory[one], frame.size, one))
            frame.size += 1
        values = PolicyExpressions(scope, frame, slots)
        values.base_define, values.params = base, tuple(params)
        expected = scope.declarations.type_of(node.result, UNKNOWN) if node.result else None
        builder = StatementBuilder(scope.declarations, frame, expected, pure=True, values=values)
        body, result = build_define(node, builder)
        if base is not None:
            same = base.params[1 : len(types) + 1] == types and fits(result, base.result)
            if not same or len(base.params) != len(params):
                message = say(
                    "this takes or gives something else than what it replaces, which is "
                    "{described}",
                    described=describe_type(base.result),
                )
                help_ = say("give it the same parameters and the same kind of result")
                self.errors.error("replaced-differs", message, node.name.span, help=help_)
        return nodes.Function(
            node.span, name, tuple(p.type for p in params), result, frame.size, body, layer,
            node.help, node.cites
        )  # fmt: skip


def names_in(body: ast.Node) -> Iterator[str]:
    """Yield every name of a value or call in a part of a text."""
    for node in walk(body):
        if isinstance(node, ast.Name):
            yield node.name
        elif isinstance(node, ast.Call | ast.Index):
            yield node.name.text


FORBIDDEN_LOOK = mark("this looks at {names}, which the asked seat may not see")
INSTEAD = {
    "zone": "look at what is seen: the zone of `me`, or `in_sight(ZONE[x])` for what was shown",
    "variable": "look at what is seen by all, or belongs to `me`",
}


def check_policy(program: nodes.Program, policy: nodes.Policy, errors: Collector) -> None:
    """Report every hidden place that a policy reads."""
    for memory in policy.memory:
        checker = _Sight(program)
        checker.values.label(memory.initial, checker.env)
        checker.leaks.report(errors)
    for answer in policy.answers:
        checker = _Sight(program)
        checker.sentences.follow(answer.body, checker.env, NO_CONTROL)
        checker.leaks.report(errors)


def check_function(program: nodes.Program, function: nodes.Function, errors: Collector) -> None:
    """Report every hidden place that a `define` for strategies reads, for any arguments."""
    checker = _Sight(program)
    args = [checker.env.locals[0]]
    args += [Binding(checker.atoms.fresh(), PUBLIC) for _ in function.params[1:]]
    checker.leaks.place = say("define '{name}'", name=function.name.rpartition(":")[2])
    checker.follow(function, args, checker.env)
    checker.leaks.report(errors)


class _Sight:
    """Information flow through the sentences of a policy, for the seat that is asked."""

    def __init__(self, program: nodes.Program) -> None:
        self.program = program
        self.leaks, self.atoms = Leaks(), Atoms()
        me = self.atoms.fresh()
        self.reader = Reader(False, me)
        self.env = Env(
            {0: Binding(me, PUBLIC)}, {n: self.atoms.fresh() for n in seat_variables(program)}
        )
        self.values = _SeenValues(self)
        self.sentences = StatementFlow(program, self.values, self.leaks, Effects(program))
        self.at: Span | None = None  # the call of a variant's `define` that is being followed

    def perform(self, node: nodes.Do | nodes.Call, args: list[Binding], env: Env) -> Binding:
        assert isinstance(node, nodes.Call)
        function = self.program.functions[node.function]
        old, place = self.at, self.leaks.place
        if self.at is None and ":" not in function.name:
            self.at = node.span  # authors of strategies cannot change the define itself
        elif ":" in function.name:
            self.leaks.place = say("define '{name}'", name=function.name.rpartition(":")[2])
        result = self.follow(function, args, env)
        self.at, self.leaks.place = old, place
        return result

    def follow(self, function: nodes.Function, args: list[Binding], env: Env) -> Binding:
        inner = Env(dict(enumerate(args)), dict(env.stored_keys), env.facts)
        if isinstance(function.body, nodes.Expression):
            return self.values.of(function.body, inner)
        frame, self.sentences.frame = self.sentences.frame, FlowFrame()
        self.sentences.follow(function.body, inner, NO_CONTROL)
        result = self.sentences.frame.result_value(self.atoms)
        self.sentences.frame = frame
        return result

    def look(self, node: nodes.Var | nodes.ZoneCards, binding: Binding) -> None:
        """Report a place that the seat may not see."""
        secrets = hidden_from(binding.label, frozenset({self.reader}))
        if secrets and node.name.startswith(HISTORY):
            name = node.name.removeprefix(HISTORY).removeprefix("last ")
            what = name.partition(" ")[2].partition(" at ")[0]
            message = say("the asked seat may not notice when others choose '{what}'", what=what)
            self.leaks.error(
                "hidden", message, node.span, secrets, NO_CONTROL, say("ask it of `me`")
            )
            return
        kind = "zone" if node.name in self.program.zones else "variable"
        span = self.at or node.span
        message = say(FORBIDDEN_LOOK, names=NAMES)
        self.leaks.error("hidden", message, span, secrets, NO_CONTROL, INSTEAD[kind])


class _SeenValues(ValueFlow):
    """The values of a policy; reports every place that is read but not visible."""

    def __init__(self, sight: _Sight) -> None:
        super().__init__(sight.program, sight.atoms, sight.perform)
        self.sight = sight

    def of(self, node: nodes.Expression, env: Env) -> Binding:
        result = super().of(node, env)
        if isinstance(node, nodes.Var | nodes.ZoneCards):
            self.sight.look(node, result)
        return result


# The vocabulary of a variant: `define`s for strategies, from all files of the variant.
#
# It is no part of play: it can change no rule, and the fingerprints of play leave it out. In it,
# `me` is the seat that is asked.

PREFIX = "vocabulary"


def vocabulary_of(variant: Variant, program: nodes.Program, errors: Collector) -> DefineBuilder:
    """Return the builder of a variant's vocabulary; mistakes go to `errors`."""
    chains: dict[str, list[tuple[str, ast.Define]]] = {}
    builder = DefineBuilder(PREFIX, chains, variant, program, errors)
    scope = builder.scope
    for layer in variant.layers:
        own: set[str] = set()
        for define in layer.vocabulary.defines if layer.vocabulary else ():
            name, span = define.name.text, define.name.span
            known = chains.get(name)
            if name in own or (known and not define.replaces):
                first = known[-1][1].name.span if known else span
                message = say("the vocabulary has a '{name}' already", name=name)
                help_ = say("write `replace` before it, or choose another name")
                errors.error(
                    "defined-twice", message, span, Note(say("it is here"), first), help=help_
                )
            elif define.replaces and not known:
                scope.names.unknown(
                    say("define of the vocabulary to replace called"), name, span, chains
                )
            elif not known and (name in OWN or not scope.names.declare(name, span, "define")):
                if name in OWN:
                    message = say("'{name}' is a word of strategies", name=name)
                    errors.error("reserved-word", message, span, help=say("choose another"))
            else:
                chains.setdefault(name, []).append((layer.name, define))
                own.add(name)
    scope.names.own |= set(chains)
    return builder


def check_vocabulary(variant: Variant, program: nodes.Program) -> None:
    """Check the vocabulary of a variant by itself; raises `Rejected` with every mistake."""
    errors = BoundedCollector()
    builder = vocabulary_of(variant, program, errors)
    for name in builder.chains:
        builder.find(name)
    errors.raise_if_any()
    whole = with_functions(add_past(program, builder.scope.past), builder)
    for function in builder.functions.values():
        check_function(whole, function, errors)
    errors.raise_if_any()


def with_functions(program: nodes.Program, *builders: DefineBuilder) -> nodes.Program:
    """Return a program with the functions of these builders."""
    functions = dict(program.functions)
    for builder in builders:
        functions |= builder.functions
    return replace(program, functions=functions)


WORD = "hands_beaten"  # the vocabulary's name of the strength of a hand


def add_probe(variant: Variant, program: nodes.Program) -> nodes.Program:
    """Return a program with the function `STRENGTH` of a seat, the strength of its hand.

    It also has the past that this function reads; play does not change. If the vocabulary does not
    define the strength of a hand, the program is returned as it is.
    """
    errors = BoundedCollector()
    builder = vocabulary_of(variant, program, errors)
    define = builder.find(WORD)
    errors.raise_if_any()
    if define is None or define.memory or not isinstance(define.function.result, Number):
        return program
    function, span = define.function, define.function.span
    whole = with_functions(add_past(program, builder.scope.past), builder)
    seat = nodes.Local(span, SEAT, 0, "")
    body = nodes.Call(span, function.result, function.name, (seat,))
    probe = nodes.Function(
        span, STRENGTH, (SEAT,), function.result, 1, body, function.layer, None, None
    )
    return replace(whole, functions={**whole.functions, STRENGTH: probe})
