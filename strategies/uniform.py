"""Every legal action, equally often."""


class Uniform:
    """Chooses among the legal actions, all equally likely."""

    def choose(self, view):
        return view.actions[view.random.below(len(view.actions))]
