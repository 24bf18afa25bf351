"""What seats see between two questions, or in which order: they remember it.

A coin or a card is hidden, and the seat that does not deal guesses it. It may have seen something
that tells it. A model in plain Python remembers all of that. A game is refused if the solver would
forget it, else both find the same value.
"""

from textwrap import indent
from types import MappingProxyType

import pytest

from tests.fuzz.recall.search import plain_values
from trutdsl import load_game
from trutdsl.diagnostics import BadUsage
from trutdsl.solve import tree, trees
from trutdsl.solve.exploit import exploit_deal
from trutdsl.strategy.fitness import load_strategies
from trutdsl.strategy.script import table_with

GAME = """\
variant: coin
title: Coin
players: [2]
teams: {2: 2}
pack: {suits: {a: acorns}, ranks: [K, Q, J]}
counters: {points: {help: Points.}}
rules: |
  zone stock: pile, starts with pack_cards, seen by nobody
  zone burnt: pile, seen by nobody
  zone hand[seat]: seen by owner
  zone open[seat]: seen by all
  zone row: seen by all
  zone heap: pile, seen by all
  deal state:
      coin: 0 to 1, seen by nobody

  rule match:
      repeat at most 10000 times:
          deal:
              gather hand, open, row, heap, burnt into stock openly
              shuffle stock
              do middle(next_seat(dealer))
              do guess(next_seat(dealer))

  rule guess(p):
      ask p "guess":
          guess n from 0 to 1:
              let side = team(p if openly(coin == n) else dealer)
              points[side] += 1
              end deal won by side because guessed

  rule middle(p):
"""
PARTS = {  # of which a game has those that it names
    "do wait": """\
  rule wait(p):
      ask p "wait":
          wait
""",
    "mine[": """\
  deal state:
      mine[seat]: 0 to 1, seen by owner
""",
    "mark =": """\
  deal state:
      mark: card?
""",
    "marks =": """\
  deal state:
      marks: cards
""",
    "do bids": """\
  deal state:
      bid: 0 to 1

  rule bids:
      ask dealer "bid":
          low: bid = 0
          high: bid = 1
""",
    "do maybe": """\
  rule maybe:
      let heads = chance 1 out of 2
      if heads: draw from stock to burnt
      else: draw from stock to heap
""",
    "do toss": """\
  rule toss -> yes_no:
      let heads = chance 1 out of 2
      coin = 1 if heads else 0
      return heads
""",
}
TOSS = "let lucky = do toss\n"
BURN = "if lucky: draw from stock to burnt\n"
LEAD = "on_lead = dealer if lucky else p\n"
NOTE = 'coin = openly(1 if (any c in {} has rank(c) == "K") else 0)\n'
DRAW = "draw from stock to {}\n"
BURN_KING = DRAW.format("burnt") + NOTE.format("burnt")
TWO_CARDS = DRAW.format("open[p]") + DRAW.format("open[dealer]")
TWO_TURNED = 2 * DRAW.format("heap")
TOP_IS_KING = 'coin = openly(1 if rank(top(heap)) == "K" else 0)\n'
C_IS_KING = 'coin = openly(1 if rank(c) == "K" else 0)\n'
ANSWERED = """\
repeat 2 times: draw from stock to hand[dealer]
repeat 2 times:
    ask dealer "play":
        play c from hand[dealer]: move c from hand[dealer] to row
"""


def first_card(zone, between=""):
    return DRAW.format(zone) + NOTE.format(zone) + between + DRAW.format(zone)


FORGETS = "no longer sees what it saw"
SIZES, VALUES = "the number of cards in", "is seen, and replaced"
READ, HIDDEN = "after a rule has read some", "are seen, and hidden again"
REFUSED = [
    (TOSS + "mine[p] = 1 if lucky else 0\ndo wait(p)\nmine[p] = 0", FORGETS),
    (TOSS + "mine[p] = 1 if lucky else 0\ndo wait(dealer)\nmine[p] = 0", FORGETS),
    (TOSS + "mine[dealer] = 0\n" + BURN + "do wait(p)\nmove all from burnt to stock", FORGETS),
    (TOSS + BURN + "move all from burnt to stock", SIZES),
    ("repeat 2 times:\n    let lucky = do toss\n    if lucky: draw from stock to burnt\n"
     "    else: draw from stock to heap", SIZES),
    ("repeat 2 times:\n    let q = random from seats\n    coin = 1 if q == p else 0\n"
     "    draw from stock to hand[q]", SIZES),
    ("do maybe\ncoin = size(burnt)\ndo maybe", SIZES),
    (TOSS + LEAD + "on_lead = dealer", VALUES),
    (TOSS + "if lucky: dealer = p\ndealer = next_seat(p)", VALUES),
    (first_card("hand[p]"), READ),
    (first_card("row"), READ),
    (first_card("row", "do bids\n"), READ),
    (TWO_TURNED + TOP_IS_KING + "move all from heap to row", READ),
    (ANSWERED + "let c = random from row\n" + C_IS_KING + "move c from row to burnt\n"
     "move all from row to burnt", HIDDEN),
]  # fmt: skip
SOLVED = [
    TOSS + "mine[dealer] = 1 if lucky else 0\ndo wait(p)\nmine[dealer] = 0",
    TOSS + 'if lucky:\n    ask dealer "peek" seen by owner:\n        peek',
    TOSS + BURN,
    TOSS + BURN + "do bids\nif lucky: draw from stock to heap",
    TOSS + "let n = roll 1 to 2\nrepeat n times:\n    draw from stock to burnt",
    TOSS + LEAD,
    TOSS + LEAD + BURN + "do bids\non_lead = dealer",
    TOSS + BURN + "bid = 1 if lucky else 0\ndo bids",
    ANSWERED + "coin = 0\nmove all from row to heap openly\nmove all from heap to burnt",
    first_card("heap"),
    DRAW.format("hand[p]") * 2 + NOTE.format("hand[p]"),
    BURN_KING + DRAW.format("open[p]") + "do bids\n" + DRAW.format("open[dealer]"),
    BURN_KING + TWO_CARDS + "do bids\ngather open into heap openly",
]


