"""Probes: a program that counts how often each of its parts is done, as any engine plays it.

A probe is a counter that no view or transcript shows, raised by a sentence where the part begins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from trutdsl.ir import nodes
from trutdsl.ir.rebuild import rebuild_program
from trutdsl.ir.types import MOST, TEAM, Kind, Number
from trutdsl.ir.walk import walk
from trutdsl.source import Span
from trutdsl.syntax.ast import LEAVE_IT, Audience

MARK = "reached:"
LONGEST = 60  # letters of a line that is shown


@dataclass(frozen=True)
class Part:
    """A part that is counted.

    kind: `rule`, `option`, `branch` or `loop`. what: how a person calls it; place: where it stands.
    """

    kind: str
    what: str
    span: Span
    place: str

    @property
    def key(self) -> tuple[str, int, int, str, str]:
        """By what it is known: of an option that several questions share each has its own."""
        return self.span.source.name, self.span.line, self.span.col, self.kind, self.what


def add_probes(program: nodes.Program) -> tuple[nodes.Program, Mapping[str, Part]]:
    """Return the program with probes, and these by the names of their counters.

    Rules that nothing does, such as what was replaced and is no `base` of anything, have none.
    """
    adding = _Adding(program)
    changed = adding.run()
    return changed, adding.probes


class _Adding:
    def __init__(self, program: nodes.Program) -> None:
        self.program = program
        self.probes: dict[str, Part] = {}
        self._names: dict[tuple[str, int, int, str, str], str] = {}
        self._places: dict[int, str] = {}
        self._decisions: dict[int, str] = {}

    def run(self) -> nodes.Program:
        """Return the program with probes."""
        done = _done_from(self.program, "match")
        for name in done:
            rule = self.program.rules[name]
            for node in walk(rule.body):
                self._places[id(node)] = rule.heading
                if isinstance(node, nodes.Ask):
                    self._decisions |= {id(option): node.decision for option in node.options}
        changed = rebuild_program(self.program, self._change)
        rules = dict(changed.rules)
        for name in done:
            if f"{name} itself" not in rules:  # else it only does the pieces
                rule = rules[name]
                mark = self._mark("rule", rule.heading, rule.span, rule.heading)
                rules[name] = replace(rule, body=_begun(rule.body, mark))
        span = self.program.rules["match"].span
        zero = nodes.Const(span, Number(0, 0), 0)
        counters = {
            name: nodes.Variable(
                span, name, Kind.TEAM, Number(0, MOST), None, None, zero, Audience.ALL, "match",
                True, 0,
            )
            for name in self.probes
        }  # fmt: skip
        return replace(changed, rules=rules, variables={**changed.variables, **counters})

    def _change(self, node: nodes.Node, before: nodes.Node) -> nodes.Node:
        place = self._places.get(id(before))
        if place is None:
            return node
        match node:
            case nodes.Option():
                decision = self._decisions[id(before)]
                text = " ".join(LEAVE_IT) if node.words == LEAVE_IT else _line(node.span)
                what = f"option `{text}` of '{decision}'"
                body = _begun(node.body, self._mark("option", what, node.span, place))
                return replace(node, body=body)
            case nodes.If(_, branches, otherwise):
                made = []
                for number, (test, body) in enumerate(branches):
                    word = "else if" if number else "if"
                    what = f"`{word} {_line(test.span)}`"
                    mark = self._mark("branch", what, test.span, place)
                    made.append((test, _begun(body, mark)))
                if otherwise.statements:
                    what = f"`else` of `if {_line(branches[0][0].span)}`"
                    span = otherwise.statements[0].span
                    otherwise = _begun(otherwise, self._mark("branch", what, span, place))
                return replace(node, branches=tuple(made), otherwise=otherwise)
            case nodes.For() | nodes.Repeat():
                mark = self._mark("loop", f"`{_line(node.span)}`", node.span, place)
                return replace(node, body=_begun(node.body, mark))
        return node

    def _mark(self, kind: str, what: str, span: Span, place: str) -> nodes.Statement:
        """Return the sentence that counts a part."""
        probe = Part(kind, what, span, place)
        name = self._names.setdefault(probe.key, f"{MARK}{len(self._names)}")
        self.probes.setdefault(name, probe)
        first = nodes.Const(span, TEAM, 0)
        target = nodes.Var(span, Number(0, MOST), name, first)
        return nodes.Assign(span, target, "+=", nodes.Const(span, Number(1, 1), 1))


def _begun(body: nodes.Block, mark: nodes.Statement) -> nodes.Block:
    return replace(body, statements=(mark, *body.statements))


def _line(span: Span) -> str:
    """Return the first line of what stands somewhere, without what is behind its colon."""
    line = span.source.line(span.line)
    end = span.end_col - 1 if span.end_line == span.line else len(line)
    text = line[span.col - 1 : end].partition(":")[0].strip()
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def _done_from(program: nodes.Program, first: str) -> list[str]:
    """Return the rules that a rule leads to, itself too, in the order of the program."""
    found, left = {first}, [first]
    while left:
        for node in walk(program.rules[left.pop()].body):
            if isinstance(node, nodes.Do) and node.rule not in found:
                found.add(node.rule)
                left.append(node.rule)
    return [name for name in program.rules if name in found]
