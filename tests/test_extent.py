"""The selection of cases in usual and thorough runs."""

import extent

CASES = [("a", 1), ("a", 2), ("b", 1), ("b", 2), ("c", 2)]


def test_covering_cases_have_each_value_at_each_position(monkeypatch):
    monkeypatch.setattr(extent, "THOROUGH", False)
    assert extent.covering(CASES) == [("a", 1), ("a", 2), ("b", 1), ("c", 2)]
    assert extent.covering([("a", "b"), ("b", "a"), ("b", "b")]) == [("a", "b"), ("b", "a")]
    assert extent.extent(1, 2) == 1


def test_a_thorough_run_has_all_cases(monkeypatch):
    monkeypatch.setattr(extent, "THOROUGH", True)
    assert extent.covering(CASES) == CASES
    assert extent.extent(1, 2) == 2
