"""Comparisons of variants: the same strategies on the same deals under other rules."""
