"""`for` and `repeat` as instructions."""

from __future__ import annotations

from collections.abc import Callable

from trutdsl.ir import nodes
from trutdsl.ir.intervals import MOST_TURNS
from trutdsl.ir.types import Kind
from trutdsl.ir.walk import walk
from trutdsl.native.emit import register_promotion, seat_flags
from trutdsl.native.emit.available_values import Known, is_of_define
from trutdsl.native.emit.cards import deal_round
from trutdsl.native.emit.iteration import each
from trutdsl.native.emit.loop_versioning import Deals, Loop, deals_of, enough, round_of
from trutdsl.native.emit.rule_writer import RuleWriter
from trutdsl.native.llvm.builder import known
from trutdsl.native.llvm.unit import I64, Value, const

MOST_AROUND = 2  # loops over both seats around another one: each is written twice


def emit_loop(code: RuleWriter, node: Loop) -> None:
    """Write a loop; what was known before it, and changes in it, is known in none of its turns."""
    deals = deals_of(code.unit, node) if code.deals_at_once else None
    if deals is None:
        _emit(code, node)
    else:
        _deal_at_once(code, node, deals)


def _emit(code: RuleWriter, node: Loop) -> None:
    if isinstance(node, nodes.Repeat):
        _repeat(code, node)
        return
    draw = round_of(code.unit, node) if code.by_rounds else None
    if draw is not None:
        code.memo.forget(code.changed_by(node))
        deal_round(code, draw)
        return
    zones = _zones_at_hand(code, node)
    if zones:
        _each_seat(code, node, zones)
        return
    with code.kept(node.body):
        _, turn, done = each(code, node, ordered=True)
    with code.inside(stop=done, next=turn):
        code.block_of(node.body)
    code.go(turn)
    code.at(done)


def _zones_at_hand(code: RuleWriter, loop: nodes.For) -> list[str]:
    """Return the zones of which a loop over both seats changes what lies before them."""
    if code.turns_at_hand >= MOST_AROUND:
        return []
    unit, start = code.unit, loop.domain.start
    if (
        not seat_flags.are_used(code)
        or start is None
        or loop.domain.after
        or not code.is_safe(start)
    ):
        return []
    changed = unit.effects.changed_by(loop.body)
    return [
        zone.name
        for zone in unit.program.zones.values()
        if zone.name in changed and zone.index is Kind.SEAT and not zone.ordered
        if unit.capacity(zone.name) == 1
    ]


def _each_seat(code: RuleWriter, node: nodes.For, zones: list[str]) -> None:
    """Write a loop over both seats as two turns, with what lies before them at hand."""
    domain = node.domain
    assert domain.start is not None
    mask, start = code.value(domain.items), code.value(domain.start)
    copies = register_promotion.take_copies(code, zones, start)
    done = code.block("each.end")
    code.turns_at_hand += 1
    for seat, there in zip(
        seat_flags.seats_from(code, start), seat_flags.pair_of(code, mask, start), strict=True
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
    register_promotion.keep_behind(code, copies, start)


def _deal_at_once(code: RuleWriter, loop: Loop, deals: Deals) -> None:
    """Write a loop that only deals twice: without looking at each card, and with that."""
    fine = enough(code, deals)
    at_once, one_by_one, done = map(code.block, ("deal", "deal_carefully", "dealt"))
    code.b.cbranch(fine, at_once, one_by_one).set_weights([1 << 20, 1])
    code.deals_at_once = False
    for block, sure in ((at_once, deals.names), (one_by_one, frozenset[str]())):
        code.at(block)
        code.sure, code.by_rounds = sure, bool(sure) and deals.by_rounds
        with code.memo.scope():
            _emit(code, loop)
        code.memo.behind.clear()
        code.go(done)
    code.deals_at_once, code.by_rounds = True, False
    code.at(done)


def _repeat(code: RuleWriter, node: nodes.Repeat) -> None:
    times = code.value(node.times)
    many = code.b.icmp_signed(">", times, const(MOST_TURNS))
    message = f"this is more than {MOST_TURNS} times"
    code.fail_if(many, "too-long", message, node.span)
    with code.kept(node.body):
        turns, end = code.local(), code.hold(times)
    body, turn, done = map(code.block, ("repeat", "repeat.turn", "repeat.end"))
    code.b.store(const(0), turns)
    with code.memo.scope() as before:
        skipped = _go_round(code, node, turns, end, body, done)
    code.memo.forget(code.changed_by(node))
    code.at(body)
    with code.memo.scope() as turned, code.inside(stop=done, next=turn):
        code.block_of(node.body)
    code.go(turn)
    code.at(turn)
    with code.memo.scope() as behind:
        if not _has(node.body, nodes.Next):
            behind.update(turned)
        ended = _go_round(code, node, turns, end, body, done)
    code.at(done)
    if skipped and ended and not _has(node.body, nodes.Stop):
        _keep_defines(code, (before, skipped), (behind, ended))


def _has(body: nodes.Block, kind: type[nodes.Statement]) -> bool:
    return any(isinstance(node, kind) for node in walk(body))


def _keep_defines(code: RuleWriter, one: tuple[Known, Value], two: tuple[Known, Value]) -> None:
    """Keep what defines gave on both ways to here; of each way what is known, and its last block.

    Partial redundancy elimination: it is not worked out again, whichever way was gone.
    """
    (before, skipped), (behind, ended) = one, two
    for key, (value, rests_on) in before.items():
        if key in behind and is_of_define(key, code.unit.program.functions):
            found = code.b.joined([(value, skipped), (behind[key][0], ended)])
            code.memo.behind[key] = found, rests_on


def _go_round(
    code: RuleWriter,
    node: nodes.Repeat,
    turns: Value,
    end: Callable[[], Value],
    body: Value,
    done: Value,
) -> Value | None:
    """Write what leads to a turn or behind the loop; return the only block that leads to both.

    It stands before the loop and again behind each turn: on the way in, where much is known that
    later turns change, most of it need not be worked out.
    """
    b, condition = code.b, node.condition
    turn = b.load(turns, typ=I64)
    on = b.icmp_signed("<", turn, end())
    if condition is not None and code.is_safe(condition) and not code.unit.work.cost(node):
        holds = code.worked_out(condition)
        on = b.and_(on, b.not_(holds) if node.test == "until" else holds)
        b.store(b.add(turn, const(1)), turns)
        b.cbranch(on, body, done)
        return b.block if known(on) is None else None
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
