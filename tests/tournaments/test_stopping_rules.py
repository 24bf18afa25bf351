"""Rules that end a run: a time, a precision, a sequential test."""

import json
from math import ceil

import numpy as np
import pytest
from fake_game import FOUR, FakeGame, experiment
from run_files import contents, results
from set_results import round_robin, tally_winners

from trutdsl.cli.app import run
from trutdsl.options import Settings
from trutdsl.stats.contrast import compare_all, widest_contrast
from trutdsl.stats.sequential import BOUNDARY
from trutdsl.tournaments.folder import MANIFEST
from trutdsl.tournaments.journal import JOURNAL, Journal
from trutdsl.tournaments.schedule import Chunk
from trutdsl.tournaments.stopping import StopRule, describe_stop, finds_difference, rule_of

PLAY = ["tournament", "trut", "--strategies", "steady,caller", "--param", "goal=1"]


@pytest.mark.thorough
def test_a_run_for_some_time_becomes_a_run_of_sets(work_folder):
    assert run([*PLAY, "--time", "0.3", "--out", "timed"]) == 0
    found = results(work_folder / "timed")
    sets = found["run"]["sets"]
    assert found["manifest"]["sets"] == sets > 0 and "time" not in found["manifest"]
    assert run([*PLAY, "--sets", str(sets), "--jobs", "1", "--out", "counted"]) == 0
    assert contents(work_folder / "timed") == contents(work_folder / "counted")
    assert run(["extend", "timed", "--time", "0.1"]) == 0
    assert results(work_folder / "timed")["run"]["sets"] > sets
    assert run(["results", "timed", "--json"]) == 0


