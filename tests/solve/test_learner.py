"""Learned lower bounds: below the exact value, above random play, and reproducible."""

import json

import pytest

from tests.solve.plain_kuhn import KUHN
from tests.solve.test_exploit import MIXER
from trutdsl.cli.app import DONE, run
from trutdsl.solve import learner

# This script has memory, so only a lower bound is computed. It plays like `mixer`.
REMEMBERING_MIXER = MIXER.replace("strategy mixer", "strategy keeper").replace(
    "    on open:", "    match memory:\n        deals_seen: number\n    on open:"
)


def wins_of(args, capsys):
    assert run(["exploit", *args, "--json"]) == DONE
    (found,) = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.thorough
def test_a_bound_is_below_the_exact_value_and_close_to_it(tmp_path, capsys):
    for name, text in (("mixer", MIXER), ("keeper", REMEMBERING_MIXER)):
        (tmp_path / f"{name}.strategy").write_text(text)
    args = [KUHN, "--param", "goal=2", "--choices", "100000"]
    exact = wins_of([*args, "--against", str(tmp_path / "mixer.strategy")], capsys)
    again = [wins_of([*args, "--against", str(tmp_path / "keeper.strategy")], capsys) for _ in "ab"]
    assert again[0] == again[1]
    bound = again[0]
    assert (exact["bound"], bound["bound"]) == ("exact", "lower")
    low, high = bound["interval"]
    assert low < bound["wins"] < high < low + 0.02
    assert low - (high - low) / 2 < exact["wins"]  # four standard errors
    assert bound["wins"] > exact["wins"] - 0.03
    assert "remembers 'deals_seen'" in bound["note"]


@pytest.mark.thorough
def test_random_answers_become_rarer(tmp_path, monkeypatch):
    rounds, note = [], learner._OpenDeals.note

    def record(deals, matches, keys, explored):
        rounds.append((len(explored), len(matches)))
        note(deals, matches, keys, explored)

    monkeypatch.setattr(learner._OpenDeals, "note", record)
    (tmp_path / "keeper.strategy").write_text(REMEMBERING_MIXER)
    against = ["--against", str(tmp_path / "keeper.strategy")]
    assert run(["exploit", KUHN, "--param", "goal=2", "--choices", "100000", *against]) == DONE
    half = len(rounds) // 2
    early, late = (map(sum, zip(*of, strict=True)) for of in (rounds[:half], rounds[half:]))
    (most, of_all), (least, of_late) = early, late
    begin, end = learner.ALONE.explore
    assert begin > most / of_all > (begin + end) / 2 > least / of_late > end


@pytest.mark.thorough
def test_a_bound_is_at_least_that_of_a_copied_script(capsys):
    """With one round of learning, the learned play is worse than the script itself."""
    args = ["trut", "--players", "2", "--param", "goal=1", "--choices", "1"]
    found = wins_of([*args, "--against", "patient"], capsys)
    low, high = found["interval"]
    assert low < 0.5 < high  # the script against itself
    assert found["note"].startswith("A copy of patient")
    assert "'patient' remembers" in found["note"]
    assert run(["exploit", *args, "--against", "patient"]) == DONE
    output = capsys.readouterr().out
    score = f"{100 * found['wins']:.1f} ({100 * low:.1f} to {100 * high:.1f}) of 100 matches"
    assert f"patient loses {score} to the best opponent found, and as many or more to a" in output
    assert "(exact)" not in output


@pytest.mark.thorough
def test_partners_improve_on_the_play_of_a_script(capsys):
    args = ["trut", "--players", "4", "--param", "goal=1", "--choices", "200000"]
    found = wins_of([*args, "--against", "steady"], capsys)
    assert found["interval"][0] > 0.55  # where nothing is learned, it is one half
    assert "beginning with the play of steady" in found["note"]
    assert "only games of two players" in found["note"]
