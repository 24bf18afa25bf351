"""A match with open chance: both engines have the same chance nodes, and the seed's matches."""

from contextlib import suppress

import pytest

from trutdsl.game import BadUsage, ChanceNode, DealStart, Question, load_game
from trutdsl.ir.types import Kind
from trutdsl.streams import Stream, mix_in
from trutdsl.table.chance import CheckedChance, Draw, StreamChance
from trutdsl.table.faults import RuleError

TABLES = [("trut", 2), ("trut", 4), ("trut-club", 2), ("trut-deluxe", 3), ("truc-catalan", 4)]
TABLES += [("tute", 3)]
ENGINES = ("reference", "native")
DICE = """\
variant: dice
title: All that chance can give
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts, s: spades}, ranks: [A, K, Q]}
counters: {points: {help: Points.}}
rules: |
  zone stock: pile, starts with pack_cards
  zone hand[seat]: up to 3 cards, seen by owner
  zone turned: up to 1 card, seen by all
  match state:
      most: 0 to 9 = 9

  rule match:
      setup dealer:
          dealer = random from seats
      repeat 3 times:
          deal:
              let more = roll 1 to 3
              let third = chance 1 out of 3
              if third: points[team(dealer)] += more
              let sure = chance most out of 9
              if sure: points[team(dealer)] += 1
              let never = chance (9 - most) out of 9
              if never: points[team(dealer)] += 100
              let suit = random from suits
              shuffle stock
              repeat 2 times: draw from stock to hand[dealer]
              draw from stock to turned
              ask dealer "turn":
                  guess s from suits:
                      if s == suit: points[team(dealer)] += 10
              gather hand, turned into stock
              end deal because played
      end match drawn
"""


@pytest.fixture(scope="module", params=TABLES, ids=lambda t: f"{t[0]}-{t[1]}p")
def games(request):
    name, players = request.param
    return [load_game(name, players, engine=engine) for engine in ENGINES]


@pytest.fixture
def dice(tmp_path):
    path = tmp_path / "dice.yaml"
    path.write_text(DICE, encoding="utf-8")
    return [load_game(path, engine=engine) for engine in ENGINES]


def play(game, seed, match, decide, most=10**9):
    """Play a match at random; return everything observable, and the chance nodes.

    decide: chooses the outcome of a node; None: the seed decides.
    most: the limit of deals and decisions together.
    """
    shown, nodes = [], []
    state = game.start(seed, match, shown.append, open_chance=decide is not None)
    random = Stream(mix_in(0, seed, match))
    while isinstance(state.pending, ChanceNode) or (state.pending is not None and most > 0):
        most -= not isinstance(state.pending, ChanceNode)
        if isinstance(state.pending, DealStart):
            state.next_deal()
        elif isinstance(state.pending, Question):
            shown.append(state.pending)
            state.apply(random.below(len(state.pending.actions)))
        else:
            nodes.append((state.pending, state.to_dict(), len(shown)))
            state.decide(decide(state))
    return [*shown, state.to_dict()], nodes


def decide_as_seed(seed, match):
    """Return a function that decides each chance node as the seed would."""
    chance, part = StreamChance(seed, match), [0]

    def decide(state):
        if part[0] != state.deals:
            part[0] = state.deals
            chance.start(state.deals)
        node = state.pending
        if node.what != "card":
            return node.draw(chance.stream)
        zones, declared = state.to_dict()["zones"], state.game.program.zones
        origin = next(zone for zone in zones if any(node.texts[0] in at for at in zones[zone]))
        seats = state.game.players if declared[node.zone].index is Kind.SEAT else 0
        draw = Draw(origin, 0, node.zone, node.index, node.face_up, seats)
        return node.outcomes.index(chance.card(node.outcomes, draw))

    return decide


def test_both_engines_stop_at_the_same_chance_nodes(games):
    for match in range(2):
        ends = []
        for game in games:
            own = Stream(match)
            ends.append(play(game, 3, match, lambda s, own=own: s.pending.draw(own), 40))
        assert ends[0] == ends[1]
        assert len(ends[0][1]) > 10


def test_the_outcomes_of_a_seed_give_the_match_of_the_seed(games):
    """The native engine plays to the end. The reference engine stops early, as it is slow."""
    for game, most in zip(games, (40, 10**9), strict=True):
        shown, nodes = play(game, 3, 1, decide_as_seed(3, 1), most)
        assert len(nodes) > 10
        assert shown == play(game, 3, 1, None, most)[0]


def test_each_chance_node_has_its_outcomes_and_weights(dice):
    ends = [play(game, 1, 0, lambda s: len(s.pending.outcomes) - 1) for game in dice]
    assert ends[0] == ends[1]
    setup, *others = [node for node, _, _ in ends[0][1]]
    assert (setup.what, setup.texts, setup.weights) == ("element", ("0", "1"), (1, 1))
    assert len(others) == 3 * 8
    die, third, sure, never, suit, first, second, turned = others[:8]
    assert (die.what, list(die.outcomes), die.texts) == ("number", [1, 2, 3], ("1", "2", "3"))
    assert (third.what, third.outcomes, third.weights) == ("yes", (True, False), (1, 2))
    assert (sure.texts, sure.weights) == (("yes",), (9,))
    assert (never.texts, never.weights) == (("no",), (9,))
    assert suit.texts == ("hearts", "spades")
    for card, zone, index, face_up, left in (
        (first, "hand", 1, False, 6), (second, "hand", 1, False, 5), (turned, "turned", 0, True, 4),
    ):  # fmt: skip
        assert (card.what, card.zone, card.index, card.face_up) == ("card", zone, index, face_up)
        assert card.weights == (1,) * left == (1,) * len(card.texts)


