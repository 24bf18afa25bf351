"""The table of nodes: which nodes occur in which places, with which types, in accepted programs.

The nodes are the classes of `trutdsl.ir.nodes`, and the places are their fields. A node has the
types with which it occurs anywhere, and a place takes the types that it takes anywhere. Each node
must occur in each place that takes one of its types, with that type, except for `IMPOSSIBLE`.
"""

from __future__ import annotations

import re
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections import defaultdict
from dataclasses import fields
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import get_args

from tests.fuzz.nodes.write import CELLS_FILE, Cell, all_cells, write_variant
from trutdsl.diagnostics import Rejected
from trutdsl.ir import build_program, nodes
from trutdsl.ir.types import Element, Number, OneOf, SetOf, Type
from trutdsl.variant import load_variant

PROGRAM_SIZE = 600  # texts
FoundCells = dict[tuple[str, str, str], Cell | None]  # (node, place, type) -> the first text of it

STORING = "Let.value|Assign.value|Return.value|Perform.do"
SENTENCES = (
    "Again|Announce|Ask|DealBlock|Draw|End*|Gather|Move|MoveAll|Next|Perform|Reveal|Setup|Shuffle|"
    "Stop|Swap|TrickBlock"
)
# (nodes, places, types, reason) that no program has. `|` separates patterns; `!` negates them.
IMPOSSIBLE = [
    ("Image|Selection", "*", "*", "only passes make them"),
    ("Answer|Legal|LegalAt|Memory|Policy|Remembered|Take|TakeAny", "*", "*", "only in scripts"),
    ("Lookup", "*", "*", "only scripts read tables"),
    ("Do|RandomFrom|Roll|Chance", f"!{STORING}", "*", "they stand where their value is stored"),
    ("Within", f"!{STORING}|Within.value|Unwrap.value|Call.args|Do.args|Function.body|*.index", "*",
     "a number is looked at where it comes to what has bounds"),
    ("Within", "Within.value", "*", "what was looked at is not looked at again"),
    ("Const", "Within.value", "*", "of a constant it is known whether it lies within"),
    ("Unwrap", "Announce.value|Choice.*|Compare.*|End*.winner", "*", "here there may be none"),
    ("!Quantifier", "Unwrap.value", "named value", "only `first` gives one or none"),
    ("Quantifier", "!Unwrap.value", "named value", "`first` may give none, which is looked at"),
    ("Const", "*", "seat", "no seat has a name; `dealer` starts as the first"),
    ("!Const|Parameter|Arithmetic", "Variable.low|Variable.high|Zone.capacity", "*",
     "bounds are fixed before the match: numbers and parameters"),
    ("Local", "Variable.initial|Zone.content", "*", "no name is bound there"),
    ("Call|Var|ZoneCards", "Zone.content", "*", "zones are filled before there is anything else"),
    ("Do", "!Perform.do", "none", "a rule that returns nothing gives nothing to store"),
    ("!Const|Arithmetic|Builtin", "Chance.whole", "*", "it has to be known to be above 0"),
    (SENTENCES, "Function.body", "-", "a define only works something out"),
    ("Stop|Next|Again", "Rule.body", "-", "nothing is around the rule that could be left"),
    ("Return|Stop|Next|Again", "DealBlock.body|TrickBlock.body", "-", "only ends leave them"),
    ("EndTrick", "Rule.body|DealBlock.body", "-", "there is no trick that could end"),
    ("TrickBlock", "TrickBlock.body", "-", "no trick stands in another one"),
    ("DealBlock", "DealBlock.body|TrickBlock.body", "-", "no deal stands in a deal or trick"),
    ("Arithmetic", "Let.value|Return.value|Function.body|*.args", "wide number",
     "what may be beyond the bounds of its type is looked at"),
    ("CardValue|Quantifier", "SetLiteral.items", "number", "it may not be from 0 to 63"),
]  # fmt: skip


def node_classes() -> list[type[nodes.Node]]:
    """Return every class of nodes in programs."""
    found, left = [], [nodes.Node]
    while left:
        one = left.pop()
        below = one.__subclasses__()
        left += below
        if not below and one.__module__.startswith("trutdsl.ir.nodes"):
            found.append(one)
    return sorted(found, key=lambda one: one.__name__)


def kind_of(type_: Type) -> str:
    """Return the name of the type of a cell; a number is wide if it exceeds 32 bits."""
    match type_:
        case Number(low, high) if low < -(2**31) or high >= 2**31:
            return "wide number"
        case OneOf():
            return "named value"
        case SetOf(OneOf()):
            return "named values"
        case SetOf(Number()):
            return "numbers"
        case Element() | SetOf():
            return str(type_)
    return str(type_)


