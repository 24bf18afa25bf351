"""Harmful strategies: the tournament ends, names them, and keeps all other results."""

import json

import pytest
from forked import trutdsl

CHOOSE = "class S:\n    def choose(self, view):\n{}\n"
PICK = "        return view.actions[0]"

# Code of a move, and the kind of its fault.
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
# Code without a fault: the strategy plays its matches and affects nobody else.
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
WHOLE_FILES = {
    "import_raises": ("1 / 0\n" + CHOOSE.format(PICK), "raised ZeroDivisionError"),
    "import_ends": ("import os; os._exit(3)\n" + CHOOSE.format(PICK), "ended"),
}
FAULTS = {name: (CHOOSE.format(code), kind) for name, (code, kind) in MOVES.items()} | WHOLE_FILES


def tournament(folder, strategies, *more):
    return trutdsl(
        folder,
        *("tournament", "trut", "--strategies", strategies),
        *("--sets", "1", "--param", "goal=1", "--jobs", "2", "--seed", "1"),
        *more,
    )


@pytest.fixture(scope="module")
def clean_run(tmp_path_factory):
    """Return the folder of a run without bad strategies."""
    folder = tmp_path_factory.mktemp("alone")
    done = tournament(folder, "quiet,steady", "--out", "run", "--move-timeout", "60")
    assert done.returncode == 0, done.stderr
    return folder / "run"


def read_pairs(path, *without):
    lines = (path / "pairs.csv").read_text().splitlines()
    return [line for line in lines if not any(f"{name}," in line for name in without)]


def test_bad_strategies_forfeit_only_their_own_matches(tmp_path, clean_run):
    """Each forfeits its matches and is named with its fault; other results do not change."""
    harmless = {name: CHOOSE.format(code) for name, code in HARMLESS.items()}
    for name, text in {**{n: t for n, (t, _) in FAULTS.items()}, **harmless}.items():
        (tmp_path / f"{name}.py").write_text(text)
    assert len(FAULTS) + len(harmless) >= 20
    for names in (list(FAULTS)[::3], list(FAULTS)[1::3], list(FAULTS)[2::3], list(harmless)):
        strategies = ",".join([*(f"{name}.py" for name in names), "quiet", "steady"])
        # A gigabyte takes time; the harmless ones have no loop that needs a short limit.
        limit = "60" if names == list(harmless) else "0.2"
        done = tournament(
            tmp_path, strategies, "--out", f"with-{names[0]}", "--move-timeout", limit
        )
        assert done.returncode == int(names != list(harmless)), done.stderr[-2000:]
        run = tmp_path / f"with-{names[0]}"
        assert read_pairs(run, *names) == read_pairs(clean_run)
        faults = json.loads((run / "results.json").read_text())["faults"]
        found = {fault["strategy"]: fault["kind"] for fault in faults}
        if names == list(harmless):
            assert found == {}
            continue
        assert found.keys() == set(names), found
        for name in names:
            assert found[name].startswith(FAULTS[name][1]), (name, found[name])
            assert f"{name} forfeited" in done.stdout


# Ends its process in a fifth of the matches, by its first hand as cards or as masks.
ENDS_IN_A_FIFTH = """\
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


def test_the_end_of_a_process_loses_the_same_matches_in_arrays_and_views(tmp_path):
    """Choices for many matches at once lose and count the same as single choices."""
    runs = []
    for folder, text in (
        ("arrays", ENDS_IN_A_FIFTH),
        ("views", ENDS_IN_A_FIFTH.replace("choose_batch", "other")),
    ):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "fifth.py").write_text(text)
        args = ("fifth.py,quiet", "--out", "run", "--seed", "7", "--move-timeout", "60")
        done = tournament(tmp_path / folder, *args, "--sets", "10", "--chunk", "10")
        assert done.returncode == 1, done.stderr[-2000:]
        runs.append(tmp_path / folder / "run")
    arrays, views = (json.loads((run / "results.json").read_text()) for run in runs)
    assert arrays["faults"] == views["faults"]
    lost = sum(fault["matches"] for fault in views["faults"])
    assert 0 < lost < 10  # of 20
    assert read_pairs(runs[0]) == read_pairs(runs[1])
