class S:
    """Is gone when it is needed."""

    def choose(self, view):
        return view.actions[0]


del S
