"""Optimization passes: from a program to one that means the same and takes less, for one table.

Each pass is a pure function of program and setting in a module of its own; `pipeline` lists them in
the order in which they run. A program is a program after each of them, so the reference engine can
play it, and that is how each is tested. What a program comes to, mistakes and their places
included, is the same before and after.
"""
