"""The native engine: compiles a program to machine code for one table, by way of LLVM.

`layout` says how a match lies in memory, the `emit_` modules turn each kind of node into LLVM's
instructions, `module` puts the functions of a program together, `engine` makes machine code of them
and `runs` plays many matches. Nothing here knows a game, and nothing is shared with the reference
engine: what both must agree on is the program and the table that it is played at.
"""
