"""Values of parameters from a command line, from a scenario, and from Python."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trutdsl.diagnostics import Source
from trutdsl.variant import BadParameter, load_variant
from trutdsl.variant.compose_yaml import read_document
from trutdsl.variant.parameters import parse_probability


@pytest.fixture
def base(library):
    return load_variant("base", library=library)


def test_an_unnamed_parameter_keeps_its_default(base):
    defaults = {"goal": 7, "window": "on", "short": False, "bluff": 250_000}
    assert base.bind() == defaults
    assert base.bind({"goal": "9"}) == {**defaults, "goal": 9}
    assert list(base.bind({"bluff": "1", "goal": "9"})) == list(defaults)


@pytest.mark.parametrize(
    ("name", "argument", "value"),
    [
        ("goal", "1", 1),
        ("goal", "99", 99),
        ("goal", 12, 12),
        ("window", "any_time", "any_time"),
        ("short", "on", True),
        ("short", "no", False),
        ("short", True, True),
        ("bluff", "0", 0),
        ("bluff", "1", 1_000_000),
        ("bluff", "1.000000", 1_000_000),
        ("bluff", "0.000001", 1),
        ("bluff", 0.125, 125_000),
        ("bluff", 1e-05, 10),
        ("bluff", 1, 1_000_000),
    ],
)
def test_a_valid_value_is_converted(base, name, argument, value):
    bound = base.bind({name: argument})[name]
    assert bound == value
    assert type(bound) is type(value)


PROBABILITY = "a decimal from 0 to 1 with at most 6 places, such as 0.25"


@pytest.mark.parametrize(
    ("name", "argument", "message"),
    [
        ("gaol", "7", "variant 'base' has no parameter 'gaol'; did you mean 'goal'?"),
        ("x", "7", "variant 'base' has no parameter 'x'; it has bluff, goal, short, window"),
        ("goal", "0", "parameter 'goal' must be a whole number from 1 to 99, found '0'"),
        ("goal", "100", "parameter 'goal' must be a whole number from 1 to 99, found '100'"),
        ("goal", "012", "parameter 'goal' must be a whole number from 1 to 99, found '012'"),
        ("goal", " 7", "parameter 'goal' must be a whole number from 1 to 99, found '7'"),
        (
            "goal",
            "3..7",
            "parameter 'goal' must be a whole number from 1 to 99, found '3..7'; "
            "`trutdsl sweep VARIANT --param goal=3..7` plays several values",
        ),
        ("goal", "", "parameter 'goal' must be a whole number from 1 to 99, found ''"),
        ("goal", True, "parameter 'goal' must be a whole number from 1 to 99, found 'true'"),
        ("goal", None, "parameter 'goal' must be a whole number from 1 to 99"),
        ("goal", 7.0, "parameter 'goal' must be a whole number from 1 to 99, found '7.0'; write 7"),
        (
            "window",
            "anytime",
            "parameter 'window' must be one of any_time, before, on, found 'anytime'; "
            "did you mean 'any_time'?",
        ),
        ("short", "maybe", "parameter 'short' must be true or false, found 'maybe'"),
        ("short", "YES", "parameter 'short' must be true or false, found 'YES'; write yes"),
        ("short", 1, "parameter 'short' must be true or false, found '1'"),
        ("bluff", "1.5", f"parameter 'bluff' must be {PROBABILITY}, found '1.5'"),
        ("bluff", "1.000001", f"parameter 'bluff' must be {PROBABILITY}, found '1.000001'"),
        ("bluff", "-0.5", f"parameter 'bluff' must be {PROBABILITY}, found '-0.5'"),
        ("bluff", "0.1234567", f"parameter 'bluff' must be {PROBABILITY}, found '0.1234567'"),
        ("bluff", "1/8", f"parameter 'bluff' must be {PROBABILITY}, found '1/8'; write 0.125"),
        ("bluff", float("nan"), f"parameter 'bluff' must be {PROBABILITY}, found 'NaN'"),
    ],
)
def test_an_invalid_value_is_refused_in_one_line(base, name, argument, message):
    with pytest.raises(BadParameter) as caught:
        base.bind({name: argument})
    assert str(caught.value) == message
    assert caught.value.name == name
    assert isinstance(caught.value, ValueError)


def test_a_long_value_is_cut(base):
    with pytest.raises(BadParameter) as caught:
        base.bind({"goal": "9\n" * 1_000})
    assert str(caught.value).endswith("found '9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9...'")


def test_values_of_a_scenario_are_converted(base):
    text = "{goal: 9, window: on, short: on, bluff: 0.5}"
    nodes = {key.text: node for key, node in read_document(Source("x", text)).entries}
    assert base.bind(nodes) == {"goal": 9, "window": "on", "short": True, "bluff": 500_000}


def test_a_quoted_number_of_a_scenario_is_a_text(base):
    node = read_document(Source("x", "'9'"))
    with pytest.raises(BadParameter) as caught:
        base.bind({"goal": node})
    assert str(caught.value) == (
        "parameter 'goal' must be a whole number from 1 to 99, found the quoted text '9'"
    )


def test_a_choice_can_be_quoted(base):
    assert base.bind({"window": read_document(Source("x", "'on'"))})["window"] == "on"


def test_the_error_can_be_pickled(base):
    with pytest.raises(BadParameter) as caught:
        base.bind({"gaol": "7"})
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.name, str(again)) == ("gaol", str(caught.value))


@given(st.integers(0, 1_000_000))
def test_every_probability_can_be_written_as_text(millionths):
    text = f"{millionths // 1_000_000}.{millionths % 1_000_000:06}"
    assert parse_probability(text) == millionths


def test_values_survive_the_round_trip_through_text(base):
    for name, texts in {
        "goal": ("1", "99"),
        "window": ("on", "before"),
        "short": ("true", "false"),
        "bluff": ("0", "1", "0.25", "0.000001", "0.1"),
    }.items():
        parameter = base.parameters[name]
        for text in texts:
            assert parameter.text_of(parameter.value_of(text)) == text
