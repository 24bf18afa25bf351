"""Comparisons of measurements, with one group of rows for each variant."""

from trutdsl.comparison.compare import judge, judge_families, match_metrics


def compare_with(base, others, margins, primary=None):
    """Return the rows of each other measurement, with verdicts."""
    rows = match_metrics(base, others)
    families = judge_families([row for group in rows for row in group], margins, primary)
    return [judge(group, margins, families) for group in rows]
