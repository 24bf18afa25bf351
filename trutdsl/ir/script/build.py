"""Builds the policy of a script for one variant, and finds uncovered questions and dead clauses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from trutdsl.diagnostics import Collector, Diagnostic
from trutdsl.ir import nodes
from trutdsl.ir.check.size import how_many, most_of_each
from trutdsl.ir.effects import Work
from trutdsl.ir.intervals import (
    MOST_DEFINES,
    MOST_MEMORY,
    MOST_NODES_OF_AN_ANSWER,
    MOST_NODES_OF_ANSWERS,
    MOST_PARAMETERS,
    MOST_STEPS_OF_A_DECISION,
)
from trutdsl.ir.lower.body import build_source
from trutdsl.ir.lower.statements import StatementBuilder
from trutdsl.ir.script import Script
from trutdsl.ir.script.answers import AnswerBuilder, Use, uncovered
from trutdsl.ir.script.history import add_history
from trutdsl.ir.script.names import OwnDefine, PolicyExpressions, make_scope, own_frame, value_type
from trutdsl.ir.script.vocabulary import DefineBuilder, check_policy, vocabulary_of, with_functions
from trutdsl.ir.types import UNKNOWN, Number
from trutdsl.ir.walk import questions_of, rules_of_match, walk
from trutdsl.syntax import ast
from trutdsl.syntax import strategy_ast as script
from trutdsl.variant import Value, Variant


@dataclass(frozen=True)
class BuiltPolicy:
    """A script built for a variant.

    program:  the variant's, with the policy.
    policy:   its name among the program's policies.
    use:      what became of the script's clauses.
    gaps:     the questions that the policy does not always answer; with any it cannot play.
    unknown:  the clauses whose option no question has that they are asked for, with these.
    defines:  the `define`s of the script that were of use.
    strange:  the decisions that the variant does not have.
    """

    program: nodes.Program
    policy: str
    use: Use
    gaps: tuple[Diagnostic, ...]
    unknown: tuple[tuple[script.Clause, tuple[str, ...]], ...]
    defines: frozenset[str]
    strange: tuple[ast.Word, ...]


def build_policy(
    text: Script, values: Mapping[str, Value], name: str, variant: Variant, program: nodes.Program
) -> BuiltPolicy:
    """Return a script as a policy of this name; raises `Rejected` with every mistake found.

    values: of the script's parameters. program: the variant's, perhaps with other policies.
    """
    return _PolicyBuilder(text, values, name, variant, program).build()


class _DecisionCost(Work):
    """Bounds of the steps of a decision: no more cards lie in a zone than it can hold."""

    def _elements(self, domain: nodes.Domain | nodes.Binder) -> int:
        most = super()._elements(domain)
        if isinstance(domain.items, nodes.ZoneCards):
            capacity = self.program.zones[domain.items.name].capacity
            if isinstance(capacity, nodes.Const) and type(capacity.value) is int:
                return max(1, min(most, capacity.value))
        return most


class _PolicyBuilder:
    def __init__(
        self,
        text: Script,
        values: Mapping[str, Value],
        name: str,
        variant: Variant,
        program: nodes.Program,
    ) -> None:
        self.text, self.name, self.variant, self.program = text, name, variant, program
        self.errors, self.gaps = Collector(), Collector()
        chains = {
            one: [(str(number), define) for number, define in enumerate(chain)]
            for one, chain in text.defines.items()
        }
        self.own = DefineBuilder(name, chains, self.errors)
        self.vocabulary = vocabulary_of(variant, program, self.errors)
        self.scope = self.own.scope = make_scope(variant, program, self._find, self.errors)
        parameters: dict[str, nodes.Const] = {}
        for one, parameter in text.parameters.items():
            type_, value = value_type(values[one], parameter.choices, parameter.type)
            parameters[one] = nodes.Const(parameter.span, type_, value)
        self.scope.parameters = parameters
        self.scope.names.own |= {*parameters, *text.memory, *text.defines, *self.vocabulary.chains}
        for one, memory in text.memory.items():
            self.scope.memory[one] = self.scope.declarations.type_of(memory.type, UNKNOWN)
        self.use = Use()

    def _find(self, name: str) -> OwnDefine | None:
        return self.own.find(name) or self.vocabulary.find(name)

    def build(self) -> BuiltPolicy:
        self._check_declared()
        memory = tuple(self._memory(one) for one in self.text.memory.values())
        questions = asked_questions(self.program)
        answers = tuple(self._answer(number, ask) for number, ask in questions.items())
        self.errors.place = None
        strange = self._strange(questions.values())
        self._check_size(answers)
        self.errors.raise_if_any()
        policy = nodes.Policy(self.text.span, self.name, self.text.help, memory, answers)
        assert self.vocabulary.scope is not None
        program = add_history(self.program, self.scope.past | self.vocabulary.scope.past)
        program = with_functions(program, self.own, self.vocabulary)
        program = replace(program, policies={**program.policies, self.name: policy})
        self._check_work(program, policy)
        self.errors.raise_if_any()
        check_policy(program, policy, self.errors)
        self.errors.raise_if_any()
        defines = frozenset(self.own.used)
        gaps = tuple(self.gaps.diagnostics)
        return BuiltPolicy(program, self.name, self.use, gaps, self._unknown(), defines, strange)

    # -------------------------------------------------------- parts

    def _memory(self, node: script.Memory) -> nodes.Memory:
        self.errors.place = f"memory '{node.name.text}'"
        frame = own_frame(self.scope.names)
        values = PolicyExpressions(self.scope, frame)
        type_ = self.scope.memory[node.name.text]
        initial: nodes.Expression
        if node.initial is None:
            declared = ast.Variable(
                node.span, node.name, None, node.type, None, ast.Audience.ALL, "match", False
            )
            initial = self.scope.declarations.variable(declared).initial
        else:
            sentences = StatementBuilder(self.scope.declarations, frame, values=values)
            sentences.plays = False
            built = build_source(sentences, node.initial, type_)
            what = f"what '{node.name.text}' starts as"
            # Of a number, a message names the memory whose bounds it leaves.
            convert = values.as_type if isinstance(type_, Number) else values.converted
            initial = convert(built, type_, what)
        self.errors.place = None
        return nodes.Memory(node.span, node.name.text, type_, initial, node.lifetime, frame.size)

    def _answer(self, number: int, ask: nodes.Ask) -> nodes.Answer:
        chains = [self.text.answers.get(ask.decision), self.text.answers.get(None)]
        builder = AnswerBuilder(self.scope, ask, self.text.rules, self.use)
        statements: list[nodes.Statement] = []
        for chain in chains:
            if chain:
                statements += builder.answer(chain)
        if not builder.is_covered:
            own = chains[0] or chains[1]
            at = own[-1].span if own else self.text.span
            at = (
                next((w.span for w in own[-1].decisions if w.text == ask.decision), at)
                if own
                else at
            )
            message = f"when '{ask.decision}' is asked, it can be that no clause applies"
            help_ = "end with a clause that always applies, such as `any`"
            self.gaps.error("not-covered", message, at, uncovered(ask, builder.covered), help=help_)
        return nodes.Answer(
            ask.span, number, builder.frame.size, nodes.Block(ask.span, tuple(statements))
        )

    # -------------------------------------------------------- checks

    def _check_declared(self) -> None:
        """Refuse a script that declares more than it can need, before any of it is built."""
        for declared, most, what in (
            (self.text.parameters, MOST_PARAMETERS, "parameters"),
            (self.text.memory, MOST_MEMORY, "things to remember"),
            (self.text.defines, MOST_DEFINES, "defines"),
        ):
            if len(declared) > most:
                message = f"these are {len(declared):,} {what}, with those of what it extends"
                self._too_large(message, f"at most {most:,} are allowed")
        self.errors.raise_if_any()

    def _check_size(self, answers: Iterable[nodes.Answer]) -> None:
        help = "say less, or do a rule at fewer places"
        if self.use.is_full:
            message = f"its answers have more than {MOST_NODES_OF_ANSWERS:,} words with a meaning"
            self._too_large(f"{message}, with the rules that they do written out", help)
            return
        asked = asked_questions(self.program)
        functions = self.own.functions.values()
        named = [(f"to answer '{asked[a.question].decision}'", a.body) for a in answers]
        for what, body in [*named, *((f"'{f.name.split(':')[-1]}'", f.body) for f in functions)]:
            size = sum(1 for _ in walk(body))
            if size > MOST_NODES_OF_AN_ANSWER:
                message = f"{what} takes {size:,} words with a meaning of their own"
                self._too_large(message, f"at most {MOST_NODES_OF_AN_ANSWER:,} are allowed")

    def _too_large(self, message: str, help: str) -> None:
        self.errors.error("too-large", message, self.text.span, help=help)

    def _check_work(self, program: nodes.Program, policy: nodes.Policy) -> None:
        most = most_of_each(self.variant)
        work = _DecisionCost(program, lambda kind: 1 if kind is None else how_many(kind, most))
        questions = asked_questions(program)
        for answer in policy.answers:
            if work.of(answer.body) > MOST_STEPS_OF_A_DECISION:
                decision = questions[answer.question].decision
                most_steps = f"{MOST_STEPS_OF_A_DECISION:,} steps"
                message = f"to answer '{decision}' can take more than {most_steps}"
                self._too_large(message, "go through fewer things inside one another")

    def _strange(self, questions: Iterable[nodes.Ask]) -> tuple[ast.Word, ...]:
        known = {ask.decision for ask in questions}
        words = [w for chain in self.text.answers.values() for on in chain for w in on.decisions]
        return tuple(dict.fromkeys(word for word in words if word.text not in known))

    def _unknown(self) -> tuple[tuple[script.Clause, tuple[str, ...]], ...]:
        missing = [c for span, c in self.use.clauses.items() if span not in self.use.found]
        return tuple(missing)


def asked_questions(program: nodes.Program) -> dict[int, nodes.Ask]:
    """Return the questions that a match can come to, by their number."""
    rules = rules_of_match(program)
    inside = {id(n) for name in rules for n in walk(program.rules[name].body)}
    return {n: ask for n, ask in enumerate(questions_of(program)) if id(ask) in inside}
