"""The selection of cases in usual and thorough runs."""

from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import extent
import pytest

CASES = [("a", 1), ("a", 2), ("b", 1), ("b", 2), ("c", 2)]


class Item(NamedTuple):
    """A test as the hook sees it."""

    name: str
    markers: tuple[str, ...]

    def get_closest_marker(self, name):
        return name if name in self.markers else None


def test_covering_cases_have_each_value_at_each_position(monkeypatch):
    monkeypatch.setattr(extent, "THOROUGH", False)
    assert extent.covering(CASES) == [("a", 1), ("a", 2), ("b", 1), ("c", 2)]
    assert extent.covering([("a", "b"), ("b", "a"), ("b", "b")]) == [("a", "b"), ("b", "a")]
    assert extent.extent(1, 2) == 1


def test_a_thorough_run_has_all_cases(monkeypatch):
    monkeypatch.setattr(extent, "THOROUGH", True)
    assert extent.covering(CASES) == CASES
    assert extent.extent(1, 2) == 2


@pytest.mark.parametrize(("thorough", "left_out"), [(False, ["long"]), (True, [])])
def test_only_a_thorough_run_has_the_marked_tests(thorough, left_out, request, monkeypatch):
    plugin = request.config.pluginmanager.get_plugin(str(Path(__file__).parent / "conftest.py"))
    monkeypatch.setattr(plugin, "THOROUGH", thorough)
    items = [Item("short", ()), Item("long", ("thorough",))]
    found = []
    hook = SimpleNamespace(pytest_deselected=lambda items: found.extend(items))
    plugin.pytest_collection_modifyitems(SimpleNamespace(hook=hook), items)
    assert [item.name for item in found] == left_out
    assert [item.name for item in items] == [n for n in ("short", "long") if n not in left_out]
