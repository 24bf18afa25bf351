"""Purity: expressions without errors, steps or chance, which can be moved, repeated or dropped."""

from __future__ import annotations

from trutdsl.ir import nodes
from trutdsl.ir.effects import CountedNode, Effects
from trutdsl.ir.walk import walk


def is_pure(node: nodes.Expression, effects: Effects) -> bool:
    """Tell whether an expression cannot be a mistake, counts no steps and asks no chance."""
    short = not any(
        isinstance(part, nodes.Source) or (isinstance(part, CountedNode) and part.steps)
        for part in walk(node)
    )
    return short and not effects.can_fail(node)
