"""`docs/python.md`: its examples give what they show."""

from doctest import DocTestParser, DocTestRunner

from documents import blocks


def test_examples_give_what_is_shown(root):
    """One session from the first block to the last; what differs is printed."""
    text = (root / "docs" / "python.md").read_text(encoding="utf-8")
    sessions = blocks(text, "pycon")
    assert len(sessions) >= 5
    session = "\n".join(body for _, body in sessions)
    test = DocTestParser().get_doctest(session, {}, "python.md", "python.md", 0)
    result = DocTestRunner(verbose=False).run(test)
    assert result.failed == 0 and result.attempted > 25
