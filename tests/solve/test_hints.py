"""Hints of a policy: the price of each choice, by hand and from the whole tree of a deal."""

import io
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.answers.fixed_hands import start_deal
from tests.solve.plain_kuhn import KUHN
from tests.solve.test_solve import solve_kuhn, write_trut
from trutdsl import load_game
from trutdsl.cli.app import BAD_INPUT, DONE, run
from trutdsl.cli.explain_choice import hint_lines
from trutdsl.game import DealStart
from trutdsl.solve.equilibrium import DealSolver
from trutdsl.solve.match import MatchSolver, gains_of, write_policy
from trutdsl.solve.stored import strategy_from
from trutdsl.strategy.fitness import load_strategies
from trutdsl.strategy.hints import ChoiceHint, Hint, SolvedPolicyAdviser
from trutdsl.variant import load_variant, words_of


class KuhnPolicy:
    """Kuhn poker to three chips with its solved policy, at 0:0; seat 0 deals."""

    def __init__(self, folder):
        self.game, _, _ = solve_kuhn(folder)
        (spec,) = load_strategies((str(folder / "kuhn.policy"),), self.game)
        self.adviser = SolvedPolicyAdviser(self.game, spec)
        self.values = {(one.start[0], *one.values): one.value for one in spec.policy.head.scores}

    def hint(self, cards, *actions):
        """Return the hint after some actions; cards: those of both seats."""
        state = start_deal(self.game, 0, [[f"{card}s"] for card in cards])
        for action in actions:
            state.apply(state.pending.texts.index(action))
        return self.adviser.hint(state.view())

    def share(self, cards, *actions):
        """Return the probability that the policy takes the last of these actions."""
        return choices_of(self.hint(cards, *actions[:-1]))[actions[-1]].share

    def wins(self, *chips):
        """Return the probability that seat 0 wins from these chips if seat 1 deals."""
        return self.values[1, *chips]


def choices_of(hint):
    return {one.texts[0]: one for one in hint.choices}


@pytest.fixture(scope="module")
def kuhn(tmp_path_factory):
    return KuhnPolicy(tmp_path_factory.mktemp("kuhn"))


def assert_prices(hint, worths):
    """Compare a hint with the value of each choice."""
    best = max(worths.values())
    assert hint.wins == pytest.approx(best, abs=1e-12)
    assert {text: one.price for text, one in choices_of(hint).items()} == pytest.approx(
        {text: best - worth for text, worth in worths.items()}, abs=1e-12
    )
    assert hint.known
    assert hint.expected


def test_the_price_of_an_answer_to_a_bet_by_hand(kuhn):
    king, jack = kuhn.share("KQ", "bet"), kuhn.share("JQ", "bet")
    called = (king * kuhn.wins(2, 0) + jack * kuhn.wins(0, 2)) / (king + jack)
    worths = {"call": 1 - called, "fold": 1 - kuhn.wins(1, 0)}
    assert_prices(kuhn.hint("KQ", "bet"), worths)
    assert_prices(kuhn.hint("JQ", "bet"), worths)  # the other card is hidden


def test_a_hint_has_the_probability_of_its_question(kuhn):
    king, jack = kuhn.share("KQ", "bet"), kuhn.share("JQ", "bet")
    assert kuhn.hint("KQ").reach == pytest.approx(1 / 3, abs=1e-12)
    assert kuhn.hint("KQ", "bet").reach == pytest.approx((king + jack) / 6, abs=1e-12)


def test_a_hint_warns_of_weak_play_at_a_rare_question():
    words = words_of(load_variant("trut"))
    choices = ChoiceHint(("call",), 0.85, 0.46), ChoiceHint(("fold",), 0.15, 0.0)
    lines = list(hint_lines(Hint(choices, True, True, 0.5, 1 / 4000), "solved", words))
    assert "loses 39 of 100 matches here" in lines[-1]
    assert "only one of 4,000 deals, so the exploitability hardly counts it" in lines[-1]
    often = list(hint_lines(Hint(choices, True, True, 0.5, 1 / 8), "solved", words))
    assert often[-1].endswith("one of 8 deals"), "the exploitability counts it"
    assert len(list(hint_lines(Hint(choices, False, True, 0.5), "solved", words))) == 4
    small = ChoiceHint(("call",), 0.85, 0.01), ChoiceHint(("fold",), 0.15, 0.0)
    assert len(list(hint_lines(Hint(small, True, True, 0.5, 0.1), "solved", words))) == 3


def test_the_price_of_an_opening_includes_the_best_later_answer(kuhn):
    called = [kuhn.share(cards, "bet", "call") for cards in ("KQ", "KJ")]
    spoken = [kuhn.share(cards, "check", "bet") for cards in ("KQ", "KJ")]
    bet = np.mean([c * kuhn.wins(2, 0) + (1 - c) * kuhn.wins(1, 0) for c in called])
    shown = np.mean([(1 - s) * kuhn.wins(1, 0) for s in spoken])
    check = shown + np.mean(spoken) * max(kuhn.wins(2, 0), kuhn.wins(0, 1))
    assert_prices(kuhn.hint("KJ"), {"bet": bet, "check": check})


def test_prices_if_a_deal_decides_the_match(tmp_path):
    """The dealer bets with any card. With a queen, a call wins half of the matches, a fold none."""
    game, _, _ = solve_kuhn(tmp_path, goal=1)
    (spec,) = load_strategies((str(tmp_path / "kuhn.policy"),), game)
    state = start_deal(game, 0, [["Ks"], ["Qs"]])
    state.apply(state.pending.texts.index("bet"))
    hint = SolvedPolicyAdviser(game, spec).hint(state.view())
    prices = {text: one.price for text, one in choices_of(hint).items()}
    assert prices == {"call": 0.0, "fold": 0.5}
    assert hint.wins == 0.5


