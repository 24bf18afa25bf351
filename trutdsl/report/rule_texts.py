"""The rules behind an end or a question, and what variables mean, in the words of their files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trutdsl.game import Game
from trutdsl.ir import nodes
from trutdsl.ir.nodes import walk
from trutdsl.language import ENGLISH, say, titled
from trutdsl.variant import Words

KEPT = " of "  # in the name of a rule that another one replaces


def _winner_of(end: nodes.EndDeal, rule: nodes.Rule) -> Iterator[nodes.Node]:
    """Yield the nodes that say who wins; before a hook of ends, they are those of a `let`."""
    yield from walk(end.winner)
    if isinstance(end.winner, nodes.Local):
        for node in walk(rule.body):
            if isinstance(node, nodes.Let) and node.slot == end.winner.slot:
                yield from walk(node.value)


class RuleTexts:
    """The texts of a game's rules, in the words of its files.

    meanings: what each variable means to readers, for those that say so. kinds: what each variable
    holds, such as `seat`. announced: what each announcement says.
    """

    def __init__(self, game: Game, words: Words) -> None:
        self._words = words
        self._ends: dict[str, list[str]] = {}
        self._questions: dict[str, list[str]] = {}
        program = game.program
        for rule in program.rules.values():
            for node in walk(rule.body) if KEPT not in rule.name else ():
                if isinstance(node, nodes.EndDeal):
                    called = [
                        n.function for n in _winner_of(node, rule) if isinstance(n, nodes.Call)
                    ]
                    defines = [program.functions[name] for name in called if KEPT not in name]
                    self._add(self._ends.setdefault(node.reason, []), *defines, rule)
                elif isinstance(node, nodes.Ask):
                    self._add(self._questions.setdefault(node.decision, []), rule)
        said = (node for rule in program.rules.values() for node in walk(rule.body))
        self.announced = {
            node.words: str(node.type).rstrip("?")
            for node in said
            if isinstance(node, nodes.Announce)
        }
        self.kinds = {name: str(v.type).rstrip("?") for name, v in program.variables.items()}
        self.meanings = dict(self._meanings(game))

    def of_end(self, reason: str) -> Sequence[str]:
        """Return a line for each rule that ends a deal for this reason."""
        return self._ends.get(reason, ())

    def of_question(self, decision: str) -> Sequence[str]:
        """Return a line for each rule that asks this question."""
        return self._questions.get(decision, ())

    def _add(self, told: list[str], *rules: nodes.Rule | nodes.Function) -> None:
        for rule in rules:
            if text := self._words.rule(rule.name):
                line = titled(say("Rule") + (f" [{rule.cites}]" if rule.cites else ""), text)
                told += [line] if line not in told else []

    def _meanings(self, game: Game) -> Iterator[tuple[str, str]]:
        """Yield the comment on each variable's declaration, or its word in another language."""
        for layer in game.variant.layers:
            for place in layer.rules.variables if layer.rules else ():
                name = place.name.text
                comment = place.span.source.line(place.span.line).partition("#")[2].strip()
                word = self._words.state(name)
                if self._words.language == ENGLISH:
                    yield from [(name, comment)] if comment else []
                elif word != name.replace("_", " "):
                    yield name, word
