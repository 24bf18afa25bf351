"""The files of a run: their contents, which depend only on the experiment."""

import csv
import getpass
import io
import json
import platform
import time
from math import sqrt

import pytest
from documents import rows
from fake_game import FOUR, FakeGame, experiment, make_plan, make_run, results_of
from run_files import FILES, contents
from scipy import stats
from set_results import make_set, tally_sets

from trutdsl.files import canonical_json, own_version, source_hash
from trutdsl.native import ENGINE_SOURCES
from trutdsl.report.csv_files import run_csv
from trutdsl.tournaments.run import play_run


def play_tournament(plan, folder, jobs):
    play_run(make_run(plan, out=str(folder), jobs=jobs))


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Return the contents of the files of a run by two workers."""
    folder = tmp_path_factory.mktemp("run")
    play_tournament(experiment(sets=70), folder, 2)
    return contents(folder)


@pytest.mark.parametrize("jobs", [1, 3])
def test_the_files_do_not_depend_on_the_number_of_workers(files, tmp_path, jobs):
    play_tournament(experiment(sets=70), tmp_path, jobs)
    assert contents(tmp_path) == files


def test_a_finished_run_rewrites_its_files_without_play(files, tmp_path):
    play_tournament(experiment(sets=70), tmp_path, 2)
    for name in FILES[1:]:
        (tmp_path / name).unlink()
    play_tournament(experiment(sets=70), tmp_path, 2)
    assert contents(tmp_path) == files
    assert (tmp_path / "run.log").read_text().count("played; 70 of 70 sets are done") == 1


def test_the_order_of_the_strategies_does_not_matter(files, tmp_path):
    play_tournament(experiment(FOUR[::-1], 70), tmp_path, 2)
    assert contents(tmp_path) == files


def test_another_seed_gives_other_results(files, tmp_path):
    play_tournament(experiment(sets=70, seed=2), tmp_path, 2)
    assert contents(tmp_path)["results.json"] != files["results.json"]


def test_json_is_canonical(files):
    for name in ("manifest.json", "results.json"):
        text = files[name].decode()
        content = json.loads(text)
        assert json.dumps(content, sort_keys=True, indent=2) + "\n" == text
        assert canonical_json(dict(reversed(content.items()))) == text


def test_no_file_contains_facts_about_the_machine(files, tmp_path):
    now = time.localtime()
    facts = [str(tmp_path.parent), platform.node(), platform.python_version()]
    facts += [time.strftime("%Y-%m-%d", now), f"/{getpass.getuser()}/"]
    for name in FILES:
        text = files[name].decode()
        assert not [fact for fact in facts if fact and fact in text], name


def test_the_manifest_contains_everything_that_decides_the_results():
    game = FakeGame(players=4, teams=(0, 1, 0, 1))
    assert make_run(experiment(FOUR[:2], 5, seed=9, game=game)).manifest == {
        "format": 5,
        "kind": "tournament",
        "trutdsl": own_version(),
        "engine": "native",
        "engine_hash": source_hash(*ENGINE_SOURCES),
        "title": "Fake",
        "variant": {
            "name": "fake",
            "players": 4,
            "teams": [0, 1, 0, 1],
            "parameters": {"goal": "7"},
            "fingerprint": "f" * 64,
            "vocabulary": "v" * 64,
        },
        "strategies": {"a": "a 0.0", "b": "b 0.4"},
        "move_timeout": 10.0,
        "on_error": "forfeit",
        "seed": 9,
        "meetings": {"format": "round-robin"},
        "mode": "matches",
        "score": [],
        "metric": "matches",
        "stop": None,
        "sets": 5,
    }


@pytest.fixture
def three_sets():
    """Strategy s0 scores 4, 2 and 3 of 4 in three sets against s1."""
    plan = make_plan(2, sets=3)
    sets = [make_set([[0, 1]], 4), make_set([[0, 0]], 6), make_set([[None, 1]], 8)]
    tally = tally_sets(plan.design, sets)
    names = [s.name for s in plan.strategies]
    return results_of(plan, tally, names)


def read_rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_standings_csv(three_sets):
    text = run_csv(three_sets, "standings")
    assert text.splitlines()[0] == (
        "rank_best,rank_worst,strategy,score,score_se,score_low,score_high,score_method,"
        "next_separated,matches,won,drawn,lost,deals,decisions,deals_per_match,"
        "deals_per_match_se,deals_per_match_low,deals_per_match_high,deals_per_match_method,"
        "elo,elo_se,elo_low,elo_high,elo_method,place,points,forfeited,"
        "without_forfeits,without_forfeits_se,without_forfeits_low,without_forfeits_high,"
        "without_forfeits_method"
    )
    first, second = read_rows(text)
    error = 0.25 / sqrt(3)  # scores 1, 1/2, 3/4: sample standard deviation 1/4
    assert (first["strategy"], first["score"]) == ("s0", "0.75")
    assert float(first["score_se"]) == pytest.approx(error)
    # With 0.75 pseudo-sets at 0 and at 1: 4.5 sets, mean 2/3, sum of squares 2.5625.
    half = stats.t.ppf(0.975, 3.5) * sqrt((2.5625 - 4.5 * (2 / 3) ** 2) / 3.5 / 4.5)
    assert float(first["score_low"]) == pytest.approx(2 / 3 - half, abs=1e-8)
    assert (first["score_high"], first["score_method"]) == ("1.0", "pseudo-sets")
    assert (first["rank_best"], first["rank_worst"], first["next_separated"]) == ("1", "2", "False")
    assert [first[k] for k in ("matches", "won", "drawn", "lost")] == ["6", "4", "1", "1"]
    assert [first[k] for k in ("deals", "decisions", "deals_per_match")] == ["36", "72", "6.0"]
    assert (second["strategy"], second["score"], second["next_separated"]) == ("s1", "0.25", "")


def test_french_tables_have_semicolons_and_decimal_commas(three_sets):
    for name in ("standings", "pairs"):
        plain, french = run_csv(three_sets, name), run_csv(three_sets, name, "fr")
        assert french == plain.replace(",", ";").replace(".", ",")
        assert ";0,75;" in french


def test_pairs_csv(three_sets):
    (pair,) = read_rows(run_csv(three_sets, "pairs"))
    assert [pair[k] for k in ("first", "second", "matches")] == ["s0", "s1", "6"]
    assert [pair[k] for k in ("won", "lost", "drawn", "others")] == ["4", "1", "1", "0"]
    assert [pair[k] for k in ("score", "second_score", "difference")] == ["0.75", "0.25", "0.5"]
    assert [pair[k] for k in ("score_method", "difference_method")] == ["pseudo-sets"] * 2
    # The means of legs 1, 1; 1, -1; 0, 1 are 1, 0, 1/2, with variance 1/4. That of a leg is 2/3.
    assert pytest.approx(5 / 6 - (1 / 2) ** 2 + 1 / 4 / 3) == 2 / 3
    assert float(pair["gain"]) == pytest.approx(2 / 3 / (2 * 1 / 4))
    assert float(pair["correlation"]) == pytest.approx(2 * 1 / 4 / (2 / 3) - 1)


def test_csv_and_json_give_the_same_numbers(files):
    results = json.loads(files["results.json"])
    for row, line in zip(
        results["standings"], read_rows(files["standings.csv"].decode()), strict=True
    ):
        assert line["strategy"] == row["strategy"]
        for name in ("score", "deals_per_match"):
            assert float(line[name]) == row[name]["mean"]
            for part in ("se", "low", "high"):
                assert line[f"{name}_{part}"] == repr(row[name][part])
        for name in ("won", "drawn", "lost", "deals", "decisions"):
            assert line[name] == str(row[name])


def test_the_sums_suffice_to_compute_a_score(files):
    results = json.loads(files["results.json"])
    sums, run = results["sums"], results["run"]
    best = results["standings"][0]
    i = sums["strategies"].index(best["strategy"])
    opponents, seatings, points = 3, 2, 2
    score = sums["score"][i] / (run["sets"] * opponents * seatings * points)
    assert best["score"]["mean"] == pytest.approx(score)


def test_the_method_of_a_number_is_explained(files, root):
    results = json.loads(files["results.json"])
    methods = rows((root / "docs/results.md").read_text(encoding="utf-8"), "methods")
    assert {c["difference"]["method"] for c in results["contrasts"]} <= {"pseudo-sets"}
    assert {row["score"]["method"] for row in results["standings"]} <= set(methods)
    assert {"pseudo-sets", "t", "bootstrap", "stagewise", "any-time", "none"} == set(methods)
    assert results["manifest"]["sets"] == results["run"]["sets"] == 70
    assert results["run"]["matches"] == 70 * 6 * 2
    for pair in results["pairs"]:
        assert pair["gain"] is None or (pair["gain"] > 1) == (pair["correlation"] < 0)
    assert any(pair["gain"] for pair in results["pairs"])


def test_a_name_with_a_comma_stays_one_column(three_sets):
    three_sets["standings"][0]["strategy"] = 'a,"b"'
    assert read_rows(run_csv(three_sets, "standings"))[0]["strategy"] == 'a,"b"'
