"""Plays by the strength of the hand, and folds below a threshold."""

CALL = 0.8  # share of all hands that must be weaker before it calls
ACCEPT = 0.55  # and before it accepts


class Steady:
    """Calls and accepts on strong hands, folds weak ones, wins each trick as cheaply as it can."""

    def choose(self, view):
        by_word = {action.text.split()[0]: action for action in view.actions}
        if "accept" in by_word:
            return by_word["accept"] if self.strength(view) >= ACCEPT else by_word["fold"]
        if "trut" in by_word and self.strength(view) >= CALL:
            return by_word["trut"]
        if view.decision == "fortial" and self.strength(view) >= ACCEPT:
            return by_word["trut"]
        if "pass" in by_word:
            return by_word["pass"]
        plays = [action for action in view.actions if action.text.startswith("play ")]
        return self.play(view, plays) if plays else view.actions[0]

    def play(self, view, plays):
        """The weakest card that wins the trick so far, else the weakest; the strongest to lead."""

        def worth(action):
            return view.strengths[action.text.removeprefix("play ")]

        table = [
            (view.strengths[card], seat)
            for seat in range(view.players)
            for card in view.cards("table", seat)
        ]
        if not table:
            return max(plays, key=worth)
        best = max(strength for strength, _ in table)
        ours = {view.teams[seat] for strength, seat in table if strength == best} == {view.team}
        winning = [action for action in plays if worth(action) > best]
        if winning and not ours:
            return min(winning, key=worth)
        return min(plays, key=worth)

    def strength(self, view):
        """The hand's strength from 0 to 1: its two best cards count, the tricks won so far help."""
        top = max(view.strengths.values())
        held = sorted((view.strengths[card] for card in view.cards("hand")), reverse=True)
        own = [view.strengths[card] for card in view.cards("table")]
        best = sorted(held + own, reverse=True)[:2]
        tricks = view.variables.get("tricks", ())
        won = sum(n if t == view.team else -n for t, n in enumerate(tricks))
        return sum(best) / (2 * top) + won / 2 if best else 0.5 + won / 2
