"""Warnings about dealing: a pack too small for a table, a dealer without cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trutdsl.diagnostics import Collector, Span
from trutdsl.ir import nodes
from trutdsl.ir.nodes import children, rules_of_match, walk
from trutdsl.ir.types import Kind, Number
from trutdsl.language import say, say_count
from trutdsl.variant import Variant


class Warnings(Collector):
    """Collects warnings."""

    warn = Collector.error


NEXT, RETURN, TURN, STOP = "next", "return", "turn", "stop"  # exits of a sentence
Counts = dict[str, int]  # pile -> the cards drawn at least since cards came back to it
Exits = dict[str, Counts]
Known = dict[int, int]  # slot -> its number, or its seat counted from the dealer
MOST_TURNS = 100  # of a loop that are followed


def find_undealt(
    program: nodes.Program, variant: Variant, files: frozenset[str], found: Warnings
) -> None:
    """Warn of draws from an empty pile at some table, and of a dealer who gets no cards.

    files: those that warnings are for. If the draw is in another one, the pack is what is wrong.
    """
    for choice, pack in variant.packs.items():
        cards = len(pack.suits) * len(pack.ranks) + len(pack.special_cards)
        values = {name: one.default for name, one in variant.parameters.items()}
        if variant.pack_by is not None and choice is not None:
            values[variant.pack_by] = choice
        for players in variant.players:
            dealing = _Dealing(program, values, players)
            dealing.run()
            for pile, (span, most) in dealing.most.items():
                if most > cards:
                    found.place = None
                    message = say(
                        "with {players} players {needed} are drawn from '{pile}', "
                        "and the pack has {cards}",
                        players=players,
                        needed=say_count(most, "{number} card", "{number} cards"),
                        pile=pile,
                        cards=cards,
                    )
                    text = "deal fewer, add cards to the pack, or leave out {n} in `players`"
                    help_ = say(text, n=players)
                    place = span if span.source.name in files else pack.span
                    found.warn("pack-too-small", message, place, help=help_)
                    return
    _find_left_out(program, found)


class _Dealing:
    """Follows the rules and counts the cards that are drawn on every path.

    most: for each pile the greatest count, and the draw that reaches it. A pile to which cards
    return starts again at 0, because nothing says how many there are then.
    """

    def __init__(self, program: nodes.Program, values: Mapping[str, object], players: int) -> None:
        self.program, self.values, self.players = program, values, players
        self.most: dict[str, tuple[Span, int]] = {}
        self._followed: dict[tuple[object, ...], Exits] = {}  # the exits of followed calls

    def run(self) -> None:
        """Follow the match."""
        self._block(self.program.rules["match"].body, {}, {})

    def _block(self, block: nodes.Block, known: Known, counts: Counts) -> Exits:
        exits: Exits = {}
        for statement in block.statements:
            after = self._statement(statement, known, counts)
            following = after.pop(NEXT, None)
            _merge(exits, after)
            if following is None:
                return exits
            counts = following
        return _merge(exits, {NEXT: counts})

    def _statement(self, node: nodes.Statement, known: Known, counts: Counts) -> Exits:
        match node:
            case nodes.Draw(span, origin):
                counts = {**counts, origin.name: counts.get(origin.name, 0) + 1}
                if counts[origin.name] > self.most.get(origin.name, (span, 0))[1]:
                    self.most[origin.name] = span, counts[origin.name]
                counts.pop(node.target.name, None)
            case nodes.Move() | nodes.MoveAll() | nodes.Gather():
                counts = dict(counts)
                counts.pop(node.target.name, None)
            case nodes.Return():
                return {RETURN: counts}
            case nodes.Stop():
                return {STOP: counts}
            case nodes.Next():
                return {TURN: counts}
            case nodes.Again() | nodes.EndTrick() | nodes.EndDeal() | nodes.EndMatch():
                return {type(node).__name__: counts}
            case nodes.Let(_, slot, value):
                if isinstance(value, nodes.Do):
                    return self._do(value, known, counts)
                known.pop(slot, None)
                number = self._number(value, known)
                if number is not None:
                    known[slot] = number
            case nodes.Assign(_, target, _, value):
                if isinstance(target, nodes.Local):
                    known.pop(target.slot, None)
                if isinstance(value, nodes.Do):
                    return self._do(value, known, counts)
            case nodes.Perform(_, do):
                return self._do(do, known, counts)
            case nodes.If():
                return self._if(node, known, counts)
            case nodes.Ask():
                exits: Exits = {}
                for option in node.options:
                    _merge(exits, self._block(option.body, dict(known), counts))
                return exits
            case nodes.For() | nodes.Repeat():
                return self._loop(node, known, counts)
            case nodes.Setup():
                return self._block(node.body, known, counts)
            case nodes.TrickBlock() | nodes.DealBlock():
                end = "EndTrick" if isinstance(node, nodes.TrickBlock) else "EndDeal"
                exits = self._block(node.body, known, counts)
                ended = exits.pop(end, None)
                return exits if ended is None else _merge(exits, {NEXT: ended})
        return {NEXT: counts}

    def _do(self, do: nodes.Do, known: Known, counts: Counts) -> Exits:
        numbers = ((slot, self._number(arg, known)) for slot, arg in enumerate(do.args))
        inside = {slot: number for slot, number in numbers if number is not None}
        key = (do.rule, *sorted(inside.items()), *sorted(counts.items()))
        if key not in self._followed:
            exits = self._block(self.program.rules[do.rule].body, inside, counts)
            returned = exits.pop(RETURN, None)
            self._followed[key] = exits if returned is None else _merge(exits, {NEXT: returned})
        return dict(self._followed[key])

    def _if(self, node: nodes.If, known: Known, counts: Counts) -> Exits:
        exits: Exits = {}
        for test, body in node.branches:
            holds = self._holds(test, known)
            if holds is None and _looks(test):
                counts = {}  # the rules look how many cards there are
            if holds is not False:
                _merge(exits, self._block(body, dict(known), counts))
            if holds:
                return exits
        return _merge(exits, self._block(node.otherwise, dict(known), counts))

    def _loop(self, node: nodes.For | nodes.Repeat, known: Known, counts: Counts) -> Exits:
        turns = self._turns(node, known)
        exits: Exits = {NEXT: counts}
        for turn in turns[:MOST_TURNS]:
            inside = dict(known)
            if isinstance(node, nodes.For):
                inside.pop(node.slot, None)
                if turn is not None:
                    inside[node.slot] = turn
            before = exits.pop(NEXT)
            after = self._block(node.body, inside, before)
            again = [after.pop(exit) for exit in (NEXT, TURN) if exit in after]
            stopped = after.pop(STOP, None)
            _merge(exits, after)
            if stopped is not None:
                return _merge(exits, {NEXT: {}})
            if not again:
                return exits
            for one in again:
                _merge(exits, {NEXT: one})
            if turn is None and exits[NEXT] == before:
                break
        if not turns:
            exits[NEXT] = {} if _gives_back(node.body) else counts
        for part in walk(node.body):
            if isinstance(part, nodes.Assign) and isinstance(part.target, nodes.Local):
                known.pop(part.target.slot, None)
        return exits

    def _turns(self, node: nodes.For | nodes.Repeat, known: Known) -> list[int | None]:
        """Return the turns that a loop surely takes, with the number of each if it is known."""
        if isinstance(node, nodes.Repeat):
            if node.condition is not None:
                return []
            times = self._number(node.times, known)
            kind = node.times.type
            if times is None and isinstance(kind, Number):
                times = max(0, kind.low)
            return [None] * min(times or 0, MOST_TURNS)
        domain = node.domain
        if domain.where is not None:
            return []
        if domain.last is not None:
            low, high = self._number(domain.items, known), self._number(domain.last, known)
            return [] if low is None or high is None else [*range(low, high + 1)]
        if isinstance(domain.items, nodes.Builtin) and domain.items.name == "seats":
            return [None] * (self.players - domain.after)
        return []

    def _number(self, value: nodes.Expression, known: Known) -> int | None:
        match value:
            case nodes.Const(_, _, int() as number):
                return number
            case nodes.Parameter(_, _, name):
                given = self.values.get(name)
                return given if isinstance(given, int) else None
            case nodes.Local(_, _, slot):
                return known.get(slot)
            case nodes.Builtin(_, _, "players"):
                return self.players
            case nodes.Within(_, _, inner):
                return self._number(inner, known)
            case nodes.Choice(_, _, test, yes, no):
                holds = self._holds(test, known)
                return None if holds is None else self._number(yes if holds else no, known)
            case nodes.Arithmetic(_, _, op, left, right):
                one, two = self._number(left, known), self._number(right, known)
                if one is None or two is None:
                    return None
                if op in ("div", "mod"):
                    return None if two < 1 else one // two if op == "div" else one % two
                return {"+": one + two, "-": one - two, "*": one * two}[op]
        return None

    def _holds(self, test: nodes.Expression, known: Known) -> bool | None:
        if isinstance(test, nodes.Const | nodes.Parameter):
            number = self._number(test, known)
            return None if number is None else bool(number)
        if isinstance(test, nodes.Not):
            inner = self._holds(test.value, known)
            return None if inner is None else not inner
        if not isinstance(test, nodes.Compare):
            return None
        left, right = self._number(test.left, known), self._number(test.right, known)
        if left is None or right is None:
            return None
        return {
            "==": left == right, "!=": left != right, "<": left < right,
            "<=": left <= right, ">": left > right, ">=": left >= right,
        }[test.op]  # fmt: skip


def _merge(exits: Exits, more: Exits) -> Exits:
    """Keep for each exit what is drawn on all paths to it."""
    for way, counts in more.items():
        before = exits.get(way)
        both = counts.keys() if before is None else counts.keys() & before.keys()
        least = before or counts
        exits[way] = {pile: min(counts[pile], least[pile]) for pile in both}
    return exits


def _looks(test: nodes.Expression) -> bool:
    """Return whether a condition may look at the cards of a zone."""
    looks = nodes.ZoneCards | nodes.Call | nodes.Var | nodes.Local
    return any(isinstance(part, looks) for part in walk(test))


def _gives_back(body: nodes.Block) -> bool:
    return any(
        isinstance(part, nodes.Gather | nodes.Move | nodes.MoveAll | nodes.Do)
        for part in walk(body)
    )


def _find_left_out(program: nodes.Program, found: Warnings) -> None:
    """Warn of loops through the seats after the dealer that alone give cards to a zone."""
    rules = [(name, program.rules[name]) for name in rules_of_match(program)]
    given = _given_to_parameters(rules)
    loops: dict[str, list[tuple[str, nodes.For]]] = {}
    others: set[str] = set()

    def visit(node: nodes.Node, rule: str, around: nodes.For | None) -> None:
        if isinstance(node, nodes.For) and _leaves_out_dealer(node.domain):
            around = node
        for zone, place in _gifts(node, given):
            slot = place.slot if isinstance(place, nodes.Local) else None
            if around is not None and slot == around.slot:
                loops.setdefault(zone, []).append((rule, around))
            elif slot is None or slot >= len(program.rules[rule].params):
                others.add(zone)
        for child in children(node):
            visit(child, rule, around)

    for name, rule in rules:
        visit(rule.body, name, None)
    for zone, each in loops.items():
        if zone in others or program.zones[zone].index is not Kind.SEAT:
            continue
        name, loop = each[0]
        found.place = program.rules[name].heading
        text = "`seats after dealer` leaves out the dealer, who gets no card in '{zone}'"
        help_ = say("write `seats from next_seat(dealer)`, or draw for the dealer as well")
        found.warn("left-out", say(text, zone=zone), loop.domain.span, help=help_)


def _leaves_out_dealer(domain: nodes.Domain) -> bool:
    start = domain.start
    return domain.after and isinstance(start, nodes.Var) and start.name == "dealer"


Given = dict[str, set[tuple[str, int]]]  # of each rule: a zone whose seat is a parameter, its slot


def _given_to_parameters(rules: Sequence[tuple[str, nodes.Rule]]) -> Given:
    """Return, for each rule, the zones to which it gives cards at the seat of a parameter."""
    given: Given = {name: set() for name, _ in rules}
    size, before = 0, -1
    while size > before:  # a rule may pass its parameter on to another
        before = size
        for name, rule in rules:
            for node in walk(rule.body):
                for zone, place in _gifts(node, given):
                    if isinstance(place, nodes.Local) and place.slot < len(rule.params):
                        given[name].add((zone, place.slot))
        size = sum(map(len, given.values()))
    return given


def _gifts(node: nodes.Node, given: Given) -> list[tuple[str, nodes.Expression | None]]:
    """Return the zones to which a sentence gives cards, each with its seat.

    A player's own cards that only change their place are no gift.
    """
    match node:
        case nodes.Draw() | nodes.Move() | nodes.MoveAll() | nodes.Swap():
            before, after = node.origin.index, node.target.index
            stays = (
                isinstance(before, nodes.Local)
                and isinstance(after, nodes.Local)
                and before.slot == after.slot
            )
            return [] if stays else [(node.target.name, after)]
        case nodes.Gather():
            return [(node.target.name, node.target.index)]
        case nodes.Do():
            return [(zone, node.args[slot]) for zone, slot in sorted(given[node.rule])]
    return []
