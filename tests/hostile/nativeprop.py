class Moody(type):
    @property
    def native(cls):
        raise RuntimeError("x")


class S(metaclass=Moody):
    """Fails as soon as it is looked at."""

    def choose(self, view):
        return view.actions[0]
