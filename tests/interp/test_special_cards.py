"""Special cards over several deals, and the cards that they show; no scenario can test these."""

from pathlib import Path

import pytest

from trutdsl.game import DealStart, load_game
from trutdsl.game.view import HIDDEN, make_view
from trutdsl.ir.types import Kind
from trutdsl.streams import Stream
from trutdsl.table.chance import StreamChance


class ListedChance(StreamChance):
    """Gives the listed cards and dice in turn; seat 0 deals first."""

    def __init__(self, game, cards, dice=()):
        super().__init__(0, 0)
        self.deck, self.cards, self.dice = game.deck, list(cards), list(dice)

    def card(self, cards, draw):
        if not self.cards:
            return super().card(cards, draw)
        card = self.deck.index_of(Kind.CARD, self.cards.pop(0))
        assert card in cards
        return card

    def number(self, _low, _high):
        return self.dice.pop(0)

    def settle(self, name, machine):
        if name == "dealer":
            machine.variables["dealer"][0] = 0
        return name == "dealer"


def play(game, cards, actions, dice=(), **counters):
    """Take each listed action as soon as it is legal, and `pass` before; return the state."""
    chance = ListedChance(game, cards, dice)
    state, left = game.start(0, 0, arrangement=chance, chance=chance), list(actions)
    for name, values in counters.items():
        state.set_counter(name, values)
    while left or isinstance(state.pending, DealStart):
        if isinstance(state.pending, DealStart):
            if not left:
                break
            state.next_deal()
            continue
        texts = [a.text for a in state.pending.actions]
        text = left.pop(0) if left[0] in texts else "pass" if "pass" in texts else texts[0]
        assert len(texts) == 1 or text in ("pass", *actions), (texts, left)
        state.apply(texts.index(text))
    return state


# In the draft, seat 1 gets owl and boar, and seat 0 gets jay and snake. Each deal then gives three
# cards to each, seat 1 first. Seat 0 holds jay, K, Q against 9, 10, J, and wins two tricks.
DRAFT = ["owl", "jay", "boar", "snake"]
DRAFT_ACTIONS = ["keep owl", "keep jay"]
DEAL = ["9d", "jay", "10d", "Kc", "Jd", "Qc"]
TWO_TRICKS = ["play jay", "play 9d", "play Kc", "play 10d"]


def test_jay_played_again_wins_the_pot():
    """[L12] Four petits are set aside; with the two of the deals they make two longs."""
    game = load_game("trut-deluxe", 2, engine="reference")
    state = play(game, DRAFT + DEAL * 2, DRAFT_ACTIONS + TWO_TRICKS * 2, [4])
    # Deal 1: one petit. Deal 2: one and four in the first trick are a long and two; then the third.
    assert state.counters() == {"longs": (2, 0), "petits": (0, 0)}
    assert state._machine.variables["jay_pot"] == [0]


def test_a_tied_trick_leaves_the_pot():
    """[L12] The king ties with the jay of the second deal; the pot of six is still there."""
    game = load_game("trut-deluxe", 2, engine="reference")
    second = ["Kd", "jay", "10d", "Kc", "Jd", "Qc"]
    actions = DRAFT_ACTIONS + TWO_TRICKS + ["play jay", "play Kd", "play Kc", "play 10d"]
    state = play(game, DRAFT + DEAL + second, actions, [6])
    assert state.tricks[0] is None
    assert state.counters() == {"longs": (0, 0), "petits": (2, 0)}
    assert state._machine.variables["jay_pot"] == [6]


def test_an_empty_pot_is_filled_again():
    """[L12] The third jay finds no pot and sets petits aside again."""
    game = load_game("trut-deluxe", 2, engine="reference")
    state = play(game, DRAFT + DEAL * 3, DRAFT_ACTIONS + TWO_TRICKS * 3, [1, 5])
    # 1; then 1 + 1 and the pot's 1, a long; then 1.
    assert state.counters() == {"longs": (1, 0), "petits": (1, 0)}
    assert state._machine.variables["jay_pot"] == [5]


