"""Strategies as scripts: read from files, built for a game, and asked."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from trutdsl.diagnostics import Collector, Excerpt, Rejected, Source, did_you_mean, reject
from trutdsl.files import (
    SCRIPT,
    fingerprint_of,
    hash_of,
    list_scripts,
    read_cache,
    shipped_folder,
    source_hash,
    write_cache,
)
from trutdsl.game import BadUsage, Game, Question, State
from trutdsl.interp.policy import Player, PolicyCode
from trutdsl.ir import Program
from trutdsl.ir.nodes import Policy
from trutdsl.language import figure, say
from trutdsl.strategy.spec import StrategyError
from trutdsl.streams import Stream
from trutdsl.syntax import strategy_ast as ast
from trutdsl.table.faults import PolicyError
from trutdsl.variant import BadParameter, Value, Variant, read_source
from trutdsl.variant.model import CHECKED_BY
from trutdsl.variant.parameters import unknown_parameter
from trutdsl.variant.source import is_file

if TYPE_CHECKING:  # slow to load; a script that passed its check before needs none of it
    from trutdsl.ir.script.merge import Script

LONGEST_CHAIN = 20
UNIFORM = "uniform"  # the policy that takes each legal action equally often


@dataclass(frozen=True)
class ScriptSpec:
    """A strategy's script before a match, with the values of its parameters.

    Scripts with the same name, path and fingerprint are equal.

    name:        the script's name, with its `settings`.
    fingerprint: SHA-256 of its texts and values, in hexadecimal.
    sources:     the texts of its file and of the scripts that it extends.
    tables:      the texts of their tables.
    variants:    the variants and modules that it is for, by name or path; none for any.
    uniform:     it chooses among all legal actions, each equally likely.
    """

    name: str
    summary: str = field(compare=False)
    path: str
    fingerprint: str
    sources: tuple[Source, ...] = field(repr=False, compare=False)
    variants: tuple[str, ...] = field(compare=False)
    uniform: bool = field(compare=False)
    tables: tuple[Source, ...] = field(default=(), repr=False, compare=False)
    settings: str = field(default="", compare=False)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.name}>"

    @property
    def files(self) -> tuple[str, ...]:
        """The names of its file, of the scripts that it extends, and of their tables."""
        return tuple(one.name for one in (*self.sources, *self.tables))

    @cached_property
    def script(self) -> Script:
        """The merged script, parsed on demand."""
        from trutdsl.ir.script.merge import merge_script

        script, texts = None, {table.name: table for table in self.tables}
        for source in reversed(self.sources):
            script = merge_script(_parse(source), script, texts, Collector())
        assert script is not None
        return script

    @cached_property
    def values(self) -> Mapping[str, Value]:
        return _values(self.script, self.settings)[0]

    def native_on(self, _seat: int) -> str | None:
        return UNIFORM if self.uniform else None


def load_script(path: Path, title: str, settings: str = "") -> ScriptSpec:
    """Return the script of a file, with parameters from `NAME=VALUE,...`.

    A script that passed this check before, by the same program, is parsed only on demand.
    Raises `Rejected` for a faulty file, `BadParameter` for wrong settings.
    """
    result = None if settings else _read_cached(path, title)
    if result is not None:
        return result
    errors, sources, tables = Collector(), list[Source](), dict[str, Source]()
    script = _load(path, title, errors, sources, tables, ())
    errors.raise_if_any()
    _, values = _values(script, settings)
    name = script.name + (f":{values}" if values else "")
    texts = tuple(tables.values())
    variants = tuple(word.text for word in script.variants)
    mark = fingerprint_of([*(source.text for source in (*sources, *texts)), values])
    spec = ScriptSpec(
        name,
        script.help,
        title,
        mark,
        tuple(sources),
        variants,
        _is_uniform(script),
        texts,
        settings,
    )
    if not settings:
        _note_right(path, spec)
    return spec


def _is_uniform(script: Script) -> bool:
    if script.memory or script.after_deal:  # which can draw from the strategy's stream, or fail
        return False
    match tuple(script.answers.items()):
        case ((None, (ast.On(_, _, ast.Choices(_, (ast.Clause() as only,))),)),):
            return only.condition is None and only.odds is None and not only.words
    return False


def _read_cached(path: Path, title: str) -> ScriptSpec | None:
    """Return the script of a file whose texts passed the check before."""
    source = read_source(path, title)
    entry_bytes = read_cache(_key(path, source))
    if entry_bytes is None:
        return None
    entry, sources, tables = json.loads(entry_bytes), [source], list[Source]()
    chain = [(path, title)]
    try:
        for ref in entry["extends"]:
            path, title = _below(path, title, ref)
            sources.append(read_source(path, title))
            chain.append((path, title))
        for number, file in entry["tables"]:
            path, title = chain[number]
            tables.append(_table_source(path, title, file))
    except Rejected:
        return None
    if entry["fingerprint"] != fingerprint_of([*(s.text for s in (*sources, *tables)), ""]):
        return None
    known = entry["name"], entry["summary"], source.name, entry["fingerprint"], tuple(sources)
    return ScriptSpec(*known, tuple(entry["variants"]), entry["uniform"], tuple(tables))


def _note_right(path: Path, spec: ScriptSpec) -> None:
    """Store the values that `_read_cached` returns."""
    trees = [_parse(source) for source in spec.sources]
    entry = {
        "name": spec.name,
        "summary": spec.summary,
        "fingerprint": spec.fingerprint,
        "extends": [tree.base.text for tree in trees if tree.base is not None],
        "tables": [[at, one.file.text] for at, tree in enumerate(trees) for one in tree.tables],
        "variants": spec.variants,
        "uniform": spec.uniform,
    }
    write_cache(_key(path, spec.sources[0]), json.dumps(entry).encode())


def _key(path: Path, source: Source) -> str:
    return hash_of("script", source_hash(*CHECKED_BY, "strategy"), path.stem, source.text)


def load_named(ref: str, settings: str = "") -> ScriptSpec:
    """Return a shipped script by its name, or the one in a file by its path."""
    if ref.endswith(SCRIPT):
        return load_script(Path(ref), ref, settings)
    if ref not in list_scripts():
        near = did_you_mean(ref, list_scripts()) or say(
            "the path of a file ends in {script}", script=SCRIPT
        )
        raise BadUsage(say("there is no script '{ref}'; {near}", ref=ref, near=near))
    title = f"strategies/{ref}{SCRIPT}"
    return load_script(shipped_folder("strategies") / f"{ref}{SCRIPT}", title, settings)


def _load(
    path: Path,
    title: str,
    errors: Collector,
    sources: list[Source],
    tables: dict[str, Source],
    chain: tuple[Path, ...],
) -> Script:
    from trutdsl.ir.script.merge import merge_script
    from trutdsl.ir.script.tables import table_file
    from trutdsl.syntax.parse import LARGEST_TEXT  # late, because it needs Lark

    source = read_source(path, title)
    sources.append(source)
    excerpt, total = Excerpt(source, source.text), sum(len(one.text) for one in sources)
    if chain and total > LARGEST_TEXT:
        message = say(
            "with what extends it, this is {total} characters of scripts", total=figure(total, ",")
        )
        at = excerpt.span(1, 1, 1, 1)
        help_ = say("at most {largest} are read", largest=figure(LARGEST_TEXT, ","))
        raise reject("too-large", message, at, help=help_)
    own = _parse(source)
    if own.name.text != path.stem:
        text = "the strategy is called '{own}', but its file is called '{stem}'"
        message = say(text, own=own.name.text, stem=path.stem)
        errors.error("wrong-name", message, own.name.span, help=say("give both the same name"))
    for declaration in own.tables:
        if table_file(declaration) is not None:
            table = _find_table(path, title, declaration)
            tables[table.name] = table
    base = None
    if own.base is not None:
        chain = (*chain, path.resolve())
        ref = own.base.text
        below, name = _below(path, title, ref)
        if not is_file(below):
            message = say("there is no strategy '{ref}' to extend", ref=ref)
            near = did_you_mean(ref, list_scripts()) or say(
                "the path of a file ends in {script}", script=SCRIPT
            )
            raise reject("unknown-name", message, own.base.span, help=near)
        if below.resolve() in chain or len(chain) > LONGEST_CHAIN:
            text = "'extends' leads back to this file, or to more than {longest} files"
            message = say(text, longest=LONGEST_CHAIN)
            raise reject("extends-cycle", message, own.base.span)
        base = _load(below, name, errors, sources, tables, chain)
    return merge_script(own, base, tables, errors)


def _find_table(path: Path, title: str, declaration: ast.TableDeclaration) -> Source:
    """Return the text of a script's table, which lies beside the script or below."""
    file = path.parent / declaration.file.text
    if not is_file(file) or not file.resolve().is_relative_to(path.parent.resolve()):
        near = did_you_mean(declaration.file.text, [one.name for one in path.parent.glob("*.csv")])
        message = say("there is no such file beside the script or below")
        raise reject("table", message, declaration.file.span, help=near)
    return _table_source(path, title, declaration.file.text)


