"""What is hidden again: seats have seen it, and no longer see it at a later question.

An information set holds what a seat sees at a question, and the answers that it noticed. A player
also remembers cards that were turned down, and earlier values of variables. So a deal with such
cards or values is not solved. Cards that an answer named may be hidden again. If they can come back
into sight, players recognise them. The rules of the deal are followed in all ways that their text
allows, whatever their conditions are, unless these are constant at the table.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import replace

from trutdsl.diagnostics import BadUsage, Span
from trutdsl.ir import nodes
from trutdsl.ir.effects import Effects
from trutdsl.ir.nodes import Program, questions_of, walk, walk_rules
from trutdsl.language import say
from trutdsl.solve.ways import ALL, NOBODY, OWNER, SOME, ChanceValues, Transfer, Way, any_way
from trutdsl.syntax.ast import Audience
from trutdsl.table.actions import constant_condition
from trutdsl.table.setting import Setting

RANKS = {Audience.NOBODY: NOBODY, Audience.OWNER: OWNER, Audience.TEAM: OWNER, Audience.ALL: ALL}

BOTH = {"dealer", "other"}  # seats at a table of two
AnswerNames = dict[int, int]  # by slot: who knows from an answer which cards the name stands for


def check_remembered(program: Program, setting: Setting, asked: Collection[Span]) -> None:
    """Raise `BadUsage` if a question can follow after something was seen and hidden again.

    asked: where the questions stand that were asked; no way leads through another one.
    """
    follower = _follow_deals(program, setting, asked)
    if follower.hidden is not None:
        raise BadUsage(follower.hidden)


def can_come_back(program: Program, setting: Setting) -> bool:
    """Tell whether cards that a seat has seen, and that are hidden, can come back into sight."""
    asked = [question.span for question in questions_of(program)]
    return _follow_deals(program, setting, asked).comes_back


def can_mix(program: Program, setting: Setting) -> bool:
    """Tell whether cards that all seats see can come to others, so that none sees which."""
    asked = [question.span for question in questions_of(program)]
    return _follow_deals(program, setting, asked).mixes


def _follow_deals(program: Program, setting: Setting, asked: Collection[Span]) -> _Follower:
    follower = _Follower(program, setting, asked)
    full = {name: RANKS[zone.audience] for name, zone in program.zones.items() if zone.content}
    shown = {name: who for name, who in full.items() if who > NOBODY}
    start = Way(seen=frozenset(shown), once_seen=frozenset(shown.items()))
    for deal in walk_rules(program, nodes.DealBlock):
        follower.block(deal.body, start, {})
    return follower


class _Follower:
    """Follows deals.

    hidden: a message on what is hidden before a question, if anything. comes_back: whether cards
    that were seen and are hidden come back into sight.
    """

    def __init__(self, program: Program, setting: Setting, asked: Collection[Span]) -> None:
        self.hidden: str | None = None
        self.comes_back = self.mixes = False
        self._program, self._setting, self._asked = program, setting, asked
        self._effects = Effects(program)
        self._from_chance = ChanceValues(program)
        self._dealer_stays = True  # until a rule of a deal changes the dealer
        self._elements: dict[int, str] = {}  # by slot: which element of a variable it stands for
        self._running: list[Span] = []  # blocks
        self._left: dict[type, list[Way | None]] = defaultdict(list)  # see `_inside`

    def block(self, block: nodes.Block, way: Way | None, answer_names: AnswerNames) -> Way | None:
        """Return the way after a block, or None if all ways leave it."""
        self._running.append(block.span)
        for statement in block.statements:
            if way is not None:
                way = self._after(statement, way, answer_names)
        self._running.pop()
        return way

    def _after(self, node: nodes.Statement, way: Way, answer_names: AnswerNames) -> Way | None:
        for call in (
            walk(node) if isinstance(node, nodes.Perform | nodes.Let | nodes.Assign) else ()
        ):
            if isinstance(call, nodes.Do):
                after = self._call(call, way, answer_names)
                if after is None:
                    return None
                way = after
        way = replace(way, read=way.read | _zones_read(self._program, node))
        match node:
            case nodes.Let():
                answer_names[node.slot] = self._known(node.value, answer_names)
                self._elements[node.slot] = self._seat(node.value)
            case nodes.Assign(_, nodes.Local(_, _, slot)):
                self._elements[slot] = SOME
            case nodes.Assign() if isinstance(node.target, nodes.Var):
                return self._assign(node, node.target, way)
            case nodes.Return() | nodes.Stop() | nodes.Next() | nodes.Again() | nodes.EndTrick():
                running = self._left[nodes.Stop if isinstance(node, nodes.Next) else type(node)]
                if running:
                    running[-1] = way.join(running[-1])
                return None
            case nodes.EndDeal() | nodes.EndMatch():
                return None
            case nodes.Reveal():
                return self._reveal(node, way)
            case _ if isinstance(node, nodes.CardMove):
                return self._move(node, way, answer_names)
            case nodes.If():
                bodies = self._possible_bodies(node)
                return any_way([self.block(body, way, dict(answer_names)) for body in bodies])
            case nodes.For() | nodes.Repeat():
                return self._loop(node, way, answer_names)
            case nodes.Ask():
                return self._ask(node, way, answer_names)
            case nodes.TrickBlock():
                way = self._start_trick(node, way)
                return any_way(self._inside(nodes.EndTrick, node.body, way, answer_names))
            case nodes.Setup():
                return self.block(node.body, way, answer_names)
        return way

    def _possible_bodies(self, node: nodes.If) -> Iterator[nodes.Block]:
        for test, body in node.branches:
            holds = constant_condition(test, self._setting, self._effects)
            if holds is not False:
                yield body
            if holds:
                return
        yield node.otherwise

    def _call(self, call: nodes.Do, way: Way, answer_names: AnswerNames) -> Way | None:
        known = {
            slot: self._known(argument, answer_names) for slot, argument in enumerate(call.args)
        }
        outer = self._elements
        self._elements = {slot: self._seat(arg) for slot, arg in enumerate(call.args)}
        body = self._program.rules[call.rule].body
        after = any_way(self._inside(nodes.Return, body, way, known))
        self._elements = outer
        return None if after is None else after.at_end(self._running)

    def _inside(
        self, leaves: type, body: nodes.Block, way: Way, answer_names: AnswerNames
    ) -> tuple[Way | None, Way | None]:
        """Return the way at the end of a block, and that of the statements that leave it."""
        self._left[leaves].append(None)
        after = self.block(body, way, answer_names)
        return after, self._left[leaves].pop()

    def _loop(
        self, node: nodes.For | nodes.Repeat, way: Way, answer_names: AnswerNames
    ) -> Way | None:
        if isinstance(node, nodes.For):
            answer_names[node.slot] = self._known(node.domain.items, answer_names)
            self._elements[node.slot] = str(node.span)  # another one in each turn
            way = way.forget_elements(str(node.span))  # those of the loop's last run
        elif node.test is None and isinstance(node.times, nodes.Const) and node.times.value:
            # There is at least one turn.
            first = self._turn(node, way, answer_names)
            if first is None:
                return None
            way = first
        while True:
            others = frozenset(value for value in way.values if value[1] != str(node.span))
            before = replace(way, values=others) if isinstance(node, nodes.For) else way
            turn = self._turn(node, before, answer_names)
            if way.join(turn) == way:
                return way
            way = way.join(turn)

    def _turn(
        self, node: nodes.For | nodes.Repeat, way: Way, answer_names: AnswerNames
    ) -> Way | None:
        after = any_way(self._inside(nodes.Stop, node.body, way, answer_names))
        return None if after is None else after.at_end([*self._running, node.body.span])

    def _ask(self, node: nodes.Ask, way: Way, answer_names: AnswerNames) -> Way | None:
        if node.span not in self._asked:
            return None
        self.hidden = self.hidden or way.hidden
        way = way.at_question()
        ways: list[Way | None] = []
        for option in node.options:
            is_open = option.openly or node.audience is Audience.ALL
            known = dict.fromkeys((b.slot for b in option.binders), ALL if is_open else OWNER)
            after, again = self._inside(nodes.Again, option.body, way, answer_names | known)
            again = None if again is None else again.at_question()
            if again is not None and way.join(again) != way:
                ways.append(self._ask(node, way.join(again), answer_names))
            ways.append(after)
        return any_way(ways)

    def _move(self, node: nodes.CardMove, way: Way, answer_names: AnswerNames) -> Way:
        """Return the way after cards have moved."""
        if isinstance(node, nodes.Gather):
            moves = [(name, node.target.name, NOBODY) for name in node.names]
        else:
            card = (
                self._known(node.card, answer_names)
                if isinstance(node, nodes.Move | nodes.Swap)
                else 0
            )
            moves = [(node.origin.name, node.target.name, card)]
        if isinstance(node, nodes.Swap):
            moves.append(
                (node.target.name, node.origin.name, self._known(node.other, answer_names))
            )
        for origin, target, known in moves:
            way = self._transfer(origin, target, node, way)
            before = self._sight(origin, way)
            after = self._least_sight(target, way)
            if isinstance(node, nodes.Draw) and node.face_up:
                before, way = ALL, replace(way, seen=way.seen | {origin})
            is_picked = known == NOBODY and node.span in self._from_chance.picks
            if (origin in way.seen or is_picked) and after < before and known < before:
                text = (
                    "cards in '{zone}' are seen, and hidden again before a question ({at}):"
                    " it cannot be solved; move them to a zone that the same seats may see"
                )
                way = way.hide(say(text, zone=origin, at=node.span))
            way = self._recognise(origin, target, node, way)
            if known < self._sight(target, way) and (
                origin in way.seen or is_picked or before < self._sight(target, way)
            ):
                way = self._mix(origin, target, node, way)
                way = replace(way, seen=way.seen | {target}, new=way.new | {target})
        return way

    def _recognise(self, origin: str, target: str, node: nodes.Statement, way: Way) -> Way:
        """Return the way after cards have moved that seats may have seen before."""
        before, after = self._least_sight(origin, way), self._sight(target, way)
        seen = way.who_once_saw(origin)
        if isinstance(node, nodes.Draw) and node.face_up:
            after = ALL
        self.comes_back |= before < min(seen, after)
        if (origin, target) in way.changed:
            text = (
                "cards come into '{zone}' before and after others come into '{pile}' ({at}), and no"
                " seat sees afterwards which came first: it cannot be solved; use two zones"
            )
            way = way.hide(say(text, zone=target, pile=origin, at=node.span))
        if seen > self._least_sight(target, way):
            way = replace(way, changed=way.changed | {(target, zone) for zone in way.new})
        return replace(way, once_seen=way.once_seen | {(target, max(seen, after))})

    def _mix(self, origin: str, target: str, node: nodes.Statement, way: Way) -> Way:
        """Return the way after cards whose former place seats saw have come to others."""
        zones = self._program.zones
        ordered = zones[origin].ordered and origin in way.seen
        if zones[target].ordered or not (target in way.seen or ordered):
            return way
        self.mixes |= self._sight(target, way) == ALL
        if not way.read & {origin, target}:
            return way
        text = (
            "cards come into '{zone}' after a rule has read some of them ({at}), and no seat sees"
            " afterwards which: it cannot be solved; use two zones"
        )
        return way.hide(say(text, zone=target, at=node.span))

    def _reveal(self, node: nodes.Reveal, way: Way) -> Way:
        """Return the way after a place of a zone or variable has been revealed."""
        name = node.what.name
        after = replace(way, revealed=way.revealed | {name})
        if name not in self._program.zones:
            return after
        self.comes_back |= self._least_sight(name, way) < way.who_once_saw(name)
        match node:
            case nodes.Reveal(_, nodes.ZoneCards(index=None), nodes.Builtin(name="seats")):
                after = replace(after, public=way.public | {name})
        return replace(
            after,
            seen=way.seen | {name},
            new=way.new | {name},
            once_seen=way.once_seen | {(name, ALL)},
        )

    def _assign(self, node: nodes.Assign, target: nodes.Var, way: Way) -> Way:
        """Return the way after a variable has got a value."""
        name, element = target.name, self._element(target)
        if name == "dealer":
            self._dealer_stays = False
            way = way.forget_elements(*BOTH)
        if any(other == name and {element, one} != BOTH for other, one in way.values):
            way = self._replace_value(name, node.span, way)
        if node.span in self._from_chance.assignments:
            return replace(way, values=way.values | {(name, element)})
        if node.op == "=" and element != SOME:
            return replace(way, values=way.values - {(name, element)})
        return way

    def _transfer(self, origin: str, target: str, node: nodes.Statement, way: Way) -> Way:
        """Return the way after cards have moved, if chance may decide how many."""
        decision = self._from_chance.moves.get(node.span)
        empties = isinstance(node, nodes.MoveAll | nodes.Gather)
        if decision is None and empties and any(origin in one.zones for one in way.transfers):
            decision = node.span
        if decision is None:
            return way
        new = Transfer(frozenset((origin, target)), decision)
        text = (
            "the number of cards in '{zone}' may depend on chance, and changes again before a"
            " question ({at}): it cannot be solved; use another zone"
        )
        if way.may_hide(new):
            way = way.hide(say(text, zone=origin, at=node.span))
        return replace(way, transfers=way.transfers | {new})

    def _start_trick(self, node: nodes.TrickBlock, way: Way) -> Way:
        """Return the way after the variables of the trick have got their first values."""
        for name, element in way.values:
            variable = self._program.variables.get(name)
            if variable is not None and variable.lifetime == "trick":
                way = self._replace_value(name, node.span, way)
                way = replace(way, values=way.values - {(name, element)})
        return way

    def _replace_value(self, name: str, at: Span, way: Way) -> Way:
        """Return the way after a value that may come from chance has been replaced."""
        variable = self._program.variables.get(name)  # None for `dealer` and `on_lead`
        hidden = variable is not None and variable.audience is Audience.NOBODY
        if hidden and name not in way.revealed:
            return way
        text = (
            "a value of '{variable}' that may come from chance is seen, and replaced before a"
            " question ({at}): it cannot be solved; keep it in a variable of its own"
        )
        return way.hide(say(text, variable=name, at=at))

    def _element(self, target: nodes.Var) -> str:
        """Return which element of a variable this is."""
        return "all" if target.index is None else self._seat(target.index)

    def _seat(self, index: nodes.Expression) -> str:
        """Return what an index stands for: a seat, the element of a loop's turn, or some one."""
        element = SOME
        match index:
            case nodes.Local(_, _, slot):
                element = self._elements.get(slot, SOME)
            case nodes.Var(_, _, "dealer"):
                element = "dealer"
            case nodes.Builtin(_, _, "next_seat", (nodes.Var(_, _, "dealer"),)):
                element = "other"
        return element if self._dealer_stays or element not in BOTH else SOME

    def _least_sight(self, zone: str, way: Way) -> int:
        """Return who sees all places of a zone in all ways."""
        return ALL if zone in way.public else RANKS[self._program.zones[zone].audience]

    def _sight(self, zone: str, way: Way) -> int:
        """Return who may see a place of a zone."""
        return ALL if zone in way.revealed else RANKS[self._program.zones[zone].audience]

    def _known(self, value: nodes.Expression, answer_names: AnswerNames) -> int:
        """Return who knows from an answer which cards these are."""
        return answer_names.get(value.slot, NOBODY) if isinstance(value, nodes.Local) else NOBODY


def _zones_read(program: Program, node: nodes.Statement) -> frozenset[str]:
    """Return the zones whose cards a statement reads, without those of its blocks.

    At a question only its conditions count, and a card on top is moved without a look at it.
    """
    parts: list[nodes.Node] = []
    match node:
        case nodes.Move() | nodes.Swap():
            cards = [node.card, node.other] if isinstance(node, nodes.Swap) else [node.card]
            parts += [card for card in cards if not _is_builtin(card, "top", "bottom")]
        case nodes.Ask():
            parts += [one.condition for one in node.options if one.condition is not None]
        case _ if not isinstance(node, nodes.CardSentence | nodes.Reveal):
            parts += [part for part in node.children if not isinstance(part, nodes.Block)]
    found = set[str]()
    while parts:
        part = parts.pop()
        if isinstance(part, nodes.ZoneCards):
            found.add(part.name)
        elif isinstance(part, nodes.Call):
            parts.append(program.functions[part.function].body)
        counts = _is_builtin(part, "size", "empty")
        parts += [p for p in part.children if not (counts and isinstance(p, nodes.ZoneCards))]
    return frozenset(found)


def _is_builtin(node: nodes.Node, *names: str) -> bool:
    return isinstance(node, nodes.Builtin) and node.name in names
