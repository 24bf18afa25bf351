"""A strategy that counts cards in `trut-club`, where the pack is not shuffled between deals."""

from itertools import chain

import pytest

from trutdsl.game import DealStart, load_game
from trutdsl.streams import Stream, mix_in


class CardCounter:
    """Computes the unseen cards and the rest of the pile from a single view."""

    def choose(self, view):
        """Choose at random, after counting."""
        (discards,), (turned,) = view.zones["played"], view.zones["recycled"]
        on_table = [card for cards in view.zones["table"] for card in cards]
        dealt_again = frozenset().union(*view.variables["dealt_known"])
        self.unseen = set(view.strengths) - {*view.cards("hand"), *on_table, *discards, *turned}
        self.unseen -= dealt_again
        self.next_cards = turned[::-1]
        self.after_them = view.sizes["stock"][0]
        return view.actions[view.random.below(len(view.actions))]


class Observer:
    """Computes the pile from the events at the table."""

    def __init__(self, players, cards):
        self.turned, self.under, self.discards = [], cards, []
        self.turns, self.players = 0, players

    def see(self, event):
        match event:
            case {"event": "deal"}:
                self.held = dict.fromkeys(range(self.players), 0)
                self.known, self.laid = set(), []
            case {"event": "cards", "seat": seat, "cards": cards}:
                for card in cards:
                    self.take(card)
                    self.held[seat] += 1
            case {"event": "action", "seat": seat, "action": action} if action[:5] == "play ":
                self.laid.append(action[5:])
                self.held[seat] -= 1
            case {"event": "deal_end"}:
                self.discards += self.laid
                self.under += sum(self.held.values())

    def take(self, card):
        if not self.turned and not self.under:
            self.turned, self.discards = self.discards, []  # the first played is on top now
            self.turns += 1
        if self.turned:
            assert self.turned.pop(0) == card
            self.known.add(card)
        else:
            self.under -= 1


@pytest.mark.parametrize("players", [2, 3, 4, 6])
@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_card_counter_knows_all_shown_cards(players, engine):
    """[C2] This holds across deals: a turned pile comes back in its order."""
    game = load_game("trut-club", players, engine=engine)
    turns = 0
    for match in range(3):
        table, random = Observer(players, 40), Stream(mix_in(0, 4, match))
        state = game.start(6, match, table.see)
        while state.pending is not None:
            if isinstance(state.pending, DealStart):
                state.next_deal()
                continue
            view, counter = state.view(random), CardCounter()
            action = counter.choose(view)
            places = state._machine.cards
            hands = {p: places("hand", p) for p in range(players) if p != view.seat}
            down = [places("face_down", p) for p in range(players)]
            hidden = [*places("stock", 0), *chain(*hands.values(), *down)]
            truly = {game.deck.texts[card] for card in hidden} - table.known
            assert counter.unseen == truly
            assert list(counter.next_cards) == table.turned
            assert counter.after_them == table.under
            state.apply(view.actions.index(action))
        turns += table.turns
    assert turns > 2
