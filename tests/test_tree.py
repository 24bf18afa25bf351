"""Nodes of trees compare, hash and are written by their values, as data classes are."""

from dataclasses import dataclass, fields, replace

from trutdsl.tree import Tree, node


@node
class Leaf(Tree):
    """One value."""

    value: int


@node
class Pair(Leaf):
    """Two values, one of the class above."""

    other: object = None


@dataclass(frozen=True)
class Plain:
    """What Python makes of two values."""

    value: int
    other: object = None


def test_nodes_are_equal_by_class_and_values():
    assert Leaf(3) == Leaf(3) != Leaf(4)
    assert Pair(3, Leaf(1)) == Pair(3, Leaf(1)) != Pair(3, Leaf(2))
    assert Pair(3) != Leaf(3) and Leaf(3) != Pair(3) and Leaf(3) != 3
    assert len({Leaf(3), Leaf(3), Pair(3), Pair(3, 4), Leaf(4)}) == 4


def test_nodes_are_written_and_changed_as_data_classes_are():
    assert repr(Pair(3, Leaf(1))) == "Pair(value=3, other=Leaf(value=1))"
    assert repr(Plain(3, "x")).replace("Plain", "Pair") == repr(Pair(3, "x"))
    assert replace(Pair(3), value=5) == Pair(5)
    assert [one.name for one in fields(Pair)] == ["value", "other"]
