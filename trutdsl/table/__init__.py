"""What every engine shares: who sits at the table, what is asked, where luck comes from.

`Setting` is fixed for a match, a `Match` is one being played by some engine, a `Question` is what
it waits for, `Chance` decides what nobody does.
"""

from trutdsl.table.chance import Chance, ChancePending, Draw, OpenChance, StreamChance
from trutdsl.table.match import (
    Action,
    Announcement,
    Arrangement,
    ChanceNode,
    ClonableMatch,
    DealStart,
    Event,
    HistoryEntry,
    Match,
    PassedCards,
    Pending,
    PolicyError,
    Question,
    RuleError,
    action_of,
)
from trutdsl.table.setting import SeatedPlayer, Setting

__all__ = [
    "Action",
    "Announcement",
    "Arrangement",
    "Chance",
    "ChanceNode",
    "ChancePending",
    "ClonableMatch",
    "DealStart",
    "Draw",
    "Event",
    "HistoryEntry",
    "Match",
    "OpenChance",
    "PassedCards",
    "Pending",
    "PolicyError",
    "Question",
    "RuleError",
    "SeatedPlayer",
    "Setting",
    "StreamChance",
    "action_of",
]
