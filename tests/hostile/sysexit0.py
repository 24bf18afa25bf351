class S:
    """Exits the program with code 0."""

    def choose(self, view):
        raise SystemExit
