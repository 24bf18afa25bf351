"""A bot that never answers has the same fault, whichever of two clocks stops it first."""

from trutdsl.cli.app import run
from trutdsl.strategy import bots
from trutdsl.strategy.spec import OutOfTime

BOT = "# Never answers.\nsleep 1000\n"
CLOCK = "0.4"
EARLIER, SAME_TIME, LATER = 0.1, 0.4, 60.0  # seconds until the bot counts as silent


def test_the_results_do_not_depend_on_the_first_clock(tmp_path, monkeypatch):
    (tmp_path / "mute.bot").write_text(BOT)
    monkeypatch.chdir(tmp_path)
    found = set()
    for number, silence in enumerate((EARLIER, SAME_TIME, LATER)):
        monkeypatch.setattr(bots, "SILENCE", silence)
        out = f"run-{number}"
        call = [
            "tournament",
            "trut",
            "--strategies",
            "quiet,mute.bot",
            "--sets",
            "1",
            "--seed",
            "1",
        ]
        assert run([*call, "--move-timeout", CLOCK, "--jobs", "2", "--out", out]) == 1
        found.add((tmp_path / out / "results.json").read_bytes())
    assert len(found) == 1
    assert OutOfTime.kind.encode() in found.pop()
