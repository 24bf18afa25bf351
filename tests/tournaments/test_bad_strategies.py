"""Strategies that do harm in a tournament: it ends, names them, and spoils no other result."""

import json

import pytest
from forked import trutdsl

CHOOSE = "class S:\n    def choose(self, view):\n{}\n"
PICK = "        return view.actions[0]"

# What it does in its move: (code, kind of fault).
MOVES = {
    "raises": ("        1 / 0", "raised ZeroDivisionError"),
    "illegal": ("        return view.actions[0]._replace(text='play 1x')", "chose no legal action"),
    "wrong_type": ("        return 3", "chose no legal action"),
    "no_action": ("        return None", "chose no legal action"),
    "exits": ("        raise SystemExit(0)", "raised SystemExit"),
    "interrupts": ("        raise KeyboardInterrupt", "raised KeyboardInterrupt"),
    "os_exit": ("        import os; os._exit(0)", "ended"),
    "kills": ("        import os; os.kill(os.getpid(), 9)", "ended"),
    "segfault": ("        import ctypes; ctypes.string_at(0)", "ended"),
    "loops": ("        while True: pass", "took too long"),
    "sleeps": ("        import time; time.sleep(10**6)", "took too long"),
    "insists": (
        "        while True:\n            try:\n                while True: pass\n"
        "            except BaseException: pass",
        "took too long",
    ),
    "deep": ("        return self.choose(view)", "raised RecursionError"),
    "closes": ("        import os; os.closerange(3, 256)\n" + PICK, "ended"),
    "no_clock": (
        "        import signal; signal.signal(signal.SIGALRM, signal.SIG_IGN)\n" + PICK,
        "ended",
    ),
    "no_words": (
        "        class E(Exception):\n            __str__ = lambda self: 1 / 0\n        raise E",
        "raised E",
    ),
}
# What is no fault: it plays its matches, and nobody else notices.
HARMLESS = {
    "gigabyte": "        S.much = getattr(S, 'much', None) or bytearray(2**30)\n" + PICK,
    "changes": (
        "        for one in (view.zones, view.counters, view.variables):\n            try:\n"
        "                one.clear()\n            except Exception: pass\n" + PICK
    ),
    "seeds": "        import random; random.seed(1); random.random()\n" + PICK,
    "prints": "        print('x' * 100_000)\n" + PICK,
    "threads": (
        "        import threading, time\n"
        "        threading.Thread(target=time.sleep, args=(10**6,), daemon=True).start()\n" + PICK
    ),
    "unpicklable": "        self.odd = lambda: (yield)\n" + PICK,
}
WHOLE = {
    "import_raises": ("1 / 0\n" + CHOOSE.format(PICK), "raised ZeroDivisionError"),
    "import_ends": ("import os; os._exit(3)\n" + CHOOSE.format(PICK), "ended"),
}
BAD = {name: (CHOOSE.format(code), kind) for name, (code, kind) in MOVES.items()} | WHOLE


def tournament(folder, strategies, *more):
    return trutdsl(
        folder,
        *("tournament", "trut", "--strategies", strategies),
        *("--sets", "1", "--param", "goal=1", "--jobs", "2", "--seed", "1"),
        *more,
    )


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The files of a run without anybody bad."""
    folder = tmp_path_factory.mktemp("alone")
    done = tournament(folder, "quiet,steady", "--out", "run", "--move-timeout", "60")
    assert done.returncode == 0, done.stderr
    return folder / "run"


def pairs(path, *without):
    lines = (path / "pairs.csv").read_text().splitlines()
    return [line for line in lines if not any(f"{name}," in line for name in without)]


def test_all_of_them_at_once(tmp_path, alone):
    """Each forfeits what it plays in and is named with what it did; all else is as without it."""
    harmless = {name: CHOOSE.format(code) for name, code in HARMLESS.items()}
    for name, text in {**{n: t for n, (t, _) in BAD.items()}, **harmless}.items():
        (tmp_path / f"{name}.py").write_text(text)
    assert len(BAD) + len(harmless) >= 20
    for names in (list(BAD)[::3], list(BAD)[1::3], list(BAD)[2::3], list(harmless)):
        given = ",".join([*(f"{name}.py" for name in names), "quiet", "steady"])
        # A gigabyte takes a machine its time; no loop among the harmless ones needs a short limit.
        patience = "60" if names == list(harmless) else "0.2"
        done = tournament(tmp_path, given, "--out", f"with-{names[0]}", "--move-timeout", patience)
        assert done.returncode == int(names != list(harmless)), done.stderr[-2000:]
        run = tmp_path / f"with-{names[0]}"
        assert pairs(run, *names) == pairs(alone)
        faults = json.loads((run / "results.json").read_text())["faults"]
        found = {fault["strategy"]: fault["kind"] for fault in faults}
        if names == list(harmless):
            assert found == {}
            continue
        assert found.keys() == set(names), found
        for name in names:
            assert found[name].startswith(BAD[name][1]), (name, found[name])
            assert f"{name} forfeited" in done.stdout


# Ends its process in a match out of five, by the first hand that it gets: card by card, or masks.
FIFTH = """\
import os

import numpy as np

NUMBERS = {}


class Fifth:
    reads = ("hand",)

    def choose(self, view):
        cards = NUMBERS or NUMBERS.update({c: i for i, c in enumerate(view.strengths)}) or NUMBERS
        mask = sum(1 << cards[card] for card in view.cards("hand"))
        if view.deal == 0 and len(view.cards("hand")) == 3 and mask % 5 == 0:
            os._exit(0)
        return view.actions[-1]

    def choose_batch(self, seen, names):
        hand = seen.zones["hand"][np.arange(len(seen.seat)), seen.seat]
        if ((seen.deal == 0) & (np.bitwise_count(hand) == 3) & (hand % np.uint64(5) == 0)).any():
            os._exit(0)
        word = np.array([max(w for w in range(len(row)) if row[w]) for row in seen.legal])
        last = seen.legal[np.arange(len(word)), word]
        return 64 * word + np.array([int(one).bit_length() - 1 for one in last.tolist()])
"""


def test_who_ends_the_process_for_many_matches_loses_those_alone_where_it_does(tmp_path):
    """The same is lost, and the same is counted, as where it is asked in each match by itself."""
    runs = []
    for folder, text in (("arrays", FIFTH), ("views", FIFTH.replace("choose_batch", "other"))):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "fifth.py").write_text(text)
        given = ("fifth.py,quiet", "--out", "run", "--seed", "7", "--move-timeout", "60")
        done = tournament(tmp_path / folder, *given, "--sets", "10", "--chunk", "10")
        assert done.returncode == 1, done.stderr[-2000:]
        runs.append(tmp_path / folder / "run")
    arrays, views = (json.loads((run / "results.json").read_text()) for run in runs)
    assert arrays["faults"] == views["faults"]
    lost = sum(fault["matches"] for fault in views["faults"])
    assert 0 < lost < 10  # of 20
    assert pairs(runs[0]) == pairs(runs[1])
