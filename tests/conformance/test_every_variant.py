"""Invariants of every match of every shipped variant, with every number of players."""

import pickle

import pytest
from both_engines import fields_of
from extent import extent
from random_play import play
from tables import SHIPPED, label

from trutdsl.game import DealStart, Question, load_game
from trutdsl.streams import Stream, mix_in

MATCHES = extent(2, 15)
FEW = extent(1, 5)


@pytest.fixture(scope="module", params=SHIPPED, ids=label)
def game(request):
    name, players = request.param
    return load_game(name, players, engine="reference")


def list_cards(state):
    piles = [p for zone in state._machine.zones.values() for p in zone]
    return sorted(card for pile in piles for card in pile.cards())


class Match:
    """A random match: its events, choices, and the cards, counters and question of each stop."""

    def __init__(self, game, match):
        self.cards, self.counters, self.questions, self.events = [], [], [], []
        self.state, self.choices = play(game, match, self.events.append, self.look)

    def look(self, state):
        self.cards.append(list_cards(state))
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
        assert state.decisions == len(match.choices) == len(match.questions)
        assert state.deals == state.deals_finished > 0
    assert sum(match.state.decisions for match in matches) > MATCHES


def test_the_same_choices_lead_to_the_same_events(game, matches):
    for number, match in enumerate(matches[:FEW]):
        choices, replayed = list(match.choices), []
        copy = pickle.loads(pickle.dumps(game))
        assert copy.fingerprint == game.fingerprint
        state = copy.start(11, number, replayed.append)
        while state.pending is not None:
            if isinstance(state.pending, DealStart):
                state.next_deal()
            else:
                state.apply(choices.pop(0))
        assert match.events == replayed


def test_counter_events_add_up(matches):
    """Counter events lead from the counters of one deal to those of the next, and of the end."""
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


def list_hidden_piles(machine, question, game):
    """Return the zones and indices of the piles that are hidden from the asked seat."""
    zones = game.program.zones
    view_zones = view_of_machine(machine, question, game).zones
    return [
        (name, i)
        for name in zones
        for i, part in enumerate(view_zones[name])
        if not isinstance(part, tuple) and len(machine.zones[name][i])
    ]


def view_of_machine(machine, question, game):
    from trutdsl.game.view import make_view

    return make_view(machine, game.legends, question, Stream(0))


def test_hidden_cards_leave_no_trace_in_a_view(game):
    """Shuffle all cards that a seat may not see; its view must not change."""
    swapped = 0

    def look(state):
        nonlocal swapped
        if not isinstance(state.pending, Question):
            return
        machine, question = state._machine, state.pending
        before = view_of_machine(machine, question, game)
        places = list_hidden_piles(machine, question, game)
        piles = [machine.zones[name][i] for name, i in places]
        groups_before = [[list(group) for group in p.groups] for p in piles]
        cards = [c for groups in groups_before for group in groups for c in group]
        stream = Stream(mix_in(0, 3, state.decisions))
        shuffled = [cards.pop(stream.below(len(cards))) for _ in range(len(cards))]
        swapped += len(places) > 1
        for pile, groups in zip(piles, groups_before, strict=True):
            pile.groups = [sorted(shuffled.pop() for _ in group) for group in groups]
        after = view_of_machine(machine, question, game)
        for pile, groups in zip(piles, groups_before, strict=True):
            pile.groups = groups
        assert fields_of(after) == fields_of(before)

    for match in range(FEW):
        play(game, match, look=look)
    assert swapped > 4 * FEW
