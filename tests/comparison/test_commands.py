"""The commands `compare`, `sweep` and `ambiguities`, and their messages about mistakes."""

import csv
import json
import re
import shutil
from pathlib import Path

import pytest
from extent import extent

import trutdsl
from trutdsl.cli.app import run
from trutdsl.comparison import best_play, frames, run_comparison
from trutdsl.language import speaking
from trutdsl.report.labels import VERDICTS

QUICK = ["--strategies", "uniform", "--sets", "40", "--jobs", "1"]
TWO = ["compare", "trut", "trut:goal=3"]
BEST_PLAY = [*TWO, "--strategies", "best-play"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A folder with a comparison of `TWO`; tests copy it."""
    path = tmp_path_factory.mktemp("played") / "kept"
    assert run([*TWO, "--out", str(path), *QUICK]) == 0
    return path


def test_a_comparison_is_printed_and_stored(folder, capsys):
    assert run([*TWO, "--out", "kept", *QUICK]) == 0
    output = capsys.readouterr().out
    assert "Trut against Trut (goal=3)\n" in output
    assert "2 players, uniform; 40 sets of deals, seed 1" in output
    assert "deals a match" in output and "Intervals: 95 %" in output
    results = json.loads((folder / "kept" / "comparison.json").read_text(encoding="utf-8"))
    with (folder / "kept" / "metrics.csv").open(encoding="utf-8") as file:
        rows = {row["metric"]: row for row in csv.DictReader(file)}
    (found,) = results["differences"]
    for row in found["metrics"]:
        if row["difference"] is not None:
            assert float(rows[row["metric"]]["difference"]) == row["difference"]["mean"]
            verdict = VERDICTS.get(row["verdict"], row["verdict"])
            assert rows[row["metric"]]["verdict"] == verdict
    assert run(["compare", "trut", "trut:goal=3", "--out", "kept", *QUICK, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == results
    assert run(["compare", "trut", "trut:goal=3", "--out", "kept", *QUICK, "--all"]) == 0
    assert len(capsys.readouterr().out.splitlines()) > len(output.splitlines())


@pytest.mark.parametrize(
    ("variant", "change", "players", "names"),
    [
        ("kuhn-poker", "goal=3", 2, "caller, quiet and uniform"),
        ("thirty-one", "first_lives=2", 4, "uniform"),
    ],
)
def test_any_game_has_default_strategies(root, capsys, variant, change, players, names):
    path = str(root / "variants" / "examples" / f"{variant}.yaml")
    sets = ["--players", str(players), "--sets", "4", "--jobs", "1", "--out", "kept"]
    assert run(["compare", path, f"{path}:{change}", *sets]) == 0
    assert f"holds for play by {names}." in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("primary", [[], ["--primary", "length.deals"]][: extent(1, None)])
def test_one_set_has_neither_intervals_nor_verdicts(folder, capsys, primary):
    one_set = ["--sets", "1", "--jobs", "1", "--out", "one"]
    assert run(["compare", "trut", "trut-gatinaise", *one_set, *primary]) == 0
    assert run(["report", "one"]) == 0
    output = capsys.readouterr().out
    assert "Length, without an interval: " in output and "no interval, so that nothing" in output
    page = next((folder / "one").rglob("*.html")).read_text(encoding="utf-8")
    for text in (output, page):
        for claim in (
            "No clear difference",
            "undecided",
            "tested by itself",
            "no relevant",
            "show",
        ):
            assert f" {claim}" not in text.partition("How this was made")[0], claim
    with (folder / "one" / "metrics.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["difference"] and row["base"]]
    assert {row["p"] + row["p_together"] for row in rows} == {""}
    whole = [row for row in rows if not row["point"]]
    assert {row["verdict"] for row in whole} == {"no interval"}
    results = json.loads((folder / "one" / "comparison.json").read_text(encoding="utf-8"))
    assert results["differences"][0]["together"] == [], "no interaction has an interval"
    swept = ["sweep", "trut", "--param", "goal=3", *one_set[:-1], "swept"]
    assert run(swept) == 0
    output = capsys.readouterr().out
    assert ", no interval" in output and "95 %" not in output


def test_deals_that_go_the_same_give_no_interval(folder):
    """A rule that seldom acts may still change other deals."""
    Path("same.yaml").write_text("variant: same\ntitle: Same\nextends: trut\n", encoding="utf-8")
    assert run(["compare", "trut", "same.yaml", "--out", "same", *QUICK]) == 0
    results = json.loads((folder / "same" / "comparison.json").read_text(encoding="utf-8"))
    rows = [row for row in results["differences"][0]["metrics"] if row["difference"]]
    assert {row["verdict"] for row in rows} == {"identical"}
    assert {row["difference"]["low"] for row in rows} == {row["p"] for row in rows} == {None}


@pytest.mark.parametrize("grid", [[], ["--param", "goal=3,4"]][: extent(1, None)])
def test_a_sweep_leaves_out_a_metric_of_the_base_alone(capsys, grid):
    """Its page ended with an error: there was nothing to draw."""
    asked = ["--param", "fortial=no", *grid, "--metric", "answer.fortial.pass"]
    assert run(["sweep", "trut", *asked, "--out", "swept", *QUICK]) == 0
    output = " ".join(capsys.readouterr().out.split())
    assert "where 'fortial' is asked: no figure. In these cells it never" in output
    assert run(["report", "swept"]) == 0


@pytest.mark.thorough
def test_a_value_that_does_not_vary_has_no_exact_difference(folder):
    """A match of one deal has no spread in these deals, but that is not known without error."""
    variants = ["examples/kuhn-poker", "examples/kuhn-poker:goal=1"]
    assert run(["compare", *variants, "--out", "kuhn", *QUICK]) == 0
    results = json.loads((folder / "kuhn" / "comparison.json").read_text(encoding="utf-8"))
    rows = {row["metric"]: row for row in results["differences"][0]["metrics"]}
    row = rows["spread.deals"]
    assert row["other"]["low"] is None and row["base"]["low"] > 0
    assert row["difference"]["low"] is None and row["verdict"] == "no interval"
    assert rows["length.deals"]["verdict"] == "differs"


def test_a_sweep_has_a_row_for_each_cell(folder, capsys):
    grid = ["--param", "goal=2..3", "--param", "leader=dealer,left_of_dealer"]
    assert run(["sweep", "trut", *grid, "--metric", "length.deals", "--out", "s", *QUICK]) == 0
    output = capsys.readouterr().out
    assert "40 sets of deals, seed 1; 4 cells" in output
    assert "How many longs win the match: 2, 3" in output
    assert output.count("Who leads the first trick: left of dealer") == 1
    cells = len(list((folder / "s" / "cells").iterdir()))
    assert cells == 5  # with the unchanged variant


@pytest.mark.thorough
def test_finished_play_of_a_shorter_sweep_is_not_repeated(folder, capsys):
    for values, cells in (("2", "1 cell"), ("2..3", "2 cells")):
        assert run(["sweep", "trut", "--param", f"goal={values}", "--out", "s", *QUICK]) == 0
        assert f"; {cells}\n" in capsys.readouterr().out
        # One more than the sweep has: the unchanged variant.
        assert len(list((folder / "s" / "cells").iterdir())) == int(cells.split()[0]) + 1


SOLVED = ["compare", "trut", "trut:goal=3", "--strategies", "best-play"]


@pytest.mark.parametrize(
    ("call", "difference"),
    [
        (["compare", "trut", "trut:goal=4"], "variants: trut,trut:goal=3 there, trut,trut:goal=4"),
        (["compare", "trut:goal=3", "trut"], "variants: trut,trut:goal=3 there, trut:goal=3,trut"),
        (
            [*TWO, "--param", "next_dealer=left_of_dealer"],
            "parameters: nothing there, next_dealer=left_of_dealer here",
        ),
        ([*TWO, "--seed", "2"], "seed: 1 there, 2 here"),
        ([*TWO, "--strategies", "quiet"], "strategies: uniform there, quiet here"),
        (["sweep", "trut", "--param=goal=3"], "kind: a comparison there, a sweep here"),
        (
            ["tournament", "trut", "--players=2", "--strategies", "uniform,quiet"],
            "holds a comparison; a tournament goes to",
        ),
        (SOLVED, "holds another comparison, in comparison.json; choose another folder, such"),
    ],
)
def test_a_folder_of_another_comparison_is_refused(folder, capsys, played, call, difference):
    shutil.copytree(played, "kept")
    results = (folder / "kept" / "comparison.json").read_bytes()
    options = call[3:] if call == SOLVED else [*QUICK, *call[3:]]  # the last one counts
    assert run([*call[:3], *options, "--out", "kept"]) == 2
    error = capsys.readouterr().err
    assert difference in error and "such as kept-2" in error
    assert (folder / "kept" / "comparison.json").read_bytes() == results


@pytest.mark.thorough
def test_a_comparison_may_grow_and_its_rules_may_change(capsys):
    rules = "variant: house\ntitle: House\nextends: trut\nset: {goal: GOAL}\n"
    for goal, call in ((3, []), (3, ["trut:goal=2"]), (4, ["trut:goal=2"])):
        Path("house.yaml").write_text(rules.replace("GOAL", str(goal)), encoding="utf-8")
        assert run(["compare", "trut", "house.yaml", *call, "--out", "kept", *QUICK]) == 0
        changed = "house has changed since the comparison in kept" in capsys.readouterr().err
        assert changed == (goal == 4)
    Path("kept/comparison.json").write_text("{", encoding="utf-8")
    assert run([*TWO, "--out", "kept", *QUICK]) == 0  # nothing is lost


def test_a_folder_of_a_tournament_is_refused(capsys):
    names = ["--strategies", "uniform,quiet"]
    assert run(["tournament", "trut", "--sets", "2", "--jobs", "1", *names, "--out", "run"]) == 0
    for call in ([*TWO, *QUICK], SOLVED):
        assert run([*call, "--out", "run"]) == 2
        assert "run holds a tournament; a comparison goes to another" in capsys.readouterr().err


def test_the_default_is_no_cell_of_its_own(folder):
    found = trutdsl.sweep("trut", {"goal": [6, 7]}, strategies=["uniform"], sets=30, jobs=1)
    assert [v["name"] for v in found.results["variants"]] == ["trut", "trut:goal=6"]
    by_goal = found.cells[found.cells["metric"] == "length.deals"].set_index("goal")["mean"]
    assert list(by_goal.index) == ["6", "7"] and by_goal["6"] < by_goal["7"]
    assert "How many longs win the match: 6, 7" in str(found) and not list(folder.iterdir())


@pytest.mark.thorough
def test_sets_of_cards_are_values_of_a_grid():
    grid = {"special_cards": ["owl", ["owl", "eagle"]]}
    options = {"strategies": ["uniform"], "sets": 1, "jobs": 1, "engine": "reference"}
    found = trutdsl.sweep("trut-deluxe", grid, **options)
    values = [cell["values"]["special_cards"] for cell in found.results["sweep"]["cells"]]
    assert sorted(map(len, (one.split(",") for one in values))) == [1, 2]
    assert len(found.results["variants"]) == 3


@pytest.mark.thorough
def test_other_readings_are_described_by_their_changes(capsys):
    assert run(["ambiguities", "trut", "--players", "3", "--out", "a", *QUICK]) == 0
    output = capsys.readouterr().out
    assert "each alone: no instead of yes" in output
    call = ["ambiguities", "trut", "--players", "3", "--out", "a", *QUICK, "--lang", "fr"]
    assert run(call) == 0
    french = capsys.readouterr()
    assert "non au lieu de «\u00a0oui\u00a0»" in french.out
    assert french.err.startswith("1 sur 3\u00a0: trut\n")
    assert french.out.endswith("En page avec figures\u00a0: trutdsl report a --lang fr\n")
    assert run(["ambiguities", "trut", "--out", "b", *QUICK]) == 0
    output = capsys.readouterr().out
    assert "it never came up: all deals went the same" in output
    assert "when three play, each alone" not in output  # no rule reads it with two players


def test_a_comparison_in_python_is_tables(folder):
    found = trutdsl.compare(
        "trut", "trut-gatinaise", strategies=["uniform"], sets=30, jobs=1, apart=False
    )
    assert set(found.differences["variant"]) == {"trut-gatinaise"}
    assert set(found.metrics["variant"]) == {"trut", "trut-gatinaise"}
    assert "Trut against Trut in the manner" in str(found)
    (figure,) = found.figures
    page = found._repr_html_()
    assert "<table" in page and figure.svg in page and "var(--ink)" in page
    assert not list(folder.iterdir())


@pytest.mark.thorough
def test_a_sweep_in_python_is_figures_or_maps():
    options = {"strategies": ["uniform"], "sets": 4, "jobs": 1}
    curves = trutdsl.sweep("trut", {"goal": [2, 3]}, **options)
    first = curves.figures[0]
    assert first.caption == "deals a match" and first.svg in curves._repr_html_()
    grid = {"goal": [2, 3], "leader": ["dealer", "left_of_dealer"]}
    maps = trutdsl.sweep("trut", grid, **options)
    assert not maps.figures and maps._repr_html_().count("<table") == 3
    with speaking("fr"):
        assert "manches par partie" in str(maps)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["compare", "trut"], "there is nothing to compare with"),
        (["compare", "trut,trut-deluxe"], "with spaces between them: trut trut-deluxe"),
        (["compare", "trut", "trut"], "trut is given twice; to compare it under other parameters"),
        (["compare", "trut", "trut:gaol=3"], "did you mean 'goal'?"),
        (["compare", "trut", "trat"], "did you mean 'trut'?"),
        (["compare", "trut", "truc-catalan", "--players", "3"], "is for 2, 4 players, not 3"),
        (["compare", "trut", "trut:goal=3", "--sets", "0"], "--sets must be at least 1, not 0"),
        (["compare", "trut", "trut:goal=3", "--margin", "x"], "--margin x: expected a number"),
        (["compare", "trut", "trut:goal=3", "--margin", "2"], "--margin 2: expected a number"),
        (["compare", "trut", "trut:goal=3", "--margin", "0.1", "--margin", "0.2"],
         "--margin 0.2: there are two such margins; keep one"),
        (["compare", "trut", "trut:goal=3", "--margin", "draws=2", *QUICK],
         "--margin draws=2: this metric is a share; expected at most 1"),
        (
            ["compare", "trut", "trut:goal=3", "--sets", "1", "--deals", "1"],
            "--deals and --sets are two ways",
        ),
        (["compare", "trut", "truc-french", "--strategies", "animals"], "trut"),
        (["compare", "trut:goal=5", "trut:goal=5"], "given twice; to compare it under other "
         "parameters, write them behind a colon, such as trut:goal=5\n"),
        (["compare", "trut", "trut:goal=5", "--strategies", "steady,steady"],
         "strategy 'steady' is given more than once; leave it out, or give another"),
        (["compare", "tute"], "other parameters, such as trut trut:goal=5\n"),
        (["sweep", "trut", "--param", "goal"], "--param goal: expected values, such as goal=3..9"),
        (["sweep", "trut", "--param", "goal=9..3"], "expected a range upwards"),
        (["sweep", "trut", "--param", "goal=1..99", "--param", "trut_window=any_time,own_turn",
          "--param", "leader=dealer,left_of_dealer", "--param", "tied_trick=tied,team_sum"],
         "the grid has 792 cells; at most 400"),
        (["sweep", "trut", "--param", "goal=0"], "goal"),
        (["sweep", "trut", "--param", "goal=3", "--param", "goal=4"], "given twice"),
        (["sweep", "trut", "--param", "colour=3"], "colour"),
        (["sweep", "trut", "--param", "goal=3", "--metric", "length.deal", *QUICK],
         "did you mean 'length.deals'?"),
        (["compare", "trut", "trut:goal=3", "--lang", "de"], "--lang de: choose en, fr"),
        (["ambiguities", "trut-with-four-animals"], "there is no variant"),
    ],
)  # fmt: skip
def test_mistakes_are_reported_in_one_line(capsys, args, message):
    assert run(args) == 2
    output = capsys.readouterr()
    assert message in output.err and "Traceback" not in output.err and not output.out


def test_a_failing_strategy_ends_the_comparison(folder, capsys):
    (folder / "broken.py").write_text(
        "class Broken:\n    def choose(self, view):\n        return view.legal[99]\n",
        encoding="utf-8",
    )
    args = ["compare", "trut", "trut:goal=3", "--strategies", "broken.py,uniform", "--sets", "5"]
    assert run([*args, "--jobs", "1"]) == 1
    assert "broken" in capsys.readouterr().err


@pytest.mark.parametrize("replacement", ["a folder", "a link", "nothing"][:: extent(2, 1)])
@pytest.mark.parametrize("command", [[*TWO, *QUICK], BEST_PLAY], ids=["compare", "best-play"])
def test_a_folder_that_is_replaced_gets_no_results(
    command, replacement, folder, capsys, monkeypatch
):
    def replace(*_):
        if (folder / "aside").exists():  # another variant
            return result
        kept.rename("aside")
        if replacement == "a folder":
            kept.mkdir()
        elif replacement == "a link":
            Path("other").mkdir()
            kept.symlink_to("other")
        return result

    result = {"first": 0, "sets": 1, "same": True}
    kept = folder / "kept"
    kept.mkdir()
    monkeypatch.setattr(run_comparison, "play_again", replace)
    monkeypatch.setattr(best_play, "_describe_variant", replace)
    assert run([*command, "--out", "kept"]) == 2
    message = "kept is no longer the folder in which the command began; put that one back"
    assert message in capsys.readouterr().err
    assert not [*folder.glob("*/*.json"), *folder.glob("*/*.csv")]


@pytest.mark.thorough
def test_a_repetition_with_other_results_is_a_failure(folder, capsys, monkeypatch):
    difference = {"first": 3, "sets": 1, "same": False}
    monkeypatch.setattr(run_comparison, "play_again", lambda *_: difference)
    assert run(["compare", "trut", "trut:goal=3", "--out", "kept", *QUICK]) == 1
    output = capsys.readouterr()
    assert (
        "give another result when they are replayed" in output.err and "Trut against" in output.out
    )
    assert run(["report", "kept"]) == 0
    page = (folder / "kept" / "report.html").read_text(encoding="utf-8")
    assert "These results contradict themselves" in page
    capsys.readouterr()
    for command in ("results", "resume", "verify", "merge"):
        assert run([command, "kept", *(["--out", "new"] if command == "merge" else [])]) == 2
        assert "kept holds a comparison: the command that began it" in capsys.readouterr().err
    assert run(["report", "kept", "--verify"]) == 0
    assert "a comparison has already replayed a sample" in capsys.readouterr().err


def test_a_stopped_comparison_goes_on_with_its_drawn_seed(folder, monkeypatch, capsys):
    def show_seed(request, *_args, **_more):
        raise trutdsl.BadUsage(f"seed {request.seed}")

    def meek(view):
        return view.actions[0]

    (folder / "kept" / "cells" / "trut").mkdir(parents=True)
    (folder / "kept" / "cells" / "trut" / "manifest.json").write_text('{"seed": 12}')
    monkeypatch.setattr(frames, "run_comparison", show_seed)
    monkeypatch.setattr(run_comparison, "compare", show_seed)
    for given, used in ((None, 12), (3, 3)):
        with pytest.raises(trutdsl.BadUsage, match=f"seed {used}"):
            trutdsl.compare("trut", "trut:goal=2", strategies=[meek], out="kept", seed=given)
    assert run([*TWO, "--out", "kept"]) == 2
    assert capsys.readouterr().err == "error: seed 12\n"
    with pytest.raises(trutdsl.BadUsage, match="kept holds an unfinished comparison"):
        trutdsl.load_run("kept")


def test_exchanged_cells_are_refused_with_their_folder(folder, capsys, played):
    """Nobody can choose another folder for a cell; without it, the cell is played again."""
    shutil.copytree(played, "kept")
    one, two = (folder / "kept" / "cells").iterdir()
    one.rename(folder / "meanwhile")
    two.rename(one)
    (folder / "meanwhile").rename(two)
    (one / "manifest.json").write_text("{", encoding="utf-8")
    (two / "manifest.json").unlink()
    messages = []
    while run([*TWO, "--out", "kept", *QUICK]) == 2:
        error = capsys.readouterr().err
        cell = re.search(r"error: (kept/cells/\S+) holds other play than its name says \(", error)
        assert cell and "); remove this folder and give the command again" in error
        shutil.rmtree(cell[1])
        messages.append(error)
    assert len(messages) == 2 and any("manifest.json is damaged" in one for one in messages)


@pytest.mark.thorough
def test_variants_that_share_a_file_read_it_in_the_same_state(capsys, monkeypatch):
    base, load_game = Path("base.yaml"), run_comparison.load_game
    base.write_text("variant: base\ntitle: Base\nextends: trut\nset: {goal: 4}\n")

    def load_and_edit(*values):
        game = load_game(*values)
        base.write_text(base.read_text().replace("goal: 4", "goal: 3"))
        return game

    monkeypatch.setattr(run_comparison, "load_game", load_and_edit)
    assert run(["compare", "base.yaml", "base.yaml:leader=left_of_dealer", "--out", "c"]) == 2
    message = "error: base.yaml has changed while it was read; give the command again\n"
    assert capsys.readouterr().err == message
    assert not Path("c").exists()