def test_a_stopped_run_for_some_time_counts_the_sets_before_the_first_gap(work_folder, capsys):
    assert run([*PLAY, "--sets", "12", "--chunk", "4", "--jobs", "1", "--out", "run"]) == 0
    path = work_folder / "run" / MANIFEST
    manifest = json.loads(path.read_text())
    del manifest["sets"]
    path.write_text(json.dumps({**manifest, "time": 60}))
    with Journal(work_folder / "run" / JOURNAL, "") as journal:
        journal.forget(Chunk(4, 4))
    capsys.readouterr()
    assert run(["results", "run", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["run"]["sets"] == 4


RULES = {
    "precision": ["--precision", "0.1"],
    "test": ["--test", "steady,caller", "--margin", "0.1"],
}


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_ends_a_run_at_the_same_set_with_any_workers(work_folder, rule, capsys):
    ways = (["--jobs", "1"], ["--jobs", "3", "--chunk", "1"], ["--chunk", "500"])
    for number, means in enumerate(ways):
        assert run([*PLAY, *RULES[rule], *means, "--out", str(number)]) == 0
    first = contents(work_folder / "0")
    assert first == contents(work_folder / "1") == contents(work_folder / "2")
    found = results(work_folder / "0")
    assert found["run"]["sets"] % 64 == 0
    capsys.readouterr()
    assert run(["results", "2", "--json"]) == 0, "sets beyond the end do not count"
    assert capsys.readouterr().out.encode() == first["results.json"]
    assert run([*PLAY, *RULES[rule], "--jobs", "1", "--out", "0"]) == 0, "it is played already"
    assert run(["resume", "1"]) == 0
    assert contents(work_folder / "0") == contents(work_folder / "1") == first
    assert run([*PLAY, "--sets", "9999", "--out", "0"]) == 2, "another rule is another experiment"
    assert "holds another experiment (stop" in capsys.readouterr().err


def test_a_run_reaches_its_precision(work_folder, capsys):
    assert run([*PLAY, "--precision", "0.08", "--out", "run"]) == 0
    found = results(work_folder / "run")
    difference = found["contrasts"][0]["difference"]
    reached = f"{ceil(found['stop']['reached'] * 1000) / 1000:g}"
    assert f"difference is known to +-{reached}; +-0.08 was asked for." in capsys.readouterr().out
    half = (difference["high"] - difference["low"]) / 2
    path = found["stop"].pop("path")
    assert found["stop"] == {"precision": 0.08, "reached": pytest.approx(half)}
    assert half <= 0.08
    looks, widths = zip(*path, strict=True)
    assert looks == tuple(range(64, found["run"]["sets"] + 1, 64))
    assert widths[-1] == found["stop"]["reached"] and all(w > 0.08 for w in widths[:-1])
    before = str(found["run"]["sets"] - 64)
    assert run([*PLAY, "--sets", before, "--out", "shorter"]) == 0
    shorter = results(work_folder / "shorter")["contrasts"][0]["difference"]
    assert (shorter["high"] - shorter["low"]) / 2 > 0.08, "64 sets earlier it was not yet"


@pytest.mark.parametrize(
    ("pair", "says"), [("steady,caller", "better"), ("caller,steady", "not better")]
)
def test_a_test_decides(work_folder, capsys, pair, says):
    assert run([*PLAY, "--test", pair, "--margin", "0.1", "--out", "run"]) == 0
    output, found = capsys.readouterr().out, results(work_folder / "run")
    assert found["stop"]["says"] == says
    low, high = found["stop"]["bounds"]
    assert found["stop"]["ratio"] >= high if says == "better" else found["stop"]["ratio"] <= low
    *before, (last, ratio) = found["stop"]["path"]
    assert (last, ratio) == (found["run"]["sets"], found["stop"]["ratio"])
    assert all(low < ratio_before < high for _, ratio_before in before)
    assert ("steady is better than caller (sequential test, ratio" in output) == (says == "better")
    methods = {row["score"]["method"] for row in found["standings"]}
    assert methods <= {"any-time", "none"}, "an interval of a fixed number of sets would be wrong"
    assert found["contrasts"][0]["p"] is None
    assert found["contrasts"][0]["separated"] or says == "not better"
    for more in (["--sets", "90000"], ["--time", "1"]):
        assert run(["extend", "run", *more]) == 0
        assert "nothing was added: the test or precision" in capsys.readouterr().err
    assert results(work_folder / "run")["run"]["sets"] == found["run"]["sets"]


def test_sets_limit_a_run_with_a_rule(work_folder, capsys):
    chunks = ["--chunk", "16", "--jobs", "1"]
    assert run([*PLAY, "--precision", "0.0001", "--sets", "70", *chunks, "--out", "run"]) == 0
    found = results(work_folder / "run")
    assert found["run"]["sets"] == 70 and found["stop"]["reached"] > 0.0001
    text = " ".join(capsys.readouterr().out.split())
    reached = f"{ceil(found['stop']['reached'] * 100) / 100:g}"
    assert (
        f"The widest interval of a difference still reaches +-{reached}; +-0.0001 was asked for."
        in text
    )
    for missing, sets in ((32, 32), (0, None)):
        with Journal(work_folder / "run" / JOURNAL, "") as journal:
            journal.forget(Chunk(missing, 16))
        assert run(["results", "run", "--json"]) == (0 if sets else 2)
        if sets:
            so_far = json.loads(capsys.readouterr().out)
            assert so_far["run"]["sets"] == sets, "as for the rule, sets behind a gap do not count"
    assert "no set of this run is finished yet" in capsys.readouterr().err


def test_intervals_cover_after_a_run_to_a_precision():
    """An A/A test: about 5 % of 300 runs that end at +-0.15 report a difference."""
    design, rng, missed, lengths = round_robin(2, 2), np.random.default_rng(5), 0, set()
    for _ in range(300):
        winners = np.empty((1, 2, 0), np.int64)
        while True:
            luck = rng.normal(size=(1, 1, 64))
            more = (luck + rng.normal(size=(1, 2, 64)) > 0).astype(np.int64)
            winners = np.concatenate([winners, more], axis=2)
            tally = tally_winners(design, winners)
            if widest_contrast(tally, design) <= 0.3:
                break
        (contrast,) = compare_all(tally, design)
        missed += not contrast.difference.low <= 0 <= contrast.difference.high
        lengths.add(tally.sets)
    assert len(lengths) > 1, "the end depends on the results"
    assert 3 <= missed <= 27, "of 300; 15 expected, 3.2 standard deviations"


@pytest.mark.parametrize("teams", [2, 3])
def test_a_stop_has_normalized_elo_of_two_matches_and_no_width_of_one_set(teams):
    plan = experiment(FOUR[:teams], game=FakeGame(players=teams, teams=tuple(range(teams))))
    winners = np.arange(64 * plan.design.matches_per_set).reshape(1, -1, 64) % 3 % teams
    rule = {"test": ["a", "b"], "margin": 0.1}
    stop = describe_stop(plan, rule, tally_winners(plan.design, winners))
    assert stop["says"] == "open" and (stop["normalized_elo"] is not None) == (teams == 2)
    one_set = tally_winners(plan.design, winners[..., :1])
    assert describe_stop(plan, {"precision": 0.1}, one_set)["reached"] is None


@pytest.mark.parametrize(
    ("strategies", "deals", "every"), [(2, 1, 1), (2, 8000, 4), (2, 12799, 4), (4, 86400, 8)]
)
def test_a_run_of_deals_is_looked_at_fifty_times_or_more(strategies, deals, every):
    """A set of two strategies has two matches, of four strategies twelve, each about 16 deals."""
    settings = Settings(variant="trut", strategies=(), deals=deals)
    assert rule_of(experiment(FOUR[:strategies]), settings).every == every


@pytest.mark.parametrize(
    ("says", "low", "high", "expected"),
    [
        ("better", -0.1, 0.3, True),
        ("not better", 0.01, 0.3, True),
        ("not better", -0.3, -0.01, True),
        ("open", -0.3, 0.0, False),
        ("open", 0.0, 0.3, False),
        ("not better", None, None, False),
    ],
)
def test_a_test_or_its_interval_finds_a_difference(says, low, high, expected):
    assert finds_difference({"says": says, "difference": {"low": low, "high": high}}) == expected


def test_the_first_of_two_conditions_ends_a_run():
    """The deals are looked at after each four sets, the tally after each `BOUNDARY`."""
    design, seen = round_robin(2, 2), []

    def played(sets):
        counts = tally_winners(design, np.zeros((1, 2, sets), np.int64)).to_counts()
        return {"counts": counts | {"deals": 10 * sets}}

    def verdicts(deals, enough):
        seen.clear()
        rule = StopRule(deals, 4, lambda tally: seen.append(tally.sets) or tally.sets >= enough)
        assert rule.every == 4
        return [rule.settles([played(2), played(2)]) for _ in range(BOUNDARY // 4)]

    never = [False] * (BOUNDARY // 4 - 1)
    assert verdicts(10**6, BOUNDARY) == [*never, True] and seen == [BOUNDARY]
    assert verdicts(10**6, BOUNDARY + 1) == [*never, False] and seen == [BOUNDARY]
    for deals in (79, 80):
        assert verdicts(deals, 1)[:3] == [False, True, True] and not seen

    often = StopRule(1, 2 * BOUNDARY, lambda tally: tally.sets < 0)
    assert often.every == BOUNDARY, "the deals are looked at less often than the tally"
    assert [often.settles([played(BOUNDARY)]) for _ in range(3)] == [False, True, False]


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--metric", "long"], "did you mean 'longs'?"),
        (["--metric", "3 x 4"], "expected matches, or counters such as '2 longs + petits'"),
        (["--test", "steady,quiet", "--margin", "1"], "--test quiet: no such strategy is given"),
        (
            ["--precision", "0.1", "--shard", "1/2"],
            "--shard cannot be combined with --precision: only the whole run tells when",
        ),
        (["--test", "steady,caller", "--margin", "1", "--shard", "1/2"], "combined with --test: "),
        (
            ["--deals", "2000", "--shard", "1/2"],
            "--shard cannot be combined with --deals: how many sets so many deals take is known "
            "only once they are played; give --sets N: trutdsl plan tells",
        ),
        (["--time", "9", "--shard", "1/2"], "with --time: how many sets so much time is enough"),
        (
            ["--format", "swiss", "--sets", "10", "--shard", "1/2"],
            "--shard cannot be combined with --format swiss: who meets in a round follows from",
        ),
    ],
)
def test_bad_options_are_refused(work_folder, capsys, flags, message):
    assert run([*PLAY, *flags]) == 2
    assert message in capsys.readouterr().err
    assert not list(work_folder.iterdir())


def test_matches_are_rounded_up_to_a_set(work_folder):
    assert run([*PLAY, "--matches", "15", "--out", "run"]) == 0
    assert results(work_folder / "run")["run"]["matches"] == 16, "up to a whole set"


def test_counters_can_be_the_metric(work_folder, capsys):
    assert run([*PLAY, "--metric", "2 longs + petits", "--out", "run"]) == 0
    assert " points (2 longs + petits) per 100 matches more (" in capsys.readouterr().out
    found = results(work_folder / "run")
    assert found["manifest"]["metric"] == "2 longs + petits"
    assert 1 < found["standings"][0]["score"]["mean"] < 10, "no share of matches"
