"""Fitness of scripts for games: complete, and without clauses that can never apply."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, cast

from trutdsl.diagnostics import BadUsage, Collector, Note, Rejected, Span, did_you_mean, reject
from trutdsl.files import hash_of, read_cache, shipped_folder, source_hash, write_cache
from trutdsl.game import Game
from trutdsl.ir import build_program
from trutdsl.language import say, say_count
from trutdsl.strategy.load import Spec, StrategyLike, load_strategy
from trutdsl.strategy.monte_carlo import MonteCarloSpec
from trutdsl.strategy.script import ScriptSpec, is_meant_for, is_variant_file, short_name
from trutdsl.strategy.solved_policy import SolvedSpec
from trutdsl.syntax import ast
from trutdsl.syntax import strategy_ast as script
from trutdsl.syntax.ast import walk
from trutdsl.syntax.hints import instead_of_condition
from trutdsl.variant import Variant, list_variants, load_variant
from trutdsl.variant.model import CHECKED_BY
from trutdsl.variant.source import refuse_split_name

if TYPE_CHECKING:  # slow to load; a script that passed its check before needs none of it
    from trutdsl.ir.script import BuiltPolicy
    from trutdsl.ir.script.forms import Form

    Options = dict[str, set[Form]]  # of a decision

SUPERLATIVES = {
    **dict.fromkeys(("highest", "strongest", "best", "biggest"), "highest"),
    **dict.fromkeys(("lowest", "weakest", "worst", "smallest"), "lowest"),
}
FILLERS = ("return", "choose", "do", "always", "say", "answer")  # before an option
INSTEAD_OF_OPTIONS = {
    **dict.fromkeys(("anything", "random", "randomly", "whatever"), "any"),
    "base": "do base",
}
INSTEAD_OF_WHEN = ("then", "if", "si", "quand", "wenn", "cuando")  # in a clause


def variants_of_script(spec: ScriptSpec) -> list[Variant]:
    """Return the variants that a script is for: shipped ones, and those that it names by path.

    Raises `Rejected` for an unknown name.
    """
    shipped = _shipped_variants()
    known = {layer.name for variant in shipped for layer in variant.layers}
    meant = {short_name(ref) for ref in spec.variants if not _is_own_file(spec, ref)}
    result = [
        variant
        for variant in shipped
        if not spec.variants or any(layer.name in meant for layer in variant.layers)
    ]
    for word in spec.script.variants:
        if is_variant_file(word.text):
            folder = Path(word.span.source.name).parent
            result.append(load_variant(str(folder / word.text)))
        elif short_name(word.text) not in known:
            help_ = did_you_mean(short_name(word.text), known) or say(
                "the path of a file ends in .yaml"
            )
            message = say("there is no variant or module '{word}'", word=word.text)
            raise reject("unknown-variant", message, word.span, help=help_)
    return result


def _is_own_file(spec: ScriptSpec, ref: str) -> bool:
    """Tell whether a script names a file that is not shipped; a shipped one may have its name."""
    path = (Path(spec.path).parent / ref).resolve()
    return is_variant_file(ref) and not path.is_relative_to(shipped_folder("variants").resolve())


@cache
def _shipped_variants() -> tuple[Variant, ...]:
    return tuple(load_variant(name) for name in list_variants())


@lru_cache(maxsize=64)
def check_for(spec: ScriptSpec, game: Game) -> None:
    """Refuse a script that cannot play a game; raises `Rejected`.

    A check that passed before, by the same program, is not repeated.
    """
    variant = game.variant
    check_meant(spec, variant)
    if read_cache(key := _key(spec, variant)) is not None:
        return
    from trutdsl.ir.script import build_policy, report_gaps

    built = build_policy(spec.script, spec.values, spec.name, variant, game.program)
    errors = Collector()
    if built.unknown or built.strange or built.unknown_options:
        _report_unknown(spec, [built], options_of([variant, *variants_of_script(spec)]), errors)
    if not errors.diagnostics:  # a clause that is not understood may answer
        report_gaps(built.gaps, errors)
    errors.raise_if_any()
    write_cache(key, b"complete")


def _key(spec: ScriptSpec, variant: Variant) -> str:
    """Return a hash of everything that decides whether a script can play a variant.

    It contains all variants that the script is for, because it may use names of any of them.
    """
    folder = Path(spec.path).parent
    module_files = [folder / ref for ref in spec.variants if is_variant_file(ref)]
    files = (
        *sorted(shipped_folder("variants").rglob("*.yaml")),
        *filter(Path.is_file, module_files),
    )
    texts = [path.read_bytes() for path in files]
    own = spec.fingerprint, variant.fingerprint, variant.vocabulary_fingerprint
    return hash_of("fits", source_hash(*CHECKED_BY, "strategy"), *own, *texts)


def check_meant(spec: ScriptSpec, variant: Variant) -> None:
    """Refuse a script that is not meant for a variant; raises `Rejected`."""
    if not is_meant_for(spec, variant):
        variants_of_script(spec)  # reports a name that no variant has
        names = say(" and ").join(spec.variants)
        text = "the strategy '{script}' is for {names}, and not for '{variant}'"
        message = say(text, script=spec.script.name, names=names, variant=variant.name)
        help_ = say("add `, {variant}` if it can play that, too", variant=variant.name)
        raise reject("not-meant", message, spec.script.variants[0].span, help=help_)


def fitness(spec: Spec, game: Game) -> str:
    """Return `complete`, `incomplete`, or `-` for a game that the strategy is not for."""
    if not isinstance(spec, ScriptSpec):
        return "complete"
    if not is_meant_for(spec, game.variant):
        return "-"
    try:
        check_for(spec, game)
    except Rejected:
        return "incomplete"
    return "complete"


def check_script(spec: ScriptSpec, variants: Iterable[Variant]) -> None:
    """Check a script with every one of these variants; raises `Rejected`."""
    from trutdsl.ir.script import build_policy, report_gaps

    variants, errors = list(variants), Collector()
    policies = []
    for variant in variants:
        program = build_program(variant)
        policies.append(build_policy(spec.script, spec.values, spec.name, variant, program))
    unknown = any(built.unknown or built.strange or built.unknown_options for built in policies)
    if unknown:
        _report_unknown(spec, policies, options_of([*variants, *variants_of_script(spec)]), errors)
    if not errors.diagnostics:  # a clause that is not understood may answer
        report_gaps((gap for built in policies for gap in built.gaps), errors)
    alive = {span for built in policies for span in built.use.alive}
    for built in policies:
        for span in (s for s in built.use.known - alive if s.source.name == spec.path):
            cover = built.use.unreachable.get(span)
            if cover is not None and built.use.is_for_the_rest(span, cover):
                continue
            notes = [Note(say("this one always applies before it"), cover)] if cover else []
            message = say("this clause can never apply")
            errors.error(
                "unreachable", message, span, *notes, help=say("delete it, or put it first")
            )
    define_names = {name for built in policies for name in built.defines}
    for name, chain in spec.script.defines.items():
        if unknown and errors.diagnostics:
            break  # what a clause says that is not understood may use it
        if name not in define_names and chain[-1].span.source.name == spec.path:
            message = say("nothing uses '{name}'", name=name)
            errors.error("unused", message, chain[-1].name.span, help=say("use it, or delete it"))
    errors.raise_if_any()


def options_of(variants: Iterable[Variant]) -> Options:
    """Return all decisions of variants with their options, from the syntax trees."""
    from trutdsl.ir.script.forms import form_of_syntax

    result: Options = {}
    for variant in variants:
        texts = [layer.rules for layer in variant.layers if layer.rules]
        groups: dict[str, list[ast.Option | ast.Placed]] = {}
        for group in (group for rules in texts for group in rules.groups):
            groups.setdefault(group.name.text, []).extend(group.options)
        for rules in texts:
            for node in (n for part in (*rules.rules, *rules.additions) for n in walk(part)):
                if isinstance(node, ast.Ask | ast.Addition):
                    options = _with_groups(node.options, groups)
                    decision = node.decision.text
                    forms = (form_of_syntax(option, decision) for option in options)
                    result.setdefault(decision, set()).update(forms)
                if isinstance(node, ast.Ask) and isinstance(node.seat, ast.Quantifier):
                    result[node.decision.text].add(ast.LEAVE_IT)
    return result


def _with_groups(
    options: Iterable[ast.Option | ast.Placed], groups: dict[str, list[ast.Option | ast.Placed]]
) -> Iterator[ast.Option]:
    """Yield options, and the options of groups among them."""
    seen: set[str] = set()
    waiting = list(options)
    while waiting:
        one = waiting.pop()
        if isinstance(one, ast.Option):
            yield one
        elif one.name.text not in seen:
            seen.add(one.name.text)
            waiting += groups.get(one.name.text, ())


def _option_text(form: Form) -> str:
    """Return an option as a clause names it, with names for its choices."""
    names = iter("xyzuvw")
    return " ".join(next(names, "w") if part is None else part for part in form)


def _report_unknown(
    spec: ScriptSpec, policies: Iterable[BuiltPolicy], options: Options, errors: Collector
) -> None:
    """Report names that no game has. Scripts that it extends are left out: they have more games."""
    from trutdsl.ir.script.forms import is_called

    for built in policies:
        for word in (w for w in built.strange if w.span.source.name == spec.path):
            if word.text not in options:
                message = say(
                    "there is no decision '{word}' in what the strategy is for", word=word.text
                )
                near = did_you_mean(word.text, options) or say(
                    "there are {names}", names=", ".join(sorted(options))
                )
                questions = [d for d, forms in options.items() if (word.text,) in forms]
                if questions:
                    text = "it is an option: write `on {decision}: {option}`"
                    near = say(text, decision=", ".join(questions), option=word.text)
                errors.error("unknown-name", message, word.span, help=near)
        for span, words, decision in built.unknown_options:
            if span.source.name == spec.path:
                _unknown_question(span, words, decision, options, errors)
        for clause, decisions in built.unknown:
            if clause.span.source.name != spec.path:
                continue
            questions = [d for d in decisions or options if d in options]
            if not any(is_called(clause, form) for d in questions for form in options[d]):
                _unknown_option(clause, questions, options, errors)


def _unknown_question(
    span: Span, words: tuple[str, ...], decision: str | None, options: Options, errors: Collector
) -> None:
    """Report a question about an option, or about a decision, that no game has."""
    if decision is not None and decision not in options:
        near = did_you_mean(decision, options) or say(
            "there are {names}", names=", ".join(sorted(options))
        )
        message = say("there is no decision '{decision}'", decision=decision)
        errors.error("unknown-name", message, span, help=near)
        return
    forms = {form for d in ([decision] if decision else options) for form in options[d]}
    known = {" ".join(part for part in takewhile(bool, form) if part) for form in forms}
    text = " ".join(words)
    if text not in known:
        names = ", ".join(f"`{one}`" for one in sorted(known))
        near = did_you_mean(text, known) or say("it has {listed}", listed=names)
        message = say("there is no option '{text}' in what the strategy is for", text=text)
        if decision is not None:
            message = say("'{decision}' has no option '{text}'", decision=decision, text=text)
        errors.error("unknown-name", message, span, help=near)


def _unknown_option(
    clause: script.Clause, questions: list[str], options: Options, errors: Collector
) -> None:
    text = " ".join(word.text for word in clause.words)
    forms = {form for d in questions for form in options[d]}
    known: dict[str, list[Form]] = {}
    for form in sorted(forms, key=lambda form: (len(form), _option_text(form))):
        words = " ".join(part for part in takewhile(bool, form) if part)  # before the first choice
        known.setdefault(words, []).append(form)
    for words, decisions in sorted(known.items(), key=lambda item: -len(item[0])):
        tail = text.removeprefix(words + " ").split() if text.startswith(words + " ") else []
        wrong = next((i for i, word in enumerate(tail) if word.lower() in INSTEAD_OF_WHEN), None)
        lengths = {len(form) - len(words.split()) for form in decisions}
        if wrong in lengths or wrong == 0:
            message = say("found '{word}', expected `when`", word=tail[wrong])
            option = " ".join([words, *tail[:wrong]])
            help_ = say(
                "write `{clause}`", clause=f"{option} when {' '.join(tail[wrong + 1 :])}".rstrip()
            )
            errors.error("unknown-name", message, clause.span, help=help_)
            return
        if text == words or text.startswith(words + " "):
            names, choices = "` or `".join(map(_option_text, decisions)), decisions[0].count(None)
            message = say(
                "'{words}' is an option with {choices} to be named",
                words=words,
                choices=say_count(choices, "choice", "choices"),
            )
            help_ = say("write `{names}`, with a name of your own for each choice", names=names)
            key = next((SUPERLATIVES[word] for word in tail if word in SUPERLATIVES), None)
            if key is not None:
                example = f"{_option_text(decisions[0])} with {key} strength(x)"
                help_ = say("name the choice, and say of what it is: `{example}`", example=example)
            if choices == 1 and re.fullmatch(r"[0-9]+[a-z]", card := "".join(tail)):
                example = f'{_option_text(decisions[0])} where x == "{card}"'
                help_ = say("write `{spoken}`", spoken=example)
            if {"randomly", "random"} & {*tail} and choices:
                help_ = say("write `{words}`", words=f"{_option_text(decisions[0])} at random")
            if choices == 0:
                message = say("'{words}' is an option without choices", words=words)
                help_ = say("write `{words}`", words=words)
                if once := re.search(r"\bonce\b.*\b(deal|trick|match)\b", " ".join(tail)):
                    help_ = say(
                        "write `{words} once a {part} with probability P`",
                        words=words,
                        part=once[1],
                    )
                if {"sometimes", "randomly", "often", "rarely", "parfois", "half"} & {*tail}:
                    help_ = say("write `{words} with probability 0.5`", words=words)
                if "or" in tail:
                    help_ = say("write one clause a line: the first that applies is taken")
            errors.error("unknown-name", message, clause.span, help=help_)
            return
    where = (
        " or ".join(f"'{d}'" for d in questions) if 0 < len(questions) <= 3 else say("any decision")
    )
    near = did_you_mean(text, known) or did_you_mean(clause.words[0].text, known)
    if " then " in text:
        near = instead_of_condition(text)
    verb, _, option = text.partition(" ")
    if option in known and verb in FILLERS:
        near = say("write `{words}`", words=_option_text(known[option][0]))
    elif text in INSTEAD_OF_OPTIONS:
        near = say("write `{words}`", words=INSTEAD_OF_OPTIONS[text])
    names = ", ".join(f"`{one}`" for one in sorted(map(_option_text, forms)))
    help_ = near or say("there are {names}", names=names)
    message = say("{where} has no option '{text}'", where=where, text=text)
    errors.error("unknown-name", message, clause.span, help=help_)


def split_strategies(text: str) -> list[str]:
    """Return the strategies in a list with commas, each with its settings after a colon.

    A part with `=` and no colon before it belongs to the strategy before: `a,b:x=1,y=2,c`.
    Raises `BadUsage` for an empty part, and for a decimal with a comma. Raises `Rejected` for a
    file whose name would be split.
    """
    refuse_split_name(text)
    result: list[str] = []
    for part in (one.strip() for one in text.split(",")):
        if not part and text:
            raise BadUsage(say("{text}: a name is missing between the commas", text=repr(text)))
        if part.isdigit() and result and re.search(r"=\d+$", result[-1]):
            right = f"{result[-1]}.{part}"
            raise BadUsage(say("a decimal is written with a point: '{right}'", right=right))
        if result and "=" in part and ":" not in part.partition("=")[0] and ":" in result[-1]:
            result[-1] += f",{part}"
        else:
            result.append(part)
    return result


def load_strategies(refs: Iterable[StrategyLike], game: Game) -> list[Spec]:
    """Return strategies, each loaded once; raises `Rejected` for one that does not fit."""
    specs, result = dict[str, Spec](), list[Spec]()
    for ref in refs:
        spec = specs.get(ref) if isinstance(ref, str) else None
        result.append(spec or load_strategy(ref))
        if isinstance(ref, str):
            specs[ref] = result[-1]
    for spec in {id(spec): spec for spec in result}.values():
        if isinstance(spec, ScriptSpec):
            check_for(spec, game)
        elif isinstance(spec, MonteCarloSpec):
            check_for(spec.script_for(game), game)
        elif isinstance(spec, SolvedSpec):
            spec.policy.check_for(game.whole_match)
    return result


Strategies = StrategyLike | Sequence[StrategyLike]


def seat_all(game: Game, strategies: Strategies) -> Sequence[Spec]:
    """Return a strategy for each seat from one for all, for each team or for each seat.

    Raises `BadUsage` for another number of them, and as `load_strategies` does.
    """
    names = list_all(strategies)
    if len(names) == 1:
        names *= game.players
    elif len(names) == game.team_count:
        names = [names[team] for team in game.teams]
    elif len(names) != game.players:
        raise BadUsage(
            say(
                "{number} strategies for {players} seats in {teams} teams; give {either}",
                number=len(names),
                players=game.players,
                teams=game.team_count,
                either=_either(1, game.team_count, game.players),
            )
        )
    if all(isinstance(spec, Spec) for spec in names):
        return cast(Sequence[Spec], names)
    return load_strategies(names, game)


def names_of(seating: Sequence[Spec]) -> list[str]:
    """Return the name of the strategy on each seat; its path where another one has its name."""
    called = Counter(name for name, _ in {(spec.name, spec.path) for spec in seating})
    return [
        spec.name if called[spec.name] == 1 else ":".join((spec.path, *spec.name.split(":")[1:]))
        for spec in seating
    ]


def list_all(strategies: Strategies) -> list[StrategyLike]:
    """Return one or more strategies as a list."""
    if isinstance(strategies, Sequence) and not isinstance(strategies, str):
        return list(strategies)
    return [strategies]


def _either(*numbers: int) -> str:
    """Return different numbers as a phrase, such as `1, 2 or 4`."""
    *others, last = sorted(set(numbers))
    return f"{', '.join(map(str, others))} or {last}" if others else str(last)
