"""The parts that all engines share: tables, questions, chance and sights.

`Setting` is fixed for a match. A `Match` is in play in some engine and waits for a `Question`.
`Chance` decides random events.
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
