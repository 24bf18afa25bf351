"""Tournaments from beginning to end: what is asked for, how it is held, what lies in its folder.

Everything that the command line offers can be had here without it.
"""

from trutdsl.experiment.merge import merge, show, verify
from trutdsl.experiment.read import is_experiment, read_settings
from trutdsl.experiment.run_tournament import (
    Notice,
    RunStart,
    TournamentOutcome,
    extend,
    resume,
    run_tournament,
)
from trutdsl.experiment.settings import Means, Settings

__all__ = [
    "Means",
    "Notice",
    "RunStart",
    "Settings",
    "TournamentOutcome",
    "extend",
    "is_experiment",
    "merge",
    "read_settings",
    "resume",
    "run_tournament",
    "show",
    "verify",
]
