"""The language of everything that people read: English as in the source, or a catalogue's.

A catalogue is a file `translations/LANGUAGE.po`. `choose_language` chooses once, when the program
starts; `speaking` chooses for a block. Only numbers in other languages than English need Babel.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import Decimal
from functools import cache
from math import isfinite
from typing import Any, NamedTuple

ENGLISH = "en"
REASON = "reason"  # context of messages: reasons of ends
# Non-breaking spaces: a terminal has no narrow one.
NARROW, WIDE = "\u202f", "\u00a0"
MINUS = "\u2212"
_usual = ENGLISH  # of this process
_spoken: ContextVar[str | None] = ContextVar("language", default=None)  # in a block
_space: ContextVar[str] = ContextVar("space", default=WIDE)


def languages() -> list[str]:
    """Return all languages: English, and those with a catalogue."""
    from importlib.resources import files  # slow

    names = [file.name for file in (files("trutdsl") / "translations").iterdir()]
    return [ENGLISH, *sorted(name[:-3] for name in names if name.endswith(".po"))]


def machine_language(environment: Mapping[str, str]) -> str:
    """Return the language of a machine's locale, such as `fr_FR.UTF-8`, or English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if locale := environment.get(name):
            result = re.split("[._@-]", locale)[0].lower()
            return result if result in languages() else ENGLISH
    return ENGLISH


def choose_language(language: str) -> None:
    """Speak a language from here on, wherever `speaking` names no other."""
    global _usual
    _usual = language


def current_language() -> str:
    """Return the language spoken now."""
    return _spoken.get() or _usual


@contextmanager
def speaking(language: str, space: str = WIDE) -> Iterator[None]:
    """Speak a language within the block.

    space: the space before `:` and similar signs where the language has one, `NARROW` on a page.
    """
    tokens = _spoken.set(language), _space.set(space)
    try:
        yield
    finally:
        _spoken.reset(tokens[0])
        _space.reset(tokens[1])


Translation = str | tuple[str, ...]  # a translation, or one for each plural form


class Joins(NamedTuple):
    """How a language joins a word and a value that follows it, as its catalogue's header says.

    elided: words that lose their last letter before a vowel, as `de actuary` is `d'actuary`; except
    before these. contracted: two words to one, as `de le` is `du`.
    """

    elided: frozenset[str]
    unelided: frozenset[str]
    contracted: Mapping[tuple[str, str], str]


# The form of an entry in a catalogue; a text is one or several strings in quotes.
STRING = r'"(?:[^"\\]|\\.)*"'
TEXT = rf"((?:\s+{STRING})+)"
ENTRY = re.compile(
    rf"(?:^msgctxt{TEXT}\n)?^msgid{TEXT}\n(msgid_plural{TEXT}\n)?((?:msgstr\S*{TEXT}\n?)+)", re.M
)
PLURAL = re.compile("plural=(.*);")
PLACE = re.compile(r"\{\w+")  # of a value
Catalogue = tuple[dict[tuple[str | None, str], Translation], Callable[[int], int], Joins]


@cache
def _catalogue(language: str) -> Catalogue:
    """Return the translations by context and English text, the number of a plural form, joins.

    Raises `ValueError` with the file's path if it is damaged.
    """
    from importlib.resources import files

    path = files("trutdsl") / "translations" / f"{language}.po"
    try:
        return _parse_catalogue(path.read_text("utf-8"))
    except (OSError, ValueError, LookupError) as problem:
        raise ValueError(str(path)) from problem


