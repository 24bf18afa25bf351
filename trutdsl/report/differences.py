"""The differences of two variants in words: players, pack, parameters, questions, rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from trutdsl.game import Game
from trutdsl.language import say, with_title
from trutdsl.report.rulebook import describe_variant
from trutdsl.report.variant_text import question_text, value_text
from trutdsl.variant import Words, words_of
from trutdsl.variant.model import Definition, definitions

Section = tuple[str, str, list[tuple[str, str]]]  # a key, a title, and rows of a name and a text
Texts = Mapping[str, str]


def tell_differences(a: Game, b: Game, as_written: bool = False) -> list[Section]:
    """Return the differences of two variants; a section without any is left out.

    as_written: with names and values as in the files, for programs.
    """
    one, two = (
        describe_variant(game.variant, game.program, game.parameter_texts()) for game in (a, b)
    )
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


def _packs(side: Mapping[str, Any], word: Callable[[str], str]) -> dict[str, str]:
    result = {}
    for choice, pack in side["packs"].items():
        text = "; special: {names}"
        special = say(text, names=", ".join(pack["special_cards"])) if pack["special_cards"] else ""
        result[f"{word('cards')} {choice}".strip()] = (
            f"{pack['cards']}, {', '.join(pack['suits'].values())}; "
            + say("{ranks}, strongest first", ranks=" ".join(pack["ranks"]))
            + special
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