def views_of(state, seats):
    questions = [state.pending._replace(seat=seat, decision="turn", actions=()) for seat in seats]
    return [make_view(state._machine, state.game.legends, q, Stream(0)) for q in questions]


def test_the_falcon_shows_the_partners_hand():
    """[L6] Its holder, seat 2, sees the hand of seat 0. All others see only who holds it."""
    game = load_game("trut-deluxe", 4, engine="reference")
    draft = ["owl", "falcon", "jay", "crow", "boar", "snake", "hare", "magpie"]
    hands = ["9d", "falcon", "10d", "9c", "Jd", "Kc", "Qd", "10c", "Kd", "Qc", "Ad", "Jc"]
    chosen = ["keep owl", "keep falcon", "keep jay", "keep crow"]
    state = play(game, draft + hands, [*chosen, "play 9c"])
    seen = [[zone != HIDDEN for zone in v.zones["hand"]] for v in views_of(state, range(4))]
    assert seen == [
        [True, False, False, False],
        [False, True, False, False],
        [True, False, True, False],
        [False, False, False, True],
    ]
    assert views_of(state, [1])[0].variables["falcon_with"] == (2,)


DRAFT_OF_FOUR = ["owl", "falcon", "jay", "crow", "boar", "snake", "hare", "magpie"]
KEPT_CARDS = ["keep owl", "keep falcon", "keep jay", "keep crow"]
HANDS = ["9d", "falcon", "10d", "9c", "Jd", "Kc", "Qd", "10c", "Kd", "Qc", "Ad", "Jc"]  # for seat 2
HOUSE = Path(__file__).parents[2] / "variants/examples/gatinaise-with-special-cards.yaml"


def deal(game, cards, chosen, **counters):
    """Play the draft and start the first deal."""
    state = play(game, cards, chosen, **counters)
    state.next_deal()
    return state


def seen_by(state, seat):
    """Return whose hands a seat sees."""
    (view,) = views_of(state, [seat])
    return [p for p, hand in enumerate(view.zones["hand"]) if hand != HIDDEN]


def test_the_falcon_is_shown_before_a_forced_trut():
    """[L6 G2] Seat 2 answers the forced trut, and sees its partner's hand."""
    state = deal(
        load_game(HOUSE, 4, engine="reference"), DRAFT_OF_FOUR + HANDS, KEPT_CARDS, petits=(2, 0)
    )
    while state.pending.seat != 2:
        state.apply([a.text for a in state.pending.actions].index("fold"))
    assert state.pending.decision == "respond"
    assert seen_by(state, 2) == [0, 2]
    assert views_of(state, [1])[0].variables["falcon_with"] == (2,)


def test_the_falcon_is_shown_before_a_song():
    """[L6 G3]"""
    state = deal(
        load_game(HOUSE, 4, engine="reference"), DRAFT_OF_FOUR + HANDS, KEPT_CARDS, petits=(2, 2)
    )
    assert state.pending.decision == "sing"
    assert seen_by(state, 2) == [0, 2]
    assert seen_by(state, 0) == [0]


def test_a_falcon_that_is_dealt_in_a_song_is_shown():
    """[L6 G4] It is dealt to seat 1 in the song, kept, and shown before the first card."""
    hands = [c if c != "falcon" else "9s" for c in HANDS]
    song = ["sing", "agree", "agree", "agree", "1", "decline"]
    state = play(
        load_game(HOUSE, 4, engine="reference"),
        DRAFT_OF_FOUR + hands + ["falcon"],
        KEPT_CARDS + song,
        petits=(2, 2),
    )
    assert state.pending.decision == "keep"
    assert seen_by(state, 1) == [1]
    kept = {"keep falcon", "keep 9d", "keep Jd"}
    while state.pending.decision == "keep":
        texts = [a.text for a in state.pending.actions]
        state.apply(next((i for i, text in enumerate(texts) if text in kept), 0))
    assert seen_by(state, 1) == [1, 3]


