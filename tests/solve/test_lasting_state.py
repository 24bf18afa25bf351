"""State that lasts between deals: rules that remember more than a score are refused."""

from fractions import Fraction

import pytest

from trutdsl import load_game
from trutdsl.diagnostics import BadUsage
from trutdsl.solve.exact import evaluate

GAME = """\
variant: coin
title: Coin
players: [2]
teams: {2: 2}
pack: {suits: {s: spades}, ranks: [K, Q, J]}
counters:
  points: {help: Deals won.}
rules: |
  zone stock: pile, starts with pack_cards, seen by nobody
%s
  rule match "Three points win.":
%s

  rule play_deal "Who turns the higher card has a point.":
      shuffle stock
      ask dealer "nothing":
          pass
      let winner = random from seats
      points[team(winner)] += 1
      end deal won by team(winner) because played
"""
LOOP = """\
      repeat at most 100000 times:
          deal:
              do play_deal
          for side in teams where points[side] >= 3: end match won by side
"""
PARAMETER = """\
parameters:
  most: {type: integer, min: 1, max: 9000, default: 5000, help: The most deals.}
rules: |"""


def load_coin(folder, body, state="", text=GAME):
    (folder / "coin.yaml").write_text(text % (state, body))
    return load_game(folder / "coin.yaml", 2, (), "native")


def evaluate_coin(folder, body, state="", text=GAME):
    return evaluate(load_coin(folder, body, state, text), ("uniform", "uniform"))


def test_the_unchanged_game_is_evaluated(tmp_path):
    # The length has a negative binomial distribution with at most five deals.
    found = evaluate_coin(tmp_path, LOOP)
    assert found.lengths == pytest.approx([0, 0, 0, 1 / 4, 3 / 8, 3 / 8])
    assert found.scores == 9


BEFORE = "      let goal = 3\n" + LOOP.replace("points[side] >= 3", "points[side] >= goal")
COUNTED_LOOP = LOOP.replace("100000", "7") + "      end match drawn\n"
BY_SEAT = LOOP.replace("repeat at most 100000 times", "for player in seats") + COUNTED_LOOP
TWO_DEALS = "      deal:\n          do play_deal\n" + LOOP


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (BEFORE, "a rule remembers something from deal to deal"),
        (COUNTED_LOOP, "a loop counts the deals; count them in a variable of `match state`, or"),
        (BY_SEAT, "a loop counts the deals|more than one place"),
        (TWO_DEALS, "this game deals in more than one place"),
    ],
)
def test_rules_that_remember_more_than_the_score_are_refused(body, reason, tmp_path):
    with pytest.raises(BadUsage, match=reason):
        evaluate_coin(tmp_path, body)


def test_a_variable_that_lasts_is_part_of_the_score(tmp_path):
    # The dealer never changes, and gets a point for the first deal.
    state = "  match state:\n      fresh: yes_no = yes\n"
    body = LOOP.replace(
        "              do play_deal\n",
        "              do play_deal\n"
        "          if fresh: points[team(dealer)] += 1\n"
        "          fresh = no\n",
    )
    found = evaluate_coin(tmp_path, body, state)
    assert found.scores > 5
    assert found.deals_per_match < 4


def test_a_limit_of_deals_may_be_a_parameter(tmp_path):
    text = GAME.replace("rules: |", PARAMETER)
    body = LOOP.replace("100000", "most")
    assert evaluate_coin(tmp_path, body, text=text).scores == 9
    with pytest.raises(BadUsage, match="a loop counts the deals"):
        evaluate_coin(tmp_path, body, text=text.replace("5000", "7"))


def test_only_the_first_dealer_may_be_drawn_before_the_first_deal(tmp_path, monkeypatch):
    setup = "      setup dealer:\n          let one = random from seats\n          dealer = one\n"
    assert evaluate_coin(tmp_path, setup + LOOP).scores == 18
    monkeypatch.setattr("trutdsl.solve.fresh.LEAST", 0.01)
    for block in (setup, "      setup dealer:\n" + RARE):
        bare = block.replace("setup dealer", "if players == 2")
        with pytest.raises(BadUsage, match="only `setup dealer:` may draw the first dealer"):
            evaluate_coin(tmp_path, bare + LOOP)


