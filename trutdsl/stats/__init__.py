"""Statistics of the results: exact integer sums, estimates, intervals and tests.

The unit is the duplicate set; all pairs play the same sets, so errors are clustered by set.
"""
