"""The interface of games, for both engines.

`Game` is rules at a table, `State` a match in play, `View` the knowledge of the asked seat.
"""

from trutdsl.diagnostics import BadUsage
from trutdsl.game.game import ENGINES, Game, load_game, play_from
from trutdsl.game.state import MatchResult, State
from trutdsl.game.view import View
from trutdsl.table.faults import RuleError
from trutdsl.table.match import (
    Action,
    Announcement,
    ChanceNode,
    DealStart,
    HistoryEntry,
    PassedCards,
    Question,
)
from trutdsl.table.sight import HIDDEN

__all__ = [
    "ENGINES",
    "HIDDEN",
    "Action",
    "Announcement",
    "BadUsage",
    "ChanceNode",
    "DealStart",
    "Game",
    "HistoryEntry",
    "MatchResult",
    "PassedCards",
    "Question",
    "RuleError",
    "State",
    "View",
    "load_game",
    "play_from",
]
