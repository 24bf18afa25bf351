"""The figures of Kuhn poker under best play, from a sum over all deals in plain Python."""

from collections import defaultdict
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from tests.answers.fixed_hands import FixedHands
from tests.solve.plain_kuhn import KUHN
from trutdsl import load_game
from trutdsl.comparison.best_play import ROLES, show_play
from trutdsl.solve.describe import describe_deal, describe_match
from trutdsl.solve.labels import LabelledTrees
from trutdsl.solve.match import MatchSolver
from trutdsl.solve.policy_run import solve_match
from trutdsl.strategy.fitness import load_strategies
from trutdsl.strategy.hints import SolvedPolicyAdviser

GOAL, STARTS = 2, {(0, 0): 0, (1, 0): 1, (0, 1): 1, (1, 1): 0}  # the dealer at each score
CARDS = "JQK"
# A called bet wins only against a jack, else the dealer deals again. No seat may surrender.
TIES = {
    "  rule match": "  deal state:\n      tied: yes_no\n\n  rule match",
    "dealer = next_seat(dealer)": "if not tied: dealer = next_seat(dealer)",
    "          do win(player, stake)\n": """\
          if stake == 1 or strength(top(table[next_seat(player)])) == 1: do win(player, stake)
      tied = yes
      end deal because tied
""",
    "          check: do show_hands(1)\n": """\
          check: do show_hands(1)
          surrender when tied: do give_up(next_seat(dealer))
""",
}
FOLD, BETS = ("answer", "fold"), (("open", "bet"), ("speak", "bet"))
ASKED = {"open": ("bet", "check"), "speak": ("bet", "check"), "answer": ("call", "fold")}
NAMES = "given", "won", "lost", "gain", "folded"


class PlainMatch:
    """The deals of a match in which both seats play a policy; its sums are by role, 0 the dealer.

    ties: whether the game is changed by `TIES`. visits: how often a match comes to each score.
    answers: by score, role, card, question and option, with `NAMES`. hands: by role and card.
    deals: by the role that wins them.
    """

    def __init__(self, game, policy, ties):
        self.ties = ties
        self.adviser, self.game, self.shares = SolvedPolicyAdviser(game, policy), game, {}
        self.visits = defaultdict(float, {(0, 0): 1.0})
        self.answers = defaultdict(lambda: dict.fromkeys(NAMES, 0.0))
        self.hands = defaultdict(lambda: dict.fromkeys(NAMES, 0.0))
        self.lost_by_dealer, self.deals = 0.0, defaultdict(float)
        for score in STARTS:
            self.visits[score] /= 1 - self.again(score)
            for chance, winner, chips, _ in self.courses(score):
                if winner is not None:
                    self.visits[self.after(score, winner, chips)] += self.visits[score] * chance
        for score in STARTS:
            for course in self.courses(score):
                self.add(score, *course)

    def share(self, score, cards, *actions):
        """Return how often the policy takes the last action, with the card of the asked role."""
        key = score, cards[(len(actions) - 1) % 2], actions
        if key not in self.shares:
            dealer = STARTS[score]
            hands = [[f"{card}s"] for card in (cards if dealer == 0 else cards[::-1])]
            state = self.game.start(0, 0, chance=FixedHands(self.game, dealer, hands))
            state.set_counter("chips", score)
            state.set_dealer(dealer)
            state.next_deal()
            for action in actions[:-1]:
                state.apply(state.pending.texts.index(action))
            hint = self.adviser.hint(state.view())
            self.shares[key] = {one.texts[0]: one.share for one in hint.choices}[actions[-1]]
        return self.shares[key]

    def courses(self, score):
        """Yield the probability of each course of a deal, who wins how many chips, and choices."""
        for cards in permutations(CARDS, 2):
            best = int(CARDS.index(cards[1]) > CARDS.index(cards[0]))
            called = (None, 0) if self.ties and "J" not in cards else (best, 2)
            for actions, winner, chips in (
                (("bet", "call"), *called),
                (("bet", "fold"), 0, 1),
                (("check", "bet", "call"), *called),
                (("check", "bet", "fold"), 1, 1),
                (("check", "check"), best, 1),
            ):
                chance, choices = 1 / 6, []
                for place, action in enumerate(actions):
                    chance *= self.share(score, cards, *actions[: place + 1])
                    question = "answer" if action in ASKED["answer"] else ("open", "speak")[place]
                    choices.append((place % 2, cards[place % 2], question, action))
                yield chance, winner, chips, choices

    @staticmethod
    def after(score, winner, chips):
        side = winner if STARTS[score] == 0 else 1 - winner
        return (score[0] + chips * (side == 0), score[1] + chips * (side == 1))

    def again(self, score):
        """Return the probability that a deal has no winner."""
        return sum(chance for chance, winner, *_ in self.courses(score) if winner is None)

    def value(self, score):
        """Return the chance of the first team to win from a score."""
        if max(score) >= GOAL:
            return float(score[0] >= GOAL)
        won = [(c, self.after(score, w, n)) for c, w, n, _ in self.courses(score) if w is not None]
        return sum(c * self.value(after) for c, after in won) / (1 - self.again(score))

    def add(self, score, chance, winner, chips, choices):
        often, sign = self.visits[score] * chance, 1 if STARTS[score] == 0 else -1
        after = score if winner is None else self.after(score, winner, chips)
        gain = sign * (self.value(after) - self.value(score))
        self.deals[winner] += often
        self.lost_by_dealer += often * (chips if winner else -chips)
        for role in (0, 1):
            own = [one for one in choices if one[0] == role]
            places = [self.hands[own[0][:2]]] if own else []
            for sums in (*places, *(self.answers[score, *one] for one in own)):
                sums["given"] += often
                sums["won"] += often * (winner == role)
                sums["lost"] += often * (winner == 1 - role)
                sums["gain"] += often * (gain if role == 0 else -gain)
            if choices[-1][0] != role and choices[-1][2:] == FOLD:
                self.answers[score, *own[-1]]["folded"] += often

    def total(self, what, roles, bluffs=False, card=None, question=None, option=None):
        """Return a sum over answers, or over those of them that are bluffs."""
        found = 0.0
        for (_, role, its_card, *answer), sums in self.answers.items():
            fits = role in roles and card in (None, its_card) and question in (None, answer[0])
            loses = sums["won"] - sums["folded"] < sums["lost"]
            if fits and option in (None, answer[1]) and (loses or not bluffs):
                found += sums[what] if question or tuple(answer) in BETS else 0.0
        return found


