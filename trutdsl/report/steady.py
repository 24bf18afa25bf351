"""Steady in Python: a strategy that reads its view as others do, to measure how fast that is."""

from __future__ import annotations

from collections.abc import Sequence

from trutdsl.game import Action, View

CALL = 0.8  # share of all hands that must be weaker before it calls
ACCEPT = 0.55  # and before it accepts


class Steady:
    """Calls and accepts on strong hands, folds weak ones, wins each trick as cheaply as it can."""

    top = 0  # the greatest strength, once it is known

    def choose(self, view: View) -> Action:
        """Return an action by the strength of the hand."""
        by_word = {action.text.split()[0]: action for action in view.actions}
        if "accept" in by_word:
            return by_word["accept"] if self.strength(view) >= ACCEPT else by_word["fold"]
        if "trut" in by_word:
            enough = ACCEPT if view.decision == "fortial" else CALL
            if self.strength(view) >= enough:
                return by_word["trut"]
        if "pass" in by_word:
            return by_word["pass"]
        plays = [action for action in view.actions if action.text.startswith("play ")]
        return self.play(view, plays) if plays else view.actions[0]

    def play(self, view: View, plays: Sequence[Action]) -> Action:
        """Return the weakest card that wins, else the weakest; the strongest to lead."""
        strengths, best, ours = view.strengths, 0, False
        for seat, team in enumerate(view.teams):
            for card in view.cards("table", seat):
                mine, strength = team == view.team, strengths[card]
                ours = mine if strength > best else ours and (mine or strength < best)
                best = max(best, strength)
        worth = [strengths[action.text.removeprefix("play ")] for action in plays]
        if not best:
            return plays[worth.index(max(worth))]
        winning = [strength for strength in worth if strength > best]
        return plays[worth.index(min(winning if winning and not ours else worth))]

    def strength(self, view: View) -> float:
        """Return the strength from 0 to 1: the two best cards count, tricks won help."""
        strengths = view.strengths
        self.top = self.top or max(strengths.values())
        held = sorted([strengths[card] for card in view.cards("hand") + view.cards("table")])
        tricks = view.variables.get("tricks")
        won = 2 * tricks[view.team] - sum(tricks) if tricks else 0  # ours less theirs
        return sum(held[-2:]) / (2 * self.top) + won / 2 if held else 0.5 + won / 2
