"""A description of a variant in the words of its files, for players."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import Any

from trutdsl.game import Game
from trutdsl.ir import Program, nodes
from trutdsl.ir.check.dealing import cards_in_play
from trutdsl.ir.nodes import questions_of, rules_from, walk
from trutdsl.language import current_language, say
from trutdsl.syntax import ast
from trutdsl.table.counts import name_of_option
from trutdsl.variant import Layer, Pack, Variant, words_of
from trutdsl.variant.model import definitions, definitions_in

TEXTS = ("help", "comment", "title", "summary")  # the fields of entries that are not names


def list_rules(variant: Variant) -> list[dict[str, Any]]:
    """Return every rule once, in its last replacement, with its pieces around it.

    After them come groups of options, and additions to questions. A replacement without a help text
    keeps the one before.
    """
    whole: dict[str, dict[str, dict[str, Any]]] = {"rule": {}, "options": {}}  # by kind and name
    parts: dict[str, list[dict[str, Any]]] = {"when": [], "add to ask": []}
    for layer in variant.layers:
        for one in definitions_in(layer.rules, layer.name) if layer.rules else ():
            cites, known = " ".join(one.cites) or None, whole.get(one.kind, {})
            entry = {"name": one.name, "help": one.help, "source": cites, "from": one.layer}
            piece = one.name.rpartition(" ")[0]
            if piece in parts:
                parts[piece].append(entry)
            elif piece in ("before", "after"):
                parts.setdefault(one.name, []).append(entry)
            elif one.kind in whole:
                if one.help is None and (before := known.get(one.name)):
                    entry |= {name: before[name] for name in ("help", "source")}
                known[one.name] = entry
    rules = (
        entry
        for name, rule in whole["rule"].items()
        for entry in (*parts.get(f"before {name}", ()), rule, *parts.get(f"after {name}", ()))
    )
    return [*rules, *parts["when"], *whole["options"].values(), *parts["add to ask"]]


def describe_differences(variant: Variant) -> dict[str, Any]:
    """Return what the own file changes and adds: `PrintedDifferences` of `cli.printed`."""
    own = next(layer for layer in variant.layers if layer.own).rules
    rules = own or ast.Rules((), (), (), (), (), ())
    places: list[ast.Zone | ast.Variable] = [*rules.zones, *rules.variables]
    whole: list[tuple[str, ast.Define | ast.Rule | ast.Group]] = [
        *((define.name.text, define) for define in rules.defines),
        *((rule.name.text, rule) for rule in rules.rules if not rule.piece),
        *((f"options {group.name.text}", group) for group in rules.groups),
    ]
    parameters, differences = variant.parameters, variant.differences
    counters = {c.name: c.help for c in variant.counters}
    restated = {
        c.name: {"text": f"min: {c.least}, best: {c.best}", "comment": c.help.rstrip(".")}
        for c in variant.counters
        if c.name in differences.restated
    }
    return {
        "set": {
            c.parameter: {
                "help": parameters[c.parameter].help,
                "from": parameters[c.parameter].text_of(c.old),
                "to": parameters[c.parameter].text_of(c.new),
            }
            for c in differences.changes
        },
        "replaces": {name: one.help for name, one in whole if one.replaces},
        "pieces": [
            *(
                {"piece": r.piece, "rule": r.name.text, "help": r.help}
                for r in rules.rules
                if r.piece
            ),
            *(
                {"piece": "add to ask", "rule": a.decision.text, "help": a.help}
                for a in rules.additions
            ),
        ],
        "changed": {p.name.text: _declaration(p) for p in places if p.replaces} | restated,
        "new": {p.name.text: _declaration(p) for p in places if not p.replaces},
        "adds": {name: one.help for name, one in whole if not one.replaces},
        "uses": {
            ref: {"title": module.title, "summary": module.summary}
            for ref in differences.uses
            for module in (module_of(variant, ref),)
        },
        "declares": {
            **{name: parameters[name].help for name in differences.parameters},
            **{name: counters[name] for name in differences.counters},
        },
        "pack": list(differences.pack),
        "seating": list(differences.seating),
    }


def module_of(variant: Variant, ref: str) -> Layer:
    """Return the module that `uses` names so, perhaps by its path."""
    name = PurePath(ref).stem
    return next(one for one in variant.layers if one.kind == "module" and one.name == name)


def _declaration(place: ast.Zone | ast.Variable) -> dict[str, str]:
    """Return the text of a declaration, with its kind before it and its comment."""
    line = place.span.source.line(place.span.line)[place.span.col - 1 :]
    text, _, comment = line.partition("#")
    text = text.strip().removeprefix("replace ")
    declaration = text if isinstance(place, ast.Zone) else f"{place.lifetime} state {text}"
    return {"text": declaration, "comment": comment.strip()}


def describe_variant(game: Game) -> dict[str, Any]:
    """Return the description of a game's variant as plain values, in the order of print.

    Its texts are in the words of the variant.
    """
    variant, program, values = game.variant, game.program, game.parameter_texts()
    told = _Translation(variant)
    return {
        "name": variant.name,
        "title": told.text(variant.title),
        "summary": told.text(variant.summary) if _summary_holds(variant, values) else "",
        "base": variant.base,
        "players": {str(n): variant.teams[n] for n in variant.players},
        "direction": variant.direction,
        "packs": {name or "": _pack(pack, program, told) for name, pack in variant.packs.items()},
        "counters": {
            c.name: say(c.help)
            + (say(" From {least} on.", least=c.least) if c.least else "")
            + (say(" The lowest is ahead.") if c.best == "lowest" else "")
            for c in variant.counters
        },
        "parameters": {
            p.name: {
                "default": p.text_of(p.default),
                "value": values[p.name],
                "allowed": p.allowed,
                "help": told.text(p.help),
                "source": p.source,
                "choice": p.is_choice,
            }
            for p in variant.parameters.values()
        },
        "decisions": _decisions(program),
        "rules": [told.record(rule) for rule in _rules(variant, program)],
        "sources": told.texts(variant.sources),
        "differences": told.differences(describe_differences(variant)),
    }


def _summary_holds(variant: Variant, values: Mapping[str, str]) -> bool:
    """Tell whether the summary is the variant's own, and all parameters have their defaults.

    The summary of a base could contradict the rules, and so could other values.
    """
    parameters = variant.parameters
    usual = all(parameters[n].value_of(text) == parameters[n].default for n, text in values.items())
    return bool(variant.layers[-1].summary) and usual


def _texts(variant: Variant) -> Iterator[tuple[str, str]]:
    """Yield each text of the variant's files, with its translation into the current language."""
    words = words_of(variant)
    for layer in variant.layers:
        if own := layer.words.get(current_language()):
            yield layer.title, own.title or layer.title
            yield layer.summary, own.summary or layer.summary
    yield variant.summary, words.summary
    for name, parameter in variant.parameters.items():
        yield parameter.help, words.parameter(name)
    for one in (one for versions in definitions(variant).values() for one in versions):
        yield one.help or "", words.text_of(one)
    for id, text in variant.sources.items():
        yield text, words.source(id)
    for suit in (suit for pack in variant.packs.values() for suit in pack.suits):
        yield suit.name, words.suit(suit.name)
    for rules in (layer.rules for layer in variant.layers if layer.rules):
        places: list[ast.Zone | ast.Variable] = [*rules.zones, *rules.variables]
        for place in places:
            name = place.name.text
            text = words.zone(name) if isinstance(place, ast.Zone) else words.state(name)
            if text != name.replace("_", " "):
                yield _declaration(place)["comment"], text


