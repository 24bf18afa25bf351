"""Harmful strategies: the tournament ends, names them, and keeps all other results."""

import json

import pytest
from extent import extent
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
    "no_len": ("        import builtins; del builtins.len\n" + PICK, "damaged its interpreter"),
    "no_view": (
        "        import trutdsl.strategy.play as play; play.make_view = None\n" + PICK,
        "damaged its interpreter",
    ),
    "limits": (
        "        import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))\n" + PICK,
        "damaged its interpreter",
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


@pytest.fixture
def play(tmp_path, clean_run):
    """Return a function that plays a tournament with strategies of this module.

    It checks that other results do not change, and returns the faults and the output.
    """
    for name, (text, _) in FAULTS.items():
        (tmp_path / f"{name}.py").write_text(text)
    for name, code in HARMLESS.items():
        (tmp_path / f"{name}.py").write_text(CHOOSE.format(code))

    def play_tournament(names, *more):
        strategies = ",".join([*(f"{name}.py" for name in names), "quiet", "steady"])
        done = tournament(tmp_path, strategies, "--out", "with", *more)
        assert done.returncode == (not FAULTS.keys().isdisjoint(names)), done.stderr[-2000:]
        assert read_pairs(tmp_path / "with", *names) == read_pairs(clean_run)
        faults = json.loads((tmp_path / "with/results.json").read_text())["faults"]
        for name in FAULTS.keys() & set(names):
            assert f"{name} forfeited" in done.stdout
        return {fault["strategy"]: fault["kind"] for fault in faults}

    return play_tournament


@pytest.mark.parametrize("part", range(extent(1, 3)))
def test_bad_strategies_forfeit_only_their_own_matches(play, part):
    """Each forfeits its matches and is named with its fault; other results do not change."""
    assert len(FAULTS) + len(HARMLESS) >= 20
    names = list(FAULTS)[part::3]
    found = play(
        names, "--format", "one-against-all", "--against", "quiet", "--move-timeout", "0.2"
    )
    assert found.keys() == set(names), found
    for name in names:
        assert found[name].startswith(FAULTS[name][1]), (name, found[name])


def test_harmless_strategies_forfeit_nothing(play):
    """They meet each other and bad strategies, and none of them waits for a short limit."""
    found = play([*HARMLESS, "raises", "illegal"], "--move-timeout", "60")  # a gigabyte takes time
    assert found.keys() == {"raises", "illegal"}


HARMS = {  # nothing fails in the match itself
    "reports": "import json; json.dumps = None",
    "sums": "import builtins; builtins.sum = lambda *_: 0",
}


def test_damage_to_the_interpreter_is_blamed_on_the_strategy_that_does_it(tmp_path):
    """Another one in Python, which meets it in the same process, loses nothing."""
    for name, code in HARMS.items():
        (tmp_path / f"{name}.py").write_text(CHOOSE.format(f"        {code}\n{PICK}"))
    needs = "        if sum([1, 1]) != 2: raise ValueError\n"
    (tmp_path / "fair.py").write_text(CHOOSE.format(needs + PICK))
    pairs = []
    for folder, names in (("with", [*HARMS, "fair"]), ("alone", ["fair"])):
        strategies = ",".join([*(f"{name}.py" for name in names), "quiet"])
        tournament(tmp_path, strategies, "--out", folder, "--move-timeout", "60")
        pairs.append(read_pairs(tmp_path / folder, *HARMS))
    assert len(pairs[0]) == 2 and pairs[0] == pairs[1]
    faults = json.loads((tmp_path / "with/results.json").read_text())["faults"]
    assert {f["kind"] for f in faults} == {"damaged its interpreter"}
    assert {f["strategy"] for f in faults} == HARMS.keys()
    assert sum(f["matches"] for f in faults) == 10, "all matches of the two"


def test_damage_that_only_changes_results_is_found(tmp_path):
    code = "        type(view.random).below = lambda *_: 0\n"
    (tmp_path / "luck.py").write_text(CHOOSE.format(code + PICK))
    done = tournament(tmp_path, "luck.py,quiet", "--out", "run", "--move-timeout", "60")
    assert "luck forfeited 2 matches: it damaged its interpreter" in done.stdout


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
