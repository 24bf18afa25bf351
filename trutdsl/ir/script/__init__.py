"""Policies: a strategy's script built for one variant.

`script` is what a script says, with those that it extends. `build` gives it its meaning: an answer
for each question that can be asked, with the names and expressions of the variant (`names`), its
clauses written out as sentences (`clauses`). `sight` proves that it looks at nothing hidden.
"""
