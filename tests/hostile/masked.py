class MaskedError(BaseException):
    @property
    def __class__(self):
        raise OSError

    @property
    def __traceback__(self):
        raise OSError


class S:
    """Raises what does not let itself be looked at."""

    def choose(self, view):
        raise MaskedError
