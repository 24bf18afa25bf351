"""The program `trutdsl`: its commands, its messages and its exit codes."""

from __future__ import annotations

import gc
import os
import re
import shlex
import signal
import sys
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from errno import EBADF, ELOOP, ENAMETOOLONG, ENOENT, ENOMEM
from functools import partial
from math import isfinite
from pathlib import Path
from pkgutil import resolve_name
from posix import _exit, write  # those of `os` may be replaced
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from trutdsl import cli
from trutdsl.cli import defaults
from trutdsl.cli.help import TranslatedHelp, explain_usage
from trutdsl.cli.options import settle_language
from trutdsl.cli.output import (
    ERRORS,
    STOPPING,
    check_folder,
    discard_output,
    interruptible,
    note,
    prepare_output,
    settle_quiet,
    stopped_code,
    tell_stopped,
    telling_exits,
)
from trutdsl.diagnostics import (
    CANNOT_WRITE,
    FOREIGN_CODE,
    BadUsage,
    Failure,
    Rejected,
    Remark,
    explain_os_error,
    render_all,
)
from trutdsl.files import keep_nothing, own_version
from trutdsl.language import ENGLISH, choose_language, figure, mark, say
from trutdsl.options import OPTIONS

# Typer may include its own copy of Click; this is the base class of usage errors in both cases.
UsageProblem: Any = typer.BadParameter.__mro__[2]
HELP = {"help_option_names": ["-h", "--help"]}
ERROR = r"(?m)(?<=^){error}|(?<=\d: ){error}"
COMPLETE = "_TRUTDSL_COMPLETE"  # a shell sets it to complete a line
DONE, FAILED, BAD_INPUT = 0, 1, 2
NO_MEMORY = mark("there is not enough memory")


# Each command: its function as MODULE:NAME of this package, and one line of at most 60 characters.
GROUPS = {
    mark("Rules"): {
        "check": ("rule_files:check_files", "Check variants and scripts for errors."),
        "list": ("list:list_all", "List the shipped variants and strategies."),
        "show": ("list:show", "Show a variant's rules, options and parameters."),
        "diff": ("list:diff", "Tell how two variants differ, in words."),
        "where": ("list:where", "Print the path of a shipped file."),
        "new": ("rule_files:new", "Begin a house rule: a variant and its scenarios."),
        "format": ("rule_files:format_rules", "Bring rules and scripts into one layout."),
        "migrate": ("rule_files:migrate", "Bring a file up to the present language edition."),
        "rules": (
            "rule_files:write_rules",
            "Write the rulebook of a variant, to print and hand out.",
        ),
        "scenario": ("scenario:scenario", "Play scenarios, unit tests for rules."),
        "coverage": ("simulate:coverage", "List the parts of the rules that are never reached."),
    },
    mark("Play"): {
        "play": ("play:play", "Play a match yourself, against strategies."),
        "simulate": ("simulate:simulate", "Play matches between strategies and print statistics."),
        "replay": ("play:replay", "Tell a transcript in sentences, or verify it."),
        "explain-choice": ("explain_choice:explain_choice", "Explain each choice of a script."),
        "exact": ("exact:exact", "Compute who wins, for two scripts, without simulation."),
        "solve": ("solve:solve", "Compute equilibrium play for two, and its exploitability."),
        "exploit": ("exact:exploit", "Compute what a perfect opponent wins against scripts."),
    },
    mark("Tournaments"): {
        "tournament": ("tournament:tournament", "Compare strategies, with confidence intervals."),
        "plan": ("tournament:plan_tournament", "Compute how many deals a tournament needs."),
        "compare": ("compare:compare_variants", "Compare variants: what does another rule change?"),
        "sweep": ("compare:sweep_parameters", "Compare the values of a variant's parameters."),
        "ambiguities": (
            "compare:list_ambiguities",
            "Compare the readings of a variant's unclear rules.",
        ),
    },
    mark("Runs"): {
        "resume": ("tournament:resume_run", "Resume a stopped tournament."),
        "extend": ("tournament:extend", "Play more of a tournament."),
        "merge": ("tournament:merge_runs", "Merge the shards of a tournament."),
        "verify": ("tournament:verify_run", "Replay part of a tournament and compare the results."),
        "results": ("tournament:results", "Show the standings of a tournament so far."),
        "report": ("tournament:report", "Write results as a page to read, print and send."),
    },
    mark("Developers"): {
        "bench": ("bench:bench", "Measure how fast rules are played here."),
        "lsp": ("developers:serve_editor", "Answer an editor, which starts this command."),
        "schema": ("developers:schema", "Print the JSON Schema of a YAML format, or of an output."),
        "dump": ("developers:dump", "Print the compiled rules after each stage."),
    },
}
COMMANDS = {name: one for group in GROUPS.values() for name, one in group.items()}

