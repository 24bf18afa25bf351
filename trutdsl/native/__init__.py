"""The native engine: compiles a program to machine code for one table, by way of LLVM.

`layout` says how a match lies in memory. `emit` turns each kind of node into LLVM's instructions,
with `llvm` below it, and puts the functions of a program together (`emit.program`); `jit` makes
machine code of them, and `play` plays matches with it. Nothing here knows a game, and nothing is
shared with the reference engine: what both must agree on is the program and the table.
"""