@pytest.mark.parametrize(
    ("longs", "petits", "sees"),
    [((6, 0), (2, 0), [0, 2]), ((0, 6), (0, 2), [2]), ((6, 6), (2, 2), [0, 2])],
    ids=["the falcon's team", "the other team", "both teams"],
)
def test_at_a_fortial_the_falcon_is_shown_by_those_who_look_at_their_cards(longs, petits, sees):
    """[L6 T16] The other team looks only after a call of trut; then the falcon is shown."""
    state = deal(
        load_game("trut-deluxe", 4, engine="reference"),
        DRAFT_OF_FOUR + HANDS,
        KEPT_CARDS,
        longs=longs,
        petits=petits,
    )
    assert seen_by(state, 2) == sees
    while state.pending.decision == "fortial":
        state.apply([a.text for a in state.pending.actions].index("trut"))
    assert seen_by(state, 2) == [0, 2]


def test_with_three_to_a_team_the_falcon_shows_both_partners():
    """[L6 T30]"""
    draft = ["owl", "falcon", "jay", "crow", "wolf", "hare"]
    rest = ["boar", "snake", "magpie", "weasel", "badger", "coypu"]
    hands = ["9d", "falcon", "10d", "9c", "Jd", "Kc"]
    game = load_game("trut-deluxe", 6, engine="reference")
    state = deal(game, draft + rest + hands, [f"keep {card}" for card in draft])
    assert seen_by(state, 2) == [0, 2, 4]
    assert seen_by(state, 0) == [0]


def test_drafted_cards_are_secret():
    """[L1] Seat 0 sees its own two cards and which it kept, but not the choice of seat 1."""
    game = load_game("trut-deluxe", 2, engine="reference")
    state = play(game, DRAFT, ["keep owl"])
    (view,) = views_of(state, [0])
    assert set(view.zones["drawn"][0]) == {"jay", "snake"}
    assert view.zones["kept_special"][1] is HIDDEN
    assert not any(said.decision == "draft" for said in view.history)


def test_the_hedgehog_lies_beside_the_petits():
    """[L14] It stays out of the pack while it guards."""
    game = load_game("trut-deluxe", 2, engine="reference")
    draft = ["owl", "hedgehog", "boar", "snake"]
    deal = ["9d", "hedgehog", "10d", "Kc", "Jd", "Qc"]
    actions = [
        "keep owl",
        "keep hedgehog",
        "play hedgehog",
        "play 9d",
        "play Kc",
        "play 10d",
        "play 7c",
    ]
    second = ["9d", "7c", "10d", "Kc", "Jd", "Qc"]
    state = play(game, draft + deal + second, actions)
    (view,) = views_of(state, [1])
    assert view.zones["guard"] == (("hedgehog",),)
    assert view.variables["guarded"] == (0,)


HEDGEHOG = ["owl", "hedgehog", "boar", "snake", "9d", "hedgehog", "10d", "Kc", "Jd", "Qc"]


def test_the_hedgehog_of_an_unfinished_trick_guards_too():
    """[L14] Seat 1 calls before its first card and seat 0 folds."""
    game = load_game("trut-deluxe", 2, engine="reference")
    second = ["9d", "7c", "10d", "Kc", "Jd", "Qc"]
    actions = ["keep owl", "keep hedgehog", "play hedgehog", "trut", "fold", "play 7c"]
    (view,) = views_of(play(game, HEDGEHOG + second, actions), [1])
    assert view.zones["guard"] == (("hedgehog",),)


def test_the_hedgehog_goes_back_to_the_pack():
    """[L14] The third deal won makes a long; in the fourth the hedgehog is dealt again."""
    game = load_game("trut-deluxe", 2, engine="reference")
    deal = ["9d", "7c", "10d", "Kc", "Jd", "Qc"]
    fourth = ["9d", "hedgehog", "10d", "Kc", "Jd", "Qc"]
    tricks = ["play 7c", "play 9d", "play Kc", "play 10d"]
    first = ["keep owl", "keep hedgehog", "play hedgehog", *tricks[1:]]
    state = play(game, HEDGEHOG + deal * 2 + fourth, first + tricks * 2 + ["play hedgehog"])
    assert state.counters() == {"longs": (1, 0), "petits": (0, 0)}
    assert state._machine.variables["guarded"] == [0]  # by being played again