MOST = 10**15  # bound of options without their own
QUIET = mark("Print no progress and no notes, only results and errors.")
FOLDER = "DIR"  # the value of options that name a folder of results
OWN_BOUNDS = ("seed", "first")


class Command(TranslatedHelp, TyperCommand):
    """A command that refuses impossible values, such as an empty text.

    It has the options of all commands.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        if all(param.name != "lang" for param in self.params):
            lang = OPTIONS["lang"]
            self.params.append(_shared_option([lang.flag], lang.help, metavar=lang.metavar))
        self.params.append(
            _shared_option(
                ["--quiet", "-q"], QUIET, is_flag=True, callback=settle_quiet, default=False
            )
        )
        self.translate()

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments; raises `BadUsage` for a value that no command accepts."""
        refuse_empty(self.params, args)
        ctx.default_map = defaults.present.of_command(str(self.name), self.params, args)
        rest = super().parse_args(ctx, repeat_options(self.params, args))
        defaults.present.find_used_options(self.params, ctx)
        for param in self.params:
            value = ctx.params.get(param.name)
            if value and getattr(param, "metavar", None) in (FOLDER, say(FOLDER)):
                check_folder(str(max(param.opts, key=len)), Path(value))
            if param.name not in OWN_BOUNDS:
                _refuse_extreme(str(max(param.opts, key=len)), ctx.params.get(param.name))
        return rest

    def invoke(self, ctx: Any) -> Any:
        """Run the command; from here on, Ctrl-C raises KeyboardInterrupt."""
        if ctx.params.get("no_cache"):
            keep_nothing()
        with interruptible():
            return super().invoke(ctx)


def _shared_option(names: list[str], help: str, **more: Any) -> TyperOption:
    """Return an option of all commands, which no function of a command receives."""
    return TyperOption(param_decls=names, help=help, expose_value=False, **more)


def refuse_empty(params: Sequence[Any], args: Sequence[str]) -> None:
    """Raise `BadUsage` for a value that is an empty text."""
    for at, arg in enumerate(args):
        flag, equals, value = arg.partition("=")
        if flag.startswith("--") and equals and not value.strip():
            raise _empty(params, flag)
        if not arg.strip():
            raise _empty(params, args[at - 1] if at else "")


def repeat_options(params: Sequence[Any], args: Sequence[str]) -> list[str]:
    """Return the arguments with options repeated that take several words: `--at A=1 B=2`."""
    repeated = {
        flag for p in params if getattr(p, "multiple", False) and "=" in (p.metavar or "")
        for flag in p.opts
    }  # fmt: skip
    result, flag, values = list[str](), "", 0
    for arg in args:
        if arg.startswith("-"):
            flag, values = arg if arg in repeated else "", 0
        elif flag and values and "=" in arg:
            result.append(flag)
        else:
            flag, values = flag if not values else "", 1
        result.append(arg)
    return result


def _empty(params: Sequence[Any], flag: str) -> BadUsage:
    for param in params:
        if flag in param.opts:
            text = "{flag} is empty; expected {metavar}"
            return BadUsage(say(text, flag=flag, metavar=param.metavar or say("a value")))
    return BadUsage(say("an argument is empty; leave it out, or write what is meant"))


def _refuse_extreme(name: str, value: Any) -> None:
    if isinstance(value, float) and not isfinite(value):
        raise BadUsage(say("{name} must be a number, not {value}", name=name, value=value))
    if isinstance(value, int | float) and not -MOST <= value <= MOST:
        text = "a number of {number} digits"
        digits = f"{value:g}" if isinstance(value, float) else say(text, number=len(str(value)))
        text = "{name} must be at most {most}, not {shown}"
        raise BadUsage(say(text, name=name, most=figure(MOST, ","), shown=digits))


