"""Native play has room for what the reference engine plays, and says so where it has not."""

import pytest

from trutdsl.game import DealStart, load_game
from trutdsl.native.match import FIRST_ROOM
from trutdsl.table import RuleError

BUSY = """\
variant: busy
title: Points up and down
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts}, ranks: [A, K]}
counters: {points: {help: Points.}}
rules: |
  match state:
      before: number
  rule match:
      repeat 2 times:
          deal:
              ask dealer "turn":
                  points n from 1 to 4000:
                      repeat n times:
                          points[team(dealer)] += 1
                          before += 1
              let die = roll 1 to 6
              points[team(dealer)] -= die
              end deal because played
      end match drawn
"""
BIDS = """\
variant: bids
title: Any number
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts}, ranks: [A, K]}
counters: {points: {help: Points.}}
rules: |
  match state:
      most: number = MOST
      bid: number
  rule match:
      deal:
          ask dealer "turn":
              bid n from 1 to most:
                  bid = n
              pass
          points[team(dealer)] += bid
          end deal because played
      end match drawn
"""


def told(state, events, answer):
    """Play a match in which each question has the same answer; return what was told of it."""
    while state.pending is not None:
        if isinstance(state.pending, DealStart):
            state.next_deal()
        else:
            state.apply(answer)
    return [*events, state.counters(), state.to_dict()]


def test_any_number_of_events_is_told(tmp_path):
    path = tmp_path / "busy.yaml"
    path.write_text(BUSY, encoding="utf-8")
    ends = []
    for engine in ("reference", "native"):
        events = []
        state = load_game(path, engine=engine).start(1, 0, events.append)
        ends.append(told(state, events, 3999))
        assert sum(event["event"] == "counter" for event in events) == 2 * 4000 + 2
    assert ends[0] == ends[1]
    assert ends[0][-1]["variables"]["before"] == [8000]


@pytest.mark.parametrize("points", [FIRST_ROOM - 3, FIRST_ROOM - 2, FIRST_ROOM - 1, FIRST_ROOM])
def test_no_event_is_told_twice_or_lost(tmp_path, points):
    path = tmp_path / "busy.yaml"
    path.write_text(BUSY, encoding="utf-8")
    ends = []
    for engine in ("reference", "native"):
        events = []
        state = load_game(path, engine=engine).start(1, 0, events.append)
        ends.append(told(state, events, points))
    assert ends[0] == ends[1]


def bids(tmp_path, most, engine):
    path = tmp_path / "bids.yaml"
    path.write_text(BIDS.replace("MOST", str(most)), encoding="utf-8")
    state = load_game(path, engine=engine).start(1, 0)
    state.next_deal()
    return state


def test_as_many_numbers_as_the_reference_allows(tmp_path):
    ends = []
    for engine in ("reference", "native"):
        state = bids(tmp_path, 4095, engine)
        assert len(state.pending.actions) == 4096
        pending, legal = state.pending, state.legal
        state.apply(4000)
        ends.append((pending, legal, state.counters()))
    assert ends[0] == ends[1]
    assert ends[0][2] == {"points": (4001, 0)}


def test_beyond_them_either_engine_refuses(tmp_path):
    for engine in ("reference", "native"):
        with pytest.raises(RuleError) as found:
            bids(tmp_path, 4097, engine)
        assert found.value.diagnostic.message == "'turn' has more than 4096 legal actions"
