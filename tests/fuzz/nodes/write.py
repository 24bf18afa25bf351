"""Writes programs that contain the texts of `forms` in all places of rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from .forms import (
    BODIES,
    CHANCE_PLACES,
    DECLARATIONS,
    ELEMENT,
    FIRST,
    IN_RULES,
    LEAVING_SENTENCES,
    NAMES,
    OUTER_BLOCKS,
    SENTENCES,
    SLOTS,
    chance_expressions_of,
    expressions_of,
)

CELLS_FILE = Path(__file__).with_name("cells.txt")  # the numbers of texts that fill all cells
HEAD = """\
variant: cells
title: Cells
players: [4]
teams: {4: 2}
counters: {points: {help: A number.}}
parameters:
  integer_set: {type: integer, min: 0, max: 6, default: 1, help: It may be set.}
  boolean_set: {type: boolean, default: true, help: It may be set.}
  cards_set: {type: cards, choices: pack_cards, default: all, help: It may be set.}
  probability_set: {type: probability, default: 0.25, help: It may be set.}
pack:
  suits: {h: hearts, s: spades}
  ranks: [A, K, Q, J]
  values:
    eyes: {A: 11, K: 4}
  special_cards: {owl: {strength: 9}}
rules: |
"""
ZONES = """\
zone stock: pile, starts with pack_cards + special_pack, seen by all
zone heap: pile, seen by all
zone row: seen by all
zone few: up to 3 cards, seen by all
zone hand[seat]: up to 6 cards, seen by all
zone table[seat]: seen by all
zone won[team]: seen by all
type mood = one of calm | heated | cold
"""
MATCH = """\
rule match:
    repeat 2 times:
        deal:
            gather heap, row, few, hand, table, won into stock
            shuffle stock
            repeat 4 times: draw from stock to heap
            repeat 2 times: draw from stock to row
            WHICH
            ask dealer "begin":
                begin
                all_of_them: do all_cells
            end deal because over
    end match drawn
