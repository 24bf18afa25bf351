"""Words on French screens and pages, and words of all French texts."""

import re
from functools import cache

from trutdsl.language import translations
from trutdsl.strategy.load import list_strategies
from trutdsl.variant import list_variants, load_variant

WORD = re.compile(r"(?<!\w)[^\W\d_]+(?:[-_][^\W\d_]+)*(?!\w)")
# Text in no language: code, quotations, options, files, sources, lines of a file.
VERBATIM = re.compile(
    r"`[^`]*`|«[^»]*»|(?<!\w)'[^'\n]*'|\S+\.strategy:\d+: .*|Robin Red Games|--[\w-]+"
    r"|\S*[\w-]+\.(?:yaml|strategy|jsonl|py|html|policy|md|csv)\S*|\[[\w ,-]+\]"
    r"|^ *\d+ \| .*|^ +\| .*|trutdsl [\w -]*|\w+=\S+|Matplotlib",
    re.MULTILINE,
)
# A part of a message that begins and ends inside of code, as in "teams`, or `team(SEAT)".
CODE_AROUND = re.compile(r"[^`]*\S`(?:,| \w)[^`]*`[^`]*")
# Elements of a page whose text is not French.
UNREAD_ELEMENTS = ("style", "script", "code", "pre")
INLINE_ELEMENTS = ("a", "b", "em", "i", "strong", "sup")


def words_in(text):
    """Return the words of a text, without code, names of files and quotations."""
    return {word.lower() for word in WORD.findall(re.sub(r"\{[^}]*\}", "", VERBATIM.sub("", text)))}


# Mistakes in French: a repeated word, a missing contraction, a missing elision.
REPEATED_WORD = (
    r"(?P<twice>à|au|aux|de|du|des|d'|le|la|les|que|qu'|par|pour|sur|dans|en|et|ou) (?P=twice)"
)
FIRST_VOWEL = r"[aeiouyâàéèêëîïôöùûüœæ][^\W\d_]"
BAD_JOIN = re.compile(
    rf"(?<![\w'’«-]){REPEATED_WORD}(?![\w'’-])"
    # Before an infinitive, `le` and `les` are pronouns: `de le jouer`.
    r"|(?<![\w'’-])(?:de|à) les? (?!\w+(?:er|ir|re)(?!\w)|y |en )\w+"
    r"|(?<![\w'’-])(?:de|que|le|la|ne|se|je|me|te|jusque|lorsque|puisque) (?!oui|onz|un\b)"
    rf"{FIRST_VOWEL}\w*",
    re.IGNORECASE,
)


def find_bad_joins(text):
    """Return the places where a French text repeats a word, or lacks a contraction or elision."""
    return [found[0] for found in BAD_JOIN.finditer(VERBATIM.sub("·", text))]


def text_on(element):
    """Return the readable text of a page's element, with one line for each block."""
    if element.tag in UNREAD_ELEMENTS:
        return " "
    text = "".join(one if isinstance(one, str) else text_on(one) for one in element.words)
    return text if element.tag in INLINE_ELEMENTS else f" \n{text} \n"


@cache
def french_words():
    """Return the words of all French texts, from the catalogue and the shipped variants."""
    found = set()
    for entry in translations("fr").values():
        text = entry if isinstance(entry, str) else " ".join(entry)
        found |= words_in(f"`{text}`" if CODE_AROUND.fullmatch(text) else text)
    for layer in (layer for name in list_variants() for layer in load_variant(name).layers):
        if own := layer.words.get("fr"):
            texts = [own.title, own.summary]
            texts += [
                text for _, of in own.choices.values() for one in of.values() for text in one.texts
            ]
            texts += [
                text for of in own.names.values() for one in of.values() for text in one.texts
            ]
            found |= words_in(" ".join(filter(None, texts)))
    books = (one for name in list_variants() for one in load_variant(name).book)
    rulings = [case.texts["fr"] for one in books for case in one.cases]
    found |= words_in(" ".join(rulings))
    return frozenset(found | {*list_strategies(), *list_variants()})
