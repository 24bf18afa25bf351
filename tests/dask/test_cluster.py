"""Tournaments on a Dask cluster: a scheduler and workers, started by their commands."""

import os
import signal
import subprocess
import sys
import threading
import time
from hashlib import sha256
from pathlib import Path

import pytest
from distributed import Client
from run_files import FILES

from trutdsl.cli.app import run
from trutdsl.diagnostics import Failure
from trutdsl.options import Means, Settings
from trutdsl.tournaments.cluster import play_on_cluster
from trutdsl.tournaments.run import Notice, run_tournament

WORKERS = 2
FAILURES = {
    "raises": "raise ValueError",
    "ends": "import os; os._exit(3)",
    "loops": "\n            while True: pass",
}
STRATEGY = """\
class Bad:
    def choose(self, view):
        if view.deal == 2:
            {}
        return view.actions[0]
"""
ENVIRONMENT = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def start_module(*command):
    return subprocess.Popen(
        [sys.executable, "-m", *command],
        env=ENVIRONMENT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


class Cluster:
    """A scheduler and its workers, each under a nanny."""

    def __init__(self, folder):
        file = folder / "scheduler.json"
        local = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        self.scheduler = start_module(
            "distributed.cli.dask_scheduler", *local, "--scheduler-file", str(file)
        )
        self.nannies = [
            start_module(
                "distributed.cli.dask_worker",
                *("--scheduler-file", str(file), "--nthreads", "1", "--no-dashboard"),
                *("--local-directory", str(folder)),
            )
            for _ in range(WORKERS)
        ]
        until = time.monotonic() + 120
        while not file.exists():
            assert time.monotonic() < until, "no scheduler"
            time.sleep(0.1)
        self.client = Client(scheduler_file=str(file), timeout=60, set_as_default=False)
        self.client.wait_for_workers(WORKERS, timeout=120)
        self.address = self.client.scheduler.address

    def pids(self):
        return list(self.client.run(os.getpid).values())

    def stop(self):
        self.client.close(timeout=1)
        for process in (*self.nannies, self.scheduler):
            process.send_signal(signal.SIGINT)
        for process in (*self.nannies, self.scheduler):
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    found = Cluster(tmp_path_factory.mktemp("cluster"))
    yield found
    found.stop()


def digest(folder):
    return sha256(b"".join((Path(folder) / name).read_bytes() for name in FILES)).hexdigest()


def settings(*strategies, sets=30, **more):
    return Settings(
        variant="trut", strategies=strategies, sets=sets, seed=1, parameters=("goal=2",), **more
    )


def dask_means(cluster, folder, chunk=None):
    return Means(out=str(folder), executor="dask", scheduler=cluster.address, chunk=chunk)


def test_a_cluster_writes_the_same_bytes_as_one_machine(tmp_path, cluster):
    """The strategies fail, end their processes or run forever."""
    for name, code in FAILURES.items():
        (tmp_path / f"{name}.py").write_text(STRATEGY.format(code))
    bad = settings(
        "steady", *(str(tmp_path / f"{n}.py") for n in FAILURES), sets=2, move_timeout=0.5
    )
    run_tournament(bad, Means(out=str(tmp_path / "here"), jobs=2))
    before = set(cluster.pids())
    run_tournament(bad, dask_means(cluster, tmp_path / "there"))
    assert digest(tmp_path / "here") == digest(tmp_path / "there")
    assert set(cluster.pids()) == before, "no strategy ran in a worker of Dask"


@pytest.mark.parametrize("options", [{"format": "swiss"}, {"precision": 0.1, "sets": 5000}])
def test_rounds_and_stopping_rules_end_at_the_same_set(tmp_path, cluster, options):
    request = settings("steady", "caller", "quiet", **options)
    run_tournament(request, Means(out=str(tmp_path / "here"), jobs=2))
    run_tournament(request, dask_means(cluster, tmp_path / "there", chunk=7))
    assert digest(tmp_path / "here") == digest(tmp_path / "there")


class ActAfterChunks(Notice):
    """Runs an action after a number of chunks."""

    def __init__(self, chunks, action):
        self.left, self.action = chunks, action

    def add_chunk(self, _finished):
        self.left -= 1
        if self.left == 0:
            threading.Thread(target=self.action).start()


@pytest.mark.parametrize("many", [1, WORKERS])
def test_a_killed_worker_loses_no_results(tmp_path, cluster, many):
    request, killed = settings("steady", "caller", "uniform", sets=3000), []

    def kill():
        for pid in victims:
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)

    run_tournament(request, Means(out=str(tmp_path / "here"), jobs=2))
    victims = cluster.pids()[:many]
    run_tournament(
        request, dask_means(cluster, tmp_path / "there", chunk=20), ActAfterChunks(5, kill)
    )
    assert killed == victims
    assert digest(tmp_path / "here") == digest(tmp_path / "there")
    cluster.client.wait_for_workers(WORKERS, timeout=60)
    assert not set(victims) & set(cluster.pids())
    assert run(["verify", str(tmp_path / "there"), "--chunks", "3", "--jobs", "1"]) == 0


