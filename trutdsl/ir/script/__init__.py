"""Scripts of strategies: merges a script with its bases, and builds it for a variant.

`build_policy` compiles a script for one variant to a policy: an answer for each possible question.
It uses the names and expressions of the variant (`names`), and turns clauses into statements
(`answers`). `vocabulary` proves that the script reads nothing hidden.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from trutdsl.diagnostics import Collector, Diagnostic, Note, Span, did_you_mean
from trutdsl.ir import nodes
from trutdsl.ir.check import how_many, most_of_each
from trutdsl.ir.effects import Work
from trutdsl.ir.intervals import (
    MOST_DEFINES,
    MOST_MEMORY,
    MOST_NODES_OF_AN_ANSWER,
    MOST_NODES_OF_ANSWERS,
    MOST_PARAMETERS,
    MOST_STEPS_OF_A_DECISION,
)
from trutdsl.ir.lower.statements import StatementBuilder
from trutdsl.ir.nodes import questions_of, rules_of_match, walk
from trutdsl.ir.script.answers import AnswerBuilder, Use, uncovered
from trutdsl.ir.script.history import add_history
from trutdsl.ir.script.names import OwnDefine, PolicyExpressions, make_scope, own_frame, value_type
from trutdsl.ir.script.tables import MOST_TABLES, ScriptTable, Texts, read_table
from trutdsl.ir.script.vocabulary import DefineBuilder, check_policy, vocabulary_of, with_functions
from trutdsl.ir.types import UNKNOWN, Number
from trutdsl.language import figure, say
from trutdsl.syntax import ast
from trutdsl.syntax import strategy_ast as script
from trutdsl.variant import Parameter, Value, Variant
from trutdsl.variant.parameters import ParameterType


@dataclass(frozen=True)
class Script:
    """A strategy as its files declare it.

    parameters, memory: by name.
    defines, rules:     by name, the first declaration and its replacements, in order.
    tables:             by name, as their files give them.
    answers:            decision (None: `otherwise`) -> the first answer and its replacements, in
                        order.
    meant:              the variants and modules that it is for; none for any.
    """

    name: str
    span: Span
    help: str
    meant: tuple[ast.Word, ...]
    parameters: Mapping[str, Parameter]
    memory: Mapping[str, script.MemoryDeclaration]
    defines: Mapping[str, tuple[ast.Define, ...]]
    tables: Mapping[str, ScriptTable]
    rules: Mapping[str, tuple[script.SubRule, ...]]
    answers: Mapping[str | None, tuple[script.On, ...]]


def merge_script(
    own: script.StrategyTree, base: Script | None, texts: Texts, errors: Collector
) -> Script:
    """Return a script with what it extends; mistakes go to `errors`. texts: of its tables."""
    merger = _Merger(own, errors)
    parameters = dict(base.parameters) if base else {}
    for one in own.parameters:
        if merger.is_new(one.name, one.replaces, parameters, "parameter"):
            parameters[one.name.text] = _parameter(one, own.name.text, errors)
    memory = dict(base.memory) if base else {}
    for kept in own.memory:
        if merger.is_new(kept.name, kept.replaces, memory, "memory"):
            memory[kept.name.text] = kept
    defines = dict(base.defines) if base else {}
    for define in own.defines:
        if merger.is_new(define.name, define.replaces, defines, "define"):
            defines[define.name.text] = (*defines.get(define.name.text, ()), define)
    tables = dict(base.tables) if base else {}
    for declared in own.tables:
        if merger.is_new(declared.name, declared.replaces, tables, "table"):
            tables[declared.name.text] = read_table(declared, texts, errors)
    rules = dict(base.rules) if base else {}
    for rule in own.rules:
        if merger.is_new(rule.name, rule.replaces, rules, "rule"):
            rules[rule.name.text] = (*rules.get(rule.name.text, ()), rule)
    answers = dict(base.answers) if base else {}
    said: dict[str | None, Span] = {}
    for on in own.answers:
        places: list[tuple[str | None, Span]] = [(w.text, w.span) for w in on.decisions]
        for decision, span in places or [(None, on.span)]:
            if decision in said:
                what = say("`on {decision}`", decision=decision) if decision else "`otherwise`"
                note = Note(say("the first one is here"), said[decision])
                message = say("{what} is here twice", what=what)
                errors.error("defined-twice", message, span, note, help=say("put both into one"))
                continue
            said[decision] = span
            answers[decision] = (*answers.get(decision, ()), on)
    meant = own.meant or (base.meant if base else ())
    help_ = own.help or (base.help if base else "")
    return Script(
        own.name.text, own.name.span, help_, meant, parameters, memory, defines, tables, rules,
        answers,
    )  # fmt: skip


class _Merger:
    def __init__(self, own: script.StrategyTree, errors: Collector) -> None:
        self.own, self.errors = own, errors
        self.declared: dict[str, Span] = {}

    def is_new(
        self, name: ast.Word, replaces: bool, known: Mapping[str, object], what: str
    ) -> bool:
        """Return whether a declaration is allowed; report one that is not."""
        first = self.declared.setdefault(name.text, name.span)
        if first is not name.span:
            self.errors.error(
                "defined-twice",
                say(
                    "there is already a '{name}'; this {what} needs another name",
                    name=name.text,
                    what=what,
                ),
                name.span,
                Note(say("the first one is here"), first),
                help=say("choose another name"),
            )
            return False
        if replaces and name.text not in known:
            message = say(
                "there is no {what} '{name}' to replace in what this strategy extends",
                what=what,
                name=name.text,
            )
            help_ = did_you_mean(name.text, known) or say("leave out `replace`")
            self.errors.error("unknown-name", message, name.span, help=help_)
            return False
        if not replaces and name.text in known:
            message = say(
                "what this strategy extends has a {what} '{name}' already",
                what=what,
                name=name.text,
            )
            help_ = say("write `replace` before it, or choose another name")
            self.errors.error("defined-twice", message, name.span, help=help_)
            return False
        return True


def _parameter(node: script.ParameterDeclaration, origin: str, errors: Collector) -> Parameter:
    errors.place = say("parameter '{node}'", node=node.name.text)
    type_, least, most, choices = _allowed(node.type, errors)
    span, default = node.name.span, _constant(node.default)
    made = Parameter(
        node.name.text, type_, 0, node.help or "", span, node.default.span, origin, least, most,
        choices,
    )  # fmt: skip
    value: Value | None = None
    match type_, default:
        case "integer", int() if not isinstance(default, bool):
            value = default if least is None or most is None or least <= default <= most else None
        case "boolean", bool():
            value = default
        case "choice", str():
            value = default if default in choices else None
        case "probability", float():
            value = round(default * 10**6)
        case "probability", int() if default in (0, 1) and not isinstance(default, bool):
            value = default * 10**6
    if value is None and not (type_ == "integer" and least is None):
        errors.error(
            "bad-default",
            say("the default must be {allowed}", allowed=made.allowed),
            node.default.span,
            help=did_you_mean(default, choices) if isinstance(default, str) else None,
        )
    errors.place = None
    return replace(made, default=value if value is not None else least or 0)


TYPES = "a parameter is `LOW to HIGH`, `yes_no`, `probability` or `one of a | b`"


def _allowed(
    node: ast.Type, errors: Collector
) -> tuple[ParameterType, int | None, int | None, tuple[str, ...]]:
    match node:
        case ast.TypeName(_, "yes_no", False):
            return "boolean", None, None, ()
        case ast.TypeName(_, "probability", False):
            return "probability", None, None, ()
        case ast.TypeEnum(_, values):
            return "choice", None, None, tuple(value.text for value in values)
        case ast.TypeRange(_, low, high):
            least, most = _constant(low), _constant(high)
            if type(least) is int and type(most) is int and least <= most:
                return "integer", least, most, ()
    help_ = say("bounds are whole numbers, the lower first")
    if isinstance(node, ast.TypeName):
        help_ = say("a script's parameters are set before any variant is known: write out the type")
    errors.error("type", TYPES, node.span, help=help_)
    return "integer", None, None, ()


def _constant(node: ast.Expr) -> int | bool | float | str | None:
    """Return the value of a constant bound or default of a parameter; None for an expression."""
    match node:
        case ast.Number(_, value) | ast.YesNo(_, value):
            return value
        case ast.Negate(_, ast.Number(_, value)):
            return -value
        case ast.Decimal(_, millionths) if millionths is not None:
            return millionths / 10**6
        case ast.Name(_, name) | ast.Text(_, name):
            return name
    return None


MOST_NAMED = 3


def clauses_at(
    program: nodes.Program, policy: nodes.Policy, question: int, at: Span
) -> tuple[Span, ...]:
    """Return which sentences of an answer lead to a place in another file: three at most, in order.

    None if the place is in the script itself. A sentence also leads where its defines lead.
    """
    found: list[Span] = []
    leads = dict[str, bool]()
    if at.source.name == policy.span.source.name:
        return ()
    for answer in policy.answers:
        if answer.question == question:
            sentences = answer.body.statements
            found += [one.span for one in sentences if _comes_to(program, one, at, leads)]
    return tuple(dict.fromkeys(found))[:MOST_NAMED]


def _comes_to(program: nodes.Program, node: nodes.Node, at: Span, leads: dict[str, bool]) -> bool:
    for name in _asked(node):
        if name not in leads:
            leads[name] = False  # no define leads back to itself
            leads[name] = _comes_to(program, program.functions[name], at, leads)
        if leads[name]:
            return True
    return any(one.span == at for one in walk(node))


def _asked(node: nodes.Node) -> Iterator[str]:
    return (one.function for one in walk(node) if isinstance(one, nodes.Call))


@dataclass(frozen=True)
class BuiltPolicy:
    """A script built for a variant.

    program:  the variant's, with the policy.
    policy:   its name among the program's policies.
    use:      which clauses are found and reachable.
    gaps:     the questions that the policy may leave unanswered; a policy with any cannot play.
    unknown:  the clauses with an option that their questions lack, with the decisions of these.
    defines:  the `define`s of the script that something uses.
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
    """Build a script as a policy of this name; raises `Rejected` with every mistake.

    values: of the script's parameters. program: the variant's, which may have other policies.
    """
    return _PolicyBuilder(text, values, name, variant, program).build()


