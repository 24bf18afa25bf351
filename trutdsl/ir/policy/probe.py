"""Probe: what a measurement asks of who answers, by a word of the variant's vocabulary."""

from __future__ import annotations

from trutdsl.diagnostics import Collector
from trutdsl.ir import nodes
from trutdsl.ir.policy.history import add_history
from trutdsl.ir.policy.vocabulary import vocabulary_of, with_functions
from trutdsl.ir.types import SEAT, Number
from trutdsl.variant import Variant

# How strong a hand is: of a thousand hands that could be held, how many it beats.
WORD, STRENGTH = "hands_beaten", "measure:strength"
WHOLE = 1000


def add_probe(variant: Variant, program: nodes.Program) -> nodes.Program:
    """Return a program that has the strength of hands as the function `STRENGTH` of a seat.

    With what of the past that rests on; nothing that happens is changed by it. The same program
    where the vocabulary does not say how strong a hand is.
    """
    errors = Collector()
    builder = vocabulary_of(variant, program, errors)
    found = builder.find(WORD)
    errors.raise_if_any()
    if found is None or found.memory or not isinstance(found.function.result, Number):
        return program
    function, span = found.function, found.function.span
    assert builder.scope is not None
    whole = with_functions(add_history(program, builder.scope.past), builder)
    seat = nodes.Local(span, SEAT, 0, "")
    body = nodes.Call(span, function.result, function.name, (seat,))
    probe = nodes.Function(
        span, STRENGTH, (SEAT,), function.result, 1, body, function.layer, None, None
    )
    functions = {**whole.functions, STRENGTH: probe}
    return nodes.Program(whole.zones, whole.variables, functions, whole.rules, whole.policies)
