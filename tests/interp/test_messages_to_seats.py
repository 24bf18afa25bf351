"""Messages to seats beside questions: announcements and passed cards."""

import json
from pathlib import Path

import pytest

from trutdsl.game import Announcement, DealStart, PassedCards, load_game
from trutdsl.report.telling import tell_match
from trutdsl.strategy.bots import questions_of
from trutdsl.table.match import read_passed, routes_of
from trutdsl.transcript.events import Recorder, event_line, match_event, read_transcript

GOOD = Path(__file__).parents[1] / "good"
ENGINES = ("reference", "native")


def play_first_deal(name, engine, answers, events=None, match=0):
    """Return the first deal after these answers; each is the first word of an action."""
    game = load_game(GOOD / f"{name}.yaml", 4, engine=engine)
    state = game.start(3, match, events.append if events is not None else None)
    for word in answers:
        while isinstance(state.pending, DealStart):
            state.next_deal()
        texts = [action.text.split()[0] for action in state.pending.actions]
        state.apply(texts.index(word))
    return state


def heard(state, seat, kind):
    return [tuple(said) for said in state.sight(seat).history if isinstance(said, kind)]


@pytest.mark.parametrize("engine", ENGINES)
def test_an_announcement_is_in_the_history_of_its_hearers_only(engine):
    events = []
    state = play_first_deal("announcements", engine, ["calm", "good"], events)
    announced = [event for event in events if event["event"] == "announced"]
    assert [(e["seat"], e["what"], e["to"]) for e in announced] == [
        (0, "style", [0, 1, 2, 3]),
        (0, "worth", [0, 1, 2, 3]),
        (None, "cards", [0, 2]),
        (0, "first", [0, 1]),
        (None, "teller", [0]),
        (None, "high", [0, 1, 2, 3]),
        (0, "suit", [0, 2]),
        (0, "that is all", [0, 1, 2, 3]),
    ]
    assert announced[7]["value"] is True
    cards = state.match.cards("hand", 0)
    texts = [state.game.deck.texts[card] for card in cards]
    worth = sum(state.game.setting.deck.strength[card] for card in cards)
    assert announced[2]["value"] == texts
    assert announced[1]["value"] == worth
    everybody = [(0, "style", "calm"), (0, "worth", str(worth))]
    high = (-1, "high", "yes" if worth > 6 else "no")
    own = [(-1, "cards", " ".join(texts)), (0, "first", texts[0]), (-1, "teller", "0")]
    suit, end = (0, "suit", announced[6]["value"]), (0, "that is all", "yes")
    assert heard(state, 0, Announcement) == [*everybody, *own, high, suit, end]
    assert heard(state, 1, Announcement) == [*everybody, own[1], high, end]
    assert heard(state, 2, Announcement) == [*everybody, own[0], high, suit, end]
    assert heard(state, 3, Announcement) == [*everybody, high, end]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_deal_starts_without_messages(engine):
    answers = ["give"] * 4 + ["keep"] * 4 + ["look"]
    state = next(
        s for n in range(20) if (s := play_first_deal("passing", engine, answers, match=n)).pending
    )
    assert heard(state, 0, PassedCards)
    state.next_deal()
    assert heard(state, 0, PassedCards) == []


@pytest.mark.parametrize("engine", ENGINES)
def test_a_seat_that_sees_neither_hand_learns_only_the_number_of_cards(engine):
    events = []
    state = play_first_deal("passing", engine, ["give", "give"], events)
    one, two = [event for event in events if event["event"] == "passed"]
    first, second = one["cards"][0], two["cards"][0]
    assert (one["from"], one["to"]) == (["hand", 0], ["hand", 1])
    seen = (0, "hand", f"{first} to 1"), (1, "hand", f"{second} to 2")
    unseen = (0, "hand", "1 card to 1"), (1, "hand", "1 card to 2")
    assert heard(state, 0, PassedCards) == [seen[0], unseen[1]]
    assert heard(state, 1, PassedCards) == [*seen]
    assert heard(state, 2, PassedCards) == [unseen[0], seen[1]]
    assert heard(state, 3, PassedCards) == [*unseen]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_card_of_a_visible_place_is_seen_when_it_is_passed(engine):
    """The cards come from a swap, from a pile of a team, and from a place shown to one seat."""
    events = []
    state = play_first_deal("passing", engine, ["give"] * 4 + ["throw"] + ["keep"] * 3, events)
    passed = [event for event in events if event["event"] == "passed"][4:]
    ways = [(*event["from"], *event["to"]) for event in passed]
    assert ways[:5] == [
        ("hand", 0, "lost", 1), ("hand", 0, "kept", 1), ("kept", 1, "hand", 0),
        ("kept", 0, "kept", 1), ("lost", 1, "lost", 0),
    ]  # fmt: skip
    thrown = passed[0]["cards"][0]
    assert (0, "lost", f"{thrown} to 1") in heard(state, 0, PassedCards)
    assert (1, "lost", f"{thrown} to 0") in heard(state, 1, PassedCards)  # lost of 0 was shown to 1
    assert (1, "lost", "1 card to 0") in heard(state, 0, PassedCards)
    swapped = passed[2]["cards"][0]
    # Seat 3 sees the place `kept` of its partner, seat 1.
    assert (1, "hand", f"{swapped} to 0") in heard(state, 3, PassedCards)
    assert (1, "hand", "1 card to 0") in heard(state, 2, PassedCards)
    assert ways[5:] == [("won", 0, "won", 1)] or not ways[5:]


