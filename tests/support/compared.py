"""Compared measurements: the rows of each variant against the base."""

from trutdsl.comparison.compare import judge, judge_families, match_metrics


def compare_with(base, others, margins, primary=None):
    """Return the rows of each other measurement, with verdicts."""
    found = match_metrics(base, others)
    families = judge_families([one for of in found for one in of], margins, primary)
    return [judge(of, margins, families) for of in found]
