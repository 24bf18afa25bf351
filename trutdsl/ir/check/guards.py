"""Guards: what was looked at before a sentence is done, in its rule and in all that do the rule."""

from __future__ import annotations

from functools import lru_cache

from trutdsl.ir import nodes
from trutdsl.ir.walk import children, walk

Names = frozenset[str]
NOTHING: Names = frozenset()


class Guards:
    """For each sentence the variables that conditions on every way to it speak of.

    A condition counts if it stands around the sentence, or in one before it in the same block or
    one around that; what a `define` in it looks at counts, too.
    """

    def __init__(self, program: nodes.Program) -> None:
        self.program = program
        self._calls: dict[str, list[tuple[str, Names]]] = {}
        self._at: dict[int, Names] = {}
        self._names = lru_cache(maxsize=None)(self._names_in_function)
        for name, rule in program.rules.items():
            self._look(name, rule.body, NOTHING)
        self._of_rules: dict[str, Names] = {}

    def looked_at(self, rule: str, node: nodes.Assign, name: str) -> bool:
        """Tell whether a sentence of a rule is done only after something has looked at a variable.

        What the sentence itself works out from the variable counts.
        """
        inside = self._names_in(node.value)
        return name in self._at.get(id(node), NOTHING) | inside or name in self._of_rule(rule)

    def _of_rule(self, name: str) -> Names:
        """Return what is looked at on every way to a rule."""
        if name not in self._of_rules:
            self._of_rules[name] = NOTHING  # rules do not lead back to themselves
            ways = [there | self._of_rule(by) for by, there in self._calls.get(name, [])]
            self._of_rules[name] = frozenset.intersection(*ways) if ways else NOTHING
        return self._of_rules[name]

    def _look(self, rule: str, node: nodes.Node, before: Names) -> Names:
        """Note what was looked at at each sentence; return what is, behind the node."""
        match node:
            case nodes.Block(_, statements):
                for statement in statements:
                    before |= self._look(rule, statement, before)
                return before
            case nodes.If(_, branches, otherwise):
                tests = NOTHING
                for test, body in branches:
                    tests |= self._names_in(test)
                    self._look(rule, body, before | tests)
                self._look(rule, otherwise, before | tests)
                return before | tests
            case nodes.Option(_, _, binders, condition, _, _, body):
                # The bounds of what is chosen count as a look.
                for part in (*binders, *([condition] if condition is not None else [])):
                    before |= self._names_in(part)
                self._look(rule, body, before)
                return NOTHING
            case nodes.For(_, _, domain, body):
                around = before | self._names_in(domain)
                self._look(rule, body, around)
                return around
            case nodes.Repeat(_, times, _, condition, body):
                for part in (times, *([condition] if condition is not None else [])):
                    before |= self._names_in(part)
                self._look(rule, body, before)
                return before
            case nodes.Assign() | nodes.Let():
                self._at[id(node)] = before
                before |= self._names_in(node.value)
        for part in children(node):
            if isinstance(part, nodes.Do):
                self._calls.setdefault(part.rule, []).append((rule, before))
            self._look(rule, part, before)
        return before

    def _names_in(self, node: nodes.Node) -> Names:
        """Return the variables that a part speaks of, also by the defines that it asks."""
        found: set[str] = set()
        for part in walk(node):
            if isinstance(part, nodes.Var):
                found.add(part.name)
            elif isinstance(part, nodes.Call):
                found |= self._names(part.function)
        return frozenset(found)

    def _names_in_function(self, name: str) -> Names:
        return self._names_in(self.program.functions[name].body)
