"""What can go wrong while rules are played."""

from __future__ import annotations

from trutdsl.diagnostics import Diagnostic, Rejected


class PolicyError(Exception):
    """A strategy's script that came to something impossible, with its place.

    seat: who was asked.
    """

    def __init__(self, diagnostic: Diagnostic, seat: int) -> None:
        super().__init__(f"{diagnostic.span}: {diagnostic.message}")
        self.diagnostic, self.seat = diagnostic, seat

    def __reduce__(self) -> tuple[type[PolicyError], tuple[Diagnostic, int]]:
        return PolicyError, (self.diagnostic, self.seat)


class RuleError(Rejected):
    """Rules that led to something impossible: the sentence, its rule, the state of the match."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__([diagnostic])
        self.diagnostic = diagnostic

    def __reduce__(self) -> tuple[type[RuleError], tuple[Diagnostic]]:
        return RuleError, (self.diagnostic,)
