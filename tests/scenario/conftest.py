"""Fixtures of scenario tests: they write a scenario to a file and run it."""

import pytest

from trutdsl.cli.app import run


@pytest.fixture
def play(tmp_path, capsys):
    """Return a function that runs a scenario; it returns the exit code, output and errors."""

    def play(text, *args):
        path = tmp_path / "s.yaml"
        path.write_text(text, encoding="utf-8")
        code = run(["scenario", str(path), *args])
        out, err = (text.replace(str(path), "s.yaml") for text in capsys.readouterr())
        return code, out, err

    return play


@pytest.fixture
def play_and_join_outputs(play):
    """Return the same function with output and errors in one text."""

    def play_and_join(text, *args):
        code, out, err = play(text, *args)
        return code, out + err

    return play_and_join
