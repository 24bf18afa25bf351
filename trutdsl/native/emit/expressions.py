"""Expressions as instructions.

Numbers and indices are 64-bit integers, none is -1, yes/no one bit, sets masks of indices.
"""

from __future__ import annotations

from llvmlite import ir

from trutdsl.ir import nodes
from trutdsl.ir.effects import FEW, slot_name
from trutdsl.ir.nodes import walk
from trutdsl.ir.types import NUMBER, Kind, Number, OneOf, SetOf, YesNo
from trutdsl.native.abi import NONE
from trutdsl.native.emit import piles
from trutdsl.native.emit.body import ValueWriter, value_key
from trutdsl.native.emit.builtins import emit_builtin, emit_image, emit_selection, numbers_mask
from trutdsl.native.emit.quantifiers import emit_quantifier
from trutdsl.native.llvm import I1, Unit, Value, const, constant_of
from trutdsl.table.actions import bounds_within
from trutdsl.table.faults import none_message

# Hot path: defines specialized for the case that no flag is set; other cases call a function.
#
# A flag is a yes/no of each seat or team that every deal or trick starts as no, such as
# the teams that have folded. If no flag is set, most conditions of a define are constant.

WORTH = 40  # nodes of a define that is written twice
ODDS = 100  # how many times more often no flag is set


def flags_of(unit: Unit, define: nodes.Function) -> frozenset[str]:
    """Return the flags that a define reads, if it iterates over seats or teams itself."""
    if not WORTH <= unit.work.of(define.body) <= FEW or not is_plain(define.body):
        return frozenset()
    if not any(isinstance(node, nodes.Quantifier) for node in walk(define.body)):
        return frozenset()
    looked_at = unit.effects.reads_of(define.body)
    return frozenset(
        v.name
        for v in unit.program.variables.values()
        if v.name in looked_at and isinstance(v.type, YesNo) and v.index in (Kind.SEAT, Kind.TEAM)
        if v.lifetime != "match" and isinstance(v.initial, nodes.Const) and not v.initial.value
    )


def emit_apart(
    code: ValueWriter, define: nodes.Function, args: list[Value], flags: frozenset[str]
) -> Value:
    """Return the value of a define: inline if no flag is set, else from its function."""
    b, error = code.b, const(0)
    for name in sorted(flags):
        for place in range(code.unit.layout.fields[name].count):
            error = b.or_(error, code.load(name, const(place)))
    mostly, rarely, done = map(code.block, ("mostly", "rarely", f"{define.name}.end"))
    b.cbranch(code.is_zero(error), mostly, rarely).set_weights([ODDS, 1])
    ways = []
    for block in (mostly, rarely):
        code.at(block)
        with code.on_some_paths():
            if block is mostly:
                code.memo.lower(flags)
                value = code.in_place(define, args)
            else:
                code.unit.define(define.name).function.attributes.add("noinline")
                value = code.call_function(define, args)
        ways.append((value, b.block))
        b.branch(done)
    code.at(done)
    return b.join_paths(ways)


def is_plain(body: nodes.Expression | nodes.Block) -> bool:
    """Tell whether a `define` is an expression, possibly after bindings of names."""
    if not isinstance(body, nodes.Block):
        return True
    *lets, last = body.statements
    return isinstance(last, nodes.Return) and all(isinstance(s, nodes.Let) for s in lets)


OVERFLOWING = {"+": "sadd", "-": "ssub", "*": "smul"}
SMALL = 400  # nodes of a `define` that is inlined rather than called


