"""From the text of rules to their syntax tree: layout, grammar, tree; nothing about meaning.

The entry points are in `parse`; `ast` and `strategy_ast` define the results. They are not imported
here, because `parse` needs Lark, and code that only uses trees does not.
"""
