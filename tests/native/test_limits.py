"""What native play cannot tell it refuses, and says which engine can."""

import pytest

from trutdsl.game import DealStart, load_game
from trutdsl.table import RuleError

RULES = """\
variant: busy
title: Points up and down
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts}, ranks: [A, K]}
counters: {points: {help: Points.}}
rules: |
  rule match:
      deal:
          repeat 3000 times:
              points[team(dealer)] += 1
              points[team(dealer)] -= 1
          end deal because played
      end match drawn
"""


def test_more_events_than_can_be_told_are_no_silence(tmp_path):
    path = tmp_path / "busy.yaml"
    path.write_text(RULES, encoding="utf-8")
    events = []
    state = load_game(path, engine="reference").start(1, 0, events.append)
    assert isinstance(state.pending, DealStart)
    state.next_deal()
    assert sum(event["event"] == "counter" for event in events) == 6000
    state = load_game(path, engine="native").start(1, 0)
    with pytest.raises(RuleError) as found:
        state.next_deal()
    assert "more than 4,096 things" in str(found.value)
    assert found.value.diagnostic.help == "play it with `--engine reference`"