"""


@dataclass(frozen=True)
class Cell:
    """A text in a place: the lines of the place, and the expression for its hole."""

    place: str
    kind: str = ""
    form: str = ""

    def parts(self, number: int) -> tuple[list[str], list[str], list[str]]:
        """Return the declarations, the sentences, and the sentences of the rule `match`."""
        kind, one = self.kind, ELEMENT.get(self.kind, self.kind)
        items = next((s for s, e in ELEMENT.items() if e == kind), "")
        text = self.place.replace("HOLE", self.form).replace("#", str(number))
        text = text.replace("TYPE", kind).replace("ITEM", f"v_{NAMES.get(one)}")
        text = text.replace("NAME", NAMES.get(kind, "")).replace("SET", f"v_{NAMES.get(items)}")
        declarations, behind, sentences = text.rpartition("===")
        deal = sentences.removeprefix("DEAL ")
        if deal != sentences:
            return declarations.split("\n"), [], [f"if v_yes_no: do {deal}"]
        return declarations.split("\n") if behind else [], sentences.split("\n"), []


@cache
def all_cells() -> list[Cell]:
    """Return the cells of all texts in all places."""
    found = [
        Cell(place, kind, form)
        for kinds, place in (*SLOTS, *DECLARATIONS)
        for kind in kinds
        for form in [*expressions_of(kind), *chance_expressions_of(kind) * (place in CHANCE_PLACES)]
    ]
    for sentence in SENTENCES:
        for body in BODIES:
            inner = insert_lines(body, "BODY", sentence)
            if sentence.startswith("deal:"):  # a deal cannot contain another one
                found.append(Cell(insert_lines("rule f#:\n    BODY", "BODY", inner) + "===DEAL f#"))
            else:
                outer = OUTER_BLOCKS if sentence in LEAVING_SENTENCES else OUTER_BLOCKS[-1:]
                found += [Cell(insert_lines(one, "INNER", inner)) for one in outer]
        for body in IN_RULES:
            rule, _, sentences = body.partition("===")
            found.append(Cell(insert_lines(rule, "BODY", sentence) + "===" + sentences))
    Random(0).shuffle(found)  # so that no program has too many of one kind
    return found


def insert_lines(text: str, name: str, inner: str) -> str:
    """Return a text in which lines, with the same indentation, replace each line with a name."""
    lines: list[str] = []
    for line in text.split("\n"):
        pad = line[: len(line) - len(line.lstrip())]
        lines += [pad + part for part in inner.split("\n")] if line.strip() == name else [line]
    return "\n".join(lines)


def declare_all() -> Iterator[str]:
    """Yield variables, defines and rules of every type, with every visibility."""
    yield from ZONES.splitlines()
    yield "match state:"
    for kind, name in NAMES.items():
        first = FIRST.get(kind, "")
        start = f" = {first}" if first else ""
        yield f"    v_{name}: {kind}{start}"
        yield f"    i_{name}[seat]: {kind}{start}"
        yield f"    t_{name}[team]: {kind}{start}"
    for kind, name in NAMES.items():
        yield f"define d_{name} -> {kind}: v_{name}"
        yield f"define p_{name}(x: {kind}) -> {kind}: x"
        yield f"rule r_{name} -> {kind}: return v_{name}"
        yield f"rule q_{name}(x: {kind}) -> {kind}: return x"


def write_variant(some: list[Cell], each: int = 40) -> tuple[str, dict[int, Cell]]:
    """Return a variant with these texts, and the text of each of its lines.

    each: the number of texts in one rule.
    """
    top: list[tuple[str, Cell]] = []
    rules: list[list[tuple[str, Cell]]] = []
    deals: list[tuple[str, Cell]] = []
    for number, cell in enumerate(some):
        declarations, sentences, deal = cell.parts(number)
        top += [(line, cell) for line in declarations]
        if number % each == 0:
            rules.append([])
        rules[-1] += [("    " + line, cell) for line in sentences]
        deals += [("    " + line, cell) for line in deal]
    lines: list[tuple[str, Cell | None]] = [(line, None) for line in declare_all()]
    which = "repeat 2 times: v_range = 1"
    if each == 1:  # a seat chooses among them
        options = [f"    some_{i}: do cells_{i}" for i in range(len(rules))]
        ask = ["repeat 6 times:", '    ask dealer "which":', *("    " + one for one in options)]
        which = "\n".join(ask)
    match = insert_lines(MATCH.rstrip(), "WHICH", which).split("\n")
    lines += [(line, None) for line in match[:-1]]
    lines += [*deals, (match[-1], None), *top]
    lines += [(line, None) for line in write_users(len(rules))]
    for number, rule in enumerate(rules):
        lines.append((f"rule cells_{number}:", None))
        lines += [(f"    let l_{name}: {kind} = v_{name}", None) for kind, name in NAMES.items()]
        lines += rule
    first = HEAD.count("\n") + 1
    where = {first + at: cell for at, (_, cell) in enumerate(lines) if cell is not None}
    return HEAD + "".join(f"  {line}\n" for line, _ in lines), where


def draw_cells(seed: int, most: int = 16) -> str:
    """Return a variant named `drawn` with random texts; a seat may choose each of them."""
    random = Random(f"cells {seed}")
    kept = [int(number) for number in CELLS_FILE.read_text(encoding="utf-8").split()]
    texts = all_cells()
    text, _ = write_variant([texts[number] for number in random.sample(kept, most)], each=1)
    return text.replace("variant: cells", "variant: drawn", 1)


def write_users(rules: int) -> Iterator[str]:
    """Yield the rule that uses all declarations and calls all other rules."""
    yield "rule turn: v_range = 1"
    yield "rule all_cells:"
    yield "    let by_chance = chance probability_set"
    yield from (
        "    v_range = integer_set",
        "    v_yes_no = boolean_set",
        "    v_cards = cards_set",
    )
    yield "    do turn"
    for kind, name in NAMES.items():
        yield f"    v_{name} = d_{name}"
        yield f"    i_{name}[dealer] = p_{name}(v_{name})"
        yield f"    t_{name}[team(dealer)] = v_{name}"
        yield f"    let a_{name}: {kind} = do r_{name}"
        yield f"    let b_{name}: {kind} = do q_{name}(a_{name})"
        yield f"    v_{name} = b_{name}"
    yield from (f"    if v_yes_no: do cells_{i}" for i in range(rules))
