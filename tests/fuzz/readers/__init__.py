"""A byte fuzz of every reader: files of each format, changed with an eye to how they are built.

An input is known by its number under a seed, so that whoever knows both has the bytes again.
"""