def _table_source(path: Path, title: str, file: str) -> Source:
    return read_source(path.parent / file, (Path(title).parent / file).as_posix())


def _below(path: Path, title: str, ref: str) -> tuple[Path, str]:
    """Return the path and the name of a script that another one extends."""
    if ref.endswith(SCRIPT):
        return path.parent / ref, (Path(title).parent / ref).as_posix()
    return shipped_folder("strategies") / f"{ref}{SCRIPT}", f"strategies/{ref}{SCRIPT}"


@lru_cache(maxsize=64)
def _parse(source: Source) -> ast.StrategyTree:
    from trutdsl.syntax.parse import parse_strategy  # late, because it needs Lark

    return parse_strategy(Excerpt(source, source.text))


def split_settings(settings: str, known: Collection[str], strategy: str) -> dict[str, str]:
    """Return the text of each setting by its name, from a text such as `bluff=0.2,enough=70`.

    Raises `BadParameter` for an unknown name, a repeated one, or one without a value.
    """
    result: dict[str, str] = {}
    for setting in settings.split(",") if settings else ():
        name, equals, text = (part.strip() for part in setting.partition("="))
        if not equals:
            message = say(
                "a parameter of a strategy is set by NAME=VALUE, not by '{setting}'",
                setting=setting,
            )
            raise BadParameter(name, message)
        if name not in known:
            raise unknown_parameter(name, known, say("strategy '{strategy}'", strategy=strategy))
        if name in result:
            raise BadParameter(name, say("the parameter '{name}' is set twice", name=name))
        result[name] = text
    return result


