"""The table of random rules: places of every visibility, and the loading of the rules."""

from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from tests.fuzz.flow.looks import RULES
from trutdsl.diagnostics import Excerpt, Source
from trutdsl.game import Game
from trutdsl.ir import build_program
from trutdsl.ir import lower as build
from trutdsl.variant import Library, Variant, load_variant
from trutdsl.variant.model import RulesText

HEAD = """\
variant: small
title: Small
players: [4]
teams: {4: 2}
pack:
  suits: {c: clubs, d: diamonds, h: hearts, s: spades}
  ranks: [7, 8, A, K, Q, J, 10, 9, 6, 5, 4, 3]
uses: [lib/places]
rules: |
"""
PLACES = """\
module: places
title: Places
rules: |
  zone stock: pile, starts with pack_cards, seen by nobody
  zone hand[seat]: seen by owner
  zone kept[seat]: seen by owner
  zone pool[seat]: seen by team
  zone shared[team]: seen by team
  zone crib: seen by nobody
  zone down[seat]: seen by nobody
  zone one: pile, seen by nobody
  zone two: pile, seen by nobody
  zone row[seat]: seen by all
  zone shown: pile, seen by all
  match state:
      known: number = 0
      public[seat]: number = 0
      marked: seat = first s in seats
      hint[seat]: number = 0, seen by owner
      mates[seat]: number = 0, seen by team
      plan[team]: number = 0, seen by team
      lost: number = 0, seen by nobody
      none_sees[seat]: number = 0, seen by nobody
      sought: seat = first s in seats, seen by nobody
      picked[seat]: seat = first s in seats, seen by owner
  define good(p): any c in hand[p] has strength(c) > 4
  define partner(p): next_seat(next_seat(p))
  define richer(p, q):
      luck_in(hand[p]) > luck_in(hand[q])
  define luck_of(p) -> number:
      if any c in hand[p] has strength(c) > 5: return 1
      return 0
  define most_in(held: cards) -> number: highest strength(c) for c in held
  rule begin_table:
      shuffle stock
      for p in seats:
          repeat 3 times: draw from stock to hand[p]
          draw from stock to kept[p]
          draw from stock to row[p]
          repeat 2 times: draw from stock to down[p]
          repeat 2 times: draw from stock to pool[p]
      for side in teams: draw from stock to shared[side]
      repeat 2 times:
          draw from stock to crib
          draw from stock to shown
      draw from stock to one
      draw from stock to one
      draw from stock to two
      move top(shown) from shown to one
      move (first c in row[dealer]) from row[dealer] to down[dealer]
      dealer = random from seats
      marked = random from seats
      ask dealer "start":
          begin
  define one_of(held: cards, any_one: yes_no) -> card?:
      first c in held where any_one or strength(c) == most_in(held)
  define luck_in(held: cards) -> number: count c in held where strength(c) > 5
  rule take_one:
      if not empty(one): draw from one to crib
  rule turn_mark(n: number): marked = next_seat(marked)
  rule next_mark(n: number) -> seat:
      let before = marked
      marked = next_seat(marked)
      return before
  rule tell(p, n: number): public[p] += n
  rule whose(p, q) -> number: return hint[q]
  rule first_or(p, n: number) -> number:
      if size(hand[p]) > 5: return n
      return hint[p]
  define strong_seats -> seats: those p in seats where good(p)
"""
PLACES += RULES


@cache
def _load_empty_variant() -> Variant:
    """Return a variant with these places and minimal rules."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "lib").mkdir()
        (folder / "lib" / "places.yaml").write_text(PLACES, encoding="utf-8")
        path = folder / "small.yaml"
        path.write_text(HEAD + "  rule match: end match drawn\n", encoding="utf-8")
        variant = load_variant(path, library=Library(folder))
        assert all(layer.rules for layer in variant.layers)
        return variant


def build_unchecked(rules: str) -> Game:
    """Return the game of these rules, without the check of their information flow."""
    variant = _load_empty_variant()
    *bases, own = variant.layers
    layer = replace(own, text=RulesText(Excerpt(Source("small.yaml", rules), rules)))
    with patch.object(build, "check_visibility", lambda *_: 0):
        fingerprint = sha256(rules.encode()).hexdigest()
        variant = replace(variant, layers=(*bases, layer), fingerprint=fingerprint)
        return Game(variant, build_program(variant), 4, {}, "small")
