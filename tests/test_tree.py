"""Nodes of trees have the equality, hash and repr of data classes."""

from dataclasses import dataclass, fields, replace

from trutdsl.tree import Tree, node


@node
class Leaf(Tree):
    """One value."""

    value: int


@node
class Pair(Leaf):
    """Two values; one is inherited."""

    other: object = None


@dataclass(frozen=True)
class DataClass:
    """A data class with the same two values."""

    value: int
    other: object = None


def test_nodes_are_equal_by_class_and_values():
    assert Leaf(3) == Leaf(3) != Leaf(4)
    assert Pair(3, Leaf(1)) == Pair(3, Leaf(1)) != Pair(3, Leaf(2))
    assert Pair(3) != Leaf(3) and Leaf(3) != Pair(3) and Leaf(3) != 3
    assert len({Leaf(3), Leaf(3), Pair(3), Pair(3, 4), Leaf(4)}) == 4


def test_nodes_have_the_repr_and_replace_of_data_classes():
    assert repr(Pair(3, Leaf(1))) == "Pair(value=3, other=Leaf(value=1))"
    assert repr(DataClass(3, "x")).replace("DataClass", "Pair") == repr(Pair(3, "x"))
    assert replace(Pair(3), value=5) == Pair(5)
    assert [one.name for one in fields(Pair)] == ["value", "other"]
