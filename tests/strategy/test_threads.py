"""Simulations on several cores: the same bytes as on one, and an end when they are stopped."""

import threading
import time

import pytest

from tests.cli.test_ctrl_c import SLOW
from trutdsl.cli.app import run
from trutdsl.game import load_game
from trutdsl.strategy import add_part, count_in_parts, count_in_threads, seat_all

TABLES = [
    ("trut", 2, ["steady", "patient"], {}),
    ("trut", 4, ["honest", "uniform"], {"goal": 3}),
    ("tute", 4, ["uniform"], {}),
    ("truc-catalan", 2, ["uniform"], {}),
]


def summed(parts):
    clusters = []
    for part in parts:
        add_part(clusters, *part)
    return clusters


@pytest.mark.parametrize(("name", "players", "strategies", "parameters"), TABLES)
def test_any_number_of_threads_gives_the_counts_of_one(name, players, strategies, parameters):
    game = load_game(name, players, parameters)
    seating = seat_all(game, strategies)
    expected = summed(count_in_parts(game, seating, 7, 1000, 5))
    for jobs in (1, 2, 5):
        parts = list(count_in_threads(game, seating, 7, 1000, 5, jobs))
        assert summed(parts) == expected
        assert [cluster for cluster, _ in parts] == sorted(cluster for cluster, _ in parts)
    assert sum(counts["matches"] for counts in expected) == 1000


def test_a_command_prints_the_same_on_any_number(capsys):
    printed = []
    for jobs in ("1", "2", "7"):
        asked = ["simulate", "trut", "--strategies", "steady,quiet", "--matches", "2000"]
        assert run([*asked, "--json", "-j", jobs]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1] == printed[2]


def test_no_thread_goes_on_after_the_end(tmp_path):
    """A match lasts for many seconds; it is stopped within."""
    (tmp_path / "slow.yaml").write_text(SLOW, encoding="utf-8")
    game = load_game(tmp_path / "slow.yaml")
    before = threading.active_count()
    parts = count_in_threads(game, seat_all(game, "uniform"), 1, 10**6, jobs=3)
    next(parts)
    assert threading.active_count() > before
    begin = time.perf_counter()
    parts.close()
    assert threading.active_count() == before
    assert time.perf_counter() - begin < 1


def test_programs_have_one_thread(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "import threading\n"
        "class Mine:\n"
        "    def choose(self, view):\n"
        "        assert threading.current_thread() is threading.main_thread()\n"
        "        return view.actions[0]\n"
    )
    game = load_game("trut", 2)
    seating = seat_all(game, [str(path), "uniform"])
    found = summed(count_in_threads(game, seating, 1, 20, jobs=4))
    assert found == summed(count_in_parts(game, seating, 1, 20))
