"""`for` and `repeat` as instructions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from llvmlite import ir

from trutdsl.ir import nodes
from trutdsl.ir.bounds import MOST_TURNS
from trutdsl.ir.walk import walk
from trutdsl.native import at_hand, pairs
from trutdsl.native.dealing import Deals, Loop, deals_of, enough
from trutdsl.native.domains import each
from trutdsl.native.unit import I64, Value, const

if TYPE_CHECKING:
    from trutdsl.native.emit_statements import RuleEmitter


def emit_loop(code: RuleEmitter, node: Loop) -> None:
    """Write a loop; what was known before its sentence, and changes in it, is forgotten already."""
    deals = deals_of(code.unit, node) if code.deals_at_once else None
    if deals is None:
        _emit(code, node)
    else:
        _deal_at_once(code, node, deals)


def _emit(code: RuleEmitter, node: Loop) -> None:
    if isinstance(node, nodes.Repeat):
        _repeat(code, node)
        return
    zones = at_hand.zones_at_hand(code, node)
    if zones:
        _each_seat(code, node, zones)
        return
    with code.kept(node.body):
        _, turn, done = each(code, node, ordered=True)
    with code.inside(stop=done, next=turn):
        code.block_of(node.body)
    code.go(turn)
    code.at(done)


def _each_seat(code: RuleEmitter, node: nodes.For, zones: list[str]) -> None:
    """Write a loop over both seats as two turns, with what lies before them at hand."""
    domain = node.domain
    assert domain.start is not None
    mask, start = code.value(domain.items), code.value(domain.start)
    copies = at_hand.take_copies(code, zones, start)
    done = code.block("each.end")
    code.turns_at_hand += 1
    for seat, there in zip(
        pairs.seats_from(code, start), pairs.pair_of(code, mask, start), strict=True
    ):
        turn, counts = code.block("each"), code.block("counts")
        code.b.cbranch(there, counts, turn)
        code.at(counts)
        with code.memo.scope():
            code.step(node, domain.span)
            code.bind(node.slot, seat)
            if domain.where is not None:
                body = code.block("body")
                code.b.cbranch(code.value(domain.where), body, turn)
                code.at(body)
            with code.inside(stop=done, next=turn):
                code.block_of(node.body)
        code.go(turn)
        code.at(turn)
    code.turns_at_hand -= 1
    code.go(done)
    code.at(done)
    at_hand.keep_behind(code, copies, start)


def _deal_at_once(code: RuleEmitter, loop: Loop, deals: Deals) -> None:
    """Write a loop that only deals twice: without looking at each card, and with that."""
    fine = enough(code, deals)
    at_once, one_by_one, done = map(code.block, ("deal", "deal_carefully", "dealt"))
    code.b.cbranch(fine, at_once, one_by_one).set_weights([1 << 20, 1])
    code.deals_at_once = False
    for block, sure in ((at_once, deals.names), (one_by_one, frozenset[str]())):
        code.at(block)
        code.sure = sure
        with code.memo.scope():
            _emit(code, loop)
        code.memo.behind.clear()
        code.go(done)
    code.deals_at_once = True
    code.at(done)


def _repeat(code: RuleEmitter, node: nodes.Repeat) -> None:
    times = code.value(node.times)
    many = code.b.icmp_signed(">", times, const(MOST_TURNS))
    message = f"this is more than {MOST_TURNS} times"
    code.fail_if(many, "too-long", message, node.span)
    code.memo.forget(code.changed_by(node))
    with code.kept(node.body):
        turns, end = code.local(), code.hold(times)
    body, turn, done = map(code.block, ("repeat", "repeat.turn", "repeat.end"))
    code.b.store(const(0), turns)
    with code.memo.scope() as first:
        way_past = _go_round(code, node, turns, end, body, done)
    code.at(body)
    with code.memo.scope(), code.inside(stop=done, next=turn):
        code.block_of(node.body)
    code.go(turn)
    code.at(turn)
    with code.memo.scope() as later:
        way_out = _go_round(code, node, turns, end, body, done)
    code.at(done)
    stops = any(isinstance(n, nodes.Stop) for n in walk(node.body))
    if way_past is None or way_out is None or stops:
        return
    for key in [key for key in first if key in later]:
        (one, rests_on), (two, _) = first[key], later[key]
        if not isinstance(one, ir.Value):  # but several values, or none: not worth joining
            continue
        code.memo.behind[key] = code.b.joined([(one, way_past), (two, way_out)]), rests_on


def _go_round(
    code: RuleEmitter,
    node: nodes.Repeat,
    turns: Value,
    end: Callable[[], Value],
    body: Value,
    done: Value,
) -> Value | None:
    """Write what leads to a turn or behind the loop.

    It stands before the loop and again behind each turn: on the way in, where much is known that
    later turns change, most of it need not be worked out. Returns the block that leads behind the
    loop, if that is one only, in which the condition was worked out.
    """
    b, condition = code.b, node.condition
    turn = b.load(turns, typ=I64)
    on = b.icmp_signed("<", turn, end())
    if condition is not None and code.is_safe(condition) and not code.unit.work.cost(node):
        holds = code.worked_out(condition)
        on = b.and_(on, b.not_(holds) if node.test == "until" else holds)
        b.store(b.add(turn, const(1)), turns)
        b.cbranch(on, body, done)
        return b.block
    counted = code.block("counted")
    b.cbranch(on, counted, done)
    code.at(counted)
    b.store(b.add(turn, const(1)), turns)
    code.step(node, node.span)
    if condition is None:
        b.branch(body)
    else:
        ways = (done, body) if node.test == "until" else (body, done)
        b.cbranch(code.value(condition), *ways)
    return None