# A game whose pack lies open when the deal begins. Nothing is gathered before.
OPEN_PACK = {
    "  zone stock: pile, starts with pack_cards, seen by nobody\n": (
        "  zone stock: pile, starts with pack_cards, seen by all\n"
    ),
    **dict.fromkeys(
        [
            "  zone hand[seat]: seen by owner\n",
            "  zone open[seat]: seen by all\n",
            "  zone row: seen by all\n",
            "  zone heap: pile, seen by all\n",
            "              gather hand, open, row, heap, burnt into stock openly\n",
        ],
        "",
    ),
}


TWO_SUITS = {"suits: {a: acorns}, ranks: [K, Q, J]": "suits: {a: acorns, b: bells}, ranks: [K, Q]"}


def load(text, folder, changes=MappingProxyType({})):
    game = GAME
    for old, new in changes.items():
        game = game.replace(old, new)
    parts = [part for name, part in PARTS.items() if name in text]
    (folder / "coin.yaml").write_text("\n".join([game + indent(text, "      "), *parts]))
    return load_game(folder / "coin.yaml", 2, (), "native")


def response(game):
    """Return what a best response gains against uniform play."""
    table, names = table_with(game, load_strategies(("uniform",), game))
    return exploit_deal(table, names, {"points": 1}, {})[0].gains


@pytest.fixture(autouse=True)
def no_cache(monkeypatch):
    monkeypatch.setenv("TRUTDSL_CACHE", "")  # no game occurs twice


def test_a_game_is_refused_before_all_its_deals_are_played(tmp_path, monkeypatch):
    game = load(TOSS + BURN + "move all from burnt to stock", tmp_path)
    text = "each deal was played"
    monkeypatch.setattr(trees.TreeEnumerator, "finish", lambda *_: pytest.fail(text))
    with pytest.raises(BadUsage, match=SIZES):
        response(game)


@pytest.mark.parametrize(("text", "why"), REFUSED)
def test_what_seats_would_forget_is_refused(text, why, tmp_path, monkeypatch):
    game = load(text, tmp_path)
    with pytest.raises(BadUsage, match=why):
        response(game)
    monkeypatch.setattr(trees, "can_mix", lambda *_: False)
    monkeypatch.setattr(tree, "with_sights", lambda memories, _: memories)
    monkeypatch.setattr(trees, "check_remembered", lambda *_: None)
    assert response(game) < plain_values(game)[0] - 0.01


@pytest.mark.parametrize("text", SOLVED)
def test_what_seats_still_see_has_the_value_of_a_plain_model(text, tmp_path):
    game = load(text, tmp_path)
    assert response(game) == pytest.approx(plain_values(game)[0])


def test_seats_remember_cards_of_a_pack_that_lay_open(tmp_path):
    text = BURN_KING + "move all from stock to burnt"
    game = load(text, tmp_path, OPEN_PACK)
    assert plain_values(game)[0] == 0.5  # the seat saw which card was gone
    with pytest.raises(BadUsage, match=HIDDEN):
        response(game)


@pytest.mark.parametrize("mark", ["mark = top(open[p])", "marks = open[p]"])
def test_seats_know_marked_cards_by_their_class(mark, tmp_path):
    game = load(BURN_KING + DRAW.format("open[p]") + mark + "\ndo wait(p)", tmp_path, TWO_SUITS)
    assert response(game) == pytest.approx(plain_values(game)[0])


@pytest.mark.parametrize(
    "text",
    [
        TWO_CARDS + "do bids\ngather open into row openly",
        TWO_TURNED + "do bids\nmove all from heap to row",
        DRAW.format("row") + "do bids\n" + DRAW.format("row"),
    ],
)
def test_open_cards_that_come_to_others_after_a_question_are_refused(text, tmp_path, monkeypatch):
    """Both have seen at the bid which card lay where. The bid may depend on it.

    So it tells a seat that remembers more of the hidden card, which the dealer knows.
    """
    game = load(DRAW.format("hand[dealer]") + NOTE.format("hand[dealer]") + text, tmp_path)
    with pytest.raises(BadUsage, match=FORGETS):
        response(game)
    monkeypatch.setattr(trees, "can_mix", lambda *_: False)
    response(game)
