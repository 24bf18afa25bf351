"""What rules mean: names, types, visibility.

`build_program` makes one program of the syntax trees of a variant's layers.
"""

from trutdsl.ir.meaning import build_program
from trutdsl.ir.nodes import Program
from trutdsl.ir.types import Deck, make_deck

__all__ = ["Deck", "Program", "build_program", "make_deck"]