def _parse_catalogue(text: str) -> Catalogue:
    from gettext import c2py

    result: dict[tuple[str | None, str], Translation] = {}
    for context, one, many, _, translation, _ in ENTRY.findall(text):
        forms = tuple(map(_unquote, translation.split("msgstr")[1:]))
        key = _unquote(one)
        if set(PLACE.findall("".join(forms))) - set(PLACE.findall(key)) and key:
            raise ValueError(key)
        result[_unquote(context) or None, key] = forms if many else forms[0]
    header = str(result.pop((None, "")))
    plural = PLURAL.search(header)
    if plural is None:
        raise ValueError(header)
    fields = dict(line.split(": ", 1) for line in header.splitlines())
    pairs = (pair.split("=") for pair in fields.get("X-Contracted", "").split(", ") if pair)
    contracted = {(two.split()[0], two.split()[1]): one for two, one in pairs}
    elided, whole = (frozenset(fields.get(key, "").split()) for key in ("X-Elided", "X-Whole"))
    return result, c2py(plural[1]), Joins(elided, whole, contracted)


def _unquote(text: str) -> str:
    """Return the text of strings in quotes, one after another."""
    content = "".join(string[1:-1] for string in re.findall(STRING, text))
    return str(json.loads(f'"{content}"')) if "\\" in content else content


def translations(language: str) -> dict[tuple[str | None, str], Translation]:
    """Return the translations in `translations/LANGUAGE.po` by context and English text."""
    return _catalogue(language)[0]


@cache
def texts(language: str) -> dict[str, Translation]:
    """Return the translation of each text, except for reasons of ends."""
    return {
        text: translation
        for (context, text), translation in translations(language).items()
        if context != REASON
    }


