"""Estimates of the remaining time from the pace of a run."""

import pytest

from trutdsl.cli.match_progress import Pace
from trutdsl.language import spoken_time


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def test_the_remaining_time_follows_from_the_pace(clock):
    pace = Pace(clock)
    for _ in range(20):
        clock.now += 0.5
        pace.add(5)
    assert pace.rate == pytest.approx(10)
    assert pace.time_for(600) == pytest.approx(60)


def test_there_is_no_estimate_too_early(clock):
    pace = Pace(clock)
    assert pace.time_for(10) is None
    clock.now += 20  # start of workers and compilation
    pace.add(1)
    assert pace.time_for(10) is None
    clock.now += 0.1
    pace.add(1)
    assert pace.time_for(10) is None
    clock.now += 5
    assert pace.time_for(10) == pytest.approx(51)


def test_the_estimate_grows_while_a_run_stands_still(clock):
    pace = Pace(clock)
    pace.add(1)
    clock.now += 10
    pace.add(100)
    first = pace.time_for(100)
    clock.now += 10
    assert pace.time_for(100) == pytest.approx(2 * first)


def test_a_change_of_pace_shows_within_the_window(clock):
    pace = Pace(clock)
    for _ in range(100):
        clock.now += 1
        pace.add(100)
    for _ in range(31):
        clock.now += 1
        pace.add(10)
    assert pace.rate == pytest.approx(10, rel=0.35)


@pytest.mark.parametrize("speed", [0.3, 7, 250])
def test_the_estimate_is_right_at_any_speed_and_size_of_chunk(clock, speed):
    """It is right within a quarter at any time: two workers, chunks of about half a second."""
    pace, total, done = Pace(clock), int(speed * 300), 0
    size = max(1, int(speed / 2))
    while done < total:
        clock.now += size / speed
        pace.add(size)
        done += size
        if pace.elapsed > 20 and total - done > 10:
            assert pace.time_for(total - done) == pytest.approx((total - done) / speed, rel=0.25)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.2, "1 s"),
        (61, "61 s"),
        (100, "2 min"),
        (3000, "50 min"),
        (7200, "2.0 h"),
        (400000, "4.6 days"),
        (8e9, "92,592.6 days"),
    ],
)
def test_times_in_words(seconds, words):
    assert spoken_time(seconds) == words
