"""`docs/french.md`: the French terms are sorted, and the translations use them."""

import re
import unicodedata

import pytest

ROW = re.compile(r"^\| (?!French )(\w[^|]*) \| [^|]+ \| [^|]+ \|$", re.MULTILINE)
SAME_STEM = {"couper": "coup", "se coucher": "couche"}


def plain(text):
    """Return a text in lower case, without accents."""
    return unicodedata.normalize("NFD", text.lower()).encode("ascii", "ignore").decode()


@pytest.fixture
def page(root):
    return (root / "docs" / "french.md").read_text(encoding="utf-8")


@pytest.fixture
def french(root):
    """Return all French texts of the catalogue and of the variants."""
    catalogue = (root / "trutdsl" / "translations" / "fr.po").read_text(encoding="utf-8")
    translations = re.sub(
        r'^msgid(_plural)? "[^\n]*"(\n"[^\n]*")*', "", catalogue, flags=re.MULTILINE
    )
    files = [file.read_text(encoding="utf-8") for file in (root / "variants").rglob("*.yaml")]
    words = [re.split(r"^  fr:$", text, flags=re.MULTILINE)[-1] for text in files]
    books = [line for text in files for line in re.findall(r"^ +fr: .*", text, re.MULTILINE)]
    return "\n".join([translations, *words, *books]).lower()


def test_terms_are_used_and_sorted(page, french):
    terms = ROW.findall(page)
    assert len(terms) > 25 and terms == sorted(terms, key=plain)
    stems = {term: SAME_STEM.get(term, term.removesuffix("er")) for term in terms}
    assert [term for term, stem in stems.items() if not re.search(rf"\b{stem}", french)] == []


def test_the_catalogue_avoids_the_words_that_the_page_excludes(page, root):
    translations = (root / "trutdsl" / "translations" / "fr.po").read_text(encoding="utf-8").lower()
    *_, last = page.strip().split("\n\n")
    avoided = re.findall(r"\*([^*]+)\*", last.partition(" are not used")[0])
    assert len(avoided) == 3
    assert [word for word in avoided if re.search(rf"\b{word}s?\b", translations)] == []
