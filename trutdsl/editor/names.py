"""What a file means to an editor: its mistakes, and the names that its rules can use."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path

from trutdsl.api.rules import check
from trutdsl.diagnostics import Diagnostic, Excerpt, Rejected, Span
from trutdsl.files import shipped_folder
from trutdsl.scenario.read import read_scenarios
from trutdsl.scenario.run import Games, run_scenario
from trutdsl.strategy.fitness import check_script, variants_of_script
from trutdsl.strategy.script import load_script
from trutdsl.syntax.parse import parse_rules, parse_strategy
from trutdsl.syntax.strategy_ast import StrategyTree
from trutdsl.variant import Counter, Parameter, Variant, load_file, load_variant
from trutdsl.variant.model import Definition, definitions_in
from trutdsl.variant.source import read_source

YAML = ".yaml", ".yml"
KINDS = re.compile(r"^['\"]?(variant|module|scenario|experiment)['\"]?[ \t]*:", re.MULTILINE)
Names = list[Definition]  # those of the file itself come last
Steps = Generator[None, None, list[Diagnostic]]


def find_mistakes(path: str) -> Steps:
    """Return the mistakes and warnings of a file, for a scenario also where its play differs.

    A file of another kind has none. Yields before each scenario, whose play can take long.
    """
    try:
        match _kind_of(path):
            case "variant" | "module":
                return check(path)
            case "scenario":
                return (yield from _find_differences(path))
            case ".strategy":
                script = load_script(Path(path), path)
                check_script(script, variants_of_script(script))
            case ".rules":
                _names_of_rules(path)
    except Rejected as rejection:
        return list(rejection.diagnostics)
    return []


def _kind_of(path: str) -> str | None:
    """Return the ending of a file's name, or the key that tells what a YAML file is."""
    ending = Path(path).suffix
    if ending not in YAML:
        return ending
    keys = KINDS.findall(read_source(Path(path), path).text)
    return next((key for key in ("experiment", "scenario", *keys) if key in keys), None)


def _find_differences(path: str) -> Steps:
    games: Games = {}
    result: list[Diagnostic] = []
    for scenario in read_scenarios(Path(path), path):
        yield
        try:
            outcome = run_scenario(scenario, Path(path), games=games)
        except Rejected as rejection:
            result += rejection.diagnostics
            continue
        for one in outcome.mismatches:
            result.append(Diagnostic("scenario", one.text, one.span or scenario.span))
    return result


def names_of(path: str) -> Names:
    """Return the names that the rules or the script of a file can use; raises `Rejected`."""
    match _kind_of(path):
        case ".strategy":
            return _names_of_script(path)
        case ".rules":
            return _names_of_rules(path)
        case "variant":
            return _names_of_variant(load_variant(Path(path)))
        case "module":
            manifest, rules = load_file(Path(path))
            own = definitions_in(rules, manifest.name) if rules is not None else ()
            return [*_declared(manifest.counters, manifest.parameters, manifest.name), *own]
    return []


def _names_of_rules(path: str) -> Names:
    source = read_source(Path(path), path)
    return list(definitions_in(parse_rules(Excerpt(source, source.text)), Path(path).stem))


def _names_of_variant(variant: Variant) -> Names:
    result = list(_declared(variant.counters, variant.parameters.values(), variant.name))
    for layer in variant.layers:
        for rules in (layer.rules, layer.vocabulary):
            result += definitions_in(rules, layer.name) if rules is not None else ()
    return result


def _declared(
    counters: Iterable[Counter], parameters: Iterable[Parameter], layer: str
) -> Iterator[Definition]:
    for one in counters:
        yield Definition(one.name, "counter", one.help, (), layer, one.span)
    for setting in parameters:
        cites = tuple((setting.source or "").split())
        yield Definition(setting.name, "parameter", setting.help, cites, layer, setting.span)


def _names_of_script(path: str) -> Names:
    """Return the names of the first variant that a script is for, then its own."""
    spec = load_script(Path(path), path)
    variants = variants_of_script(spec)
    result = _names_of_variant(variants[0]) if variants else []
    for source in reversed(spec.sources):
        tree = parse_strategy(Excerpt(source, source.text))
        result += _of_script(tree)
    return result


def _of_script(tree: StrategyTree) -> Iterator[Definition]:
    layer = tree.name.text
    for kind, nodes in (
        ("parameter", tree.parameters),
        ("memory", tree.memory),
        ("table", tree.tables),
        ("define", tree.defines),
        ("rule", tree.rules),
    ):
        for node in nodes:
            help_ = getattr(node, "help", None)
            yield Definition(node.name.text, kind, help_, (), layer, node.span)
    for answer in tree.answers:
        name = ", ".join(word.text for word in answer.decisions) or "otherwise"
        yield Definition(name, "answers", None, (), layer, answer.span)


def path_of(span: Span) -> Path:
    """Return the file of a position; shipped files are named by their folder."""
    name = Path(span.source.name)
    if name.is_absolute():
        return name
    return shipped_folder(name.parts[0]).joinpath(*name.parts[1:])
