"""The block `words` of a file: what it calls its own things in each language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trutdsl.diagnostics import Collector, Span
from trutdsl.language import mark, quote_name, say
from trutdsl.variant.read_values import (
    NameForm,
    read_entries,
    read_line,
    read_mapping,
    read_name,
    read_text,
    refuse,
)
from trutdsl.variant.shapes import PLAIN, YamlKey, YamlKeys, array, mapping, shape_of, shaped, table
from trutdsl.variant.yaml_nodes import Node, Scalar, Sequence

LANGUAGE = NameForm(
    "[a-z]{2,3}",
    mark("the two or three small letters of a language, such as fr"),
    mark("write a language, a kind and then the words: `fr: {options: {fold: je passe}}`"),
)


@dataclass(frozen=True)
class Word:
    """What a thing is called.

    texts: one, or singular and plural, or one for each of several rules with this name.
    span:  the thing's name in the file.
    """

    texts: tuple[str, ...]
    span: Span

    @property
    def one(self) -> str:
        return self.texts[0]

    @property
    def many(self) -> str:
        return self.texts[-1]


Names = Mapping[str, Word]


@dataclass(frozen=True)
class FileWords:
    """What a file calls its things in one language; empty where it does not say.

    names: kind of thing, such as `counters` -> name -> word. choices: parameter -> value -> word.
    """

    title: str | None
    summary: str | None
    names: Mapping[str, Names]
    choices: Mapping[str, tuple[Span, Names]]


def _read_word(name: Scalar, node: Node, what: str, errors: Collector) -> Word | None:
    items = node.items if isinstance(node, Sequence) else (node,)
    texts = [read_text(item, what, errors) for item in items]
    if not texts:
        refuse(node, what, say("a text, or a list of texts"), errors)
    result = tuple(text for text in texts if text)
    return Word(result, name.span) if result and len(result) == len(items) else None


@shaped(table({"anyOf": [PLAIN, array(PLAIN, 1)]}))
def _read_names(node: Node, what: str, errors: Collector) -> dict[str, Word]:
    result = {}
    for name, value in read_entries(node, say("the words of {what}", what=what), errors) or ():
        word = _read_word(name, value, say("the word for '{name}'", name=name.text), errors)
        if word is not None:
            result[name.text] = word
    return result


@shaped(lambda: table(shape_of(KEYS["counters"])))
def _read_choices(node: Node, what: str, errors: Collector) -> dict[str, tuple[Span, Names]]:
    return {
        name.text: (name.span, _read_names(value, quote_name(name.text), errors))
        for name, value in read_entries(node, what, errors) or ()
    }


KINDS = {
    "counters": "what the numbers of a team are called, each [singular, plural]",
    "parameters": "what each parameter decides",
    "decisions": "what each question is called",
    "options": "what a player says to take each option",
    "ends": "why a deal ended, for each reason",
    "announcements": "what each announcement is called",
    "zones": "what each zone is called",
    "state": "what each variable is called",
    "values": "what each value of a type such as `one of low | high` is called",
    "suits": "the names of the suits",
    "ranks": "what is written on a card of each rank",
    "cards": "what each card is called that has a name of its own",
    "rules": "the text of each rule, define and group of options",
    "sources": "the line about each source",
}
KEYS: YamlKeys = {
    "title": YamlKey("what it is called", read_line),
    "summary": YamlKey("what it is about", read_text),
    "choices": YamlKey("what each choice of a parameter is called", _read_choices, {}),
    **{name: YamlKey(help, _read_names, {}) for name, help in KINDS.items()},
}


@shaped(lambda: table(mapping(KEYS), LANGUAGE.pattern))
def read_file_words(node: Node, what: str, errors: Collector) -> dict[str, FileWords]:
    """Return the words of a file by language."""
    words = {}
    for language, value in read_entries(node, what, errors) or ():
        if read_name(language, say("a language"), errors, LANGUAGE):
            of = say("the words in '{language}'", language=language.text)
            fields: dict[str, Any] = read_mapping(value, of, errors, KEYS)
            names = {kind: fields[kind] for kind in KINDS}
            title, summary = fields["title"], fields["summary"]
            words[language.text] = FileWords(title, summary, names, fields["choices"])
    return words
