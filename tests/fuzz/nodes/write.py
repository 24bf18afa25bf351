"""Writes programs that hold the texts of `forms` in all places of rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from .forms import (
    BODIES,
    DECLARED,
    ELEMENT,
    FIRST,
    IN_RULES,
    LEAVING,
    NAMES,
    SENTENCES,
    SLOTS,
    STORED,
    WITHIN,
    chances_of,
    forms_of,
)

KEPT = Path(__file__).with_name("cells.txt")  # the numbers of texts that fill all cells
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
    """A text in a place: its lines, and what is written in the hole."""

    place: str
    kind: str = ""
    form: str = ""

    def parts(self, number: int) -> tuple[list[str], list[str], list[str]]:
        """Return what is declared, its sentences, and those of the rule `match`."""
        kind, one = self.kind, ELEMENT.get(self.kind, self.kind)
        items = next((s for s, e in ELEMENT.items() if e == kind), "")
        text = self.place.replace("HOLE", self.form).replace("#", str(number))
        text = text.replace("TYPE", kind).replace("ITEM", f"v_{NAMES.get(one)}")
        text = text.replace("NAME", NAMES.get(kind, "")).replace("SET", f"v_{NAMES.get(items)}")
        declared, behind, used = text.rpartition("===")
        deal = used.removeprefix("DEAL ")
        if deal != used:
            return declared.split("\n"), [], [f"if v_yes_no: do {deal}"]
        return declared.split("\n") if behind else [], used.split("\n"), []


@cache
def cells() -> list[Cell]:
    """Return all texts in all places."""
    found = [
        Cell(place, kind, form)
        for kinds, place in (*SLOTS, *DECLARED)
        for kind in kinds
        for form in (*forms_of(kind), *(chances_of(kind) if place in STORED else ()))
    ]
    for sentence in SENTENCES:
        for body in BODIES:
            inner = nested(body, "BODY", sentence)
            if sentence.startswith("deal:"):  # no deal stands in another one
                found.append(Cell(nested("rule f#:\n    BODY", "BODY", inner) + "===DEAL f#"))
            else:
                outer = WITHIN if sentence in LEAVING else WITHIN[-1:]
                found += [Cell(nested(one, "INNER", inner)) for one in outer]
        for body in IN_RULES:
            holds, _, used = body.partition("===")
            found.append(Cell(nested(holds, "BODY", sentence) + "===" + used))
    Random(0).shuffle(found)  # so that no program has too much of anything
    return found


def nested(text: str, name: str, inner: str) -> str:
    """Return a text with lines put where a name stands, as far in as that."""
    lines: list[str] = []
    for line in text.split("\n"):
        pad = line[: len(line) - len(line.lstrip())]
        lines += [pad + part for part in inner.split("\n")] if line.strip() == name else [line]
    return "\n".join(lines)


def declarations() -> Iterator[str]:
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


def written(some: list[Cell], each: int = 40) -> tuple[str, dict[int, Cell]]:
    """Return a variant with these texts, and which of them each of its lines is of.

    each: how many stand in one rule.
    """
    top: list[tuple[str, Cell]] = []
    rules: list[list[tuple[str, Cell]]] = []
    deals: list[tuple[str, Cell]] = []
    for number, cell in enumerate(some):
        declared, used, deal = cell.parts(number)
        top += [(line, cell) for line in declared]
        if number % each == 0:
            rules.append([])
        rules[-1] += [("    " + line, cell) for line in used]
        deals += [("    " + line, cell) for line in deal]
    lines: list[tuple[str, Cell | None]] = [(line, None) for line in declarations()]
    which = "repeat 2 times: v_range = 1"
    if each == 1:  # a seat chooses among them
        options = [f"    some_{i}: do cells_{i}" for i in range(len(rules))]
        ask = ["repeat 6 times:", '    ask dealer "which":', *("    " + one for one in options)]
        which = "\n".join(ask)
    match = nested(MATCH.rstrip(), "WHICH", which).split("\n")
    lines += [(line, None) for line in match[:-1]]
    lines += [*deals, (match[-1], None), *top]
    lines += [(line, None) for line in _used(len(rules))]
    for number, rule in enumerate(rules):
        lines.append((f"rule cells_{number}:", None))
        lines += [(f"    let l_{name}: {kind} = v_{name}", None) for kind, name in NAMES.items()]
        lines += rule
    first = HEAD.count("\n") + 1
    where = {first + at: cell for at, (_, cell) in enumerate(lines) if cell is not None}
    return HEAD + "".join(f"  {line}\n" for line, _ in lines), where


def draw_cells(seed: int, most: int = 16) -> str:
    """Return a variant, called `drawn`, with some of the texts, each of which a seat may choose."""
    random = Random(f"cells {seed}")
    kept = [int(number) for number in KEPT.read_text(encoding="utf-8").split()]
    texts = cells()
    text, _ = written([texts[number] for number in random.sample(kept, most)], each=1)
    return text.replace("variant: cells", "variant: drawn", 1)


def _used(rules: int) -> Iterator[str]:
    """Yield the rule that uses all that is declared, and does all others."""
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
