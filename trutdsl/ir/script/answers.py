"""The answer of a script to one question: its clauses as statements, and what they cover."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from trutdsl.diagnostics import Span
from trutdsl.ir import nodes
from trutdsl.ir.intervals import MOST_DEALS, MOST_NODES_OF_ANSWERS
from trutdsl.ir.lower.scope import mistake
from trutdsl.ir.nodes import if_holds, walk
from trutdsl.ir.script.choices import (
    AnswerBody,
    Selection,
    Statements,
    choose_one,
    choose_several,
    compare,
    must,
)
from trutdsl.ir.script.forms import form_of, names_in, options_called
from trutdsl.ir.script.history import HISTORY
from trutdsl.ir.script.names import ME, Scope
from trutdsl.ir.script.record import DEALS_OVER, reasons_in
from trutdsl.ir.types import (
    SEAT,
    TO_TEAM,
    YES_NO,
    Hands,
    Kind,
    Number,
    OneOf,
    SetOf,
    Type,
    without_none,
)
from trutdsl.language import quote_name, say
from trutdsl.syntax import ast
from trutdsl.syntax import strategy_ast as script

# Clauses as statements: which option they take, and under which condition.


def when(node: script.Clause, test: nodes.Expression | None, body: Statements) -> Statements:
    if test is None or node.condition is None:
        return body
    return [if_holds(node.condition.span, test, body)]


# Branches of an answer: `if`, `if let`, `else` around clauses, and what they cover together.

Branches = Sequence[tuple[ast.Expr | ast.Given, script.Choices]]


MOST_INSIDE = 20  # nested calls of rules


@dataclass
class Use:
    """Which clauses a variant uses, over all its questions.

    clauses:     by position, every clause with its decisions; no decisions: any.
    known:       those whose option some question has; alive: those that some answer can take.
    unreachable: for a clause that is never reached, the clause that always applies before it.
    size:        of the answers so far: their nodes, and one more for each part of a block.
    """

    clauses: dict[Span, tuple[script.Clause, tuple[str, ...]]] = field(default_factory=dict)
    known: set[Span] = field(default_factory=set)
    alive: set[Span] = field(default_factory=set)
    unreachable: dict[Span, Span] = field(default_factory=dict)
    size: int = 0

    @property
    def is_full(self) -> bool:
        """Return whether the answers exceed the allowed size."""
        return self.size > MOST_NODES_OF_ANSWERS

    def count(self, parts: Iterable[nodes.Node]) -> None:
        self.size += sum(1 for part in parts for _ in walk(part))

    def is_for_the_rest(self, span: Span, other: Span) -> bool:
        """Return whether a clause of `otherwise` never runs, since decisions have own answers."""
        return not self.clauses[span][1] and bool(self.clauses[other][1])

    def look_at(self, clause: script.Clause, decisions: tuple[str, ...]) -> None:
        """Record a clause in an answer to these decisions."""
        known = self.clauses.get(clause.span, (clause, decisions))[1]
        both = tuple(dict.fromkeys((*known, *decisions))) if known and decisions else ()
        self.clauses[clause.span] = (clause, both)


ALWAYS = -1  # beside the numbers of options
NEVER_EMPTY = {"suits", "ranks", "seats", "teams", "pack_cards", "whole"}


def _is_always_offered(option: nodes.Option) -> bool:
    """Tell whether an option has no condition, and something to choose whatever has happened."""
    return option.condition is None and all(map(_offers_some, option.binders))


def _offers_some(choice: nodes.Binder) -> bool:
    if choice.last is not None:
        least, most = choice.items.type, choice.last.type
        return isinstance(least, Number) and isinstance(most, Number) and least.high <= most.low
    return isinstance(choice.items, nodes.Builtin) and choice.items.name in NEVER_EMPTY


class AnswerBuilder(AnswerBody):
    """Builds the answer of a script to one question.

    rules:           the script's sub-rules, which are expanded inline.
    covered_options: the options that are certainly taken if they are legal, and by which clause;
                     `ALWAYS` if some clause takes one that is always legal.
                     After branches, an option is covered if every branch covers it.
    """

    def __init__(
        self,
        scope: Scope,
        question: nodes.Ask,
        rules: Mapping[str, Sequence[script.SubRule]],
        use: Use,
    ) -> None:
        super().__init__(scope)
        self.question, self.rules, self.use = question, rules, use
        self.covered_options: dict[int, Span] = {}
        self.decisions: tuple[str, ...] = ()
        self._open_rules: list[str] = []
        self._bases: list[Sequence[script.Choices]] = []

    @property
    def is_covered(self) -> bool:
        """Return whether some clause certainly applies, whatever is legal."""
        covered = self.covered_options
        return ALWAYS in covered or len(covered) == len(self.question.options)

    def answer(self, chain: Sequence[script.On]) -> Statements:
        """Build the body of `on` or `otherwise`; its base is the one that it replaces."""
        self.decisions = tuple(word.text for word in chain[-1].decisions)
        where = ", ".join(self.decisions)
        self.errors.place = say("on {where}", where=where) if where else "otherwise"
        statements = self.chain([on.body for on in chain])
        self.errors.place = None
        return statements

    def after_deals(self, blocks: Sequence[script.AfterDeal]) -> Statements:
        """Build what is done before the first answer after each deal, about that deal.

        The names `winner` and `reason` are bound in it, as in the rules' `when a deal is over`.
        """
        if not blocks:
            return []
        span, past = blocks[0].span, self.scope.past
        past.over = True
        deals, reasons = Number(0, MOST_DEALS), OneOf(reasons_in(self.scope.program))
        memory = nodes.Remembered(span, deals, DEALS_OVER)
        zero = nodes.number(span, 0)
        self.scope.draws[DEALS_OVER] = nodes.Memory(span, DEALS_OVER, deals, zero, "match", 1)
        counter = nodes.Var(span, deals, DEALS_OVER, None)
        self.errors.place, self.values.over = "after deal", True
        with self.frame.inner():
            statements: Statements = [nodes.Assign(span, memory, "=", counter)]
            for name, type_ in (("winner", TO_TEAM), ("reason", reasons)):
                slot = self.frame.bind(ast.Word(span, name), type_)
                self.frame.fixed_slots.add(slot)
                value = nodes.Var(span, type_, f"{HISTORY}{name}", None)
                statements.append(nodes.Let(span, slot, value))
            for block in blocks:
                for node in ast.walk(block.body):
                    if isinstance(node, script.Clause | script.Mix | ast.Do):
                        text = "after a deal nothing is asked; a script only notes what it has seen"
                        message, help_ = say(text), say("set memory, as in `losses += 1`")
                        self.errors.error("misplaced", message, node.span, help=help_)
                        break
                else:
                    statements += self.block(block.body)
        self.values.over, self.errors.place = False, None
        return [if_holds(span, nodes.Compare(span, YES_NO, "!=", memory, counter), statements)]

    def chain(self, bodies: Sequence[script.Choices]) -> Statements:
        """Build the last of these bodies; `do base` in it stands for the one before it."""
        self._bases.append(bodies[:-1])
        statements = self.block(bodies[-1])
        self._bases.pop()
        return statements

    def block(self, node: script.Choices) -> Statements:
        """Build the clauses of a block and the statements between them."""
        with self.frame.inner():
            statements: Statements = []
            for choice in node.choices:
                if self.use.is_full:  # reported after all is built
                    break
                self.use.size += 1
                statements += self._choice(choice)
        return statements

    def _choice(self, node: script.Choice) -> Statements:
        match node:
            case script.Clause():
                return self._count(self._clause(node))
            case script.IfChoice():
                return self.build_branches(node)
            case script.Mix():
                return self.build_mix(node)
            case script.ForChoice(span, name, domain, body):
                old = dict(self.covered_options)
                with self.frame.inner():
                    slot, loop_domain = self.values.domain(domain, name)
                    self.use.count([loop_domain])
                    self.sentences.loops += 1
                    inner = self.block(body)
                    self.sentences.loops -= 1
                self.covered_options = old
                return [nodes.For(span, slot, loop_domain, nodes.Block(span, tuple(inner)))]
            case ast.Do():
                return self._do(node)
            case ast.Assign():
                return self._count(self.assignment(node))
            case ast.Let() | ast.Stop() | ast.Next():
                return self._count(self.sentences.sentences(node))
            case _:
                assert_never(node)

    def build_branches(self, node: script.IfChoice) -> Statements:
        old, ends = dict(self.covered_options), list[dict[int, Span]]()

        def inside(choices: script.Choices | None) -> Statements:
            self.covered_options = dict(old)
            body = self.block(choices) if choices is not None else []
            ends.append(self.covered_options)
            return body

        def branches(rest: Branches) -> Statements:
            if not rest:
                return inside(node.otherwise)
            (condition, choices), *others = rest
            opening = list[nodes.Statement]()
            with self.frame.inner():
                if isinstance(condition, ast.Given):
                    value, test, name = self.sentences.open_given(condition)
                    opening = [value]
                    inner = [name(), *inside(choices)]
                else:
                    test = self.values.yes_no(condition)
                    inner = inside(choices)
            last = nodes.Block(node.span, tuple(branches(others)))
            block = nodes.Block(choices.span, tuple(inner))
            self.use.count([*opening, test])
            return [*opening, nodes.If(node.span, ((test, block),), last)]

        statements = branches(node.branches)
        self.covered_options = {n: at for n, at in ends[0].items() if all(n in end for end in ends)}
        return statements

    def build_mix(self, node: script.Mix) -> Statements:
        """Build parts of which one is drawn; if none of its clauses applies, what follows does."""
        pick, draw, is_sure = self.draw_part(node)
        self.use.count(draw)
        old, ends = dict(self.covered_options), list[dict[int, Span]]()
        parts: Statements = []
        for number, share in enumerate(node.shares, 1):
            self.covered_options = dict(old)
            body = self.block(share.body)
            ends.append(self.covered_options)
            parts.append(if_holds(share.weight.span, compare(pick, "==", number), body))
        certain = {n: at for n, at in ends[0].items() if all(n in end for end in ends)}
        self.covered_options = certain if is_sure else old
        return [*draw, *parts]

    def _count(self, statements: Statements) -> Statements:
        self.use.count(statements)
        return statements

    def _do(self, node: ast.Do) -> Statements:
        name = node.name.text
        if name == "base":
            return self._base(node)
        chain = self.rules.get(name)
        if chain is None:
            self.scope.names.unknown("rule", name, node.name.span, self.rules)
            return []
        if name in self._open_rules or len(self._open_rules) >= MOST_INSIDE:
            cycle = " -> ".join([*self._open_rules, name])
            message = say("the rule '{name}' calls itself: {cycle}", name=name, cycle=cycle)
            self.errors.error(
                "recursion", message, node.span, help=say("use `for`, or another rule")
            )
            return []
        rule = chain[-1]
        if len(node.args or ()) != len(rule.params):
            params = [self.scope.declarations.type_of(param.type, SEAT) for param in rule.params]
            self.values.arity(name, params, len(node.args or ()), node.span)
            return []
        statements: Statements = []
        names: dict[str, tuple[int, Type]] = {}
        for param, arg in zip(rule.params, node.args or (), strict=True):
            type_ = self.scope.declarations.type_of(param.type, SEAT)
            what = say("this argument of '{name}'", name=name)
            value = self.values.convert(self.values.build(arg, type_), type_, what)
            statements.append(nodes.Let(arg.span, self.frame.size, value))
            names[param.name.text] = (self.frame.size, type_)
            self.frame.size += 1
        self.use.count(statements)
        loops, self.sentences.loops = self.sentences.loops, 0
        self._open_rules.append(name)
        place, self.errors.place = self.errors.place, say("rule '{name}'", name=name)
        with self.frame.inner():
            self.frame.bound = {ME: self.frame.bound[ME], **names}
            statements += self.chain([one.body for one in chain])
        self.errors.place = place
        self._open_rules.pop()
        self.sentences.loops = loops
        return statements

    def _base(self, node: ast.Do) -> Statements:
        bases = self._bases[-1]
        if not bases or node.args is not None:
            message = say("there is nothing here that `base` could mean")
            help_ = say(
                "`do base` does the clauses that this block or rule replaces; what `on` "
                "leaves open goes on to `otherwise` without it"
            )
            self.errors.error("unknown-name", message, node.span, help=help_)
            return []
        return self.chain(bases)

    def _clause(self, node: script.Clause) -> Statements:
        self.use.look_at(node, self.decisions)
        ask = self.question
        if not node.words:
            numbers = list(range(len(ask.options)))
        else:
            forms = [form_of(option, ask.decision) for option in ask.options]
            numbers = options_called(node, forms)
        if not numbers:
            return []
        self.use.known.add(node.span)
        never = isinstance(node.condition, ast.YesNo) and not node.condition.value
        if not never and any(n not in self.covered_options for n in numbers):
            self.use.alive.add(node.span)
        elif not never:
            cover = self.covered_options[numbers[0]]
            known = self.use.unreachable.setdefault(node.span, cover)
            if self.use.is_for_the_rest(node.span, known):
                self.use.unreachable[node.span] = cover
        test = self._test(node, numbers)
        if node.words:
            statements = self._clauses(node, numbers, test)
        else:
            end = [*self.assignments(node.body), nodes.TakeAny(node.span)]
            statements = when(node, test, self.by_chance(node, end))
        always = node.condition is None or (isinstance(node.condition, ast.YesNo) and not never)
        if always and node.odds is None and node.where is None:
            options = [ask.options[number] for number in numbers]
            if any(option.condition is None and not option.binders for option in options):
                numbers = list(range(len(ask.options)))
            for number in numbers:
                self.covered_options.setdefault(number, node.span)
            if any(map(_is_always_offered, options)):
                self.covered_options.setdefault(ALWAYS, node.span)
        return statements

    def _test(self, node: script.Clause, numbers: Sequence[int]) -> nodes.Expression | None:
        """Return the condition of a clause, which cannot use the names of its choices."""
        if node.condition is None:
            return None
        decision, options = self.question.decision, self.question.options
        forms = [form_of(options[n], decision) for n in numbers if node.words]
        names = {word.text for form in forms for word in names_in(node, form)}
        parts = [*ast.walk(node.condition)]
        own = {part.name.text for part in parts if isinstance(part, ast.Quantifier)}
        for used in parts:
            if isinstance(used, ast.Name) and used.name in names - {*self.frame.bound} - own:
                message = say("`when` is decided before there is a '{name}'", name=used.name)
                cure = say("write `where` instead of `when`: it tests each choice")
                if node.keys or node.drawn:
                    cure = say("write `where` instead, before `with`: it tests each choice")
                return mistake(self.errors, message, used.span, help=cure, code="unknown-name")
        return self.values.yes_no(node.condition)

    def _clauses(
        self, node: script.Clause, numbers: Sequence[int], test: nodes.Expression | None
    ) -> Statements:
        """Build a clause for these options, under its condition.

        test: the condition. For a single option without choices, it is only tested where the
              option is legal.
        """
        if len(numbers) == 1 and not self.question.options[numbers[0]].binders:
            return self._one_clause(node, numbers[0], test)
        statements = [s for number in numbers for s in self._one_clause(node, number, None)]
        return when(node, test, statements)

    def _refuse_selection(self, node: script.Clause) -> None:
        """Report a clause that selects among the choices of an option that has none."""
        words, at = " ".join(word.text for word in node.words), node.span
        help_ = say("write `{words}`", words=words)
        if node.where is not None:
            at, help_ = node.where.span, say("write `when` instead of `where`")
        elif node.keys:
            at = node.keys[0].value.span
        elif node.drawn:
            help_ = say("write `{words} with probability 0.5`", words=words)
        else:
            return
        message = say("'{words}' is an option without choices", words=words)
        self.errors.error("misplaced", message, at, help=help_)

    def _refuse_values(
        self, node: script.Clause, names: Sequence[ast.Word], option: nodes.Option
    ) -> None:
        """Report choices that are written as values: `raise 4`, `play "7h"`, `play Kh`."""
        for name, binder in zip(names, option.binders, strict=True):
            value = self._value_meant(name, binder.items.type)
            if value is not None:
                words = " ".join("x" if word is name else word.text for word in node.words)
                found = quote_name(name.span.text)
                message = say("found {found}, expected a name for this choice", found=found)
                help_ = say("write `{spoken}`", spoken=f"{words} where x == {value}")
                self.errors.error("type", message, name.span, help=help_)

    def _value_meant(self, name: ast.Word, items: Type) -> str | None:
        """Return the value that a clause gives instead of a name of its own, as a script has it."""
        pack, found = self.scope.names.pack, name.span.text
        match items:
            case SetOf(OneOf() as kind) if found in kind.names:
                return found
            case SetOf(Kind.CARD) if name.text in pack.cards:
                return f'"{name.text}"'
            case Hands() if name.text in pack.cards:
                return f'{{"{name.text}"}}'
            case SetOf(Kind.SUIT) if name.text in pack.suit_names:
                return f'"{pack.suit_names[name.text]}"'
            case SetOf(Kind.SEAT | Kind.TEAM) if found.isdecimal():
                return "..."
        return found if found.isdecimal() or found.startswith('"') else None

    def _one_clause(
        self, node: script.Clause, number: int, test: nodes.Expression | None
    ) -> Statements:
        """Build a clause for the `number`-th option; test: a further condition."""
        option = self.question.options[number]
        names = names_in(node, form_of(option, self.question.decision))
        self._refuse_values(node, names, option)
        if not names:
            self._refuse_selection(node)
            selection = Selection(nodes.LegalAt(node.span, YES_NO, number, ()), [], [], [])
        elif len(names) == 1 and isinstance(option.binders[0].items.type, SetOf):
            selection = choose_one(self, node, number, option.binders[0], names[0])
        else:
            selection = choose_several(self, node, number, self.question, names)
        with self.frame.inner():
            for name, value in zip(names, selection.values, strict=True):
                self.frame.bind(name, value.type)
                self.frame.size -= 1
                self.frame.bound[name.text] = (value.slot, without_none(value.type))
            assignments = self.assignments(node.body)
        values = tuple(must(value) for value in selection.values)
        end: Statements = [*selection.pick, *assignments, nodes.Take(node.span, number, values)]
        inner = when(node, test, self.by_chance(node, end))
        return [*selection.before, if_holds(node.span, selection.exists, inner)]
