"""The state of special cards lasts from deal to deal, and ends with the match."""

from collections import Counter
from itertools import product

import pytest
from extent import extent
from random_play import play

from trutdsl.game import DealStart, load_game

PARAMETERS = {"bonus": True, "goal": 15}
MATCHES = 20
GAMES = product(["trut-deluxe", "tests/good/club-with-animals.yaml"], ["reference", "native"])


def places_of_special_cards(state):
    """Return the zone of each special card."""
    deck, zones = state.game.deck, state.game.program.zones.values()
    return {
        deck.texts[card]: zone.name
        for zone in zones
        for at in range(state.game.setting.count(zone.index))
        for card in state._machine.cards(zone.name, at)
        if card >= deck.regular
    }


class Watcher:
    """Checks a match before each deal, and compares it with the first question of the deal."""

    def __init__(self, seen):
        self.seen, self.kept, self.before = seen, None, None

    def look(self, state):
        (pot,), (guarded,) = (state._machine.values(n) for n in ("jay_pot", "guarded"))
        places = places_of_special_cards(state)
        if state.decisions == 0:
            assert (pot, guarded) == (0, None)
            assert "guard" not in places.values()
            assert set(places.values()) <= {"special_deck", "drawn"}
        if isinstance(state.pending, DealStart):
            in_play = {c for c, at in places.items() if at not in ("special_deck", "out_of_match")}
            self.kept = self.kept or in_play
            assert in_play == self.kept
            assert len(in_play) == 2
            assert guarded is None or places["hedgehog"] == "guard"
            self.before = (pot, guarded)
            self.seen.update(deals=1, pots=pot > 0, guards=guarded is not None)
        elif self.before is not None:
            assert (pot, guarded) == self.before
            assert ("guard" in places.values()) == (guarded is not None)
            self.before = None


@pytest.mark.parametrize(("variant", "engine"), list(GAMES)[: extent(1, None)])
def test_special_cards_last_a_match(root, variant, engine):
    """[L1 L12 L14] Kept cards, the jay's pot and the hedgehog survive deals, not the match."""
    ref = root / variant if variant.endswith(".yaml") else variant
    game = load_game(ref, 2, PARAMETERS, engine)
    seen = Counter()
    for match in range(MATCHES):
        play(game, match, look=Watcher(seen).look)
    assert seen["deals"] > 10 * MATCHES
    assert seen["pots"] > MATCHES
    assert seen["guards"] > 5
