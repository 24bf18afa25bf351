"""Possible hands: scripts enumerate or count them, the same in either engine."""

from __future__ import annotations

from functools import partial
from itertools import combinations
from math import comb
from pathlib import Path

import pytest
from scripted import decisions

from trutdsl.diagnostics import Rejected
from trutdsl.game import load_game
from trutdsl.strategy.legs import native_seating, play_matches
from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.play import play_match
from trutdsl.strategy.script import table_for
from trutdsl.streams import Stream

FOLDER = Path(__file__).parent
SMALL = FOLDER / "good" / "small.yaml"


def load_text(tmp_path, text, meant=f'"{SMALL}"', name="s"):
    path = tmp_path / f"{name}.strategy"
    path.write_text(f"strategy {name} for {meant}:\n{text}", encoding="utf-8")
    return load_strategy(str(path))


def values_of(spec, game, decision="turn", matches=3):
    """Yield the variable `value` of a script at each such decision, with the view of its seat."""
    table = table_for(game, (spec,))
    for match in range(matches):
        luck = partial(lambda match, seat: Stream(seat + match), match)
        for state, player, _ in decisions(table, [spec] * game.players, 9, match, luck):
            if state.pending.decision == decision:
                yield player.recall("value"), state.view()


def remember(value):
    return f"    match memory:\n        value: number\n    otherwise: any: value = {value}\n"


EXPRESSIONS = {
    "count h in hands of 2 from hand[me] where any c in h has strength(c) >= 5": lambda own: sum(
        any(s >= 5 for s in h) for h in combinations(own, 2)
    ),
    "total (total strength(c) for c in h) for h in hands of 2 from hand[me]": lambda own: sum(
        sum(h) for h in combinations(own, 2)
    ),
    "highest (lowest strength(c) for c in h) for h in hands of size(hand[me]) from hand[me]": min,
    "1 if every h in hands of 1 from hand[me] has size(h) == 1 else 0": lambda _: 1,
    "1 if any h in hands of 4 from hand[me] else 0": lambda _: 0,
    "count h in hands of 0 from hand[me] where empty(h)": lambda _: 1,
    "count h in hands of 0 - 1 from hand[me] where empty(h)": lambda _: 0,
    "count h in hands of size(hand[me]) - 2 from pack_cards - hand[me]": lambda own: (
        comb(14 - len(own), len(own) - 2) if len(own) > 1 else 0
    ),
}


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expressions_over_own_hands_agree_with_combinatorics(expression, tmp_path):
    spec = load_text(tmp_path, remember(expression))
    found = list(values_of(spec, load_game(SMALL, 2, engine="reference")))
    assert len(found) > 60
    for value, view in found:
        own = [view.strengths[c] for c in view.cards("hand")]
        assert value == EXPRESSIONS[expression](own), own


CHOOSER = """
    define worth -> number:
        total (2 * (lowest strength(c) for c in h) + (highest strength(c) for c in h)) for h in
            hands of min(3, size(hand[me])) from pack_cards - hand[me]
    define some: count h in hands of size(hand[me]) - 1 from pack_cards - shown
    match memory:
        last: 0 to 2000
    on turn:
        let now = worth
        for h in hands of 2 from hand[me]:
            play card where card in h with lowest strength(card) when (now + last) mod 3 == 0:
                last = total (2 if suit(c) == "s" else 3) for c in h
        play card with highest (now * strength(card) + some) mod 11: last = some mod 2000
    on raise:
        let now = worth
        raise n where n == 1 + now mod 4
    otherwise: any
"""


def test_both_engines_see_revealed_cards_alike(tmp_path):
    seen = "total (total strength(c) for c in in_sight(hand[p])) for p in seats"
    text = (
        f"    on turn: play card with highest ({seen}) * strength(card) mod 7\n    otherwise: any\n"
    )
    seating = [load_text(tmp_path, text), load_strategy("uniform")]
    reference, native = (
        matches_of(engine, SMALL, 2, seating, 8) for engine in ("reference", "native")
    )
    assert native == reference


