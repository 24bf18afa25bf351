"""The ways in which a run ends before its end; each message is complete and meant for a person."""

from __future__ import annotations

from trutdsl.diagnostics import Failure


class RunFailed(Failure):
    """A run that cannot go on (a strategy failed, a worker died, the disk is full): exit code 1."""


class RunStopped(Exception):  # noqa: N818 - it is an outcome, not a fault
    """A run that was asked to stop (Ctrl-C); what is finished is kept: exit code 128 + `signal`."""

    def __init__(self, message: str, signal: int) -> None:
        super().__init__(message)
        self.signal = signal
