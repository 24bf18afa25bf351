"""Tournaments from beginning to end: what is asked for, how it is held, what lies in its folder.

Everything that the command line offers can be had here without it.
"""

from trutdsl.experiment.hold import Beginning, Notice, Outcome, extend, hold, resume
from trutdsl.experiment.merge import merge, show, verify
from trutdsl.experiment.read import is_experiment, read_settings
from trutdsl.experiment.settings import Means, Settings

__all__ = [
    "Beginning",
    "Means",
    "Notice",
    "Outcome",
    "Settings",
    "extend",
    "hold",
    "is_experiment",
    "merge",
    "read_settings",
    "resume",
    "show",
    "verify",
]
