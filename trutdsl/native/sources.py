"""Which parts of this program have a say in machine code, and in how a match goes."""

# All of this program that has a say in machine code; nothing else is imported by these.
MADE_BY = (
    "diagnostics.py", "files.py", "ir", "cache.py", "native", "passes", "shape.py",
    "streams.py", "syntax", "table", "tree.py", "variant",
)  # fmt: skip
# The same of a match, whichever engine plays it: the reference engine and strategies besides.
PLAYED_BY = (*MADE_BY, "game", "interp", "strategy")
