"""Whatever rules do in machine code, Ctrl-C ends it soon."""

import subprocess
import sys

import pytest

# Play is interrupted after a moment; told is the processor time until it has stopped.
DRIVER = """
import signal, sys, time
from trutdsl.game import load_game

game = load_game(sys.argv[1], engine="native")
plays = {
    "run": lambda: list(game.run_uniform(["uniform"] * 2, 1, 0, 10)),
    "count": lambda: game.count(["uniform"] * 2, 1, 0, 10),
    "steps": lambda: through(game.start(1, 0)),
    "batch": lambda: answered(game),
}

def through(state):
    while state.pending is not None:
        state.next_deal() if state.legal == () else state.apply(0)

def answered(game):
    from trutdsl.native.batch import Batch
    batch = Batch(game.steps, 1, 0, 50)
    while len(batch.waiting):
        batch.answer(batch.waiting * 0)

_ = game.runs, game.counting, game.steps
interrupted = []

def interrupt(number, frame):
    interrupted.append(time.process_time())
    raise KeyboardInterrupt

signal.signal(signal.SIGPROF, interrupt)
signal.setitimer(signal.ITIMER_PROF, 0.5)
sent = time.process_time() + 0.5
try:
    plays[sys.argv[2]]()
    print("came to its end")
except KeyboardInterrupt:
    print(time.process_time() - sent)
"""
SOON = 2.0  # seconds of processor time


@pytest.mark.parametrize("form", ["run", "count", "steps", "batch"])
def test_every_form_of_play_stops_soon(root, form):
    path = root / "tests" / "hostile" / "slow.yaml"
    done = subprocess.run(
        [sys.executable, "-c", DRIVER, str(path), form],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    assert float(done.stdout) < SOON
