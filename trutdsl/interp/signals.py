"""How a statement says that those after it are not the next to be done."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any


class Leave(Enum):
    """What is left: the loop, its turn, the question's answer, the trick, the deal, the match."""

    STOP = 1
    NEXT = 2
    AGAIN = 3
    END_TRICK = 4
    END_DEAL = 5
    END_MATCH = 6


@dataclass(frozen=True)
class Returned:
    """The rule or function is left, with this value."""

    value: Any


Signal = Leave | Returned | None

STOP, NEXT, AGAIN = Leave.STOP, Leave.NEXT, Leave.AGAIN
END_TRICK, END_DEAL, END_MATCH = Leave.END_TRICK, Leave.END_DEAL, Leave.END_MATCH
