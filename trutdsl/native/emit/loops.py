"""Loops: `for` and `repeat`, and loop versioning for loops that deal rounds.

In a round every seat gets a card of the same pile. A loop that deals a round, or repeats one, is
written twice. The fast version is for a pile with more cards than that, none of them reserved, and
hands with room for them; one check before the loop selects it. The other version checks each card.
"""

from __future__ import annotations

from collections.abc import Callable

from trutdsl.ir import nodes
from trutdsl.ir.intervals import MOST_TURNS
from trutdsl.ir.types import CARDS, Hands, Kind
from trutdsl.native.emit import piles
from trutdsl.native.emit.cards import deal_round
from trutdsl.native.emit.quantifiers import each
from trutdsl.native.emit.rule_writer import RuleWriter
from trutdsl.native.llvm import Unit, Value, const

Loop = nodes.For | nodes.Repeat


def round_of(unit: Unit, loop: nodes.For) -> nodes.Draw | None:
    """Return the draw of a loop that gives every seat one card from the same pile, and no more.

    Nothing but the draw is evaluated then, so nothing else may fail.
    """
    domain = loop.domain
    everyone = isinstance(domain.items, nodes.Builtin) and domain.items.name == "seats"
    if not everyone or domain.after or domain.where is not None or unit.work.cost(loop):
        return None
    if domain.start is not None and unit.effects.can_fail(domain.start):
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
            case nodes.Perform(_, do) if not (unit.work.cost(do) or unit.effects.can_fail(do)):
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


def _rounds_of(code: RuleWriter, loop: Loop) -> tuple[nodes.Draw, nodes.Expression | None] | None:
    """Return the draw of a loop that deals a round, or that repeats one, and how often it does."""
    if isinstance(loop, nodes.For):
        draw = round_of(code.unit, loop)
        return None if draw is None else (draw, None)
    only = loop.body.statements[0] if len(loop.body.statements) == 1 else None
    if (
        not isinstance(only, nodes.For)
        or loop.condition is not None
        or not code.is_safe(loop.times)
    ):
        return None
    draw = round_of(code.unit, only)
    return None if draw is None else (draw, loop.times)


def _has_enough(code: RuleWriter, draw: nodes.Draw, times: nodes.Expression | None) -> Value:
    """Return whether a pile has more cards than that, none reserved, and hands have room."""
    b, pile, zone = code.b, draw.origin.name, draw.target.name
    players, most = code.unit.setting.players, code.unit.capacity(zone)
    rounds = const(1)
    if times is not None:
        rounds = b.call(code.unit.extreme("smax"), [code.value(times), const(0)])
    cards = b.mul(const(players), rounds)
    fine = b.icmp_signed(">", code.load(f"{pile}.many", const(0)), cards)
    fine = b.and_(fine, code.is_zero(code.load(f"{pile}.left", const(0))))
    for seat in range(players if most < len(code.unit.setting.deck.texts) else 0):
        size = code.count_bits(piles.cards(code, zone, const(seat)))
        fine = b.and_(fine, b.icmp_signed("<=", size, b.sub(const(most), rounds)))
    return fine


def emit_loop(code: RuleWriter, node: Loop) -> None:
    """Write a loop; its turns use no earlier value that the loop changes."""
    rounds = _rounds_of(code, node) if code.deals_at_once else None
    code.loops += 1
    if rounds is None:
        _emit(code, node)
    else:
        _deal_at_once(code, node, _has_enough(code, *rounds))
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


def _deal_at_once(code: RuleWriter, loop: Loop, fine: Value) -> None:
    at_once, one_by_one, done = map(code.block, ("deal", "deal_carefully", "dealt"))
    code.b.cbranch(fine, at_once, one_by_one).set_weights([1 << 20, 1])
    code.deals_at_once = False
    for block, by_rounds in ((at_once, True), (one_by_one, False)):
        code.at(block)
        code.by_rounds = by_rounds
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
