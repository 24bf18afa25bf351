"""Which statement of a rulebook decided an event: by the rules that were reached before it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from trutdsl.ir import Program, nodes
from trutdsl.ir.nodes import walk_calls

CELLS = " | "  # between the cells of a row in a table
# The name in a rule's heading, with its piece, and what it cites.
HEADING = re.compile(r"['`«]\s*([^'`»]+?)\s*['`»](?: \[([^\]]*)\])?")
PIECES = ("before ", "after ", "when ")


@dataclass(frozen=True)
class BookSentence:
    """A sentence or table row of a rulebook, with the values of its parameters.

    cites, tells, draw, card: see `variant.book.Case`. marked: a house rule, or another setting.
    """

    text: str
    cites: tuple[str, ...] = ()
    tells: tuple[str, ...] = ()
    draw: str | None = None
    card: str | None = None
    marked: bool = False


class Citations:
    """Finds the statement that decided an event.

    A rule is told by the statement that names it. A piece before or after a rule is told by the
    statement on the fewest rules that cites the piece's id.
    """

    def __init__(self, program: Program, statements: Sequence[BookSentence]) -> None:
        self.statements = statements
        self.program = program
        self.rules: dict[str, list[nodes.Rule]] = {}
        for rule in program.rules.values():
            self.rules.setdefault(rule.heading, []).append(rule)
        self.changes = cache(self._changes)

    def of_end(self, headings: Sequence[str], reason: str = "") -> BookSentence | None:
        """Return the statement on the end of a trick or deal: on its reason, or the last rule."""
        names = (reason, *(name for name, _ in map(_parse_heading, reversed(headings))))
        return next(filter(None, (self._on_rule(name, rows=False) for name in names)), None)

    def of_score(self, counter: str, headings: Sequence[str]) -> BookSentence | None:
        """Return the statement on a change of a counter.

        Only a rule that can change this counter decides. The last one reached does. But if a rule
        in the table of scores always calls it, such as that of a refusal, that one is more precise.
        """
        result: BookSentence | None = None
        name = ""
        for heading in reversed(headings):
            if result and name not in self._unconditional_calls(heading):
                continue
            rules = self.rules.get(heading, ())
            can_change = any(counter in self.changes(rule.name) for rule in rules)
            sentence = self._on(heading) if can_change else None
            if sentence and (not result or CELLS in sentence.text):
                result, name = sentence, _parse_heading(heading)[0]
        return result

    def _on(self, heading: str) -> BookSentence | None:
        name, cites = _parse_heading(heading)
        if not name.startswith(PIECES):
            return self._on_rule(name, rows=True)
        sentences = [cited for cited in self.statements if {*cited.cites} & {*cites[:1]}]
        return min(sentences, key=lambda sentence: len(sentence.cites), default=None)

    def _on_rule(self, name: str, rows: bool) -> BookSentence | None:
        """Return the statement on a rule, a row of a table if possible, or no row."""
        sentences = [cited for cited in self.statements if name in cited.tells]
        return min(sentences, key=lambda sentence: (CELLS in sentence.text) != rows, default=None)

    def _changes(self, name: str) -> frozenset[str]:
        """Return the counters that a rule can change, also through the rules that it calls."""
        return frozenset(
            node.target.name
            for node in walk_calls(self.program, self.program.rules[name].body)
            if isinstance(node, nodes.Assign) and isinstance(node.target, nodes.Var)
        )

    def _unconditional_calls(self, heading: str) -> set[str]:
        """Return the names of rules that a rule calls whatever happens, and for each in a loop."""
        bodies = (rule.body for rule in self.rules.get(heading, ()))
        return {do.rule for body in bodies for do in _unconditional(body)}


def _unconditional(node: nodes.Node) -> Iterator[nodes.Do]:
    if isinstance(node, nodes.Do):
        yield node
    if not isinstance(node, nodes.If | nodes.Ask | nodes.Choice | nodes.Logic):
        for one in node.children:
            yield from _unconditional(one)


def _parse_heading(heading: str) -> tuple[str, list[str]]:
    """Return the name in a heading, with its piece, and the ids that it cites."""
    result = HEADING.search(heading)
    return (result[1], (result[2] or "").split()) if result else ("", [])
