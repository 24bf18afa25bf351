class MuteError(Exception):
    def __str__(self):
        return 1 / 0


class S:
    """Raises an error that has no text."""

    def choose(self, view):
        raise MuteError
