"""Golden files: one match of every variant and number of players, which a person has reviewed.

A change of rules, engine or streams shows as a difference here. `--update` accepts it.
"""

import pytest
from tables import SHIPPED

from trutdsl.game import load_game
from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.play import play_match
from trutdsl.transcript.events import Recorder, event_line, match_event


@pytest.mark.parametrize(("name", "players"), SHIPPED, ids=str)
def test_golden_transcript(name, players, root, expect_file):
    game = load_game(name, players, engine="reference")
    seating = [load_strategy("uniform" if team else "steady") for team in game.teams]
    events = [match_event(game, [s.name for s in seating], 5, 0)]
    recorder = Recorder(events.append)
    play_match(game, seating, 5, 0, recorder)
    recorder.flush()
    expect_file(root / f"tests/golden/{name}-{players}p.jsonl", "".join(map(event_line, events)))
