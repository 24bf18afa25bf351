"""Ways through the rules of a deal: what happened on them, and what may come from chance."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from trutdsl.diagnostics import Span
from trutdsl.ir import nodes
from trutdsl.ir.nodes import Program, walk
from trutdsl.syntax.ast import Audience

NOBODY, OWNER, ALL = range(3)  # who sees a zone at a table of two
SOME = ""  # an element of a variable that is not known


class Transfer(NamedTuple):
    """A transfer of cards between zones, whose number chance decides.

    decision: the block that is run if chance decides so; all its transfers between two zones are
    one. None: the block is left.
    """

    zones: frozenset[str]
    decision: Span | None


@dataclass(frozen=True)
class Way:
    """What the ways to a place have in common, or any of them.

    seen: the zones with cards that seats saw without an answer that names them. revealed: the zones
    and variables of which rules have revealed some place to some seat. public: the zones that rules
    have revealed to all seats in all ways. values: variables with a value that may come from
    chance, and which of their elements have one. once_seen: who has seen cards of a zone in this
    deal, here or elsewhere. new: the zones that got cards without an answer after the last
    question. changed: piles that have got cards that were seen, each with a zone that had got new
    cards before. transfers: those after the last question. read: the zones whose cards rules have
    read. hidden: a message on what was hidden first.
    """

    seen: frozenset[str] = frozenset()
    revealed: frozenset[str] = frozenset()
    public: frozenset[str] = frozenset()
    values: frozenset[tuple[str, str]] = frozenset()
    once_seen: frozenset[tuple[str, int]] = frozenset()
    new: frozenset[str] = frozenset()
    changed: frozenset[tuple[str, str]] = frozenset()
    transfers: frozenset[Transfer] = frozenset()
    read: frozenset[str] = frozenset()
    hidden: str | None = None

    def join(self, other: Way | None) -> Way:
        if other is None:
            return self
        return Way(
            self.seen | other.seen,
            self.revealed | other.revealed,
            self.public & other.public,
            self.values | other.values,
            self.once_seen | other.once_seen,
            self.new | other.new,
            self.changed | other.changed,
            self.transfers | other.transfers,
            self.read | other.read,
            self.hidden or other.hidden,
        )

    def hide(self, message: str) -> Way:
        """Return the way after something was hidden; message: says what, and where."""
        return replace(self, hidden=self.hidden or message)

    def at_end(self, running: Collection[Span]) -> Way:
        """Return the way at the end of a rule or of a turn; running: the blocks around it."""
        transfers = (
            one if one.decision in running else one._replace(decision=None)
            for one in self.transfers
        )
        return replace(self, transfers=frozenset(transfers))

    def at_question(self) -> Way:
        """Return the way at a question, where `Explorer` notes what the seats always see."""
        values = frozenset(value for value in self.values if value[0] in self.revealed)
        return replace(self, new=frozenset(), values=values, transfers=frozenset())

    def forget_elements(self, *names: str) -> Way:
        """Return a way on which these no longer say which elements of variables have values."""
        values = frozenset((name, SOME if one in names else one) for name, one in self.values)
        return replace(self, values=values)

    def who_once_saw(self, zone: str) -> int:
        """Return who may have seen a card that lies in this zone."""
        return max((who for name, who in self.once_seen if name == zone), default=NOBODY)

    def may_hide(self, new: Transfer) -> bool:
        """Tell whether sizes of zones may no longer tell all sizes before, after a new transfer.

        Transfers are the edges of a graph whose nodes are the zones. The number of cards in each
        transfer of a forest follows from the sizes, from the leaves inwards.
        """
        if new in self.transfers:
            return False
        first, *_ = new.zones
        reached, before = {first}, 0
        while len(reached) > before:
            before = len(reached)
            for one in self.transfers:
                if one.zones & reached:
                    reached |= one.zones
        return new.zones <= reached


def any_way(ways: Sequence[Way | None]) -> Way | None:
    result: Way | None = None
    for way in ways:
        result = result if way is None else way.join(result)
    return result


CHANCE = nodes.Roll, nodes.RandomFrom, nodes.Chance
SHOWN = {"dealer", "on_lead"}  # the order of the answers shows them
EXITS = nodes.Return, nodes.Stop, nodes.Next, nodes.Again


class ChanceValues:
    """What comes from chance, found step by step.

    assignments: to variables. moves: statements that move cards if chance decides so, each with the
    block that is then run, or with itself if chance decides between places. picks: statements that
    move a card which chance or hidden cards name. variables: by name. slots: by rule and number.
    results: rules with such a result. decided: rules in which, or before which, chance decides what
    happens.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self.assignments, self.picks = set[Span](), set[Span]()
        self.moves = dict[Span, Span]()
        self._variables = set[str]()
        self._slots = set[tuple[str, int]]()
        self._results, self._decided = set[str](), set[str]()
        self._ends_tricks = False  # whether chance decides when a trick ends
        while self._grow():
            pass

    def _grow(self) -> bool:
        """Follow all rules once; tell whether more comes from chance than was known."""
        before = self._size()
        for name, rule in self._program.rules.items():
            self._block(name, rule.body, None)
        return self._size() > before

    def _size(self) -> int:
        known = len(self._variables) + len(self._slots) + len(self._results) + len(self._decided)
        return known + len(self.assignments) + len(self.moves) + len(self.picks) + self._ends_tricks

    def _block(self, rule: str, block: nodes.Block, decided: Span | None) -> None:
        for statement in block.statements:
            if decided is None and rule in self._decided:
                decided = self._program.rules[rule].body.span
            self._statement(rule, statement, decided)

    def _statement(self, rule: str, node: nodes.Statement, decided: Span | None) -> None:
        """Follow a statement; decided: the block that is run if chance decides so, if any."""
        match node:
            case nodes.Let(_, slot, value) if decided or self._by_chance(rule, value):
                self._slots.add((rule, slot))
            case nodes.Assign(_, target, _, value) if decided or self._by_chance(rule, value):
                if isinstance(target, nodes.Local):
                    self._slots.add((rule, target.slot))
                elif isinstance(target, nodes.Var):
                    self.assignments.add(node.span)
                    self._variables |= {target.name} - SHOWN
            case nodes.Return(_, value) if value is not None:
                if decided or self._by_chance(rule, value):
                    self._results.add(rule)
            case nodes.Draw() | nodes.Move() | nodes.MoveAll() | nodes.Gather():
                if decided:
                    self.moves[node.span] = decided
                elif any(
                    self._by_chance(rule, zone)
                    for zone in node.children
                    if isinstance(zone, nodes.ZoneCards)
                ):
                    self.moves[node.span] = node.span
            case nodes.Ask():
                self._ask(rule, node, decided)
        if isinstance(node, nodes.Ask):
            return
        if isinstance(node, nodes.Move | nodes.Swap) and self._by_chance(rule, node):
            self.picks.add(node.span)
        blocks = [part for part in node.children if isinstance(part, nodes.Block)]
        heads = [part for part in node.children if not isinstance(part, nodes.Block)]
        self._calls(rule, heads, decided)
        by_chance = any(self._by_chance(rule, part) for part in heads)
        by_chance |= self._ends_tricks and isinstance(node, nodes.TrickBlock)
        for block in blocks:
            inside = block.span if by_chance else decided
            if isinstance(node, nodes.For) and inside:
                self._slots.add((rule, node.slot))
            self._block(rule, block, inside)
            if inside:
                self._decide_rest(rule, block)

    def _ask(self, rule: str, node: nodes.Ask, decided: Span | None) -> None:
        for option in node.options:
            secret = node.audience is not Audience.ALL and not option.openly
            if secret:
                self._slots |= {(rule, binder.slot) for binder in option.binders}
            self._block(rule, option.body, option.body.span if secret else decided)

    def _calls(self, rule: str, parts: list[nodes.Node], decided: Span | None) -> None:
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
        """Note that chance decides what happens after this block, in its rule or in tricks."""
        for part in walk(block):
            if isinstance(part, EXITS):
                self._decided.add(rule)
            self._ends_tricks |= isinstance(part, nodes.EndTrick)

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
