"""Empty texts and numbers out of all bounds: every option refuses them."""

from functools import cache

import pytest

from trutdsl.cli.app import COMMANDS, load_command, run
from trutdsl.language import speaking

NUMBER_TYPES = ("IntParamType", "FloatParamType")
OUT_OF_BOUNDS = ("nan", "inf", "-inf", "1e300", "1" + "0" * 30, "-" + "9" * 30)
REQUIRED = {"plan": ["--detect", "0.5"], "sweep": ["--param", "goal=1"], "merge": ["--out", "x"]}


def options():
    for name in COMMANDS:
        for param in load_command(name).params:
            kind = type(param.type).__name__
            if param.param_type_name == "option" and kind != "BoolParamType":
                yield name, max(param.opts, key=len), kind


@cache
def load_parameters(name):
    return load_command(name).params


def make_call(name, *more):
    """Return a command with a value for everything it requires."""
    found = [name]
    for param in load_parameters(name):
        if param.required and param.param_type_name == "argument":
            found.append("trut")
        elif param.required and max(param.opts, key=len) not in more:
            found += REQUIRED[name]
    return [*found, *more]


@pytest.mark.parametrize(("name", "flag"), [option[:2] for option in options()])
def test_no_option_takes_an_empty_text(name, flag, capsys):
    for empty in ([flag, ""], [flag, "  "], [f"{flag}="]):
        assert run(make_call(name, *empty)) == 2
        assert capsys.readouterr().err.startswith(f"error: {flag} is empty; expected ")


@pytest.mark.parametrize("name", COMMANDS)
def test_no_argument_is_an_empty_text(name, capsys):
    if any(p.param_type_name == "argument" for p in load_command(name).params):
        assert run([name, ""]) == 2
        assert capsys.readouterr().err.startswith("error: an argument is empty; ")


@pytest.mark.parametrize(("name", "flag"), [o[:2] for o in options() if o[2] in NUMBER_TYPES])
def test_every_number_has_bounds(name, flag, capsys):
    for number in OUT_OF_BOUNDS:
        assert run(make_call(name, flag, number)) == 2, number
        errors = capsys.readouterr().err
        assert len(errors.splitlines()[-1]) < 200
        assert flag in errors or "players, not" in errors


@pytest.mark.parametrize("detect", ["1e-300", "1e-7", "0", "-1", "nan", "inf", "1e300"])
def test_a_difference_too_small_to_plan_for(detect, capsys):
    call = ["plan", "trut", "--strategies", "uniform,quiet", f"--detect={detect}"]
    assert run(call) == 2
    assert "--detect must be " in capsys.readouterr().err


# Options that take something else in other commands, with all that they take.
SEVERAL_VALUES = {
    "--against": {"A", "A,B,..."},
    "--deal": {"COUNTER=POINTS,...", "N"},
    "--from": {"TRANSCRIPT:MATCH:DEAL", "VARIANT"},
    "--margin": {"X", "[METRIC=]X"},
    "--metric": {"NAME", "WHAT"},
    "--out": {"DIR", "FILE"},
    "--param": {"NAME=VALUE", "NAME=VALUES"},
    "--strategies": {"A,B", "A,B,..."},
}


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_an_option_reads_the_same_in_all_commands(lang):
    """Its short name, its value and the first part of its help; other values have other helps."""
    names, values, helps = {}, {}, {}
    with speaking("en"):
        english = {name: load_command(name).params for name in COMMANDS}
    with speaking(lang):
        for name in COMMANDS:
            for param, one in zip(load_command(name).params, english[name], strict=True):
                if param.param_type_name == "option":
                    flag = max(param.opts, key=len)
                    text = param.help.rstrip(".").split(";")[0].strip()
                    assert names.setdefault(flag, {*param.opts}) == {*param.opts}, (name, flag)
                    assert helps.setdefault((flag, one.metavar), text) == text, (name, flag)
                    if not param.is_flag:
                        values.setdefault(flag, set()).add(one.metavar)
    assert {flag: taken for flag, taken in values.items() if len(taken) > 1} == SEVERAL_VALUES


def test_every_option_that_can_be_repeated_says_so():
    for name in COMMANDS:
        for param in load_command(name).params:
            if param.param_type_name == "option" and param.multiple and param.help:
                is_said = "repeatable" in param.help.lower() or "several" in param.help
                assert is_said, (name, param.opts, param.help)


@pytest.mark.parametrize("name", sorted({o[0] for o in options() if o[1] == "--players"}))
def test_no_command_seats_nobody(name, capsys):
    more = {
        "compare": ["trut:goal=3"],
        "plan": ["--strategies", "steady"],
        "solve": ["--deal", "petits=1"],
        "tournament": ["--strategies", "steady"],
    }
    assert run(make_call(name, "--players", "0", *more.get(name, []))) == 2
    assert "not 0" in capsys.readouterr().err


KUHN = "variants/examples/kuhn-poker.yaml"


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (
            ["exploit", "--at", "chips=999999999999999999999,0"],
            "'chips' is from 0 to 1000000, not 999999999999999999999",
        ),
        (["exploit", "--at", "chips=1000001,0"], "'chips' is from 0 to 1000000, not 1000001"),
        (["exploit", "--at", "chips=-1,0"], "'chips' is from 0 to 1000000, not -1"),
        (["exploit", "--at", "chips=1_0,0"], "write COUNTER=A,B"),
        (["exploit", "--at", "chips=1,0 chips=2,0"], "'chips' is given twice"),
        (["compare", f"{KUHN}:goal=2", "--margin", "=1"], "--margin =1: expected a number above 0"),
        (["exploit", "--deal", "chips=nan"], "to 1,000,000,000 points, not nan"),
        (["solve", "--deal", "chips=inf"], "to 1,000,000,000 points, not inf"),
        (["solve", "--deal", "chips=1e308"], "to 1,000,000,000 points, not 1e+308"),
        (["solve", "--deal", "chips=1, chips=2"], "'chips' is given twice"),
        (["solve", "--deal", "chips=1", "--target", "-1"], "--target must be at least 0, not -1"),
        (["simulate", "--mode=deals", "--score=chips=1,0", "--score=chips=0,1"], "given twice"),
    ],
)
def test_no_text_with_numbers_leads_to_a_traceback_or_to_half_a_result(args, told, capsys):
    assert run([args[0], KUHN, *args[1:]]) == 2
    out, err = capsys.readouterr()
    assert told in err
    assert not out
