"""Stored JSON is converted and checked by type hints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import pytest

from trutdsl.shape import LARGEST, are_numbers, from_json


class Point(NamedTuple):
    x: int
    y: float


@dataclass(frozen=True)
class Line:
    name: str | None
    ends: tuple[Point, Point]
    marks: tuple[int, ...] = ()


LINE = {"name": None, "ends": [[1, 2], [3, 4.5]], "marks": [5]}


def test_lists_and_objects_become_tuples_and_records():
    assert from_json(Line, LINE) == Line(None, (Point(1, 2), Point(3, 4.5)), (5,))
    assert from_json(list[tuple[Line, ...]], [[LINE]])[0][0].marks == (5,)


@pytest.mark.parametrize(
    ("hint", "value"),
    [
        (int, True), (int, 1.0), (int, "1"), (float, True), (str, None), (bool, 1),
        (list[int], {}), (list[int], [1, None]),
        (tuple[int, int], [1]), (tuple[int, int], [1, 2, 3]), (tuple[int, ...], [1, "2"]),
        (Point, [1]), (Point, {"x": 1, "y": 2}), (Line, LINE | {"more": 1}), (Line, {"name": "a"}),
        (Line, LINE | {"name": 3}), (Line, [1, 2, 3]),
        (int, {}), (int, []),
    ],
)  # fmt: skip
def test_a_value_of_another_shape_is_refused(hint, value):
    with pytest.raises(ValueError, match="expected"):
        from_json(hint, value)


def test_arrays_of_numbers_have_the_right_lengths_and_fit_64_bits():
    assert are_numbers(LARGEST)
    assert are_numbers([[1, -LARGEST], [2, 3]], (2, 2))
    assert are_numbers([], (0,))
    for value, lengths in (
        (LARGEST + 1, ()), (True, ()), ([1], ()), (1, (1,)), ([1], (2,)), ([1.0], (1,)),
        ([True], (1,)), ([[1, 2], [3]], (2, 2)), ([-LARGEST - 1], (1,)), ({}, (0,)),
    ):  # fmt: skip
        assert not are_numbers(value, lengths)