@pytest.mark.parametrize(
    "command",
    [
        ["compare", "trut", "trut-gatinaise", "--strategies", "steady,caller"],
        ["sweep", "trut", "--param", "goal=2,3", "--strategies", "uniform"],
        ["ambiguities", "truc-catalan", "--strategies", "uniform"],
    ],
)
def test_comparisons_are_the_same_as_on_one_machine(tmp_path, cluster, capfd, command):
    printed, before = [], set(cluster.pids())
    for name, how in (
        ("here", ["--jobs", "2"]),
        ("there", ["--executor", "dask", "--scheduler", cluster.address]),
    ):
        request = [*command, "--sets", "80", "--json", "-q", *how, "--out", str(tmp_path / name)]
        assert run(request) == 0
        printed.append(capfd.readouterr().out)
    assert printed[0] == printed[1]
    assert "played" in (next((tmp_path / "there").glob("cells/*/run.log"))).read_text()
    assert set(cluster.pids()) == before


def test_a_finished_run_leaves_no_processes(tmp_path, cluster):
    run_tournament(settings("steady", "caller"), dask_means(cluster, tmp_path / "there"))
    for idle in cluster.client.run(count_idle).values():
        assert idle == 0


def count_idle():
    from trutdsl.tournaments.cluster import _idle

    return len(_idle._supervisors)


def test_finished_chunks_survive_a_dead_scheduler(tmp_path):
    alone = Cluster(tmp_path)
    request = settings("steady", "caller", "uniform", sets=3000)
    try:
        with pytest.raises(Failure, match="scheduler of the cluster is gone"):
            run_tournament(
                request,
                dask_means(alone, tmp_path / "run", chunk=20),
                ActAfterChunks(5, alone.scheduler.kill),
            )
    finally:
        alone.stop()
    run_tournament(request, Means(out=str(tmp_path / "run"), jobs=2))
    run_tournament(request, Means(out=str(tmp_path / "here"), jobs=2))
    assert digest(tmp_path / "here") == digest(tmp_path / "run")


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--executor", "dask"], "--executor dask and --scheduler ADDRESS go together"),
        (["--scheduler", "tcp://127.0.0.1:1"], "go together"),
        (["--executor", "dask", "--scheduler", "x", "--jobs", "2"], "--jobs and --start-method"),
        (["--executor", "dask", "--scheduler", "no such:1"], "no scheduler answers there"),
    ],
)
@pytest.mark.parametrize("command", ["tournament", "compare trut:goal=2"])
def test_impossible_options_are_refused(tmp_path, monkeypatch, capsys, command, flags, message):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("trutdsl.tournaments.cluster.PATIENCE", 1.0)
    request = [*command.split(), "trut", "--strategies", "steady,caller"]
    more = ["-q"] if command != "tournament" else []
    assert run([*request, *more, *flags]) == 2
    printed_errors = capsys.readouterr().err
    assert message in printed_errors and len(printed_errors.splitlines()) == 1


def test_a_worker_of_another_version_is_refused():
    with pytest.raises(Failure, match=r"a worker of the cluster has trutdsl .*, not 0\.0\.9"):
        play_on_cluster(b"", "0.0.9", (0, 1))
