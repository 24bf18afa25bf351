"""Runs on disk, loaded with `load_run`."""

import json
import sys
from functools import partial

import pytest

from trutdsl import (
    BadUsage,
    Comparison,
    SolvedComparison,
    Sweep,
    Tournament,
    compare,
    load_run,
    sweep,
    tournament,
)
from trutdsl.cli.app import run
from trutdsl.diagnostics import RunStopped
from trutdsl.tournaments.missing import UnfinishedRun


def test_a_tournament_is_loaded(tmp_path):
    original = tournament("trut", ["steady", "caller"], sets=4, out=tmp_path / "run", jobs=1)
    found = load_run(tmp_path / "run")
    assert isinstance(found, Tournament) and found.standings.equals(original.standings)
    assert found.verify(jobs=1) and found.answers(sets=2)["count"].sum() > 0
    assert "<html" in found.to_html() and "<svg" in found.figures[0].svg
    assert repr(found) == "<Tournament, the best first: steady, caller; 4 sets, seed 1>"


@pytest.mark.parametrize("out", [None, "run"])
def test_a_stopped_run_says_what_is_kept(out, tmp_path, monkeypatch):
    def stop(*_args):
        raise RunStopped(1, 4, 2)

    monkeypatch.setattr(UnfinishedRun, "play", stop)
    monkeypatch.chdir(tmp_path)
    text = r"without a folder \(out\) nothing is kept" if out is None else "1 of 4 sets are done"
    names = ["steady", "caller"]
    plays = (
        partial(tournament, "trut", names),
        partial(compare, "trut", "trut:goal=2", strategies=names),
    )
    for number, play in enumerate(plays):
        with pytest.raises(RunStopped, match=text):
            play(sets=4, jobs=1, engine="reference", out=out and f"{out}-{number}")


@pytest.mark.thorough
def test_a_comparison_is_loaded_and_extended(tmp_path):
    variants = ["trut", "trut:tied_trick_leader=same_leader"]
    options = {"strategies": ["steady", "caller"], "parameters": {"goal": 1}, "jobs": 1}
    _ = compare(*variants, sets=4, out=tmp_path / "run", **options)
    found = load_run(tmp_path / "run")
    assert isinstance(found, Comparison) and found.verify(jobs=1)
    longer = found.extend(sets=8, jobs=1)
    whole = compare(*variants, sets=8, **options)
    assert longer.results == whole.results == load_run(tmp_path / "run").results


@pytest.mark.thorough
def test_a_sweep_is_loaded_and_extended(tmp_path):
    original = sweep("trut", {"goal": [1, 2]}, strategies=["steady"], sets=4, out=tmp_path, jobs=1)
    found = load_run(tmp_path)
    assert isinstance(found, Sweep) and found.cells.equals(original.cells)
    longer = found.extend(sets=6, jobs=1)
    assert longer.results["comparison"]["sets"] == 6
    for amount in ({"sets": 5}, {"deals": 1}):
        with pytest.raises(BadUsage, match=r"it has \d+ \w+; give \w+=\d+ or more"):
            longer.extend(**amount)


def test_a_comparison_under_best_play_is_loaded(tmp_path, capsys):
    kuhn = "variants/examples/kuhn-poker.yaml"
    words = f"compare {kuhn} tute --deal chips=1 --strategies best-play --json --out"
    assert run([*words.split(), str(tmp_path)]) == 0
    printed = json.loads(capsys.readouterr().out)
    found = load_run(tmp_path)
    assert isinstance(found, SolvedComparison) and found.results == printed
    assert repr(found) == "<SolvedComparison: kuhn-poker, tute>"
    row, refused = found.variants.to_dict("records")
    assert row["low"] <= -1 / 18 <= row["high"] and row["why_not"] == ""
    assert refused["variant"] == "tute" and "chips" in refused["why_not"]
    assert list(found.hands["hand"]) == ["Ks", "Qs", "Js"] and found.hands["chance"].sum() == 1
    calls = found.answers.query("question == 'answer' and option == 'call' and role == 'both'")
    assert calls["rate"].item() == pytest.approx(1 / 3, abs=0.02)
    assert not [name for name in found.answers if "by_t" in name]
    assert "<html" in found.to_html() and "Kuhn poker under best play" in str(found)
    assert "<table" in found._repr_html_()
    with pytest.raises(BadUsage, match="holds a comparison under best play, not a tournament"):
        load_run(tmp_path, Tournament)


def test_calls_return_the_json_of_commands(capsys):
    from trutdsl import exact, simulate

    assert (
        run(["simulate", "trut", "--matches", "20", "--strategies", "steady,caller", "--json"]) == 0
    )
    printed = json.loads(capsys.readouterr().out)
    assert simulate("trut", ["steady", "caller"], matches=20) == printed
    kuhn = "variants/examples/kuhn-poker.yaml"
    assert run(f"exact {kuhn} --strategies uniform --json".split()) == 0
    assert exact(kuhn) == json.loads(capsys.readouterr().out)


def test_runs_without_a_folder_cannot_be_extended(tmp_path):
    original = tournament("trut", ["steady", "caller"], sets=2, jobs=1)
    with pytest.raises(BadUsage, match="only a tournament in a folder can be extended"):
        original.extend(sets=4)
    with pytest.raises(BadUsage, match="holds no run"):
        load_run(tmp_path)


def test_a_run_of_another_kind_is_refused(tmp_path):
    tournament("trut", ["steady", "caller"], sets=2, out=tmp_path, jobs=1)
    assert load_run(tmp_path, Tournament).standings.shape[0] == 2
    with pytest.raises(BadUsage, match="holds a tournament, not a comparison"):
        load_run(tmp_path, Comparison)


def test_a_difference_is_a_row_by_its_metric():
    found = compare("trut", "trut:goal=1", "trut:goal=2", strategies=["steady"], sets=4, jobs=1)
    row = found.difference("length.deals", "trut:goal=2")
    frame = found.differences
    at = (frame.variant == "trut:goal=2") & (frame.metric == "length.deals") & (frame.point == "")
    assert row["difference"] == frame[at]["difference"].item() < 0
    with pytest.raises(BadUsage, match="name the variant whose difference is wanted: trut:goal=1"):
        found.difference("length.deals")
    with pytest.raises(BadUsage, match=r"did you mean 'length\.deals'"):
        found.difference("length.deal", "trut:goal=1")
    with pytest.raises(BadUsage, match="there is no variant 'trut' in the comparison"):
        found.difference("length.deals", "trut")
    alone = Sweep({**found.results, "differences": []}, None)
    with pytest.raises(BadUsage, match="every cell of the sweep is the variant itself"):
        alone.difference("length.deals")


def test_a_notebook_shows_figures_if_matplotlib_is_installed(monkeypatch):
    original = tournament("trut", ["steady", "caller"], sets=4, jobs=1)
    found = compare("trut", "trut:goal=1", strategies=["steady"], sets=4, jobs=1)
    for run_ in (original, found):
        assert "<svg" in run_._repr_html_() and "<table" in run_._repr_html_()
    monkeypatch.setitem(sys.modules, "trutdsl.report.figures", None)
    for run_ in (original, found):
        assert "<svg" not in run_._repr_html_() and "<table" in run_._repr_html_()
