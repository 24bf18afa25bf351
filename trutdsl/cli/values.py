"""Option values: what none may be, whatever command and option they are for."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any

from typer.core import TyperCommand

from trutdsl.cli.exits import interruptible
from trutdsl.diagnostics import BadUsage

MOST = 10**15  # of a number that has no bound of its own
OWN_BOUNDS = ("seed", "first")


class Command(TyperCommand):
    """A command that refuses empty texts and numbers without bounds before it begins."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; raises `BadUsage` for such values."""
        refuse_empty(self.params, args)
        rest = super().parse_args(ctx, args)
        for param in self.params:
            if param.name not in OWN_BOUNDS:
                _refuse_extreme(_name(param), ctx.params.get(param.name))
        return rest

    def invoke(self, ctx: Any) -> Any:
        """Run it; Ctrl-C, which has ended the process so far, raises KeyboardInterrupt."""
        with interruptible():
            return super().invoke(ctx)


def refuse_empty(params: Sequence[Any], args: Sequence[str]) -> None:
    """Raise `BadUsage` for a value that is an empty text."""
    for at, arg in enumerate(args):
        flag, equals, value = arg.partition("=")
        if flag.startswith("--") and equals and not value.strip():
            raise _empty(params, flag)
        if not arg.strip():
            raise _empty(params, args[at - 1] if at else "")


def _empty(params: Sequence[Any], flag: str) -> BadUsage:
    for param in params:
        if flag in param.opts:
            return BadUsage(f"{flag} is empty; expected {param.metavar or 'a value'}")
    return BadUsage("an argument is empty; leave it out, or write what is meant")


def _name(param: Any) -> str:
    return str(max(param.opts, key=len))


def _refuse_extreme(name: str, value: Any) -> None:
    if isinstance(value, float) and not isfinite(value):
        raise BadUsage(f"{name} must be a number, not {value}")
    if isinstance(value, int | float) and not -MOST <= value <= MOST:
        shown = (
            f"{value:g}" if isinstance(value, float) else f"a number of {len(str(value))} digits"
        )
        raise BadUsage(f"{name} must be at most {MOST:,}, not {shown}")