@pytest.mark.thorough
def test_prices_agree_with_the_whole_tree(tmp_path):
    game = load_game(write_trut(tmp_path, 3), 2, {"goal": 1}, "native")
    solver = MatchSolver(game)
    known = dict(solver.solve_all(30, 1e-3, {}))
    write_policy(tmp_path / "short.policy", solver, known, 30, 1e-3)
    (spec,) = load_strategies((str(tmp_path / "short.policy"),), game)
    adviser, values = SolvedPolicyAdviser(game, spec), {s: one.value for s, one in known.items()}
    chance, asked, odd = np.random.default_rng(1), 0, 0
    for match in range(8):
        state = game.start(1, match)
        for _ in range(12):
            while isinstance(state.pending, DealStart):
                state.next_deal()
            if state.pending is None:
                break
            view = state.view()
            hint = adviser.hint(view)
            if len(hint.choices) > 1:
                player = spec.player_for(game, view.seat)
                seen = player.observe(view)
                count = np.array([len(hint.choices)])
                keys, _ = player.look_up(seen, count, player.hash_history(view)[-1:])
                dealer, *rest = player.reader.scores(seen)[0].tolist()
                worths = tree_worths(solver, known, values, (dealer, rest), view.seat, keys[0])
                assert hint.expected == (worths is not None)
                odd += worths is None
                if worths is not None:
                    asked += 1
                    prices = sorted(one.price for one in hint.choices)
                    assert prices == pytest.approx(sorted(worths.max() - worths), abs=1e-9)
                    assert hint.wins == pytest.approx(worths.max(), abs=1e-9)
            state.apply(int(chance.integers(len(view.texts))))
    assert asked > 20
    assert odd > 0


def tree_worths(solver, known, values, at, seat, key):
    """Return the value of each choice, from the tree of all deals; None if it is never reached."""
    dealer, rest = at
    score = next(s for s in known if s.start == (dealer,) and list(s.values) == rest)
    ends = solver.scores[score]
    deal = DealSolver(ends.tree)
    other = deal.seats[1 - seat]
    plan = other.plan_of(strategy_from(other, known[score].play[1 - seat]))
    found = []
    for gains in (gains_of(ends, 0, values), np.full(len(ends.of_kind), (1.0, -1.0)[seat])):
        deal.set_gains(gains)
        found.append(deal.seats[seat].worth_of_best(deal.worth(seat, plan))[0])
    tree = ends.tree.seats[seat]
    row = int(np.flatnonzero(tree.keys == key)[0])
    choices = slice(tree.first[row], tree.first[row + 1])
    reach = found[1][choices]
    return None if reach[0] <= 0 else 0.5 + found[0][choices] / reach


# ---------------------------------------------------------------- in commands


SCENARIO = """\
scenario: a king is asked
variant: {variant}
players: 2
parameters: {{goal: 3}}
start:
  dealer: 0
  counters: {{chips: {chips}}}
  hands: {{0: [Ks], 1: [Qs]}}
actions: [0: check, 1: bet]
expect: {{decision: {{seat: 0}}}}
"""
UNKNOWN = "this policy never plays to this point: it takes a legal action at random, each equally"
NO_PRICE = "no deal of a match leads here, so the choices have no price"


@pytest.mark.parametrize(
    ("chips", "message"),
    [
        ([0, 0], "the best choice wins"),
        ([2, 0], UNKNOWN),  # it bets with a king there
        ([0, 4], NO_PRICE),  # the match is over there
    ],
)
def test_explain_choice_of_a_policy(chips, message, tmp_path, capsys):
    solve_kuhn(tmp_path)
    path = tmp_path / "one.yaml"
    (tmp_path / "kuhn-poker.yaml").write_text(Path(KUHN).read_text())
    path.write_text(SCENARIO.format(variant="kuhn-poker.yaml", chips=chips))
    assert run(["explain-choice", str(tmp_path / "kuhn.policy"), str(path)]) == DONE
    out = " ".join(capsys.readouterr().out.split())
    assert message in out
    assert (UNKNOWN in out) == (chips != [0, 0])


def test_hints_in_play(tmp_path, capsys, monkeypatch):
    solve_kuhn(tmp_path)
    policy = str(tmp_path / "kuhn.policy")
    log = tmp_path / "log.jsonl"
    args = ["play", KUHN, "--players", "2", "--param", "goal=3", "--seed", "3"]
    monkeypatch.setattr(sys, "stdin", io.StringIO("hint\ncheck\nhint\nq\n"))
    assert run([*args, "--strategies", "uniform", "--hint", policy]) == DONE
    out = capsys.readouterr().out
    assert "hint   what an adviser would do" in out
    assert out.count("of 100 matches") == 2
    assert out.count(" loses ") == 4
    assert run([*args, "--hint", "x.policy"]) == BAD_INPUT
    assert "No such file" in capsys.readouterr().err
    more = ["--players", "2", "--param", "goal=3", "--strategies", f"{policy},uniform"]
    assert run(["simulate", KUHN, *more, "--matches", "1", "--transcript", str(log)]) == DONE
    capsys.readouterr()
    assert run(["explain-choice", policy, str(log)]) == DONE
    out = capsys.readouterr().out
    assert "deal 1: player 1 is asked" in out
    assert "the actual answer: " in out
