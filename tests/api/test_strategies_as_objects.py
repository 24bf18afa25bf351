"""Strategies as Python objects: all forms play the same, in matches and in tournaments."""

import multiprocessing

import pytest

from trutdsl import BadUsage, Error, load_game, load_strategy, play_match, simulate, tournament


class Bold:
    """Calls whenever it can."""

    def __init__(self):
        self.asked = 0

    def choose(self, view):
        self.asked += 1
        return view.action("trut") or view.actions[0]


def meek(view):
    return view.action("fold") or view.actions[0]


@pytest.fixture(scope="module")
def game():
    return load_game("trut", 2, {"goal": 1}, engine="reference")


def test_every_form_of_a_strategy_plays_the_same(game, tmp_path):
    path = tmp_path / "bold.py"
    path.write_text(
        "class Bold:\n    def choose(self, view):\n"
        "        return view.action('trut') or view.actions[0]\n"
    )
    instance = Bold()
    forms = [Bold, instance, lambda view: view.action("trut") or view.actions[0], path, str(path)]
    found = [play_match(game, [form, "steady"], 1) for form in forms]
    assert len(set(map(repr, found))) == 1
    assert instance.asked == 0, "a match plays with a copy"


def test_strategies_as_objects_play_a_tournament_that_can_be_extended(tmp_path):
    first_run = tournament(
        "trut", ["steady", Bold, meek], sets=4, seed=2, out=tmp_path / "run", jobs=1
    )
    assert set(first_run.standings["strategy"]) == {"steady", "Bold", "meek"}
    longer = first_run.extend(sets=6, jobs=1)
    assert longer.results["run"]["sets"] == 6 and longer.verify(jobs=1)
    again = tournament("trut", ["steady", Bold, meek], sets=6, seed=2, jobs=1)
    assert again.standings.equals(longer.standings)


def test_a_simulation_takes_one_strategy_or_one_for_each_team_or_seat():
    alone = simulate("trut", meek, matches=5, seed=1)
    assert alone["strategies"] == ["meek", "meek"]
    assert simulate("trut", [meek, "steady"], matches=5, seed=1)["strategies"] == ["meek", "steady"]
    with pytest.raises(BadUsage, match="3 strategies for 2 seats in 2 teams; give 1 or 2"):
        simulate("trut", [meek] * 3)


@pytest.mark.parametrize("value", [3, object(), object, None])
def test_other_objects_are_refused(game, value):
    with pytest.raises(BadUsage, match="expected a strategy: a name, a path, a class"):
        load_strategy(value)
    with pytest.raises(Error):
        play_match(game, [value, "steady"], 1)


def test_a_daemon_may_play_tournaments(monkeypatch):
    """The processes of a multiprocessing pool are daemons, which may have no children."""
    monkeypatch.setitem(multiprocessing.current_process()._config, "daemon", True)
    options = {"sets": 1, "jobs": 1, "engine": "reference", "parameters": {"goal": 1}}
    run = tournament("trut", ["steady", "quiet"], **options)
    assert run.results["run"]["sets"] == 1


def test_two_strategies_with_one_name_are_refused():
    with pytest.raises(BadUsage, match="two strategies are called 'lambda'"):
        tournament("trut", [lambda v: v.actions[0], lambda v: v.actions[-1]], sets=1)
