"""Ctrl-C stops machine code soon, whatever the rules do."""

import subprocess
import sys
import time

import pytest

from trutdsl.game import load_game
from trutdsl.native.abi import OFTEN
from trutdsl.native.play import runs
from trutdsl.native.play.runs import SELDOM, WATCH_PAUSE, Watch
from trutdsl.table.setting import SeatedPlayer

# Interrupts each form of play after a while, and prints the processor time until it has stopped.
DRIVER = """
import signal, sys, time
from trutdsl.game import load_game
from trutdsl.table.setting import SeatedPlayer

game = load_game(sys.argv[1], engine="native")
plays = {
    "run": lambda: list(game.runs.rows([SeatedPlayer("uniform")] * 2, 1, 0, 10)),
    "count": lambda: game.count([SeatedPlayer("uniform")] * 2, 1, 0, 10),
    "steps": lambda: through(game.start(1, 0)),
    "batch": lambda: answered(game),
}

def through(state):
    while state.pending is not None:
        state.next_deal() if state.legal == () else state.apply(0)

def answered(game):
    from trutdsl.native.play.batch import Batch
    batch = Batch(game.steps, 1, 0, 50)
    while len(batch.waiting):
        batch.answer(batch.waiting * 0)

_ = game.runs, game.counting, game.steps
interrupted = []

def interrupt(number, frame):
    interrupted.append(time.process_time())
    raise KeyboardInterrupt

signal.signal(signal.SIGPROF, interrupt)
for play in plays.values():
    signal.setitimer(signal.ITIMER_PROF, 0.2)
    sent = time.process_time() + 0.2
    try:
        play()
        print("came to its end")
    except KeyboardInterrupt:
        print(time.process_time() - sent)
"""
MOST_SECONDS = 2.0  # seconds of processor time


def test_every_form_of_play_stops_soon(root):
    path = root / "tests" / "hostile" / "slow.yaml"
    done = subprocess.run(
        [sys.executable, "-c", DRIVER, str(path)],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    seconds = done.stdout.splitlines()
    assert len(seconds) == 4 and max(map(float, seconds)) < MOST_SECONDS


WIDE = """\
variant: wide
title: Hands of any size
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts}, ranks: [A, K]}
rules: |
  zone stock: starts with pack_cards, seen by all
  match state:
      least: number = -2147483648
      most: number = 2147483647
  rule match:
      ask dealer "take":
          take some from least to most cards of stock: end match drawn
"""


def test_sizes_that_no_hand_has_take_no_time(tmp_path, monkeypatch):
    monkeypatch.setenv("TRUTDSL_QUICK", "1")
    (tmp_path / "wide.yaml").write_text(WIDE)
    begin = time.process_time()
    state = load_game(tmp_path / "wide.yaml", engine="native").start(1, 0)
    assert state.pending.texts == ("take", "take Ah", "take Kh", "take Ah Kh")
    assert time.process_time() - begin < MOST_SECONDS


@pytest.fixture
def clock(monkeypatch):
    """Return a list with the current time of the fake clock."""
    now = [0.0]
    monkeypatch.setattr(runs.time, "perf_counter", lambda: now[0])
    return now


def test_the_interval_between_checks_doubles_while_steps_are_fast(clock):
    watch = Watch().call
    assert [watch() for _ in range(9)] == [min(OFTEN << n, SELDOM) for n in range(1, 10)]
    clock[0] += WATCH_PAUSE
    assert watch() == OFTEN
    assert watch() == 2 * OFTEN


def test_an_exception_stops_the_match():
    watch = Watch()
    watch.exceptions.append(KeyboardInterrupt())
    assert watch.call() == 0


@pytest.mark.usefixtures("clock")
def test_many_matches_call_the_watch_rarely(monkeypatch):
    """The bound of the steps of a Tute deal is far above its actual steps."""
    calls, look = [], Watch._look

    def record_calls(self):
        for steps in look(self):
            calls.append(steps)
            yield steps

    monkeypatch.setattr(Watch, "_look", record_calls)
    list(
        load_game("tute", 4, engine="reference").runs.rows([SeatedPlayer("uniform")] * 4, 1, 0, 200)
    )
    assert 1 < len(calls) < 50
