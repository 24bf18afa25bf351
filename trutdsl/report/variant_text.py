"""A variant in words, its differences from its base, and those of two variants."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from trutdsl.game import Game
from trutdsl.language import mark, one_by_one, say, with_title
from trutdsl.report.labels import CHOICE_WORDS
from trutdsl.report.rulebook import describe_variant
from trutdsl.variant import Words, words_of
from trutdsl.variant.model import Definition, definitions

HEAD = 10  # columns of the word before each fact about the table
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
    title = description["title"]
    console.print(Text.assemble((title, "bold"), f" ({description['name']})"))
    if description["summary"]:
        console.print(description["summary"])
    console.print()
    for line in _head(description, words):
        _print_hanging(console, line, HEAD)
    if description["base"]:
        differences = difference_rows(description["differences"], words)
        title = say("[bold]Differs from {base}[/]", base=escape(description["base"]))
        print_rows(console, Text.from_markup(title), differences)
    parameters = description["parameters"].items()
    values = ((name, p["value"], _parameter(name, p, words)) for name, p in parameters)
    title = say("[bold]Parameters[/] (--param NAME=VALUE)")
    print_rows(console, Text.from_markup(title), values)
    questions = description["decisions"].items()
    forms = ((name, question_text(name, forms, words)) for name, forms in questions)
    title = say("[bold]Questions[/], in the order in which the rules come to them")
    print_rows(console, Text.from_markup(title), forms)
    entries = (rule for rule in description["rules"] if rule["help"])
    rules = ((rule["name"], rule["help"], Text(rule["source"] or "", "dim")) for rule in entries)
    print_rows(console, Text.from_markup(say("[bold]Rules[/]")), rules)
    if description["sources"]:
        console.print(Text.from_markup("\n" + say("[bold]Sources[/]")))
        for name, text in description["sources"].items():
            _print_hanging(console, f"  {name}: {text}", len(f"  {name}: "))


def _print_hanging(console: Console, line: str, indent: int) -> None:
    """Print a line; what does not fit goes on below it, this far to the right."""
    text = Text(line)
    first, *others = text.wrap(console, console.width)
    console.print(first)
    if others:
        rest = line[len(first.plain.rstrip()) :].strip()
        console.print(Padding(Text(rest), (0, 0, 0, indent), expand=False))


def print_rows(
    console: Console, title: Text, rows: Iterable[tuple[str, *tuple[str | Text, ...]]]
) -> None:
    """Print a title and a table of names and texts; nothing without a row."""
    listed = [(f"  {name}", *cells) for name, *cells in rows]
    if not listed:
        return
    console.print()
    console.print(title)
    table = Table(box=None, pad_edge=False, show_header=False)
    # A narrow terminal cuts no name.
    table.add_column(no_wrap=True, min_width=max(len(row[0]) for row in listed))
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


def _parameter(name: str, p: Mapping[str, Any], words: Words) -> Text:
    note = say(" [dim](a choice: sources are silent or differ)[/]") if p["choice"] else ""
    if p["value"] != p["default"]:
        note += say(" [bold](by default {p})[/]", p=escape(p["default"]))
    parameter = words.variant.parameters[name]
    values = p["allowed"]
    if parameter.type in ("choice", "boolean"):
        texts = parameter.choices or ("true", "false")
        known = (_beside(value_text(words, name, one), one) for one in texts)
        values = with_title(say("values"), one_by_one(known))
    return Text(f"{p['help']} {values[:1].upper()}{values[1:]}.") + Text.from_markup(note)


def _head(description: dict[str, Any], words: Words) -> Iterator[str]:
    seats = [say("{n} in {t} teams", n=n, t=t) for n, t in description["players"].items()]
    yield say(
        "Players   {names}; play goes {described}",
        names=", ".join(seats),
        described=say(description["direction"]),
    )
    for name, pack in description["packs"].items():
        by = words.variant.pack_by
        choice = f" ({words.choice(by, name)})" if by else ""
        what = f"{say('Pack')}{choice}".ljust(HEAD - 1) + " "
        suits = ", ".join(f"{s} ({letter})" for letter, s in pack["suits"].items())
        yield say("{what}{pack} cards: {suits}", what=what, pack=pack["cards"], suits=suits)
        ranks = " ".join(map(words.rank, pack["ranks"]))
        other = _has_other_strengths(pack)
        text = "Ranks     {names}" if other else "Strength  {names}, strongest first"
        yield say(text, names=ranks)
        if pack["absent"]:
            yield say("Left out  {names}", names=", ".join(map(words.card, pack["absent"])))
        if pack["special_cards"]:
            yield say("Special   {names}", names=", ".join(map(words.card, pack["special_cards"])))
        every = words.variant.packs[name or None].cards
        own = [card for card in every if words.card(card) != words.face(card)]
        called = [f"{words.card(card)} ({words.face(card)})" for card in own]
        if called:
            yield say("Called    {names}", names=", ".join(called))
        for value, amounts in pack["values"].items():
            each = ", ".join(
                f"{words.rank(words.card(x))} {amount}" for x, amount in amounts.items()
            )
            yield say("Values    {value}: {each}", value=value, each=each or say("of no card"))
    for name, text in description["counters"].items():
        yield say("Counter   {name}: {text}", name=name, text=text)


# The differences of two variants: players, pack, parameters, questions, rules.

Section = tuple[str, str, list[tuple[str, str]]]  # a key, a title, and rows of a name and a text
Texts = Mapping[str, str]


def tell_differences(a: Game, b: Game, as_written: bool = False) -> list[Section]:
    """Return the differences of two variants; a section without any is left out.

    as_written: with names and values as in the files, for programs.
    """
    one, two = map(describe_variant, (a, b))
    both = [words_of(game.variant) for game in (a, b)]
    names = both[0].title, both[1].title
    if as_written or names[0] == names[1]:
        names = (one["name"], two["name"]) if one["name"] != two["name"] else (a.ref, b.ref)
    rules = [
        {
            name: _sentence_on_rule(of, words_of(game.variant))
            for name, of in definitions(game.variant).items()
        }
        for game in (a, b)
    ]
    values = list[dict[str, str]]()
    for side, words in zip((one, two), both, strict=True):
        parameters = {name: p["value"] for name, p in side["parameters"].items()}
        if not as_written:
            parameters = {name: value_text(words, name, text) for name, text in parameters.items()}
        values.append({n: f"{parameters[n]}. {p['help']}" for n, p in side["parameters"].items()})
    questions = [
        _options(side, None if as_written else words)
        for side, words in zip((one, two), both, strict=True)
    ]
    texts = [{name: rule[0] for name, rule in side.items()} for side in rules]
    changes = {n for n in rules[0].keys() & rules[1].keys() if rules[0][n] != rules[1][n]}
    word = str if as_written else say
    sections = [
        *_compare("players", say("Players"), _seats(one, word), _seats(two, word), names),
        *_compare("pack", say("Pack"), _packs(one, word), _packs(two, word), names),
        *_compare("counters", say("Counters"), one["counters"], two["counters"], names),
        *_compare("parameters", say("Parameters"), values[0], values[1], names),
        *_compare("questions", say("Questions"), questions[0], questions[1], names),
        *_compare("rules", say("Rules"), texts[0], texts[1], names, changes),
    ]
    return [one for one in sections if one[-1]]


def _compare(
    key: str,
    title: str,
    one: Texts,
    two: Texts,
    names: tuple[str, str],
    other: set[str] | None = None,
) -> Iterator[Section]:
    """Yield the entries that differ, and those of only one side.

    other: the names of entries that differ, by default those with another text.
    """
    if other is None:
        other = {name for name in one.keys() & two.keys() if one[name] != two[name]}
    yield key, title, [(name, _both(one[name], two[name], names)) for name in one if name in other]
    for own, opposite, which, name in ((one, two, "a", names[0]), (two, one, "b", names[1])):
        only = [(of, text) for of, text in own.items() if of not in opposite]
        yield f"{key}_of_{which}", say("{title} of {name} only", title=title, name=name), only


def _both(one: str, two: str, names: tuple[str, str]) -> str:
    if one == two:
        return say("{one} (written otherwise)", one=one)
    first, _, help_text = one.partition(". ")
    second, _, same = two.partition(". ")
    if help_text and help_text == same:
        text = "{first} in {names}, {second} in {others}. {help_text}"
        return say(
            text, first=first, names=names[0], second=second, others=names[1], help_text=help_text
        )
    return f"{with_title(names[0], one)}\n{with_title(names[1], two)}"


def _seats(side: Mapping[str, Any], word: Callable[[str], str]) -> dict[str, str]:
    counts = [say("{n} in {t} teams", n=n, t=t) for n, t in side["players"].items()]
    return {word("players"): ", ".join(counts), word("direction"): say(side["direction"])}


def _has_other_strengths(pack: Mapping[str, Any]) -> bool:
    """Return whether values, and not the order of the ranks, say how strong regular cards are."""
    return not pack["values"].get("strength", {}).keys() <= {*pack["special_cards"]}


def _ranks(pack: Mapping[str, Any]) -> str:
    ranks = " ".join(pack["ranks"])
    return ranks if _has_other_strengths(pack) else say("{ranks}, strongest first", ranks=ranks)


def _packs(side: Mapping[str, Any], word: Callable[[str], str]) -> dict[str, str]:
    result = {}
    for choice, pack in side["packs"].items():
        text = "; special: {names}"
        special = say(text, names=", ".join(pack["special_cards"])) if pack["special_cards"] else ""
        result[f"{word('cards')} {choice}".strip()] = (
            f"{pack['cards']}, {', '.join(pack['suits'].values())}; "
            + _ranks(pack)
            + special
            + (say("; without {names}", names=", ".join(pack["absent"])) if pack["absent"] else "")
        )
    return result


def _options(side: Mapping[str, Any], words: Words | None) -> dict[str, str]:
    return {
        name: question_text(name, forms, words) if words else ", ".join(forms)
        for name, forms in side["decisions"].items()
    }


def _sentence_on_rule(versions: list[Definition], words: Words) -> tuple[str, list[str]]:
    last = versions[-1]
    texts = [text for one in versions if (text := words.text_of(one))]
    comment = last.text.partition("#")[2].strip()
    text = texts[-1] if texts else comment or last.text.splitlines()[0].strip()
    return text, [one.text for one in versions]
