"""Strategies of installed packages: how they are found, and their faults."""

import pickle
import sys

import pytest

from trutdsl.cli.app import run
from trutdsl.diagnostics import Rejected
from trutdsl.game import BadUsage, load_game
from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.play import play_match
from trutdsl.strategy.spec import StrategyError

TIMID = '''\
"""A strategy, and what it needs."""
from .words import FOLD

class Base:
    pass

class Timid(Base):
    """Folds whenever it can."""

    def choose(self, view):
        return view.action(FOLD) or view.actions[0]
'''
CHOOSE = "class Timid:\n    def choose(self, view):\n        "
FAULTS = {  # text of the module, value of the entry point, part of the message
    "not Python": ("class Timid:\n", "PACKAGE.timid:Timid", "timid.py:1:13: error: this is not "),
    "no class": (
        "class Timid:\n    pass\n",
        "PACKAGE.timid:Timid",
        "is `PACKAGE.timid:Timid` of some-package, but here is no such class with a method `cho",
    ),
    "another class": (TIMID, "PACKAGE.timid:Base", "but here is no such class with a method `ch"),
    "no class named": (TIMID, "PACKAGE.timid", "but here is no such class with a method `choose`"),
    "no module": (TIMID, "PACKAGE.timd:Timid", "of some-package, but there is no such module"),
    "no package": (TIMID, "PACKAGE_.timid:Timid", "of some-package, but there is no such module"),
    "in no package": (TIMID, "PACKAGE.timid.x:T", "of some-package, but there is no such module"),
    "no name": (TIMID, "not a: name", "`not a: name` of some-package, but there is no such module"),
    "only dots": (TIMID, "..:Timid", "`..:Timid` of some-package, but there is no such module"),
}
FAILURES = {
    "at the start": ("import no_such_thing\n" + TIMID, "timid.py:1) cannot start: ModuleNotFound"),
    "gone": (TIMID + "del Timid\n", "timid.py) cannot start: AttributeError: module "),
    "asked": (CHOOSE + "return 1 / 0\n", "timid.py:3) failed in match 1, deal 1, asked for 'int"),
    "illegal": (CHOOSE + "return 'pas'\n", "it returned 'pas'; did you mean 'pass'?; legal: pass"),
}


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Return a function that installs a package with a module, for the time of the test."""
    installed = []

    def write_package(text, value="PACKAGE.timid:Timid", name="some-package", strategy="timid"):
        package = f"{name.replace('-', '_')}_{tmp_path.name}"
        folder, about = tmp_path / package, tmp_path / f"{package}-1.0.dist-info"
        folder.mkdir()
        about.mkdir()
        (folder / "__init__.py").write_text("")
        (folder / "words.py").write_text("FOLD = 'fold'\n")
        (folder / "timid.py").write_text(text)
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text(
            f"[trutdsl.strategies]\n{strategy} = {value.replace('PACKAGE', package)}\n"
        )
        monkeypatch.syspath_prepend(tmp_path)
        installed.append(package)
        return package

    yield write_package
    for module in [m for m in sys.modules if m.partition(".")[0] in installed]:
        del sys.modules[module]


def test_a_name_gives_the_class_of_a_package(install):
    package = install(TIMID)
    spec = load_strategy("timid")
    assert (spec.name, spec.summary) == ("timid", "Folds whenever it can.")
    assert package not in sys.modules, "the package is found without an import"
    assert pickle.loads(pickle.dumps(spec)) == spec
    events = []
    play_match(
        load_game("trut", 2, engine="reference"),
        [spec, load_strategy("caller")],
        1,
        0,
        events.append,
    )
    folds = [e["action"] for e in events if e.get("seat") == 0 and "fold" in e.get("legal", ())]
    assert folds == ["fold"] * len(folds) != []


def test_a_changed_file_changes_the_fingerprint(install, tmp_path):
    package = install(TIMID)
    before = load_strategy("timid").fingerprint
    assert load_strategy("timid").fingerprint == before
    (tmp_path / package / "timid.py").write_text(TIMID + "\n")
    assert load_strategy("timid").fingerprint != before


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_package_that_changes_before_its_import_is_refused(engine, install, tmp_path):
    """Its play would have the fingerprint of the old text."""
    package = install(TIMID)
    file, spec = tmp_path / package / "timid.py", load_strategy("timid")
    for change in (lambda: file.write_text(TIMID + "\n"), file.unlink):
        change()
        with pytest.raises(Rejected) as refused:
            play_match(load_game("trut", 2, engine=engine), [spec] * 2, 1, 0)
        assert str(refused.value).startswith(f"{file}:1:1: ")
    assert f"{package}.timid" not in sys.modules


def test_workers_of_a_tournament_find_an_installed_strategy(install, tmp_path, capsys):
    install(TIMID)
    play = ["--strategies", "timid,quiet", "--sets=4", "--jobs=2", "--seed=1", "--json"]
    assert run(["tournament", "trut", *play, "--out", str(tmp_path / "out")]) == 0
    assert '"timid"' in capsys.readouterr().out


def test_a_shipped_strategy_keeps_its_name(install):
    install(TIMID, strategy="quiet")
    assert load_strategy("quiet").path.endswith("quiet.strategy")


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_package_is_refused_before_it_runs(fault, install, capsys):
    text, value, said = FAULTS[fault]
    package = install(text, value)
    assert run(["simulate", "trut", "--strategies", "timid", "--matches", "1"]) == 2
    assert said.replace("PACKAGE", package) in " ".join(capsys.readouterr().err.split())
    assert package not in sys.modules


@pytest.mark.parametrize("fault", FAILURES)
def test_a_failure_of_a_package_is_reported_as_that_of_a_file(fault, install):
    text, said = FAILURES[fault]
    install(text)
    spec = load_strategy("timid")
    with pytest.raises(StrategyError) as raised:
        play_match(load_game("trut", 2, engine="reference"), [spec] * 2, 1, 0)
    assert f"strategy 'timid' ({spec.path}" in str(raised.value)
    assert said in str(raised.value)


def test_two_packages_with_the_same_name_are_distinguished(install):
    one, two = install(TIMID), install(TIMID, name="the-other")
    with pytest.raises(BadUsage) as raised:
        load_strategy("timid")
    assert str(raised.value) == (
        f"'timid' names more than one installed strategy: `{one}.timid:Timid` of some-package and "
        f"`{two}.timid:Timid` of the-other; remove a package"
    )


def test_a_similar_name_is_suggested(install):
    install(TIMID)
    with pytest.raises(BadUsage, match="there is no strategy 'timd'; did you mean 'timid'"):
        load_strategy("timd")
    with pytest.raises(BadUsage, match=r"shipped are .*, monte-carlo; installed are timid$"):
        load_strategy("xyzxyzxyz")
