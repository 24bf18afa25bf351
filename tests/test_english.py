"""Plain English: no sentence of a page or docstring has more than 30 words; half of a page 14."""

import ast
import re
from statistics import median

import pytest

LONGEST, MEDIAN = 30, 14
PAGES = ("*.md", "docs/*.md", "reports/README.md", "tests/fuzz/*/README.md")
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
RULE = re.compile(r"\|[\s:|-]+\|")
ITEM = re.compile(r"(?:#+|[-*]|\d+\.)\s+")
END = re.compile(r"(?<=[.!?:])[\")*_]*\s+(?=[\"(*_`A-Z0-9])")
FIELD = re.compile(r"^[\w*.]+(?:, [\w*.]+)*:\s", re.MULTILINE)
INLINE_FIELD = re.compile(r"(?<=[.;])\s+(?=\w+(?:, \w+)*:\s)")
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)
WORD = re.compile(r"[A-Za-z0-9][\w'’%./-]*")


def blocks(text):
    """Yield paragraphs, items, headings and cells of tables."""
    lines, paragraph = FENCED.sub("\n", text).splitlines(), []
    for line in map(str.strip, [*lines, ""]):
        item = ITEM.match(line)
        if line and not item and not line.startswith("|"):
            paragraph.append(line)
            continue
        yield " ".join(paragraph)
        paragraph = []
        if line.startswith("|") and not RULE.fullmatch(line):
            yield from re.split(r"(?<!\\)\|", line.strip("|"))
        elif item:
            paragraph = [line[item.end() :]]
            if line.startswith("#"):
                yield paragraph.pop()


def sentences(text):
    """Yield each sentence of three words or more, and the number of its words; code is one word."""
    for block in blocks(text):
        plain = re.sub(r"`[^`]*`", "code", block)
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", plain)
        for sentence in END.split(plain):
            words = len(WORD.findall(sentence))
            if words >= 3:
                yield words, sentence


def test_sentences_are_split():
    text = "# One two three\n\nIt is `so and so`. Then\nit ends.\n\n- an item here\n"
    text += "\n| a b c | no |\n|---|---|\n"
    assert [words for words, _ in sentences(text)] == [3, 3, 3, 3, 3]


@pytest.mark.parametrize("pattern", PAGES)
def test_sentences_are_short(root, pattern):
    pages = {page.name: [*sentences(page.read_text("utf-8"))] for page in root.glob(pattern)}
    assert pages
    long = {(name, s) for name, found in pages.items() for words, s in found if words > LONGEST}
    assert long == set()
    assert {name for name, found in pages.items() if median(w for w, _ in found) > MEDIAN} == set()


def docstrings(text):
    """Yield the prose of each docstring, without a list of fields after it."""
    for node in ast.walk(ast.parse(text)):
        text = isinstance(node, DOCUMENTED) and ast.get_docstring(node)
        if text:
            prose = text[: field.start()] if (field := FIELD.search(text)) else text
            yield "\n\n".join(INLINE_FIELD.split(prose))


def test_fields_end_the_prose():
    text = '"""One of its own. a: two\n\nthree.\n\nb: four\n"""'
    assert [*docstrings(text)] == ["One of its own.\n\na: two\n\nthree.\n\n"]


def test_sentences_of_docstrings_are_short(root):
    modules = {page.name: page.read_text("utf-8") for page in root.glob("trutdsl/**/*.py")}
    assert modules
    prose = ((name, text) for name, module in modules.items() for text in docstrings(module))
    long = {(n, s) for n, text in prose for words, s in sentences(text) if words > LONGEST}
    assert long == set()
