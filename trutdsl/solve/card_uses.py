"""Every use of a card in a match at one table, in rules, defines and policies.

The analysis follows all paths through the rules, with the facts that may hold on each. It follows a
rule once for each state in which the rule begins.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeGuard

from trutdsl.ir import nodes
from trutdsl.ir.nodes import Program, questions_of, walk
from trutdsl.ir.types import CARDS, Hands
from trutdsl.solve.card_reads import (
    NOWHERE,
    Bindings,
    CardReads,
    Fact,
    Facts,
    InPackOrder,
    Reachable,
    Refers,
    holds_cards,
)
from trutdsl.table.actions import constant_condition
from trutdsl.table.setting import Setting

CHANGING = nodes.ZoneCards, nodes.Legal, nodes.LegalAt, nodes.Do


class CardUses(CardReads):
    """Follows every rule, define and policy that a match at this table can reach."""

    def __init__(self, program: Program, setting: Setting) -> None:
        super().__init__(program, setting)
        self._exits = NOWHERE  # at any exit of the current rule, such as `return` or `next`
        self._rules: dict[tuple[str, Facts], tuple[Facts, Facts]] = {}
        self._defines: set[tuple[str, Facts]] = set()
        self._numbers = {id(node): number for number, node in enumerate(questions_of(program))}
        self._questions: dict[int, tuple[nodes.Ask, Facts]] = {}
        self._follow_match()

    def _note(self, *facts: Fact) -> None:
        """Note what may hold from here on, if any path leads here."""
        if self.state:
            self.state |= {*facts}

    def _follow_match(self) -> None:
        self.state = frozenset([Reachable()])
        for zone in self.program.zones.values():
            if zone.content is not None:
                self.strict(zone.content, Bindings())
                if zone.ordered:
                    self._note(InPackOrder(zone.name))
        for key, policy in self.program.policies.items():
            if any(map(holds_cards, policy.memory)):  # any card may be remembered
                self._refer(key, self.program.zones)
        self._begin("match")
        self._body(self.program.rules["match"].body, Bindings("match"))
        self._follow_policies()

    def _follow_policies(self) -> None:
        """Follow the memories of scripts, and their answers to possible questions."""
        every = NOWHERE
        for _, state in self._questions.values():
            every |= state
        for policy in self.program.policies.values():
            self.state = every
            for memory in policy.memory:
                self.strict(memory.initial, Bindings())
            for answer in policy.answers:
                if answer.question in self._questions:
                    ask, self.state = self._questions[answer.question]
                    self._body(answer.body, Bindings(answers=ask.options))

    # -------------------------------------------------------- statements

    def _body(self, block: nodes.Block, frame: Bindings) -> Facts:
        """Follow a rule, define or answer; return the facts that may hold at its exits.

        An exit may lead to the end of any loop, question, rule, trick or deal around it.
        """
        local = (n.target for n in walk(block) if isinstance(n, nodes.Assign))
        frame.assigned_slots = frozenset(one.slot for one in local if isinstance(one, nodes.Local))
        outer, self._exits = self._exits, NOWHERE
        self._block(block, frame)
        self.state |= self._exits
        exits, self._exits = self._exits, outer
        return exits

    def _block(self, block: nodes.Block, frame: Bindings) -> None:
        for statement in block.statements:
            if not self.state:
                return
            self._statement(statement, frame)

    def _statement(self, node: nodes.Statement, frame: Bindings) -> None:
        match node:
            case nodes.Let(_, slot, value):
                self._let(slot, value, frame)
            case nodes.Assign(_, target, _, value):
                self._assign(target, value, frame)
            case nodes.Move() | nodes.MoveAll() | nodes.Gather() | nodes.Draw() | nodes.Swap():
                self._carry(node, frame)
            case nodes.Shuffle(_, zone):
                self.strict(zone, frame)
                if self.program.zones[zone.name].index is None:
                    self.state -= {InPackOrder(zone.name)}
            case nodes.Take(_, _, values):
                for value in values:
                    self.picks(value, frame)
                self.state = NOWHERE
            case nodes.EndMatch() | nodes.TakeAny():
                self._parts(node, frame)
                self.state = NOWHERE
            case (
                nodes.Stop() | nodes.Next() | nodes.Again() | nodes.Return() | nodes.EndTrick()
                | nodes.EndDeal()
            ):  # fmt: skip
                self._parts(node, frame)
                self._exits |= self.state
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
                self.strict(times, frame)
                self._loop(body, frame, condition)
            case nodes.DealBlock(_, body):
                self._begin("deal", "trick")
                self._block(body, frame)
                self.state |= self._exits
            case nodes.TrickBlock(_, _, body):
                self._begin("trick")
                self._block(body, frame)
                self.state |= self._exits
            case nodes.Setup(_, _, body):
                before = self.state
                self._block(body, frame)
                self.state |= before
            case nodes.Ask():
                self._ask(node, frame)
            case _:
                self.note_order(node.span)

    def _parts(self, node: nodes.Node, frame: Bindings) -> None:
        for child in node.children:
            if isinstance(child, nodes.Expression):
                self.strict(child, frame)

    def _begin(self, *lifetimes: str) -> None:
        """Start the variables of these lifetimes anew."""
        variables = [v for v in self.program.variables.values() if v.lifetime in lifetimes]
        self.state = forget(self.state, (variable.name for variable in variables))
        for variable in variables:
            self.strict(variable.initial, Bindings())
            self._refer(variable.name, self.zones_of(variable.initial, Bindings()))

    def _let(self, slot: int, value: nodes.Expression, frame: Bindings) -> None:
        frame.loose.pop(slot, None)
        loose = self.follow(value, frame)
        if loose is not None:
            frame.loose[slot] = loose
        elif slot not in frame.assigned_slots:
            frame.sets[slot] = value
        self._refer(frame.name_of(slot), self.zones_of(value, frame))

    def _refer(self, name: str, zones: Iterable[str]) -> None:
        """Record zones of cards that a name may refer to; names that start with ":" have none."""
        if not name.startswith(":"):
            self._note(*(Refers(name, zone) for zone in zones))

    def _assign(self, target: nodes.Expression, value: nodes.Expression, frame: Bindings) -> None:
        self.strict(value, frame)
        self.strict(target, frame)
        if isinstance(target, nodes.Local):
            self._refer(frame.name_of(target.slot), self.zones_of(value, frame))
        elif isinstance(target, nodes.Var):
            self._refer(target.name, self.zones_of(value, frame))

    def _carry(
        self,
        node: nodes.Move | nodes.MoveAll | nodes.Gather | nodes.Draw | nodes.Swap,
        frame: Bindings,
    ) -> None:
        """Follow a statement that moves cards from one place to another."""
        for child in node.children:
            if isinstance(node, nodes.Move) and child is node.card:
                self.picks(node.card, frame)
            elif isinstance(child, nodes.Expression):
                self.strict(child, frame)
        target = node.target.name
        origins = node.names if isinstance(node, nodes.Gather) else (node.origin.name,)
        if isinstance(node, nodes.Draw):
            self.look_at_end(node.origin.name, node.span)
        if isinstance(node, nodes.MoveAll | nodes.Gather) and self.program.zones[target].ordered:
            self._note(InPackOrder(target))
        for origin in origins:
            self.state = after_move(self.state, origin, target)
        if isinstance(node, nodes.Swap):
            self.state = after_move(self.state, target, node.origin.name)
        slot = node.slot if isinstance(node, nodes.Draw) else None
        if isinstance(node, nodes.Move) and isinstance(node.card, nodes.Local):
            slot = node.card.slot
        if slot is not None:
            self._refer(frame.name_of(slot), [target])

    # -------------------------------------------------------- branches and loops

    def _if(self, node: nodes.If, frame: Bindings) -> None:
        after = NOWHERE
        for test, body in node.branches:
            outcome = constant_condition(test, self.setting, self.effects)
            if outcome is False or not self.state:
                continue
            self.strict(test, frame)
            rest = NOWHERE if outcome else self.state
            self._block(body, frame)
            after, self.state = after | self.state, rest
        self._block(node.otherwise, frame)
        self.state = after | self.state

    def _for(self, node: nodes.For, frame: Bindings) -> None:
        items, moves = node.domain.items, node.body.statements
        self.domain(node.domain, node.slot, frame)
        is_ordered = self.is_ordered(items)
        self._refer(frame.name_of(node.slot), self.zones_of(items, frame))
        if items.type in (CARDS, Hands()) and not is_ordered:
            if len(moves) == 1 and self._only_lays(moves[0], node):
                target = moves[0].target.name
                if self.program.zones[target].ordered:
                    self._note(InPackOrder(target))
            else:
                self.note_order(node.span)
        self._loop(node.body, frame, None)

    def _only_lays(self, move: nodes.Statement, loop: nodes.For) -> TypeGuard[nodes.Move]:
        """Tell whether a loop only moves each card, independently of its earlier turns."""
        if not isinstance(move, nodes.Move) or not isinstance(move.card, nodes.Local):
            return False
        parts = loop.domain.where, move.origin.index, move.target.index
        are_fixed = (part is None or self._is_fixed(part) for part in parts)
        return move.card.slot == loop.slot and all(are_fixed)

    def _is_fixed(self, node: nodes.Expression | nodes.Block) -> bool:
        """Tell whether an expression or define reads nothing that a loop may change."""
        return not any(
            isinstance(one, CHANGING)
            or (
                isinstance(one, nodes.Call)
                and not self._is_fixed(self.program.functions[one.function].body)
            )
            for one in walk(node)
        )

    def _loop(self, body: nodes.Block, frame: Bindings, condition: nodes.Expression | None) -> None:
        """Follow a loop until no more facts become possible in it."""
        names, before = _names_in(body, frame), NOWHERE
        while self.state != before:
            before = self.state
            if condition is not None:
                self.strict(condition, frame)
            self._block(body, frame)
            self.state = before | forget(self.state | self._exits, names)

    def _ask(self, node: nodes.Ask, frame: Bindings) -> None:
        """Follow a question, and each repetition of it."""
        number, names = self._numbers[id(node)], _names_in(node, frame)
        entry, before, after = self.state, NOWHERE, NOWHERE
        while entry != before:
            before = self.state = entry
            self.strict(node.seat, frame)
            _, earlier = self._questions.get(number, (node, NOWHERE))
            self._questions[number] = node, earlier | before
            for option in node.options:
                self.state = before
                self._option(option, frame)
                after |= self.state
            entry |= forget(self._exits, names)
        self.state = after

    def _option(self, option: nodes.Option, frame: Bindings) -> None:
        for binder in option.binders:
            self.strict(binder.items, frame)
            if binder.last is not None:
                self.strict(binder.last, frame)
            items = binder.items.cards if isinstance(binder.items, nodes.Hands) else binder.items
            zones = self.zones_of(items, frame)
            self._refer(frame.name_of(binder.slot), zones)
            # One card that is alike stands for all in a choice. In a pile each has its own place.
            if binder.items.type == CARDS and any(self.program.zones[z].ordered for z in zones):
                self.note_order(binder.span)
        if constant_condition(option.condition, self.setting, self.effects) is False:
            self.state = NOWHERE
            return
        if option.condition is not None:
            self.strict(option.condition, frame)
        self._block(option.body, frame)

    # -------------------------------------------------------- rules and defines

    def follow_define(self, name: str) -> None:
        """Follow the body of a define, once for each state."""
        if (name, self.state) in self._defines:
            return
        self._defines.add((name, self.state))
        body, before = self.program.functions[name].body, self.state
        if isinstance(body, nodes.Block):
            self._body(body, Bindings())
        else:
            self.strict(body, Bindings())
        self.state = before

    def follow_rule(self, node: nodes.Do, frame: Bindings) -> None:
        """Follow the body of a rule, once for each state; note what may hold after it."""
        name, own = node.rule, Bindings(node.rule)
        slots = [own.name_of(slot) for slot in range(self.program.rules[name].slots)]
        for slot, arg in enumerate(node.args):
            self._refer(slots[slot], self.zones_of(arg, frame))
        key = (name, self.state)
        if key not in self._rules:
            exits = self._body(self.program.rules[name].body, own)
            self._rules[key] = forget(self.state, slots), forget(exits, slots)
        self.state, exits = self._rules[key]
        self._exits |= exits


def forget(facts: Facts, names: Iterable[str]) -> Facts:
    """Return the facts without the references of these names."""
    lost_names = frozenset(names)
    return frozenset(f for f in facts if not (isinstance(f, Refers) and f.name in lost_names))


def after_move(facts: Facts, origin: str, target: str) -> Facts:
    """Return the facts after some card of one zone may have come to another."""
    return facts | {
        Refers(f.name, target) for f in facts if isinstance(f, Refers) and f.zone == origin
    }


def _names_in(node: nodes.Node, frame: Bindings) -> list[str]:
    """Return the names that a statement binds, in its blocks too."""
    binding = nodes.Let, nodes.For, nodes.Binder, nodes.Draw
    slots = (one.slot for one in walk(node) if isinstance(one, binding))
    return [frame.name_of(slot) for slot in slots if slot is not None]