def test_every_kind_of_chance_can_be_decided_as_the_seed_decides(dice):
    for game in dice:
        for match in range(20):
            assert (
                play(game, 9, match, decide_as_seed(9, match))[0] == play(game, 9, match, None)[0]
            )


def test_outcomes_are_drawn_in_proportion_to_their_weights():
    node = ChanceNode("yes", (True, False), ("yes", "no"), (2, 5))
    random, counts = Stream(1), [0, 0]
    for _ in range(7000):
        counts[node.draw(random)] += 1
    assert abs(counts[0] - 2000) < 5 * (7000 * 2 / 7 * 5 / 7) ** 0.5


def test_a_setup_that_is_settled_is_no_chance_node(dice):
    class Zero(StreamChance):
        def settle(self, name, match):
            match.set_values(name, [0])
            return True

    for game in dice:
        state = game.start(0, 0, arrangement=Zero(0, 0), open_chance=True)
        assert isinstance(state.pending, DealStart) and state.dealer == 0
        state.next_deal()
        assert state.pending.what == "number"
        assert state.clone().to_dict() == state.to_dict()


def test_impossible_calls_are_refused(dice):
    for game in dice:
        with pytest.raises(ValueError, match="either given or open"):
            game.start(0, 0, chance=StreamChance(0, 0), open_chance=True)
        state = game.start(0, 0, open_chance=True)
        before = state.to_dict()
        for wrong in (-1, 2):
            with pytest.raises(IndexError):
                state.decide(wrong)
        for act in (lambda s: s.apply(0), lambda s: s.next_deal(), lambda s: s.view()):
            with pytest.raises(ValueError):
                act(state)
        with pytest.raises(ValueError, match="chance is open"):
            state.set_counter("points", (1, 1))
        assert state.to_dict() == before
        state.decide(1)
        with pytest.raises(ValueError, match="does not fit here"):
            state.decide(0)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_number_of_billions_is_not_listed(tmp_path, engine):
    path = tmp_path / "dice.yaml"
    path.write_text(DICE.replace("roll 1 to 3", "roll -5 to 9999999999"), encoding="utf-8")
    state = load_game(path, engine=engine).start(0, 0, open_chance=True)
    while getattr(state.pending, "what", None) != "number":
        go_on(state, 0)
    assert state.to_dict()["pending"] == {"chance": "number", "first": -5, "last": 9999999999}
    with pytest.raises(BadUsage, match="found 10,000,000,005 outcomes of chance, expected at most"):
        _ = state.pending.texts
    with pytest.raises(BadUsage, match="found 10,000,000,005 outcomes"):
        _ = state.pending.weights
    with pytest.raises(
        IndexError, match="expected the index of the outcome, 0 to 10000000004: -5, "
    ):
        state.decide(-1)
    state.decide(10000000004)


def go_on(state, index):
    """Continue with the action or outcome of this index; -1 is the last."""
    if isinstance(state.pending, DealStart):
        state.next_deal()
    elif isinstance(state.pending, Question):
        state.apply(range(len(state.pending.actions))[index])
    else:
        state.decide(range(len(state.pending.outcomes))[index])


def test_both_engines_explain_an_error_after_open_chance_alike(tmp_path):
    path = tmp_path / "dice.yaml"
    faulty = DICE.replace("roll 1 to 3", "roll 1 to most - 8")
    path.write_text(faulty.replace("points[team(dealer)] += more", "most = 8"), encoding="utf-8")
    found = []
    for engine in ENGINES:
        state = load_game(path, engine=engine).start(0, 0, open_chance=True)
        with pytest.raises(RuleError) as caught:
            while state.pending is not None:
                with suppress(RuleError):  # an error in a copy does not affect the match
                    go_on(state.clone(), -1)
                go_on(state, 0)
        diagnostic = caught.value.diagnostic
        found.append((diagnostic.code, diagnostic.message, diagnostic.notes))
    assert found[0] == found[1]
    assert found[0][0] == "nothing"


class Fixed(StreamChance):
    """A caller's chance with one outcome, whatever is possible."""

    def __init__(self, outcome):
        super().__init__(0, 0)
        self.outcome = outcome

    def card(self, _cards, _draw):
        return self.outcome

    def element(self, _elements, _kind):
        return self.outcome

    def number(self, _low, _high):
        return self.outcome


DRAWN = Draw("stock", 0, "hand", 1, False, 2)


@pytest.mark.parametrize(
    ("outcome", "ask", "possible"),
    [
        (4, lambda chance: chance.card([0, 1, 2, 5, 7, 8], DRAWN), "0 to 2, 5, 7 to 8"),
        ("Ah", lambda chance: chance.card([31], DRAWN), "31"),
        (1, lambda chance: chance.element([0, 2, 4], Kind.SEAT), "0, 2, 4"),
        (-1, lambda chance: chance.number(1, 10**9), "1 to 1000000000"),
    ],
)
def test_an_impossible_outcome_is_refused_with_all_possible_ones(outcome, ask, possible):
    message = f"found {outcome!r} as the outcome of chance, expected one of {possible}"
    with pytest.raises(BadUsage) as caught:
        ask(CheckedChance(Fixed(outcome)))
    assert str(caught.value) == message
