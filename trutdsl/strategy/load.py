"""Finds strategies: those in the folder `strategies/`, files by path, and installed packages.

A package offers its own by entry points (packaging.python.org, "Entry points specification") of
the group `GROUP`: `timid = "my_package.timid:Timid"` gives a class a name.

A strategy is code and can do anything, so run only strategies that you trust.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from importlib.machinery import PathFinder
from importlib.util import find_spec
from math import isfinite
from os import PathLike, fspath
from pathlib import Path
from secrets import randbits
from typing import TYPE_CHECKING

from trutdsl.diagnostics import Rejected, Source, Span, did_you_mean, reject
from trutdsl.files import SCRIPT, list_scripts, shipped_folder
from trutdsl.game import BadUsage
from trutdsl.language import say
from trutdsl.strategy.bots import load_bot
from trutdsl.strategy.monte_carlo import NAME, MonteCarloSpec, load_monte_carlo
from trutdsl.strategy.objects import CodedStrategy, find_object, make_spec
from trutdsl.strategy.script import ScriptSpec, load_named, split_settings
from trutdsl.strategy.solved_policy import load_policy
from trutdsl.strategy.spec import InstalledSpec, StrategySpec, Value
from trutdsl.streams import LARGEST_SEED
from trutdsl.variant import BadParameter, read_source
from trutdsl.variant.parameters import format_value
from trutdsl.variant.read_values import BOOLEANS, parse_integer
from trutdsl.variant.source import (
    STRATEGY,
    instead_of_kind,
    is_file,
    refuse_other_ending,
    refuse_split_name,
)

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Spec = StrategySpec | ScriptSpec | MonteCarloSpec
StrategyLike = str | PathLike[str] | Spec | CodedStrategy

GROUP = "trutdsl.strategies"
POLICY = ".policy"  # ends the path of play that was solved
BEST_PLAY = "best-play"  # a word for play that `compare` solves itself
FORMULA = "=+-@\uff1d\uff0b\uff0d\uff20\t\r\n "  # first characters of formulas in spreadsheets


def list_strategies() -> tuple[str, ...]:
    """Return the names of the shipped strategies."""
    folder = shipped_folder("strategies")
    plain = (p.stem for p in folder.glob("*.py") if not p.stem.startswith("_"))
    return tuple(sorted({*plain, *list_scripts()}))


def list_installed() -> tuple[str, ...]:
    """Return the names of the strategies of installed packages."""
    return tuple(sorted({entry.name for entry in _offers()}))


def load_strategy(ref: StrategyLike) -> Spec:
    """Return a shipped or installed strategy by its name, or the one in a file by its path.

    Parameters follow a colon: `bluffer:bluff=0.2,enough=70`, `monte-carlo:playouts=200`. A class
    with a method `choose`, an object of one, and a function of the view are strategies, too.
    Raises `Rejected` for a faulty file, `BadUsage` for an unknown name, `BadParameter` for
    wrong parameters. Names that a spreadsheet would read as formulas are refused.
    """
    if isinstance(ref, Spec):
        return ref
    if isinstance(ref, PathLike):
        ref = fspath(ref)
    if not isinstance(ref, str):
        return make_spec(ref)
    spec = find_object(ref) or _load(ref)
    plain = spec.name.lstrip(FORMULA)
    if plain != spec.name:
        text = (
            "the strategy {spec} has a name that a spreadsheet may take for a formula; "
            "call it by one that begins with a letter, such as 'a{plain}'"
        )
        raise BadUsage(say(text, spec=repr(spec.name), plain=plain))
    return spec


def split_objects(strategies: Iterable[StrategyLike]) -> tuple[tuple[str, ...], tuple[Spec, ...]]:
    """Return the names of strategies, and those that have no name outside this process."""
    names, objects = list[str](), list[Spec]()
    for ref in strategies:
        if isinstance(ref, str | PathLike):
            names.append(fspath(ref))
            continue
        spec = load_strategy(ref)
        names.append(spec.name)
        objects.append(spec)
    return tuple(names), tuple(objects)


def _load(ref: str) -> Spec:
    head, _, settings = ref.partition(":")
    if head == NAME:
        return load_monte_carlo(settings)
    if head == BEST_PLAY:
        raise BadUsage(
            say(
                "'{best_play}' is for `compare`; write the path of a solved policy, such "
                "as ./trut.policy, which `trutdsl solve trut --players 2 -o trut.policy` "
                "writes",
                best_play=BEST_PLAY,
            )
        )
    if head.endswith(SCRIPT) or head in list_scripts():
        return load_named(head, settings)
    if head.endswith(".bot"):
        if settings:
            raise BadUsage(
                say(
                    "{head} takes no parameters; a bot's are in its command, in the file", head=head
                )
            )
        return load_bot(head)
    if head.endswith(POLICY):
        if settings:
            raise BadUsage(
                say("{head} takes no parameters; they are those of its variant", head=head)
            )
        return load_policy(head)
    if head.endswith(".py"):
        path, title = Path(head), head
    elif head in list_strategies():
        path, title = shipped_folder("strategies") / f"{head}.py", f"strategies/{head}.py"
    else:
        refuse_split_name(ref)
        return _load_installed(head, settings)
    source = read_source(path, title)
    result = _find_classes(source)
    if len(result) != 1:
        raise _no_strategy(
            source,
            result[1].lineno if result else 1,
            say("a strategy's file holds one class with a method `choose`, ")
            + (
                say("but here are {number}", number=len(result))
                if result
                else say("and here is none")
            ),
        )
    name, mark, text, values = _identify(result[0], settings, path.stem, source)
    return StrategySpec(name, result[0].name, _summary(result[0]), title, mark, text, values)


def _load_installed(name: str, settings: str) -> InstalledSpec:
    """Return the strategy that a package offers by this name, without running the package."""
    entries = {entry for entry in _offers() if entry.name == name}
    if not entries:
        if other := instead_of_kind(STRATEGY, name):
            text = "there is no strategy '{name}'; {known}"
            raise BadUsage(say(text, name=name, known=other))
        refuse_other_ending(name, SCRIPT)
        for ending in (SCRIPT, ".py", ".bot", ".policy"):
            if is_file(Path(name + ending)):
                text = "there is no strategy '{name}'; write {file}, which is a file here"
                raise BadUsage(say(text, name=name, file=name + ending))
        several = re.split(r"\s*(?:\band\b|\bet\b|[;&+/\s])\s*", name)
        if len(several) > 1 and all(one in list_scripts() for one in several):
            text = "there is no strategy '{name}'; write {names}, with commas only"
            raise BadUsage(say(text, name=name, names=",".join(several)))
        raise BadUsage(
            say("there is no strategy '{name}'; {known}", name=name, known=_suggest_names(name))
        )
    entry, *others = sorted(entries, key=_source_of)
    if others:
        both = say(" and ").join(map(_source_of, (entry, *others)))
        raise BadUsage(
            say(
                "'{name}' names more than one installed strategy: {both}; remove a package",
                name=name,
                both=both,
            )
        )
    path = _file_of(entry.module) if entry.pattern.match(entry.value) else None
    if path is None:
        raise BadUsage(
            say(
                "the installed strategy '{name}' is {offered}, but there is no such "
                "module; install the package again",
                name=name,
                offered=_source_of(entry),
            )
        )
    source = read_source(path, str(path))
    classes = [node for node in _find_classes(source) if node.name == entry.attr]
    if not classes:
        what = say(
            "the installed strategy '{name}' is {offered}", name=name, offered=_source_of(entry)
        )
        raise _no_strategy(
            source, 1, say("{what}, but here is no such class with a method `choose`", what=what)
        )
    name, mark, text, values = _identify(classes[-1], settings, name, source)
    summary = _summary(classes[-1])
    return InstalledSpec(
        name, entry.attr, summary, str(path), mark, text, values, module=entry.module
    )


def _offers() -> Iterable[EntryPoint]:
    from importlib.metadata import entry_points  # slow, and rarely needed

    return entry_points(group=GROUP)


def _source_of(entry: EntryPoint) -> str:
    text = "`{entry}` of {dist}"
    return say(text, entry=entry.value, dist=entry.dist.name if entry.dist else "a package")


def _suggest_names(name: str) -> str:
    shipped, installed = (*list_strategies(), NAME), list_installed()
    known = say("shipped are {names}", names=", ".join(shipped))
    also = say("; installed are {names}", names=", ".join(installed)) if installed else ""
    return did_you_mean(name, (*shipped, *installed)) or known + also


def _file_of(module: str) -> Path | None:
    """Return the file of a module, or None, without importing its package."""
    top, *inner = module.split(".")
    try:
        spec = find_spec(top)
    except ValueError:  # not the name of a module
        return None
    for part in inner:
        if spec is None or spec.submodule_search_locations is None:
            return None
        top = f"{top}.{part}"
        spec = PathFinder.find_spec(top, list(spec.submodule_search_locations))
    return Path(spec.origin) if spec is not None and spec.has_location and spec.origin else None


def _identify(
    node: ast.ClassDef, settings: str, name: str, source: Source
) -> tuple[str, str, str, tuple[tuple[str, Value], ...]]:
    """Return a strategy's name, fingerprint, text and settings."""
    changes, settings_text = read_settings(node, settings, name)
    text = f"{source.text}\n{settings_text}" if settings_text else source.text
    name = f"{name}:{settings_text}" if settings_text else name
    return name, sha256(text.encode()).hexdigest(), source.text, changes


