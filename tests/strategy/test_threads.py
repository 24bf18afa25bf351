"""Simulations in several threads: the same output as in one, and they stop on request."""

import threading
import time

import pytest

from tests.cli.test_ctrl_c import SLOW
from trutdsl.cli.app import run
from trutdsl.game import load_game
from trutdsl.strategy.count import add_part, count_in_parts
from trutdsl.strategy.fitness import seat_all
from trutdsl.strategy.threads import count_in_threads

TABLES = [
    ("trut", 2, ["steady", "patient"], {}),
    ("trut", 4, ["honest", "uniform"], {"goal": 3}),
    ("tute", 4, ["uniform"], {}),
    ("truc-catalan", 2, ["uniform"], {}),
]


def sum_parts(parts):
    clusters = []
    for part in parts:
        add_part(clusters, *part)
    return clusters


@pytest.mark.parametrize(("name", "players", "strategies", "parameters"), TABLES)
def test_the_number_of_threads_does_not_change_counts(name, players, strategies, parameters):
    game = load_game(name, players, parameters)
    seating = seat_all(game, strategies)
    expected = sum_parts(count_in_parts(game, seating, 7, 1000, 5))
    for jobs in (1, 2, 5):
        parts = list(count_in_threads(game, seating, 7, 1000, 5, jobs))
        assert sum_parts(parts) == expected
        assert [cluster for cluster, _ in parts] == sorted(cluster for cluster, _ in parts)
    assert sum(counts["matches"] for counts in expected) == 1000


def test_the_number_of_threads_does_not_change_the_output(capsys):
    printed = []
    for jobs in ("1", "2", "7"):
        command = ["simulate", "trut", "--strategies", "steady,quiet", "--matches", "2000"]
        assert run([*command, "--json", "-j", jobs]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1] == printed[2]


def test_all_threads_stop_at_the_end(tmp_path):
    """A match would last many seconds; it is stopped earlier."""
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


def test_strategies_in_python_run_in_the_main_thread(tmp_path):
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
    found = sum_parts(count_in_threads(game, seating, 1, 20, jobs=4))
    assert found == sum_parts(count_in_parts(game, seating, 1, 20))
