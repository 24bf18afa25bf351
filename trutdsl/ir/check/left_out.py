"""Warnings about a dealer without cards, whom a loop through `seats after dealer` leaves out."""

from __future__ import annotations

from collections.abc import Sequence

from trutdsl.ir import nodes
from trutdsl.ir.check.dealing import Warnings
from trutdsl.ir.nodes import rules_from, walk
from trutdsl.ir.types import Kind
from trutdsl.language import say


def find_left_out(program: nodes.Program, warnings: Warnings) -> None:
    """Warn of loops through the seats after the dealer that alone give cards to a zone."""
    rules = [(name, program.rules[name]) for name in rules_from(program, "match")]
    gifts = _given_to_parameters(rules)
    loops: dict[str, list[tuple[str, nodes.For]]] = {}
    others: set[str] = set()

    def visit(node: nodes.Node, rule: str, outer: nodes.For | None) -> None:
        if isinstance(node, nodes.For) and _leaves_out_dealer(node.domain):
            outer = node
        for zone, place in _gifts(node, gifts):
            slot = place.slot if isinstance(place, nodes.Local) else None
            if outer is not None and slot == outer.slot:
                loops.setdefault(zone, []).append((rule, outer))
            elif slot is None or slot >= len(program.rules[rule].params):
                others.add(zone)
        for child in node.children:
            visit(child, rule, outer)

    for name, rule in rules:
        visit(rule.body, name, None)
    for zone, each in loops.items():
        if zone in others or program.zones[zone].index is not Kind.SEAT:
            continue
        name, loop = each[0]
        warnings.place = program.rules[name].heading
        text = "`seats after dealer` leaves out the dealer, who gets no card in '{zone}'"
        help_ = say("write `seats from next_seat(dealer)`, or draw for the dealer as well")
        warnings.warn("left-out", say(text, zone=zone), loop.domain.span, help=help_)


def _leaves_out_dealer(domain: nodes.Domain) -> bool:
    start = domain.start
    return domain.after and isinstance(start, nodes.Var) and start.name == "dealer"


Given = dict[str, set[tuple[str, int]]]  # of each rule: a zone whose seat is a parameter, its slot


def _given_to_parameters(rules: Sequence[tuple[str, nodes.Rule]]) -> Given:
    """Return, for each rule, the zones to which it gives cards at the seat of a parameter."""
    gifts: Given = {name: set() for name, _ in rules}
    size, old = 0, -1
    while size > old:  # a rule may pass its parameter on to another
        old = size
        for name, rule in rules:
            for node in walk(rule.body):
                for zone, place in _gifts(node, gifts):
                    if isinstance(place, nodes.Local) and place.slot < len(rule.params):
                        gifts[name].add((zone, place.slot))
        size = sum(map(len, gifts.values()))
    return gifts


def _gifts(node: nodes.Node, gifts: Given) -> list[tuple[str, nodes.Expression | None]]:
    """Return the zones to which a sentence gives cards, each with its seat.

    A player's own cards that only change their place are no gift.
    """
    match node:
        case nodes.Draw() | nodes.Move() | nodes.MoveAll() | nodes.Swap():
            giver, taker = node.origin.index, node.target.index
            stays = (
                isinstance(giver, nodes.Local)
                and isinstance(taker, nodes.Local)
                and giver.slot == taker.slot
            )
            return [] if stays else [(node.target.name, taker)]
        case nodes.Gather():
            return [(node.target.name, node.target.index)]
        case nodes.Do():
            return [(zone, node.args[slot]) for zone, slot in sorted(gifts[node.rule])]
    return []
