"""What a variant's files declare, each thing once, and what its own file changes in its base."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trutdsl.syntax import ast
from trutdsl.variant import Variant


def list_rules(variant: Variant) -> list[dict[str, Any]]:
    """Return every rule once, as the last file that replaces it has it, and its pieces around it.

    A rule that is replaced without a line of help keeps the one that it had.
    """
    rules: dict[str, dict[str, Any]] = {}
    pieces: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for layer in variant.layers:
        for rule in layer.rules.rules if layer.rules else ():
            name = rule.name.text
            told = {"name": name, "help": rule.help, "source": rule.cites, "from": layer.name}
            if rule.piece is not None:
                told["name"] = f"{rule.piece} {name}"
                pieces.setdefault((name, rule.piece), []).append(told)
                continue
            if told["help"] is None and name in rules:
                told["help"], told["source"] = rules[name]["help"], rules[name]["source"]
            rules[name] = told
    return [
        one
        for name, rule in rules.items()
        for one in (*pieces.get((name, "before"), ()), rule, *pieces.get((name, "after"), ()))
    ]


def describe_differences(variant: Variant) -> dict[str, Any]:
    """Return what the own file changes and adds.

    set: parameters with another default. replaces: rules and defines, with their help.
    pieces: what is done before and after rules. changed, new: zones and variables, as written.
    adds: rules and defines of its own. uses: modules. declares: parameters and counters.
    """
    rules = next(layer for layer in variant.layers if layer.own).rules
    callables: list[ast.Rule | ast.Define] = []
    places: list[ast.Zone | ast.Variable] = []
    if rules is not None:
        callables += [*rules.defines, *rules.rules]
        places += [*rules.zones, *rules.variables]
    whole = [c for c in callables if not (isinstance(c, ast.Rule) and c.piece)]
    parameters, differences = variant.parameters, variant.differences
    return {
        "set": {
            c.parameter: {
                "from": parameters[c.parameter].text_of(c.old),
                "to": parameters[c.parameter].text_of(c.new),
            }
            for c in differences.changes
        },
        "replaces": {c.name.text: c.help for c in whole if c.replaces},
        "pieces": [
            {"piece": c.piece, "rule": c.name.text, "help": c.help}
            for c in callables
            if isinstance(c, ast.Rule) and c.piece
        ],
        "changed": {p.name.text: _written(p) for p in places if p.replaces},
        "new": {p.name.text: _written(p) for p in places if not p.replaces},
        "adds": {c.name.text: c.help for c in whole if not c.replaces},
        "uses": list(differences.uses),
        "declares": [*differences.parameters, *differences.counters],
        "pack": list(differences.pack),
        "seating": list(differences.seating),
    }


def _written(place: ast.Zone | ast.Variable) -> str:
    """Return a declaration as it is written, with what it is before it."""
    text = place.span.source.line(place.span.line)[place.span.col - 1 :].split("#")[0].strip()
    text = text.removeprefix("replace ")
    return text if isinstance(place, ast.Zone) else f"{place.lifetime} state {text}"


def difference_lines(differences: dict[str, Any]) -> Iterator[str]:
    """Yield the differences as lines to read."""
    for name, change in differences["set"].items():
        yield f"{name} is {change['to']} instead of {change['from']}"
    for what, names in (
        ("another pack:", differences["pack"]),
        ("seats:", differences["seating"]),
        ("mixed in:", differences["uses"]),
        ("to set or to count:", differences["declares"]),
    ):
        if names:
            yield f"{what} {', '.join(names)}"
    for name, text in differences["replaces"].items():
        yield f"{name}: {text or 'another rule'}"
    for piece in differences["pieces"]:
        yield f"{piece['piece']} {piece['rule']}: {piece['help'] or 'something more is done'}"
    for text in differences["changed"].values():
        yield f"changed: {text}"
    for text in differences["new"].values():
        yield f"new: {text}"
    for name, text in differences["adds"].items():
        yield f"new: {name}" + (f", {text[0].lower() + text[1:]}" if text else "")
