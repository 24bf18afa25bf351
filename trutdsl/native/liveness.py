"""Reachability, suspension points and liveness of zones: they show which code is not needed."""

from __future__ import annotations

from collections.abc import Iterable

from trutdsl.ir import Program, nodes
from trutdsl.ir.effects import CountedNode, Work
from trutdsl.ir.nodes import children, walk, walk_calls

# Reachability: the parts that a match can execute, and questions before which no step is counted.


def parts_in_use(program: Program) -> list[nodes.Node]:
    """Return the roots of a match, and each rule and `define` that they reach, once."""
    roots: list[nodes.Node] = [v.initial for v in program.variables.values()]
    roots += [zone.content for zone in program.zones.values() if zone.content is not None]
    roots += [program.rules["match"].body, *policy_parts(program)]
    every = list(walk_calls(program, *roots))
    rules = {node.rule for node in every if isinstance(node, nodes.Do)}
    defines = {node.function for node in every if isinstance(node, nodes.Call)}
    roots += (rule.body for name, rule in program.rules.items() if name in rules)
    return [*roots, *(one.body for name, one in program.functions.items() if name in defines)]


def policy_parts(program: Program) -> list[nodes.Node]:
    """Return the parts that the program's policies evaluate: answers and initial memories."""
    result: list[nodes.Node] = []
    for policy in program.policies.values():
        result += [answer.body for answer in policy.answers]
        result += [memory.initial for memory in policy.memory]
    return result


def find_questions_without_steps(program: Program, work: Work) -> frozenset[int]:
    """Return the questions, by `id`, before which no step is counted since their deal began."""
    open_nodes: set[int] = set()
    outside: set[int] = set()
    seen: set[tuple[str, bool]] = set()
    starts = [v.initial for v in program.variables.values() if v.lifetime != "match"]
    waiting: list[tuple[nodes.Node, bool]] = [(start, True) for start in starts]
    waiting.append((program.rules["match"].body, False))
    while waiting:
        node, dealing = waiting.pop()
        match node:
            case nodes.DealBlock():
                dealing = True
            case nodes.Ask():
                (open_nodes if dealing else outside).add(id(node))
            case nodes.Do(_, _, name) if (f"rule {name}", dealing) not in seen:
                seen.add((f"rule {name}", dealing))
                waiting.append((program.rules[name].body, dealing))
            case nodes.Call(_, _, name) if (f"define {name}", dealing) not in seen:
                seen.add((f"define {name}", dealing))
                waiting.append((program.functions[name].body, dealing))
        if dealing and isinstance(node, CountedNode) and work.cost(node):
            return frozenset()
        waiting += [(part, dealing) for part in children(node)]
    return frozenset(open_nodes - outside)


# Suspension points: the rules in which a match can wait for a seat, a deal or chance.

WAITS = (
    nodes.Ask
    | nodes.DealBlock
    | nodes.Setup
    | nodes.Draw
    | nodes.Roll
    | nodes.RandomFrom
    | nodes.Chance
)


def waiting_rules(program: Program) -> frozenset[str]:
    result: set[str] = set()
    grown = True
    while grown:
        grown = False
        for name, rule in program.rules.items():
            if name not in result and may_wait(rule.body, result):
                result.add(name)
                grown = True
    return frozenset(result)


def may_wait(node: nodes.Node, waiting: set[str] | frozenset[str]) -> bool:
    """Tell whether a part of a rule can suspend the match; waiting: the rules that can."""
    return any(
        isinstance(n, WAITS) or (isinstance(n, nodes.Do) and n.rule in waiting) for n in walk(node)
    )


# Liveness of zones: the possible places of cards, to avoid searches for them.
#
# No card is ever created or lost. So if all zones that can have cards are gathered into one, all
# cards are there. A zone that rules only put cards on before such a gathering is dead
# if the match has no observer.


def cards_shuffled_next(block: nodes.Block) -> frozenset[int]:
    """Return the sentences, by `id`, that put cards on a shared pile shuffled right after."""
    result: set[int] = set()
    for number, statement in enumerate(block.statements):
        if not isinstance(statement, nodes.Shuffle) or statement.zone.index is not None:
            continue
        for earlier in reversed(block.statements[:number]):
            if not isinstance(earlier, nodes.Gather | nodes.MoveAll):
                break
            if earlier.target.name != statement.zone.name:
                break
            result.add(id(earlier))
    return frozenset(result)


class Whereabouts:
    """The analysis of a program's zones.

    parts: all executed and evaluated parts of a match.
    roomy: the zones with room for all cards.
    """

    def __init__(
        self, program: Program, parts: Iterable[nodes.Node], roomy: frozenset[str]
    ) -> None:
        self.program, self._roomy = program, roomy
        self._holders = {z.name for z in program.zones.values() if z.content is not None}
        self._seen: set[str] = set()
        self._gathers: list[nodes.Gather] = []
        self._loose: set[int] = set()
        for part in parts:
            self._look(part)
        for gather in self._gathers:
            if not self.gathers_all(gather):
                self._seen.update(gather.names)

    def gathers_all(self, node: nodes.Gather) -> bool:
        """Tell whether all cards are in one pile afterwards, which is then shuffled."""
        if id(node) not in self._loose or node.target.name not in self._roomy:
            return False
        return self._holders <= {*node.names, node.target.name}

    def is_seen(self, zone: str) -> bool:
        """Tell whether the cards of a zone matter to any reader."""
        limited = self.program.zones[zone].capacity is not None
        return limited or zone in self._seen

    def _look(self, node: nodes.Node) -> None:
        parts: Iterable[nodes.Node] = children(node)
        match node:
            case nodes.Block():
                self._loose |= cards_shuffled_next(node)
            case nodes.ZoneCards(_, _, name):
                self._seen.add(name)
            case nodes.Swap(_, _, origin, _, target):
                self._holders |= {origin.name, target.name}
            case nodes.Draw(_, origin, target) | nodes.MoveAll(_, origin, target):
                self._holders.add(target.name)
                parts = [origin, *children(target)]
            case nodes.Move(_, card, origin, target):
                self._holders.add(target.name)
                parts = [card, origin, *children(target)]
            case nodes.Gather(_, _, start, target):
                self._holders.add(target.name)
                self._gathers.append(node)
                parts = [*([start] if start is not None else []), *children(target)]
        for part in parts:
            self._look(part)