class CommandGroup(TranslatedHelp, TyperGroup):
    """The commands of the program; calling a command imports its module."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.translate()

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments; raises `BadUsage` for an option of a command in front of it."""
        given = [*args]
        try:
            return super().parse_args(ctx, args)
        except UsageProblem as problem:
            _refuse_early(getattr(problem, "option_name", None), given)
            raise

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the name of a command, the command itself, and its arguments."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, name and load_command(name) if command else None, rest

    def format_commands(self, _ctx: Any, formatter: Any) -> None:
        """Write the commands in groups."""
        width = max(map(len, COMMANDS))
        for title, group in GROUPS.items():
            with formatter.section(say(title)):
                formatter.write_dl(
                    [(f"{name:{width}}", say(summary)) for name, (_, summary) in group.items()]
                )


def _refuse_early(flag: str | None, args: list[str]) -> None:
    """Raise `BadUsage` if this unknown option is one of the command that follows it."""
    at, name = next(((at, arg) for at, arg in enumerate(args) if arg in COMMANDS), (0, ""))
    if flag and name and any(flag in param.opts for param in load_command(name).params):
        call = shlex.join(["trutdsl", *args[at:], *args[:at]])
        text = "{flag} follows the command; write `{call}`"
        raise BadUsage(say(text, flag=flag, call=call))


def list_commands() -> CommandGroup:
    """Return the program with the commands that its help lists."""
    root = typer.Typer(
        cls=CommandGroup,
        callback=_program,
        invoke_without_command=False,
        no_args_is_help=True,
        context_settings=HELP,
        rich_markup_mode=None,
    )
    program = typer.main.get_command(root)  # with --install-completion
    assert isinstance(program, CommandGroup)
    program.name = "trutdsl"
    for name, (_, summary) in COMMANDS.items():
        program.add_command(TyperCommand(name, short_help=say(summary)))
    return program


def _tell_version(asked: bool) -> None:
    if asked:
        typer.echo(f"trutdsl {own_version()}")
        raise typer.Exit


def _program(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            "-V",
            callback=_tell_version,
            is_eager=True,
            help="Show the version and exit.",
        ),
    ] = False,
    lang: Annotated[
        str | None, typer.Option("--lang", metavar="LANG", help=OPTIONS["lang"].help)
    ] = None,
) -> None:
    """Write down the rules of a card game, check them, and have strategies play them."""


def load_command(name: str) -> Any:
    """Return a command, ready to be called."""
    function = resolve_name(f"trutdsl.cli.{COMMANDS[name][0]}")
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command(name, cls=Command, context_settings=HELP)(function)
    return typer.main.get_command(app)


def main() -> None:
    """Run the command line and exit.

    The exit code is 0 for success, and 1 if a check or a strategy failed, or the machine. It is 2
    for bad input, and if output cannot be written: a person can change both. After a signal it is
    128 plus the signal's number (130 for Ctrl-C).
    """
    prepare_output()
    code = run(sys.argv[1:])
    if FOREIGN_CODE:
        _exit(code)  # ignore threads and exit handlers of strategies, as a worker does
    for number in STOPPING:
        signal.signal(number, signal.SIG_IGN)  # the command is over; keep its exit code
    gc.freeze()  # skip the collection at exit
    exec("")  # else `python -m` ends by SIGINT if Ctrl-C had interrupted an earlier `exec`
    sys.exit(code)


def run(args: list[str]) -> int:
    """Run one command and return its exit code.

    After code of a strategy every unexpected error is reported as damage to the interpreter.
    """
    FOREIGN_CODE.clear()
    cli.stop_is_told = False
    try:
        return _run(args)
    except:  # noqa: E722 - a damaged interpreter may not even know the names of exceptions
        if not FOREIGN_CODE:
            raise
        return _tell_damage()


