"""The table at which random rules are played: places of every visibility, and how rules are read."""

import textwrap
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from trutdsl.game import Game
from trutdsl.ir import build, build_program
from trutdsl.variant import Library, load_variant

HEAD = """\
variant: small
title: Small
players: [4]
teams: {4: 2}
pack:
  suits: {c: clubs, d: diamonds, h: hearts, s: spades}
  ranks: [7, 8, A, K, Q, J, 10, 9, 6, 5]
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
      size(those c in hand[p] where strength(c) > 4) > size(those c in hand[q] where strength(c) > 4)
  define luck_of(p) -> number:
      if any c in hand[p] has strength(c) > 5: return 1
      return 0
  define most_in(held: cards) -> number: highest strength(c) for c in held
  define strong_seats -> seats: those p in seats where good(p)
"""


class Table:
    """A folder in which rules are read as a variant of their own; use it in a `with`."""

    def __enter__(self) -> "Table":
        self._folder = TemporaryDirectory()
        self.path = Path(self._folder.name)
        (self.path / "lib").mkdir()
        (self.path / "lib" / "places.yaml").write_text(PLACES, encoding="utf-8")
        return self

    def __exit__(self, *_raised: object) -> None:
        self._folder.cleanup()

    def unchecked(self, rules: str) -> Game:
        """Return the game of these rules, whatever they would show to whom."""
        path = self.path / "small.yaml"
        path.write_text(HEAD + textwrap.indent(rules, "  "), encoding="utf-8")
        with patch.object(build, "check_visibility", lambda _program, _errors: 0):
            variant = load_variant(path, library=Library(self.path))
            return Game(variant, build_program(variant), 4, {}, "small")
