"""Warnings about likely slips: a dealer without cards, words of options, names for scripts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trutdsl.ir import nodes
from trutdsl.ir.check.dealing import Warnings
from trutdsl.ir.nodes import rules_from, walk
from trutdsl.ir.types import SCRIPT_FUNCTIONS, SCRIPT_VALUES, Kind
from trutdsl.language import say
from trutdsl.variant import Variant

RANGE = re.compile(r"(.*?)(?: \w)?(?: in)? ?(\d+) (?:to|à|a|bis|or|ou) (\d+)")  # words of an option
TWO = re.compile(r"(.+) (?:or|ou|oder|o) (.+)")
CONDITION = re.compile(r"(.+?) (?:if|si|wenn) (.+)")
MARK = re.compile(r"\b(?:openly|as pass)\b")


def find_words_of_options(body: nodes.Node, warnings: Warnings) -> None:
    """Warn of options whose words look like a choice or a mark."""
    for node in walk(body):
        words = " ".join(node.words) if isinstance(node, nodes.Option) else ""
        if hit := RANGE.fullmatch(words):
            text = "the option '{words}' is one choice with these words, not a choice of a number"
            help_ = say(
                "write `{words} n from {low} to {high}`",
                words=hit[1] or "bid",
                low=hit[2],
                high=hit[3],
            )
            warnings.warn("range-in-words", say(text, words=words), node.span, help=help_)
        elif hit := TWO.fullmatch(words):
            message = say("the option '{words}' is one choice with these words", words=words)
            help_ = say("write `{one}` and `{other}` on a line each", one=hit[1], other=hit[2])
            warnings.warn("choice-in-words", message, node.span, help=help_)
        elif hit := CONDITION.fullmatch(words):
            message = say(
                "the option '{words}' is always possible; these are its words", words=words
            )
            help_ = say("write `{spoken}`", spoken=f"{hit[1]} when {hit[2]}")
            warnings.warn("condition-in-words", message, node.span, help=help_)
        if hit := MARK.search(words):
            text = "in the option '{words}', `{mark}` belongs to the words and has no effect"
            message = say(text, words=words, mark=hit[0])
            help_ = say("write it last, as in `OPTION when CONDITION openly as pass`")
            warnings.warn("mark-in-words", message, node.span, help=help_)


def find_names_of_scripts(program: nodes.Program, variant: Variant, warnings: Warnings) -> None:
    """Warn of names that mean something else in scripts, so that no script can read them."""
    warnings.place = None
    found = [(one.name, one.span) for one in variant.parameters.values()]
    # In scripts `shown` can have an index, too.
    places = (one for one in program.declarations if one.index is None or one.name == "shown")
    found += [(one.name, one.span) for one in places]
    found = [one for one in found if one[0] in SCRIPT_VALUES]
    for function in program.functions.values():
        if function.name in (SCRIPT_FUNCTIONS if function.params else SCRIPT_VALUES):
            found.append((function.name, function.span))
    for name, span in found:
        message = say(
            "no script can read this '{name}'; there the word means something else", name=name
        )
        help_ = say("choose another name, so that strategies can use it")
        warnings.warn("word-of-scripts", message, span, help=help_)


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
