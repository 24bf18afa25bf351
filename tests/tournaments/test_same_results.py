"""The same results for any number of workers, with and without a cache, in either engine."""

import pytest
from extent import extent
from run_files import FILES

from trutdsl.cli.app import run


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """Return what turns to a cache of this name."""
    return lambda name: monkeypatch.setenv("TRUTDSL_CACHE", str(tmp_path / "cache" / name))


def without_engine(text, engine):
    assert text.count(f'"engine": "{engine}"') <= 1
    return text.replace(f'"engine": "{engine}"', '"engine": ""')


def test_a_tournament(tmp_path, cache, capsys):
    def play(name, engine, jobs):
        out = tmp_path / name
        given = ["tournament", "trut", "--strategies", "uniform,steady,caller", "--sets", "6"]
        given += ["--param", "goal=2", "--seed", "5", "--out", str(out)]
        assert run([*given, "--engine", engine, "--jobs", str(jobs)]) == 0
        assert "= 36 matches" in capsys.readouterr().err
        texts = {file: (out / file).read_text(encoding="utf-8") for file in FILES}
        assert f'"engine": "{engine}"' in texts["manifest.json"]
        return {file: without_engine(text, engine) for file, text in texts.items()}

    cache("reference")
    expected = play("reference", "reference", 1)
    cache("again")  # the grammar is in memory now, and kept in no other folder
    assert play("again", "reference", 1) == expected
    only_checked = len(list((tmp_path / "cache" / "again").iterdir()))
    assert only_checked == 7, "that variant and scripts are right, and these fit; no machine code"
    for jobs in extent((3,), (1, 2, 3)):
        cache(f"of {jobs}")
        assert play(f"cold {jobs}", "native", jobs) == expected
        assert len(list((tmp_path / "cache" / f"of {jobs}").iterdir())) > only_checked, (
            "and machine code"
        )
        assert play(f"warm {jobs}", "native", jobs) == expected
        assert play(f"reference {jobs}", "reference", jobs) == expected


@pytest.mark.parametrize("strategies", ["uniform", "uniform,steady,caller"])
def test_simulate(cache, capsys, strategies):
    """All uniform is played match after match in machine code; others are asked each time."""

    def play(engine):
        given = ["simulate", "trut", "--players", "3", "--strategies", strategies]
        assert run([*given, "--matches", "40", "--seed", "5", "--json", "--engine", engine]) == 0
        return without_engine(capsys.readouterr().out, engine)

    cache("one")
    expected = play("reference")
    assert [play("native"), play("native"), play("reference")] == [expected] * 3
    cache("two")
    assert play("native") == expected