def test_no_seat_is_asked_before_the_first_deal(tmp_path):
    setup = '      setup dealer:\n          ask dealer "nothing":\n              pass\n'
    with pytest.raises(BadUsage, match="only `setup dealer:` may draw the first dealer"):
        evaluate_coin(tmp_path, setup + LOOP)


def test_a_first_dealer_may_be_drawn_by_cards(tmp_path):
    setup = """\
      setup dealer:
          shuffle stock
          for p in seats: draw from stock to hand[p]
          dealer = first p in seats with highest strength(top(hand[p]))
          gather hand into stock
"""
    hand = "  zone hand[seat]: up to 1 card, seen by all\n"
    assert evaluate_coin(tmp_path, setup + LOOP, hand).scores == 18
    unfair = setup.replace("highest strength(top(hand[p]))", "highest size(hand[p])")
    assert evaluate_coin(tmp_path, unfair + LOOP, hand).scores == 9


# In each deal both players have a point, or only the dealer. With two points each the first seat
# wins. So this seat always wins as the dealer, and else in one match of four.
LEAN = LOOP.replace(">= 3", ">= 2")
LEAN_GAME = GAME.replace(
    "      points[team(winner)] += 1",
    "      if winner != dealer: points[team(winner)] += 1\n      points[team(dealer)] += 1",
)
BY_CHANCE = """\
          let passes = chance 1 out of 4
          if passes: dealer = next_seat(dealer)
"""
BY_CARDS = """\
          shuffle stock
          draw from stock to hand[dealer]
          if strength(top(hand[dealer])) > 1: dealer = next_seat(dealer)
          gather hand into stock
"""
TIES = """\
          repeat at most 1000 times while size(hand[dealer]) == 0:
              let draws = chance 1 out of 2
              if draws:
                  shuffle stock
                  draw from stock to hand[dealer]
          if strength(top(hand[dealer])) > 1: dealer = next_seat(dealer)
          gather hand into stock
"""


@pytest.mark.parametrize(
    ("block", "second"),
    [
        ("          dealer = next_seat(dealer)\n", 1),
        (BY_CHANCE, 1 / 4),
        (BY_CARDS, 2 / 3),
        ("          dealer = random from seats\n", 1 / 2),
    ],
)
def test_each_first_dealer_counts_as_often_as_the_rules_draw_it(tmp_path, block, second):
    """second: how often the second seat deals first."""
    hand = "  zone hand[seat]: up to 1 card, seen by all\n" if "hand" in block else ""
    found = evaluate_coin(tmp_path, "      setup dealer:\n" + block + LEAN, hand, LEAN_GAME)
    assert found.first_dealer_wins == pytest.approx(1 - second / 4, abs=1e-12)
    assert sum(found.lengths) == pytest.approx(1)


RARE = "          let last = roll 1 to 200\n"


@pytest.mark.parametrize("block", [TIES, RARE])
def test_a_draw_with_too_many_courses_is_refused(block, tmp_path, monkeypatch):
    monkeypatch.setattr("trutdsl.solve.fresh.LEAST", 0.01)  # so each course of the roll is rare
    hand = "  zone hand[seat]: up to 1 card, seen by all\n" if "hand" in block else ""
    with pytest.raises(BadUsage, match="the draw for the first dealer can take too many courses"):
        evaluate_coin(tmp_path, "      setup dealer:\n" + block + LEAN, hand, LEAN_GAME)


def test_points_before_the_first_deal_belong_to_the_first_score(tmp_path):
    setup = "      setup dealer:\n          points[team(next_seat(dealer))] += 2\n"
    found = evaluate_coin(tmp_path, setup + LOOP)
    assert found.first_dealer_wins == pytest.approx(1 / 8)


WINNER = "      let winner = random from seats\n"
BY_SCORE = [
    (
        "let lucky = chance 1 + points[team(dealer)] out of 5\n"
        "      let winner = dealer if lucky else next_seat(dealer)\n",
        lambda own, _other: Fraction(1 + own, 5),
    ),
    (
        "let number = roll 1 to 2 + points[team(dealer)]\n"
        "      let winner = dealer if number == 1 else next_seat(dealer)\n",
        lambda own, _other: Fraction(1, 2 + own),
    ),
    (
        "let winner = random from (those p in seats"
        " where points[team(p)] <= points[team(dealer)])\n",
        lambda own, other: Fraction(1, 2) if other <= own else Fraction(1),
    ),
]