class ExpressionEmitter(ValueWriter):
    """Writes the expressions of one rule or define."""

    def value(self, node: nodes.Expression) -> Value:
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
                result = setting.deck.index_of(kind, text)
                return const(NONE if result is None else result)
            case nodes.Parameter(_, type_, name):
                parameter = setting.parameters[name]
                if isinstance(type_, OneOf):
                    return const(type_.names.index(str(parameter)))
                if isinstance(parameter, frozenset):
                    return const(sum(1 << card for card in parameter))
                return (
                    ir.Constant(I1, int(parameter))
                    if isinstance(type_, YesNo)
                    else const(int(parameter))
                )
            case nodes.Local(_, type_, slot):
                result = self.memo.find(frozenset({slot_name(slot, self.frame)}))
                if result is None:
                    result = self.number(self.slots[slot])
                return b.trunc(result, I1) if isinstance(type_, YesNo) else result
            case nodes.Var(_, type_, name, index):
                at = self.value(index) if index is not None else None
                if self.memo.is_lowered(name):
                    return ir.Constant(I1, 0)
                result = self._variable(name, at)
                return b.trunc(result, I1) if isinstance(type_, YesNo) else result
            case nodes.ZoneCards(_, _, name, _):
                return piles.cards(self, name, self.place_of(node))
            case nodes.Builtin():
                return emit_builtin(self, node)
            case nodes.CardValue(_, _, name, card):
                amounts = setting.deck.values.get(name, (0,) * len(setting.deck.texts))
                return self.look_up(amounts, self.value(card))
            case nodes.Call():
                return self._call(node)
            case nodes.Arithmetic(_, _, op, left, right):
                return self._arithmetic(op, self.value(left), self.value(right))
            case nodes.Compare(_, _, op, left, right):
                if self._is_missing(left) or self._is_missing(right):
                    return ir.Constant(I1, int(op == "!="))
                one, two = self.value(left), self.value(right)
                return b.icmp_signed(op, one, two)
            case nodes.Logic(_, _, op, left, right):
                return self._logic(op, left, right)
            case nodes.Not(_, _, inner):
                return b.not_(self.value(inner))
            case nodes.Choice(_, _, test, yes, no):
                return self._choice(test, yes, no)
            case nodes.Unwrap(span, type_, inner):
                result = self.value(inner)
                none = b.icmp_signed("<", result, const(0))
                self.fail_if(none, "nobody", none_message(span, type_), span)
                return result if self.guard is None else b.select(none, const(0), result)
            case nodes.Within(span, SetOf(), inner):
                low, high = bounds_within(node, setting)
                result, allowed = self.value(inner), const(numbers_mask(low, high))
                wrong = b.not_(self.is_zero(self.without(result, allowed)))
                self.fail_if(wrong, "out-of-range", f"this is not from {low} to {high}", span)
                return b.and_(result, allowed)
            case nodes.Within(span, Number(), inner):
                low, high = bounds_within(node, setting)
                result = self.value(inner)
                wrong = self.is_outside(result, low, high)
                help_text = f"this is not from {low} to {high}"
                help_text = "this is too large a number" if node.type == NUMBER else help_text
                self.fail_if(wrong, "out-of-range", help_text, span)
                return result if self.guard is None else b.select(wrong, const(low), result)
            case nodes.Member(_, _, item, items):
                number = item.type.high if isinstance(item.type, Number) else 0
                return self._member(self.value(item), self.value(items), number > 63)
            case nodes.SetLiteral(_, _, items):
                mask = const(0)
                for item in items:
                    mask = b.or_(mask, self._mask_of(self.value(item)))
                return mask
            case nodes.SetOperation(_, _, op, left, right):
                one, two = self.value(left), self.value(right)
                return {"+": b.or_, "-": self.without, "&": b.and_}[op](one, two)
            case nodes.Selection():
                return emit_selection(self, node)
            case nodes.Image():
                return emit_image(self, node)
            case nodes.Quantifier():
                return emit_quantifier(self, node)
            case nodes.Lookup(_, _, _, keys, grid):
                return self._in_grid(grid, keys)
        raise AssertionError(f"{type(node).__name__} is no plain expression")

    def _in_grid(self, grid: nodes.Grid, keys: tuple[nodes.Expression, ...]) -> Value:
        b, place, inside = self.b, const(0), ir.Constant(I1, 1)
        for key, low, size in zip(keys, grid.lows, grid.sizes, strict=True):
            digit = b.sub(self.as_number(self.value(key)), const(low))
            inside = b.and_(inside, b.icmp_unsigned("<", digit, const(size)))
            place = b.add(b.mul(place, const(size)), digit)
        result = self.look_up(grid.cells, b.select(inside, place, const(0)))
        return b.select(inside, result, const(grid.other))

    def _is_missing(self, node: nodes.Expression) -> bool:
        deck = self.unit.setting.deck
        return isinstance(node, nodes.PackText) and deck.index_of(node.kind, node.text) is None

    def _variable(self, name: str, at: Value | None) -> Value:
        """Return the value of a variable, from an available value if possible."""
        if not self.unit.mode.fast:
            return self.load(name, at)
        key = ("variable", name, *(() if at is None else value_key(at)))
        result = self.memo.find(key)
        if result is None:
            result = self.load(name, at)
            self.memo.keep(key, result, frozenset({name}))
        return result

    def _mask_of(self, index: Value) -> Value:
        exists = self.b.icmp_signed(">=", index, const(0))
        return self.b.select(exists, self.bit(self.b.and_(index, const(63))), const(0))

    def _member(self, item: Value, items: Value, large: bool) -> Value:
        exists = self.b.icmp_signed(">=", item, const(0))
        if large:
            exists = self.b.icmp_unsigned("<", item, const(64))
        return self.b.and_(exists, self.has_bit(items, self.b.and_(item, const(63))))

    def _arithmetic(self, op: str, left: Value, right: Value) -> Value:
        b = self.b
        if self.unit.mode.checked and op in OVERFLOWING:
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
        # Rounded down, unlike the machine instruction; a divisor is never below 1.
        rest = b.srem(left, right)
        below = b.icmp_signed("<", rest, const(0))
        if op == "mod":
            return b.select(below, b.add(rest, right), rest)
        return b.sub(b.sdiv(left, right), self.wide(below))

    def _logic(self, op: str, left: nodes.Expression, right: nodes.Expression) -> Value:
        b = self.b
        first = self.value(left)
        constant = constant_of(first)
        if constant is not None:
            return self.value(right) if bool(constant) == (op == "and") else first
        if self.unit.work.of(right) <= self.cheap and self.is_safe(right):
            return (b.and_ if op == "and" else b.or_)(first, self.value(right))
        came_from = b.block
        more, done = self.block(op), self.block(f"{op}.end")
        b.cbranch(first, *((more, done) if op == "and" else (done, more)))
        self.at(more)
        with self.on_some_paths():
            second = self.value(right)
        last = b.block
        b.branch(done)
        self.at(done)
        return b.join_paths([(ir.Constant(I1, int(op == "or")), came_from), (second, last)])

    def _choice(self, test: nodes.Expression, yes: nodes.Expression, no: nodes.Expression) -> Value:
        b, condition = self.b, self.value(test)
        constant = constant_of(condition)
        if constant is not None:
            return self.value(yes if constant else no)
        if all(self.unit.work.of(n) <= self.cheap and self.is_safe(n) for n in (yes, no)):
            return b.select(condition, self.value(yes), self.value(no))
        then, otherwise, done = self.block("yes"), self.block("no"), self.block("chosen")
        b.cbranch(condition, then, otherwise)
        arms = []
        for block, node in ((then, yes), (otherwise, no)):
            self.at(block)
            with self.on_some_paths():
                arms.append((self.value(node), b.block))
            b.branch(done)
        self.at(done)
        return b.join_paths(arms)

    def _call(self, node: nodes.Call) -> Value:
        self.step(node, node.span)
        define = self.unit.program.functions[node.function]
        args = [self.as_number(self.value(a)) for a in node.args]
        key = (node.function, *(value_key(a) for a in args))
        effects = self.unit.effects
        if self.is_define_in_place(define):
            if self.guard is not None and effects.can_fail(node):
                key = (*key, value_key(self.guard))
            is_counted = bool(self.unit.work.cost(node))  # each use counts its steps
            result = None if is_counted else self.memo.find(key)
            if result is None:
                result = self._inline(define, args)
                if not is_counted:
                    self.memo.keep(key, result, effects.reads_of(define.body))
            return result
        return self.call_function(define, args, bool(self.unit.work.cost(node)))

    def _inline(self, define: nodes.Function, args: list[Value]) -> Value:
        """Inline a define, with a separate path for rare cases."""
        if self.guard is None and self.unit.mode.fast:
            flags = flags_of(self.unit, define)
            new_flags = frozenset(name for name in flags if not self.memo.is_lowered(name))
            if new_flags and self.in_rule:
                return emit_apart(self, define, args, new_flags)
        return self.in_place(define, args)

    def call_function(
        self, define: nodes.Function, args: list[Value], is_counted: bool = False
    ) -> Value:
        function = self.unit.define(define.name, self.counts_steps)
        key = ("function", define.name, *(value_key(a) for a in args))
        both = None if is_counted else self.memo.find(key)
        if both is None:
            both = self.b.call(function.function, [self.args[0], *args])
            if not is_counted:
                self.memo.keep(key, both, self.unit.effects.reads_of(define.body))
        result = self.b.extract_value(both, 0)
        if function.may_fail:
            mistake = self.b.extract_value(both, 1)
            self.leave_if(self.b.not_(self.is_zero(mistake)), mistake)
        return self.b.trunc(result, I1) if isinstance(define.result, YesNo) else result

    def is_define_in_place(self, define: nodes.Function) -> bool:
        if not self.inlines:
            return False
        if self.unit.work.of(define.body) <= SMALL and is_plain(define.body):
            return True
        return self.guard is None and self.unit.sites[define.name] == 1
