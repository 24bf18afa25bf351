"""The reference engine: plays the program as it is written, and so defines what it means.

It turns each node into a Python function of the same meaning (`compile_*`), and runs a match as a
generator that stops at every question (`machine`).
"""

from trutdsl.interp.chance import Chance, StreamChance
from trutdsl.interp.errors import RuleError
from trutdsl.interp.machine import Code, DealStart, Machine, compile_program
from trutdsl.interp.questions import Action, Question
from trutdsl.ir.setting import Setting

__all__ = [
    "Action",
    "Chance",
    "Code",
    "DealStart",
    "Machine",
    "Question",
    "RuleError",
    "Setting",
    "StreamChance",
    "compile_program",
]
