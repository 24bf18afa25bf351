"""Every use of a card in a match at one table, in rules, defines and policies.

The analysis follows all paths through the rules, with the facts that may hold on each (`places`).
It follows a rule once for each state in which the rule begins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeGuard

from trutdsl.ir import nodes
from trutdsl.ir.nodes import Program, questions_of, walk
from trutdsl.ir.types import CARDS, Hands
from trutdsl.solve.card_reads import Bindings, CardReads
from trutdsl.solve.places import (
    NOWHERE,
    START,
    Fact,
    Facts,
    InPackOrder,
    Refers,
    bound_slots,
    forget,
    holds_cards,
    moved,
)
from trutdsl.table.actions import constant_condition
from trutdsl.table.setting import Setting

Exits = dict[str, Facts]
LOOP, QUESTION, RULE, TRICK, DEAL = ("stop", "next"), ("again",), ("return",), ("trick",), ("deal",)


class CardUses:
    """Follows every rule, define and policy that a match at this table can reach."""

    def __init__(self, program: Program, setting: Setting) -> None:
        self.program, self.setting = program, setting
        self.reads = CardReads(program, setting)
        self.reads.run_define, self.reads.run_rule = self._define, self._rule
        self._exits: Exits = {}
        self._rules: dict[tuple[str, Facts], tuple[Facts, Exits]] = {}
        self._defines: set[tuple[object, ...]] = set()
        self._numbers = {id(node): number for number, node in enumerate(questions_of(program))}
        self._asked: dict[int, tuple[nodes.Ask, Facts]] = {}

    @property
    def state(self) -> Facts:
        """The facts that may hold at the current statement."""
        return self.reads.state

    @state.setter
    def state(self, state: Facts) -> None:
        self.reads.state = state

    def _note(self, *facts: Fact) -> None:
        """Note what may hold from here on, if any path leads here."""
        if self.state:
            self.state |= {*facts}

    def follow(self) -> None:
        """Collect every use of a card."""
        self.state = START
        for zone in self.program.zones.values():
            if zone.content is not None:
                self.reads.strict(zone.content, Bindings())
                if zone.ordered:
                    self._note(InPackOrder(zone.name))
        for policy in self.program.policies.values():
            if any(map(holds_cards, policy.memory)):  # any card may be remembered
                self._refer(policy.name, self.program.zones)
        self._begin("match")
        self._body(self.program.rules["match"].body, Bindings("match"))
        self._answers()

    def _answers(self) -> None:
        """Follow the memories of scripts, and their answers to possible questions."""
        every = NOWHERE
        for _, state in self._asked.values():
            every |= state
        for policy in self.program.policies.values():
            self.state = every
            for memory in policy.memory:
                self.reads.strict(memory.initial, Bindings())
            for answer in policy.answers:
                if answer.question in self._asked:
                    ask, self.state = self._asked[answer.question]
                    self._body(answer.body, Bindings(answers=ask.options))

    # -------------------------------------------------------- ways out

    def _caught(self, kinds: Iterable[str], work: Callable[[], None]) -> Facts:
        """Do work; return the facts that may hold at exits of these kinds."""
        outer, self._exits = self._exits, {}
        work()
        inner, self._exits = self._exits, outer
        found = NOWHERE
        for kind, state in inner.items():
            if kind in kinds:
                found |= state
            else:
                self._leave(kind, state)
        return found

    def _leave(self, kind: str, state: Facts) -> None:
        self._exits[kind] = self._exits.get(kind, NOWHERE) | state

    def _exit(self, kind: str) -> None:
        self._leave(kind, self.state)
        self.state = NOWHERE

    # -------------------------------------------------------- statements

    def _body(self, block: nodes.Block, frame: Bindings) -> Facts:
        """Follow a rule, define or answer; return the facts that may hold after it."""
        local = (n.target for n in walk(block) if isinstance(n, nodes.Assign))
        frame.assigned = frozenset(one.slot for one in local if isinstance(one, nodes.Local))
        left = self._caught(RULE, partial(self._block, block, frame))
        self.state |= left
        return self.state

    def _block(self, block: nodes.Block, frame: Bindings) -> None:
        for statement in block.statements:
            if not self.state:
                return
            self._statement(statement, frame)

    def _statement(self, node: nodes.Statement, frame: Bindings) -> None:
        match node:
            case nodes.Let(_, slot, value):
                self._let(slot, value, frame)
            case nodes.Assign(_, target, op, value):
                self._assign(target, op, value, frame)
            case nodes.Move() | nodes.MoveAll() | nodes.Gather() | nodes.Draw() | nodes.Swap():
                self._carry(node, frame)
            case nodes.Shuffle(_, zone):
                self.reads.strict(zone, frame)
                if self.program.zones[zone.name].index is None:
                    gone = InPackOrder(zone.name)
                    self.state -= {gone}
            case nodes.Stop():
                self._exit("stop")
            case nodes.Next():
                self._exit("next")
            case nodes.Again():
                self._exit("again")
            case nodes.Take(_, _, values):
                for value in values:
                    self.reads.picks(value, frame)
                self.state = NOWHERE
            case (
                nodes.Return() | nodes.EndTrick() | nodes.EndDeal() | nodes.EndMatch()
                | nodes.TakeAny()
            ):  # fmt: skip
                self._parts(node, frame)
                ways = {nodes.Return: "return", nodes.EndTrick: "trick", nodes.EndDeal: "deal"}
                if type(node) in ways:
                    self._exit(ways[type(node)])
                self.state = NOWHERE
            case nodes.Perform() | nodes.Reveal() | nodes.Announce():
                self._parts(node, frame)
            case _:
                self._compound(node, frame)
                self.state = forget(self.state, _names_in(node, frame))

    def _compound(self, node: nodes.Statement, frame: Bindings) -> None:
        match node:
            case nodes.If():
                self._if(node, frame)
            case nodes.For():
                self._for(node, frame)
            case nodes.Repeat(_, times, _, condition, body):
                self.reads.strict(times, frame)
                self._loop(body, frame, condition)
            case nodes.DealBlock(_, body):
                self._begin("deal", "trick")
                left = self._caught(DEAL, partial(self._block, body, frame))
                self.state |= left
            case nodes.TrickBlock(_, _, body):
                self._begin("trick")
                left = self._caught(TRICK, partial(self._block, body, frame))
                self.state |= left
            case nodes.Setup(_, _, body):
                before = self.state
                self._block(body, frame)
                self.state |= before
            case nodes.Ask():
                self._ask(node, frame)
            case _:
                self.reads.note_order(node.span)

    def _parts(self, node: nodes.Node, frame: Bindings) -> None:
        for child in node.children:
            if isinstance(child, nodes.Expression):
                self.reads.strict(child, frame)

    def _begin(self, *lifetimes: str) -> None:
        """Start the variables of these lifetimes anew."""
        named = [v for v in self.program.variables.values() if v.lifetime in lifetimes]
        self.state = forget(self.state, (variable.name for variable in named))
        for variable in named:
            self.reads.strict(variable.initial, Bindings())
            self._refer(variable.name, self.reads.zones_of(variable.initial, Bindings()))

    def _let(self, slot: int, value: nodes.Expression, frame: Bindings) -> None:
        frame.loose.pop(slot, None)
        loose = self.reads.follow(value, frame)
        if loose is not None:
            frame.loose[slot] = loose
        elif slot not in frame.assigned:
            frame.sets[slot] = value
        self._name(frame.named(slot), value, frame)

    def _name(self, name: str, value: nodes.Expression, frame: Bindings) -> None:
        """Note what a name now refers to."""
        zones = self.reads.zones_of(value, frame)
        self.state = forget(self.state, [name])
        self._refer(name, zones)

    def _refer(self, name: str, zones: Iterable[str]) -> None:
        """Record zones of cards that a name may refer to; names that start with ":" have none."""
        if not name.startswith(":"):
            self._note(*(Refers(name, zone) for zone in zones))

    def _assign(
        self,
        target: nodes.Local | nodes.Var | nodes.Remembered,
        op: str,
        value: nodes.Expression,
        frame: Bindings,
    ) -> None:
        self.reads.strict(value, frame)
        self.reads.strict(target, frame)
        if isinstance(target, nodes.Remembered):
            return
        name = frame.named(target.slot) if isinstance(target, nodes.Local) else target.name
        if op == "=" and (isinstance(target, nodes.Local) or target.index is None):
            self._name(name, value, frame)
        else:
            self._refer(name, self.reads.zones_of(value, frame))

    def _carry(
        self,
        node: nodes.Move | nodes.MoveAll | nodes.Gather | nodes.Draw | nodes.Swap,
        frame: Bindings,
    ) -> None:
        """Follow a statement that moves cards from one place to another."""
        for child in node.children:
            if isinstance(node, nodes.Move) and child is node.card:
                self.reads.picks(node.card, frame)
            elif isinstance(child, nodes.Expression):
                self.reads.strict(child, frame)
        target = node.target.name
        origins = node.names if isinstance(node, nodes.Gather) else (node.origin.name,)
        if isinstance(node, nodes.Draw):
            self.reads.look_at_end(node.origin.name, node.span)
        for origin in origins:
            if isinstance(node, nodes.MoveAll | nodes.Gather):
                self._lay(origin, target)
            self.state = moved(self.state, origin, target)
        if isinstance(node, nodes.Swap):
            self.state = moved(self.state, target, node.origin.name)
        slot = node.slot if isinstance(node, nodes.Draw) else None
        if isinstance(node, nodes.Move) and isinstance(node.card, nodes.Local):
            slot = node.card.slot
        if slot is not None:
            self.state = forget(self.state, [frame.named(slot)])
            self._refer(frame.named(slot), [target])

    def _lay(self, origin: str, target: str) -> None:
        """Record the order of cards that all come from another zone together."""
        zones = self.program.zones
        if not zones[target].ordered:
            return
        here, there = InPackOrder(origin), InPackOrder(target)
        if zones[origin].ordered:
            if here in self.state:
                self._note(there)
        elif not self.reads.holds_one(origin):
            self._note(there)

    # -------------------------------------------------------- branches and loops

    def _if(self, node: nodes.If, frame: Bindings) -> None:
        after = NOWHERE
        for test, body in node.branches:
            known = constant_condition(test, self.setting, self.reads.effects)
            if known is False or not self.state:
                continue
            self.reads.strict(test, frame)
            rest = NOWHERE if known else self.state
            self._block(body, frame)
            after, self.state = after | self.state, rest
        self._block(node.otherwise, frame)
        self.state = after | self.state

    def _for(self, node: nodes.For, frame: Bindings) -> None:
        items, moves = node.domain.items, node.body.statements
        self.reads.domain(node.domain, node.slot, frame)
        is_ordered = self.reads.is_ordered(items)
        self._refer(frame.named(node.slot), self.reads.zones_of(items, frame))
        if items.type in (CARDS, Hands()) and not is_ordered:
            if len(moves) == 1 and self._only_lays(moves[0], node):
                target = moves[0].target.name
                if self.program.zones[target].ordered:
                    self._note(InPackOrder(target))
            else:
                self.reads.note_order(node.span)
        self._loop(node.body, frame, None)

    def _only_lays(self, move: nodes.Statement, loop: nodes.For) -> TypeGuard[nodes.Move]:
        """Tell whether a loop only moves each card, independently of its earlier turns."""
        if not isinstance(move, nodes.Move) or not isinstance(move.card, nodes.Local):
            return False
        parts = loop.domain.where, move.origin.index, move.target.index
        fixed = (part is None or self._is_fixed(part) for part in parts)
        return move.card.slot == loop.slot and all(fixed)

    def _is_fixed(self, node: nodes.Expression) -> bool:
        """Tell whether an expression reads nothing that a loop may change."""
        changing = nodes.Var, nodes.ZoneCards, nodes.Remembered, nodes.Legal, nodes.LegalAt
        return not any(
            isinstance(one, changing)
            or (
                isinstance(one, nodes.Call)
                and not self._is_fixed_body(self.program.functions[one.function].body)
            )
            for one in walk(node)
        )

    def _is_fixed_body(self, body: nodes.Expression | nodes.Block) -> bool:
        return isinstance(body, nodes.Expression) and self._is_fixed(body)

    def _loop(self, body: nodes.Block, frame: Bindings, condition: nodes.Expression | None) -> None:
        """Follow a loop until no more facts become possible in it."""
        names, before, left = _names_in(body, frame), NOWHERE, NOWHERE
        while self.state != before:
            before = self.state
            if condition is not None:
                self.reads.strict(condition, frame)
            exits: Exits = {}
            self._caught((), partial(self._turn, body, frame, exits))
            left |= exits.get("stop", NOWHERE)
            again = self.state | exits.get("next", NOWHERE)
            self.state = before | forget(again, names)
        self.state |= left

    def _turn(self, body: nodes.Block, frame: Bindings, exits: Exits) -> None:
        """Follow one turn of a loop, and keep its exits by `stop` and `next`."""
        self._block(body, frame)
        for kind in LOOP:
            exits[kind] = self._exits.pop(kind, NOWHERE)

    def _ask(self, node: nodes.Ask, frame: Bindings) -> None:
        """Follow a question, and each repetition of it."""
        number, names = self._numbers[id(node)], _names_in(node, frame)
        entry, before, after = self.state, NOWHERE, NOWHERE
        while entry != before:
            before = self.state = entry
            self.reads.strict(node.seat, frame)
            _, asked = self._asked.get(number, (node, NOWHERE))
            self._asked[number] = node, asked | before
            for option in node.options:
                self.state = before
                again = self._caught(QUESTION, partial(self._option, option, frame))
                after, entry = after | self.state, entry | forget(again, names)
        self.state = after

    def _option(self, option: nodes.Option, frame: Bindings) -> None:
        for binder in option.binders:
            self.reads.strict(binder.items, frame)
            if binder.last is not None:
                self.reads.strict(binder.last, frame)
            items = binder.items.cards if isinstance(binder.items, nodes.Hands) else binder.items
            zones = self.reads.zones_of(items, frame)
            self._refer(frame.named(binder.slot), zones)
            # One card that is alike stands for all in a choice. In a pile each has its own place.
            piles = [zone for zone in zones if self.program.zones[zone].ordered]
            if binder.items.type == CARDS and not all(map(self.reads.holds_one, piles)):
                self.reads.note_order(binder.span)
        if constant_condition(option.condition, self.setting, self.reads.effects) is False:
            self.state = NOWHERE
            return
        if option.condition is not None:
            self.reads.strict(option.condition, frame)
        self._block(option.body, frame)

    # -------------------------------------------------------- rules and defines

    def _define(self, name: str, frame: Bindings) -> None:
        loose = tuple((slot, one.span, one.key) for slot, one in frame.loose.items())
        key = (name, loose, self.state)
        if key in self._defines:
            return
        self._defines.add(key)
        body, before = self.program.functions[name].body, self.state
        if isinstance(body, nodes.Block):
            self._body(body, frame)
        else:
            self.reads.strict(body, frame)
        self.state = before

    def _rule(self, node: nodes.Do, frame: Bindings) -> None:
        name, own = node.rule, Bindings(node.rule)
        slots = [own.named(slot) for slot in range(self.program.rules[name].slots)]
        for slot, arg in enumerate(node.args):
            self._refer(slots[slot], self.reads.zones_of(arg, frame))
        key = (name, self.state)
        if key not in self._rules:
            outer, self._exits = self._exits, {}
            after = forget(self._body(self.program.rules[name].body, own), slots)
            exits = {kind: forget(state, slots) for kind, state in self._exits.items()}
            self._exits, self._rules[key] = outer, (after, exits)
        self.state, exits = self._rules[key]
        for kind, state in exits.items():
            self._leave(kind, state)


def _names_in(node: nodes.Node, frame: Bindings) -> list[str]:
    return [frame.named(slot) for slot in bound_slots(node)]
