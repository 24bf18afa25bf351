"""What must hold in every match of every shipped variant, with every number of players."""

import pickle

import pytest
from both_engines import fields_of
from extent import extent
from random_play import play
from tables import SHIPPED, label

from trutdsl.game import DealStart, Question, load_game
from trutdsl.streams import Stream, mix_in

MATCHES = extent(4, 15)
FEW = extent(2, 5)


@pytest.fixture(scope="module", params=SHIPPED, ids=label)
def game(request):
    name, players = request.param
    return load_game(name, players, engine="reference")


def every_card(state):
    piles = [p for zone in state._machine.zones.values() for p in zone]
    return sorted(card for pile in piles for card in pile.cards())


class Match:
    """A match, its events, what was chosen, and what was found wherever it stood."""

    def __init__(self, game, match):
        self.cards, self.counters, self.questions, self.events = [], [], [], []
        self.state, self.chosen = play(game, match, self.events.append, self.look)

    def look(self, state):
        self.cards.append(every_card(state))
        self.counters.append(state.counters())
        if isinstance(state.pending, Question):
            self.questions.append(state.pending)


@pytest.fixture(scope="module")
def matches(game):
    return [Match(game, match) for match in range(MATCHES)]


def test_cards_and_counters_are_conserved_and_matches_end(game, matches):
    whole = list(range(len(game.deck.texts)))
    for match in matches:
        assert all(cards == whole for cards in match.cards)
        assert all(v >= 0 for each in match.counters for values in each.values() for v in values)
        for question in match.questions:
            texts = [action.text for action in question.actions]
            assert texts
            assert len(set(texts)) == len(texts)
            assert 0 <= question.seat < game.players
        state = match.state
        assert state.winner in (None, *range(game.team_count))
        assert state.decisions == len(match.chosen) == len(match.questions)
        assert state.deals == state.deals_finished > 0
    assert sum(match.state.decisions for match in matches) > MATCHES


def test_the_same_choices_lead_to_the_same_events(game, matches):
    for number, match in enumerate(matches[:FEW]):
        chosen, again = list(match.chosen), []
        copy = pickle.loads(pickle.dumps(game))
        assert copy.fingerprint == game.fingerprint
        state = copy.start(11, number, again.append)
        while state.pending is not None:
            if isinstance(state.pending, DealStart):
                state.next_deal()
            else:
                state.apply(chosen.pop(0))
        assert match.events == again


def test_a_transcript_adds_up(matches):
    """Counter events lead from one deal's counters to the next, and to those of the end."""
    for events in (match.events for match in matches):
        now = None
        for event in events:
            if event["event"] == "deal":
                assert now in (None, event["counters"])
                now = {name: list(values) for name, values in event["counters"].items()}
            elif event["event"] == "counter":
                now[event["name"]][event["team"]] += event["delta"]
                assert now[event["name"]][event["team"]] == event["value"]
            elif event["event"] == "match_end":
                assert now == event["counters"]
                assert event["deals"] == sum(e["event"] == "deal" for e in events)
        assert [e["event"] for e in events].count("match_end") == 1


def hidden_swaps(machine, question, game):
    """Return pairs of hidden piles' cards that the asked seat cannot distinguish."""
    zones = game.program.zones
    view_zones = machine_view(machine, question, game).zones
    return [
        (name, i)
        for name in zones
        for i, part in enumerate(view_zones[name])
        if not isinstance(part, tuple) and len(machine.zones[name][i])
    ]


def machine_view(machine, question, game):
    from trutdsl.game.view import make_view

    return make_view(machine, game, question, Stream(0))


def test_hidden_cards_leave_no_trace_in_a_view(game):
    """All cards that a seat may not see are dealt out anew; its view must stay what it was."""
    swapped = 0

    def look(state):
        nonlocal swapped
        if not isinstance(state.pending, Question):
            return
        machine, question = state._machine, state.pending
        before = machine_view(machine, question, game)
        places = hidden_swaps(machine, question, game)
        piles = [machine.zones[name][i] for name, i in places]
        kept = [[list(group) for group in p.groups] for p in piles]
        cards = [c for groups in kept for group in groups for c in group]
        stream = Stream(mix_in(0, 3, state.decisions))
        shuffled = [cards.pop(stream.below(len(cards))) for _ in range(len(cards))]
        swapped += len(places) > 1
        for pile, groups in zip(piles, kept, strict=True):
            pile.groups = [sorted(shuffled.pop() for _ in group) for group in groups]
        after = machine_view(machine, question, game)
        for pile, groups in zip(piles, kept, strict=True):
            pile.groups = groups
        assert fields_of(after) == fields_of(before)

    for match in range(FEW):
        play(game, match, look=look)
    assert swapped > 4 * FEW
