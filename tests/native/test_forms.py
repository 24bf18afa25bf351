"""Whole matches in machine code end as those played step by step do, with all that is kept of them.

Both forms are made from the same rules, but the one for whole matches leaves out what nobody can
see and remembers what it has worked out. Here each match of the one is set against the other's:
who won, what was counted, where chance and every strategy's luck stand, and what lies where.
`DIFFERENTIAL` sets how many deals each table plays; at 10,000 or more with every two parameters.
"""

import ctypes
import os
from pathlib import Path

import pytest
from pairwise import all_pairs, values_of

from trutdsl.game import Game
from trutdsl.ir import build_program
from trutdsl.native.emit_steps import BEFORE_DEAL, EVENTS, OVER
from trutdsl.native.engine import StepCode
from trutdsl.native.memory import Memory
from trutdsl.native.runs import RunCode
from trutdsl.native.unit import POLICY_SIZE
from trutdsl.native.watch import LEFT, WATCH_ROOM
from trutdsl.streams import chance_key, strategy_key
from trutdsl.variant import list_variants, load_variant

DEALS = int(os.environ.get("DIFFERENTIAL", "2000"))
EVERYTHING = DEALS >= 10_000
ROOT = Path(__file__).parent.parent
FOLDERS = [ROOT.parent / "variants/examples", ROOT / "good", ROOT / "traps"]
FILES = [path for folder in FOLDERS for path in folder.glob("*.yaml")]
FAULTY = (ROOT / "bad/runtime").glob("*.yaml")
REFS = [*list_variants(), *map(str, sorted(FILES)), *map(str, sorted(FAULTY))]
TABLES = [(ref, players) for ref in REFS for players in load_variant(ref).players]
SEED = 11
KEY = chance_key(SEED)


class Table:
    """One match's memory and the seats at its table, every one of them playing at random."""

    def __init__(self, code, room):
        players = code.setting.players
        self.code, self.seats = code, POLICY_SIZE // 8 * players
        self.table = (ctypes.c_uint64 * (self.seats + room))()
        for seat in range(players):
            first = POLICY_SIZE // 8 * seat
            self.table[first] = code.address("uniform")
            self.table[first + 2 : first + 4] = strategy_key(SEED, "uniform")
        size = code.whole.layout.size if isinstance(code, RunCode) else code.size
        self.memory = (ctypes.c_uint8 * size)()
        self.match = Memory(self.memory, code.whole, code.program, code.setting)

    def mistake(self):
        """What went wrong: its code and place, or None."""
        number = self.match.read("#error")
        wrong = self.code.whole.mistakes[number - 1] if number else None
        return wrong and (wrong.code, str(wrong.span))

    def shown(self, fields):
        """Return what is compared: these fields, and where each strategy's luck stands."""
        streams = [self.table[first + 1] for first in range(0, self.seats, POLICY_SIZE // 8)]
        values = {
            name: [self.match.read(name, at) for at in range(count)] for name, count in fields
        }
        return values, streams


class Whole(Table):
    """Matches played from their start to their end."""

    def __init__(self, game):
        super().__init__(RunCode(game), WATCH_ROOM)
        self.table[self.seats + LEFT] = 2**62  # so many steps until somebody is called
        self.row = (ctypes.c_int64 * len(self.code.fields))()

    def play(self, number):
        """Play a match."""
        call = self.code._run
        call(self.memory, self.table, *KEY, number, number + 1, self.row)


class Stepwise(Table):
    """Matches played step by step."""

    def __init__(self, game):
        super().__init__(StepCode(game), EVENTS)

    def play(self, number):
        """Play a match."""
        self.code.start(self.memory, self.table, *KEY, number)
        while (why := self.code.advance(self.memory, self.table)) != OVER:
            assert why == BEFORE_DEAL


def kept_fields(code):
    """Return the fields that both forms keep, each with how many numbers it has."""
    unit = code.whole
    names = ["#winner", "#deals", "#decisions", "#chance", "#deal_open", "dealer", "on_lead"]
    names += [v.name for v in code.program.variables.values() if unit.unused.is_kept(v)]
    known = unit.all_cards is not None
    zones = [
        z for z in code.program.zones.values() if not known or unit.whereabouts.is_seen(z.name)
    ]
    names += [f"{zone.name}.all" if zone.ordered else zone.name for zone in zones]
    return [(name, unit.layout.fields[name].count) for name in names]


def rows_for(number, variant):
    """Return the parameters to play a table with: its own, or others in turn, or all of them."""
    rows = all_pairs(values_of(variant)) or [{}]
    return rows if EVERYTHING else [rows[number % len(rows) if number % 2 else 0]]


@pytest.mark.parametrize(
    "number", range(len(TABLES)), ids=lambda n: f"{Path(TABLES[n][0]).stem}-{TABLES[n][1]}p"
)
def test_both_forms_come_to_the_same(number):
    ref, players = TABLES[number]
    variant = load_variant(ref)
    program = build_program(variant)
    for row in rows_for(number, variant):
        game = Game(variant, program, players, variant.bind(row), ref, "native")
        whole, steps = Whole(game), Stepwise(game)
        fields = kept_fields(whole.code)
        deals = match = 0
        while deals < DEALS:
            whole.play(match)
            steps.play(match)
            assert whole.mistake() == steps.mistake(), f"match {match} with {row}"
            if whole.mistake() is None:
                assert whole.shown(fields) == steps.shown(fields), f"match {match} with {row}"
            deals += max(1, whole.match.deals)
            match += 1
