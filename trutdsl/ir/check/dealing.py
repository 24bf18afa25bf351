"""Warnings about dealing: a pack too small for a table, a zone too small for its cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress

from trutdsl.diagnostics import Collector, Span
from trutdsl.ir import nodes
from trutdsl.ir.nodes import walk
from trutdsl.ir.types import Kind, Number
from trutdsl.language import say, say_count
from trutdsl.variant import Variant
from trutdsl.variant.pack import Pack


class Warnings(Collector):
    """Collects warnings."""

    warn = Collector.error


NEXT, RETURN, TURN, STOP = "next", "return", "turn", "stop"  # exits of a sentence
OUT, IN = "out", "in"
# The cards drawn at least from a pile since cards came back to it (OUT), and those that came at
# least to a zone with a limit, in all its places, since cards left it (IN).
Counts = dict[tuple[str, str], int]
Exits = dict[str, Counts]
Known = dict[int, int]  # slot -> its number, or its seat counted from the dealer
MOST_TURNS = 100  # of a loop that are followed
MOST_STATEMENTS = 50_000  # that are followed, each turn of a loop anew


def find_undealt(
    program: nodes.Program, variant: Variant, files: frozenset[str], warnings: Warnings
) -> None:
    """Warn of draws from an empty pile, and to a full zone, at some table.

    files: those that warnings are for.
    """
    for choice, pack in variant.packs.items():
        cards = len(cards_in_play(program, pack))
        values = {name: one.default for name, one in variant.parameters.items()}
        if variant.pack_by is not None and choice is not None:
            values[variant.pack_by] = choice
        for players in variant.players:
            dealing = _Dealing(program, values, players, variant.teams[players])
            dealing.run()
            for (way, name), (span, most) in dealing.most.items():
                zone, full = program.zones[name], way == IN
                room = dealing.room[name] if full else cards
                if most > room:
                    _warn(zone, full, span, most, room, players, pack, files, warnings)
                    return


def _warn(
    zone: nodes.Zone, full: bool, draw: Span, most: int, room: int, players: int, pack: Pack,
    files: frozenset[str], warnings: Warnings,
) -> None:  # fmt: skip
    """Warn of cards that come to a full zone, or are drawn from an empty pile.

    If this happens in a file without warnings, the limit of the zone is what is wrong, or the cards
    with which the pile starts, or the pack.
    """
    cause = zone.capacity if full else zone.content
    spans = [draw] if cause is None else [draw, cause.span]
    place = next((one for one in spans if one.source.name in files), pack.span)
    warnings.place = None
    needed = say_count(most, "{number} card", "{number} cards")
    names = {"players": players, "needed": needed, "zone": zone.name, "room": room}
    if full:
        text = "with {players} players {needed} come to '{zone}', which has room for {room} in all"
        help_ = say("declare the zone with a greater `up to N cards`, or deal fewer")
        warnings.warn("zone-too-small", say(text, **names), place, help=help_)
    else:
        text = "with {players} players {needed} are drawn from '{zone}', and the pack has {room}"
        message = say(text, **names)
        text = "deal fewer, add cards to the pack, or leave out {n} in `players`"
        warnings.warn("pack-too-small", message, place, help=say(text, n=players))


def cards_in_play(program: nodes.Program, pack: Pack) -> set[str]:
    """Return the cards in zones when a match begins; all of the pack if it is unclear."""
    cards: set[str] = set()
    for zone in program.zones.values():
        start = None if zone.content is None else _cards_of(zone.content, pack)
        if zone.content is not None and start is None:
            return set(pack.cards)
        cards |= start or set()
    return cards


def _cards_of(node: nodes.Expression, pack: Pack) -> set[str] | None:
    """Return the cards that an expression of sets written out stands for, None for any other."""
    special = {one.name for one in pack.special_cards}
    match node:
        case nodes.Builtin(name="pack_cards"):
            return set(pack.cards) - special
        case nodes.Builtin(name="special_pack"):
            return special
        case nodes.SetLiteral(items=items):
            texts = {one.text for one in items if isinstance(one, nodes.PackText)}
            return texts & set(pack.cards) if len(texts) == len(items) else None
        case nodes.SetOperation(op=op, left=left, right=right):
            one, two = _cards_of(left, pack), _cards_of(right, pack)
            if one is not None and two is not None:
                return one | two if op == "+" else one - two if op == "-" else one & two
    return None


class _TooLong(Exception):  # noqa: N818 - it is an outcome, not a fault
    """More than `MOST_STATEMENTS` were followed."""


class _Dealing:
    """Follows the rules and counts the cards that are drawn on every path.

    most: the greatest counts, and the sentences that reach them. A pile to which cards return
    starts again at 0, because nothing says how many there are then. The same holds for a zone from
    which cards go. Counts that were found before the rules turned out too long stay true.
    room: of each zone with a limit, how many cards all its places can hold.
    """

    def __init__(
        self, program: nodes.Program, values: Mapping[str, object], players: int, teams: int
    ) -> None:
        self.program, self.values, self.players = program, values, players
        self.most: dict[tuple[str, str], tuple[Span, int]] = {}
        self.room: dict[str, int] = {}
        places = {None: 1, Kind.SEAT: players, Kind.TEAM: teams}
        for name, zone in program.zones.items():
            limit = None if zone.capacity is None else self._number(zone.capacity, {})
            if limit is not None:
                self.room[name] = limit * places[zone.index]
        self._followed: dict[tuple[object, ...], Exits] = {}  # the exits of followed calls
        self._statements = 0

    def run(self) -> None:
        """Follow the match, as far as it is short enough."""
        with suppress(_TooLong):
            self._block(self.program.rules["match"].body, {}, {})

    def _block(self, block: nodes.Block, known: Known, counts: Counts) -> Exits:
        exits: Exits = {}
        for statement in block.statements:
            inner = self._statement(statement, known, counts)
            next_counts = inner.pop(NEXT, None)
            _merge(exits, inner)
            if next_counts is None:
                return exits
            counts = next_counts
        return _merge(exits, {NEXT: counts})

    def _statement(self, node: nodes.Statement, known: Known, counts: Counts) -> Exits:
        self._statements += 1
        if self._statements > MOST_STATEMENTS:
            raise _TooLong
        match node:
            case nodes.Draw(_, origin, target) | nodes.Move(_, _, origin, target):
                counts = _without(counts, [origin.name], target.name)
                if isinstance(node, nodes.Draw):
                    self._count((OUT, origin.name), counts, node.span)
                if target.name in self.room and target.name != origin.name:
                    self._count((IN, target.name), counts, node.span)
            case nodes.MoveAll(_, origin, target):
                counts = _without(counts, [origin.name], target.name)
            case nodes.Gather(_, origins, _, target):
                counts = _without(counts, origins, target.name)
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
                end_counts = exits.pop(end, None)
                return exits if end_counts is None else _merge(exits, {NEXT: end_counts})
        return {NEXT: counts}

    def _count(self, what: tuple[str, str], counts: Counts, span: Span) -> None:
        counts[what] = counts.get(what, 0) + 1
        if counts[what] > self.most.get(what, (span, 0))[1]:
            self.most[what] = span, counts[what]

    def _do(self, do: nodes.Do, known: Known, counts: Counts) -> Exits:
        numbers = ((slot, self._number(arg, known)) for slot, arg in enumerate(do.args))
        inner = {slot: number for slot, number in numbers if number is not None}
        key = (do.rule, *sorted(inner.items()), *sorted(counts.items()))
        if key not in self._followed:
            exits = self._block(self.program.rules[do.rule].body, inner, counts)
            return_counts = exits.pop(RETURN, None)
            self._followed[key] = (
                exits if return_counts is None else _merge(exits, {NEXT: return_counts})
            )
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
            inner = dict(known)
            if isinstance(node, nodes.For):
                inner.pop(node.slot, None)
                if turn is not None:
                    inner[node.slot] = turn
            start = exits.pop(NEXT)
            body_exits = self._block(node.body, inner, start)
            repeats = [body_exits.pop(exit) for exit in (NEXT, TURN) if exit in body_exits]
            stop_counts = body_exits.pop(STOP, None)
            _merge(exits, body_exits)
            if stop_counts is not None:
                return _merge(exits, {NEXT: {}})
            if not repeats:
                return exits
            for one in repeats:
                _merge(exits, {NEXT: one})
            if turn is None and exits[NEXT] == start:
                break
        if not turns:
            exits[NEXT] = _after_turns(node.body, counts)
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
            if low is None or high is None:
                return []
            return [*range(low, min(high + 1, low + MOST_TURNS))]
        if isinstance(domain.items, nodes.Builtin) and domain.items.name == "seats":
            return [None] * (self.players - domain.after)
        return []

    def _number(self, value: nodes.Expression, known: Known) -> int | None:
        match value:
            case nodes.Const(_, _, int() as number):
                return number
            case nodes.Parameter(_, _, name):
                parameter = self.values.get(name)
                return parameter if isinstance(parameter, int) else None
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
        old = exits.get(way)
        both = counts.keys() if old is None else counts.keys() & old.keys()
        least = old or counts
        exits[way] = {pile: min(counts[pile], least[pile]) for pile in both}
    return exits


def _without(counts: Counts, origins: Iterable[str], target: str) -> Counts:
    """Return the counts that are still true after cards have gone from one zone to another."""
    lost = {(OUT, target), *((IN, origin) for origin in origins)}
    return {what: count for what, count in counts.items() if what not in lost}


def _looks(test: nodes.Expression) -> bool:
    """Return whether a condition may look at the cards of a zone."""
    looks = nodes.ZoneCards | nodes.Call | nodes.Var | nodes.Local
    return any(isinstance(part, looks) for part in walk(test))


def _after_turns(body: nodes.Block, counts: Counts) -> Counts:
    """Return the counts that are still true after any number of turns of a loop."""
    for part in walk(body):
        if isinstance(part, nodes.Gather | nodes.Move | nodes.MoveAll | nodes.Do):
            return {}
        if isinstance(part, nodes.Draw):
            counts = _without(counts, [part.origin.name], part.target.name)
    return counts