class _DecisionCost(Work):
    """Bounds of the steps of a decision; a zone holds no more cards than its limit."""

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
        self.scope.parameters, self.scope.tables = parameters, text.tables
        self.scope.names.own |= {
            *parameters,
            *text.memory,
            *text.tables,
            *text.defines,
            *self.vocabulary.chains,
        }
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
        memory += tuple(self.scope.draws.values())
        policy = nodes.Policy(self.text.span, self.name, self.text.help, memory, answers)
        assert self.vocabulary.scope is not None
        program = add_history(self.program, self.scope.past | self.vocabulary.scope.past)
        program = with_functions(program, self.own, self.vocabulary)
        program = replace(program, policies={**program.policies, self.name: policy})
        self._check_work(program, policy)
        self.errors.raise_if_any()
        check_policy(program, policy, self.errors)
        self.errors.raise_if_any()
        use, gaps = self.use, tuple(self.gaps.diagnostics)
        unknown = tuple(one for span, one in use.clauses.items() if span not in use.found)
        return BuiltPolicy(program, self.name, use, gaps, unknown, self.own.used, strange)

    def _memory(self, node: script.MemoryDeclaration) -> nodes.Memory:
        self.errors.place = say("memory '{node}'", node=node.name.text)
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
            built = sentences.source(node.initial, type_)
            what = say("the initial value of '{node}'", node=node.name.text)
            # If a number is out of bounds, the message names the memory.
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
            words = own[-1].decisions if own else ()
            at = next((w.span for w in words if w.text == ask.decision), at)
            message = say(
                "when '{decision}' is asked, it can be that no clause applies",
                decision=ask.decision,
            )
            help_ = say("end with a clause that always applies, such as `any`")
            self.gaps.error("not-covered", message, at, uncovered(ask, builder.covered), help=help_)
        return nodes.Answer(
            ask.span, number, builder.frame.size, nodes.Block(ask.span, tuple(statements))
        )

    def _check_declared(self) -> None:
        """Refuse a script with too many declarations before building any."""
        for declared, most, what in (
            (self.text.parameters, MOST_PARAMETERS, "parameters"),
            (self.text.memory, MOST_MEMORY, say("things to remember")),
            (self.text.defines, MOST_DEFINES, "defines"),
            (self.text.tables, MOST_TABLES, "tables"),
        ):
            if len(declared) > most:
                message = say(
                    "these are {number} {what}, with those of what it extends",
                    number=figure(len(declared), ","),
                    what=what,
                )
                self._too_large(message, say("at most {most} are allowed", most=figure(most, ",")))
        self.errors.raise_if_any()

    def _check_size(self, answers: Iterable[nodes.Answer]) -> None:
        help = say("say less, or do a rule at fewer places")
        if self.use.is_full:
            message = say(
                "its answers have more than {most_nodes_of_answers} words with a meaning",
                most_nodes_of_answers=figure(MOST_NODES_OF_ANSWERS, ","),
            )
            self._too_large(
                say("{message}, with the rules that they do written out", message=message), help
            )
            return
        asked = asked_questions(self.program)
        functions = self.own.functions.values()
        named = [(f"to answer '{asked[a.question].decision}'", a.body) for a in answers]
        for what, body in [*named, *((f"'{f.name.split(':')[-1]}'", f.body) for f in functions)]:
            size = sum(1 for _ in walk(body))
            if size > MOST_NODES_OF_AN_ANSWER:
                message = say(
                    "{what} takes {size} words with a meaning of their own",
                    what=what,
                    size=figure(size, ","),
                )
                self._too_large(
                    message,
                    say(
                        "at most {most_nodes_of_an_answer} are allowed",
                        most_nodes_of_an_answer=figure(MOST_NODES_OF_AN_ANSWER, ","),
                    ),
                )

    def _too_large(self, message: str, help: str) -> None:
        self.errors.error("too-large", message, self.text.span, help=help)

    def _check_work(self, program: nodes.Program, policy: nodes.Policy) -> None:
        most = most_of_each(self.variant)
        work = _DecisionCost(program, lambda kind: 1 if kind is None else how_many(kind, most))
        questions = asked_questions(program)
        for answer in policy.answers:
            if work.of(answer.body) > MOST_STEPS_OF_A_DECISION:
                decision = questions[answer.question].decision
                most_steps = say(
                    "{most_steps_of_a_decision} steps",
                    most_steps_of_a_decision=figure(MOST_STEPS_OF_A_DECISION, ","),
                )
                message = say(
                    "to answer '{decision}' can take more than {most_steps}",
                    decision=decision,
                    most_steps=most_steps,
                )
                self._too_large(message, say("go through fewer things inside one another"))

    def _strange(self, questions: Iterable[nodes.Ask]) -> tuple[ast.Word, ...]:
        known = {ask.decision for ask in questions}
        words = [w for chain in self.text.answers.values() for on in chain for w in on.decisions]
        return tuple(dict.fromkeys(word for word in words if word.text not in known))


def asked_questions(program: nodes.Program) -> dict[int, nodes.Ask]:
    """Return the questions that a match can reach, by their number."""
    rules = rules_of_match(program)
    inside = {id(n) for name in rules for n in walk(program.rules[name].body)}
    return {n: ask for n, ask in enumerate(questions_of(program)) if id(ask) in inside}
