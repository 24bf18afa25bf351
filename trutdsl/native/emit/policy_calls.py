"""Calls of policies: the functions that answer for a seat, and the actions that they choose."""

from __future__ import annotations

from llvmlite import ir

from trutdsl.native.llvm.function import Code
from trutdsl.native.llvm.unit import I64, PTR, Value, const
from trutdsl.native.mode import Form
from trutdsl.native.seat_entry import ANY

POLICY = ir.FunctionType(I64, [PTR, PTR, I64])  # the seat's data, the match, how many actions


def policy_of(code: Code, seat: Value) -> tuple[Value, Value]:
    """Return the function of a seat's policy and its data."""
    entry = code.address(code.args[1], 0, seat, code.unit.entry_size)
    return code.b.load(entry, typ=POLICY.as_pointer()), entry


def ask_policy(code: Code, policy: Value, data: Value, count: Value) -> Value:
    """Return which of the legal actions a policy takes.

    It may look at the match, but changes nothing in it, and at the table only its own entry.
    """
    aside = {1: ("noalias", "captures(none)")}
    if code.unit.mode.checked:
        return code.b.call(policy, [data, code.args[0], count])
    rank = code.b.call(policy, [data, code.args[0], count], attrs=("nounwind",), arg_attrs=aside)
    # Words that LLVM knows and llvmlite's own lists do not have.
    set.add(rank.attributes, "inaccessiblemem_or_argmemonly")
    set.add(rank.arg_attributes[1], "readonly")
    return rank


def note_any(code: Code, entry: Value) -> None:
    """Note in a seat's entry that its policy takes any action, where answers are counted."""
    if code.unit.mode.form is Form.COUNTED:
        code.b.store(const(1), code.address(entry, 8 * ANY))


def action_of_rank(code: Code, words: list[Value], rank: Value) -> Value:
    """Return the number of the action that `rank` legal ones come before."""
    if len(words) == 1:
        return code.pick(words[0], rank)
    b = code.b
    found = code.local()
    left = code.local()
    b.store(rank, left)
    done = code.block("found")
    for number, word in enumerate(words):
        here, more = code.block("here"), code.block("more")
        before, size = b.load(left, typ=I64), code.count_bits(word)
        b.cbranch(b.icmp_signed("<", before, size), here, more)
        code.at(here)
        b.store(b.add(const(64 * number), code.pick(word, before)), found)
        b.branch(done)
        code.at(more)
        b.store(b.sub(before, size), left)
    b.unreachable()
    code.at(done)
    return b.load(found, typ=I64)
