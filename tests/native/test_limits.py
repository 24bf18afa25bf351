"""Native play has the same limits as the reference engine, and reports them alike."""

import pytest
from whole_runs import results_of_runs

from trutdsl.diagnostics import Rejected
from trutdsl.game import DealStart, MatchResult, load_game
from trutdsl.ir.intervals import MOST_ACTIONS, MOST_DEALS
from trutdsl.native.play import FIRST_ROOM
from trutdsl.strategy.count import MatchCounter
from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.play import play_match
from trutdsl.table.faults import RuleError
from trutdsl.table.setting import SeatedPlayer

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
SLOW = """\
variant: slow
title: Won after so many deals
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts}, ranks: [A, K]}
rules: |
  rule match:
      repeat DEALS times:
          deal:
              end deal because x
      end match won by first side in teams
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
      most: 0 to MOST = MOST
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


def play_with_answer(state, events, answer):
    """Play a match with the same answer to each question; return its events and its end."""
    while state.pending is not None:
        if isinstance(state.pending, DealStart):
            state.next_deal()
        else:
            state.apply(answer)
    return [*events, state.counters(), state.to_dict()]


def test_any_number_of_events_is_reported(tmp_path):
    path = tmp_path / "busy.yaml"
    path.write_text(BUSY, encoding="utf-8")
    ends = []
    for engine in ("reference", "native"):
        events = []
        state = load_game(path, engine=engine).start(1, 0, events.append)
        ends.append(play_with_answer(state, events, 3999))
        assert sum(event["event"] == "counter" for event in events) == 2 * 4000 + 2
    assert ends[0] == ends[1]
    assert ends[0][-1]["variables"]["before"] == [8000]


@pytest.mark.parametrize("points", [FIRST_ROOM - 3, FIRST_ROOM - 2, FIRST_ROOM - 1, FIRST_ROOM])
def test_no_event_is_repeated_or_lost(tmp_path, points):
    path = tmp_path / "busy.yaml"
    path.write_text(BUSY, encoding="utf-8")
    ends = []
    for engine in ("reference", "native"):
        events = []
        state = load_game(path, engine=engine).start(1, 0, events.append)
        ends.append(play_with_answer(state, events, points))
    assert ends[0] == ends[1]


def start_bids(tmp_path, most, engine):
    path = tmp_path / "bids.yaml"
    path.write_text(BIDS.replace("MOST", str(most)), encoding="utf-8")
    state = load_game(path, engine=engine).start(1, 0)
    state.next_deal()
    return state


def test_a_question_can_have_the_largest_number_of_actions(tmp_path):
    ends = []
    for engine in ("reference", "native"):
        state = start_bids(tmp_path, MOST_ACTIONS - 1, engine)
        assert len(state.pending.actions) == MOST_ACTIONS
        pending, legal = state.pending, state.legal
        state.apply(14000)
        ends.append((pending, legal, state.counters()))
    assert ends[0] == ends[1]
    assert ends[0][2] == {"points": (14001, 0)}


def test_a_question_with_more_actions_is_refused(tmp_path):
    with pytest.raises(Rejected) as found:
        start_bids(tmp_path, MOST_ACTIONS, "native")
    (error,) = found.value.diagnostics
    assert (error.code, error.message) == (
        "too-large",
        "'turn' could have 16,385 actions; the maximum is 16,384",
    )
    assert error.span.line == 16


@pytest.mark.parametrize("name", ["optbomb", "optbomb2"])
def test_options_with_too_many_combinations_are_refused(root, name):
    with pytest.raises(Rejected) as found:
        load_game(root / "tests" / "hostile" / f"{name}.yaml", engine="reference")
    assert [(d.code, d.span.line) for d in found.value.diagnostics] == [("too-large", 12)]


TOO_MANY_QUESTIONS = "there are more than 5,000 questions without a new deal"


def ways_to_play(path):
    """Return ways to play match 0 at random: each engine, whole matches, counted matches."""
    uniform, seated = [load_strategy("uniform")] * 2, [SeatedPlayer("uniform")] * 2
    return (
        lambda: play_match(load_game(path, engine="reference"), uniform, 1, 0),
        lambda: play_match(load_game(path, engine="native"), uniform, 1, 0),
        lambda: results_of_runs(load_game(path, engine="native"), seated, 1, 0, 1),
        lambda: load_game(path, engine="native").count(seated, 1, 0, 1),
    )


@pytest.mark.parametrize("name", ["forever", "again"])
def test_every_form_stops_an_endless_deal_alike(root, name):
    found = []
    for play in ways_to_play(root / "tests" / "hostile" / f"{name}.yaml"):
        with pytest.raises(RuleError) as stopped:
            play()
        error = stopped.value.diagnostic
        found.append((error.code, error.message, str(error.span), error.notes))
    assert found[0][:2] == ("too-long", TOO_MANY_QUESTIONS)
    assert found == [found[0]] * len(found)


def test_every_form_draws_an_endless_match_alike(root):
    path = root / "tests" / "hostile" / "deals-wrap.yaml"
    slow, fast, (row,), counts = (play() for play in ways_to_play(path))
    assert slow == fast == MatchResult(None, MOST_DEALS, 0, {})
    assert slow.unfinished
    assert (row.winner, row.deals, row.decisions) == (None, MOST_DEALS, 0)
    assert (counts["winners"], counts["unfinished"]) == ((0, 0, 1), 1)
    counter = MatchCounter(load_game(path, engine="reference"), [load_strategy("uniform")] * 2, 1)
    counter.play(0)
    assert counter.counts() == counts


@pytest.mark.parametrize(("deals", "winner"), [(MOST_DEALS, 0), (MOST_DEALS + 1, None)])
def test_the_last_deal_can_win_a_match(tmp_path, deals, winner):
    path = tmp_path / "slow.yaml"
    path.write_text(SLOW.replace("DEALS", str(deals)))
    slow, fast, *_ = (play() for play in ways_to_play(path))
    assert slow == fast == MatchResult(winner, MOST_DEALS, 0, {})


def test_the_limit_of_questions_counts_all_deals(root, monkeypatch):
    path, found = root / "tests" / "hostile" / "many-deals.yaml", []
    monkeypatch.setenv("TRUTDSL_CACHE", "")
    for module in ("interp.machine", "native.emit.phases"):
        monkeypatch.setattr(f"trutdsl.{module}.MOST_QUESTIONS", 9_000)
    for engine in ("reference", "native"):
        game = load_game(path, engine=engine)
        with pytest.raises(RuleError) as stopped:
            play_match(game, [load_strategy("uniform")] * 2, 1, 0)
        found.append((stopped.value.diagnostic.message, stopped.value.diagnostic.notes))
    with pytest.raises(RuleError) as stopped:
        list(game.runs.rows([SeatedPlayer("uniform")] * 2, 1, 0, 1))
    found.append((stopped.value.diagnostic.message, stopped.value.diagnostic.notes))
    assert found[0][0] == "the match has more than 9,000 questions"
    assert found == [found[0]] * 3


PREPARED = """variant: prepared
title: Prepared
players: [2]
teams: {2: 2}
counters: {points: {help: A number.}}
pack: {suits: {h: hearts}, ranks: [A, K]}
rules: |
  match state:
      turns: 0 to 1000000
  rule match:
      repeat 9 times:
          turns = 0
          repeat 150000 times:
              repeat 10 times: turns = 7
          do speak
      deal:
          do speak
          end deal because spoken
      end match drawn
  rule speak:
      ask dealer "ready":
          pass
"""


def test_a_question_before_the_first_deal_ends_a_count_of_steps(tmp_path):
    """The same question needs no new count in a deal, where nothing is counted."""
    (tmp_path / "prepared.yaml").write_text(PREPARED)
    for play in ways_to_play(tmp_path / "prepared.yaml")[1:]:
        play()
