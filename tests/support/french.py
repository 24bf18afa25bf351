"""Words on French screens and pages, and which of them no French text has."""

import re
from functools import cache

from trutdsl.language import translations
from trutdsl.strategy import list_strategies
from trutdsl.variant import list_variants, load_variant

WORD = re.compile(r"(?<!\w)[^\W\d_]+(?:[-_][^\W\d_]+)*(?!\w)")
# What stands for itself: code, quotations, options, files, sources, lines of a file.
VERBATIM = re.compile(
    r"`[^`]*`|«[^»]*»|(?<!\w)'[^'\n]*'|\S+\.strategy:\d+: .*|Robin Red Games|--[\w-]+"
    r"|\S*[\w-]+\.(?:yaml|strategy|jsonl|py|html|policy|md|csv)\S*|\[[\w ,-]+\]"
    r"|^ *\d+ \| .*|^ +\| .*|trutdsl [\w -]*|\w+=\S+|Matplotlib",
    re.MULTILINE,
)
# Elements of a page whose text is no French: code stands for itself.
UNREAD = ("style", "script", "code", "pre")
IN_LINE = ("a", "b", "em", "i", "strong", "sup")


def words_in(text):
    """Return the words of a text, without what stands for itself."""
    return {word.lower() for word in WORD.findall(re.sub(r"\{[^}]*\}", "", VERBATIM.sub("", text)))}


# What French never says: a word twice, two words that contract, a vowel that is not dropped.
DOUBLED = (
    r"(?P<twice>à|au|aux|de|du|des|d'|le|la|les|que|qu'|par|pour|sur|dans|en|et|ou) (?P=twice)"
)
OPEN = r"[aeiouyâàéèêëîïôöùûüœæ][^\W\d_]"
BADLY_JOINED = re.compile(
    rf"(?<![\w'’«-]){DOUBLED}(?![\w'’-])"
    # Before an infinitive, `le` and `les` are pronouns: `de le jouer`.
    r"|(?<![\w'’-])(?:de|à) les? (?!\w+(?:er|ir|re)(?!\w)|y |en )\w+"
    r"|(?<![\w'’-])(?:de|que|le|la|ne|se|je|me|te|jusque|lorsque|puisque) (?!oui|onz|un\b)"
    rf"{OPEN}\w*",
    re.IGNORECASE,
)


def badly_joined(text):
    """Return where a French text says a preposition twice, or does not contract or elide."""
    return [found[0] for found in BADLY_JOINED.finditer(VERBATIM.sub("·", text))]


def text_on(element):
    """Return the text of a page's element as it is read, each block by itself."""
    if element.tag in UNREAD:
        return " "
    text = "".join(one if isinstance(one, str) else text_on(one) for one in element.words)
    return text if element.tag in IN_LINE else f" \n{text} \n"


@cache
def french_words():
    """Return the words of all French texts: of the catalogue, and of the shipped variants."""
    found = set()
    for said in translations("fr").values():
        found |= words_in(said if isinstance(said, str) else " ".join(said))
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
    told = [case.texts["fr"] for one in books for case in one.cases]
    found |= words_in(" ".join(told))
    return frozenset(found | {*list_strategies(), *list_variants()})
