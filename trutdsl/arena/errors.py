"""The ways in which a run ends before its end; each message is complete and meant for a person."""

from __future__ import annotations

from trutdsl.diagnostics import Failure


class RunFailed(Failure):
    """A run that cannot go on (a strategy failed, a worker died, the disk is full): exit code 1."""


class RunStopped(Exception):  # noqa: N818 - it is an outcome, not a fault
    """A run that was asked to stop (Ctrl-C); what is finished is kept: exit code 128 + `signal`.

    done: sets that are; of: of how many, None where that is not known.
    """

    def __init__(self, done: int, of: int | None, signal: int) -> None:
        sets = f"{done} sets" if of is None else f"{done} of {of} sets"
        super().__init__(f"stopped: {sets} are done and kept")
        self.done, self.of, self.signal = done, of, signal
