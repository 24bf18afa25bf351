"""Live views fit terminals of several widths and cut nothing important."""

import os
import re
import select
from io import StringIO

import at_a_terminal
import pytest
from fake_game import FOUR, FakeStrategy, experiment
from rich.console import Console
from test_screen import begin_progress, finish_chunk

from trutdsl.cli import progress
from trutdsl.cli.match_progress import MatchProgress, PlayPace
from trutdsl.cli.progress import CellProgress

LONG_NAME = "a-strategy-with-a-name-of-more-than-fifty-letters-as-some-have"
WIDTHS = [60, 80, 100, 140]


@pytest.fixture(params=WIDTHS)
def terminal(request):
    return Console(file=StringIO(), force_terminal=True, width=request.param, height=24)


def last_view(console):
    """Return the text of the last view, and the length of its longest line."""
    frames = re.split(r"\r|\x1b\[1A|\x1b\[2K", console.file.getvalue())
    plain = [re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", frame) for frame in frames]
    lines = [frame for frame in plain if frame.strip()][-1].split("\n")
    return " ".join(" ".join(lines).split()), max(map(len, lines))


def test_a_tournament(terminal, monkeypatch):
    monkeypatch.setattr(progress, "REFRESH", 0.0)
    bad = FakeStrategy("bad", trouble="raise", at=3)
    plan, now = experiment((FOUR[0], FakeStrategy(LONG_NAME, 0.6), bad), sets=300), [0.0]
    notice = begin_progress(plan, terminal)
    notice._pace = PlayPace(lambda: now[0])
    for first in (0, 100, 150):
        notice.add_chunk(finish_chunk(plan, first, 50))
        now[0] += 10
    text, longest = last_view(terminal)
    notice.end()
    assert longest <= terminal.width
    expected = r"150 of 200 sets, [\d,]+ deals, [\d,]+ deals/s, about \d+ s left, forfeited: bad 4;"
    assert re.search(expected + " 2 workers score so far 95 %, at any time", text), text
    assert len(re.findall(r" 0\.\d{2} 0\.\d{2} to 0\.\d{2}", text)) == 3
    assert LONG_NAME[:24] in text and LONG_NAME[-5:] in text


def test_a_simulation(terminal):
    now = [0.0]
    with MatchProgress(10**9, terminal, lambda: now[0]) as reporter:
        for _ in range(3):
            reporter.add_counts({"matches": 123_456, "deals": 7_654_321})
            now[0] += 7
    text, longest = last_view(terminal)
    assert longest <= terminal.width
    expected = (
        "370,368 of 1,000,000,000 matches, 22,962,963 deals, 1,093,474 deals/s, about 15.7 h left"
    )
    assert text[2:] == expected


def test_a_terminal_of_no_known_width_shows_progress(monkeypatch):
    monkeypatch.setenv("COLUMNS", "0")
    with at_a_terminal.terminal(80) as (ours, its), os.fdopen(its, "w", closefd=False) as file:
        monkeypatch.setattr("sys.stderr", file)
        with MatchProgress(10) as reporter:
            reporter.add(3, 40)
        assert progress.ScreenNotice()._console.width == 80
        file.flush()
        shown, text = b"", b"3 of 10 matches, 40 deals"
        while text not in shown and select.select([ours], [], [], 5)[0]:
            shown += os.read(ours, 1000)  # a frame may come in several parts
        assert text in shown


def test_a_comparison(terminal):
    with CellProgress(terminal) as reporter:
        reporter.begin(f"goal=3 [of 9], {LONG_NAME}", 12, 345)
        reporter.add_chunk(finish_chunk(experiment(FOUR[:2], sets=300), 0, 50))
    text, longest = last_view(terminal)
    assert longest <= terminal.width
    assert text[2:].replace(" ", "") == f"12of345:goal=3[of9],{LONG_NAME},50sets"
