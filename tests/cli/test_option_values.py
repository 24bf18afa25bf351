"""Empty texts and numbers out of all bounds: every option refuses them."""

import pytest

from trutdsl.cli.app import COMMANDS, load_command, run

NUMBER_TYPES = ("IntParamType", "FloatParamType")
OUT_OF_BOUNDS = ("nan", "inf", "-inf", "1e300", "1" + "0" * 30, "-" + "9" * 30)
REQUIRED = {"plan": ["--detect", "0.5"], "sweep": ["--param", "goal=1"], "merge": ["--out", "x"]}


def options():
    for name in COMMANDS:
        for param in load_command(name).params:
            kind = type(param.type).__name__
            if param.param_type_name == "option" and kind != "BoolParamType":
                yield name, max(param.opts, key=len), kind


def make_call(name, *more):
    """Return a command with a value for everything it requires."""
    found = [name]
    for param in load_command(name).params:
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


def test_an_option_reads_the_same_in_all_commands():
    """Its short name and the first part of its help; options of another type may differ."""
    names, helps = {}, {}
    for name in COMMANDS:
        for param in load_command(name).params:
            if param.param_type_name == "option":
                flag, text = max(param.opts, key=len), param.help.rstrip(".").split(";")[0]
                assert names.setdefault(flag, {*param.opts}) == {*param.opts}, (name, flag)
                assert helps.setdefault((flag, param.metavar), text) == text, (name, flag)
