"""The reference engine: plays the program as it is written, and so defines what it means.

It turns each node into a Python function of the same meaning (`compile_*`), and runs a match as a
generator that stops at every question (`machine`).
"""

from trutdsl.interp.machine import Code, Machine, compile_program

__all__ = ["Code", "Machine", "compile_program"]
