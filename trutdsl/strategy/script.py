"""Strategies as scripts: read from files, built for the game that they play, and asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path

from trutdsl.diagnostics import Collector, Rejected, did_you_mean, reject
from trutdsl.game import BadUsage, Game, Question, State
from trutdsl.interp.policy import Player, PolicyCode
from trutdsl.ir import Program
from trutdsl.ir.policy.blame import clauses_at
from trutdsl.ir.policy.build import build_policy
from trutdsl.ir.policy.script import Script, merge_script
from trutdsl.shipped_files import SCRIPT, list_scripts, shipped_folder
from trutdsl.source import Excerpt
from trutdsl.strategy.calls import StrategyError
from trutdsl.streams import Stream
from trutdsl.syntax import strategy_ast as ast
from trutdsl.syntax.parse import LARGEST_TEXT, parse_strategy
from trutdsl.table import PolicyError
from trutdsl.variant import BadParameter, Value, Variant, read_source
from trutdsl.variant.parameters import unknown_parameter

LONGEST_CHAIN = 20


@dataclass(frozen=True, eq=False)
class ScriptSpec:
    """A strategy's script as it is known before a match, with the values of its parameters.

    name:        the script's name, with what is set of its parameters.
    fingerprint: SHA-256 of its texts and values, in hexadecimal.
    """

    name: str
    summary: str
    path: str
    fingerprint: str
    script: Script = field(repr=False)
    values: Mapping[str, Value]

    def native_on(self, _seat: int) -> str | None:
        """Return the policy of the native engine that plays as this script does, if any does."""
        match tuple(self.script.answers.items()):
            case ((None, (ast.On(_, _, ast.Choices(_, (ast.Clause() as only,))),)),):
                always = only.condition is None and only.odds is None
                return "uniform" if always and not only.words else None
        return None


def load_script(path: Path, shown: str, settings: str = "") -> ScriptSpec:
    """Return the script of a file, its parameters set by `NAME=VALUE,...`.

    Raises `Rejected` for a faulty file, `BadParameter` for settings that it cannot take.
    """
    errors, texts = Collector(), list[str]()
    script = _load(path, shown, errors, texts, ())
    errors.raise_if_any()
    values, given = _values(script, settings)
    name = script.name + (f":{given}" if given else "")
    digest = sha256()
    for text in (*texts, given):
        digest.update(len(text.encode()).to_bytes(8, "big") + text.encode())
    return ScriptSpec(name, script.help, shown, digest.hexdigest(), script, values)


def load_named(ref: str, settings: str = "") -> ScriptSpec:
    """Return a shipped script by its name, or the one in a file by its path; raises as above."""
    if ref.endswith(SCRIPT):
        return load_script(Path(ref), ref, settings)
    if ref not in list_scripts():
        near = did_you_mean(ref, list_scripts()) or f"the path of a file ends in {SCRIPT}"
        raise BadUsage(f"there is no script '{ref}'; {near}")
    shown = f"strategies/{ref}{SCRIPT}"
    return load_script(shipped_folder("strategies") / f"{ref}{SCRIPT}", shown, settings)


def _load(
    path: Path, shown: str, errors: Collector, texts: list[str], chain: tuple[Path, ...]
) -> Script:
    source = read_source(path, shown)
    texts.append(source.text)
    excerpt, total = Excerpt(source, source.text), sum(map(len, texts))
    if chain and total > LARGEST_TEXT:
        message = f"with what extends it, this is {total:,} characters of scripts"
        at = excerpt.span(1, 1, 1, 1)
        raise reject("too-large", message, at, help=f"at most {LARGEST_TEXT:,} are read")
    own = parse_strategy(excerpt)
    if own.name.text != path.stem:
        errors.error(
            "wrong-name",
            f"the strategy is called '{own.name.text}', but its file is called '{path.stem}'",
            own.name.span,
            help="give both the same name",
        )
    base = None
    if own.base is not None:
        chain = (*chain, path.resolve())
        ref = own.base.text
        if ref.endswith(SCRIPT):
            below, name = path.parent / ref, (Path(shown).parent / ref).as_posix()
        else:
            below, name = (
                shipped_folder("strategies") / f"{ref}{SCRIPT}",
                f"strategies/{ref}{SCRIPT}",
            )
        if not below.is_file():
            message = f"there is no strategy '{ref}' to extend"
            near = did_you_mean(ref, list_scripts()) or f"the path of a file ends in {SCRIPT}"
            raise reject("unknown-name", message, own.base.span, help=near)
        if below.resolve() in chain or len(chain) > LONGEST_CHAIN:
            message = f"'extends' leads back to this file, or to more than {LONGEST_CHAIN} files"
            raise reject("extends-cycle", message, own.base.span)
        base = _load(below, name, errors, texts, chain)
    return merge_script(own, base, errors)


def _values(script: Script, settings: str) -> tuple[dict[str, Value], str]:
    """Return the value of every parameter, and what is set in the order of declaration."""
    values = {name: parameter.default for name, parameter in script.parameters.items()}
    given: dict[str, Value] = {}
    for setting in settings.split(",") if settings else ():
        name, equals, text = setting.partition("=")
        name = name.strip()
        if not equals:
            message = f"a parameter of a strategy is set by NAME=VALUE, not by '{setting}'"
            raise BadParameter(name, message)
        if name not in values:
            raise unknown_parameter(name, values, f"strategy '{script.name}'")
        if name in given:
            raise BadParameter(name, f"the parameter '{name}' is set twice")
        given[name] = script.parameters[name].value_of(text.strip())
    changed = {
        name: given[name] for name in values if given.get(name, values[name]) != values[name]
    }
    shown = ",".join(f"{n}={script.parameters[n].text_of(v)}" for n, v in changed.items())
    return values | given, shown


def is_meant_for(spec: ScriptSpec, variant: Variant) -> bool:
    """Tell whether a script says that it is for a variant, or for something that this builds on."""
    names = {layer.name for layer in variant.layers}
    return not spec.script.meant or any(short_name(w.text) in names for w in spec.script.meant)


def short_name(ref: str) -> str:
    """Return the name of a variant or module that is called by its name or its path."""
    return ref.removesuffix(".yaml").rpartition("/")[2]


# ---------------------------------------------------------------- play


class Table:
    """A game that keeps what its scripts look at, and their policies.

    All is built when it is first looked at; a script that cannot play is `Rejected` then.
    """

    def __init__(self, game: Game, scripts: Sequence[ScriptSpec]) -> None:
        self._plain, self._scripts = game, scripts

    @cached_property
    def program(self) -> Program:
        """The program of the game with all policies, and with what these ask of the past."""
        program = self._plain.program
        for spec in self._scripts:
            variant = self._plain.variant
            built = build_policy(spec.script, spec.values, spec.name, variant, program)
            if built.gaps:
                raise Rejected(built.gaps)
            program = built.program
        return program

    @cached_property
    def game(self) -> Game:
        """The game that is played; the same unless a script asks what was said or shown."""
        kept = self.program.variables.keys() - self._plain.program.variables.keys()
        return self._plain.with_history(self.program) if kept else self._plain

    @cached_property
    def compiled(self) -> Game:
        """The game with which all policies are compiled."""
        prints = [spec.fingerprint for spec in self._scripts]
        return self._plain.with_policies(lambda: self.program, prints)

    @cached_property
    def _codes(self) -> dict[ScriptSpec, PolicyCode]:
        policies, setting = self.program.policies, self._plain.setting
        return {
            spec: PolicyCode(self.program, policies[spec.name], setting) for spec in self._scripts
        }

    def player(self, spec: ScriptSpec, state: State, seat: int, stream: Stream) -> Player:
        """Return who plays a seat of a match by a script."""
        return Player(self._codes[spec], state.match, seat, stream)


@lru_cache(maxsize=32)
def table_for(game: Game, scripts: tuple[ScriptSpec, ...]) -> Table:
    """Return the table of a game with these scripts, made once."""
    return Table(game, scripts)


def answer(player: Player, name: str, question: Question, place: Callable[[], str]) -> int:
    """Return the index of the action that a script takes.

    place: says in which match and deal it is asked what. Raises `StrategyError` if it fails.
    """
    try:
        return player.choose(question)
    except PolicyError as failed:
        at, said = failed.diagnostic.span, failed.diagnostic.message
        code = player.code
        clauses = clauses_at(code.program, code.policy, question.number, at)
        named = " or ".join(map(str, clauses))
        where = f"{named}, which comes to {at}" if clauses else str(at)
        message = f"strategy '{name}' ({where}) failed {place()}: {said}"
        raise StrategyError(message, question.seat, "failed") from None
