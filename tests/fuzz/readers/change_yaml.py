"""Changes to YAML: keys, indentation, scalars, and the parts of YAML that variants may not use."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

from .change_bytes import Change

SCALARS = (
    "", "~", "null", "0x1F", "0o17", "012", "0b11", "1_000", "1e3", "-0", "+5", "1" * 19,
    "9" * 5_000, "-1", "16", "17", "1.5", "0.0000001", ".nan", ".inf", "-.Inf", "2001-12-14",
    "2001-12-14t21:59:43.10-05:00", "12:30:45", "true", "Yes", "NO", "on", "=", "<<", "'", "''",
    '"', '"\\ud800"', '"\\x00"', '"\\U0001F600"', '"\\N"', "'it''s'", "[]", "{}", "[a, b]",
    "{a: b}", "[[[[]]]]", "{? a, b: }", "[a: b]", "&a x", "*a", "*x", "!!int 3",
    "!!python/object/apply:os.system [id]", "!<tag:yaml.org,2002:str> x", "! x", "%x", "@x", "`x",
    "- x", "? x", ": x", "|", ">", "|2", ">-9", "|+", "# x", "a # b", "a: b", "a:b", "{", "[", "]",
    "input.yaml", "../input.yaml", "input", "trut", "lib/signals", "/etc/passwd.yaml", ".yaml",
    "a" * 41, "é", "ａ", "x\u0301", "\u202ex", "\ufeff", "a\tb", "all", "none", "[2, 2]",
    "{2: 2, 2: 3}", "[16]", "99999999", "1000000000", "-1000000001",
)  # fmt: skip
KEYS = (
    "variant", "module", "title", "summary", "players", "teams", "pack", "suits", "ranks", "values",
    "special_cards", "counters", "parameters", "rules", "extends", "uses", "set", "sources", "by",
    "of", "type", "min", "max", "default", "help", "choice", "choices", "source", "<<", "scenario",
    "start", "actions", "expect", "hands", "stock", "turned", "random", "dealer", "decision",
    "seat", "name", "tricks", "next_dealer", "error", "deal_over", "match_winner", "0", "15", "99",
)  # fmt: skip
VALUE = re.compile(r"(?<=: )[^\n]+|(?<=- )[^\n]+")
ENTRY = re.compile(r"^( *)(- )?([^\s:#][^\n:]*):", re.MULTILINE)
WORD = re.compile(r"[A-Za-z0-9_.-]+")

Lines = list[str]


def _replace_match(
    text: str, rng: Random, pattern: re.Pattern[str], new: Callable[[str], str]
) -> str:
    """Return the text with one match of the pattern replaced."""
    places = list(pattern.finditer(text))
    if not places:
        return text
    place = rng.choice(places)
    return text[: place.start()] + new(place[0]) + text[place.end() :]


def replace_scalar(text: str, rng: Random, _others: Sequence[str]) -> str:
    """Replace a value by an odd one."""
    return _replace_match(text, rng, VALUE, lambda _: rng.choice(SCALARS))


def replace_word(text: str, rng: Random, _others: Sequence[str]) -> str:
    """Replace a word by another one of the file, or by an odd value."""
    words = WORD.findall(text) or ["x"]
    return _replace_match(
        text, rng, WORD, lambda _: rng.choice((rng.choice(words), rng.choice(SCALARS)))
    )


def replace_by_similar_word(text: str, rng: Random, _others: Sequence[str]) -> str:
    """Replace a word by one of the same kind in the file, or change a number slightly."""
    words = list(WORD.finditer(text))
    if not words:
        return text
    old = rng.choice(words)
    if old[0].isdecimal() and rng.random() < 0.5:
        new = str(int(old[0][:9]) + rng.choice((-1, 1, 10)))
    else:
        new = rng.choice([w[0] for w in words if w[0].isdecimal() == old[0].isdecimal()])
    return text[: old.start()] + new + text[old.end() :]


def replace_key(text: str, rng: Random, _others: Sequence[str]) -> str:
    """Replace the key of an entry."""
    return _replace_match(
        text, rng, ENTRY, lambda old: old[: len(old) - len(old.lstrip())] + _key(rng)
    )


def _key(rng: Random) -> str:
    return rng.choice((rng.choice(KEYS), rng.choice(SCALARS), "? a\n")) + ":"


def insert_mark(text: str, rng: Random, _others: Sequence[str]) -> str:
    """Insert an anchor, an alias, a tag or a quote before a value."""
    mark = rng.choice(("&a ", "*a ", "!!str ", "!x ", "'", '"', "| ", "> ", "- ", "[", "{", "# "))
    return _replace_match(text, rng, VALUE, lambda old: mark + old)


def insert_line(text: str, rng: Random, others: Sequence[str]) -> str:
    """Insert a line of another file, or a rare kind of line."""
    lines = text.split("\n")
    at = rng.randint(0, len(lines))
    other = rng.choice(rng.choice(others).split("\n"))
    odd = rng.choice(
        (
            "---", "...", "%YAML 1.1", "%YAML " + "9" * 40 + ".1", "%TAG ! tag:x,2000:", "<<: *a",
            "<<: {a: 1}", "? [a, b]\n: c", "a: &a [*a]", "&a a: *a", "\t", "- - - - -", "? ", ": ",
            f"{_key(rng)} {rng.choice(SCALARS)}", "x: |\n y\n  z\n w", "#" * 300,
        )
    )  # fmt: skip
    lines.insert(at, " " * rng.choice((0, 0, 2, 4, 3)) + rng.choice((other, odd, odd)))
    return "\n".join(lines)


def move_lines(text: str, rng: Random, _others: Sequence[str]) -> str:
    """Duplicate, delete, swap or move lines."""
    lines = text.split("\n")
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    size = rng.choice((1, 1, 1, 3, 10))
    part = lines[a : a + size]
    match rng.randrange(4):
        case 0:
            lines[b:b] = part
        case 1:
            del lines[a : a + size]
        case 2:
            lines[a], lines[b] = lines[b], lines[a]
        case _:
            del lines[a : a + size]
            lines[b:b] = part
    return "\n".join(lines)


def indent(text: str, rng: Random, _others: Sequence[str]) -> str:
    """Indent some lines differently."""
    lines = text.split("\n")
    start = rng.randrange(len(lines))
    by = rng.choice((-4, -2, -1, 1, 2, 4, 40))
    for at in range(start, min(len(lines), start + rng.choice((1, 1, 3, 20)))):
        kept = lines[at].lstrip(" ")
        old = len(lines[at]) - len(kept)
        lines[at] = ("\t" if rng.random() < 0.02 else " " * max(0, old + by)) + kept
    return "\n".join(lines)


def nest(text: str, rng: Random, _others: Sequence[str]) -> str:
    """Nest collections, sometimes very deeply."""
    depth = rng.choice((3, 20, 39, 40, 41, 60)) if rng.random() < 0.95 else 3_000
    before, after = rng.choice((("[", "]"), ("{a: ", "}"), ("- ", ""), ("? ", ""), ("[[", "]]")))
    new = before * depth + "x" + after * rng.choice((depth, depth - 1, 0))
    return _replace_match(text, rng, VALUE, lambda _: new)


def alias_bomb(text: str, rng: Random, _others: Sequence[str]) -> str:
    """Insert an alias bomb: lists of aliases of lists of aliases."""
    width, depth = rng.choice(((10, 20), (2, 39), (2, 12), (30, 3), (1, 60)))
    levels = [f"{rng.choice(KEYS)}0: &b0 [x, y]"]
    levels += [f"k{n}: &b{n} [{', '.join([f'*b{n - 1}'] * width)}]" for n in range(1, depth)]
    new = "\n".join([*levels, f"{rng.choice(KEYS)}: *b{depth - 1}", ""])
    return new + text if rng.random() < 0.5 else text + "\n" + new


def repeat_line(text: str, rng: Random, _others: Sequence[str]) -> str:
    """Repeat a line very often, unchanged or with different names."""
    lines = text.split("\n")
    at, times = rng.randrange(len(lines)), rng.choice((5, 30, 200, 1_500))
    line = lines[at][:60]
    lines[at:at] = [
        re.sub(r"([A-Za-z]\w*)", rf"\g<1>{n}", line, count=1) if times % 2 else line
        for n in range(times + rng.randrange(2))
    ]
    return "\n".join(lines)


TextChange = Callable[[str, Random, Sequence[str]], str]
CHANGES: tuple[TextChange, ...] = (
    replace_scalar, replace_scalar,
    replace_by_similar_word, replace_by_similar_word, replace_by_similar_word,
    replace_word, replace_key, insert_mark,
    insert_line, move_lines, move_lines, indent, nest,
)  # fmt: skip
RARE: tuple[TextChange, ...] = (alias_bomb, repeat_line)


def to_byte_change(changes: Sequence[TextChange], rare: Sequence[TextChange] = ()) -> Change:
    """Return a change of bytes that applies one of these changes of text."""

    def change(data: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
        one = rng.choice(rare if rare and rng.random() < 0.02 else changes)
        other = [rng.choice(others).decode("utf-8", "replace")]
        text = one(data.decode("utf-8", "surrogateescape"), rng, other)
        try:
            return text.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:  # the change inserted a lone surrogate
            return text.encode("utf-8", "surrogatepass")

    return change
