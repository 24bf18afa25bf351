class S:
    """Is deleted before it is needed."""

    def choose(self, view):
        return view.actions[0]


del S
