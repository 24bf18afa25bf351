"""The reference engine: executes the program directly, and so defines its meaning.

It turns each node into a Python function of the same meaning (`compile_*`). It runs a match as a
generator that stops at every question and can be played again (`machine`).
"""

from trutdsl.interp.compile_program import compile_program
from trutdsl.interp.machine import CompiledProgram, Machine, RepeatableMachine

__all__ = ["CompiledProgram", "Machine", "RepeatableMachine", "compile_program"]
