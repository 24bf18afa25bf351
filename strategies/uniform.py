"""Every legal action, equally often."""


class Uniform:
    """Chooses among the legal actions, all equally likely."""

    native = "uniform"

    def choose(self, view):
        return view.actions[view.random.below(len(view.actions))]
