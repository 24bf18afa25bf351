"""Help and mistakes of a command line, in the current language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from inspect import cleandoc
from typing import Any

import typer

from trutdsl.files import shipped_folder
from trutdsl.language import ENGLISH, mark, one_by_one, quote_name, say, speaking, with_title

# Typer may include its own copy of Click; this is the base class of formatters in both cases.
Formatter: Any = typer.Context.formatter_class
OF_TYPER = (
    mark("Usage: "),
    mark("[OPTIONS]"),
    mark("COMMAND [ARGS]..."),
    mark("Arguments"),
    mark("Options"),
    mark("Commands"),
    mark("Show this message and exit."),
    mark("Install completion for the current shell."),
    mark("Show completion for the current shell, to copy it or customize the installation."),
)


class HelpFormatter(Formatter):  # type: ignore[misc]
    """A formatter of help that translates the words of Typer."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write how a command is called."""
        super().write_usage(prog, args, prefix or say("Usage: "))

    def write_heading(self, heading: str) -> None:
        self.write(f"{with_title(say(heading))}\n")

    def write_dl(self, rows: Sequence[tuple[str, str]], *args: Any, **more: Any) -> None:
        """Write a list of names and their texts."""
        super().write_dl([(name, _translate_row(text)) for name, text in rows], *args, **more)


# How Click writes the bounds of a number; a refusal says them in words.
BOUNDS = re.compile(r"(; |  \[)[\d.<=]*x[<>]?=?[\d.]*(\])$")


def _translate_row(text: str) -> str:
    """Return the text of an option, whose last words are Typer's own, such as `[required]`."""
    text = BOUNDS.sub(lambda bounds: bounds[2] if bounds[1] == "; " else "", text)
    own, _, extra = text.rpartition("  [")
    if extra == "required]":
        return f"{own}  [{say('required')}]"
    if usual := re.fullmatch(r"default: (.*)\]", extra):
        return f"{own}  [{with_title(say('default'), usual[1])}]"
    return say(text)


def paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of a command's help, each in one line."""
    for paragraph in cleandoc(text).split("\n\n"):
        yield " ".join(paragraph.split())


class TranslatedHelp:
    """A command whose help is in the current language; stands before Typer's class."""

    params: list[Any]
    help: str | None

    def translate(self) -> None:
        """Translate the texts of the command and its options."""
        self.help = "\n\n".join(map(_translate_paragraph, paragraphs(self.help or "")))
        for param in self.params:
            param.help = say(param.help or "")
            if not getattr(param, "is_flag", False):
                param.metavar = say(param.metavar or param.name.upper())

    def get_help(self, context: Any) -> str:
        context.formatter_class = HelpFormatter
        return str(super().get_help(context))  # type: ignore[misc]

    def collect_usage_pieces(self, context: Any) -> list[str]:
        """Return the words after the command's name in its usage, without Typer's braces."""
        pieces = super().collect_usage_pieces(context)  # type: ignore[misc]
        return [say(piece.strip("{}")) for piece in pieces]


def _translate_paragraph(text: str) -> str:
    title, colon, call = text.partition("Example: ")
    return with_title(say("Example"), call) if colon and not title else say(text)


# Options that mean nearly the same in different commands.
SIMILAR_OPTIONS = (
    ("--matches", "--deals", "--sets"),
    ("--param", "--set"),
    ("--at", "--score"),
    ("--strategies", "--against"),
)
# Names of options that no command has.
OTHER_OPTIONS = {
    **dict.fromkeys(("opponents", "opponent", "versus", "bots"), "--strategies"),
    **dict.fromkeys(("games", "number", "parties"), "--matches"),
    **dict.fromkeys(("base", "extends"), "--from"),
    **dict.fromkeys(("rule",), "--source"),
    **dict.fromkeys(("output", "file"), "--out"),
}
# Commands under other names, also French ones.
OTHER_COMMANDS = {
    **dict.fromkeys(("test", "tests", "verify-rules", "tester", "scenarios"), "scenario"),
    **dict.fromkeys(("run", "simuler", "sim"), "simulate"),
    **dict.fromkeys(("jouer", "game", "start"), "play"),
    **dict.fromkeys(("vérifier", "verifier", "validate", "lint", "contrôler", "valider"), "check"),
    **dict.fromkeys(("comparer",), "compare"),
    **dict.fromkeys(("montrer", "afficher", "print", "info", "describe"), "show"),
    **dict.fromkeys(("liste", "lister", "ls"), "list"),
    **dict.fromkeys(("nouveau", "nouvelle", "init", "create", "créer"), "new"),
    **dict.fromkeys(("règles", "regles", "rulebook"), "rules"),
    **dict.fromkeys(("tournoi",), "tournament"),
    **dict.fromkeys(("rapport",), "report"),
    **dict.fromkeys(("help", "aide"), "--help"),
}
CURES = (
    "write ",
    "did you mean",
    "expected ",
    "choose ",
    " must be ",
)  # how a message says what to do
NOT_A_NUMBER = r"(['\"])(.*)\1 is not a valid (int|float)[\w ]*"  # Click's message
NOT_IN_RANGE = r"(.*) is not in the range (?:x>=(.*)|(.*)<=x<=(.*))"
THOUSANDS = re.compile(r"[1-9]\d{0,2}([ ,.'_’\u00a0\u202f]\d{3})+")
KINDS = {"int": mark("a whole number"), "float": mark("a number, with a point for decimals")}
# Click's other messages as patterns, and ours.
OTHERS = {
    r"Missing command": mark("trutdsl needs a command"),
    r"No such command '(?P<name>.*)'": mark("no such command '{name}'"),
    r"Option '(?P<name>.*)' requires an argument": mark("option '{name}' requires an argument"),
    r"Option '(?P<name>.*)' does not take a value": mark("option '{name}' does not take a value"),
}


