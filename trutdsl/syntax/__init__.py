"""From the text of rules to their syntax tree: layout, grammar, tree; nothing about meaning.

The doors are in `parse`; `ast` and `strategy_ast` are what comes out. They are not imported here:
a door needs Lark, and whoever only names a tree does not.
"""
