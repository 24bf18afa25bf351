"""Accepted programs contain each node in each place, with each type that it can have there."""

from tests.fuzz.nodes.table import (
    IMPOSSIBLE,
    find_refused,
    list_absent_nodes,
    list_missing,
    matches,
    node_classes,
)
from tests.fuzz.nodes.write import CELLS_FILE, all_cells

ADVICE = "run `python -m tests.fuzz table --keep`"


def test_no_cell_is_empty():
    texts, found = all_cells(), {}
    numbers = map(int, CELLS_FILE.read_text(encoding="utf-8").split())
    assert find_refused([texts[number] for number in numbers], found) == [], ADVICE
    assert list_missing(found) == [], ADVICE
    assert list_absent_nodes(found) == []
    assert len(found) > 3000


def test_a_missing_cell_is_listed():
    found = dict.fromkeys(
        [("Choice", "Let.value", "seat"), ("Choice", "Return.value", "seat"),
         ("Var", "Let.value", "seat")]
    )  # fmt: skip
    assert list_missing(found) == [("Var", "Return.value", "seat")]
    assert "Choice" not in list_absent_nodes(found) and "Ask" in list_absent_nodes(found)


def test_impossible_cells_name_existing_nodes():
    names = {one.__name__ for one in node_classes()}
    for nodes, *_, why in IMPOSSIBLE:
        assert why
        for pattern in nodes.removeprefix("!").split("|"):
            assert any(matches(name, pattern) for name in names), pattern
