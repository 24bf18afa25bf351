"""Counts what was played, in exact integers, and says what can be concluded from it.

The unit is the duplicate set; all pairs play the same sets, so errors are clustered by set.
"""
