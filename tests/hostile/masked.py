class MaskedError(BaseException):
    @property
    def __class__(self):
        raise OSError

    @property
    def __traceback__(self):
        raise OSError


class S:
    """Raises an error whose class and traceback cannot be read."""

    def choose(self, view):
        raise MaskedError