def add_cells(program: nodes.Program, where: dict[int, Cell], found: FoundCells) -> None:
    """Add the cells of a program; the place of a sentence is the field that holds its block."""
    left: list[tuple[str, nodes.Node]] = []
    for name in ("zones", "variables", "functions", "rules"):
        left += [(f"Program.{name}", one) for one in getattr(program, name).values()]
    while left:
        place, node = left.pop()
        if not isinstance(node, nodes.Block):
            type_ = kind_of(node.type) if isinstance(node, nodes.Expression) else "-"
            key = type(node).__name__, place, type_
            found.setdefault(key, where.get(node.span.line))
        for one in fields(node):
            inside = f"{type(node).__name__}.{one.name}"
            inside = place if isinstance(node, nodes.Block) else inside
            left += [(inside, child) for child in _nodes_in(getattr(node, one.name))]


def _nodes_in(value: object) -> list[nodes.Node]:
    if isinstance(value, nodes.Node):
        return [value]
    if isinstance(value, tuple):
        return [node for item in value for node in _nodes_in(item)]
    return []


def find_refused(some: list[Cell], found: FoundCells) -> list[tuple[Cell, str]]:
    """Add the cells of programs with these texts; return the refused texts, and the messages."""
    refused: list[tuple[Cell, str]] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cells.yaml"
        for first in range(0, len(some), PROGRAM_SIZE):
            left = some[first : first + PROGRAM_SIZE]
            while True:
                text, where = write_variant(left)
                path.write_text(text, encoding="utf-8")
                try:
                    add_cells(build_program(load_variant(path)), where, found)
                    break
                except Rejected as rejected:
                    messages = ((d.span.line, d.message) for d in rejected.diagnostics if d.span)
                    bad = {where[line]: message for line, message in messages if line in where}
                    if not bad:
                        raise
                    refused += bad.items()
                    left = [cell for cell in left if cell not in bad]
    return refused


def list_missing(found: FoundCells) -> list[tuple[str, str, str]]:
    """Return the possible cells that no program has."""
    gives, takes = defaultdict(set), defaultdict(set)
    for node, place, type_ in found:
        gives[node].add(type_)
        takes[place].add(type_)
    empty = [
        (node, place, type_)
        for place in takes
        for node in node_names_in(place) & gives.keys()
        for type_ in gives[node] & takes[place]
        if (node, place, type_) not in found
    ]
    return sorted(cell for cell in empty if why_impossible(*cell) is None)


@cache
def node_names_in(place: str) -> frozenset[str]:
    """Return the names of the node classes that a field can contain, by its type."""
    parent, name = place.split(".")
    hint = next(str(one.type) for one in fields(getattr(nodes, parent)) if one.name == name)
    held: set[str] = set()
    for word in re.findall(r"\w+", hint.replace("Block", "Statement")):
        named = getattr(nodes, word, None)
        for one in get_args(named) or (named,):
            if isinstance(one, type) and issubclass(one, nodes.Node):
                held |= {node.__name__ for node in node_classes() if issubclass(node, one)}
    return frozenset(held)


def why_impossible(node: str, place: str, type_: str) -> str | None:
    """Return the reason why no program can have a cell, or None."""
    for *patterns, why in IMPOSSIBLE:
        if all(map(matches, (node, place, type_), patterns)):
            return why
    return None


def matches(text: str, patterns: str) -> bool:
    """Tell whether a text matches one of the patterns, or none if they start with `!`."""
    found = any(fnmatch(text, one) for one in patterns.removeprefix("!").split("|"))
    return found != patterns.startswith("!")


def list_absent_nodes(found: FoundCells) -> list[str]:
    """Return the possible nodes that no program has."""
    names = {node for node, _, _ in found} | {"Block"}
    known = (one.__name__ for one in node_classes())
    return [name for name in known if name not in names and why_impossible(name, "", "") is None]


# ---------------------------------------------------------------- the command


def add_options(parser: ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--keep", action="store_true", help="keep the texts that fill each cell")


def main(options: Namespace) -> int:
    """Print the types of each node in each place; return 1 if a cell is empty."""
    found: FoundCells = {}
    texts = all_cells()
    refused = find_refused(texts, found)
    rows: dict[tuple[str, str], list[str]] = defaultdict(list)
    for node, place, type_ in sorted(found):
        rows[node, place].append(type_)
    say("| node | place | accepted with the type |\n|---|---|---|\n")
    for (node, place), types in rows.items():
        say(f"| {node} | {place} | {', '.join(types)} |\n")
    empty = list_missing(found)
    for cell in empty:
        say(f"empty: {' '.join(cell)}\n")
    for name in list_absent_nodes(found):
        say(f"never: {name}\n")
    say(f"{len(texts)} texts, {len(refused)} refused; {len(found)} cells, {len(empty)} empty\n")
    if options.keep:
        write_cells_file(texts, found)
    return int(bool(empty or list_absent_nodes(found)))


def write_cells_file(texts: list[Cell], found: FoundCells) -> None:
    """Write the numbers of the texts that together fill all cells."""
    needed = set(found.values())
    numbers = [number for number, text in enumerate(texts) if text in needed]
    CELLS_FILE.write_text("\n".join(map(str, numbers)) + "\n", encoding="utf-8")


def say(text: str) -> None:
    """Print to standard output."""
    sys.stdout.write(text)