@pytest.mark.parametrize("engine", ENGINES)
def test_messages_of_passed_cards_agree_with_the_events(engine):
    events = []
    state = play_first_deal("passing", engine, ["give"] * 4 + ["keep"] * 4, events, match=0)
    passed = [event for event in events if event["event"] == "passed"]
    assert {event["to"][0] for event in passed} >= {"hand", "kept", "won"}  # `won` is of teams
    texts = state.game.deck.texts
    for seat in range(4):
        messages = [s for s in state.sight(seat).history if isinstance(s, PassedCards)]
        for said, event in zip(messages, passed, strict=True):
            at, to, many, cards = read_passed(said, state.game.setting)
            assert (at, to, many) == (event["from"][1], event["to"][1], len(event["cards"]))
            assert [texts[card] for card in cards] in ([], event["cards"])


def test_views_and_bots_get_announcements_in_the_history():
    state = play_first_deal("announcements", "native", ["bold"])
    view = state.view()
    assert view.to_dict()["history"][1] == {
        "seat": 0, "decision": "style", "action": "bold", "event": "announced"
    }  # fmt: skip
    line = json.loads(questions_of(view._legend).line(view, 1, 0))
    assert line["view"]["history"] == view.to_dict()["history"]
    assert "event" not in line["view"]["history"][0]


@pytest.mark.parametrize("name", ["announcements", "passing"])
def test_a_transcript_contains_announcements_and_passed_cards(name, tmp_path):
    answers = ["calm", "good"] if name == "announcements" else ["give", "give"]
    game, path, events = (
        load_game(GOOD / f"{name}.yaml", 4, engine="reference"),
        tmp_path / "one.jsonl",
        [],
    )
    events.append(match_event(game, ["uniform"] * 4, 3, 0))
    recorder = Recorder(events.append)
    twin = game.start(3, 0, recorder)
    for word in answers:
        while isinstance(twin.pending, DealStart):
            twin.next_deal()
        texts = [action.text.split()[0] for action in twin.pending.actions]
        twin.apply(texts.index(word))
    path.write_text("".join(map(event_line, events)), encoding="utf-8")
    (recorded,) = read_transcript(path, "one.jsonl")
    shown = "\n".join(tell_match(recorded, game))
    wanted = (
        "Player 1 (uniform) says: style calm (heard by player 1 (uniform), player 2 (uniform), "
        if name == "announcements"
        else ": from hand of player 1 (uniform) to hand of player 2 (uniform)"
    )
    assert wanted in shown
    if name == "announcements":
        assert "The table says: teller player 1 (uniform) (heard by player 1 (uniform))" in shown


LAID_ASIDE = """variant: laid-aside
title: Laid aside
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts}, ranks: [A, K, Q, J]}
counters: {points: {help: Points.}}
rules: |
  zone stock: pile, starts with pack_cards
  zone hand[seat]: up to 4 cards, seen by owner
  zone aside[seat]: up to 2 cards, seen by owner
  deal state:
      friend[seat]: seat = dealer
  rule match:
      deal:
          shuffle stock
          repeat 2 times: draw from stock to hand[dealer]
          ask dealer "lay" seen by owner:
              lay card from hand[dealer]: move card to aside[dealer]
          let eldest = next_seat(friend[dealer])
          draw from stock to hand[next_seat(dealer)]
          move all from hand[next_seat(dealer)] to aside[next_seat(dealer)]
          swap top(hand[dealer]) from hand[dealer] with top(aside[dealer]) from aside[dealer]
          move top(hand[dealer]) from hand[dealer] to aside[TO]
          end deal because played
      end match drawn
"""


@pytest.mark.parametrize(
    ("to", "passes"),
    [("dealer", False), ("eldest", True), ("next_seat(dealer)", True), ("friend[dealer]", True)],
)
def test_cards_are_passed_only_between_seats_that_can_differ(to, passes, tmp_path):
    path = tmp_path / "laid-aside.yaml"
    path.write_text(LAID_ASIDE.replace("TO", to))
    assert routes_of(load_game(str(path), 2).program) == [("hand", "aside")] * passes


def test_cards_that_stay_with_their_seat_are_not_passed():
    """At the fortial of `trut`, seats take up their own cards that lay face down."""
    game = load_game("trut", 2)
    assert "face_down" in game.program.zones
    assert routes_of(game.program) == []