def _values(script: Script, settings: str) -> tuple[dict[str, Value], str]:
    """Return the value of every parameter, and the text of the settings in a fixed order."""
    values = {name: parameter.default for name, parameter in script.parameters.items()}
    texts = {
        name: script.parameters[name].value_of(text)
        for name, text in split_settings(settings, values, script.name).items()
    }
    changes = {
        name: texts[name] for name in values if texts.get(name, values[name]) != values[name]
    }
    settings_text = ",".join(f"{n}={script.parameters[n].text_of(v)}" for n, v in changes.items())
    return values | texts, settings_text


def is_meant_for(spec: ScriptSpec, variant: Variant) -> bool:
    """Tell whether a script is for a variant, or for one of its bases or modules."""
    names = {layer.name for layer in variant.layers}
    return not spec.variants or any(short_name(ref) in names for ref in spec.variants)


def is_variant_file(ref: str) -> bool:
    """Tell whether a script names a variant by its file."""
    return ref.endswith((".yaml", ".yml"))


def short_name(ref: str) -> str:
    """Return the name of a variant or module that a script names, perhaps by its file."""
    return ref.removesuffix(".yaml").removesuffix(".yml").rpartition("/")[2]


class ScriptedGame:
    """A game with the policies of its scripts, and with the past that they ask for.

    Everything is built on demand, which raises `Rejected` for a script that cannot play.
    """

    def __init__(self, game: Game, scripts: Sequence[ScriptSpec]) -> None:
        self._plain, self._scripts = game, scripts

    @cached_property
    def policy_keys(self) -> Mapping[ScriptSpec, str]:
        """The key of each script's policy: its name, with its fingerprint if another is called so.

        So a script in a file and a shipped one of the same name can meet.
        """
        many = Counter(spec.name for spec in self._scripts)
        return {
            spec: spec.name
            if many[spec.name] == 1 and (spec.uniform or spec.name != UNIFORM)
            else f"{spec.name}#{spec.fingerprint[:8]}"
            for spec in self._scripts
        }

    @cached_property
    def _programs(self) -> list[Program]:
        """The program of the game with the policy of the first script, of the first two, ..."""
        from trutdsl.ir.script import build_policy, report_gaps

        programs, variant = [self._plain.program], self._plain.variant
        for spec in self._scripts:
            key = self.policy_keys[spec]
            built = build_policy(spec.script, spec.values, spec.name, variant, programs[-1], key)
            errors = Collector()
            report_gaps(built.gaps, errors)
            errors.raise_if_any()
            programs.append(built.program)
        return programs[1:]

    @property
    def program(self) -> Program:
        """The program of the game with all policies."""
        return self._programs[-1] if self._scripts else self._plain.program

    @cached_property
    def game(self) -> Game:
        """The game to play; it records the past if a script asks for it."""
        variables = self.program.variables.keys() - self._plain.program.variables.keys()
        return self._plain.with_history(self._programs) if variables else self._plain

    @cached_property
    def compiled_game(self) -> Game:
        """The game that is compiled with all policies."""
        prints = [spec.fingerprint for spec in self._scripts]
        return self._plain.with_build(lambda: self.program, *prints)

    @cached_property
    def _codes(self) -> dict[ScriptSpec, PolicyCode]:
        return {
            spec: PolicyCode(self.program, self.policy_of(spec), self._plain.setting)
            for spec in self._scripts
        }

    def policy_of(self, spec: ScriptSpec) -> Policy:
        return self.program.policies[self.policy_keys[spec]]

    def player(self, spec: ScriptSpec, state: State, seat: int, stream: Stream) -> Player:
        return Player(self._codes[spec], state.match, seat, stream)


