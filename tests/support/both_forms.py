"""Plays a match in machine code, whole or step by step, and reads its final memory."""

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
from trutdsl.native.play.memory import MatchMemory
from trutdsl.native.play.runs import RunCode
from trutdsl.streams import chance_key, strategy_key

SEED = 11
CHANCE = chance_key(SEED)


class Table:
    """The memory of one match and its seats, which all play at random."""

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
        """Return the code and the position of the error in the rules, or None."""
        number = self.match.read("#error")
        wrong = self.code.whole.mistakes[number - 1] if number else None
        return wrong and (wrong.code, str(wrong.span))

    def shown(self, fields):
        """Return the values of these fields, and the state of each strategy's stream."""
        streams = [self.table[first + STREAM] for first in range(0, self.seats, PLAIN)]
        values = {
            name: [self.match.read(name, at) for at in range(count)] for name, count in fields
        }
        return values, streams


class WholeMatches(Table):
    """Matches played from their start to their end."""

    def __init__(self, game):
        super().__init__(game.runs, WATCH_ROOM)
        self.table[self.seats + LEFT] = 2**62  # steps until the watcher is called
        self.result = ctypes.c_int64()  # every column of results is written here
        column = (ctypes.addressof(self.result), 0)
        self.columns = (ctypes.c_uint64 * (2 * len(self.code.fields)))(
            *(column * len(self.code.fields))
        )

    def play(self, number):
        """Play the match of this number."""
        call = self.code._run
        call(self.memory, self.table, *CHANCE, number, number + 1, self.columns)


class StepwiseMatches(Table):
    """Matches played step by step."""

    def __init__(self, game):
        super().__init__(game.steps, EVENTS)

    def play(self, number):
        """Play the match of this number."""
        self.code.start(self.memory, self.table, *CHANCE, number)
        while (why := self.code.advance(self.memory, self.table)) != OVER:
            assert why == BEFORE_DEAL


def common_fields(code):
    """Return the name and the count of each field that both forms keep."""
    unit = code.whole
    names = ["#winner", "#deals", "#decisions", "#chance", "#deal_open", "dealer", "on_lead"]
    names += code.program.variables
    zones = code.program.zones.values()
    names += [f"{zone.name}.all" if zone.ordered else zone.name for zone in zones]
    return [(name, unit.layout.fields[name].count) for name in names]
