"""Liveness of zones: where cards can be at all, so that nobody has to look where they are.

No card is ever made or lost. So when all zones that cards can come to are gathered into one, all
cards lie there; and a zone that rules only lay cards on, to be gathered like this, need not be kept
when nobody follows the match.
"""

from __future__ import annotations

from collections.abc import Iterable

from trutdsl.ir import Program, nodes
from trutdsl.ir.walk import children

Sentence = nodes.Draw | nodes.Move | nodes.MoveAll | nodes.Swap | nodes.Gather | nodes.Shuffle


def shuffled_later(block: nodes.Block) -> frozenset[int]:
    """Return the sentences, by `id`, that lay cards on a shared pile shuffled right after."""
    found: set[int] = set()
    for number, statement in enumerate(block.statements):
        if not isinstance(statement, nodes.Shuffle) or statement.zone.index is not None:
            continue
        for laid in reversed(block.statements[:number]):
            if not isinstance(laid, nodes.Gather | nodes.MoveAll):
                break
            if laid.target.name != statement.zone.name:
                break
            found.add(id(laid))
    return frozenset(found)


class Whereabouts:
    """What is known of a program's zones.

    parts: everything that is done and worked out in a match, part by part.
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
        """Tell whether all cards lie in one pile afterwards, which is shuffled then."""
        if id(node) not in self._loose or node.target.name not in self._roomy:
            return False
        return self._holders <= {*node.names, node.target.name}

    def is_seen(self, zone: str) -> bool:
        """Tell whether it matters which cards lie in a zone."""
        limited = self.program.zones[zone].capacity is not None
        return limited or zone in self._seen

    def _look(self, node: nodes.Node) -> None:
        parts: Iterable[nodes.Node] = children(node)
        match node:
            case nodes.Block():
                self._loose |= shuffled_later(node)
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
