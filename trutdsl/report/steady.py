"""Steady in Python: a strategy that reads its view as others do, to measure how fast that is."""

from __future__ import annotations

from trutdsl.game import Action, View

CALL = 0.8  # share of all hands that must be weaker before it calls
ACCEPT = 0.55  # and before it accepts


class Steady:
    """Calls and accepts on strong hands, folds weak ones, wins each trick as cheaply as it can."""

    def __init__(self) -> None:
        """Know no card yet."""
        self.strengths: dict[str, int] = {}  # of each card, from the first question on
        self.most = 0  # what two cards can count together

    def choose(self, view: View) -> Action:
        """Return an action by the strength of the hand."""
        if not self.strengths:
            self.strengths = dict(view.strengths)
            self.most = 2 * max(self.strengths.values())
        actions = {action.text: action for action in view.actions}
        if "accept" in actions:
            return actions["accept" if self.strength(view) >= ACCEPT else "fold"]
        if "trut" in actions:
            enough = ACCEPT if view.decision == "fortial" else CALL
            if self.strength(view) >= enough:
                return actions["trut"]
        if "pass" in actions:
            return actions["pass"]
        plays = {a.text[5:]: a for a in view.actions if a.words == ("play",)}
        return plays[self.card(view, list(plays))] if plays else view.actions[0]

    def card(self, view: View, cards: list[str]) -> str:
        """Return the weakest card that wins, else the weakest; the strongest to lead."""
        strengths, best, ours = self.strengths, 0, False
        for seat, team in enumerate(view.teams):
            for card in view.cards("table", seat):
                mine, strength = team == view.team, strengths[card]
                ours = mine if strength > best else ours and (mine or strength < best)
                best = max(best, strength)
        if not best:
            return max(cards, key=strengths.__getitem__)
        winning = [] if ours else [card for card in cards if strengths[card] > best]
        return min(winning or cards, key=strengths.__getitem__)

    def strength(self, view: View) -> float:
        """Return the strength from 0 to 1: the two best cards count, tricks won help."""
        strengths = self.strengths
        held = sorted([strengths[card] for card in view.cards("hand") + view.cards("table")])
        tricks = view.variables.get("tricks")
        won = 2 * tricks[view.team] - sum(tricks) if tricks else 0  # ours less theirs
        return sum(held[-2:]) / self.most + won / 2 if held else 0.5 + won / 2
