class S:
    """Raises an error whose text is a lone surrogate."""

    def choose(self, view):
        raise Exception("\ud800")
