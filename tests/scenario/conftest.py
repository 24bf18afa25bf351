"""What the tests of scenarios share: one that is written, played and told."""

import pytest

from trutdsl.cli.app import run


@pytest.fixture
def play(tmp_path, capsys):
    def play(text, *args):
        path = tmp_path / "s.yaml"
        path.write_text(text, encoding="utf-8")
        code = run(["scenario", str(path), *args])
        out, err = (text.replace(str(path), "s.yaml") for text in capsys.readouterr())
        return code, out, err

    return play


@pytest.fixture
def play_joined(play):
    """Return the same with all that was written in one text."""

    def play_and_join(text, *args):
        code, out, err = play(text, *args)
        return code, out + err

    return play_and_join
