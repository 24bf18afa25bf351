"""What a `define` gives, as a function of the match and its arguments."""

from __future__ import annotations

from llvmlite import ir

from trutdsl.ir import nodes
from trutdsl.native.emit.rule_writer import NO_MISTAKE, Targets
from trutdsl.native.emit.statements import RuleEmitter
from trutdsl.native.llvm.unit import RESULT, Value, const


class DefineEmitter(RuleEmitter):
    """Writes a `define`, whose function takes the match and the arguments.

    It returns its value, and 0 or the number of the mistake that it ran into; nothing is changed
    in the match, so that LLVM can leave out what was worked out before.
    """

    may_fail = False
    in_rule = False

    def build_define(self, define: nodes.Function) -> None:
        """Write the whole function."""
        self.targets, self.signals, self.exits = Targets(), set(), {}
        self.place, self.span = f"define '{define.name}'", define.span
        for word in ("mustprogress", "willreturn"):
            set.add(self.function.attributes, word)  # which llvmlite's own list does not have
        for slot in range(len(define.params)):
            self.slots[slot].write(self, self.args[1 + slot])
        if isinstance(define.body, nodes.Block):
            self.block_of(define.body)
            if not self.b.block.is_terminated:
                self.b.unreachable()
        else:
            self.give(self.value(define.body))

    def give(self, value: Value, mistake: Value = NO_MISTAKE) -> None:
        """Return."""
        both = self.b.insert_value(ir.Constant(RESULT, ir.Undefined), self.as_number(value), 0)
        self.b.ret(self.b.insert_value(both, mistake, 1))

    def give_up(self, mistake: Value) -> None:
        """Return a mistake."""
        self.may_fail = True
        self.give(const(0), mistake)

    def give_back(self, value: Value | None) -> None:
        """Return."""
        self.give(value)
