"""Assignments whose values may come from chance, or from answers that some seat does not notice.

A player who saw such a value knows more than the answers tell. The rules are followed in all ways
that their text allows, whatever their conditions are.
"""

from __future__ import annotations

from trutdsl.diagnostics import Span
from trutdsl.ir import nodes
from trutdsl.ir.nodes import Program, walk
from trutdsl.syntax.ast import Audience

CHANCE = nodes.Roll, nodes.RandomFrom, nodes.Chance
SHOWN = "dealer", "on_lead"  # the order of the answers shows them
EXITS = nodes.Return, nodes.Stop, nodes.Next, nodes.Again, nodes.EndTrick


def chance_assignments(program: Program) -> frozenset[Span]:
    """Return where rules assign such values to variables."""
    values = _ChanceValues(program)
    while values.grow():
        pass
    return frozenset(values.assignments)


class _ChanceValues:
    """Finds what comes from chance, step by step.

    assignments: to variables. variables: by name. slots: by rule and number. results: rules with
    such a result. decided: rules in which, or before which, chance decides what happens.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self.assignments = set[Span]()
        self._variables = set[str]()
        self._slots = set[tuple[str, int]]()
        self._results, self._decided = set[str](), set[str]()

    def grow(self) -> bool:
        """Follow all rules once; tell whether more comes from chance than was known."""
        before = self._size()
        for name, rule in self._program.rules.items():
            self._block(name, rule.body, name in self._decided)
        return self._size() > before

    def _size(self) -> int:
        known = len(self._variables) + len(self._slots) + len(self._results) + len(self._decided)
        return known + len(self.assignments)

    def _block(self, rule: str, block: nodes.Block, decided: bool) -> None:
        for statement in block.statements:
            self._statement(rule, statement, decided or rule in self._decided)

    def _statement(self, rule: str, node: nodes.Statement, decided: bool) -> None:
        """Follow a statement; decided: whether chance decides that it is run."""
        match node:
            case nodes.Let(_, slot, value) if decided or self._by_chance(rule, value):
                self._slots.add((rule, slot))
            case nodes.Assign(_, target, _, value) if decided or self._by_chance(rule, value):
                if isinstance(target, nodes.Local):
                    self._slots.add((rule, target.slot))
                elif isinstance(target, nodes.Var) and target.name not in SHOWN:
                    self._variables.add(target.name)
                    self.assignments.add(node.span)
            case nodes.Return(_, value) if value is not None:
                if decided or self._by_chance(rule, value):
                    self._results.add(rule)
            case nodes.Ask():
                self._ask(rule, node, decided)
        if isinstance(node, nodes.Ask):
            return
        blocks = [part for part in node.children if isinstance(part, nodes.Block)]
        heads = [part for part in node.children if not isinstance(part, nodes.Block)]
        self._calls(rule, heads, decided)
        inside = decided or (bool(blocks) and any(self._by_chance(rule, part) for part in heads))
        if isinstance(node, nodes.For) and inside:
            self._slots.add((rule, node.slot))
        for block in blocks:
            self._block(rule, block, inside)
            if inside and any(isinstance(part, EXITS) for part in walk(block)):
                self._decide_rest(rule, block)

    def _ask(self, rule: str, node: nodes.Ask, decided: bool) -> None:
        for option in node.options:
            secret = node.audience is not Audience.ALL and not option.openly
            if secret:
                self._slots |= {(rule, binder.slot) for binder in option.binders}
            self._block(rule, option.body, decided or secret)

    def _calls(self, rule: str, parts: list[nodes.Node], decided: bool) -> None:
        for part in parts:
            for call in walk(part):
                if isinstance(call, nodes.Do):
                    given = enumerate(call.args)
                    self._slots |= {
                        (call.rule, slot) for slot, arg in given if self._by_chance(rule, arg)
                    }
                    if decided:
                        self._decided.add(call.rule)

    def _decide_rest(self, rule: str, block: nodes.Block) -> None:
        """Note that chance decides what happens after this block."""
        ends_trick = any(isinstance(part, nodes.EndTrick) for part in walk(block))
        self._decided |= set(self._program.rules) if ends_trick else {rule}

    def _by_chance(self, rule: str, value: nodes.Node) -> bool:
        """Tell whether a value of a rule may come from chance."""
        for part in walk(value):
            match part:
                case nodes.Do(_, _, called) if called in self._results:
                    return True
                case nodes.Local(_, _, slot) if (rule, slot) in self._slots:
                    return True
                case nodes.Var(_, _, name) if name in self._variables:
                    return True
                case nodes.Call(_, _, name):
                    if self._by_chance("", self._program.functions[name].body):
                        return True
                case nodes.Builtin(_, _, "openly"):  # it tells something about hidden cards
                    return True
                case _ if isinstance(part, CHANCE):
                    return True
        return False
