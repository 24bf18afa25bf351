class MuteError(Exception):
    def __str__(self):
        return 1 / 0


class S:
    """Raises what cannot say what it is."""

    def choose(self, view):
        raise MuteError