class TranslatedText(str):
    """A text in one language that can be told in another: its key in the catalogues, its values."""

    key: str
    values: Mapping[str, object]

    def __new__(cls, text: str, key: str, values: Mapping[str, object]) -> TranslatedText:
        """Return the text with its key and values."""
        result = super().__new__(cls, text)
        result.key, result.values = key, values
        return result

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what makes it anew in another process."""
        values = {name: _plain(value) for name, value in self.values.items()}
        return TranslatedText, (str(self), self.key, values)


def _plain(value: object) -> int | str:
    return value if isinstance(value, int | TranslatedText) else str(value)


def say(text: str, /, **values: object) -> str:
    """Return a text in the current language, with these values in its places."""
    language, key = current_language(), text
    if language != ENGLISH:
        translation = texts(language).get(text, text)
        text = typeset(translation if isinstance(translation, str) else translation[0])
    return TranslatedText(_fill(text, values) if values else text, key, values)


Key = dict[str, Any]  # of a text: `key`, and `values`


def key_of(text: str) -> Key:
    """Return the key and values of a text, as JSON; a text without a key is its own."""
    if not isinstance(text, TranslatedText):
        return {"key": str(text), "values": {}}
    values = {name: _plain(value) for name, value in text.values.items()}
    data = {n: key_of(x) if isinstance(x, TranslatedText) else x for n, x in values.items()}
    return {"key": text.key, "values": data}


def say_key(data: Mapping[str, Any]) -> str:
    """Return the text of `key_of` in the current language."""
    values = {
        name: say_key(value) if isinstance(value, dict) else value
        for name, value in data["values"].items()
    }
    return say(data["key"], **values)


# A word before a value's place, and the first word of a value: a vowel first, of several letters.
JOINT = re.compile(r"(?<![\w'])(\w+) \{(\w+)\}")
VOWEL = re.compile("[aeiouàâäéèêëîïôöùûüœæ][^\\W\\d_]", re.IGNORECASE)


def _fill(text: str, values: Mapping[str, object]) -> str:
    """Return a text with values in its places, each joined with the word before it."""
    language = current_language()
    joins = None if language == ENGLISH else _catalogue(language)[2]

    def join(hit: re.Match[str]) -> str:
        assert joins is not None
        word, value = hit[1], str(values.get(hit[2], ""))
        first, _, rest = value.partition(" ")
        if (one := joins.contracted.get((word, first))) and rest:
            return f"{one} {rest}".replace("{", "{{").replace("}", "}}")
        if word.lower() in joins.elided and VOWEL.match(value) and first not in joins.unelided:
            return f"{word[:-1]}'{{{hit[2]}}}"
        return hit[0]

    return (JOINT.sub(join, text) if joins else text).format(**values)


def say_count(number: int, one: str, many: str, /, **values: object) -> str:
    """Return a text for a number of things, such as `{number} card` and `{number} cards`.

    A text without the place `{number}` gets the number before it. From 10,000 on, the number has
    the signs that part thousands.
    """
    language = current_language()
    text = one if number == 1 else many
    if language != ENGLISH:
        known, form_of_number, _ = _catalogue(language)
        translation = known.get((None, one), text)
        text = typeset(
            translation
            if isinstance(translation, str)
            else translation[form_of_number(abs(number))]
        )
    if "{number}" not in text:
        text = "{number} " + text
    value = figure(number, ",d") if abs(number) >= GROUPED else number
    return _fill(text, {"number": value, **values})


GROUPED = 10_000  # the least number that is written with signs between thousands


def is_singular(number: int, language: str) -> bool:
    """Return whether a language puts things of this number in the singular."""
    if language == ENGLISH:
        return number == 1
    from babel import Locale, UnknownLocaleError

    try:
        return Locale.parse(language).plural_form(abs(number)) == "one"
    except UnknownLocaleError:
        return number == 1


def mark(text: str) -> str:
    """Return the text itself: it is said later, and must be in the catalogues."""
    return text


# The non-breaking spaces of a text: before `: ; ? ! %`, and in guillemets. Code has none.
BREAKING = re.compile("(`[^`]*`)|(?<=«) | (?=[:;?!»%])")


def typeset(text: str) -> str:
    """Return a text with the non-breaking spaces of the language, none for English."""
    if current_language() == ENGLISH:
        return text
    return BREAKING.sub(lambda hit: hit[1] or _space.get(), text)


def one_by_one(items: Iterable[str]) -> str:
    """Join texts that may contain commas."""
    return say("; ").join(items)


def quote_name(name: object) -> str:
    """Return a name of a file in the quotes of the language."""
    return say("'{name}'", name=name)


def with_title(title: str, text: str = "") -> str:
    """Return a title with a colon and a text."""
    return say("{title}: {text}", title=title, text=text).rstrip()


def figure(value: float, form: str) -> str:
    """Return a number in a form such as `.2f` or `,d`, in the notation of the language.

    A number that is rounded to 0 has no sign. One in the middle is rounded to the even digit. So
    two shares that add up to 1 also do so rounded: 0.45 and 0.55 are 0.4 and 0.6. As a binary
    fraction 0.45 is a little more, and would be 0.5.
    """
    number: float | Decimal = value
    if isinstance(value, float):  # whole numbers have no -0
        sign = form[: form[0] in "+- "]
        form = f"{sign}z{form[len(sign) :]}"
        if form[-1] in "f%" and isfinite(value):
            number = Decimal(repr(float(value)))
    text = f"{number:{form}}"
    if text[0] == "+" and not text.strip("+0.,%"):
        text = text[1:]
    language = current_language()
    if language == ENGLISH:
        return text
    space = _space.get()
    signs = {
        english: re.sub("\\s", space, sign) for english, sign in _signs_of_numbers(language).items()
    }
    return "".join(signs.get(sign, sign) for sign in text)


@cache
def _signs_of_numbers(language: str) -> dict[str, str]:
    """Return what a language writes for the signs of an English number."""
    from babel import Locale

    locale = Locale.parse(language)
    signs = locale.number_symbols["latn"]
    percent = locale.percent_formats[None].pattern.replace("#,##0", "")
    return {",": signs["group"], ".": signs["decimal"], "%": percent, "-": MINUS}


def spoken_time(seconds: float) -> str:
    """Return a time in words, in a suitable unit."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 90 * 60:
        return f"{round(seconds / 60)} min"
    if seconds < 48 * 3600:
        return f"{figure(seconds / 3600, '.1f')} h"
    return say("{days} days", days=figure(seconds / 86400, ",.1f"))


def say_reason(reason: str) -> str:
    """Return a reason for the end of a deal; reasons of a user's own game stay unchanged."""
    language = current_language()
    if language == ENGLISH:
        return reason
    translation = translations(language).get((REASON, reason), reason)
    return translation if isinstance(translation, str) else reason
