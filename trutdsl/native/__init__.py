"""The native engine: compiles a program to machine code for one table, with LLVM.

The module `layout` defines the memory of a match. The package `emit`, based on `llvm`, turns nodes
into LLVM instructions and builds the functions of a program. The module `jit` compiles them to
machine code, and `play` plays matches with it. This package knows no particular game. It shares
nothing with the reference engine except the program and the table.
"""

# All source files that affect machine code; these import no others.
COMPILER_SOURCES = (
    "arguments.py", "diagnostics.py", "files.py", "ir", "language.py", "native", "passes",
    "shape.py", "streams.py", "syntax", "table", "tree.py", "variant",
)  # fmt: skip
# The same for matches of any engine, with the reference engine and strategies.
ENGINE_SOURCES = (
    *COMPILER_SOURCES, "child_processes.py", "game", "interp", "solve", "strategy",
)  # fmt: skip
