"""The command `tournament` on the shipped Trut."""

import csv
import json
import os
import subprocess
import sys

import pytest
from extent import extent
from run_files import FILES

from trutdsl.cli.app import run


@pytest.fixture
def tournament(tmp_path, monkeypatch, capsys):
    """Return a function that runs the command; it returns the exit code, output and errors."""
    monkeypatch.chdir(tmp_path)

    def call(*args, variant="trut", strategies="uniform,steady,caller", matches=12):
        command = [
            "tournament",
            variant,
            "--strategies",
            strategies,
            "--sets",
            str(matches),
            *args,
        ]
        code = run(command)
        out, err = capsys.readouterr()
        return code, out, err

    return call


def test_a_tournament_on_trut(tournament, tmp_path):
    code, out, err = tournament("--seed", "3")
    message = "12 sets of deals x 3 combinations of strategies in 2 seatings = 72 matches"
    assert (code, err.splitlines()[0]) == (0, message)
    folder = tmp_path / "reports" / "trut-3"
    assert sorted(p.name for p in folder.iterdir()) == sorted((*FILES, "journal.sqlite", "run.log"))
    assert "steady" in out and "files: reports/trut-3" in out and "seed 3" in out
    lines = list(csv.DictReader((folder / "standings.csv").read_text().splitlines()))
    assert lines[0]["strategy"] == "steady", "the one that looks at its cards wins"
    results = json.loads((folder / "results.json").read_text())
    assert results["run"]["matches"] == 12 * 3 * 2
    assert results["manifest"]["variant"]["parameters"]["goal"] == "7"


@pytest.mark.parametrize("players", extent(["4"], ["2", "4"]))
def test_the_same_bytes_for_any_number_of_workers(tournament, tmp_path, players):
    found = []
    for jobs in ("1", "2", "3"):
        folder = tmp_path / jobs
        args = ("--jobs", jobs, "--out", str(folder), "--players", players, "--param", "goal=2")
        assert tournament(*args)[0] == 0
        found.append({name: (folder / name).read_bytes() for name in FILES})
    assert found[0] == found[1] == found[2]


@pytest.mark.thorough
@pytest.mark.parametrize("players", extent(["2"], ["2", "4"]))
def test_the_same_results_in_either_engine(tournament, tmp_path, players):
    found = []
    for engine in ("reference", "native"):
        folder = tmp_path / engine
        args = ("--engine", engine, "--out", str(folder), "--players", players, "--param", "goal=2")
        assert tournament(*args, matches=6)[0] == 0
        texts = {name: (folder / name).read_text(encoding="utf-8") for name in FILES}
        assert f'"engine": "{engine}"' in texts["manifest.json"]
        found.append({n: text.replace(f'"{engine}"', '""') for n, text in texts.items()})
    assert found[0] == found[1]


def test_json_equals_the_file(tournament, tmp_path):
    code, out, _ = tournament("--json", "--out", "run")
    assert code == 0
    assert out == (tmp_path / "run" / "results.json").read_text()


def test_a_repeated_command_plays_nothing(tournament, tmp_path):
    _, first, message = tournament()
    assert "72 matches" in message
    log = (tmp_path / "reports/trut-1/run.log").read_text()
    assert tournament() == (0, first, "")
    assert (tmp_path / "reports/trut-1/run.log").read_text() == log


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ({"strategies": "uniform"}, "has 2 teams and needs at least as many strategies; 1 given"),
        ({"strategies": "uniform,steady,uniform"}, "strategy 'uniform' is given more than once"),
        ({"strategies": "uniform,,steady"}, "a name is missing between the commas"),
        ({"strategies": "uniform,stedy"}, "did you mean 'steady'?"),
        ({"variant": "trud"}, "did you mean 'trut'?"),
        ({"matches": 0}, "--sets must be at least 1"),
    ],
)
def test_bad_usage(tournament, tmp_path, args, message):
    code, out, err = tournament(**args)
    assert (code, out) == (2, "") and message in err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("flag", "value", "message"),
    [
        ("--jobs", "0", "--jobs must be at least 1"),
        ("--seed", "-1", "--seed must be from 0"),
        ("--players", "5", "not 5"),
        ("--param", "gaol=3", "did you mean 'goal'?"),
        ("--engine", "refrence", "did you mean 'reference'?"),
    ],
)
def test_bad_flags(tournament, flag, value, message):
    code, out, err = tournament(flag, value)
    assert (code, out) == (2, "") and message in err


def test_another_experiment_in_the_folder_is_refused(tournament):
    assert tournament(matches=2)[0] == 0
    code, out, err = tournament("--param", "goal=3", matches=3)
    assert (code, out) == (2, "")
    assert "variant.parameters.goal: 7 there, 3 here" in err and "goes to another folder" in err
    assert "sets" not in err, "more of the same is no other experiment"