def _tell_damage() -> int:
    names = " or ".join(FOREIGN_CODE.values())
    try:
        error, names = sys.exc_info()[1], say(" or ").join(FOREIGN_CODE.values())
        text = (
            "{names} has probably damaged the interpreter, which it shares with trutdsl: {error}; "
            "repair it, or report the error if it remains without it"
        )
        kind = f"{type(error).__name__}: {error}".splitlines()[0]
        typer.echo(colour_errors(_error(say(text, names=names, error=kind))), err=True)
    except:  # noqa: E722
        write(ERRORS, f"error: {names} has damaged the interpreter; repair it\n".encode())
    return FAILED


def _run(args: list[str]) -> int:
    try:
        with telling_exits(), warnings.catch_warnings():
            warnings.simplefilter("once", Remark)
            warnings.showwarning = partial(_show_warning, warnings.showwarning)
            code = _run_command(args)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        discard_output()  # the reader has closed the pipe and needs no message
        return FAILED
    except OSError as problem:
        if problem.errno == EBADF and _follows_ctrl_c(problem):
            return _stop()
        discard_output()
        where = problem.filename or say("standard output")
        if problem.errno in (None, ENOMEM):  # None: a library cannot be loaded
            reason = say(NO_MEMORY) if problem.errno else str(problem).partition("\n")[0]
            return _complain(_error(reason), FAILED)
        if problem.filename is None and problem.errno == ENOENT:  # from `tempfile`
            text = "there is no folder for temporary files; name one in TMPDIR"
            return _complain(_error(say(text)), BAD_INPUT)
        text = CANNOT_WRITE
        if problem.errno in (ELOOP, ENAMETOOLONG):  # no file can be there, to read or to write
            text = mark("{path} cannot be used: {strerror}")
        return _complain(_error(explain_os_error(problem, where, text)), BAD_INPUT)
    finally:
        choose_language(ENGLISH)  # of whoever calls this function


def _follows_ctrl_c(problem: BaseException) -> bool:
    """Return whether Ctrl-C interrupted a clean-up, which then closed a file a second time."""
    before = problem.__context__
    return before is not None and (isinstance(before, KeyboardInterrupt) or _follows_ctrl_c(before))


def _show_warning(
    others: Callable[..., None], message: Warning | str, kind: type[Warning], *more: Any
) -> None:
    if issubclass(kind, Remark):
        note(str(message))
    else:
        others(message, kind, *more)


def _run_command(args: list[str]) -> int:
    try:
        settle_language(args, os.environ)  # of the messages about the next file
        settle_language(args, os.environ, defaults.settle_defaults(COMMANDS).lang)
        program = list_commands()
        if COMPLETE in os.environ:
            program.main(args, "trutdsl", COMPLETE)  # answers the shell and exits
        with program.make_context("trutdsl", args) as context:
            code = program.invoke(context)
        return code if isinstance(code, int) else DONE
    except typer.Exit as done:
        return int(done.exit_code)
    except Rejected as rejection:
        return _complain(render_all(rejection), BAD_INPUT)
    except BadUsage as bad:
        return _complain(_error(bad) + defaults.present.tell_use(), BAD_INPUT)
    except Failure as failure:
        return _complain(_error(failure), FAILED)
    except UsageProblem as usage:
        named = next((word for word in args if word in COMMANDS), None)
        return _complain(explain_usage(usage, named, args), BAD_INPUT)
    except MemoryError:
        return _complain(_error(say(NO_MEMORY)), FAILED)
    except (typer.Abort, KeyboardInterrupt):
        return _stop()


def _error(message: object) -> str:
    return f"{say('error:')} {message}"


def _stop() -> int:
    with suppress(OSError):  # nobody reads standard error
        tell_stopped(say("stopped"))
    return stopped_code()


def _complain(message: str, code: int) -> int:
    with suppress(OSError):  # nobody reads standard error
        typer.echo(colour_errors(message), err=True)
    return code


def colour_errors(message: str) -> str:
    """Return a message with each leading `error:` in red; `typer.echo` drops colours in pipes."""
    if os.environ.get("NO_COLOR"):
        return message
    return re.sub(
        ERROR.format(error=re.escape(say("error:"))),
        lambda hit: typer.style(hit[0], fg="red", bold=True),
        message,
    )
