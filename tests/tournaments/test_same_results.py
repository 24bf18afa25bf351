"""Results are the same with any number of workers, either engine, any cache, and any processor."""

import os
import subprocess
import sys

import pytest
from extent import extent
from run_files import FILES

from trutdsl.cli.app import run


@pytest.fixture
def use_cache(tmp_path, monkeypatch):
    """Return a function that changes to the cache of this name."""
    return lambda name: monkeypatch.setenv("TRUTDSL_CACHE", str(tmp_path / "cache" / name))


def remove_engine(text, engine):
    assert text.count(f'"engine": "{engine}"') <= 1
    return text.replace(f'"engine": "{engine}"', '"engine": ""')


def test_a_tournament(tmp_path, use_cache, capsys):
    def play(name, engine, jobs):
        out = tmp_path / name
        call = ["tournament", "trut", "--strategies", "uniform,steady,caller", "--sets", "6"]
        call += ["--param", "goal=2", "--seed", "5", "--out", str(out)]
        assert run([*call, "--engine", engine, "--jobs", str(jobs)]) == 0
        assert "= 36 matches" in capsys.readouterr().err
        texts = {file: (out / file).read_text(encoding="utf-8") for file in FILES}
        assert f'"engine": "{engine}"' in texts["manifest.json"]
        return {file: remove_engine(text, engine) for file, text in texts.items()}

    use_cache("reference")
    expected = play("reference", "reference", 1)
    use_cache("again")  # the grammar is in memory now, and is not stored again
    assert play("again", "reference", 1) == expected
    only_checked = len(list((tmp_path / "cache" / "again").iterdir()))
    assert only_checked == 7, "checks of the variant and the scripts, without machine code"
    for jobs in extent((3,), (1, 2, 3)):
        use_cache(f"of {jobs}")
        assert play(f"cold {jobs}", "native", jobs) == expected
        assert len(list((tmp_path / "cache" / f"of {jobs}").iterdir())) > only_checked, (
            "with machine code"
        )
        assert play(f"warm {jobs}", "native", jobs) == expected
        assert play(f"reference {jobs}", "reference", jobs) == expected


@pytest.mark.parametrize("strategies", ["uniform", "uniform,steady,caller"][: extent(1, None)])
def test_simulate(use_cache, capsys, strategies):
    """Matches of uniform alone run in machine code; other strategies are called for each choice."""

    def play(engine):
        call = ["simulate", "trut", "--players", "3", "--strategies", strategies]
        assert run([*call, "--matches", "12", "--seed", "5", "--json", "--engine", engine]) == 0
        return remove_engine(capsys.readouterr().out, engine)

    use_cache("one")
    expected = play("reference")
    assert [play("native"), play("native"), play("reference")] == [expected] * 3
    use_cache("two")
    assert play("native") == expected


# These make OpenBLAS and NumPy choose the code of another processor; others ignore them.
OTHER_PROCESSOR = {
    "OPENBLAS_CORETYPE": "Prescott",
    "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL ASIMDHP ASIMDDP ASIMDFHM SVE",
}


@pytest.mark.thorough
def test_a_tournament_on_another_processor(tmp_path):
    """Products of dense arrays and exponentials differ in the last digits, results do not."""

    def play(name, processor):
        call = [sys.executable, "-m", "trutdsl", "tournament", "trut", "--players", "2"]
        call += ["--strategies", "uniform,steady,caller,quiet,tight,bluffer", "--sets", "30"]
        call += ["--param", "goal=1", "--seed", "5", "--out", str(tmp_path / name)]
        subprocess.run(call, check=True, capture_output=True, env={**os.environ, **processor})
        return {file: (tmp_path / name / file).read_bytes() for file in FILES}

    assert play("other", OTHER_PROCESSOR) == play("own", {})