def test_more_of_the_same_plays_only_what_is_new(tournament):
    _, fresh, _ = tournament("--out", "whole", matches=9)
    assert tournament("--out", "parts", matches=4)[0] == 0
    code, out, err = tournament("--out", "parts", matches=9)
    assert (code, out) == (0, fresh.replace("files: whole", "files: parts"))
    assert "5 sets of deals" in err and "4 sets are there already" in err
    code, out, err = tournament("--out", "parts", matches=4)
    assert (code, out) == (2, "")
    assert "parts is a run of --sets 9; give --sets 9 or more" in err


def test_a_damaged_journal_is_reported_in_one_line(tournament, tmp_path):
    _, first, _ = tournament(matches=2)
    (tmp_path / "reports/trut-1/journal.sqlite").write_bytes(b"x" * 3000)
    code, out, err = tournament(matches=2)
    assert (code, out) == (0, first)
    assert [line for line in err.splitlines() if "is damaged" in line] == err.splitlines()[:1]
    assert (tmp_path / "reports/trut-1/journal.sqlite.damaged-1").exists()


FAILING = """class Failing:
    def choose(self, view):
        if view.random.below(300) == 0:
            {deed}
        return view.actions[view.random.below(len(view.actions))]
"""


@pytest.mark.parametrize(
    ("deed", "messages"),
    [
        ("1 / 0", ("failing.py:4", "ZeroDivisionError: division by zero")),
        ("return None", ("chose no legal action", "legal: ")),
        ("raise SystemExit", ("failed in match", "SystemExit")),
    ][: extent(1, None)],
)
def test_a_failing_strategy_stops_the_run(tournament, tmp_path, deed, messages):
    (tmp_path / "failing.py").write_text(FAILING.format(deed=deed))
    errors = set()
    for jobs in ("1", "3"):
        strategies = "failing.py,uniform,steady"
        args = ("--jobs", jobs, "--out", jobs, "--on-error", "stop", "--seed", "1")
        code, out, err = tournament(*args, strategies=strategies, matches=40)
        assert (code, out) == (1, "") and len(err.splitlines()) == 2
        errors.add(err.splitlines()[1])
    assert len(errors) == 1, "which failure is reported depends on the number of workers"
    (message,) = errors
    for text in (*messages, "match", "player", "failing"):
        assert text in message
    assert "Traceback" not in message


@pytest.mark.thorough
def test_a_strategy_that_prints_does_not_spoil_the_result(tmp_path):
    (tmp_path / "talker.py").write_text(FAILING.format(deed="print('psst')"))
    command = [sys.executable, "-m", "trutdsl", "tournament", "trut", "--json"]
    done = subprocess.run(
        [*command, "--strategies", "talker.py,uniform", "--sets", "20", "--seed", "1"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0
    assert json.loads(done.stdout)["run"]["sets"] == 20
    # Two workers may write at once, so a line end may come late.
    assert done.stderr.startswith("20 sets of deals")
    assert set("".join(done.stderr.partition("matches")[2].split()).split("psst")) == {""}


def test_a_failing_strategy_forfeits_its_matches(tournament, tmp_path):
    """The results of others do not change, and a printed command reproduces the failure."""
    (tmp_path / "failing.py").write_text(FAILING.format(deed="1 / 0"))
    options = ("--out", "with", "--seed", "1")
    code, out, _ = tournament(*options, strategies="failing.py,uniform,steady", matches=12)
    assert code == 1
    assert tournament("--out", "without", strategies="uniform,steady", matches=12)[0] == 0

    def pairs(folder):
        with (tmp_path / folder / "pairs.csv").open() as file:
            rows = [row for row in csv.DictReader(file) if "failing" not in row.values()]
        # Simultaneous intervals are wider with more pairs.
        return [{k: v for k, v in row.items() if not k.endswith(("_low", "_high"))} for row in rows]

    assert pairs("with") == pairs("without") and len(pairs("with")) == 1
    found = json.loads((tmp_path / "with/results.json").read_text())
    (fault,) = found["faults"]
    rows = {row["strategy"]: row for row in found["standings"]}
    assert rows["failing"]["forfeited"] == fault["matches"]
    assert rows["steady"]["forfeited"] == rows["uniform"]["forfeited"] == 0
    clean = rows["failing"]["matches"] - fault["matches"]
    score = rows["failing"]["won"] / clean  # there are no draws
    assert rows["failing"]["without_forfeits"]["mean"] == pytest.approx(score)
    assert rows["failing"]["without_forfeits"]["low"] < score
    assert rows["steady"]["without_forfeits"]["mean"] < rows["steady"]["score"]["mean"]
    assert (fault["strategy"], fault["kind"]) == ("failing", "raised ZeroDivisionError")
    assert f"failing forfeited {fault['matches']} matches: it raised ZeroDivisionError" in out
    command = next(line for line in out.splitlines() if "trutdsl simulate" in line)
    assert "failing.py" in command and f"--first {fault['first']['match']} " in command
    done = subprocess.run(
        [sys.executable, "-m", *command.split()],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert f"in match {fault['first']['match'] + 1}, deal" in done.stderr
    assert "ZeroDivisionError" in done.stderr
