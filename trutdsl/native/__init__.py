"""The native engine: compiles a program to machine code for one table, by way of LLVM.

`layout` says how a match lies in memory. `emit` turns each kind of node into LLVM's instructions,
with `llvm` below it, and puts the functions of a program together (`emit.build`); `jit` makes
machine code of them, and `play` plays matches with it. Nothing here knows a game, and nothing is
shared with the reference engine: what both must agree on is the program and the table.
"""

# All of this program that has a say in machine code; nothing else is imported by these.
MADE_BY = (
    "diagnostics.py", "files.py", "ir", "cache.py", "native", "passes", "shape.py",
    "streams.py", "syntax", "table", "tree.py", "variant",
)  # fmt: skip
# The same of a match, whichever engine plays it: the reference engine and strategies besides.
PLAYED_BY = (*MADE_BY, "game", "interp", "strategy")
