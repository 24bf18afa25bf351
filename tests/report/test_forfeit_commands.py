"""The command that is printed for each kind of fault reproduces the fault."""

import re
import shlex
import sys

from forked import MAIN, trutdsl

CHOOSE = "class S:\n    def choose(self, view):\n{}\n"
PICK = "        return view.actions[0]\n"
# Faults with the messages of their repetitions. Some faults need certain cards, so that they do not
# occur in the first match.
WITH_CERTAIN_CARDS = """\
        hand = view.cards("hand")
        if len(hand) < 3 or hand[0] not in ("7s", "Kd", "Kh"):
            return view.actions[0]
"""
FAULTS = {
    "raises": (
        WITH_CERTAIN_CARDS + "        1 / 0",
        "failed in match {match}, .* player {player}: ZeroDivisionError",
    ),
    "illegal": (
        WITH_CERTAIN_CARDS + "        return 'no'",
        "no legal action in match {match}, .* player {player}:",
    ),
    "loops": (
        "        while True: pass",
        "match {match}, .* player {player}: OutOfTime: computing",
    ),
    "interrupts": (
        "        raise KeyboardInterrupt",
        "{match}, .* player {player}: KeyboardInterrupt",
    ),
    "exits": (
        "        import os; os._exit(3)",
        "in match {match}, .* player {player}: SystemExit: 3",
    ),
    "closes": (
        "        import os; os.closerange(3, 256)\n" + PICK,
        "player {player} has turned off its move clock",
    ),
    "arrays": (
        PICK + "    def choose_batch(self, seen, names):\n        raise ValueError(seen.seat[0])",
        "in match {match}: ValueError: {seat}",
    ),
}
# Fails only at a score that no match starts with.
AHEAD = """\
class S:
    def choose(self, view):
        if view.counters["longs"] == (6, 6) and view.cards("hand")[0][0] in "7JQ":
            raise LookupError(view.counters["petits"])
        return view.actions[0]
"""
SILENT = "import sys, time\nfor line in sys.stdin:\n    pass\n"
FORFEITS = re.compile(
    r"(\S+) forfeited .*: it .*, first in match (\d+) as player (\d); again with\n  (.*)"
)

ENDLESS = """\
        while True:
            try:
                for _ in range(10**9): pass
            except BaseException: pass
"""
# The command, with a short wait before it ends a choice that exceeds its time.
SHORT_WAIT = (
    f"import trutdsl.tournaments.move_clock as clock\nclock.LATER, clock.LATER_BY = 1, 0.1\n{MAIN}"
)


def write(folder, texts):
    for name, text in texts.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def forfeits(done, code=1):
    """Return the strategy, match, seat and command of each printed fault."""
    assert done.returncode == code, done.stderr
    return FORFEITS.findall(done.stdout)


def run_printed_command(folder, command):
    program, *arguments = shlex.split(command)
    assert program == "trutdsl"
    return trutdsl(folder, *arguments)


def test_faults_in_matches(tmp_path):
    write(tmp_path, {f"their/{name}.py": CHOOSE.format(text) for name, (text, _) in FAULTS.items()})
    write(tmp_path, {"their/b.py": SILENT, "their/silent.bot": f"{sys.executable} -SE b.py\n"})
    expected = {name: message for name, (_, message) in FAULTS.items()}
    expected["silent"] = "in match {match}, .* player {player}: OutOfTime: waiting"
    strategies = [f"their/{name}.py" for name in FAULTS] + ["their/silent.bot", "quiet"]
    done = trutdsl(
        *(tmp_path, "tournament", "trut", "--param", "goal=1", "--sets", "2", "--seed", "3"),
        *(
            "--strategies",
            ",".join(strategies),
            "--format",
            "one-against-all",
            "--against",
            "quiet",
        ),
        *("--move-timeout", "0.1", "--out", "run", "--jobs", "2"),
    )
    found = forfeits(done)
    assert {name for name, *_ in found} == expected.keys()
    assert forfeits(trutdsl(tmp_path, "results", "run"), 0) == found
    assert any(match != "1" for _, match, *_ in found)
    for name, match, player, command in found:
        repeated = run_printed_command(tmp_path, command)
        message = expected[name].format(match=match, player=player, seat=int(player) - 1)
        assert repeated.returncode == 1 and re.search(message, repeated.stderr), (message, repeated)


def test_faults_in_single_deals(tmp_path):
    write(tmp_path, {"ahead.py": AHEAD})
    done = trutdsl(
        *(tmp_path, "tournament", "trut", "--mode", "deals", "--metric", "petits", "--sets", "9"),
        *("--score", "longs=6,6", "--score", "petits=2,1", "--seed", "2", "--out", "run"),
        *("--strategies", "ahead.py,quiet", "--jobs", "1"),
    )
    [(_, match, seat, command)] = forfeits(done)
    repeated = run_printed_command(tmp_path, command)
    message = f"in match {match}, deal 1, asked for '.*' as player {seat}: LookupError: \\(2, 1\\)"
    assert repeated.returncode == 1 and re.search(message, repeated.stderr), repeated


def test_an_endless_choice_ends_the_command(tmp_path):
    write(tmp_path, {"insists.py": CHOOSE.format(ENDLESS)})
    call = ("simulate", "trut", "--strategies", "insists.py,quiet", "--move-timeout", "0.1")
    done = trutdsl(tmp_path, *call, program=SHORT_WAIT)
    message = (
        "strategy 'insists' (insists.py) as player 1 goes on after computing for more than 0.1 s"
    )
    assert (done.returncode, done.stderr) == (1, f"error: {message}\n")
