"""Tries to change the mappings of a view, which the game and the other seats read, too."""

import sys


class Thief:
    got = None

    def __ror__(self, other):
        Thief.got = other
        return {}

    def __eq__(self, other):
        Thief.got = other
        return True

    __hash__ = None


class S:
    """Sets every parameter, strength and counter that it can reach."""

    def choose(self, view):
        before = dict(view.parameters), dict(view.strengths)
        if any(value == 77 for mapping in before for value in mapping.values()):
            print("REAL DICT", file=sys.stderr)
        for mapping in (view.parameters, view.strengths, view.counters, view.zones):
            for reach in (lambda m: m == Thief(), lambda m: m | Thief()):
                reach(mapping)
                for key in Thief.got if type(Thief.got) is dict else ():
                    Thief.got[key] = 77
        return view.actions[0]
