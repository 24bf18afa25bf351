"""A wrong word in a scenario is never taken for an illegal action, and gets advice."""

import re

import pytest

from tests.scenario.test_scenario import BASE
from trutdsl.game import load_game
from trutdsl.game.state import State
from trutdsl.scenario.places import has_option

START = BASE[: BASE.index("actions:")]


@pytest.mark.parametrize(
    ("action", "message"),
    [
        ("dance", "`0: dance` is no action of trut: seat 0 is asked for 'turn': "),
        ("play 7H", "play As, trut; did you mean 'play 7h'?"),
        ("Play 7h", "play As, trut; did you mean 'play 7h'?"),
        ("7h", "play As, trut; did you mean 'play 7h'?"),
        ("say accept", "play As, trut; did you mean 'accept'?"),
        ("je joue 7h", "play As, trut; did you mean 'play 7h'?"),
        ("play R♥", "`0: play R♥` is no action of trut"),
    ],
)
def test_an_unknown_action_is_a_mistake_and_not_illegal(play, action, message):
    for expect in ("{error: illegal}", "{deal_over: true}"):
        code, out, _ = play(START + f"actions: [{{0: {action}}}]\nexpect: {expect}\n")
        assert code == 1
        assert message in out


@pytest.mark.parametrize(
    "action",
    [
        "play 7d",
        "play 2c",
        "accept",
        "fold",
        "pass",
        "trut pair",
        "play owl",
        "raise 4",
        "sing oros",
    ],
)
def test_an_action_of_another_moment_or_variant_is_illegal(play, action):
    assert play(START + f"actions: [{{0: {action}}}]\nexpect: {{error: illegal}}\n")[0] == 0


def test_a_card_of_no_pack_is_a_mistake_where_nothing_is_refused(play):
    out = play(START + "actions: [{0: play 2c}]\nexpect: {deal_over: true}\n")[1]
    assert "`0: play 2c` is no action of trut" in out


def test_a_number_out_of_bounds_is_illegal(play):
    text = START.replace("trut", "truc-french") + "actions: [1: decline, 1: raise 13]\n"
    assert play(text + "expect: {error: illegal}\n")[0] == 0
    assert play(text.replace("13", "many") + "expect: {error: illegal}\n")[0] == 1


@pytest.mark.parametrize("variant", ["trut-deluxe", "tute", "truc-catalan", "trut-gatinaise"])
def test_all_legal_actions_are_known(variant):
    game = load_game(variant, 4, engine="reference")
    texts = {text for seed in range(5) for text in _legal(game.start(seed, 0))}
    assert len(texts) > 30
    assert all(has_option(game, text) for text in texts)
    assert not any(has_option(game, f"{text} x") for text in texts)


def _legal(state: State):
    for step in range(300):
        question = state.pending
        if question is None:
            return
        if hasattr(question, "texts"):
            yield from question.texts
            state.apply(step % len(question.texts))
        else:
            state.next_deal()


@pytest.mark.parametrize(
    ("card", "message"),
    [
        ("R♥", "write `Kh`"),
        ("ace of spades", "write `As`"),
        ("Rc", "did you mean 'Kc'? The suits are c clubs, d diamonds, h hearts, s spades"),
        ("5 of x", "a card is a rank of 7, 8, A, K, Q, J, 10, 9 and a suit of c, d, h, s, such as"),
    ],
)
def test_a_message_explains_how_to_write_cards(play, card, message):
    assert f"help: {message}" in play(BASE.replace("7h, 8c", f"{card}, 8c", 1))[2]
    special = BASE.replace("variant: trut", "variant: trut-deluxe").replace("7h, 8c", "5x, 8c", 1)
    assert "such as '7c'; or owl, wolf, boar" in play(special)[2]


TURNED = START.replace("trut", "tute").replace("players: 2", "players: 4")