def explain_usage(problem: Any, named: str | None, words: list[str]) -> str:
    """Return the message for an error in the use of a command: Click's `UsageError`.

    named: the command among the words of the line, if Click does not know it yet.
    """
    context = problem.ctx
    if type(problem).__name__ == "NoArgsIsHelpError":
        return str(problem.format_message())  # the help itself
    command = context.command_path if context else "trutdsl"
    if named is not None and command == "trutdsl":
        command = f"trutdsl {named}"
    message = _message(problem, command, words)
    with speaking(ENGLISH):
        cured = any(word in _message(problem, command, words) for word in CURES)
    return f"{say('error:')} {message}" + (
        "" if cured else say("; see `{command} --help`", command=command)
    )


def _message(problem: Any, command: str, given_words: list[str]) -> str:
    params = problem.ctx.command.params if problem.ctx else []
    options = [flag for param in params for flag in param.opts if flag.startswith("-")]
    match type(problem).__name__:
        case "NoSuchOption":
            name = problem.option_name
            cure = next(_instead(name, params), None) or _near_option(name, options)
            if cure is None and re.fullmatch("-[A-Za-z]", name):
                start = f"--{name[1].lower()}"
                flags = [one for one in options if one in (name.lower(), name.upper())]
                flags += [one for one in options if one.startswith(start)]
                flags = [one for one in flags if not one.startswith(start[:2] + "no-")]
                if flags:
                    cure = say("write {names}", names=say(" or ").join(flags))
            text = say("{command} has no option {name}", command=command, name=name)
            return one_by_one(filter(None, (text, cure)))
        case "MissingParameter":
            return _missing(problem, command, given_words)
        case "BadParameter":
            return _wrong_value(problem)
    text, _, names = str(problem.format_message()).rstrip(".?").partition(". Did you mean ")
    unknown = re.fullmatch(r"No such command '(.*)'", text)
    if unknown and (meant := OTHER_COMMANDS.get(unknown[1].lower())):
        call = f"{command} {meant}" if meant == "--help" else f"trutdsl {meant}"
        return one_by_one((_other_message(text), say("write {names}", names=call)))
    extra = re.fullmatch(r"Got unexpected extra arguments? \((.*)\)", text.replace("(s)", ""))
    if extra is None:
        near = say(" or ").join(map(quote_name, re.findall("'(.*?)'", names)))
        cure = say("did you mean {names}?", names=near) if near else None
        return one_by_one(filter(None, (_other_message(text), cure)))
    words = extra[1].split(" ")
    result = say("{command} does not expect {names} here", command=command, names=" ".join(words))
    context = problem.ctx
    given = {
        name: value
        for name, value in context.params.items()
        if getattr(context.get_parameter_source(name), "name", None) == "COMMANDLINE"
    }
    *_, last = "", *(given[p.name] for p in params if p.param_type_name == "argument")
    cure = _option_for(words, options, given, f"{command} {last}")
    return one_by_one((result, say("write {names}", names=cure))) if cure else result


# Options that take a word by its form: the first that a command has.
FORMS = (
    (r"[2-8]", ("--players",)),
    (r"\d+", ("--matches", "--sets", "--match", "--deal")),
    (r".*\.(html?|md|policy)", ("--out",)),
    (r"en|fr", ("--lang",)),
    (r"[\w-]+", ("--scenario", "--source", "--stage")),
)


