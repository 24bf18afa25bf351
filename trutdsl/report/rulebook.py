"""A description of a variant in the words of its files, for players."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from trutdsl.ir import Program, nodes
from trutdsl.ir.nodes import walk
from trutdsl.language import current_language, mark, one_by_one, say, with_title
from trutdsl.report.labels import CHOICE_WORDS
from trutdsl.syntax import ast
from trutdsl.variant import Layer, Pack, Variant, Words, words_of
from trutdsl.variant.model import definitions


def list_rules(variant: Variant) -> list[dict[str, Any]]:
    """Return every rule once, in its last replacement, with its pieces around it.

    After them come groups of options, and additions to questions. A replacement without a help text
    keeps the one before.
    """
    rules: dict[str, dict[str, Any]] = {}
    groups: dict[str, dict[str, Any]] = {}
    additions: list[dict[str, Any]] = []
    hooks: list[dict[str, Any]] = []
    pieces: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for layer in variant.layers:
        for rule in layer.rules.rules if layer.rules else ():
            name = rule.name.text
            entry = _entry(rule, name, layer)
            if rule.piece == "when":
                hooks.append(entry | {"name": f"when {name}"})
                continue
            if rule.piece is not None:
                entry["name"] = f"{rule.piece} {name}"
                pieces.setdefault((name, rule.piece), []).append(entry)
                continue
            _put(rules, name, entry)
        for group in layer.rules.groups if layer.rules else ():
            _put(groups, group.name.text, _entry(group, f"options {group.name.text}", layer))
        for more in layer.rules.additions if layer.rules else ():
            entry = _entry(more, f"add to ask {more.decision.text}", layer)
            additions.append(entry)
    return [
        *(
            one
            for name, rule in rules.items()
            for one in (*pieces.get((name, "before"), ()), rule, *pieces.get((name, "after"), ()))
        ),
        *hooks,
        *groups.values(),
        *additions,
    ]


def _entry(node: ast.Rule | ast.Group | ast.Addition, name: str, layer: Layer) -> dict[str, Any]:
    return {"name": name, "help": node.help, "source": node.cites, "from": layer.name}


def _put(known: dict[str, dict[str, Any]], name: str, entry: dict[str, Any]) -> None:
    if entry["help"] is None and name in known:
        entry["help"], entry["source"] = known[name]["help"], known[name]["source"]
    known[name] = entry


def describe_differences(variant: Variant) -> dict[str, Any]:
    """Return the changes and additions of the own file.

    set: parameters with another default.
    replaces: rules, defines and options, with their help.
    pieces: statements before and after rules, and options added to questions.
    changed, new: zones and variables, as written and with the comment on their line.
    adds: rules, defines and options of its own.
    uses: modules, with title and summary.
    declares: parameters and counters, with their help.
    """
    rules = next(layer for layer in variant.layers if layer.own).rules
    callables: list[ast.Rule | ast.Define] = []
    groups: list[ast.Group] = []
    additions: list[ast.Addition] = []
    places: list[ast.Zone | ast.Variable] = []
    if rules is not None:
        callables += [*rules.defines, *rules.rules]
        places += [*rules.zones, *rules.variables]
        groups, additions = list(rules.groups), list(rules.additions)
    whole = [c for c in callables if not (isinstance(c, ast.Rule) and c.piece)]
    parameters, differences = variant.parameters, variant.differences
    counters = {c.name: c.help for c in variant.counters}
    return {
        "set": {
            c.parameter: {
                "help": parameters[c.parameter].help,
                "from": parameters[c.parameter].text_of(c.old),
                "to": parameters[c.parameter].text_of(c.new),
            }
            for c in differences.changes
        },
        "replaces": {c.name.text: c.help for c in whole if c.replaces}
        | {f"options {g.name.text}": g.help for g in groups if g.replaces},
        "pieces": [
            {"piece": c.piece, "rule": c.name.text, "help": c.help}
            for c in callables
            if isinstance(c, ast.Rule) and c.piece
        ]
        + [{"piece": "add to ask", "rule": a.decision.text, "help": a.help} for a in additions],
        "changed": {p.name.text: _declaration(p) for p in places if p.replaces},
        "new": {p.name.text: _declaration(p) for p in places if not p.replaces},
        "adds": {c.name.text: c.help for c in whole if not c.replaces}
        | {f"options {g.name.text}": g.help for g in groups if not g.replaces},
        "uses": {ref: _module(variant, ref) for ref in differences.uses},
        "declares": {
            **{name: parameters[name].help for name in differences.parameters},
            **{name: counters[name] for name in differences.counters},
        },
        "pack": list(differences.pack),
        "seating": list(differences.seating),
    }


def _module(variant: Variant, ref: str) -> dict[str, str]:
    name = PurePath(ref).stem
    layer = next(layer for layer in variant.layers if layer.name == name)
    return {"title": layer.title, "summary": layer.summary}


def _declaration(place: ast.Zone | ast.Variable) -> dict[str, str]:
    """Return the text of a declaration, with its kind before it and its comment."""
    line = place.span.source.line(place.span.line)[place.span.col - 1 :]
    text, _, comment = line.partition("#")
    text = text.strip().removeprefix("replace ")
    declaration = text if isinstance(place, ast.Zone) else f"{place.lifetime} state {text}"
    return {"text": declaration, "comment": comment.strip()}


# The parts of a pack.
PARTS = {
    "suits": mark("suits"),
    "ranks": mark("ranks"),
    "special_cards": mark("special cards"),
    "values": mark("values"),
}


def difference_rows(differences: dict[str, Any], words: Words) -> Iterator[tuple[str, str]]:
    """Yield each difference as a name and a sentence: parameters, rules, zones."""
    for name, change in differences["set"].items():
        new, old = (value_text(words, name, change[end]) for end in ("to", "from"))
        yield name, say("{new} instead of {old}. {help}", new=new, old=old, help=change["help"])
    if differences["seating"]:
        labels = {"players": say("numbers of players"), "teams": say("teams")}
        names = [labels.get(key, key) for key in differences["seating"]]
        yield say("seats"), say("Other {names}, as above.", names=say(" and ").join(names))
    if differences["pack"]:
        yield (
            say("pack"),
            say(
                "Other {names}, as above.",
                names=say(" and ").join(say(PARTS[part]) for part in differences["pack"]),
            ),
        )
    for ref, module in differences["uses"].items():
        yield ref, f"{module['title'] or say('Mixed in')}. {module['summary']}"
    for name, text in differences["declares"].items():
        yield say("new: {name}", name=name), text
    for name, text in differences["replaces"].items():
        yield name, text or say("Another rule.")
    for piece in differences["pieces"]:
        yield f"{piece['piece']} {piece['rule']}", piece["help"] or say("Something more is done.")
    for name, text in differences["adds"].items():
        yield say("new: {name}", name=name), text or say("A rule of its own.")
    for what, name_of in (("changed", "{name}"), ("new", say("new: {name}", name="{name}"))):
        for name, place in differences[what].items():
            comment = f"{place['comment'][:1].upper()}{place['comment'][1:]}. "
            text = (comment if place["comment"] else "") + f"`{place['text']}`"
            yield name_of.format(name=name), text


def value_text(words: Words, name: str, text: str) -> str:
    """Return a parameter's value as people write it, from its text in files."""
    parameter = words.variant.parameters[name]
    return words.value(parameter, parameter.value_of(text))


