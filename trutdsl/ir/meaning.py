"""The meaning of a variant: the program of its rules, its vocabulary checked with them."""

from __future__ import annotations

from trutdsl.ir.build.program import build_rules
from trutdsl.ir.nodes import Program
from trutdsl.ir.policy.vocabulary import check_vocabulary
from trutdsl.variant import Variant


def build_program(variant: Variant) -> Program:
    """Return what the rules of a variant mean; raises `Rejected` with every mistake found."""
    program = build_rules(variant)
    if any(layer.vocabulary for layer in variant.layers):
        check_vocabulary(variant, program)
    return program
