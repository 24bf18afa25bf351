class S:
    """Says half a character."""

    def choose(self, view):
        raise Exception("\ud800")