@pytest.mark.parametrize(("draw", "chance"), BY_SCORE)
def test_the_probabilities_of_a_draw_may_depend_on_the_score(tmp_path, draw, chance):
    """chance: of the dealer, who stays the same."""

    def wins(own, other):
        if 3 in (own, other):
            return Fraction(own == 3)
        share = chance(own, other)
        return share * wins(own + 1, other) + (1 - share) * wins(own, other + 1)

    found = evaluate_coin(tmp_path, LOOP, text=GAME.replace(WINNER, f"      {draw}"))
    assert found.first_dealer_wins == pytest.approx(float(wins(0, 0)), abs=1e-12)


def test_cards_that_last_are_refused(tmp_path):
    state = "  match state:\n      kept: card?\n"
    body = LOOP.replace("          deal:", "          kept = none\n          deal:")
    with pytest.raises(BadUsage, match="'kept' keeps cards"):
        evaluate_coin(tmp_path, body, state)


DRAWN_DEALER = LOOP + "          let next_one = random from seats\n          dealer = next_one\n"
THREE_DEALS = (
    LOOP
    + """\
          played += 1
          if played >= 3: end match drawn
          let next_one = random from seats
          dealer = next_one
"""
)


def test_chance_between_deals_keeps_what_a_deal_has_brought(tmp_path):
    game = load_coin(tmp_path, DRAWN_DEALER)
    found = evaluate(game, ("uniform", "uniform"))
    assert found.lengths == pytest.approx([0, 0, 0, 1 / 4, 3 / 8, 3 / 8])
    ended = game.count_plan.part("ended", found.counts)
    assert ended.sum() == pytest.approx(found.deals_per_match)


def test_a_deal_that_ends_a_match_does_not_end_it_at_another_score(tmp_path):
    found = evaluate_coin(tmp_path, THREE_DEALS, "  match state:\n      played: 0 to 3\n")
    assert found.lengths == pytest.approx([0, 0, 0, 1])
    assert found.wins == pytest.approx((1 / 8, 1 / 8, 3 / 4))


def test_a_leader_lasts_over_deals_without_questions(tmp_path):
    # The first seat gets a point; then each seat is as likely to get one, until one has two.
    rule = """\
  rule play_deal "Who leads has a point.":
      points[team(on_lead)] += 1
      shuffle stock
      let next_one = random from seats
      on_lead = next_one
      end deal because led
"""
    text = GAME[: GAME.index("  rule play_deal")] + rule
    found = evaluate_coin(tmp_path, LOOP.replace(">= 3", ">= 2"), text=text)
    assert found.lengths == pytest.approx([0, 0, 1 / 2, 1 / 2])
    assert found.first_dealer_wins == pytest.approx(3 / 4)


def test_a_deal_may_begin_again_without_a_limit(tmp_path):
    # Two deals of three begin again. Which turn of the loop was the last does not matter later.
    state = "  zone turned_up: up to 1 card, seen by all\n"
    rule = """
  rule turn_up_a_king "Until a king lies there.":
      repeat at most 100000 times:
          gather turned_up into stock
          shuffle stock
          draw from stock to turned_up
          if rank(top(turned_up)) == "K": stop
      do play_deal
"""
    found = evaluate_coin(tmp_path, LOOP.replace("play_deal", "turn_up_a_king") + rule, state)
    assert found.lengths == pytest.approx([0, 0, 0, 1 / 4, 3 / 8, 3 / 8])
    assert found.classes == 1


@pytest.mark.parametrize("card", ["K", "Q", "J"])
def test_a_card_that_leaves_the_pack_in_some_deals_is_noticed(card, tmp_path):
    state = "  zone turned_up: up to 1 card, seen by all\n  zone out: seen by all\n"
    rule = f"""
  rule turn_one "Some card goes.":
      gather turned_up into stock
      shuffle stock
      draw from stock to turned_up
      if rank(top(turned_up)) == "{card}" and empty(out):
          move top(turned_up) from turned_up to out
      do play_deal
"""
    with pytest.raises(BadUsage, match="depends on more than the score"):
        evaluate_coin(tmp_path, LOOP.replace("do play_deal", "do turn_one") + rule, state)
