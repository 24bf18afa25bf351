"""Clopper-Pearson intervals against a printed table and their exact coverage."""

from math import comb

import pytest

from trutdsl.stats.estimate import estimate_share


@pytest.mark.parametrize(
    ("wins", "matches", "low", "high"),
    [(0, 10, 0, 0.3085), (1, 10, 0.0025, 0.4450), (5, 10, 0.1871, 0.8129), (15, 15, 0.7820, 1)],
)
def test_limits_of_a_printed_table(wins, matches, low, high):
    found = estimate_share(wins, matches)
    assert found.mean == wins / matches
    assert found.low == pytest.approx(low, abs=5e-5)
    assert found.high == pytest.approx(high, abs=5e-5)


def test_one_match_has_a_wide_interval_and_no_error():
    found = estimate_share(1, 1)
    assert (found.mean, found.se, found.low, found.high) == (1, None, 0.025, 1)
    assert estimate_share(3, 4).se == 0.25  # sqrt(3/4 * 1/4 / (4 - 1))


@pytest.mark.parametrize("matches", [1, 5, 20, 60])
def test_the_interval_covers_for_every_share(matches):
    found = [estimate_share(k, matches) for k in range(matches + 1)]
    for i in range(1, 200):
        p = i / 200
        covered = sum(
            comb(matches, k) * p**k * (1 - p) ** (matches - k)
            for k, e in enumerate(found)
            if e.low <= p <= e.high
        )
        assert covered > 0.95 - 1e-9, p
