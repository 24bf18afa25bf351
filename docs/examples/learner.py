"""A learner of Trut for two: plays single deals against `steady`, and learns what choices earn."""

from __future__ import annotations

import sys
from collections import defaultdict
from math import sqrt

import trutdsl
from trutdsl import Action, MatchResult, View

Choice = tuple[object, ...]  # a situation, then what the seat does in it


class Learner:
    """Knows the mean points of each choice, and how often it has made it."""

    def __init__(self) -> None:
        self.points: defaultdict[Choice, float] = defaultdict(float)
        self.tries: defaultdict[Choice, int] = defaultdict(int)
        self.made: list[Choice] = []

    def choices(self, view: View) -> dict[Choice, Action]:
        """Return each legal action by its choice; suits do not matter."""
        strengths, tricks = view.strengths, view.variables["tricks"]
        hand = sorted(strengths[card] for card in view.cards("hand"))
        table = [strengths[card] for _, card in view.lying("table")]
        said = [entry.seat == view.seat for entry in view.history if entry.action == "trut"]
        lead = tricks[view.team] - tricks[1 - view.team]
        situation = (view.decision, *hand, 0, *table, 0, *said, lead)
        texts = {action: action.text.removeprefix("play ") for action in view.actions}
        return {(*situation, strengths.get(text, text)): a for a, text in texts.items()}

    def best(self, view: View) -> Action:
        """Make the choice that has earned most."""
        choices = self.choices(view)
        return choices[max(choices, key=lambda choice: self.points[choice])]

    def explore(self, view: View) -> Action:
        """Make a choice that may earn most, as far as its tries tell."""
        choices = self.choices(view)
        made = max(choices, key=lambda one: self.points[one] + 3 / sqrt(0.1 + self.tries[one]))
        self.made.append(made)
        return choices[made]

    def learn(self, result: MatchResult) -> None:
        """Credit the choices of a deal with its points; three petits are worth a long."""
        petits, longs = result.counters["petits"], result.counters["longs"]
        points = petits[0] - petits[1] + 3 * (longs[0] - longs[1])
        for made in self.made:
            self.tries[made] += 1
            self.points[made] += (points - self.points[made]) / self.tries[made]
        self.made.clear()


def win_rate(deals: int, matches: int) -> float:
    """Return the share of matches that a learner wins against `steady` after so many deals."""
    game, learner = trutdsl.load_game("trut", 2), Learner()
    deal = game.one_deal({})
    for number in range(deals):
        learner.learn(trutdsl.play_match(deal, [learner.explore, "steady"], 1, number))
    results = trutdsl.play_matches(game, [learner.best, "steady"], 2, matches)
    return sum(result.winner == 0 for result in results) / matches


if __name__ == "__main__":
    print(f"{win_rate(int(sys.argv[1]), 1000):.1%}")
