"""A learner of Trut for two: plays single deals against `steady`, and learns what choices earn."""

import sys
from collections import defaultdict
from math import sqrt

import trutdsl
from trutdsl import Action, View

Choice = tuple[object, ...]  # a situation, then what the seat does in it


class Learner:
    """Knows the mean points of each choice, and how often it has made it."""

    def __init__(self) -> None:
        self.bonus = 3.0  # how much more a choice seems to earn that was hardly made
        self.points: defaultdict[Choice, float] = defaultdict(float)
        self.tries: defaultdict[Choice, int] = defaultdict(int)
        self.made: list[Choice] = []

    def choices(self, view: View) -> dict[Choice, Action]:
        """Return each legal action by its choice; suits do not matter."""
        rank, tricks = view.strengths.__getitem__, view.variables["tricks"]
        hand = sorted(map(rank, view.cards("hand")))
        table = [rank(card) for _, card in view.lying("table")]
        said = [entry.seat == view.seat for entry in view.history if entry.action == "trut"]
        lead = tricks[view.team] - tricks[1 - view.team]
        situation = (view.decision, *hand, 0, *table, 0, *said, lead)
        return {(*situation, a.words, *map(rank, view.cards_of(a))): a for a in view.actions}

    def choose(self, view: View) -> Action:
        """Make the choice that may earn most, as far as its tries tell."""
        choices, seen, tries = self.choices(view), self.points, self.tries
        made = max(choices, key=lambda one: seen[one] + self.bonus / sqrt(0.1 + tries[one]))
        self.made.append(made)
        return choices[made]

    def learn(self, points: float) -> None:
        """Credit the choices of a deal with its points."""
        for made in self.made:
            self.tries[made] += 1
            self.points[made] += (points - self.points[made]) / self.tries[made]
        self.made.clear()


def win_rate(deals: int, matches: int) -> float:
    """Return the share of matches that a learner wins against `steady` after so many deals."""
    game, learner = trutdsl.load_game("trut", 2), Learner()
    deal = game.one_deal()
    for number in range(deals):
        result = trutdsl.play_match(deal, [learner.choose, "steady"], 1, number)
        learner.learn(result.points({"longs": 3, "petits": 1}))
    learner.bonus = 0
    results = trutdsl.play_matches(game, [learner.choose, "steady"], 2, matches)
    return sum(result.winner == 0 for result in results) / matches


if __name__ == "__main__":
    print(f"{win_rate(int(sys.argv[1]), 1000):.1%}")