def _summary(node: ast.ClassDef) -> str:
    return (ast.get_docstring(node) or "").split("\n")[0]


def _find_classes(source: Source) -> list[ast.ClassDef]:
    """Return the classes of a file that have `choose`; raises `Rejected` if it is not Python."""
    try:
        tree = ast.parse(source.text, source.name)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
        line, col = getattr(e, "lineno", None) or 1, getattr(e, "offset", None) or 1
        at = Span(source, line, col, line, col + 1)
        raise reject(
            "strategy-syntax", say("this is not Python: {error}", error=getattr(e, "msg", e)), at
        ) from None
    return [
        node
        for node in tree.body
        if isinstance(node, ast.ClassDef)
        and any(isinstance(f, ast.FunctionDef) and f.name == "choose" for f in node.body)
    ]


def _no_strategy(source: Source, line: int, text: str) -> Rejected:
    help_ = say("write `class Name:` with `def choose(self, view): return view.actions[0]`")
    return reject("no-strategy", text, Span(source, line, 1, line, 2), help=help_)


# Settings of a strategy in Python: NAME=VALUE after a colon.


def read_settings(
    node: ast.ClassDef, settings: str, strategy: str
) -> tuple[tuple[tuple[str, Value], ...], str]:
    """Return the arguments of a class that differ from its defaults, and their text.

    Parameters are those of `__init__` whose default is a number, a text or a truth value; a value
    has its default's type. The class is not run. Raises `BadParameter`.
    """
    defaults = _defaults(node)
    texts = {
        name: _value(name, text, defaults[name])
        for name, text in split_settings(settings, defaults, strategy).items()
    }
    changes = {name: texts[name] for name in defaults if name in texts}
    changes = {name: value for name, value in changes.items() if value != defaults[name]}
    settings_text = ",".join(f"{name}={format_value(value)}" for name, value in changes.items())
    return tuple(changes.items()), settings_text


