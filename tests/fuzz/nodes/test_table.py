"""Each node is written in each place with each type that it can have, and the check accepts it."""

from tests.fuzz.nodes.table import IMPOSSIBLE, accepted, matches, missing, never, node_classes
from tests.fuzz.nodes.write import KEPT, cells

AGAIN = "run `python -m tests.fuzz table --keep`"


def test_no_cell_is_empty():
    texts, found = cells(), {}
    kept = [texts[int(number)] for number in KEPT.read_text(encoding="utf-8").split()]
    assert accepted(kept, found) == [], AGAIN
    assert missing(found) == [], AGAIN
    assert never(found) == []
    assert len(found) > 3000


def test_a_missing_cell_is_told():
    found = dict.fromkeys(
        [("Choice", "Let.value", "seat"), ("Choice", "Return.value", "seat"),
         ("Var", "Let.value", "seat")]
    )  # fmt: skip
    assert missing(found) == [("Var", "Return.value", "seat")]
    assert "Choice" not in never(found) and "Ask" in never(found)


def test_what_is_impossible_is_about_nodes_that_there_are():
    names = {one.__name__ for one in node_classes()}
    for nodes, *_, why in IMPOSSIBLE:
        assert why
        for pattern in nodes.removeprefix("!").split("|"):
            assert any(matches(name, pattern) for name in names), pattern