def _option_for(
    words: list[str], options: list[str], given: Mapping[str, Any], call: str
) -> str | None:
    """Return what takes these words; given: the values of the options. call: the words before."""
    from trutdsl.variant.source import SCENARIOS, STRATEGY, TRANSCRIPT, VARIANT, kind_of

    command, _, last = call.rpartition(" ")
    kinds, kind = [*map(kind_of, words)], kind_of(last)
    taker = next((one for one in ("--strategies", "--against") if one in options), None)
    if taker and (kind == STRATEGY or STRATEGY in kinds):
        some = [one for one in str(given.get(taker[2:]) or "").split(",") if one]
        names = [one for one in words if kind_of(one) != VARIANT]
        if kind == STRATEGY:
            variant = next((one for one in words if kind_of(one) == VARIANT), "VARIANT")
            return f"{command} {variant} {taker} {','.join((last, *some, *names))}"
        before = some if all(kind_of(one) == STRATEGY for one in some) else []
        return f"{taker} {','.join((*before, *words))}"
    setter = next((one for one in ("--param", "--set") if one in options), None)
    if setter and all("=" in word for word in words):
        return " ".join(f"{setter} {word}" for word in words)
    names = [one for one in given.get(setter[2:]) or () if "=" not in one] if setter else []
    if len(names) == len(words) == 1:
        return f"{setter} {names[0]}={words[0]}"
    if "--from" in options:
        is_base = kinds == [VARIANT]
        return f"--from {words[0]}" if is_base else "-".join((last, *words)).lower()
    if len(words) > 1 or (kinds[0] and "." not in words[0]):
        return None
    for form, flags in FORMS:
        flag = next((one for one in flags if one in options), None)
        fits = kind in (SCENARIOS, TRANSCRIPT) or flag not in ("--match", "--deal", "--scenario")
        if flag and fits and re.fullmatch(form, words[0]):
            return f"{flag} {words[0]}"
    return None


def _near_option(name: str, options: list[str]) -> str | None:
    """Return a `did you mean` sentence; the hyphens, which all options have, do not count."""
    known = {one.lstrip("-"): one for one in options if one.startswith("--")}
    if near := get_close_matches(name.lstrip("-"), known, 1, 0.7):
        return say("did you mean '{inside}'?", inside=known[near[0]])
    parameter = name.lstrip("-").replace("-", "_")
    if parameter in _shipped_parameters():
        setter = next((one for one in ("--param", "--set") if one in options), None)
        return setter and say("write {names}", names=f"{setter} {parameter}=VALUE")
    return None


def _shipped_parameters() -> set[str]:
    folder = shipped_folder("variants")
    texts = (path.read_text(encoding="utf-8") for path in folder.rglob("*.yaml"))
    return {name for text in texts for name in re.findall(r"^  (\w+):\n    type:", text, re.M)}


def _other_message(text: str) -> str:
    for pattern, message in OTHERS.items():
        if result := re.fullmatch(pattern, text):
            return say(message, **result.groupdict())
    return text[:1].lower() + text[1:]


def _instead(name: str, params: Any) -> Iterator[str]:
    """Yield what to write instead of an option that another command has."""
    name = OTHER_OPTIONS.get(name.lstrip("-"), name)
    for group in (*SIMILAR_OPTIONS, (name,)):
        if name in group:
            options = [p for p in params if set(p.opts) & set(group)]
            forms = [f"{max(p.opts, key=len)} {p.metavar or 'N'}" for p in options]
            if forms:
                yield say("write {names}", names=say(" or ").join(forms))


def _missing(problem: Any, command: str, words: list[str]) -> str:
    param = problem.param
    if param is None:
        return str(problem.format_message())
    if param.param_type_name == "option":
        text, flag = "{command} needs {number} {metavar}", max(param.opts, key=len)
        message = say(text, command=command, number=flag, metavar=param.metavar)
        found = [f"{flag} {one}" for one in words if re.fullmatch(r"\w+=\S+", one)]
        if not found or not param.metavar.startswith("NAME="):
            return message
        return one_by_one((message, say("write {names}", names=" ".join(found))))
    name, text = param.metavar, getattr(param, "help", "")
    return say(
        "{command} needs {name}: {help}",
        command=command,
        name=name,
        help=text[:1].lower() + text[1:].rstrip(".") if text else say("an argument"),
    )


def _wrong_value(problem: Any) -> str:
    flag = max(problem.param.opts, key=len) if problem.param is not None else say("a value")
    message = str(problem.message).rstrip(".")
    if outside := re.fullmatch(NOT_IN_RANGE, message):
        value, least, low, high = outside.groups()
        bounds = say("from {least} to {most}", least=low, most=high)
        if least is not None:
            bounds = say("at least {least}", least=least)
        return say("{flag} must be {bounds}, not {value}", flag=flag, bounds=bounds, value=value)
    kind = re.fullmatch(NOT_A_NUMBER, message, re.DOTALL)
    if kind is None:
        return f"{flag}: {message}"
    text = say(
        "{flag} {kind}: expected {kinds}", flag=flag, kind=kind[2], kinds=say(KINDS[kind[3]])
    )
    if kind[3] == "float" or not THOUSANDS.fullmatch(kind[2]):
        return text
    digits = re.sub(r"\D", "", kind[2])
    return one_by_one((text, say("write {names}", names=f"{flag} {digits}")))
