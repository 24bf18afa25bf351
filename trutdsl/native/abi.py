"""Application binary interface: the conventions between machine code and Python, besides `layout`.

Machine code gets a match and a table. The table is an array of 64-bit numbers: an entry for each
seat (`seat_entry`), then the data of the form of play, see below.
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
    """How matches are played: from start to end, with or without counts, or step by step.

    COUNTED counts everything of a `CountPlan`, BRIEF only what `simulate` prints.
    SEARCH is STEPS with the program's policies, and with searches that play them out. EXACT is
    STEPS with given random outcomes of policies; each step records which parts of a match it reads.
    """

    MATCHES = "matches"
    COUNTED = "counted"
    BRIEF = "brief"
    STEPS = "steps"
    SEARCH = "search"
    EXACT = "exact"


@dataclass(frozen=True)
class Mode:
    """How a module is built.

    form:     whole matches have no observer, so they omit data that only observers read.
    deposits: the processor has a bit deposit instruction (x86's BMI2), which picks an element of a
              set.
    checked:  every place, number and mask of a match is checked before use, and LLVM gets no
              assumptions about them.
    notes:    comments in the LLVM text name the rule and line of the instructions.
    quick:    LLVM optimizes little: it compiles fast, and the code is slow.
    """

    form: Form
    deposits: bool
    checked: bool = False
    notes: bool = False
    quick: bool = False

    @property
    def whole(self) -> bool:
        """Whether whole matches are played without an observer."""
        return self.form is Form.MATCHES or self.counts

    @property
    def counts(self) -> bool:
        """Whether whole matches are counted."""
        return self.form in (Form.COUNTED, Form.BRIEF)

    @property
    def fast(self) -> bool:
        """Whether whole matches are played without extra checks."""
        return self.whole and not self.checked


# A seat's entry at the table: its policy and the policy's own data, as 64-bit numbers.

FUNCTION = 0  # the address of the policy; 0 for a seat that the match waits for
STREAM = 1  # the state of the strategy's random stream
AHEAD = STREAM + 1  # the stream's next number, computed ahead
KEY = 3  # the two halves of the key of its random stream
NEXT = KEY  # of `playback`, which has no luck: the address of the next rank
ANY = 5  # if answers are counted: 1 if the last one was a random legal action, without a choice
FAULT = 6  # if policies are scripts: 0, or 1 + the number of the script's error
MEMORY = 7  # from here on the script's memories: a stamp of the lifetime and a value, each
PLAIN = FAULT  # numbers of an entry without scripts


def entry_size(program: Program) -> int:
    """Return the number of numbers in an entry, the same for every seat."""
    if not program.policies:
        return PLAIN
    return MEMORY + 2 * max(len(policy.memory) for policy in program.policies.values())


def memory_index(number: int) -> tuple[int, int]:
    """Return the place of the stamp and the value of a policy's memory with this number."""
    return MEMORY + 2 * number, MEMORY + 2 * number + 1


# In exact evaluation the random outcomes of a policy are given. Its entry has, after its memory,
# the number of outcomes that this answer needed. Then follow, for each, the given outcome, the
# number of possible ones, and how many of these are a `yes` (-1: all are equally likely).
TAPE = 16
TAPE_PARTS = 3


def tape_index(program: Program, time: int = 0) -> int:
    """Return the place of the given random outcomes in a policy's entry."""
    return entry_size(program) + 1 + TAPE_PARTS * time


NONE = -1  # encodes no seat, team, card, suit or rank
ENGINE = "engine"  # the code of an internal error of the engine, reported in checked modules


@dataclass(frozen=True)
class Mistake:
    """A possible error at one place of the rules; the match's `#error` is 1 + its number."""

    code: str
    message: str
    span: Span
    place: str | None


A_TRY = 200_000  # steps that count for a try of a search to draw a world, and its play-outs

# Whole matches: the callback, and the steps until its next call; then the counts, if any.
CALL, LEFT, WATCH_ROOM = range(3)
OFTEN = 10_000_000  # steps to the first call: some milliseconds of play, at most a second


# The most matches whose records are written at once; and for each field its column
# (`table.counts`): two numbers, its address and the bytes from one match to the next.
MOST_RECORDS = 8192
COLUMN = 2


def record_fields(names: Sequence[str], setting: Setting) -> list[tuple[str, int]]:
    """Return the recorded fields of a match: winner, deals, choices, then each counter by team."""
    counters = [(name, team) for name in names for team in range(setting.teams)]
    return [("#winner", 0), ("#deals", 0), ("#choices", 0), *counters]


def room_for_counts(plan: CountPlan) -> int:
    """Return the number of numbers after the watch: the counts, then the scratch of a match."""
    return plan.size + plan.scratch["end"]


# Step-by-step play: whether to stop at chance events, whether to report transient events,
# the number of events, the capacity for them, then
# the events, each with this many numbers: a kind and its data.
STOPS, LISTENED, COUNT, ROOM, EVENTS = range(5)
EVENT = 5
DEAL, CARDS, TURNED, RANDOMLY, TRICK_CARD, TRICK, COUNTER, DEAL_END, MATCH_END = range(9)
ANNOUNCED = 9  # the announcement's number, the speaker, the value, the mask of its audience
PASSED = 10  # the route, PLACES times the first place plus the second, cards, who sees them
TURNED_BY_RULES = 11  # a card that is turned up, unless the last answer names it
ANSWERED = 12  # of a seat with a policy: the seat, the question's number, the action's number
PLACES = 16
LASTING = (
    DEAL,
    TRICK,
    ANNOUNCED,
    PASSED,
    ANSWERED,
)  # the match keeps their content even without an observer

# Why `advance` returned, and the kinds of chance events.
OVER, QUESTION, BEFORE_DEAL, LUCK, SETTLED = range(5)
DRAW, ROLL, RANDOM, CHANCE = range(4)


class Job(IntEnum):
    """A search: the places of its numbers.

    SEAT: the asked seat. SEED: the start of the worlds' streams. WORLDS: how many to draw, in at
          most TRIES tries, and as many more with repairs. OPENING: the number of begun deals at
          which play-outs end. WORDS: of the question. PERMUTES: whether the cards HIDDEN, a mask,
          are permuted at the start, each within its class of CLASSES, 64 masks. NAMED: the mask of
          all cards that the seat has noticed in the deal. LOOK: the callback that can stop the
          search, and STEPS_LEFT: the steps until its next call, as for whole matches.
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
    LOOK = 9
    STEPS_LEFT = 10
    CLASSES = 11