def describe_variant(
    variant: Variant, program: Program, values: Mapping[str, str]
) -> dict[str, Any]:
    """Return the description of a variant as plain values, in the order of print.

    values: of the parameters, as they are written. Its texts are in the words of the variant.
    """
    description = {
        "name": variant.name,
        "title": variant.title,
        "summary": variant.summary,
        "base": variant.base,
        "players": {str(n): variant.teams[n] for n in variant.players},
        "direction": variant.direction,
        "packs": {name or "": _pack(pack) for name, pack in variant.packs.items()},
        "counters": {
            c.name: say(c.help) + (say(" From {least} on.", least=c.least) if c.least else "")
            for c in variant.counters
        },
        "parameters": {
            p.name: {
                "default": p.text_of(p.default),
                "value": values[p.name],
                "allowed": p.allowed,
                "help": p.help,
                "source": p.source,
                "choice": p.is_choice,
            }
            for p in variant.parameters.values()
        },
        "decisions": _decisions(program),
        "rules": _rules(variant, program),
        "sources": dict(variant.sources),
        "differences": describe_differences(variant),
    }
    result: dict[str, Any] = _in_words(description, dict(_texts(variant)))
    return result


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
    for layer in variant.layers:
        places: list[ast.Zone | ast.Variable] = []
        if layer.rules:
            places += [*layer.rules.zones, *layer.rules.variables]
        for place in places:
            name = place.name.text
            text = words.zone(name) if isinstance(place, ast.Zone) else words.state(name)
            if text != name.replace("_", " "):
                yield _declaration(place)["comment"], text


