"""Messages name the words and signs of the language as they are written."""

from trutdsl.syntax.messages import WORDS, in_words
from trutdsl.syntax.parse import grammar, spellings


def test_every_terminal_is_shown_in_its_spelling():
    names = {terminal.name for terminal in grammar().terminals} - set(grammar().lexer_conf.ignore)
    for name in names:
        shown = WORDS.get(name) or spellings()[name]
        assert "anon" not in shown.lower()
        assert "_" not in shown
    assert any("ANON" in name for name in names)  # terminals without a name of their own
    assert "times" in spellings().values()


def test_no_list_of_expected_words_names_a_terminal():
    names = {t.name for t in grammar().terminals} | {"_INDENT", "_DEDENT", "$END"}
    for state in grammar().parser.parser._parse_table.states.values():
        expected = names & set(state)
        assert not expected or "anon" not in in_words(expected, spellings()).lower()
