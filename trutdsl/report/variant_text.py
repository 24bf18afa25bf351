"""A variant and its differences from its base as text, for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from trutdsl.language import mark, one_by_one, say, with_title
from trutdsl.report.labels import CHOICE_WORDS
from trutdsl.variant import Words

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
    listed = [(f"  {name}", *cells) for name, *cells in rows]
    # A narrow terminal cuts no name.
    table.add_column(no_wrap=True, min_width=max((len(row[0]) for row in listed), default=1))
    for row in listed:
        table.add_row(*row)
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
    if description["summary"]:
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
