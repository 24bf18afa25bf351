"""Exact evaluation of solved policies, against a recursion over all positions of a match."""

from bisect import bisect_left
from itertools import permutations
from types import SimpleNamespace

import numpy as np
import pytest
from extent import extent

from tests.answers.fixed_hands import FixedHands
from tests.solve.plain_kuhn import KUHN
from tests.solve.test_exploit import MIXER
from tests.solve.test_solve import solve_kuhn, write_trut
from trutdsl import load_game
from trutdsl.game import DealStart
from trutdsl.solve.classes import CardClasses
from trutdsl.solve.exact import evaluate
from trutdsl.solve.match import MatchSolver, write_policy
from trutdsl.solve.players import SolvedPlayer
from trutdsl.solve.stored import PARTS
from trutdsl.strategy.fitness import load_strategies
from trutdsl.strategy.solved_policy import exact_players


class FixedDraw:
    """A stream whose draw is always this share of the range."""

    def __init__(self, share):
        self.share = share

    def next64(self):
        return int(self.share * 2**64)


class PlainMatch:
    """A match of Kuhn poker, evaluated by recursion over all its positions.

    players: for each seat a function: state -> probability of the first action.
    """

    def __init__(self, game, players):
        self.game, self.players = game, players
        self.known = {}

    def from_score(self, chips, dealer):
        """Return the probability that seat 0 wins, and the mean number of deals."""
        if (chips, dealer) not in self.known:
            wins, length = 0.0, 1.0
            for hands in permutations("KQJ", 2):
                state = self.game.start(
                    0, 0, chance=FixedHands(self.game, 0, [[c + "s"] for c in hands])
                )
                state.set_counter("chips", chips)
                state.set_dealer(dealer)
                state.next_deal()
                won, more = self.from_state(state)
                wins, length = wins + won / 6, length + more / 6
            self.known[chips, dealer] = wins, length
        return self.known[chips, dealer]

    def from_state(self, state):
        if state.pending is None:
            return float(state.winner == 0), 0.0
        if isinstance(state.pending, DealStart):
            return self.from_score(state.counters()["chips"], state.dealer)
        first = self.players[state.pending.seat](state)
        wins = length = 0.0
        for action, share in enumerate((first, 1 - first)):
            if share:
                twin = state.clone()
                twin.apply(action)
                won, more = self.from_state(twin)
                wins, length = wins + share * won, length + share * more
        return wins, length


def policy_player(spec, game):
    """Return the player of a policy. It finds a probability by bisection over draws."""

    def first(state):
        player = spec.player_for(game, state.pending.seat)
        actions = state.pending.actions

        def is_first(part):
            return player.choose(state.view(FixedDraw((part + 0.5) / PARTS))) == actions[0]

        begins = is_first(0)
        share = bisect_left(range(PARTS), True, key=lambda p: is_first(p) != begins) / PARTS
        return share if begins else 1 - share

    return first


def mixer_player(state):
    """Return the probability of the first action by `MIXER`."""
    view = state.view()
    card = " JQK".index(view.cards("hand", view.seat)[0][0])
    share = {"open": (0, 0.25, 0, 1), "speak": (0, 0.3, 0.3, 0.3), "answer": (0, 0, 0.5, 1)}
    acts = share[view.decision][card]
    return acts if state.pending.actions[0].text in ("bet", "call") else 1 - acts


@pytest.mark.parametrize("opponent", ["mixer", "itself"][: extent(1, None)])
def test_a_policy_is_evaluated_exactly(opponent, tmp_path):
    game, solver, known = solve_kuhn(tmp_path)
    path = str(tmp_path / "kuhn.policy")
    (tmp_path / "mixer.strategy").write_text(MIXER)
    other = path if opponent == "itself" else str(tmp_path / "mixer.strategy")
    specs = load_strategies((path, other), game)
    found = evaluate(*exact_players(game, specs))
    own = policy_player(specs[0], game)
    theirs = own if opponent == "itself" else mixer_player
    starts = [score.start[0] for score in solver.first]
    wins, length = np.mean(
        [PlainMatch(game, (own, theirs)).from_score((0, 0), dealer) for dealer in starts], axis=0
    )
    lost, more = np.mean(
        [PlainMatch(game, (theirs, own)).from_score((0, 0), dealer) for dealer in starts], axis=0
    )
    assert found.wins == pytest.approx(((wins + 1 - lost) / 2, (lost + 1 - wins) / 2, 0), abs=1e-12)
    assert found.deals_per_match == pytest.approx((length + more) / 2, abs=1e-12)
    if opponent == "itself":
        value = known[next(iter(solver.first))].value
        assert found.first_dealer_wins == pytest.approx(value, abs=1e-9)
        assert abs(value - 0.5) > 0.001


