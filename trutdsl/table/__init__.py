"""What every engine shares: who sits at the table, what is asked, where luck comes from.

`Setting` is fixed for a match, a `Match` is one being played by some engine, a `Question` is what
it waits for, `Chance` decides what nobody does.
"""

from trutdsl.table.chance import Chance, Draw, OpenChance, StreamChance, Undecided
from trutdsl.table.match import (
    Arrangement,
    ClonableMatch,
    Event,
    Match,
    Pending,
    PolicyError,
    RuleError,
)
from trutdsl.table.questions import (
    Action,
    Announced,
    ChanceNode,
    DealStart,
    Passed,
    Question,
    Said,
    action_of,
)
from trutdsl.table.setting import Seated, Setting

__all__ = [
    "Action",
    "Announced",
    "Arrangement",
    "Chance",
    "ChanceNode",
    "ClonableMatch",
    "DealStart",
    "Draw",
    "Event",
    "Match",
    "OpenChance",
    "Passed",
    "Pending",
    "PolicyError",
    "Question",
    "RuleError",
    "Said",
    "Seated",
    "Setting",
    "StreamChance",
    "Undecided",
    "action_of",
]
