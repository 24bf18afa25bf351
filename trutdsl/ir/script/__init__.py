"""Scripts of strategies: builds a script for a variant.

`merge` joins a script with its bases. `build_policy` compiles it for one variant to a policy: an
answer for each possible question. It uses the names and expressions of the variant (`names`), and
turns clauses into statements (`answers`). `vocabulary` proves that the script reads nothing hidden.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from trutdsl.diagnostics import Collector, Note, Span
from trutdsl.ir import nodes
from trutdsl.ir.check import how_many, most_cards, most_of_each
from trutdsl.ir.effects import Work
from trutdsl.ir.intervals import (
    MOST_DEFINES,
    MOST_MEMORY,
    MOST_NODES_OF_AN_ANSWER,
    MOST_NODES_OF_ANSWERS,
    MOST_PARAMETERS,
    MOST_STEPS_OF_A_DECISION,
    most_hands,
)
from trutdsl.ir.lower.statements import StatementBuilder
from trutdsl.ir.nodes import questions_of, rules_from, walk
from trutdsl.ir.script.answers import AnswerBuilder, Use
from trutdsl.ir.script.forms import form_of
from trutdsl.ir.script.history import words_of
from trutdsl.ir.script.merge import Script
from trutdsl.ir.script.names import PolicyExpressions, own_frame, value_type
from trutdsl.ir.script.record import add_past
from trutdsl.ir.script.tables import MOST_TABLES
from trutdsl.ir.script.vocabulary import DefineBuilder, check_policy, vocabulary_of, with_functions
from trutdsl.ir.types import UNKNOWN, Kind, Number
from trutdsl.language import figure, quote_name, say
from trutdsl.syntax import ast
from trutdsl.syntax import strategy_ast as script
from trutdsl.variant import Value, Variant
from trutdsl.variant.yaml_nodes import BoundedCollector

MOST_NAMED = 3


def clauses_at(
    program: nodes.Program, policy: nodes.Policy, question: int, at: Span
) -> tuple[Span, ...]:
    """Return which sentences of an answer lead to a place in another file: three at most, in order.

    None if the place is in the script itself. A sentence also leads where its defines lead.
    """
    result: list[Span] = []
    leads = dict[str, bool]()
    if at.source.name == policy.span.source.name:
        return ()
    for answer in policy.answers:
        if answer.question == question:
            sentences = answer.body.statements
            result += [one.span for one in sentences if _comes_to(program, one, at, leads)]
    return tuple(dict.fromkeys(result))[:MOST_NAMED]


def _comes_to(program: nodes.Program, node: nodes.Node, at: Span, leads: dict[str, bool]) -> bool:
    parts = [*walk(node)]
    for name in (one.function for one in parts if isinstance(one, nodes.Call)):
        if name not in leads:
            leads[name] = False  # no define leads back to itself
            leads[name] = _comes_to(program, program.functions[name], at, leads)
        if leads[name]:
            return True
    return any(one.span == at for one in parts)


# Gaps of a script: the questions that it may leave unanswered, and the errors that name them.


@dataclass(frozen=True)
class Gap:
    """A question that a script may leave unanswered.

    span: the last clauses for it, or the script if there are none (then `is_bare`).
    note: where it is asked, and the options that no clause takes without a condition.
    """

    decision: str
    span: Span
    is_bare: bool
    note: Note


def gap_at(span: Span, is_bare: bool, question: nodes.Ask, covered_options: Container[int]) -> Gap:
    """Return the gap of a question, of whose options clauses without a condition cover some."""
    options = ", ".join(
        f"`{' '.join(filter(None, form_of(option, question.decision)))}`"
        for number, option in enumerate(question.options)
        if number not in covered_options
    )
    text = say("it is asked here; no clause takes {options} without a condition", options=options)
    return Gap(question.decision, span, is_bare, Note(text, question.span))


def report_gaps(gaps: Iterable[Gap], errors: Collector) -> None:
    """Report one error for each place of the script: gaps of the same place have the same cure."""
    places: dict[Span, list[Gap]] = {}
    for gap in gaps:
        places.setdefault(gap.span, []).append(gap)
    for span, group in places.items():
        decisions = list(dict.fromkeys(gap.decision for gap in group))
        help_ = say("end with a clause that always applies, such as `any`")
        if group[0].is_bare:
            help_ = say("answer with `on DECISION:`, or end the script with `otherwise: any`")
        if len(decisions) == 1:
            text = "in some cases no clause answers '{decision}'"
            message = say(text, decision=decisions[0])
            notes = tuple({gap.note.span: gap.note for gap in group}.values())
        else:
            text = "in some cases no clause answers one of these questions: {decisions}"
            message = say(text, decisions=", ".join(decisions))
            notes = ()  # where each is asked would hide what to do
        errors.error("not-covered", message, span, *notes, help=help_)


AskedAbout = tuple[Span, tuple[str, ...], str | None]


@dataclass(frozen=True)
class BuiltPolicy:
    """A script built for a variant.

    program:         the variant's, with the policy.
    policy:          its key among the program's policies.
    use:             which clauses are known and reachable.
    gaps:            the questions that the policy may leave unanswered; a policy with any cannot
                     play.
    unknown:         the clauses with an option that their questions lack, with the decisions of
                     these.
    defines:         the `define`s of the script that something uses.
    strange:         the decisions that the variant does not have.
    unknown_options: the options that it asks about in vain, since the variant does not have them:
                     where, their words, and the decision.
    """

    program: nodes.Program
    policy: str
    use: Use
    gaps: tuple[Gap, ...]
    unknown: tuple[tuple[script.Clause, tuple[str, ...]], ...]
    defines: frozenset[str]
    strange: tuple[ast.Word, ...]
    unknown_options: tuple[AskedAbout, ...]


def build_policy(
    text: Script,
    values: Mapping[str, Value],
    name: str,
    variant: Variant,
    program: nodes.Program,
    key: str = "",
) -> BuiltPolicy:
    """Build a script as a policy of this name; raises `Rejected` with every mistake.

    values: of the script's parameters. program: the variant's, which may have other policies.
    key: of the policy in the program, if it is not the name.
    """
    return _PolicyBuilder(text, values, name, variant, program, key or name).build()


class _DecisionCost(Work):
    """Bounds of the steps of a decision; a zone holds no more cards than its limit."""

    def _elements(self, domain: nodes.Domain | nodes.Binder) -> int:
        most = super()._elements(domain)
        match domain.items:
            case nodes.ZoneCards():
                return max(1, min(most, self._cards(domain.items)))
            case nodes.Hands(_, _, size, cards, None):
                return max(1, min(most, most_hands(self._cards(cards), size.type)))
        return most

    def _cards(self, cards: nodes.Expression) -> int:
        return most_cards(cards, self.program, self.count(Kind.CARD))


class _PolicyBuilder:
    def __init__(
        self,
        text: Script,
        values: Mapping[str, Value],
        name: str,
        variant: Variant,
        program: nodes.Program,
        key: str,
    ) -> None:
        self.text, self.name, self.variant, self.program = text, name, variant, program
        self.key = key
        self.errors, self.gaps = BoundedCollector(), list[Gap]()
        chains = {
            one: [(str(number), define) for number, define in enumerate(chain)]
            for one, chain in text.defines.items()
        }
        self.vocabulary = vocabulary_of(variant, program, self.errors)
        self.own_defines = DefineBuilder(
            key, chains, variant, program, self.errors, self.vocabulary
        )
        self.scope = self.own_defines.scope
        parameters: dict[str, nodes.Const] = {}
        for one, parameter in text.parameters.items():
            type_, value = value_type(values[one], parameter.choices, parameter.type)
            parameters[one] = nodes.Const(parameter.span, type_, value)
        self.scope.parameters, self.scope.tables = parameters, text.tables
        self.scope.names.own |= {
            *parameters,
            *text.memory,
            *text.tables,
            *text.defines,
            *self.vocabulary.chains,
        }
        for one, memory in text.memory.items():
            self._declare(one, memory)
        self.use = Use()

    def _declare(self, name: str, node: script.MemoryDeclaration) -> None:
        """Declare a memory, with an index one for each element."""
        type_ = self.scope.declarations.type_of(node.type, UNKNOWN)
        if node.index is None:
            self.scope.memory[name] = type_
            return
        most = most_of_each(self.variant)
        kind = {"seat": Kind.SEAT, "team": Kind.TEAM}.get(node.index.text)
        if kind is None:
            text = "a memory has a value for each `seat` or `team`, not for '{index}'"
            message = say(text, index=node.index.text)
            help_ = say("write `{name}[seat]`", name=name)
            self.errors.error("type", message, node.index.span, help=help_)
            kind = Kind.SEAT
        self.scope.indexed[name] = kind, how_many(kind, most)
        self.scope.memory |= dict.fromkeys(self.scope.places(name), type_)

    def build(self) -> BuiltPolicy:
        self._check_declared()
        memory: tuple[nodes.Memory, ...] = ()
        for name, one in self.text.memory.items():
            places = self.scope.places(name) if one.index is not None else (name,)
            own = tuple(self._memory(one, place) for place in places)
            self._check_start(name, own[0].initial, {earlier.name for earlier in memory})
            memory += own
        questions = reachable_questions(self.program)
        answers = tuple(self._answer(number, ask) for number, ask in questions.items())
        self.errors.place = None
        strange = self._strange(questions.values())
        self._check_size(answers)
        self.errors.raise_if_any()
        memory += tuple(self.scope.draws.values())
        policy = nodes.Policy(self.text.span, self.name, self.text.help, memory, answers)
        past = self.scope.past | self.vocabulary.scope.past
        program = add_past(self.program, past)
        program = with_functions(program, self.own_defines, self.vocabulary)
        program = replace(program, policies={**program.policies, self.key: policy})
        self._check_work(program, policy)
        self.errors.raise_if_any()
        check_policy(program, policy, self.errors)
        self.errors.raise_if_any()
        use, gaps = self.use, tuple(self.gaps)
        unknown = tuple(one for span, one in use.clauses.items() if span not in use.known)
        unknown_options = tuple(self._unknown_options(questions.values()))
        return BuiltPolicy(
            program,
            self.key,
            use,
            gaps,
            unknown,
            self.own_defines.used_names,
            strange,
            unknown_options,
        )

    def _unknown_options(self, questions: Collection[nodes.Ask]) -> Iterator[AskedAbout]:
        for span, (words, decision) in self.scope.option_counts.items():
            asks = [ask for ask in questions if decision in (None, ask.decision)]
            known = {words_of(option, ask.decision) for ask in asks for option in ask.options}
            if words not in known:
                yield span, words, decision

    def _memory(self, node: script.MemoryDeclaration, name: str) -> nodes.Memory:
        self.errors.place = say("memory '{node}'", node=node.name.text)
        frame = own_frame(self.scope.names)
        values = PolicyExpressions(self.scope, frame)
        type_ = self.scope.memory[name]
        initial: nodes.Expression
        if node.initial is None:
            variable = ast.Variable(
                node.span, False, node.name, None, node.type, None, ast.Audience.ALL, "match"
            )
            initial = self.scope.declarations.variable(variable).initial
        else:
            sentences = StatementBuilder(self.scope.declarations, frame, values=values)
            sentences.plays = False
            value = sentences.source(node.initial, type_)
            what = say("the initial value of '{node}'", node=node.name.text)
            # If a number is out of bounds, the message names the memory.
            convert = values.as_type if isinstance(type_, Number) else values.convert
            initial = convert(value, type_, what)
        self.errors.place = None
        return nodes.Memory(node.span, name, type_, initial, node.lifetime, frame.size)

    def _check_start(self, name: str, initial: nodes.Expression, ready: Container[str]) -> None:
        """Report memory that starts from other memory which is not set yet."""
        for part in walk(initial):
            if isinstance(part, nodes.Remembered) and part.name not in ready:
                what, missing = say("memory '{node}'", node=name), part.name.partition("[")[0]
                text = "{what} starts from '{missing}', which is not there yet at that moment"
                message = say(text, what=what, missing=missing)
                help_ = say("declare that one above, or begin with another value")
                self.errors.error("misplaced", message, initial.span, help=help_)
                return

    def _answer(self, number: int, ask: nodes.Ask) -> nodes.Answer:
        chains = [self.text.answers.get(ask.decision), self.text.answers.get(None)]
        builder = AnswerBuilder(self.scope, ask, self.text.rules, self.use)
        statements: list[nodes.Statement] = builder.after_deals(self.text.after_deal)
        for chain in chains:
            if chain:
                statements += builder.answer(chain)
        if not builder.is_covered:
            own = chains[0] or chains[1]
            at = own[-1].span if own else self.text.span
            words = own[-1].decisions if own else ()
            at = next((w.span for w in words if w.text == ask.decision), at)
            self.gaps.append(gap_at(at, not own, ask, builder.covered_options))
        return nodes.Answer(
            ask.span, number, builder.frame.size, nodes.Block(ask.span, tuple(statements))
        )

    def _check_declared(self) -> None:
        """Refuse a script with too many declarations before building any."""
        for declarations, most, what in (
            (self.text.parameters, MOST_PARAMETERS, "parameters"),
            (self.text.memory, MOST_MEMORY, say("things to remember")),
            (self.text.defines, MOST_DEFINES, "defines"),
            (self.text.tables, MOST_TABLES, "tables"),
        ):
            if len(declarations) > most:
                text = "these are {number} {what}, with those of what it extends"
                message = say(text, number=figure(len(declarations), ","), what=what)
                self._too_large(message, say("at most {most} are allowed", most=figure(most, ",")))
        self.errors.raise_if_any()

    def _check_size(self, answers: Iterable[nodes.Answer]) -> None:
        help = say("say less, or do a rule at fewer places")
        if self.use.is_full:
            text = "its answers have more than {most} meaningful words"
            message = say(text, most=figure(MOST_NODES_OF_ANSWERS, ","))
            self._too_large(
                say("{message}, with the rules that they do written out", message=message), help
            )
            return
        questions = reachable_questions(self.program)
        functions = self.own_defines.functions.values()
        bodies = [
            (say("to answer '{decision}'", decision=questions[a.question].decision), a.body)
            for a in answers
        ]
        for what, body in [
            *bodies,
            *((quote_name(f.name.split(":")[-1]), f.body) for f in functions),
        ]:
            size = sum(1 for _ in walk(body))
            if size > MOST_NODES_OF_AN_ANSWER:
                text = "{what} takes {size} meaningful words"
                message = say(text, what=what, size=figure(size, ","))
                text = "at most {most} are allowed"
                self._too_large(message, say(text, most=figure(MOST_NODES_OF_AN_ANSWER, ",")))

    def _too_large(self, message: str, help: str) -> None:
        self.errors.error("too-large", message, self.text.span, help=help)

    def _check_work(self, program: nodes.Program, policy: nodes.Policy) -> None:
        most = most_of_each(self.variant)
        work = _DecisionCost(program, lambda kind: 1 if kind is None else how_many(kind, most))
        questions = reachable_questions(program)
        for answer in policy.answers:
            if work.of(answer.body) > MOST_STEPS_OF_A_DECISION:
                decision = questions[answer.question].decision
                text = "{most} steps"
                most_steps = say(text, most=figure(MOST_STEPS_OF_A_DECISION, ","))
                text = "to answer '{decision}' can take more than {most}"
                message = say(text, decision=decision, most=most_steps)
                self._too_large(message, say("go through fewer things inside one another"))

    def _strange(self, questions: Iterable[nodes.Ask]) -> tuple[ast.Word, ...]:
        known = {ask.decision for ask in questions}
        words = [w for chain in self.text.answers.values() for on in chain for w in on.decisions]
        return tuple(dict.fromkeys(word for word in words if word.text not in known))


def reachable_questions(program: nodes.Program) -> dict[int, nodes.Ask]:
    """Return the questions that a match can reach, by their number."""
    rules = rules_from(program, "match")
    ids = {id(n) for name in rules for n in walk(program.rules[name].body)}
    return {n: ask for n, ask in enumerate(questions_of(program)) if id(ask) in ids}
