"""Compilation mode: what form of play machine code is made for, and what is said beside it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Form(Enum):
    """How matches are played: from start to end, counted or not, or one step after the other.

    SEARCH is STEPS with the program's policies, and with searches that they play out.
    """

    MATCHES = "matches"
    COUNTED = "counted"
    STEPS = "steps"
    SEARCH = "search"


@dataclass(frozen=True)
class Mode:
    """How a module is built.

    form:     nobody follows a whole match, so it need not hold what only others look at.
    deposits: the processor can deposit bits (x86's BMI2), which picks one of a set at once.
    checked:  every place, number and mask of a match is looked at before it is used, and LLVM is
              told nothing about them.
    notes:    beside the instructions stand the rule and line that they come from.
    quick:    LLVM does little: machine code is soon there, and slow.
    """

    form: Form
    deposits: bool
    checked: bool = False
    notes: bool = False
    quick: bool = False

    @property
    def whole(self) -> bool:
        """Whether whole matches are played, and nobody looks at them on the way."""
        return self.form in (Form.MATCHES, Form.COUNTED)

    @property
    def fast(self) -> bool:
        """Whether whole matches are played, and nothing is looked at twice to be safe."""
        return self.whole and not self.checked
