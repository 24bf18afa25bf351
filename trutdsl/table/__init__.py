"""What every engine shares: who sits at the table, what is asked, where luck comes from.

`Setting` is fixed for a match, a `Match` is one being played by some engine, a `Question` is what
it waits for, `Chance` decides what nobody does.
"""

from trutdsl.table.chance import Chance, StreamChance
from trutdsl.table.errors import RuleError
from trutdsl.table.match import Arrangement, Event, Match
from trutdsl.table.questions import Action, DealStart, Question, action_of
from trutdsl.table.setting import Setting

__all__ = [
    "Action",
    "Arrangement",
    "Chance",
    "DealStart",
    "Event",
    "Match",
    "Question",
    "RuleError",
    "Setting",
    "StreamChance",
    "action_of",
]
