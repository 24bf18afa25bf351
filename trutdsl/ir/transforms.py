"""Transformations of programs: coverage probes, single deals, a start in mid-deal, stops."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from trutdsl.diagnostics import Span
from trutdsl.ir import nodes
from trutdsl.ir.effects import Effects
from trutdsl.ir.nodes import (
    Block,
    Changed,
    Node,
    Program,
    if_holds,
    put_first,
    rebuild,
    rebuild_program,
    rules_from,
    walk,
)
from trutdsl.ir.types import MOST, NATURAL, TEAM, YES_NO, Kind, Number
from trutdsl.language import say
from trutdsl.syntax.ast import LEAVE_IT, Audience

LIFETIMES_OF_NUMBERS = {"deal_number": "match", "trick_number": "deal"}
MARK = "reached:"
LONGEST = 60  # letters of a printed line


@dataclass(frozen=True)
class ProbedPart:
    """A counted part of the rules.

    kind: `rule`, `option`, `branch` or `loop`. what: its name for users; place: its position.
    """

    kind: str
    what: str
    span: Span
    place: str

    @property
    def key(self) -> tuple[str, int, int, str, str]:
        """Its identity; an option that several questions share has one for each."""
        return self.span.source.name, self.span.line, self.span.col, self.kind, self.what


def add_probes(program: nodes.Program) -> tuple[nodes.Program, Mapping[str, ProbedPart]]:
    """Return the program with probes, and the parts by the names of their counters.

    A probe is a counter that increases where a part begins; no view or transcript shows it. Rules
    that nothing calls have none, such as replaced ones that are no `base`.
    """
    writer = _ProbeWriter(program)
    return writer.run(), writer.probes


class _ProbeWriter:
    def __init__(self, program: nodes.Program) -> None:
        self.program = program
        self.probes: dict[str, ProbedPart] = {}
        self._names: dict[tuple[str, int, int, str, str], str] = {}
        self._places: dict[int, str] = {}
        self._decisions: dict[int, str] = {}

    def run(self) -> nodes.Program:
        names = rules_from(self.program, "match")
        for name in names:
            rule = self.program.rules[name]
            for node in walk(rule.body):
                self._places[id(node)] = rule.heading
                if isinstance(node, nodes.Ask):
                    self._decisions |= {id(option): node.decision for option in node.options}
        result = rebuild_program(self.program, self._change)
        rules = dict(result.rules)
        for name in names:
            if f"{name} itself" not in rules:  # else it only calls the pieces
                rule = rules[name]
                mark = self._mark("rule", rule.heading, rule.span, rule.heading)
                rules[name] = replace(rule, body=put_first(rule.body, mark))
        span = self.program.rules["match"].span
        zero = nodes.number(span, 0)
        counters = {
            name: nodes.Variable(span, name, Kind.TEAM, Number(0, MOST), zero, counter=True)
            for name in self.probes
        }
        return replace(result, rules=rules, variables={**result.variables, **counters})

    def _change(self, node: nodes.Node, old: nodes.Node) -> nodes.Node:
        place = self._places.get(id(old))
        if place is None:
            return node
        match node:
            case nodes.Option():
                decision = self._decisions[id(old)]
                text = " ".join(LEAVE_IT) if node.words == LEAVE_IT else _line(node.span)
                what = say("option `{text}` of '{decision}'", text=text, decision=decision)
                body = put_first(node.body, self._mark("option", what, node.span, place))
                return replace(node, body=body)
            case nodes.If(_, branches, otherwise):
                new_branches = []
                for number, (test, body) in enumerate(branches):
                    word = "else if" if number else "if"
                    what = f"`{word} {_line(test.span)}`"
                    mark = self._mark("branch", what, test.span, place)
                    new_branches.append((test, put_first(body, mark)))
                if otherwise.statements:
                    what = say("`else` of `if {line}`", line=_line(branches[0][0].span))
                    span = otherwise.statements[0].span
                    otherwise = put_first(otherwise, self._mark("branch", what, span, place))
                return replace(node, branches=tuple(new_branches), otherwise=otherwise)
            case nodes.For() | nodes.Repeat():
                mark = self._mark("loop", f"`{_line(node.span)}`", node.span, place)
                return replace(node, body=put_first(node.body, mark))
        return node

    def _mark(self, kind: str, what: str, span: Span, place: str) -> nodes.Statement:
        probe = ProbedPart(kind, what, span, place)
        name = self._names.setdefault(probe.key, f"{MARK}{len(self._names)}")
        self.probes.setdefault(name, probe)
        first = nodes.Const(span, TEAM, 0)
        target = nodes.Var(span, Number(0, MOST), name, first)
        return nodes.Assign(span, target, "+=", nodes.number(span, 1))


def _line(span: Span) -> str:
    """Return the first line of the text at a position, up to its colon."""
    line = span.source.line(span.line)
    end = span.end_col - 1 if span.end_line == span.line else len(line)
    text = line[span.col - 1 : end].partition(":")[0].strip()
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


ENTRY = "deal:entry"
LEFT_OUT = "deal:left_out"
DEAL_START = "deal:start"


def add_entry(program: nodes.Program, rule: str | None, names: Iterable[str]) -> nodes.Program:
    """Return the program with setups where a rule begins, or each deal if there is none.

    The driver of a match puts a given state in place at these setups. The first, `ENTRY`, contains
    the whole rule: if it is settled, the rule is skipped. In it is one setup for each of the named
    zones and variables. The setup `LEFT_OUT` around each deal skips the deal if it is settled.
    Each deal begins with the setup `DEAL_START`.
    """

    names = tuple(names)

    def add_setup(body: nodes.Block) -> nodes.Block:
        empty = nodes.Block(body.span, ())
        setups = [nodes.Setup(body.span, name, empty) for name in names]
        whole = nodes.Block(body.span, (*setups, *body.statements))
        return replace(body, statements=(nodes.Setup(body.span, ENTRY, whole),))

    def change(node: nodes.Node, _before: nodes.Node) -> nodes.Node:
        if not isinstance(node, nodes.DealBlock):
            return node
        body = add_setup(node.body) if rule is None else node.body
        start = nodes.Setup(node.span, DEAL_START, nodes.Block(node.span, ()))
        deal = replace(node, body=replace(body, statements=(start, *body.statements)))
        return nodes.Setup(node.span, LEFT_OUT, nodes.Block(node.span, (deal,)))

    span = program.rules["match"].span
    no = nodes.Const(span, YES_NO, False)
    settled = (ENTRY, LEFT_OUT, DEAL_START)
    marks = {name: nodes.Variable(span, name, None, YES_NO, no) for name in settled}
    rules = dict(program.rules)
    if rule is not None:
        rules[rule] = replace(rules[rule], body=add_setup(rules[rule].body))
    with_marks = replace(program, rules=rules, variables={**program.variables, **marks})
    return rebuild_program(with_marks, change)


def count_blocks(program: nodes.Program, names: Iterable[str]) -> nodes.Program:
    """Return the program with the variables of `NUMBERS_OF` that its rules name.

    Each counts the deals or the tricks; it changes just before the block.
    """
    names = tuple(sorted(names))
    blocks: dict[str, type[nodes.DealBlock | nodes.TrickBlock]] = {
        "deal_number": nodes.DealBlock,
        "trick_number": nodes.TrickBlock,
    }

    def change(node: nodes.Node, _before: nodes.Node) -> nodes.Changed:
        for name in names:
            if isinstance(node, blocks[name]):
                target = nodes.Var(node.span, NATURAL, name, None)
                return nodes.Assign(node.span, target, "+=", nodes.number(node.span, 1)), node
        return node

    span = program.rules["match"].span
    variables = {
        name: nodes.Variable(
            span, name, None, NATURAL, nodes.number(span, 0), lifetime=LIFETIMES_OF_NUMBERS[name]
        )
        for name in names
    }
    return replace(rebuild_program(program, change), variables={**program.variables, **variables})


def rules_with_tricks(program: nodes.Program) -> list[str]:
    return [
        name
        for name, rule in program.rules.items()
        if any(isinstance(node, nodes.TrickBlock) for node in walk(rule.body))
    ]


DEALT = "deal:dealt"

Score = Mapping[str, Sequence[int]]  # counter -> its value for each team


def add_single_deal(program: nodes.Program, score: Score) -> nodes.Program:
    """Return the program of one deal from these counters; the others start as usual.

    The counters are set before the deal, and the match ends where the next deal would begin. It is
    drawn if nothing else ends it before. No view or transcript shows these changes.
    """
    span = program.rules["match"].span
    no, yes = (nodes.Const(span, YES_NO, value) for value in (False, True))
    variable = nodes.Variable(span, DEALT, None, YES_NO, no)
    was_dealt = nodes.Var(span, YES_NO, DEALT, None)
    opening: tuple[nodes.Statement, ...] = (
        if_holds(span, was_dealt, [nodes.EndMatch(span, None, None)]),
        nodes.Assign(span, was_dealt, "=", yes),
        *_settings(program, score, span),
    )

    def change(node: nodes.Node, _before: nodes.Node) -> nodes.Changed:
        return (*opening, node) if isinstance(node, nodes.DealBlock) else node

    variables = {**program.variables, DEALT: variable}
    return replace(rebuild_program(program, change), variables=variables)


def _settings(program: nodes.Program, score: Score, span: Span) -> list[nodes.Assign]:
    result = []
    for name, values in score.items():
        kind = program.variables[name].type
        for team, value in enumerate(values):
            index = nodes.Const(span, TEAM, team)
            target = nodes.Var(span, kind, name, index)
            number = nodes.number(span, value)
            result.append(nodes.Assign(span, target, "=", number))
    return result


# Stops at the score: a deal is cut in two where rules use what lasts between deals.
#
# Exact solving plays a deal at many scores. What comes before a stop is the same at every score,
# and what comes after it depends on little of the deal. A stop is a roll with one possible number,
# so a match waits there as it does for chance.

# A variable of the deal: whether there are stops. There are none once the score has changed.
STOPS = "#stops"
ONE = Number(1, 1)


def add_score_stops(program: Program) -> Program:
    """Return the program with a stop before each statement that uses the score, and after it.

    The score is every counter and every variable that keeps its value between deals.
    """
    score = {v.name for v in program.variables.values() if v.counter or v.lifetime == "match"}
    effects = Effects(program)

    def uses(parts: Iterable[Node | None]) -> bool:
        return any(part is not None and effects.reads_of(part) & score for part in parts)

    def changes(statement: Node) -> bool:
        target = statement.target if isinstance(statement, nodes.Assign) else None
        return isinstance(target, nodes.Var) and target.name in score

    def in_rule(rule: nodes.Rule) -> nodes.Rule:
        slot = rule.slots

        def stop(span: Span) -> nodes.Statement:
            one = nodes.number(span, 1)
            roll = nodes.Let(span, slot, nodes.Roll(span, ONE, one, one))
            condition = nodes.Var(span, YES_NO, STOPS, None)
            return if_holds(span, condition, [roll])

        def within(block: Block) -> Block:
            return put_first(block, stop(block.span))

        def cut(statement: nodes.Statement) -> tuple[nodes.Statement, ...]:
            """Return a statement, its blocks already cut, with its stops."""
            if not uses(_head(statement)):
                return (statement,)
            pause = stop(statement.span)
            if changes(statement):
                return pause, _set_stops(statement.span, on=False), statement
            match statement:
                case nodes.If(span, branches, otherwise):
                    cases = tuple((test, within(block)) for test, block in branches)
                    return pause, nodes.If(span, cases, within(otherwise))
                case nodes.For() | nodes.Repeat():
                    return pause, replace(statement, body=within(statement.body)), pause
            if isinstance(statement, nodes.Ask | nodes.Exit):
                return pause, statement
            return pause, statement, pause

        def change(node: Node, _: Node) -> Changed:
            if isinstance(node, nodes.DealBlock):
                return replace(node, body=put_first(node.body, _set_stops(node.span, on=True)))
            return cut(node) if isinstance(node, nodes.Statement) else node

        body = rebuild(rule.body, change)
        has_stop = any(isinstance(node, nodes.Let) and node.slot == slot for node in walk(body))
        return replace(rule, body=body, slots=slot + has_stop)

    rules = {name: in_rule(rule) for name, rule in program.rules.items()}
    span = program.rules["match"].span
    no = nodes.Const(span, YES_NO, False)
    variable = nodes.Variable(span, STOPS, None, YES_NO, no, Audience.NOBODY, "deal")
    return replace(program, rules=rules, variables={**program.variables, STOPS: variable})


def _set_stops(span: Span, on: bool) -> nodes.Assign:
    return nodes.Assign(
        span, nodes.Var(span, YES_NO, STOPS, None), "=", nodes.Const(span, YES_NO, on)
    )


def _head(statement: nodes.Statement) -> list[Node | None]:
    """Return what a statement evaluates itself, without its blocks and the rules it calls."""
    match statement:
        case nodes.If(_, branches):
            return [test for test, _ in branches]
        case nodes.For(_, _, domain):
            return [domain]
        case nodes.Repeat(_, times, _, condition):
            return [times, condition]
        case nodes.Ask(_, seat, _, _, options):
            parts: list[Node | None] = [seat]
            for option in options:
                parts += [option.condition, *option.binders]
            return parts
        case nodes.DealBlock() | nodes.TrickBlock() | nodes.Setup():
            return []
    result: list[Node | None] = []
    for part in statement.children:
        result += part.args if isinstance(part, nodes.Do) else [part]
    return result
