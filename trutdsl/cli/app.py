"""The program `trutdsl`: its commands, and what becomes of errors."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import typer

from trutdsl.arena.errors import RunFailed
from trutdsl.cli.bench import bench
from trutdsl.cli.check import check
from trutdsl.cli.dump import dump
from trutdsl.cli.list import list_all
from trutdsl.cli.output import give_up_output, prepare_output
from trutdsl.cli.replay import replay
from trutdsl.cli.scenario import scenario
from trutdsl.cli.show import show
from trutdsl.cli.simulate import simulate
from trutdsl.cli.tournament import tournament
from trutdsl.diagnostics import Rejected, render_all
from trutdsl.game import BadUsage
from trutdsl.strategy import StrategyError
from trutdsl.variant import BadParameter

# Typer may carry its own copy of Click; this is the base of its usage errors in either case.
UsageProblem: Any = typer.BadParameter.__mro__[2]
DONE, FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130

app = typer.Typer(
    name="trutdsl",
    help="Write down the rules of a card game, check them, and have strategies play them.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
COMMANDS: dict[str, Callable[..., None]] = {
    "check": check,
    "list": list_all,
    "show": show,
    "scenario": scenario,
    "simulate": simulate,
    "bench": bench,
    "dump": dump,
    "replay": replay,
    "tournament": tournament,
}
for name, command in COMMANDS.items():
    app.command(name)(command)


def main() -> None:
    """Run the command line and exit.

    With 0: done; 1: a check or a strategy failed, or output could not be written; 2: bad input;
    130: interrupted.
    """
    prepare_output()
    sys.exit(run(sys.argv[1:]))


def run(args: list[str]) -> int:
    """Run one command and return its exit code."""
    try:
        code = _run_command(args)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        give_up_output()  # whoever reads it has had enough
        return DONE
    except OSError as problem:
        give_up_output()
        where = problem.filename or "standard output"
        return _complain(f"error: {where} cannot be written: {problem.strerror}", FAILED)


def _run_command(args: list[str]) -> int:
    """Run one command, say what was wrong, and return its exit code."""
    try:
        command = typer.main.get_command(app)
        with command.make_context("trutdsl", args) as context:
            code = command.invoke(context)
        return code if isinstance(code, int) else DONE
    except typer.Exit as done:
        return int(done.exit_code)
    except Rejected as rejected:
        return _complain(render_all(rejected), BAD_INPUT)
    except (BadUsage, BadParameter) as bad:
        return _complain(f"error: {bad}", BAD_INPUT)
    except (StrategyError, RunFailed) as failed:
        return _complain(f"error: {failed}", FAILED)
    except UsageProblem as usage:
        usage.show()
        return int(usage.exit_code)
    except (typer.Abort, KeyboardInterrupt):
        return _complain("stopped", INTERRUPTED)


def _complain(message: str, code: int) -> int:
    with suppress(OSError):  # then there is nobody to tell
        typer.echo(message, err=True)
    return code
