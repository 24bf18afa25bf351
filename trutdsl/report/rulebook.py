"""A variant in the words of its files, for somebody about to play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from trutdsl.ir import Program, nodes
from trutdsl.ir.walk import walk
from trutdsl.report.differences import describe_differences, difference_rows, list_rules
from trutdsl.variant import Pack, Variant


def describe_variant(
    variant: Variant, program: Program, values: Mapping[str, str]
) -> dict[str, Any]:
    """Return what there is to know, as plain values in the order to be told.

    values: of the parameters, as they are written.
    """
    return {
        "name": variant.name,
        "title": variant.title,
        "summary": variant.summary,
        "base": variant.base,
        "players": {str(n): variant.teams[n] for n in variant.players},
        "direction": variant.direction,
        "packs": {name or "": _pack(pack) for name, pack in variant.packs.items()},
        "counters": {
            c.name: c.help + (f" From {c.least} on." if c.least else "") for c in variant.counters
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


def _pack(pack: Pack) -> dict[str, Any]:
    return {
        "cards": len(pack.cards),
        "ranks": [r.text for r in pack.ranks],
        "suits": {s.letter: s.name for s in pack.suits},
        "special_cards": [c.name for c in pack.special_cards],
        "values": {name: dict(said) for name, said in pack.values.items()},
    }


def _decisions(program: Program) -> dict[str, list[str]]:
    """Return every question by name with the forms of its actions, as rules come to them."""
    found: dict[str, list[str]] = {}
    for node in _done(program, "match", {"match"}):
        if isinstance(node, nodes.Ask):
            forms = found.setdefault(node.decision, [])
            forms += [f for o in node.options if (f := _form(o)) not in forms]
    return found


def _rules(variant: Variant, program: Program) -> list[dict[str, Any]]:
    """Return every rule that is ever done, and groups of options; not what a base left behind."""
    done = {"match"}
    done |= {n.rule for n in _done(program, "match", {"match"}) if isinstance(n, nodes.Do)}
    never = program.rules.keys() - done
    left = {f"{piece}{name}" for name in never for piece in ("", "before ", "after ")}
    return [rule for rule in list_rules(variant) if rule["name"] not in left]


def _done(program: Program, rule: str, seen: set[str]) -> Iterator[nodes.Node]:
    """Yield every node that a rule comes to, in the order of play; each rule once."""
    for node in walk(program.rules[rule].body):
        yield node
        if isinstance(node, nodes.Do) and node.rule not in seen:
            seen.add(node.rule)
            yield from _done(program, node.rule, seen)


def _form(option: nodes.Option) -> str:
    parts = list(option.words)
    for binder in option.binders:
        kind = "NUMBER" if binder.last is not None else str(binder.items.type).upper().rstrip("S")
        kind = "CARDS" if isinstance(binder.items, nodes.Hands) else kind
        parts += [kind, *binder.words]
    return " ".join(parts)


def print_variant(described: dict[str, Any], console: Console) -> None:
    """Print a description for a person."""
    for line in _head(described):
        console.print(line)
    if described["base"]:
        console.print(f"\n[bold]Differs from {described['base']}[/]")
        table = Table(box=None, pad_edge=False, show_header=False)
        for name, text in difference_rows(described["differences"]):
            table.add_row(f"  {name}", escape(text))
        console.print(table)
    console.print("\n[bold]Parameters[/] (--param NAME=VALUE)")
    table = Table(box=None, pad_edge=False, show_header=False)
    for name, p in described["parameters"].items():
        note = " [dim](a choice: sources are silent or differ)[/]" if p["choice"] else ""
        if p["value"] != p["default"]:
            note += f" [bold](by default {p['default']})[/]"
        table.add_row(f"  {name}", p["value"], f"{p['help']} {p['allowed'].capitalize()}.{note}")
    console.print(table)
    console.print("\n[bold]Questions[/], in the order in which the rules come to them")
    table = Table(box=None, pad_edge=False, show_header=False)
    for name, forms in described["decisions"].items():
        table.add_row(f"  {name}", ", ".join(forms))
    console.print(table)
    console.print("\n[bold]Rules[/]")
    table = Table(box=None, pad_edge=False, show_header=False)
    for rule in described["rules"]:
        if not rule["help"]:
            continue
        table.add_row(f"  {rule['name']}", rule["help"], f"[dim]{rule['source'] or ''}[/]")
    console.print(table)
    if described["sources"]:
        console.print("\n[bold]Sources[/]")
        for name, text in described["sources"].items():
            console.print(f"  {name}: {text}")


def _head(described: dict[str, Any]) -> Iterator[str]:
    yield f"[bold]{described['title']}[/] ({described['name']})"
    yield described["summary"]
    yield ""
    seats = [f"{n} in {t} teams" for n, t in described["players"].items()]
    yield f"Players   {', '.join(seats)}; play goes {described['direction']}"
    for name, pack in described["packs"].items():
        what = f"Pack {name}".ljust(9) + " "
        suits = ", ".join(f"{s} ({letter})" for letter, s in pack["suits"].items())
        yield f"{what}{pack['cards']} cards: {suits}"
        yield f"Strength  {' '.join(pack['ranks'])}, strongest first"
        if pack["special_cards"]:
            yield f"Special   {', '.join(pack['special_cards'])}"
        for value, said in pack["values"].items():
            each = ", ".join(f"{key} {amount}" for key, amount in said.items())
            yield f"Values    {value}: {each or 'of no card'}"
    for name, text in described["counters"].items():
        yield f"Counter   {name}: {text}"
