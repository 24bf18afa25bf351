"""Loops: `for` and `repeat`, and loop versioning for loops that only deal.

A loop that only deals is written twice. The fast version is for a pile with more cards than the
loop can deal and hands with room for them; one check before the loop selects it. The other version
checks each card.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from llvmlite import ir

from trutdsl.ir import nodes
from trutdsl.ir.effects import slot_name
from trutdsl.ir.intervals import MOST_TURNS
from trutdsl.ir.nodes import children
from trutdsl.ir.types import CARDS, Hands, Kind, SetOf
from trutdsl.native.emit import piles
from trutdsl.native.emit.body import ValueWriter
from trutdsl.native.emit.cards import deal_round
from trutdsl.native.emit.quantifiers import each
from trutdsl.native.emit.rule_writer import RuleWriter
from trutdsl.native.llvm import I1, Unit, Value, const
from trutdsl.table.actions import NotFixedError, fold

Loop = nodes.For | nodes.Repeat
PLAIN = (
    nodes.Let | nodes.Assign | nodes.Return | nodes.Stop | nodes.Next | nodes.Reveal
    | nodes.EndTrick | nodes.EndDeal | nodes.EndMatch
)  # fmt: skip


@dataclass(frozen=True)
class Share:
    """A number of cards for each turn of an outer `repeat`, or in total."""

    cards: int
    times: nodes.Local | None = None


@dataclass
class Deals:
    """The most that a loop can deal: from each pile, and to any one place of each zone.

    by_rounds: it deals only in rounds, in which every seat gets a card.
    """

    off: dict[str, list[Share]] = field(default_factory=dict)
    to: dict[str, list[Share]] = field(default_factory=dict)
    by_rounds: bool = True

    @property
    def names(self) -> frozenset[str]:
        return frozenset({*self.off, *self.to})


class _OtherError(Exception):
    """The loop also does something else, or its number of turns is unknown."""


def deals_of(unit: Unit, loop: Loop) -> Deals | None:
    """Return the deals of a loop, or None if it does anything else with cards."""
    result = Deals()
    try:
        _Search(unit, result).visit(loop)
    except _OtherError:
        return None
    if result.off.keys() & result.to.keys():  # the new cards form a group of their own on top
        return None
    writes = unit.effects.writes_of(loop)
    shares = [share for of in (*result.off.values(), *result.to.values()) for share in of]
    if any(s.times is not None and slot_name(s.times.slot) in writes for s in shares):
        return None
    limits = [(unit.capacity(name), shares) for name, shares in result.to.items()]
    limits += [(len(unit.setting.deck.texts) - 1, shares) for shares in result.off.values()]
    limits_of_cards = [
        (most, sum(s.cards for s in shares if s.times is None)) for most, shares in limits
    ]
    return result if result.off and all(cards <= most for most, cards in limits_of_cards) else None


Path = tuple[tuple[int, int | nodes.Local], ...]  # the outer loops: the loop, and its turns


@dataclass
class _Search:
    """Sums the deals of a loop.

    path:  the outer loops.
    slots: the slots of loop elements, with their loops.
    inner: whether this is a rule that the loop calls, whose names are new to it.
    round: whether this deals a round.
    """

    unit: Unit
    deals: Deals
    path: Path = ()
    slots: Mapping[int, int] = field(default_factory=dict)
    inner: bool = False
    round: bool = False

    def visit(self, node: nodes.Node) -> None:
        match node:
            case nodes.Block(_, statements):
                for statement in statements:
                    self.visit(statement)
            case nodes.If(_, branches, otherwise):
                for body in (*(body for _, body in branches), otherwise):
                    self.visit(body)
            case nodes.For(_, slot, domain, body):
                if domain.last is not None or not isinstance(domain.items.type, SetOf):
                    raise _OtherError
                path = (*self.path, (id(node), self.unit.setting.count(domain.items.type.kind)))
                bound = slot_name(slot) in self.unit.effects.writes_of(body)
                slots = self.slots if bound else {**self.slots, slot: id(node)}
                whole = round_of(self.unit, node) is not None
                replace(self, path=path, slots=slots, round=whole).visit(body)
            case nodes.Repeat(_, times, _, _, body):
                replace(self, path=(*self.path, (id(node), self._often(times)))).visit(body)
            case nodes.Do(_, _, name, args):
                body = self.unit.program.rules[name].body
                writes = self.unit.effects.writes_of(body)
                paths_of_args = {
                    number: self.slots[arg.slot]
                    for number, arg in enumerate(args)
                    if isinstance(arg, nodes.Local) and arg.slot in self.slots
                    if slot_name(number) not in writes
                }
                replace(self, slots=paths_of_args, inner=True).visit(body)
            case nodes.Draw(_, origin, target):
                if origin.index is not None:
                    raise _OtherError
                self.deals.by_rounds &= self.round
                self.deals.off.setdefault(origin.name, []).append(_share(self.path))
                at = target.index
                apart = self.slots.get(at.slot) if isinstance(at, nodes.Local) else None
                rest = tuple(part for part in self.path if part[0] != apart)
                self.deals.to.setdefault(target.name, []).append(_share(rest))
            case nodes.Perform(_, do):
                self.visit(do)
            case _ if isinstance(node, PLAIN):
                for part in children(node):
                    if isinstance(part, nodes.Do):
                        self.visit(part)
            case _:
                raise _OtherError

    def _often(self, times: nodes.Expression) -> int | nodes.Local:
        try:
            return max(0, fold(times, self.unit.setting))
        except NotFixedError:
            if isinstance(times, nodes.Local) and not self.inner:
                return times
        raise _OtherError


def _share(path: Path) -> Share:
    count, open_ = 1, []
    for _, often in path:
        if isinstance(often, int):
            count *= often
        else:
            open_.append(often)
    if len(open_) > 1:
        raise _OtherError
    return Share(count, open_[0] if open_ else None)


def round_of(unit: Unit, loop: nodes.For) -> nodes.Draw | None:
    """Return the draw of a loop that gives every seat one card from the same pile, and no more."""
    domain = loop.domain
    everyone = isinstance(domain.items, nodes.Builtin) and domain.items.name == "seats"
    if not everyone or domain.after or domain.where is not None or unit.work.cost(loop):
        return None
    only = _only_draw(unit, loop.body, loop.slot)
    if only is None or only[0].origin.index is not None or only[0].slot is not None:
        return None
    draw, slot = only
    at, zone = draw.target.index, unit.program.zones[draw.target.name]
    own = zone.index is Kind.SEAT and isinstance(at, nodes.Local) and at.slot == slot
    return draw if own else None


def _only_draw(
    unit: Unit, body: nodes.Block, slot: int | None
) -> tuple[nodes.Draw, int | None] | None:
    """Return the only draw of a block, and the place that depends on the slot."""
    result: list[tuple[nodes.Draw, int | None]] = []
    for node in body.statements:
        match node:
            case nodes.Draw():
                result.append((node, slot))
            case nodes.Perform(_, do) if not unit.work.cost(do):
                inner = unit.program.rules[do.rule].body
                if _does_nothing(inner):
                    continue
                is_slot = [isinstance(arg, nodes.Local) and arg.slot == slot for arg in do.args]
                own = is_slot.index(True) if True in is_slot else None
                draw = _only_draw(unit, inner, own)
                if draw is None:
                    return None
                result.append(draw)
            case _:
                return None
    return result[0] if len(result) == 1 else None


def _does_nothing(body: nodes.Block) -> bool:
    return all(isinstance(node, nodes.Return) and node.value is None for node in body.statements)


def enough(code: ValueWriter, deals: Deals) -> Value:
    """Return whether there are more cards than a loop can deal, and room for all of these.

    If it deals in rounds, also whether no card is reserved.
    """
    b, fine = code.b, ir.Constant(I1, 1)
    for pile, shares in deals.off.items():
        many = code.load(f"{pile}.many", const(0))
        fine = b.and_(fine, b.icmp_signed(">", many, _sum(code, shares)))
        if deals.by_rounds:
            fine = b.and_(fine, code.is_zero(code.load(f"{pile}.left", const(0))))
    for zone, shares in deals.to.items():
        most = code.unit.capacity(zone)
        if most >= len(code.unit.setting.deck.texts):
            continue
        free = b.sub(const(most), _sum(code, shares))
        for place in range(code.unit.setting.count(code.unit.program.zones[zone].index)):
            size = code.count_bits(piles.cards(code, zone, const(place)))
            fine = b.and_(fine, b.icmp_signed("<=", size, free))
    return fine


def _sum(code: ValueWriter, shares: Iterable[Share]) -> Value:
    b, total = code.b, const(0)
    for share in shares:
        cards = const(share.cards)
        if share.times is not None:
            often = b.call(code.unit.extreme("smax"), [code.value(share.times), const(0)])
            cards = b.mul(cards, often)
        total = b.add(total, cards)
    return total


def emit_loop(code: RuleWriter, node: Loop) -> None:
    """Write a loop; its turns use no earlier value that the loop changes."""
    deals = deals_of(code.unit, node) if code.deals_at_once else None
    code.loops += 1
    if deals is None:
        _emit(code, node)
    else:
        _deal_at_once(code, node, deals)
    code.loops -= 1


def _emit(code: RuleWriter, node: Loop) -> None:
    if isinstance(node, nodes.Repeat):
        _repeat(code, node)
        return
    draw = round_of(code.unit, node) if code.by_rounds else None
    if draw is not None:
        code.memo.forget(code.writes_of(node))
        deal_round(code, draw)
        return
    with code.keep_values(node.body, node.domain.items.type in (CARDS, Hands())):
        _, turn, done = each(code, node, ordered=True)
    with code.inside(stop=done, next=turn):
        code.block_of(node.body)
    code.go(turn)
    code.at(done)


def _deal_at_once(code: RuleWriter, loop: Loop, deals: Deals) -> None:
    fine = enough(code, deals)
    at_once, one_by_one, done = map(code.block, ("deal", "deal_carefully", "dealt"))
    code.b.cbranch(fine, at_once, one_by_one).set_weights([1 << 20, 1])
    code.deals_at_once = False
    for block, sure in ((at_once, deals.names), (one_by_one, frozenset[str]())):
        code.at(block)
        code.sure, code.by_rounds = sure, bool(sure) and deals.by_rounds
        with code.memo.scope():
            _emit(code, loop)
        code.go(done)
    code.deals_at_once, code.by_rounds = True, False
    code.at(done)


def _repeat(code: RuleWriter, node: nodes.Repeat) -> None:
    times = code.value(node.times)
    many = code.b.icmp_signed(">", times, const(MOST_TURNS))
    message = f"this is more than {MOST_TURNS} times"
    code.fail_if(many, "too-long", message, node.span)
    with code.keep_values(node.body):
        turns, end = code.local(), code.hold(times)
    body, turn, done = map(code.block, ("repeat", "repeat.turn", "repeat.end"))
    code.b.store(const(0), turns)
    with code.memo.scope():
        _go_round(code, node, turns, end, body, done)
    code.memo.forget(code.writes_of(node))
    code.at(body)
    with code.memo.scope(), code.inside(stop=done, next=turn):
        code.block_of(node.body)
    code.go(turn)
    code.at(turn)
    with code.memo.scope():
        _go_round(code, node, turns, end, body, done)
    code.at(done)
    code.b.store(const(0), turns)  # a match forgets it, so that it can equal another one


def _go_round(
    code: RuleWriter,
    node: nodes.Repeat,
    turns: Value,
    end: Callable[[], Value],
    body: Value,
    done: Value,
) -> None:
    """Write the branch to the next turn or the exit.

    The branch is written before the loop and again after each turn: on entry, many values are
    available that later turns change, so most of it is constant.
    """
    b, condition = code.b, node.condition
    turn = code.number(turns)
    on = b.icmp_signed("<", turn, end())
    if condition is not None and code.is_safe(condition) and not code.unit.work.cost(node):
        holds = code.compute_fully(condition)
        on = b.and_(on, b.not_(holds) if node.test == "until" else holds)
        b.store(b.add(turn, const(1)), turns)
        b.cbranch(on, body, done)
        return
    next_turn = code.block("counted")
    b.cbranch(on, next_turn, done)
    code.at(next_turn)
    b.store(b.add(turn, const(1)), turns)
    code.step(node, node.span)
    if condition is None:
        b.branch(body)
    else:
        ways = (done, body) if node.test == "until" else (body, done)
        b.cbranch(code.value(condition), *ways)