class _Translation:
    """The texts of a variant's files in the current language.

    A name of the rules stays, though it may read like a text, as `hearts` does.
    """

    def __init__(self, variant: Variant) -> None:
        self._known = dict(_texts(variant))

    def text(self, text: Any) -> Any:
        return (self._known.get(text) if text else None) or text

    def texts(self, texts: Mapping[str, Any]) -> dict[str, Any]:
        """Return texts by name."""
        return {name: self.text(text) for name, text in texts.items()}

    def record(self, entry: Mapping[str, Any]) -> dict[str, Any]:
        """Return an entry whose other fields are names and values."""
        return {key: self.text(of) if key in TEXTS else of for key, of in entry.items()}

    def differences(self, parts: Mapping[str, Any]) -> dict[str, Any]:
        records = {
            key: {name: self.record(one) for name, one in parts[key].items()}
            for key in ("set", "changed", "new", "uses")
        }
        texts = {key: self.texts(parts[key]) for key in ("replaces", "adds", "declares")}
        return {**parts, **records, **texts, "pieces": list(map(self.record, parts["pieces"]))}


def _pack(pack: Pack, program: Program, told: _Translation) -> dict[str, Any]:
    present = cards_in_play(program, pack)
    return {
        "cards": len(pack.cards),
        "absent": [card for card in pack.cards if present and card not in present],
        "ranks": [r.text for r in pack.ranks],
        "suits": told.texts({s.letter: s.name for s in pack.suits}),
        "special_cards": [c.name for c in pack.special_cards],
        "values": {name: dict(amounts) for name, amounts in pack.values.items()},
    }


def _decisions(program: Program) -> dict[str, list[str]]:
    result: dict[str, list[str]] = {}
    for node in _reachable_nodes(program, "match", {"match"}):
        if isinstance(node, nodes.Ask):
            forms = result.setdefault(node.decision, [])
            forms += [f for f in forms_of(node.options) if f not in forms]
    return result


def option_forms(program: Program) -> frozenset[str]:
    return frozenset(form for ask in questions_of(program) for form in forms_of(ask.options))


def forms_of(options: Iterable[nodes.Option]) -> list[str]:
    """Return each form of options once: their words, and in capitals what is chosen."""
    return list(dict.fromkeys(map(name_of_option, options)))


def _rules(variant: Variant, program: Program) -> list[dict[str, Any]]:
    """Return every rule that play can call, and groups of options, without unused ones."""
    unused = program.rules.keys() - {*rules_from(program, "match")}
    exclusions = {f"{piece}{name}" for name in unused for piece in ("", "before ", "after ")}
    return [rule for rule in list_rules(variant) if rule["name"] not in exclusions]


def _reachable_nodes(program: Program, rule: str, seen: set[str]) -> Iterator[nodes.Node]:
    """Yield every node that a rule reaches, in the order of play; each rule once."""
    for node in walk(program.rules[rule].body):
        yield node
        if isinstance(node, nodes.Do) and node.rule not in seen:
            seen.add(node.rule)
            yield from _reachable_nodes(program, node.rule, seen)