class PlainResponse:
    """The best response to a player of Kuhn poker, by recursion over information sets.

    player: a function as in `PlainMatch`; seat: that of the responder.
    """

    def __init__(self, game, player, seat):
        self.game, self.player, self.seat = game, player, seat
        self.known = {}

    def from_score(self, chips, dealer):
        """Return the probability that the responder wins."""
        if (chips, dealer) not in self.known:
            self.known[chips, dealer] = sum(
                self.best([(1 / 6, self.start(chips, dealer, own, other)) for other in others])
                for own in "KQJ"
                for others in ["KQJ".replace(own, "")]
            )
        return self.known[chips, dealer]

    def start(self, chips, dealer, own, other):
        hands = [[own + "s"], [other + "s"]][:: 1 if self.seat == 0 else -1]
        state = self.game.start(0, 0, chance=FixedHands(self.game, 0, hands))
        state.set_counter("chips", chips)
        state.set_dealer(dealer)
        state.next_deal()
        return state

    def best(self, rows):
        """Return the wins from states that only the other seat distinguishes, with weights."""
        wins, asked = 0.0, []
        for weight, state in rows:
            if state.pending is None:
                wins += weight * (state.winner == self.seat)
            elif isinstance(state.pending, DealStart):
                wins += weight * self.from_score(state.counters()["chips"], state.dealer)
            else:
                asked.append((weight, state))
        if not asked:
            return wins
        if asked[0][1].pending.seat == self.seat:
            return wins + max(self.best(self.after(asked, action)) for action in (0, 1))
        firsts = [(weight, state, self.player(state)) for weight, state in asked]
        return wins + sum(
            self.best(self.after([(w * (1 - p if action else p), s) for w, s, p in firsts], action))
            for action in (0, 1)
        )

    @staticmethod
    def after(rows, action):
        twins = [(weight, state.clone()) for weight, state in rows]
        for _, twin in twins:
            twin.apply(action)
        return twins


@pytest.mark.parametrize("iterations", [3, 100][: extent(1, None)])
def test_the_exploitability_of_a_policy_is_that_of_its_best_responses(iterations, tmp_path):
    game = load_game(KUHN, 2, {"goal": 3}, "native")
    solver = MatchSolver(game)
    known = dict(solver.solve_all(iterations, 1e-9, {}, 1))
    write_policy(tmp_path / "kuhn.policy", solver, known, iterations, 1e-9)
    (spec,) = load_strategies((str(tmp_path / "kuhn.policy"),), game)
    player, (score,) = policy_player(spec, game), solver.first
    first_dealer = score.start[0]
    wins = [
        PlainResponse(game, player, seat).from_score((0, 0), first_dealer)
        for seat in (first_dealer, 1 - first_dealer)
    ]
    assert known[score].best == pytest.approx(wins, abs=1e-9)
    assert known[score].exploitability == pytest.approx((sum(wins) - 1) / 2, abs=1e-9)
    assert known[score].exploitability > 1e-5


BY_SUIT = """strategy NAME "Accepts with half of all hands of three cards.":
    define cards: count c in hand[me]
    define clubs: count c in hand[me] where suit(c) == "c"
    on respond:
        accept when cards == 3 WHEN
        fold
    on interrupt: pass
    on turn: play card with highest strength(card)
    otherwise:
        any
"""


@pytest.mark.thorough
def test_a_policy_can_play_against_a_script_that_reads_suits(tmp_path):
    """For the policy, the number of clubs in the other hand is as random as a coin."""
    game = load_game(write_trut(tmp_path, 3), 2, {"goal": 1}, "native")
    solver = MatchSolver(game)
    path = tmp_path / "short.policy"
    write_policy(path, solver, dict(solver.solve_all(2, 0, {})), 2, 0)
    found = []
    for name, when in (("coin", "with chance 0.5"), ("suit", "and clubs >= 2")):
        text = BY_SUIT.replace("NAME", name).replace("WHEN", when)
        (tmp_path / f"{name}.strategy").write_text(text)
        specs = load_strategies((str(path), str(tmp_path / f"{name}.strategy")), game)
        found.append(evaluate(*exact_players(game, specs)))
    coin, suit = found
    assert suit.classes > coin.classes
    assert suit.proved == "all 6 cards differ"
    assert suit.wins == pytest.approx(coin.wins, abs=1e-12)
    assert suit.deals_per_match == pytest.approx(coin.deals_per_match, abs=1e-12)


@pytest.mark.parametrize(
    ("of", "wanted"),
    [
        pytest.param((0, 0, 1, 1), (0, 0, 1, 1), id="the-same"),
        pytest.param((0, 0, 1, 2), (0, 1, 2, 3), id="finer"),
        pytest.param((0, 0, 0, 0), (0, 1, 2, 3), id="coarser"),
    ],
)
def test_all_cards_differ_if_a_script_distinguishes_cards_that_a_policy_merges(of, wanted):
    policy = SimpleNamespace(head=SimpleNamespace(classes=(0, 0, 1, 1)))
    found = SolvedPlayer(policy, None).refine_classes(CardClasses(of, ("strength",), None))
    assert found.of == wanted
