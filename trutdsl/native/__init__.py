"""The native engine: compiles a program to machine code for one table, with LLVM.

`layout` defines the memory of a match. `emit` turns each kind of node into LLVM instructions, with
`llvm` as its base. It builds the functions of a program. `jit` compiles them to machine code.
`play` plays matches with it. This package knows no particular game. It shares nothing with the
reference engine except the program and the table.
"""

# All source files that affect machine code; these import no others.
MADE_BY = (
    "diagnostics.py", "files.py", "ir", "native", "passes", "shape.py",
    "streams.py", "syntax", "table", "tree.py", "variant",
)  # fmt: skip
# The same for matches of any engine: also the reference engine and strategies.
PLAYED_BY = (*MADE_BY, "game", "interp", "strategy")