def _in_words(value: Any, texts: Mapping[str, str]) -> Any:
    """Return a description in which each text is replaced."""
    match value:
        case dict():
            return {key: _in_words(of, texts) for key, of in value.items()}
        case list():
            return [_in_words(of, texts) for of in value]
        case str() if value:
            return texts.get(value) or value
    return value


def _pack(pack: Pack) -> dict[str, Any]:
    return {
        "cards": len(pack.cards),
        "ranks": [r.text for r in pack.ranks],
        "suits": {s.letter: s.name for s in pack.suits},
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
    asks = (n for rule in program.rules.values() for n in walk(rule.body))
    return frozenset(f for n in asks if isinstance(n, nodes.Ask) for f in forms_of(n.options))


def forms_of(options: Iterable[nodes.Option]) -> list[str]:
    """Return each form of options once: their words, and in capitals what is chosen."""
    return list(dict.fromkeys(map(_form, options)))


def _rules(variant: Variant, program: Program) -> list[dict[str, Any]]:
    """Return every rule that play can call, and groups of options, without unused ones."""
    rules = {"match"}
    rules |= {
        n.rule for n in _reachable_nodes(program, "match", {"match"}) if isinstance(n, nodes.Do)
    }
    unused = program.rules.keys() - rules
    exclusions = {f"{piece}{name}" for name in unused for piece in ("", "before ", "after ")}
    return [rule for rule in list_rules(variant) if rule["name"] not in exclusions]


def _reachable_nodes(program: Program, rule: str, seen: set[str]) -> Iterator[nodes.Node]:
    """Yield every node that a rule reaches, in the order of play; each rule once."""
    for node in walk(program.rules[rule].body):
        yield node
        if isinstance(node, nodes.Do) and node.rule not in seen:
            seen.add(node.rule)
            yield from _reachable_nodes(program, node.rule, seen)


def _form(option: nodes.Option) -> str:
    parts = list(option.words)
    for binder in option.binders:
        kind = "NUMBER" if binder.last is not None else str(binder.items.type).upper().rstrip("S")
        kind = "CARDS" if isinstance(binder.items, nodes.Hands) else kind
        parts += [kind, *binder.words]
    return " ".join(parts)


def print_variant(description: dict[str, Any], words: Words, console: Console) -> None:
    """Print the description of a variant."""
    for line in _head(description, words):
        console.print(line)
    if description["base"]:
        differences = difference_rows(description["differences"], words)
        cells = ((name, escape(text)) for name, text in differences)
        print_rows(console, say("[bold]Differs from {base}[/]", base=description["base"]), cells)
    parameters = description["parameters"].items()
    values = ((name, p["value"], _parameter(name, p, words)) for name, p in parameters)
    print_rows(console, say("[bold]Parameters[/] (--param NAME=VALUE)"), values)
    questions = description["decisions"].items()
    forms = ((name, question_text(name, forms, words)) for name, forms in questions)
    title = say("[bold]Questions[/], in the order in which the rules come to them")
    print_rows(console, title, forms)
    entries = (rule for rule in description["rules"] if rule["help"])
    rules = ((rule["name"], rule["help"], f"[dim]{rule['source'] or ''}[/]") for rule in entries)
    print_rows(console, say("[bold]Rules[/]"), rules)
    if description["sources"]:
        console.print("\n" + say("[bold]Sources[/]"))
        for name, text in description["sources"].items():
            console.print(f"  {name}: {text}")


def print_rows(console: Console, title: str, rows: Iterable[tuple[str, ...]]) -> None:
    """Print a title and a table of names and texts, in rich's markup."""
    console.print(f"\n{title}")
    table = Table(box=None, pad_edge=False, show_header=False)
    for name, *cells in rows:
        table.add_row(f"  {name}", *cells)
    console.print(table)


def question_text(name: str, forms: Iterable[str], words: Words) -> str:
    """Return the words for a question and for each form of its answers, with their names."""
    title = words.decision(name)
    answers = one_by_one(_beside(form_words(form, words), form) for form in forms)
    return answers if title == name.replace("_", " ") else with_title(title, answers)


def form_words(form: str, words: Words) -> str:
    """Return a player's words for a form such as `play CARD`."""
    parts = words.action(form).split(" ")
    return " ".join(say(part) if part in CHOICE_WORDS else part for part in parts)


def _beside(text: str, name: str) -> str:
    """Return a text with its name in the rules, or that name alone."""
    return name if text == name.replace("_", " ") else f"{text} ({name})"


def _parameter(name: str, p: Mapping[str, Any], words: Words) -> str:
    note = say(" [dim](a choice: sources are silent or differ)[/]") if p["choice"] else ""
    if p["value"] != p["default"]:
        note += say(" [bold](by default {p})[/]", p=p["default"])
    parameter = words.variant.parameters[name]
    values = p["allowed"]
    if parameter.type in ("choice", "boolean"):
        texts = parameter.choices or ("true", "false")
        known = (_beside(value_text(words, name, one), one) for one in texts)
        values = with_title(say("values"), one_by_one(known))
    return f"{p['help']} {values[:1].upper()}{values[1:]}.{note}"


def _head(description: dict[str, Any], words: Words) -> Iterator[str]:
    yield f"[bold]{description['title']}[/] ({description['name']})"
    yield description["summary"]
    yield ""
    seats = [say("{n} in {t} teams", n=n, t=t) for n, t in description["players"].items()]
    yield say(
        "Players   {names}; play goes {described}",
        names=", ".join(seats),
        described=say(description["direction"]),
    )
    for name, pack in description["packs"].items():
        by = words.variant.pack_by
        what = f"{say('Pack')} {words.choice(by, name) if by else name}".ljust(9) + " "
        suits = ", ".join(f"{s} ({letter})" for letter, s in pack["suits"].items())
        yield say("{what}{pack} cards: {suits}", what=what, pack=pack["cards"], suits=suits)
        ranks = " ".join(map(words.rank, pack["ranks"]))
        yield say("Strength  {names}, strongest first", names=ranks)
        if pack["special_cards"]:
            yield say("Special   {names}", names=", ".join(map(words.card, pack["special_cards"])))
        for value, amounts in pack["values"].items():
            each = ", ".join(
                f"{words.rank(words.card(x))} {amount}" for x, amount in amounts.items()
            )
            yield say("Values    {value}: {each}", value=value, each=each or say("of no card"))
    for name, text in description["counters"].items():
        yield say("Counter   {name}: {text}", name=name, text=text)
