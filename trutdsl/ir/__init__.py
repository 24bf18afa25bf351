"""What rules mean: names, types, visibility.

`build_program` makes one program of the syntax trees of a variant's layers.
"""

from trutdsl.ir.deck import Deck, make_deck
from trutdsl.ir.meaning import build_program
from trutdsl.ir.nodes import Program

__all__ = ["Deck", "Program", "build_program", "make_deck"]