@pytest.fixture(scope="module", params=[False, True], ids=["no-ties", "ties"])
def described(request, tmp_path_factory):
    """Return the figures of a match, and the plain sums."""
    folder, text = tmp_path_factory.mktemp("a"), Path(KUHN).read_text()
    for old, new in TIES.items() if request.param else ():
        assert old in text
        text = text.replace(old, new)
    variant, path = folder / "kuhn-poker.yaml", folder / "k.policy"
    variant.write_text(text)
    game = load_game(variant, 2, {"goal": GOAL}, "native")
    solver = MatchSolver(game, trees=LabelledTrees)
    solved = solve_match(solver, path, 5, 0.0)  # few, so that few figures are 0
    (policy,) = load_strategies((str(path),), game)
    play = describe_match(solved, solver.deals)
    return show_play(play, solver.deals), PlainMatch(game, policy, request.param)


def ratio(part, whole):
    return pytest.approx(part / whole, abs=1e-12) if whole else None


def test_deals_without_a_winner(described):
    found, plain = described
    by_dealer, by_other, nobody = (plain.deals[role] for role in (0, 1, None))
    assert found["nobody"] == ratio(nobody, by_dealer + by_other + nobody)
    assert (found["nobody"] > 0.1) == plain.ties
    assert found["dealer"] == ratio(by_dealer, by_dealer + by_other)


def test_the_figures_of_answers(described):
    found, plain = described
    deals = sum(plain.visits[score] for score in STARTS)
    assert found["deals"]["mean"] == ratio(deals, 1)
    assert found["dealer_gains"]["chips"] == ratio(-plain.lost_by_dealer, deals)
    assert {(row["question"], row["option"]) for row in found["answers"]} == {
        (question, option) for question, options in ASKED.items() for option in options
    }
    for row in found["answers"]:
        answer = {"question": row["question"], "option": row["option"]}
        is_bet = tuple(answer.values()) in BETS
        assert (row["bet"], row["fold"]) == (is_bet, tuple(answer.values()) == FOLD)
        for role, roles in ROLES.items():
            given = plain.total("given", roles, **answer)
            offered = plain.total("given", roles, question=row["question"])
            assert row[role]["offered"] == ratio(offered, deals)
            assert row[role]["rate"] == ratio(given, offered)
            for name in ("won", "gain"):
                assert row[role][name] == ratio(plain.total(name, roles, **answer), given)
            if is_bet:
                bluffs = plain.total("given", roles, bluffs=True, **answer)
                assert row[role]["folded"] == ratio(plain.total("folded", roles, **answer), given)
                assert row[role]["bluffs"] == ratio(bluffs, given)