@lru_cache(maxsize=32)
def table_for(game: Game, scripts: tuple[ScriptSpec, ...]) -> ScriptedGame:
    return ScriptedGame(game, scripts)


def table_with(game: Game, strategies: Sequence[object]) -> tuple[Game, tuple[str, ...]]:
    """Return the game compiled with scripts, and the key of each one's policy.

    Raises `BadUsage` for a strategy that is no script.
    """
    specs = list[ScriptSpec]()
    for spec in strategies:
        if not isinstance(spec, ScriptSpec):
            name = getattr(spec, "name", "it")
            text = (
                "'{name}' is not a script: write a script or uniform, because what other "
                "strategies read is unknown"
            )
            raise BadUsage(say(text, name=name))
        specs.append(spec)
    table = table_for(game, tuple(dict.fromkeys(spec for spec in specs if not spec.uniform)))
    keys = tuple(table.policy_keys.get(spec, UNIFORM) for spec in specs)
    return (table.compiled_game if table.policy_keys else game), keys


def answer(player: Player, name: str, question: Question, place: Callable[[], str]) -> int:
    """Return the index of the action that a script takes; raises `StrategyError` if it fails.

    place: returns the match, deal and question as text.
    """
    try:
        return player.choose(question)
    except PolicyError as failed:
        from trutdsl.ir.script import clauses_at

        at, code = failed.diagnostic.span, player.code
        clauses = clauses_at(code.program, code.policy, question.number, at)
        places = " or ".join(map(str, clauses))
        where = say("{named}, which comes to {at}", named=places, at=at) if clauses else str(at)
        text = "strategy '{name}' ({where}) failed {place}: {message}"
        message = say(
            text, name=name, where=where, place=place(), message=failed.diagnostic.message
        )
        raise StrategyError(message, question.seat, "failed") from None
