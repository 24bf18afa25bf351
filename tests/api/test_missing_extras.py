"""Without the libraries of an extra, a message says what to install."""

import importlib
import importlib.metadata
import sys

import pytest

from trutdsl import BadUsage, compare, load_run, tournament
from trutdsl.cli.app import run


@pytest.fixture
def no_matplotlib(monkeypatch):
    found = importlib.metadata.distribution

    def distribution(name):
        if name == "matplotlib":
            raise importlib.metadata.PackageNotFoundError(name)
        return found(name)

    monkeypatch.setattr(importlib.metadata, "distribution", distribution)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.delitem(sys.modules, "trutdsl.report.figures", raising=False)


@pytest.mark.usefixtures("no_matplotlib")
@pytest.mark.parametrize("kind", ["tournament", "comparison"])
def test_a_report_names_the_extra_of_figures(kind, tmp_path, capsys):
    options = {"sets": 4, "jobs": 1, "out": tmp_path / "run"}
    if kind == "tournament":
        tournament("trut", ["steady", "caller"], **options)
    else:
        compare("trut", "trut:goal=1", strategies=["steady"], **options)
    with pytest.raises(BadUsage, match=r"trutdsl\[figures\]"):
        load_run(tmp_path / "run").to_html()
    assert run(["report", str(tmp_path / "run"), "-o", str(tmp_path / "page.html")]) == 2
    message = capsys.readouterr().err
    assert message.startswith("error: matplotlib is not installed, which draws figures; write: ")
    assert message.rstrip().endswith("pip install 'trutdsl[figures]'")


@pytest.mark.parametrize(
    ("module", "library", "extra"),
    [
        ("zoo", "pettingzoo", "rl"),
        ("vector", "gymnasium", "rl"),
        ("spiel", "pyspiel", "openspiel"),
    ],
)
def test_a_learning_environment_names_its_extra(module, library, extra, monkeypatch):
    for name in ("gymnasium", "pettingzoo", "pyspiel"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, f"trutdsl.learning.{module}", raising=False)
    with pytest.raises(ModuleNotFoundError, match=f"trutdsl.{extra}.'$") as raised:
        importlib.import_module(f"trutdsl.learning.{module}")
    assert raised.value.name in (library, "gymnasium")
