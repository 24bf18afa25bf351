"""Settings of strategies in Python, after a colon: the defaulted arguments of `__init__`."""

import pytest

from trutdsl.cli.app import run
from trutdsl.strategy.load import load_strategy
from trutdsl.variant import BadParameter

SOURCE = """
class Told:
    def __init__(self, fold=True, much=3, word="x", share=0.5, *, other=None, last=-1.5, one=1):
        self.made = fold, much, word, share, other, last, one

    def choose(self, view):
        return view.action("fold" if self.made[0] else "accept") or view.actions[0]
"""


@pytest.fixture
def path(tmp_path):
    (tmp_path / "told.py").write_text(SOURCE)
    return str(tmp_path / "told.py")


def test_settings_are_arguments_of_the_class(path):
    spec = load_strategy(f"{path}:share=0.25,fold=false,one=7,word=y,much=3")
    assert spec.make().made == (False, 3, "y", 0.25, None, -1.5, 7)
    assert spec.name == "told:fold=false,word=y,share=0.25,one=7"
    assert load_strategy(path).make().made == (True, 3, "x", 0.5, None, -1.5, 1)


def test_settings_are_part_of_the_name_and_the_fingerprint(path):
    refs = (path, f"{path}:much=3", f"{path}:much=4", f"{path}:share=0.25")
    plain, default, *others = (load_strategy(ref) for ref in refs)
    assert (
        (plain.name, plain.fingerprint)
        == (default.name, default.fingerprint)
        == ("told", plain.fingerprint)
    )
    assert len({spec.fingerprint for spec in (plain, *others)}) == 3


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("folds=false", "strategy 'told' has no parameter 'folds'; did you mean 'fold'?"),
        ("other=1", "has no parameter 'other'; it has fold, last, much, one, share, word"),
        ("much=1.5", "'much' is a whole number, not '1.5'"),
        ("share=nan", "'share' is a number, not 'nan'"),
        ("fold=perhaps", "'fold' is true or false, not 'perhaps'"),
        ("much=1,much=2", "the parameter 'much' is set twice"),
        ("much", "is set by NAME=VALUE, not by 'much'"),
    ],
)
def test_a_wrong_setting_is_refused(path, settings, said):
    with pytest.raises(BadParameter) as found:
        load_strategy(f"{path}:{settings}")
    assert said in str(found.value)


@pytest.mark.usefixtures("path")
def test_a_tournament_accepts_settings(monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    strategies = "told.py:fold=false,told.py,steady"
    play = ["--strategies", strategies, "--sets", "4", "--seed", "1", "--jobs", "1", "--json"]
    assert run(["tournament", "trut", *play]) == 0
    assert '"told:fold=false"' in capsys.readouterr().out


def test_a_bot_has_no_settings(capsys):
    assert run(["simulate", "trut", "--strategies", "some.bot:a=1"]) == 2
    assert "some.bot takes no parameters" in capsys.readouterr().err
