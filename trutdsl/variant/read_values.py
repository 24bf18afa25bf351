"""Reads typed values from YAML nodes; a reader reports an error and returns None."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from trutdsl.diagnostics import Collector, Span, did_you_mean, write_instead
from trutdsl.language import mark, one_by_one, quote_name, say
from trutdsl.variant.key_advice import (
    EXAMPLES,
    NUMBER_WORDS,
    SETTING,
    advice_on_key,
    key_meant_by,
    mapping_advice,
    missing_key_advice,
    valueless_advice,
)
from trutdsl.variant.shapes import BOOLEAN, PLAIN, VALUE, YamlKeys, shaped
from trutdsl.variant.source import kind_of_keys, name_other
from trutdsl.variant.yaml_nodes import Node, Scalar, Sequence, YamlMapping

BOOLEANS = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}
LARGEST = 1_000_000_000
LONGEST_SHOWN = LONGEST_NAME = 40

One = TypeVar("One")
INTEGER = re.compile(r"-?[0-9]+")
MOST_DIGITS = 18  # of a number that is in bounds anywhere, with its sign


@dataclass(frozen=True)
class NameForm:
    """The allowed form of a name, for the machine and for the reader; help for other texts."""

    pattern: str
    words: str
    help: str | None = None


IDENTIFIER = NameForm("[a-z][a-z0-9_]*", mark("a small letter, then small letters, digits and '_'"))
HYPHENATED = NameForm(
    "[a-z][a-z0-9_-]*", mark("a small letter, then small letters, digits, '-' and '_'")
)
CHOICE = NameForm(
    "[A-Za-z0-9][A-Za-z0-9_-]*", mark("a letter or digit, then letters, digits, '-' and '_'")
)
WORD = NameForm(
    r"(?:[^\W\d_]|[0-9])(?:[^\W\d]|[0-9])*", mark("a letter or digit, then letters, digits and '_'")
)


def shorten(text: str, most: int = LONGEST_SHOWN) -> str:
    """Return a text on one line, short enough for a message."""
    line = " ".join(text[: 4 * most].split())
    return line if len(line) <= most else line[: most - 3] + "..."


def describe(node: Node) -> str:
    """Describe a node in the words of a message."""
    match node:
        case YamlMapping():
            return say("a mapping") if node.entries else say("an empty mapping")
        case Sequence():
            return say("a list") if node.items else say("an empty list")
        case Scalar(style="list"):
            return say("a list") if node.text else say("an empty list")
        case Scalar(text="", style="plain"):
            return say("nothing")
        case Scalar(style="plain"):
            return quote_name(shorten(node.text))
        case Scalar(style="quoted"):
            return say("the quoted text '{node}'", node=shorten(node.text))
        case Scalar():
            return say("a block of text") if node.text.strip() else say("an empty block of text")


def refuse(
    node: Node, what: str, expected: str, errors: Collector, help: str | None = None
) -> None:
    """Add the diagnostic for a node of the wrong type."""
    text = "{what} must be {expected}, found {found}"
    message = say(text, what=what, expected=expected, found=describe(node))
    errors.error("wrong-type", message, node.span, help=help)


@shaped(PLAIN)
def read_line(node: Node, what: str, errors: Collector) -> str | None:
    """Return one line of text that is not empty."""
    if isinstance(node, Scalar) and node.text.strip():
        if "\n" not in node.text.strip("\n"):
            return node.text.strip()
        refuse(node, what, say("one line of text"), errors)
    else:
        one = node.items[0] if isinstance(node, Sequence) and len(node.items) == 1 else None
        help_text = say("write `{words}`", words=one.text) if isinstance(one, Scalar) else None
        refuse(node, what, say("a text"), errors, help_text)
    return None


@shaped(PLAIN)
def read_text(node: Node, what: str, errors: Collector) -> str | None:
    """Return a text of any number of lines, not empty."""
    if isinstance(node, Scalar) and node.text.strip():
        return node.text.strip()
    refuse(node, what, say("a text"), errors)
    return None


def read_name(
    node: Node, what: str, errors: Collector, form: NameForm = IDENTIFIER
) -> Scalar | None:
    """Return a scalar whose text is a name: by default an identifier of the rule language."""
    if not isinstance(node, Scalar) or not node.text or node.style in ("literal", "folded"):
        refuse(node, what, say("a name"), errors)
        return None
    help_text = say(form.help) if form.help else None
    if len(node.text) > LONGEST_NAME:
        text = "{what} must have at most {longest} letters, found {found}"
        message = say(text, what=what, longest=LONGEST_NAME, found=describe(node))
    elif not re.fullmatch(form.pattern, node.text):
        text = "{what} must be {words}; found {found}"
        message = say(text, what=what, words=say(form.words), found=describe(node))
        bounds = re.fullmatch(r"(\d{1,2})\s*(?:-|–|to|à|\.\.)\s*(\d{1,2})", node.text)
        if setting := SETTING.fullmatch(node.text):
            help_text = write_instead(f"{setting[1]}: {setting[2]}")
        elif bounds:
            low, high = sorted(map(int, bounds.groups()))
            numbers = [str(number) for number in range(low, high + 1)]
            if int(bounds[1]) > low:
                numbers.reverse()
            help_text = say("write them one by one: `{words}`", words=", ".join(numbers))
        elif meant := _name_meant_by(node.text, form):
            help_text = write_instead(meant)
    else:
        return node
    errors.error("bad-name", message, node.span, help=help_text)
    return None


def _name_meant_by(text: str, form: NameForm) -> str | None:
    """Return the name of this form that is most like a text, None if nothing is."""
    plain = unicodedata.normalize("NFKD", text.strip()).encode("ascii", "ignore").decode().lower()
    joined = re.sub(r"[\W_]+", "-", plain).strip("-"), re.sub(r"\W+", "_", plain).strip("_")
    for name in (text.lower(), *joined):
        if re.fullmatch(form.pattern, name):
            return name
    return None


@shaped({"type": "integer"})
def read_integer(
    node: Node, what: str, errors: Collector, least: int = -LARGEST, most: int = LARGEST
) -> int | None:
    """Return a whole number from `least` to `most`, written in plain digits."""
    bounded = (least, most) != (-LARGEST, LARGEST)
    expected = (
        say("a whole number from {least} to {most}", least=least, most=most)
        if bounded
        else say("a whole number")
    )
    if not isinstance(node, Scalar) or node.style != "plain":
        help_text = None
        one = node.items[0] if isinstance(node, Sequence) and len(node.items) == 1 else node
        if isinstance(one, Scalar) and INTEGER.fullmatch(one.text):
            cure = say("write it without quotes")
            help_text = cure if one is node else say("write `{words}`", words=one.text)
        refuse(node, what, expected, errors, help_text)
        return None
    number = parse_integer(node.text)
    if number is None:
        help_text = (
            say("write it in plain digits, such as 12")
            if re.search("[0-9]", node.text) and not re.fullmatch("-?[1-9][0-9]*", node.text)
            else None
        )
        if re.fullmatch(r"\d+\s*(?:to|-|–|\.\.+|à)\s*\d+", node.text):
            help_text = say("a range is no number: write the numbers one by one, such as 2, 3")
        seat = re.fullmatch(r"(player|joueur|seat|team|place)[ _-]?(\d{1,3})", node.text)
        if seat and least == 0 and seat[1] in ("player", "joueur"):
            number = max(0, int(seat[2]) - 1)
            help_text = say("files count from 0: write `{number}`", number=number)
        elif seat:
            help_text = say("write `{words}`", words=seat[2])
        elif least == 0 and bounded and help_text is None:
            help_text = say("files count from 0: player 1 is `0`")
        refuse(node, what, expected, errors, help_text)
    elif not least <= number <= most:
        text = "{what} must be a whole number from {least} to {most}, found {number}"
        message = say(text, what=what, least=least, most=most, number=number)
        errors.error("out-of-range", message, node.span)
    else:
        return number
    return None


def read_key(
    node: Node, what: str, errors: Collector, least: int = -LARGEST, most: int = LARGEST
) -> int | None:
    """Return a whole number that is a key. It may be quoted, as all keys are in JSON."""
    if isinstance(node, Scalar) and node.style == "quoted":
        node = replace(node, style="plain")
    return read_integer(node, what, errors, least, most)


def parse_integer(text: str, most_digits: int = MOST_DIGITS) -> int | None:
    """Return the value of a text of plain digits, None for `012`, `1_000`, `0x1F`, `1e3`."""
    if not INTEGER.fullmatch(text) or len(text) > most_digits or re.match("-?0[0-9]|-0", text):
        return None
    return int(text)


@shaped(VALUE)
def read_value(node: Node, what: str, errors: Collector) -> Scalar | None:
    """Return one unchecked value, or several in a list as one text with commas."""
    if isinstance(node, Scalar) and node.text:
        return node
    if isinstance(node, Sequence):
        texts = [item.text for item in node.items if isinstance(item, Scalar)]
        if len(texts) == len(node.items):
            return Scalar(",".join(texts), "list", node.span)
    empty = isinstance(node, Scalar) and not node.text
    refuse(node, what, say("one value"), errors, valueless_advice(what) if empty else None)
    return None


@shaped(BOOLEAN)
def read_boolean(node: Node, what: str, errors: Collector) -> bool | None:
    """Return the value of a plain `true`, `false`, `on`, `off`, `yes` or `no`."""
    if isinstance(node, Scalar) and node.style == "plain" and node.text in BOOLEANS:
        return BOOLEANS[node.text]
    help_text = None
    if isinstance(node, Scalar) and node.text.lower() in BOOLEANS:
        help_text = say(
            "write {lower}, in small letters and without quotes", lower=node.text.lower()
        )
    if isinstance(node, Scalar) and node.text.lower() in ("oui", "non", "vrai", "faux"):
        meant = "true" if node.text.lower() in ("oui", "vrai") else "false"
        help_text = write_instead(meant)
    refuse(node, what, say("true or false"), errors, help_text)
    return None


def read_items(node: Node, what: str, errors: Collector, least: int = 0) -> tuple[Node, ...]:
    """Return the items of a list of at least so many, nothing after a reported mistake."""
    if isinstance(node, Sequence) and len(node.items) >= least:
        return node.items
    help_text = None
    if isinstance(node, Scalar):
        parts = [
            part.strip() for part in re.split(r"[,>|;]|\b(?:or|and|et|ou|und|oder)\b", node.text)
        ]
        words = parts if len(parts) > 1 else node.text.split()
        words = [NUMBER_WORDS.get(word.lower(), word) for word in words]
        bounds = re.fullmatch(r"([2-8])\s*(?:to|-|\.\.|à|bis)\s*([2-8])", node.text)
        if bounds:
            words = list(map(str, range(int(bounds[1]), int(bounds[2]) + 1)))
        plain = words and all(re.fullmatch(r"\w+(?:/[\w-]+)?", word) for word in words)
        one = ", ".join(words) if plain or not (words or least) else say("a, b")
        help_text = say("write [{one}]", one=one)
    elif isinstance(node, YamlMapping):
        help_text = say("begin each entry with `- `, or write [a, b]")
    refuse(node, what, say("a list"), errors, help_text)
    return ()


def read_distinct(
    node: Node, what: str, errors: Collector, read: Callable[[Node], One | None]
) -> tuple[One, ...]:
    """Return the results of `read` for a list; wrong and repeated items are reported."""
    values: dict[object, One] = {}
    for item in read_items(node, what, errors, least=1):
        one = read(item)
        key = one.text if isinstance(one, Scalar) else one
        if one is not None and key in values:
            name = quote_name(one.text) if isinstance(one, Scalar) else str(one)
            message = say("{name} occurs twice in {what}", name=name, what=what)
            errors.error("declared-twice", message, item.span, help=say("delete one of them"))
        elif one is not None:
            values[key] = one
    return tuple(values.values())


def read_names(
    node: Node, what: str, errors: Collector, form: NameForm = IDENTIFIER
) -> tuple[Scalar, ...]:
    """Return a list of distinct names; wrong ones are reported and left out."""
    entry = say("an entry of {what}", what=what)
    return read_distinct(node, what, errors, lambda item: read_name(item, entry, errors, form))


@shaped({"type": "object"})
def read_entries(
    node: Node, what: str, errors: Collector
) -> tuple[tuple[Scalar, Node], ...] | None:
    """Return the entries of a mapping with free keys; it may be empty (`{}`)."""
    if isinstance(node, YamlMapping):
        return node.entries
    refuse(node, what, say("a mapping"), errors, mapping_advice(what, node))
    return None


def key_span(node: Node, key: str) -> Span:
    """Return the position of a key in a mapping."""
    assert isinstance(node, YamlMapping)
    return next(known.span for known, _ in node.entries if known.text == key)


def keep_node(node: Node, _what: str, _errors: Collector) -> Node:
    """Return the node itself, to be read later."""
    return node


def read_mapping(
    node: Node,
    what: str,
    errors: Collector,
    keys: YamlKeys,
    span: Span | None = None,
    quote: str = "'",
) -> dict[str, Any]:
    """Return the value of each key of a table; its default if it is missing or wrong.

    span: where a missing key is reported. quote: the sign around a key in messages.
    """
    required = tuple(name for name, key in keys.items() if key.required)
    fields = read_fields(node, what, errors, tuple(keys), required, span)
    return read_known(fields or {}, errors, keys, quote)


def read_known(
    fields: Mapping[str, Node], errors: Collector, keys: YamlKeys, quote: str = "'", of: str = ""
) -> dict[str, Any]:
    """Return the values of the keys of a table, as `read_mapping` does, from their nodes."""
    values = {}
    for name, key in keys.items():
        label = f"{quote}{name}{quote}{of}"
        value = key.read(fields[name], label, errors) if name in fields else None
        values[name] = key.default if value is None else value
    return values


def read_fields(
    node: Node,
    what: str,
    errors: Collector,
    known: tuple[str, ...],
    required: tuple[str, ...] = (),
    span: Span | None = None,
    advice: dict[str, str] | None = None,
) -> dict[str, Node] | None:
    """Return the values of a mapping with known keys; unknown ones are reported and left out.

    span: where a missing key is reported, by default at the start of the mapping.
    advice: keys of other places, and advice for each.
    """
    if not isinstance(node, YamlMapping):
        advice_text = mapping_advice(what, node)
        if what == "`decision`" and isinstance(node, Scalar) and node.text:
            keys = advice_text
        else:
            keys = say("its keys: ") + ", ".join(known)
            if len(required) == 1 and (example := EXAMPLES.get(required[0])):
                written = say("write `{found}`", found=f"{{{required[0]}: {example}}}")
                keys = one_by_one((written, keys))
        refuse(node, what, say("a mapping"), errors, keys)
        return None
    fields: dict[str, Node] = {}
    for key, value in node.entries:
        if key.text in known:
            fields[key.text] = value
        else:
            cure = (advice or {}).get(key.text) or advice_on_key(key.text, value, known)
            message = say("{what} has no key '{key}'", what=what, key=shorten(key.text))
            errors.error("unknown-key", message, key.span, help=cure)
    unknown = [key.text for key, _ in node.entries if key.text not in known]
    for name in required:
        # A misspelt key is reported once.
        misspelt = any(did_you_mean(k, [name], 0.7) or key_meant_by(k, [name]) for k in unknown)
        if name not in fields and not misspelt:
            message = say("{what} has no '{name}'", what=what, name=name)
            help_text = missing_key_advice(name)
            errors.error("missing-key", message, span or node.span, help=help_text)
    return fields


# Files of another kind: scenarios, scripts, and files that do not name their kind.


def refuse_without_kind(node: YamlMapping, errors: Collector) -> None:
    """Add the diagnostic for a file without `variant` and `module`."""
    first = node.entries[0][0] if node.entries else None
    if first and first.text.startswith("strategy "):
        message = say("this is a script, not a variant")
        help_text = say("a script's name ends in .strategy; rename the file")
        errors.error("wrong-kind", message, node.span, help=help_text)
        return
    help_text = say("begin with 'variant: NAME'")
    for key, _ in node.entries:
        if meant := key_meant_by(key.text, ("variant", "module")):
            text = "write `{found}` instead of `{instead}`"
            help_text = say(text, found=meant, instead=key.text)
            errors.error("missing-key", _no_kind(), key.span, help=help_text)
            return
    errors.error("missing-key", _no_kind(), node.span, help=help_text)


def _no_kind() -> str:
    return say("the file says neither 'variant: NAME' nor 'module: NAME'")


def refuse_other_kind(node: YamlMapping, expected: str, errors: Collector) -> bool:
    """Add the diagnostic for a YAML file of another kind; return whether there is one.

    expected: a kind of `trutdsl.variant.source`.
    """
    values = node.by_name
    kind, one = kind_of_keys(values), values.get("scenario")
    if kind in (None, expected):
        return False
    known = isinstance(one, Scalar) and re.fullmatch(HYPHENATED.pattern, one.text)
    help_text = name_other(expected, kind, node.span.source.name, known[0] if known else "NAME")
    message = say("this is {found}, not {expected}", found=say(kind), expected=say(expected))
    errors.error("wrong-kind", message, node.span, help=help_text)
    return True
