"""Never calls, and folds when called."""


class Quiet:
    """Never calls trut, folds to every call, and plays its strongest card first."""

    def choose(self, view):
        for word in ("fold", "pass"):
            for action in view.actions:
                if action.text.split()[0] == word:
                    return action
        plays = [action for action in view.actions if action.text.startswith("play ")]
        if not plays:
            return view.actions[0]
        return max(plays, key=lambda action: view.strengths[action.text.removeprefix("play ")])