def _defaults(node: ast.ClassDef) -> dict[str, Value]:
    """Return the parameters of a class's `__init__` that can be set, each with its default."""
    result: dict[str, Value] = {}
    for part in node.body:
        if isinstance(part, ast.FunctionDef) and part.name == "__init__":
            places, keywords = [*part.args.posonlyargs, *part.args.args], part.args.kwonlyargs
            first = len(places) - len(part.args.defaults)
            pairs = [*zip(places[first:], part.args.defaults, strict=True)]
            pairs += [
                (arg, value)
                for arg, value in zip(keywords, part.args.kw_defaults, strict=True)
                if value
            ]
            for arg, default in pairs:
                with suppress(ValueError):  # an expression, evaluated only when the file runs
                    if isinstance(value := ast.literal_eval(default), Value):
                        result[arg.arg] = value
    return result


def _value(name: str, text: str, default: Value) -> Value:
    """Return the value of a text, of the same type as the default."""
    result: Value | None = text
    expected = say("a text")
    if isinstance(default, bool):
        result, expected = BOOLEANS.get(text), say("true or false")
    elif isinstance(default, int):
        result, expected = parse_integer(text), say("a whole number")
    elif isinstance(default, float):
        result, expected = _number(text), say("a number")
    if result is None or result == "":
        raise BadParameter(
            name, say("'{name}' is {wanted}, not '{text}'", name=name, wanted=expected, text=text)
        )
    return result


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if isfinite(number) else None


# The default seed. Whoever knows the seed knows all cards. A script cannot use it, but a program
# could guess a fixed default seed and deal the match itself.

USUAL = 1


def settle_seed(seed: int | None, specs: Iterable[Spec]) -> int:
    """Return the given seed; for None 1 if only scripts play, else 128 random bits.

    specs: the strategies, not read if a seed is given. Raises `BadUsage` for a seed that is not
    from 0 to 2**128-1.
    """
    if seed is None:
        strangers = any(isinstance(s, StrategySpec) and not s.path.endswith(POLICY) for s in specs)
        return randbits(128) if strangers else USUAL
    if not 0 <= seed <= LARGEST_SEED:
        raise BadUsage(say("--seed must be from 0 to 2**128-1, not {seed}", seed=seed))
    return seed
