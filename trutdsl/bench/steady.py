"""Steady in Python: reads its view like other strategies, to measure the speed."""

from __future__ import annotations

from trutdsl.game import View

CALL = 0.8  # share of all hands that must be weaker before it calls
ACCEPT = 0.55  # and before it accepts


class Steady:
    """Calls and accepts on strong hands, folds weak ones, wins each trick as cheaply as it can."""

    def __init__(self) -> None:
        """Begin without knowledge of the cards."""
        self.strengths: dict[str, int] = {}  # of each card, from the first question on
        self.plays: dict[str, int] = {}  # of the card that each action plays
        self.most = 0  # the greatest sum of two cards
        self.counts = False  # whether it sees the number of won tricks

    def choose(self, view: View) -> str:
        """Return an action by the strength of the hand."""
        if not self.strengths:
            self.strengths = dict(view.strengths.items())
            self.plays = {f"play {card}": worth for card, worth in self.strengths.items()}
            self.most = 2 * max(self.strengths.values())
            self.counts = "tricks" in view.variables
        texts = view.texts
        if "accept" in texts:
            return "accept" if self.strength(view) >= ACCEPT else "fold"
        if "trut" in texts:
            enough = ACCEPT if view.decision == "fortial" else CALL
            if self.strength(view) >= enough:
                return "trut"
        if "pass" in texts:
            return "pass"
        plays = [text for text in texts if text in self.plays]
        return self.play(view, plays) if plays else texts[0]

    def play(self, view: View, plays: list[str]) -> str:
        """Return the weakest card that wins, else the weakest; the strongest to lead."""
        best, ours, team, teams, worth = 0, False, view.team, view.teams, self.plays
        for seat, card in view.lying("table"):
            mine, strength = teams[seat] == team, self.strengths[card]
            ours = mine if strength > best else ours and (mine or strength < best)
            best = max(best, strength)
        if not best:
            return max(plays, key=worth.__getitem__)
        winning = [] if ours else [play for play in plays if worth[play] > best]
        return min(winning or plays, key=worth.__getitem__)

    def strength(self, view: View) -> float:
        """Return the strength from 0 to 1 by the two best cards and the won tricks."""
        cards = view.cards("hand") + view.cards("table")
        strengths = sorted(map(self.strengths.__getitem__, cards))
        best = sum(strengths[-2:]) / self.most if strengths else 0.5
        if not self.counts:
            return best
        tricks = view.variables["tricks"]
        won: float = tricks[view.team] - sum(tricks) / 2
        return best + won
