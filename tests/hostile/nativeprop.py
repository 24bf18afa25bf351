class Moody(type):
    @property
    def native(cls):
        raise RuntimeError("x")


class S(metaclass=Moody):
    """Raises an error when its attributes are read."""

    def choose(self, view):
        return view.actions[0]
