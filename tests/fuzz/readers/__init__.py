"""A fuzz of every reader: files of each format, mutated with knowledge of the format.

A seed and a number determine the bytes of an input.
"""
