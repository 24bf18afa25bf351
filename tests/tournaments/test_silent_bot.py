"""A bot that never answers loses by one cause, whichever of two clocks says so first."""

from trutdsl.cli.app import run
from trutdsl.strategy import OutOfTime, bots

BOT = "# Never answers.\nsleep 1000\n"
CLOCK = "0.4"
SOONER, AS_SOON, LATER = 0.1, 0.4, 60.0  # seconds after which the bot is thought to be silent


def test_whichever_clock_is_first_the_results_are_the_same(tmp_path, monkeypatch):
    (tmp_path / "mute.bot").write_text(BOT)
    monkeypatch.chdir(tmp_path)
    found = set()
    for number, silence in enumerate((SOONER, AS_SOON, LATER)):
        monkeypatch.setattr(bots, "SILENCE", silence)
        out = f"run-{number}"
        begin = [
            "tournament",
            "trut",
            "--strategies",
            "quiet,mute.bot",
            "--sets",
            "1",
            "--seed",
            "1",
        ]
        assert run([*begin, "--move-timeout", CLOCK, "--jobs", "2", "--out", out]) == 1
        found.add((tmp_path / out / "results.json").read_bytes())
    assert len(found) == 1
    assert OutOfTime.kind.encode() in found.pop()
