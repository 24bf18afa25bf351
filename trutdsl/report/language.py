"""The language in which results are told: English as it is written here, or French."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib.resources import files

ENGLISH, FRENCH = "en", "fr"
METRIC, REASON = "metric", "reason"  # contexts of messages: words of metrics, reasons of ends
# Spaces that do not break: a terminal has none that is narrow.
NARROW, WIDE = "\u202f", "\u00a0"
_spoken: ContextVar[str] = ContextVar("language", default=ENGLISH)
_space: ContextVar[str] = ContextVar("space", default=WIDE)


@contextmanager
def speaking(language: str, space: str = WIDE) -> Iterator[None]:
    """Have the block tell results in a language: `en` or `fr`.

    space: what stands before `:` and the like in French, `NARROW` on a page.
    """
    before = _spoken.set(language), _space.set(space)
    try:
        yield
    finally:
        _spoken.reset(before[0])
        _space.reset(before[1])


@cache
def translations(language: str) -> dict[tuple[str | None, str], str]:
    """Return the translations in `translations/LANGUAGE.po` by context and English text."""
    from babel.messages.pofile import read_po  # takes 0.07 s, which English does not need

    with (files("trutdsl") / "translations" / f"{language}.po").open("rb") as file:
        catalog = read_po(file)
    return {(m.context, str(m.id)): str(m.string) for m in catalog if m.id}


@cache
def texts(language: str) -> dict[str, str]:
    """Return the translation of each text that results say, also as the words of a metric."""
    return {
        text: said for (context, text), said in translations(language).items() if context != REASON
    }


def say(text: str, **values: object) -> str:
    """Return a text in the language that is spoken, with these values in its places."""
    if _spoken.get() == FRENCH:
        text = _typeset(texts(FRENCH).get(text, text))
    return text.format(**values) if values else text


def _typeset(text: str) -> str:
    """Return a French text with spaces that do not break before `: ; ? ! %` and in guillemets."""
    return BREAKING.sub(_space.get(), text)


BREAKING = re.compile("(?<=«) | (?=[:;?!»%])")


def one_by_one(texts: Iterable[str]) -> str:
    """Return texts, each of which may hold commas, behind each other."""
    return say("; ").join(texts)


def titled(title: str, text: str = "") -> str:
    """Return a title with a colon, and what stands behind it."""
    return say("{title}: {told}", title=title, told=text).rstrip()


def figure(value: float, form: str) -> str:
    """Return a number in a form such as `.2f` or `,d`, written as the language has it.

    What is rounded to 0 has no minus sign (PEP 682), with `+` a plus.
    """
    if isinstance(value, float):  # whole numbers know no -0
        sign = form[: form[0] in "+- "]
        form = f"{sign}z{form[len(sign) :]}"
    written = f"{value:{form}}"
    if _spoken.get() != FRENCH:
        return written
    space = _space.get()
    # Decimal comma, and a space that does not break between thousands and before `%`.
    for english, french in ((",", space), (".", ","), ("%", f"{space}%")):
        written = written.replace(english, french)
    return written


def tell_again(text: str) -> str:
    """Return a text that results hold, in English, as it is in the language that is spoken."""
    if _spoken.get() != FRENCH:
        return text
    if text in texts(FRENCH):
        return _typeset(texts(FRENCH)[text])
    for pattern, french in _metric_patterns():
        found = pattern.fullmatch(text)
        if found:
            values = found.groupdict()
            if "reason" in values:
                reason = values["reason"]
                values["reason"] = translations(FRENCH).get((REASON, reason), reason)
            return _typeset(french).format(**values)
    return text


@cache
def _metric_patterns() -> list[tuple[re.Pattern[str], str]]:
    """Return a pattern that finds the values in the words of each metric, and its translation."""
    found = []
    for (context, english), french in translations(FRENCH).items():
        if context == METRIC:
            parts = re.split(r"\{(\w+)\}", english)
            names = [f"(?P<{p}>.+?)" if n % 2 else re.escape(p) for n, p in enumerate(parts)]
            found.append((re.compile("".join(names)), french))
    return found


def name_metric(words: str) -> str:
    """Return what a hundred of something are, as `Metric.words` has it."""
    for ending in (" per 100 matches", " per 100 deals"):
        if words.endswith(ending):
            what = words.removesuffix(ending)
            return (say("points ({what})", what=what) if " " in what else what) + say(ending)
    return say(words)
