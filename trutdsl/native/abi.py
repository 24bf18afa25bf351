"""Application binary interface: what machine code and Python agree on, besides `layout`.

Machine code gets a match and a table. The table is a row of 64-bit numbers: an entry for each seat
(`seat_entry`), then what the form of play needs, see below.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum

from trutdsl.diagnostics import Span
from trutdsl.ir import Program
from trutdsl.table.counts import CountPlan
from trutdsl.table.setting import Setting


class Form(Enum):
    """How matches are played: from start to end, counted or not, or one step after the other.

    SEARCH is STEPS with the program's policies, and with searches that they play out.
    """

    MATCHES = "matches"
    COUNTED = "counted"
    STEPS = "steps"
    SEARCH = "search"


@dataclass(frozen=True)
class Mode:
    """How a module is built.

    form:     nobody follows a whole match, so it need not hold what only others look at.
    deposits: the processor can deposit bits (x86's BMI2), which picks one of a set at once.
    checked:  every place, number and mask of a match is looked at before it is used, and LLVM is
              told nothing about them.
    notes:    beside the instructions stand the rule and line that they come from.
    quick:    LLVM does little: machine code is soon there, and slow.
    """

    form: Form
    deposits: bool
    checked: bool = False
    notes: bool = False
    quick: bool = False

    @property
    def whole(self) -> bool:
        """Whether whole matches are played, and nobody looks at them on the way."""
        return self.form in (Form.MATCHES, Form.COUNTED)

    @property
    def fast(self) -> bool:
        """Whether whole matches are played, and nothing is looked at twice to be safe."""
        return self.whole and not self.checked


# A seat's entry at the table: its policy, and all that is that policy's own, as 64-bit numbers.

FUNCTION = 0  # the address of the policy; 0 for a seat that is waited for
STREAM = 1  # the state of the strategy's luck
AHEAD = STREAM + 1  # the stream's next number, made before it is asked for
KEY = 3  # the two halves of the key of its luck
ANY = 5  # where answers are counted: 1 if the last one was any, as the policy chose none
FAULT = 6  # where policies are scripts: 0, or 1 + the number of the mistake that one made
MEMORY = 7  # from here on what a script remembers: a stamp of its lifetime and a value, each
PLAIN = FAULT  # numbers of an entry without scripts


def entry_size(program: Program) -> int:
    """Return how many numbers an entry has, the same for every seat."""
    if not program.policies:
        return PLAIN
    return MEMORY + 2 * max(len(policy.memory) for policy in program.policies.values())


def memory_place(number: int) -> tuple[int, int]:
    """Return where the stamp and the value of a policy's memory of this number stand."""
    return MEMORY + 2 * number, MEMORY + 2 * number + 1


NONE = -1  # what stands for no seat, team, card, suit or rank
ENGINE = "engine"  # the code of a mistake that is the engine's own, told in checked modules


@dataclass(frozen=True)
class Mistake:
    """What can go wrong at one place of the rules; the match's `#error` is 1 + its number."""

    code: str
    message: str
    span: Span
    place: str | None


# Whole matches: whom to call, and in how many steps; then the counts, if any are kept.
CALL, LEFT, WATCH_ROOM = range(3)
OFTEN = 10_000_000  # steps to the first look: some milliseconds of play, a second at the most


# Of how many matches records are written at once, at most; and of each field, where its column
# (`table.counts`) is: two numbers, its address and how many bytes it is from one match to the next.
MOST_RECORDS = 8192
COLUMN = 2


def record_fields(names: Sequence[str], setting: Setting) -> list[tuple[str, int]]:
    """Return what is kept of a match: winner, deals, choices, then each counter by team."""
    counters = [(name, team) for name in names for team in range(setting.teams)]
    return [("#winner", 0), ("#deals", 0), ("#choices", 0), *counters]


def counted_room(plan: CountPlan) -> int:
    """Return how many numbers lie behind the watch: the counts, then what a match needs."""
    return plan.size + plan.scratch["end"]


# Matches played step by step: whether to stop where chance decides, whether anybody hears of events
# that leave nothing behind, how many events there are, how many there is room for, and from then on
# the events, of so many numbers: a kind and what it tells.
STOPS, LISTENED, COUNT, ROOM, EVENTS = range(5)
EVENT = 5
DEAL, CARDS, TURNED, RANDOMLY, TRICK_CARD, TRICK, COUNTER, DEAL_END, MATCH_END = range(9)
ANNOUNCED = 9  # which announcement it is, who says it, the value, the mask of those who hear it
PASSED = 10  # which route it is, PLACES times the first place and the other, cards, who sees them
PLACES = 16
LASTING = (DEAL, TRICK, ANNOUNCED, PASSED)  # what they tell is kept in the match, heard or not

# Why `advance` was left, and what can happen by chance.
OVER, QUESTION, BEFORE_DEAL, LUCK, SETTLED = range(5)
DRAW, ROLL, RANDOM, CHANCE = range(4)


class Job(IntEnum):
    """A search: where its numbers stand.

    SEAT: who is asked. SEED: where the worlds' streams start from. WORLDS: how many to draw, in
    TRIES at the most, and in as many more that are mended. OPENING: how many deals begin before
    play-outs end. WORDS: of the question. PERMUTES: whether HIDDEN, a mask of cards, are permuted
    at the start, each within its one of CLASSES, 64 masks. NAMED: the mask of all cards that the
    seat has noticed in the deal.
    """

    SEAT = 0
    SEED = 1
    WORLDS = 2
    TRIES = 3
    OPENING = 4
    WORDS = 5
    PERMUTES = 6
    HIDDEN = 7
    NAMED = 8
    CLASSES = 9
