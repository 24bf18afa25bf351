"""Which cases the tests take of all that there are."""

import extent

CASES = [("a", 1), ("a", 2), ("b", 1), ("b", 2), ("c", 2)]


def test_each_value_at_each_place_occurs(monkeypatch):
    monkeypatch.setattr(extent, "THOROUGH", False)
    assert extent.covering(CASES) == [("a", 1), ("a", 2), ("b", 1), ("c", 2)]
    assert extent.covering([("a", "b"), ("b", "a"), ("b", "b")]) == [("a", "b"), ("b", "a")]
    assert extent.extent(1, 2) == 1


def test_where_all_is_thorough_each_case_is_taken(monkeypatch):
    monkeypatch.setattr(extent, "THOROUGH", True)
    assert extent.covering(CASES) == CASES
    assert extent.extent(1, 2) == 2