def test_the_figures_of_bets(described):
    found, plain = described
    deals = sum(plain.visits[score] for score in STARTS)
    for role, roles in ROLES.items():
        row, bets = found["bluffs"]["bets"][role], plain.total("given", roles)
        bluffs = plain.total("given", roles, bluffs=True)
        assert 0 < bluffs < bets
        assert row["bets"] == ratio(bets, deals)
        assert row["bluffs"] == ratio(bluffs, deals)
        assert row["share"] == ratio(bluffs, bets)
        assert row["bets_folded"] == ratio(plain.total("folded", roles), bets)
        for name in ("folded", "won", "gain"):
            assert row[name] == ratio(plain.total(name, roles, bluffs=True), bluffs)


def test_the_figures_of_hands_and_cards(described):
    found, plain = described
    both = ROLES["both"]

    def total(what, cards):
        return sum(sums[what] for (_, card), sums in plain.hands.items() if card in cards)

    every = {what: total(what, CARDS) for what in NAMES}
    assert [row["hand"] for row in found["hands"]] == ["Ks", "Qs", "Js"]
    for row in found["hands"]:
        card = row["hand"][0]
        deals = total("given", card)
        assert row["chance"] == ratio(deals, every["given"])
        for name in ("won", "gain"):
            assert row[name] == ratio(total(name, card), deals)
        assert row["bluffs"] == ratio(plain.total("given", both, True, card), deals)
        answers = dict(row["answers"])
        if plain.ties:  # nobody is offered this
            assert answers.pop("speak surrender") is None
        for name, rate in answers.items():
            question, option = name.split()
            offered = plain.total("given", both, card=card, question=question)
            given = plain.total("given", both, False, card, question, option)
            assert rate == ratio(given, offered)
    for row in found["cards"]:
        card = row["card"][0]
        for name in ("won", "gain"):
            more = total(name, card) / total("given", card) - every[name] / every["given"]
            assert row[name] == pytest.approx(more, abs=1e-12)


def test_thirds_of_the_hands(described):
    """Of three hands that are about equally frequent, each third has one."""
    found, plain = described
    for row in found["answers"]:
        for role, roles in ROLES.items():
            rates = []
            for card in CARDS:
                offered = plain.total("given", roles, card=card, question=row["question"])
                answer = row["question"], row["option"]
                rates.append(ratio(plain.total("given", roles, False, card, *answer), offered))
            assert row[role]["by_third"] == rates


REMARKS = """variant: remarks
title: Kuhn poker with remarks
summary: After a fold its winner says something, twice.
extends: examples/kuhn-poker
rules: |
  before rule give_up(player):
      repeat 2 times:
          ask next_seat(player) "remark":
              laugh
              sigh
"""


LUCK = """
  replace rule win(player, stake: number):
      let luck = chance 1 out of 4
      let side = team(next_seat(player) if luck else player)
      chips[side] += stake
      end deal won by side because played
"""  # so a good hand may bet only to be folded to


@pytest.mark.parametrize("luck", ["", LUCK], ids=["plain", "luck"])
def test_what_a_winner_says_after_a_fold_is_no_bet(luck, tmp_path):
    (tmp_path / "remarks.yaml").write_text(REMARKS + luck)
    options, play, sums = describe_sums(tmp_path / "remarks.yaml")
    assert {options[number] for number in np.flatnonzero(play.kinds.bets)} == {*BETS}
    assert {options[number] for number in np.flatnonzero(play.kinds.folds)} == {FOLD}
    head = REMARKS.partition("rules:")[0]
    (tmp_path / "remarks.yaml").write_text(head + "rules: |\n" * bool(luck) + luck)
    _, plain, expected = describe_sums(tmp_path / "remarks.yaml")
    assert {key: sums[key] for key in expected} == pytest.approx(expected, abs=1e-3)
    for one, other in zip(play.bluffing, plain.bluffing, strict=True):
        assert one.value == pytest.approx(other.value, abs=1e-3)


def describe_sums(variant):
    """Return the options of a variant, its first deal under best play, and sums over its bets."""
    deals = LabelledTrees(load_game(variant, 2, (), "native"), alone=True)
    play = describe_deal(deals, {"chips": 1}, lambda _text: None)
    sums = {
        (kind, name, *option): getattr(play.sums, kind)[name][..., number].sum()
        for kind in ("answers", "bluffs")
        for name in ("given", "won", "folded")
        for option, number in deals.options.items()
        if option in BETS
    }
    return [*deals.options], play, sums