@pytest.mark.parametrize("cards", ["[1o, 4b]", "[4b, 1o, 3o, 5o, 2c, 3c, 4c, 5c, 2e, 3e]"])
def test_a_turned_card_that_is_dealt_face_down_is_refused(play, cards):
    text = re.sub(r"hands:.*", f"turned: 4b\n  hands: {{0: {cards}}}", TURNED)
    _, _, err = play(text + "actions: []\nexpect: {}\n")
    assert "error: '4b' lies in two places [duplicate-card]" in err
    assert "help: remove it from the hand, or remove `turned`: a card is dealt only once" in err
    text = text.replace("players: 4", "players: 2")  # it does not go to a hand at all
    assert "error: '4b' lies in two places" in play(text + "actions: []\nexpect: {}\n")[2]


def test_a_turned_card_may_be_listed_in_the_hand_that_it_goes_to(play):
    hand = "[1o, 3o, 5o, 2c, 3c, 4c, 5c, 2e, 3e, 4b]"
    text = re.sub(r"hands:.*", f"turned: 4b\n  hands: {{0: {hand}}}", TURNED)
    expect = f"expect: {{zones: {{hand: {{0: {hand}}}}}, variables: {{trump_card: 4b}}}}\n"
    assert play(text + "actions: []\n" + expect)[0] == 0


def test_another_order_of_cards_is_reported(play):
    expect = "expect: {zones: {hand: {0: [8c, 7h, As]}}}\n"
    assert play(START + "actions: []\n" + expect)[0] == 0
    code, out, _ = play(
        START.replace("trut", "trut-club").replace("Jh", "2h") + "actions: []\n" + expect
    )
    assert code == 1
    assert "found [7h, 8c, As]; the lowest card of a pile comes first" in out


def test_a_redeal_that_never_came_explains_an_illegal_action(play):
    text = START.replace("trut", "truc-french") + "actions: [1: propose, 0: agree, 1: play 7c]\n"
    text = text.replace("  hands:", "  redeals: [{hands: {1: [7c, 7d, 7s]}}]\n  hands:")
    code, out, _ = play(text + "expect: {}\n")
    assert code == 1
    assert "no redeal came" in out
    assert "cards that come off the rest of the pack stand in `stock`" in out


def test_differences_are_reported_in_french(play):
    out = play(BASE.replace("0: trut", "0: jouer 7h", 1), "--lang", "fr")[1].replace("\xa0", " ")
    assert "`0: jouer 7h` n'est pas une réponse de trut : la place 0 doit" in out
    out = play(BASE.replace("tricks: [0, 0]", "zones: {stock: 3}"), "--lang", "fr")[1]
    assert "stock : il faut 3 cartes, trouvé 26" in out.replace("\xa0", " ")


PASSING = """\
variant: passing
title: Passing
language: 3
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts, s: spades}, ranks: [A, K]}
rules: |
  match state:
      bid: suit?
  rule match:
      repeat 3 times:
          deal:
              ask dealer "bid":
                  pass
                  bid s from suits when s != bid: bid = s
              if bid == "h":
                  repeat 2 times: draw from stock to hand[dealer]
              end deal because over
      end match drawn
  zone stock: pile, starts with {"Ah"}
  zone hand[seat]: up to 1 card, seen by owner
"""
CURE = "; beside `error`, name the question that refuses it: `decision: {name: ...}`"


@pytest.mark.parametrize(
    ("actions", "message", "cure"),
    [
        ("[0: bid h]", "`bid h` is no action of passing; ", "did you mean 'bid hearts'?"),
        ("[0: bid low]", "`bid low` is no action of passing", "\n"),
        ("[0: bid spades]", "no action was refused, but `error: illegal` is expected", CURE),
        ("[0: bid hearts]", "the rules fail: ", CURE),
    ],
)
def test_an_action_that_nothing_refused_gets_the_cure(play, tmp_path, actions, message, cure):
    (tmp_path / "passing.yaml").write_text(PASSING)
    text = f"scenario: a\nvariant: {tmp_path}/passing.yaml\nplayers: 2\nactions: {actions}\n"
    out = play(text + "expect: {error: illegal}\n")[1]
    assert message in out
    assert cure in out
