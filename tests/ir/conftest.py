"""Fixtures of the tests of `trutdsl.ir`: a small variant with the rules of a test."""

import textwrap

import pytest

from trutdsl.diagnostics import Rejected
from trutdsl.ir import build_program
from trutdsl.variant import Library, load_variant

pytest.register_assert_rewrite("rule_cases")

HEAD = """\
variant: small
title: Small
summary: A table for a piece of rules.
players: [2, 4]
teams: {2: 2, 4: 2}
direction: clockwise
pack:
  suits: {c: clubs, d: diamonds, h: hearts, s: spades}
  ranks: [7, 8, A, K, Q, J, 10, 9]
uses: [lib/places]
counters:
  points: {help: Points win.}
rules: |
"""
PLACES = """\
module: places
title: Places
summary: Where cards lie and what is remembered.
rules: |
  zone stock: pile, starts with pack_cards, seen by nobody
  zone hand[seat]: seen by owner
  zone kept[seat]: seen by owner
  zone pool[seat]: seen by team
  zone shared[team]: seen by team
  zone crib: seen by nobody
  zone table[seat]: seen by all
  zone row: seen by all
  zone heap: pile, seen by all
  match state:
      known: number = 0
      noted: yes_no = no
      marked: seat?
      hint[seat]: number = 0, seen by owner
      mates[seat]: number = 0, seen by team
      plan[team]: number = 0, seen by team
      lost: number = 0, seen by nobody
  define good(p): any c in hand[p] has strength(c) > 4
  define partner(p): next_seat(next_seat(p))
  define partners(p): seats_of(team(p)) - p
"""


@pytest.fixture
def load(tmp_path):
    """Return a function that loads rules: it returns the variant and its program."""
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "places.yaml").write_text(PLACES, encoding="utf-8")

    def make(rules):
        path = tmp_path / "small.yaml"
        text = textwrap.indent(textwrap.dedent(rules).lstrip("\n"), "  ")
        path.write_text(HEAD + text, encoding="utf-8")
        variant = load_variant(path, library=Library(tmp_path))
        return variant, build_program(variant)

    return make


@pytest.fixture
def build(load):
    """Return a function that builds the program of these rules."""
    return lambda rules: load(rules)[1]


@pytest.fixture
def rejections(build):
    """Return a function that lists errors of rules: code, line, message, lines of notes."""

    def check(rules):
        try:
            build(rules)
        except Rejected as rejected:
            before = HEAD.count("\n")
            return [
                (d.code, d.span.line - before, d.message, [n.span.line - before for n in d.notes])
                for d in rejected.diagnostics
            ]
        return []

    return check
