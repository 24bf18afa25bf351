"""A match in machine code, whole or step by step, and all that is kept of it at its end."""

import ctypes

from trutdsl.native.abi import (
    BEFORE_DEAL,
    EVENTS,
    FUNCTION,
    KEY,
    LEFT,
    OVER,
    PLAIN,
    STREAM,
    WATCH_ROOM,
)
from trutdsl.native.play import MatchMemory
from trutdsl.native.play.runs import RunCode
from trutdsl.streams import chance_key, strategy_key

SEED = 11
CHANCE = chance_key(SEED)


class Table:
    """One match's memory and the seats at its table, every one of them playing at random."""

    def __init__(self, code, room):
        players = code.setting.players
        self.code, self.seats = code, PLAIN * players
        self.table = (ctypes.c_uint64 * (self.seats + room))()
        for seat in range(players):
            first = PLAIN * seat
            self.table[first + FUNCTION] = code.address("uniform")
            key = first + KEY
            self.table[key : key + 2] = strategy_key(SEED, "uniform")
        size = code.whole.layout.size if isinstance(code, RunCode) else code.size
        self.memory = (ctypes.c_uint8 * size)()
        self.match = MatchMemory(self.memory, code.whole, code.program, code.setting)

    def mistake(self):
        """What went wrong: its code and place, or None."""
        number = self.match.read("#error")
        wrong = self.code.whole.mistakes[number - 1] if number else None
        return wrong and (wrong.code, str(wrong.span))

    def shown(self, fields):
        """Return what is compared: these fields, and where each strategy's luck stands."""
        streams = [self.table[first + STREAM] for first in range(0, self.seats, PLAIN)]
        values = {
            name: [self.match.read(name, at) for at in range(count)] for name, count in fields
        }
        return values, streams


class Whole(Table):
    """Matches played from their start to their end."""

    def __init__(self, game):
        super().__init__(game.runs, WATCH_ROOM)
        self.table[self.seats + LEFT] = 2**62  # so many steps until somebody is called
        spare = ctypes.c_int64()  # all that is kept of a match is written there
        self.kept, column = spare, (ctypes.addressof(spare), 0)
        self.columns = (ctypes.c_uint64 * (2 * len(self.code.fields)))(
            *(column * len(self.code.fields))
        )

    def play(self, number):
        """Play a match."""
        call = self.code._run
        call(self.memory, self.table, *CHANCE, number, number + 1, self.columns)


class Stepwise(Table):
    """Matches played step by step."""

    def __init__(self, game):
        super().__init__(game.steps, EVENTS)

    def play(self, number):
        """Play a match."""
        self.code.start(self.memory, self.table, *CHANCE, number)
        while (why := self.code.advance(self.memory, self.table)) != OVER:
            assert why == BEFORE_DEAL


def kept_fields(code):
    """Return the fields that both forms keep, each with how many numbers it has."""
    unit = code.whole
    names = ["#winner", "#deals", "#decisions", "#chance", "#deal_open", "dealer", "on_lead"]
    names += code.program.variables
    known = unit.all_cards is not None
    zones = [
        z for z in code.program.zones.values() if not known or unit.whereabouts.is_seen(z.name)
    ]
    names += [f"{zone.name}.all" if zone.ordered else zone.name for zone in zones]
    return [(name, unit.layout.fields[name].count) for name in names]
