"""What is hidden again: seats have seen it, and no longer see it at a later question.

An information set holds what a seat sees at a question, and the answers that it noticed. A player
also remembers cards that were turned down, and earlier values of variables. So a deal with such
cards or values is not solved. Cards that an answer named may be hidden again. If they can come back
into sight, players recognise them. The rules of the deal are followed in all ways that their text
allows, whatever their conditions are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from trutdsl.diagnostics import BadUsage, Span
from trutdsl.ir import nodes
from trutdsl.ir.nodes import Program, walk
from trutdsl.language import say
from trutdsl.solve.chance_values import chance_assignments
from trutdsl.syntax.ast import Audience

NOBODY, OWNER, ALL = range(3)  # who sees a zone at a table of two
RANKS = {Audience.NOBODY: NOBODY, Audience.OWNER: OWNER, Audience.TEAM: OWNER, Audience.ALL: ALL}

BOTH = {"dealer", "other"}  # seats at a table of two
SOME = ""  # an element of a variable that is not known
AnswerNames = dict[int, int]  # by slot: who knows from an answer which cards the name stands for


@dataclass(frozen=True)
class _Way:
    """What the ways to a place have in common, or any of them.

    seen: the zones with cards that seats saw without an answer that names them. revealed: the zones
    and variables of which rules have revealed some place to some seat. public: the zones that rules
    have revealed to all seats in all ways. values: variables with a value that may come from
    chance, and which of their elements have one. once_seen: who has seen cards of a zone in this
    deal, here or elsewhere. new: the zones that got cards without an answer after the last
    question. changed: piles that have got cards that were seen, each with a zone that had got new
    cards before. hidden: a message on what was hidden first.
    """

    seen: frozenset[str] = frozenset()
    revealed: frozenset[str] = frozenset()
    public: frozenset[str] = frozenset()
    values: frozenset[tuple[str, str]] = frozenset()
    once_seen: frozenset[tuple[str, int]] = frozenset()
    new: frozenset[str] = frozenset()
    changed: frozenset[tuple[str, str]] = frozenset()
    hidden: str | None = None

    def join(self, other: _Way | None) -> _Way:
        if other is None:
            return self
        return _Way(
            self.seen | other.seen,
            self.revealed | other.revealed,
            self.public & other.public,
            self.values | other.values,
            self.once_seen | other.once_seen,
            self.new | other.new,
            self.changed | other.changed,
            self.hidden or other.hidden,
        )


def check_remembered(program: Program, asked: Collection[Span]) -> None:
    """Raise `BadUsage` if a question can follow after something was seen and hidden again.

    asked: where the questions stand that were asked; no way leads through another one.
    """
    follower = _follow_deals(program, asked)
    if follower.hidden is not None:
        raise BadUsage(follower.hidden)


def can_come_back(program: Program) -> bool:
    """Tell whether cards that a seat has seen, and that are hidden, can come back into sight."""
    bodies = (rule.body for rule in program.rules.values())
    asked = {node.span for body in bodies for node in walk(body) if isinstance(node, nodes.Ask)}
    return _follow_deals(program, asked).comes_back


def _follow_deals(program: Program, asked: Collection[Span]) -> _Follower:
    follower = _Follower(program, asked)
    for rule in program.rules.values():
        for deal in walk(rule.body):
            if isinstance(deal, nodes.DealBlock):
                follower.block(deal.body, _Way(), {})
    return follower


class _Follower:
    """Follows deals.

    hidden: a message on what is hidden before a question, if anything. comes_back: whether cards
    that were seen and are hidden come back into sight.
    """

    def __init__(self, program: Program, asked: Collection[Span]) -> None:
        self.hidden: str | None = None
        self.comes_back = False
        self._program, self._asked = program, asked
        self._from_chance = chance_assignments(program)
        self._dealer_stays = True  # until a rule of a deal changes the dealer
        self._elements: dict[int, str] = {}  # by slot: which element of a variable it stands for
        self._left: dict[type, list[_Way | None]] = defaultdict(list)  # see `_inside`

    def block(self, block: nodes.Block, way: _Way | None, answer_names: AnswerNames) -> _Way | None:
        """Return the way after a block, or None if all ways leave it."""
        for statement in block.statements:
            if way is None:
                return None
            way = self._after(statement, way, answer_names)
        return way

    def _after(self, node: nodes.Statement, way: _Way, answer_names: AnswerNames) -> _Way | None:
        for call in (
            walk(node) if isinstance(node, nodes.Perform | nodes.Let | nodes.Assign) else ()
        ):
            if isinstance(call, nodes.Do):
                after = self._call(call, way, answer_names)
                if after is None:
                    return None
                way = after
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
            case nodes.Draw() | nodes.Move() | nodes.MoveAll() | nodes.Swap() | nodes.Gather():
                return self._move(node, way, answer_names)
            case nodes.If():
                ways = [self.block(body, way, dict(answer_names)) for _, body in node.branches]
                return _any_of([*ways, self.block(node.otherwise, way, dict(answer_names))])
            case nodes.For() | nodes.Repeat():
                return self._loop(node, way, answer_names)
            case nodes.Ask():
                return self._ask(node, way, answer_names)
            case nodes.TrickBlock():
                way = self._start_trick(node, way)
                return _any_of(self._inside(nodes.EndTrick, node.body, way, answer_names))
            case nodes.Setup():
                return self.block(node.body, way, answer_names)
            case _:
                pass
        return way

    def _call(self, call: nodes.Do, way: _Way, answer_names: AnswerNames) -> _Way | None:
        known = {
            slot: self._known(argument, answer_names) for slot, argument in enumerate(call.args)
        }
        outer = self._elements
        self._elements = {slot: self._seat(arg) for slot, arg in enumerate(call.args)}
        body = self._program.rules[call.rule].body
        after = _any_of(self._inside(nodes.Return, body, way, known))
        self._elements = outer
        return after

    def _inside(
        self, leaves: type, body: nodes.Block, way: _Way, answer_names: AnswerNames
    ) -> tuple[_Way | None, _Way | None]:
        """Return the way at the end of a block, and that of the statements that leave it."""
        self._left[leaves].append(None)
        after = self.block(body, way, answer_names)
        return after, self._left[leaves].pop()

    def _loop(
        self, node: nodes.For | nodes.Repeat, way: _Way, answer_names: AnswerNames
    ) -> _Way | None:
        if isinstance(node, nodes.For):
            answer_names[node.slot] = self._known(node.domain.items, answer_names)
            self._elements[node.slot] = str(node.span)  # another one in each turn
            way = _forget_elements(way, str(node.span))  # those of the loop's last run
        elif node.test is None and isinstance(node.times, nodes.Const) and node.times.value:
            # There is at least one turn.
            first = _any_of(self._inside(nodes.Stop, node.body, way, answer_names))
            if first is None:
                return None
            way = first
        while True:
            others = frozenset(value for value in way.values if value[1] != str(node.span))
            before = replace(way, values=others) if isinstance(node, nodes.For) else way
            turn = _any_of(self._inside(nodes.Stop, node.body, before, answer_names))
            if way.join(turn) == way:
                return way
            way = way.join(turn)

    def _ask(self, node: nodes.Ask, way: _Way, answer_names: AnswerNames) -> _Way | None:
        if node.span not in self._asked:
            return None
        self.hidden = self.hidden or way.hidden
        way = replace(way, new=frozenset(), once_seen=way.once_seen | self._in_sight(way))
        ways: list[_Way | None] = []
        for option in node.options:
            is_open = option.openly or node.audience is Audience.ALL
            known = dict.fromkeys((b.slot for b in option.binders), ALL if is_open else OWNER)
            after, again = self._inside(nodes.Again, option.body, way, answer_names | known)
            again = None if again is None else replace(again, new=frozenset())
            if again is not None and way.join(again) != way:
                ways.append(self._ask(node, way.join(again), answer_names))
            ways.append(after)
        return _any_of(ways)

    def _move(
        self,
        node: nodes.Draw | nodes.Move | nodes.MoveAll | nodes.Swap | nodes.Gather,
        way: _Way,
        answer_names: AnswerNames,
    ) -> _Way:
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
            before = self._sight(origin, way)
            after = self._least_sight(target, way)
            if isinstance(node, nodes.Draw) and node.face_up:
                before, way = ALL, replace(way, seen=way.seen | {origin})
            if origin in way.seen and after < before and known < before:
                text = (
                    "cards in '{zone}' are seen, and hidden again before a question ({at}):"
                    " it cannot be solved; move them to a zone that the same seats may see"
                )
                way = replace(way, hidden=way.hidden or say(text, zone=origin, at=node.span))
            way = self._recognise(origin, target, node, way)
            if known < self._sight(target, way):
                way = replace(way, seen=way.seen | {target}, new=way.new | {target})
        return way

    def _recognise(self, origin: str, target: str, node: nodes.Statement, way: _Way) -> _Way:
        """Return the way after cards have moved that seats may have seen before."""
        before, after = self._least_sight(origin, way), self._sight(target, way)
        seen = _once_seen(origin, way)
        if isinstance(node, nodes.Draw) and node.face_up:
            after = ALL
        self.comes_back |= before < min(seen, after)
        if (origin, target) in way.changed:
            text = (
                "cards come into '{zone}' before and after others come into '{pile}' ({at}), and no"
                " seat sees afterwards which came first: it cannot be solved; use two zones"
            )
            text = say(text, zone=target, pile=origin, at=node.span)
            way = replace(way, hidden=way.hidden or text)
        if seen > self._least_sight(target, way):
            way = replace(way, changed=way.changed | {(target, zone) for zone in way.new})
        return replace(way, once_seen=way.once_seen | {(target, max(seen, after))})

    def _reveal(self, node: nodes.Reveal, way: _Way) -> _Way:
        """Return the way after a place of a zone or variable has been revealed."""
        name = node.what.name
        after = replace(way, revealed=way.revealed | {name})
        if name not in self._program.zones:
            return after
        self.comes_back |= self._least_sight(name, way) < _once_seen(name, way)
        match node:
            case nodes.Reveal(_, nodes.ZoneCards(index=None), nodes.Builtin(name="seats")):
                after = replace(after, public=way.public | {name})
        return replace(
            after,
            seen=way.seen | {name},
            new=way.new | {name},
            once_seen=way.once_seen | {(name, ALL)},
        )

    def _in_sight(self, way: _Way) -> frozenset[tuple[str, int]]:
        """Return the zones that seats see, and who does."""
        zones = ((zone, self._sight(zone, way)) for zone in self._program.zones)
        return frozenset((zone, sight) for zone, sight in zones if sight > NOBODY)

    def _assign(self, node: nodes.Assign, target: nodes.Var, way: _Way) -> _Way:
        """Return the way after a variable has got a value."""
        name, element = target.name, self._element(target)
        if name == "dealer":
            self._dealer_stays = False
            return _forget_elements(way, *BOTH)
        if any(other == name and {element, one} != BOTH for other, one in way.values):
            way = self._replace_value(name, node.span, way)
        if node.span in self._from_chance:
            return replace(way, values=way.values | {(name, element)})
        if node.op == "=" and element != SOME:
            return replace(way, values=way.values - {(name, element)})
        return way

    def _start_trick(self, node: nodes.TrickBlock, way: _Way) -> _Way:
        """Return the way after the variables of the trick have got their first values."""
        for name, element in way.values:
            if self._program.variables[name].lifetime == "trick":
                way = self._replace_value(name, node.span, way)
                way = replace(way, values=way.values - {(name, element)})
        return way

    def _replace_value(self, name: str, at: Span, way: _Way) -> _Way:
        """Return the way after a value that may come from chance has been replaced."""
        if self._program.variables[name].audience is Audience.NOBODY and name not in way.revealed:
            return way
        text = (
            "a value of '{variable}' that may come from chance is seen, and replaced before a"
            " question ({at}): it cannot be solved; keep it in a variable of its own"
        )
        return replace(way, hidden=way.hidden or say(text, variable=name, at=at))

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

    def _least_sight(self, zone: str, way: _Way) -> int:
        """Return who sees all places of a zone in all ways."""
        return ALL if zone in way.public else RANKS[self._program.zones[zone].audience]

    def _sight(self, zone: str, way: _Way) -> int:
        """Return who may see a place of a zone."""
        return ALL if zone in way.revealed else RANKS[self._program.zones[zone].audience]

    def _known(self, value: nodes.Expression, answer_names: AnswerNames) -> int:
        """Return who knows from an answer which cards these are."""
        return answer_names.get(value.slot, NOBODY) if isinstance(value, nodes.Local) else NOBODY


def _once_seen(zone: str, way: _Way) -> int:
    """Return who may have seen a card that lies in this zone."""
    return max((who for name, who in way.once_seen if name == zone), default=NOBODY)


def _forget_elements(way: _Way, *names: str) -> _Way:
    """Return a way on which these no longer say which elements of variables have values."""
    values = frozenset((name, SOME if one in names else one) for name, one in way.values)
    return replace(way, values=values)


def _any_of(ways: Sequence[_Way | None]) -> _Way | None:
    result: _Way | None = None
    for way in ways:
        result = result if way is None else way.join(result)
    return result
