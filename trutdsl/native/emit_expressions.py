"""What each expression means, as instructions.

Numbers and indices are 64-bit integers, none is -1, yes/no one bit, sets masks of indices.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from llvmlite import ir

from trutdsl.ir import nodes
from trutdsl.ir.types import Number, OneOf, YesNo
from trutdsl.ir.work import FEW
from trutdsl.native import piles
from trutdsl.native.memo import NOTHING, Memo, slot_name
from trutdsl.native.quantifiers import emit_quantifier
from trutdsl.native.unit import ENGINE, I1, I64, Code, Unit, Value, const
from trutdsl.source import Span

NONE = -1
OVERFLOWING = {"+": "sadd", "-": "ssub", "*": "smul"}
SMALL = 400  # nodes of a `define` that is rather written again than called
CHEAP = 24  # nodes that are rather worked out than stepped around
Long = nodes.For | nodes.Quantifier | nodes.Repeat | nodes.Call | nodes.Do


class ExpressionEmitter(Code):
    """Writes the expressions of one rule or define.

    slots:  where each bound name lies.
    place:  the heading of the rule, for messages.
    failed: where to go when something goes wrong, made when first needed.
    guard:  whether what is worked out is wanted, or None if it is; a mistake in what is not wanted
    is none.
    """

    guard: Value | None = None
    memo: Memo
    inlines = True  # small defines are written where they are used
    span: Span  # of the sentence being written
    frame = 0  # 0 for the slots of the rule itself

    def __init__(self, unit: Unit, function: Value, slots: int, place: str | None) -> None:
        super().__init__(unit, function)
        self.slots = [self.local() for _ in range(slots)]
        self.place = place
        self.memo, self.span = Memo(), unit.program.rules["match"].span
        self.failed: Value | None = None

    # -------------------------------------------------------- mistakes

    def check(self, wrong: Value, message: str) -> None:
        """Leave the rule with a mistake of the engine itself."""
        guard, self.guard = self.guard, None
        self.fail_if(wrong, ENGINE, message, self.span)
        self.guard = guard

    def fail_if(self, wrong: Value, code: str, message: str, span: Span) -> None:
        """Leave the rule with a mistake if a condition holds."""
        self.leave_if(wrong, const(self.unit.mistake(code, message, span, self.place)))

    def leave_if(self, wrong: Value, mistake: Value) -> None:
        """Leave the rule with a mistake, given by its number, if a condition holds."""
        if self.guard is not None:
            wrong = self.b.and_(self.guard, wrong)
        bad, good = self.block("bad"), self.block("good")
        self.b.cbranch(wrong, bad, good).set_weights([1, 1 << 20])
        self.at(bad)
        self.give_up(mistake)
        self.at(good)

    def give_up(self, mistake: Value) -> None:
        """Leave the rule with a mistake."""
        self.store("#error", mistake)
        if self.failed is None:
            self.failed = self.block("failed")
        self.b.branch(self.failed)

    def step(self, node: Long, span: Span) -> None:
        """Count the steps of something long, and stop rules that come to no end."""
        cost = self.unit.work.cost(node)
        if not cost:
            return
        steps = self.b.add(self.load("#steps"), const(cost))
        self.store("#steps", steps)
        most = self.unit.MOST_STEPS
        message = f"after {most:,} steps the rules came to no question or deal"
        self.fail_if(self.b.icmp_signed(">", steps, const(most)), "too-long", message, span)

    # -------------------------------------------------------- names

    def bind(self, slot: int, value: Value) -> None:
        """Give a bound name its value."""
        name = frozenset({slot_name(slot, self.frame)})
        number = self._as_number(value)
        self.b.store(number, self.slots[slot])
        self.memo.forget(name)
        self.memo.keep(name, number, name)

    @contextmanager
    def other_slots(self, count: int) -> Iterator[None]:
        """Bind names apart from those of the rule."""
        kept = self.slots, self.frame
        self.slots = [self.local() for _ in range(count)]
        self.unit.frames += 1
        self.frame = self.unit.frames
        yield
        self.slots, self.frame = kept

    # -------------------------------------------------------- expressions

    def value(self, node: nodes.Expression) -> Value:
        """Write the instructions for an expression and return its value."""
        unit, b = self.unit, self.b
        setting = unit.setting
        match node:
            case nodes.Const(_, _, None):
                return const(NONE)
            case nodes.Const(_, YesNo(), value):
                return ir.Constant(I1, int(bool(value)))
            case nodes.Const(_, _, value):
                return const(int(value or 0))
            case nodes.PackText(_, _, kind, text):
                return const(setting.deck.index_of(kind, text))
            case nodes.Parameter(_, type_, name):
                fixed = setting.parameters[name]
                if isinstance(type_, OneOf):
                    return const(type_.names.index(str(fixed)))
                if isinstance(fixed, frozenset):
                    return const(sum(1 << card for card in fixed))
                return (
                    ir.Constant(I1, int(fixed)) if isinstance(type_, YesNo) else const(int(fixed))
                )
            case nodes.Local(_, type_, slot):
                found = self.memo.find(frozenset({slot_name(slot, self.frame)}))
                if found is None:
                    found = b.load(self.slots[slot], typ=I64)
                return b.trunc(found, I1) if isinstance(type_, YesNo) else found
            case nodes.Var(_, type_, name, index):
                found = self.load(name, self.value(index) if index is not None else None)
                return b.trunc(found, I1) if isinstance(type_, YesNo) else found
            case nodes.ZoneCards(_, _, name, _):
                return piles.cards(self, name, self.place_of(node))
            case nodes.Builtin(_, _, name, args):
                return self._builtin(node, name, args)
            case nodes.CardValue(_, _, name, card):
                amounts = setting.deck.values.get(name, (0,) * len(setting.deck.texts))
                return self.look_up(amounts, self.value(card))
            case nodes.Call():
                return self._call(node)
            case nodes.Arithmetic(_, _, op, left, right):
                return self._arithmetic(op, self.value(left), self.value(right))
            case nodes.Compare(_, _, op, left, right):
                one, two = self.value(left), self.value(right)
                return b.icmp_signed(op, one, two)
            case nodes.Logic(_, _, op, left, right):
                return self._logic(op, left, right)
            case nodes.Not(_, _, inner):
                return b.not_(self.value(inner))
            case nodes.Choice(_, _, test, yes, no):
                return self._choice(test, yes, no)
            case nodes.Unwrap(span, type_, inner):
                found = self.value(inner)
                none = b.icmp_signed("<", found, const(0))
                self.fail_if(none, "nobody", f"there is no {type_} here", span)
                return found if self.guard is None else b.select(none, const(0), found)
            case nodes.Within(span, Number(low, high), inner):
                found = self.value(inner)
                wrong = b.or_(
                    b.icmp_signed("<", found, const(low)), b.icmp_signed(">", found, const(high))
                )
                self.fail_if(wrong, "out-of-range", "this is too large a number", span)
                return found
            case nodes.Member(_, _, item, items):
                return self._member(self.value(item), self.value(items))
            case nodes.SetLiteral(_, _, items):
                mask = const(0)
                for item in items:
                    mask = b.or_(mask, self._mask_of(self.value(item)))
                return mask
            case nodes.SetOperation(_, _, op, left, right):
                one, two = self.value(left), self.value(right)
                return {"+": b.or_, "-": self.without, "&": b.and_}[op](one, two)
            case nodes.Quantifier():
                return emit_quantifier(self, node)
        raise AssertionError(f"{type(node).__name__} is no plain expression")

    def place_of(self, node: nodes.ZoneCards) -> Value:
        """Return which place of a zone is meant."""
        return const(0) if node.index is None else self.value(node.index)

    def _mask_of(self, index: Value) -> Value:
        """Return the mask of an index, empty for none."""
        there = self.b.icmp_signed(">=", index, const(0))
        return self.b.select(there, self.bit(self.b.and_(index, const(63))), const(0))

    def _member(self, item: Value, items: Value) -> Value:
        there = self.b.icmp_signed(">=", item, const(0))
        return self.b.and_(there, self.has_bit(items, self.b.and_(item, const(63))))

    def _arithmetic(self, op: str, left: Value, right: Value) -> Value:
        b = self.b
        if self.unit.how.checked and op in OVERFLOWING:
            both = b.call(self.unit.overflowing(OVERFLOWING[op]), [left, right])
            self.check(b.extract_value(both, 1), f"`{op}` gives too large a number")
            return b.extract_value(both, 0)
        match op:
            case "+":
                return b.add(left, right)
            case "-":
                return b.sub(left, right)
            case "*":
                return b.mul(left, right)
        # Rounded down, whereas the machine rounds towards 0; a divisor is never below 1.
        rest = b.srem(left, right)
        below = b.icmp_signed("<", rest, const(0))
        if op == "mod":
            return b.select(below, b.add(rest, right), rest)
        return b.sub(b.sdiv(left, right), self.wide(below))

    def _logic(self, op: str, left: nodes.Expression, right: nodes.Expression) -> Value:
        b = self.b
        first = self.value(left)
        if self.unit.work.of(right) <= CHEAP and self.is_safe(right):
            return (b.and_ if op == "and" else b.or_)(first, self.value(right))
        came_from = b.block
        more, done = self.block(op), self.block(f"{op}.end")
        b.cbranch(first, *((more, done) if op == "and" else (done, more)))
        self.at(more)
        with self.memo.scope():
            second = self.value(right)
        last = b.block
        b.branch(done)
        self.at(done)
        result = b.phi(I1)
        result.add_incoming(ir.Constant(I1, int(op == "or")), came_from)
        result.add_incoming(second, last)
        return result

    def _choice(self, test: nodes.Expression, yes: nodes.Expression, no: nodes.Expression) -> Value:
        b = self.b
        if all(self.unit.work.of(n) <= CHEAP and self.is_safe(n) for n in (yes, no)):
            return b.select(self.value(test), self.value(yes), self.value(no))
        then, otherwise, done = self.block("yes"), self.block("no"), self.block("chosen")
        b.cbranch(self.value(test), then, otherwise)
        arms = []
        for block, node in ((then, yes), (otherwise, no)):
            self.at(block)
            with self.memo.scope():
                arms.append((self.value(node), b.block))
            b.branch(done)
        self.at(done)
        result = b.phi(arms[0][0].type)
        for value, block in arms:
            result.add_incoming(value, block)
        return result

    def _call(self, node: nodes.Call) -> Value:
        self.step(node, node.span)
        define = self.unit.program.functions[node.function]
        args = [self._as_number(self.value(a)) for a in node.args]
        key = (node.function, *(_key(a) for a in args))
        effects = self.unit.effects
        if self.inlines and self.unit.work.of(define.body) <= SMALL and _is_plain(define.body):
            if self.guard is not None and effects.can_fail(node):
                key = (*key, _key(self.guard))
            found = self.memo.find(key)
            if found is None:
                found = self._inlined(define, args)
                self.memo.keep(key, found, effects.used_by(node.function))
            return found
        made = self.unit.define(node.function)
        both = self.memo.find(key)
        if both is None:
            both = self.b.call(made.function, [self.args[0], *args])
            if not self.unit.work.cost(node):  # else each use counts
                self.memo.keep(key, both, effects.used_by(node.function))
        found = self.b.extract_value(both, 0)
        if made.may_fail:
            mistake = self.b.extract_value(both, 1)
            self.leave_if(self.b.not_(self.is_zero(mistake)), mistake)
        return self.b.trunc(found, I1) if isinstance(node.type, YesNo) else found

    def _inlined(self, define: nodes.Function, args: list[Value]) -> Value:
        with self.other_slots(define.slots):
            for slot, value in enumerate(args):
                self.bind(slot, value)
            if not isinstance(define.body, nodes.Block):
                return self.value(define.body)
            *lets, last = define.body.statements
            for let in lets:
                assert isinstance(let, nodes.Let)
                self.bind(let.slot, self.value(let.value))
            assert isinstance(last, nodes.Return)
            assert last.value is not None
            return self.value(last.value)

    def _as_number(self, value: Value) -> Value:
        return self.wide(value) if value.type == I1 else value

    # -------------------------------------------------------- the language's own functions

    def _builtin(self, node: nodes.Builtin, name: str, args: tuple[nodes.Expression, ...]) -> Value:
        setting, deck, b = self.unit.setting, self.unit.setting.deck, self.b
        teams, players = setting.teams, setting.players

        def first(count: int) -> Value:
            return const((1 << count) - 1)

        match name:
            case "players":
                return const(players)
            case "seats":
                return first(players)
            case "teams":
                return first(teams)
            case "suits":
                return first(len(deck.suits))
            case "ranks":
                return first(len(deck.ranks))
            case "pack_cards":
                return first(deck.regular)
            case "special_pack":
                return const((1 << len(deck.texts)) - (1 << deck.regular))
            case "top" | "bottom":
                return self._end(node, name, args[0])
        one = self.value(args[0])
        match name:
            case "openly":
                return one
            case "team":
                return self._modulo(one, teams)
            case "seats_of":
                return self.look_up(
                    [sum(1 << s for s in range(t, players, teams)) for t in range(teams)], one
                )
            case "next_seat":
                return self.wrapped(b.add(one, const(1)), players)
            case "previous_seat":
                return self.wrapped(b.add(one, const(players - 1)), players)
            case "strength":
                return self.look_up(deck.strength, one)
            case "rank":
                return self.look_up(deck.rank, one)
            case "suit":
                return self.look_up([NONE if s is None else s for s in deck.suit], one)
            case "special":
                return b.icmp_signed(">=", one, const(deck.regular))
            case "size":
                return self.count_bits(one)
            case "empty":
                return self.is_zero(one)
        two = self.value(args[1])
        order = {"min": "<", "max": ">"}[name]
        return b.select(b.icmp_signed(order, one, two), one, two)

    def _modulo(self, value: Value, divisor: int) -> Value:
        if divisor & (divisor - 1) == 0:
            return self.b.and_(value, const(divisor - 1))
        return self.b.urem(value, const(divisor))

    def _end(self, node: nodes.Builtin, name: str, zone: nodes.Expression) -> Value:
        assert isinstance(zone, nodes.ZoneCards)
        at, ordered = self.place_of(zone), self.unit.program.zones[zone.name].ordered
        everything = piles.cards(self, zone.name, at)
        self.fail_if(
            self.is_zero(everything),
            "no-card",
            f"'{zone.name}' has no {name} card: it is empty",
            node.span,
        )
        group = everything
        if ordered:
            group = (
                self.load(f"{zone.name}.top", at)
                if name == "top"
                else piles.bottom(self, zone.name, at)
            )
        if ordered or self.unit.capacity(zone.name) > 1:
            rest = self.b.and_(group, self.b.sub(group, const(1)))
            why = "it is shuffled" if ordered else "it is no pile"
            self.fail_if(
                self.b.not_(self.is_zero(rest)),
                "unknown-order",
                f"nobody can know the {name} card of '{zone.name}': {why}",
                node.span,
            )
        if self.guard is None:
            return self.lowest_bit(group)
        # Of nothing, 0: it is an index, though of no use.
        zeros = self.b.call(self.unit.intrinsic("cttz"), [group, ir.Constant(I1, 0)])
        return self.b.and_(zeros, const(63))

    # -------------------------------------------------------- what is worked out in advance

    def has(self, mask: Value, index: int) -> Value:
        """Return whether a mask has a fixed bit."""
        key = ("has", *_key(mask), index)
        found = self.memo.find(key)
        if found is None:
            found = self.b.trunc(self.b.lshr(mask, const(index)), I1)
            self.memo.keep(key, found, NOTHING)
        return found

    def guarded(self, wanted: Value, guard: Value | None, node: nodes.Expression) -> Value:
        """Return a value that is of use only if it is wanted, and so is what it is a part of."""
        before = self.guard
        self.guard = wanted if guard is None else self.b.and_(guard, wanted)
        value = self.value(node)
        self.guard = before
        return value

    def is_safe(self, node: nodes.Expression) -> bool:
        """Tell whether an expression cannot run into a mistake, and needs no counting."""
        return not self.unit.effects.can_fail(node) and self.unit.work.of(node) <= FEW

    # -------------------------------------------------------- going through sets

    def each(self, node: nodes.For | nodes.Quantifier, ordered: bool) -> tuple[Value, Value, Value]:
        """Begin a loop over a domain, the slot bound; return (element, next turn, behind it)."""
        domain = node.domain
        element, turn, done = self._each_element(domain, ordered)
        self.step(node, domain.span)
        self.bind(node.slot, element)
        if domain.where is not None:
            counts = self.block("counts")
            self.b.cbranch(self.value(domain.where), counts, turn)
            self.at(counts)
        return element, turn, done

    def _each_element(self, domain: nodes.Domain, ordered: bool) -> tuple[Value, Value, Value]:
        b = self.b
        if domain.last is not None:
            low, high = self.value(domain.items), self.value(domain.last)
            many = b.icmp_signed(">", b.sub(high, low), const(self.unit.MOST_TURNS))
            self.fail_if(many, "too-long", "there are too many numbers here", domain.span)
            return self.each_number(low, b.add(high, const(1)))
        items = domain.items
        if isinstance(items, nodes.ZoneCards) and ordered:
            zone = self.unit.program.zones[items.name]
            if zone.ordered:
                return self._each_of_pile(items, domain.span)
        mask = self.value(items)
        if domain.start is None:
            return self.each_bit(mask)
        turned, first = self.in_play_order(domain, mask)
        begin = self.hold(first)
        step, turn, done = self.each_bit(turned)
        return self.wrapped(b.add(begin(), step), self.unit.setting.players), turn, done

    def in_play_order(self, domain: nodes.Domain, mask: Value) -> tuple[Value, Value]:
        """Return a mask of seats turned so that the first in play order has bit 0, and that one."""
        b, players = self.b, self.unit.setting.players
        assert domain.start is not None
        start = self.value(domain.start)
        first = self.wrapped(b.add(start, const(1)), players) if domain.after else start
        everyone = (1 << players) - 1
        asked = everyone >> 1 if domain.after else everyone
        if isinstance(mask, ir.Constant) and mask.constant == everyone:
            return const(asked), first
        doubled = b.or_(mask, b.shl(mask, const(players)))
        return b.and_(b.lshr(doubled, first), const(asked)), first

    def wrapped(self, seat: Value, players: int) -> Value:
        """Return the seat that a number below twice the players stands for."""
        if players & (players - 1) == 0:
            return self.b.and_(seat, const(players - 1))
        over = self.b.icmp_signed(">=", seat, const(players))
        return self.b.select(over, self.b.sub(seat, const(players)), seat)

    def _each_of_pile(self, pile: nodes.ZoneCards, span: Span) -> tuple[Value, Value, Value]:
        """Go through a pile, from its lowest card up; all must be known."""
        at, name, b = self.place_of(pile), pile.name, self.b
        order = self.local_array(64)
        count = piles.copy_order(self, name, at, order)
        unknown = b.icmp_signed("<", count, const(0))
        message = f"nobody can know the order of the shuffled '{name}'"
        self.fail_if(unknown, "unknown-order", message, span)
        number, turn, done = self.each_number(const(0), count)
        card = b.load(b.gep(order, [number], source_etype=I64), typ=I64)
        return card, turn, done

    def local_array(self, count: int) -> Value:
        """Return the address of an array of numbers that lives as long as the function runs."""
        with self.b.goto_entry_block():
            return self.b.alloca(I64, size=const(count))


def _key(value: Value) -> tuple[str, int]:
    """Return what tells a value from all others of its function."""
    return ("const", value.constant) if isinstance(value, ir.Constant) else ("made", id(value))


def _is_plain(body: nodes.Expression | nodes.Block) -> bool:
    """Tell whether a `define` is an expression, or one behind names that are bound for it."""
    if not isinstance(body, nodes.Block):
        return True
    *lets, last = body.statements
    return isinstance(last, nodes.Return) and all(isinstance(s, nodes.Let) for s in lets)
