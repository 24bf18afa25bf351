"""Names of strategies: no name may look like a formula in a spreadsheet."""

import pytest

from trutdsl.cli.app import run
from trutdsl.strategy.fitness import names_of
from trutdsl.strategy.load import BadUsage, list_strategies, load_strategy

TEXTS = {
    ".py": "class A:\n    def choose(self, view):\n        return view.actions[0]\n",
    ".bot": "# A bot.\nsh a.sh\n",
}
PREFIXES = (
    "=",
    "+",
    "-",
    "@",
    "\t",
    "\r",
    "\n",
    " =",
    " ",
    "\uff1d",
    "\uff0b",
    "\uff0d",
    "\uff20",
)


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("prefix", PREFIXES)
def test_a_name_that_starts_like_a_formula_is_refused(kind, prefix, tmp_path):
    path = tmp_path / f"{prefix}cmd{kind}"
    path.write_text(TEXTS[kind])
    with pytest.raises(BadUsage, match=r"may take for a formula; call it by one .* 'acmd'"):
        load_strategy(str(path))


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("name", ["a=b", "a-b", "2", "_a", "é"])
def test_other_names_are_accepted(kind, name, tmp_path):
    path = tmp_path / f"{name}{kind}"
    path.write_text(TEXTS[kind])
    assert load_strategy(str(path)).name == name


def test_strategies_of_one_name_are_told_apart_by_their_paths(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = "strategy quiet:\n    parameter most: 0 to 9 = 1\n    otherwise: any\n"
    (tmp_path / "quiet.strategy").write_text(text)
    own, shipped, changed = map(
        load_strategy, ("./quiet.strategy", "quiet", "quiet.strategy:most=2")
    )
    assert names_of([own, shipped]) == ["./quiet.strategy", "strategies/quiet.strategy"]
    assert names_of([own, changed, own]) == ["quiet", "quiet:most=2", "quiet"]


def test_shipped_names_are_accepted():
    assert [load_strategy(name).name for name in list_strategies()] == [*list_strategies()]


def test_a_command_refuses_a_name_that_starts_like_a_formula(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "=cmd.py").write_text(TEXTS[".py"])
    begin = ["tournament", "trut", "--strategies", "quiet,=cmd.py", "--sets", "2"]
    assert run(begin) == 2
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith("error: the strategy '=cmd' has a name that")