def matches_of(engine, variant, players, seating, matches):
    """Return the results of matches of scripts, in the reference engine or in machine code."""
    game = load_game(variant, players, engine=engine)
    if engine == "native":
        assert native_seating(game, seating) is not None, "these scripts run in machine code"
        results = play_matches(game, seating, 3, matches)
    else:
        results = [play_match(game, seating, 3, match) for match in range(matches)]
    return [(r.winner, r.deals, dict(r.counters)) for r in results]


def test_both_engines_enumerate_hands_alike(tmp_path):
    seating = [load_text(tmp_path, CHOOSER), load_strategy("uniform")]
    reference, native = (
        matches_of(engine, SMALL, 2, seating, 8) for engine in ("reference", "native")
    )
    assert native == reference
    assert len({deals for _, deals, _ in native}) > 3


def test_hands_are_enumerated_in_the_order_of_the_pack(tmp_path):
    """The order is by the highest card, then by the next one."""
    text = """
    match memory:
        value: number
    on turn:
        value = 0
        for h in hands of 2 from pack_cards:
            value = 100 * value mod 1000003 + (total strength(c) for c in h)
        any
    otherwise: any
"""
    game = load_game(SMALL, 2, engine="reference")
    strength = game.setting.deck.strength
    expected = 0
    for high in range(14):
        for low in range(high):
            expected = 100 * expected % 1000003 + strength[high] + strength[low]
    assert {value for value, _ in values_of(load_text(tmp_path, text), game)} == {expected}


REFUSED = {
    "count h in hands of 7 from pack_cards where any g in hands of 3 from h": "too-large",
    "size(first h in hands of 2 from hand[me])": "type",
    "count h in hands of 2 from hand[next_seat(me)] where any c in h has strength(c) > 3": "hidden",
    "count h in hands of size(those c in stock where strength(c) > 3) from hand[me]": "hidden",
    "count h in hands of hand[me] from hand[me]": "type",
    "count h in hands of 2 from 3": "type",
}


@pytest.mark.parametrize("expression", REFUSED)
def test_impossible_hands_are_refused(expression, tmp_path):
    spec = load_text(tmp_path, remember(expression))
    with pytest.raises(Rejected) as refused:
        assert table_for(load_game(SMALL, 2, engine="reference"), (spec,)).program
    assert {d.code for d in refused.value.diagnostics} == {REFUSED[expression]}


@pytest.mark.parametrize(("cards", "refused"), [(3, False), (4, True)])
def test_hands_of_three_cards_of_a_shipped_pack_are_within_the_bound(cards, refused, tmp_path):
    test = f"0 < (count h in hands of {cards} from unseen where any c in h has strength(c) > 3)"
    text = f"strategy own for trut:\n    on turn: trut when {test}\n    otherwise: any\n"
    path = tmp_path / "own.strategy"
    path.write_text(text, encoding="utf-8")
    game, codes = load_game("trut", 2, engine="reference"), set()
    try:
        assert table_for(game, (load_strategy(str(path)),)).program
    except Rejected as found:
        codes = {d.code for d in found.diagnostics}
    assert codes == ({"too-large"} if refused else set())


def test_the_number_of_hands_of_others_is_public(tmp_path):
    expression = "count h in hands of 1 from hand[next_seat(me)]"
    spec = load_text(tmp_path, remember(expression))
    found = {value for value, _ in values_of(spec, load_game(SMALL, 2, engine="reference"))}
    assert found == {0, 1, 2, 3}


# ---------------------------------------------------------------- vocabularies


def unseen(view):
    """Return the cards of the pack that the seat of a view has not seen."""
    zones = [view.cards("table", seat) for seat in range(view.players)]
    seen = {*view.cards("hand"), *view.cards("played"), *(c for cards in zones for c in cards)}
    return [card for card in view.strengths if card not in seen]


