"""Defaults of options, from `trutdsl.toml` in the working folder or in one above it."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trutdsl.diagnostics import Rejected, Source, Span, did_you_mean, reject
from trutdsl.language import mark, say
from trutdsl.options import BUDGETS, OPTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable

NAME = "trutdsl.toml"
REPOSITORY = ".git"
LANG = "lang"
AT_TOP = (LANG, "quiet", "no_cache")  # for every command that has the option
BUDGET_FLAGS = tuple(OPTIONS[name].flag for name in BUDGETS)
FAULT = re.compile(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)")
TWICE = re.compile("Cannot (overwrite|declare|mutate)")
KINDS = {
    bool: mark("true or false"),
    int: mark("a whole number"),
    float: mark("a number"),
    str: mark("a text"),
    list: mark("a list of texts"),
}


class DefaultsFile:
    """The values of a file, by the names that functions have for options."""

    def __init__(self, source: Source | None = None, commands: Iterable[str] = ()) -> None:
        """Read a file; raises `Rejected` for one that is not TOML, or names something unknown."""
        self.source = source
        self.used_options = set[str]()  # options of this command that have their value from here
        self._values = {} if source is None else _parse(source)
        tables = {key for key, value in self._values.items() if isinstance(value, dict)}
        for key in self._values.keys() - tables:
            if _name_of(key) not in AT_TOP:
                text = "'{key}' has no meaning here; expected {names}, or a table"
                names = ", ".join(_key_of(name) for name in AT_TOP)
                cure = say("write it into the table of a command, such as [tournament]")
                raise self._refuse("unknown-key", say(text, key=key, names=names), "", key, cure)
        for name in sorted(tables - {*commands}):
            message = say("there is no command '{name}'", name=name)
            raise self._refuse("unknown-key", message, name, "", did_you_mean(name, commands))
        lang = self._values.get(LANG)
        if lang is not None and lang not in OPTIONS[LANG].choices:
            expected = ", ".join(OPTIONS[LANG].choices)
            raise self._wrong("", LANG, lang, say("one of {names}", names=expected))
        self.lang: str | None = lang

    def of_command(
        self, command: str, params: Sequence[Any], args: Sequence[str]
    ) -> dict[str, Any]:
        """Return the defaults of a command's options by their names in Python.

        An amount to play is left out if the command line gives one in another way.
        Raises `Rejected` for a key that is no option, or for a value of another kind.
        """
        by_key = {
            _name_of(max(param.opts, key=len).lstrip("-")): param
            for param in params
            if param.param_type_name == "option" and param.name != "help"
        }
        result, table = dict[str, Any](), self._values.get(command, {})
        flags = {arg.partition("=")[0] for arg in args}
        for place, values in (("", self._values), (command, table)):
            for key, value in values.items():
                name = _name_of(key)
                if place == "" and (name == LANG or name not in AT_TOP or name not in by_key):
                    continue
                if name == LANG:
                    cure = say("write it at the top, before the first table")
                    message = say("'{key}' is for all commands", key=key)
                    raise self._refuse("unknown-key", message, place, key, cure)
                if name not in by_key:
                    flag = f"--{_key_of(name)}"
                    message = say("{command} has no option {name}", command=command, name=flag)
                    hint = did_you_mean(_key_of(name), map(_key_of, by_key))
                    raise self._refuse("unknown-key", message, place, key, hint)
                default = self._check_value(place, key, value, by_key[name])
                if name not in BUDGETS or not flags.intersection(BUDGET_FLAGS):
                    result[by_key[name].name] = default
        return result

    def find_used_options(self, params: Sequence[Any], context: Any) -> None:
        """Note which options of a command have their value from here, once Typer has read them."""
        sources = {param.name: context.get_parameter_source(param.name) for param in params}
        self.used_options = {
            name for name, source in sources.items() if source and source.name == "DEFAULT_MAP"
        }

    def tell_use(self) -> str:
        """Return a note for a mistake that may come from here: which options this file sets."""
        if self.source is None or not self.used_options:
            return ""
        flags = ", ".join(f"--{_key_of(name)}" for name in sorted(self.used_options))
        return "\n  " + say("note: {file} sets {flags}", file=self.source.name, flags=flags)

    def _check_value(self, table: str, key: str, value: Any, param: Any) -> Any:
        """Return the value of an option as Typer takes it."""
        values = value if isinstance(value, list) and param.multiple else [value]
        numbers: dict[str, type] = {"int": int, "float": float}
        kind = numbers.get(param.type.name.partition(" ")[0], str)  # also `int range`
        if getattr(param, "is_flag", False):
            kind = bool
        takes = {float: (int, float), str: (str, int, float)}.get(kind, (kind,))
        for one in values:
            if type(one) not in takes or not str(one).strip():
                raise self._wrong(table, key, value, say(KINDS[list if param.multiple else kind]))
        texts = [str(one) for one in values] if kind is str else values
        return texts if param.multiple else texts[0]

    def _wrong(self, table: str, key: str, value: Any, expected: str) -> Rejected:
        text = str(value).lower() if isinstance(value, bool) else repr(value)
        message = say("found {found}, expected {expected}", found=text, expected=expected)
        return self._refuse("wrong-type", message, table, key)

    def _refuse(
        self, code: str, message: str, table: str, key: str, help: str | None = None
    ) -> Rejected:
        assert self.source is not None
        return reject(code, message, _place(self.source, table, key), help=help)


def find_defaults(folder: Path, home: Path) -> Path | None:
    """Return the nearest file of defaults: of a folder, or of one above it.

    The last folder is the root of the repository, else the home folder. Outside of both only the
    folder itself counts, so that nobody else's file is read.
    """
    folders = [folder, *folder.parents]
    roots = [one for one in folders if os.path.lexists(one / REPOSITORY)]
    last = roots[0] if roots else home if home in folders else folder
    for one in folders[: folders.index(last) + 1]:
        if os.path.isfile(one / NAME):  # noqa: PTH113 - it raises nothing
            return one / NAME
    return None


def read_defaults(path: Path | None, commands: Iterable[str]) -> DefaultsFile:
    """Return the defaults in a file; raises `Rejected` for one that cannot be used."""
    if path is None:
        return DefaultsFile()
    name = NAME if path.parent == Path.cwd() else str(path)
    from trutdsl.variant.source import read_source  # few folders have such a file

    return DefaultsFile(read_source(path, name), commands)


def _parse(source: Source) -> Mapping[str, Any]:
    import tomllib  # few folders have such a file

    from trutdsl.variant.compose_yaml import DEEPEST

    try:
        return tomllib.loads(source.text)
    except tomllib.TOMLDecodeError as problem:
        hit = FAULT.fullmatch(str(problem))
        line, column = (hit[2], hit[3]) if hit else (None, None)
        end = source.span_at(max(0, len(source.text.rstrip()) - 1))
        span = source.point(int(line), int(column)) if line and column else end
        if TWICE.match(str(problem)):
            raise reject("syntax", say("a key or table occurs twice"), span) from None
        cure = say("write `[tournament]`, `jobs = 4` or `lang = 'fr'`, with texts in quotes")
        raise reject("syntax", say("this is not TOML"), span, help=cure) from None
    except RecursionError:
        depths = accumulate((sign in "[{") - (sign in "]}") for sign in source.text)
        at = next((at for at, depth in enumerate(depths) if depth > DEEPEST), 0)
        text = "found more than {deepest} lists and mappings one inside another"
        raise reject("too-deep", say(text, deepest=DEEPEST), source.span_at(at)) from None


def _place(source: Source, table: str, key: str) -> Span:
    """Return where a key of a table stands, else the table, else the start of the file."""
    header = re.compile(rf"\s*\[\s*(?P<name>[\"']?{re.escape(table)}[\"']?)\s*[\].]")
    entry = re.compile(rf"\s*(?P<name>[\"']?{re.escape(key)}[\"']?)\s*[=.]")
    dotted = re.compile(rf"\s*(?P<name>[\"']?{re.escape(table)}[\"']?\s*[.=])")
    inside, best = not table, source.point(1, 1)
    for number, line in enumerate(source.lines, 1):
        if line.lstrip().startswith("["):
            hit = header.match(line) if table else None
            inside = hit is not None
        elif table and not inside:
            hit = dotted.match(line)
        else:
            hit = entry.match(line) if key and inside else None
        if hit:
            best = Span(source, number, hit.start("name") + 1, number, hit.end("name") + 1)
            if not key or hit.re is entry:
                return best
    return best


def _name_of(key: str) -> str:
    return key.replace("-", "_")


def _key_of(name: str) -> str:
    return name.replace("_", "-")


present = DefaultsFile()  # of the running command


def settle_defaults(commands: Iterable[str]) -> DefaultsFile:
    """Read the file of this folder, for the command that runs next; raises as `read_defaults`."""
    global present
    present = DefaultsFile()
    with suppress(FileNotFoundError):  # the folder is deleted
        path = find_defaults(Path.cwd(), Path("~").expanduser())
        present = read_defaults(path, commands)
    return present


def override_file(flags: Mapping[str, Any], file: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that override those of an experiment file.

    flags: None or an empty list means an option was not given. A default of `trutdsl.toml`
    overrides nothing that the file says.
    """
    amount = any(file.get(name) is not None for name in BUDGETS)
    return {
        name: value
        for name, value in flags.items()
        if value not in (None, [])
        and not (name in present.used_options and (name in file or (name in BUDGETS and amount)))
    }
