"""`docs/glossary.md`: every term is used, occurs once, and is in alphabetical order."""

import re

import pytest

ROW = re.compile(r"^\| (?!term )(\w[^|]*) \| ([^|]+) \|$", re.MULTILINE)


@pytest.fixture
def sections(root):
    """Return the rows (term, meaning) of each section."""
    text = (root / "docs" / "glossary.md").read_text(encoding="utf-8")
    return [ROW.findall(section) for section in text.split("\n## ")[1:]]


def test_every_term_is_used(root, sections):
    glossary = root / "docs" / "glossary.md"
    pages = {root / "README.md", *(root / "docs").glob("*.md")} - {glossary}
    sources = [*(root / "trutdsl").rglob("*.py"), *(root / "variants").rglob("*.yaml")]
    all_texts = " ".join(
        " ".join(path.read_text(encoding="utf-8").lower().split()) for path in (*pages, *sources)
    )
    terms = [term for rows in sections for term, _ in rows]
    assert len(terms) > 80
    unused = [t for t in terms if not re.search(rf"\b{re.escape(t.lower())}(s|es)?\b", all_texts)]
    assert unused == []


def test_terms_are_unique_sorted_and_short(sections):
    terms = [term for rows in sections for term, _ in rows]
    assert len(set(terms)) == len(terms)
    for rows in sections:
        assert rows == sorted(rows, key=lambda row: row[0].lower())
    # Each meaning fits on a line of the table.
    assert [term for rows in sections for term, meaning in rows if len(meaning) > 110] == []
