"""The reference engine: executes the program directly, and so defines its meaning.

It turns each node into a Python function of the same meaning (`compile_*`). A match runs as a
generator, which stops at every question and can be replayed (`machine`).
"""

from trutdsl.interp.compile_program import compile_program
from trutdsl.interp.machine import CompiledProgram, Machine

__all__ = ["CompiledProgram", "Machine", "compile_program"]
