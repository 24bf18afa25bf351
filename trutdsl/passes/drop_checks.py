"""Redundant check elimination: drops checks for none that cannot fail at this table."""

from __future__ import annotations

from dataclasses import replace

from trutdsl.ir import nodes
from trutdsl.ir.nodes import Node, Program
from trutdsl.ir.walk import rebuild_program
from trutdsl.table.setting import Setting


def drop_checks(program: Program, setting: Setting) -> Program:
    """Return the program without checks for a card's suit, in a pack without special cards."""
    if None in setting.deck.suit:
        return program

    def drop(node: Node, _: Node) -> Node:
        match node:
            case nodes.Unwrap(_, type_, nodes.Builtin(_, _, "suit") as suit):
                return replace(suit, type=type_)
        return node

    return rebuild_program(program, drop)
