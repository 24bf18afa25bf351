"""Parts of a run: which runs can be played in parts and merged, and why others cannot."""

from __future__ import annotations

from typing import NamedTuple

from trutdsl.experiment.settings import MATCHES, Settings
from trutdsl.stats.pairings import FORMATS


class Undivided(NamedTuple):
    """What makes it impossible to divide a run.

    flag: by which it was asked for. counted: it would do to say the number of sets instead.
    """

    flag: str
    why: str
    counted: bool = False


def undivided(settings: Settings) -> Undivided | None:
    """Return why a run cannot be played in parts, None if it can."""
    match settings:
        case Settings(format=name) if name in FORMATS:
            return Undivided(f"--format {name}", "who meets in a round follows from those before")
        case Settings(test=(_, _)):
            return Undivided("--test", "only the whole run tells when it is decided")
        case Settings(precision=float() | int()):
            return Undivided("--precision", "only the whole run tells when it is precise enough")
        case Settings(deals=int(), mode=mode) if mode == MATCHES:
            why = "how many sets so many deals take is known only once they are played"
            return Undivided("--deals", why, True)
        case Settings(time=float() | int()):
            why = "how many sets so much time is enough for is known only afterwards"
            return Undivided("--time", why, True)
    return None