def two_best(view, cards):
    return sum(sorted((view.strengths[c] for c in cards), reverse=True)[:2])


@pytest.mark.parametrize("variant", ["trut", "truc-catalan"])
def test_hands_beaten_is_the_share_of_all_possible_hands(variant, tmp_path):
    spec = load_text(tmp_path, remember("hands_beaten"), variant)
    found = [
        (v, view)
        for v, view in values_of(spec, load_game(variant, 2, engine="reference"), matches=2)
    ]
    assert len({v for v, _ in found}) > 10
    for value, view in found[:60]:
        own = [*view.cards("hand"), *view.cards("table")]
        others = list(combinations(unseen(view), len(own)))
        weaker = sum(two_best(view, hand) < two_best(view, own) for hand in others)
        assert value == 1000 * weaker // len(others)


def win_chance(view, card):
    """Return the probability, in thousandths, that the opponent has no card as strong."""
    other, strength = 1 - view.seat, view.strengths
    if view.cards("table", other):
        return 1000 * all(strength[d] < strength[card] for d in view.cards("table", other))
    hands = list(combinations(unseen(view), view.sizes["hand"][other]))
    good = sum(all(strength[d] < strength[card] for d in hand) for hand in hands)
    return 1000 * good // len(hands)


def test_win_chance_counts_every_distribution_of_unseen_cards(tmp_path):
    spec = load_text(tmp_path, remember("highest win_chance(c) for c in hand[me]"), "trut")
    found = list(values_of(spec, load_game("trut", 2, engine="reference"), matches=2))
    assert len({value for value, _ in found}) > 10
    for value, view in found[:60]:
        assert value == max(win_chance(view, card) for card in view.cards("hand"))


def test_win_chance_in_tute_respects_suit_and_trump(tmp_path):
    """For small hands, it agrees with an enumeration of the hands that beat the card."""
    text = """
    define held: total size(hand[p]) for p in seats where p != me and empty(table[p])
    define beats(d: card, c: card):
        strength(d) > strength(c) if suit(d) == suit(c) else suit(d) == trump
    define safe(c: card): count h in hands of min(2, held) from unseen where
        every d in h has not beats(d, c)
    define all_hands: count h in hands of min(2, held) from unseen where size(h) == min(2, held)
    match memory:
        value: number
    on turn:
        any when held > 2: value = -1
        play card at random when not wins(first c in hand[me]): value = -2
        let mine = first c in hand[me]
        let counted = 1000 * safe(mine) div max(1, all_hands)
        play card at random when win_chance(mine) == counted: value = 0
        any: value = 1
    otherwise: any
"""
    found = values_of(
        load_text(tmp_path, text, "tute"), load_game("tute", 2, engine="reference"), matches=6
    )
    few = [value for value, _ in found if value >= 0]
    assert len(few) > 30
    assert set(few) == {0}


def test_stronger_of_mine_ranks_own_cards(tmp_path):
    value = "total (1 if stronger_of_mine(c) == 0 else 0) for c in hand[me]"
    spec = load_text(tmp_path, remember(value), "trut")
    for value, view in values_of(spec, load_game("trut", 2, engine="reference"), matches=1):
        strengths = [view.strengths[c] for c in view.cards("hand")]
        assert value == strengths.count(max(strengths))


COUNTER = """
    on turn:
        let now = MEASURE
        play card with highest (now + 7 * win_chance(card) + strength(card)) mod 11
        any
    otherwise: any
"""


@pytest.mark.parametrize(
    ("variant", "players", "measure"),
    [("trut", 4, "hands_beaten"), ("tute", 3, "0")],
)
def test_both_engines_count_chances_alike(variant, players, measure, tmp_path):
    spec = load_text(tmp_path, COUNTER.replace("MEASURE", measure), variant)
    seating = [spec, load_strategy("uniform")] * 2
    reference, native = (
        matches_of(engine, variant, players, seating[:players], 3)
        for engine in ("reference", "native")
    )
    assert native == reference
