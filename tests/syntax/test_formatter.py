"""The formatter changes indentation, blanks and blank lines, and nothing else."""

from __future__ import annotations

import random
import re

import pytest

from trutdsl.api.rules import format_text
from trutdsl.diagnostics import Rejected, Source

FILES = ("variants/**/*.yaml", "strategies/*.strategy", "docs/examples/**/*.strategy")
STRING_OR_CITES = re.compile(r'("[^"\n]*"|\[[^\]\n]*\]|#.*)')

CONTINUED = re.compile(r"(?m)^( *)[^ #\n].*[^:\n]\n\1 +\S")  # a sentence goes on, further right


def format_rules(text: str, name: str = "one.rules") -> str:
    return format_text(Source(name, text))


def shipped_files(root):
    return sorted(path for pattern in FILES for path in root.glob(pattern))


def test_shipped_files_are_formatted(root):
    files = shipped_files(root)
    assert len(files) > 60
    for path in files:
        text = path.read_text("utf-8")
        assert format_text(Source(str(path), text)) == text, path


def disturb(text: str, chance: random.Random) -> str:
    """Return a script with another step of indentation, more blanks and more blank lines."""
    step = chance.choice((1, 2, 3, 7))
    lines = []
    for line in text.split("\n"):
        words = line.lstrip(" ")
        parts = STRING_OR_CITES.split(words)
        for at in range(0, len(parts), 2):  # outside of texts and comments
            parts[at] = re.sub(" ", lambda _: " " * chance.randint(1, 3), parts[at])
            parts[at] = re.sub(
                r"(?<=[(,)])|(?=[,:)])", lambda _: " " * chance.randint(0, 1), parts[at]
            )
        columns = len(line) - len(words)
        margin = columns // 4 * step + columns % 4
        lines.append((" " * margin + "".join(parts) + " " * chance.randint(0, 2)).rstrip("\r"))
        if not words:
            lines += [""] * chance.randint(0, 2)
    return "\n".join(lines)


def test_a_disturbed_script_is_restored(root):
    chance = random.Random(5)
    restored = 0
    for path in sorted((root / "strategies").glob("*.strategy")):
        text = path.read_text("utf-8")
        if CONTINUED.search(text) or re.search(r"\S  +#", text):
            continue  # the columns of these stay
        disturbed = disturb(text, chance)
        assert disturbed != text
        assert format_text(Source(path.name, disturbed)) == text, path
        restored += 1
    assert restored > 10


@pytest.mark.parametrize(
    ("written", "formatted"),
    [
        ("rule a( x ,y )->1 to 3 :return x", "rule a(x, y) -> 1 to 3: return x"),
        ("define a: - 1 -b- ( - c )", "define a: -1 - b - (-c)"),
        ("define a: b(c) [ 2 ]", None),
        ("define a:b [ c ]", "define a: b[c]"),
        ("define a: b (c)", "define a: b(c)"),
        ("define a: not(b) and(c)or d", "define a: not (b) and (c) or d"),
        ("define a: {1,2 , 3 }", "define a: {1, 2, 3}"),
        ("define a: x==1 or y!=2 or z<=3", "define a: x == 1 or y != 2 or z <= 3"),
        ('define a   "a  text"  [T1  T2]: 1', 'define a "a  text" [T1  T2]: 1'),
        ("type a = one  of b|c", "type a = one of b | c"),
        ("define a:\n  - b", "define a:\n    -b"),
        ("define a: f(\n  - b,\n  - c)", "define a: f(\n    -b,\n    -c)"),
        ('rule a:\n  ask b "c":\n    d as\tpass', 'rule a:\n    ask b "c":\n        d as pass'),
        ("rule a:\n  repeat at\tmost 3 times: do b", "rule a:\n    repeat at most 3 times: do b"),
        ("deal state:\n b : seat ?\n", "deal state:\n    b: seat?"),
        ("rule a:\n  let b = chance 5%", "rule a:\n    let b = chance 5 %"),
        ("rule a:\n  repeat at   most 3 times: do b", "rule a:\n    repeat at most 3 times: do b"),
        ('rule a:\n  ask b "c":\n    play 7h', 'rule a:\n    ask b "c":\n        play 7h'),
        ("rule a:\n\n\n  b -=1\n\n\n\n  c+= 2\n\n", "rule a:\n    b -= 1\n\n    c += 2"),
    ],
)  # fmt: skip
def test_blanks(written, formatted):
    if formatted is None:
        with pytest.raises(Rejected):
            format_rules(written)
    else:
        assert format_rules(written).rstrip("\n") == formatted
        assert format_rules(formatted).rstrip("\n") == formatted


def test_a_comment_stays_in_its_block():
    written = """
# first
rule a:
  # in the rule
  if b:
     # in the branch
     do c   # beside it
     # at the end of the branch
  # after the branch

# before the next rule

rule d:
  do e# near
  # at the end
# last
"""
    formatted = """# first
rule a:
    # in the rule
    if b:
        # in the branch
        do c   # beside it
        # at the end of the branch
    # after the branch

# before the next rule

rule d:
    do e  # near
    # at the end
# last
"""
    assert format_rules(written) == formatted
    assert format_rules(formatted) == formatted


def test_a_sentence_over_several_lines_keeps_its_shape():
    written = """rule a:
  if b and
        c or
      d:
    let e = f(
      1,
      # the second
      2
    )
"""
    formatted = """rule a:
    if b and
          c or
        d:
        let e = f(
            1,
            # the second
            2
        )
"""
    assert format_rules(written) == formatted
    assert format_rules(formatted) == formatted


def test_a_comment_in_a_sentence_moves_with_it():
    written = """rule a:
  let e = f(b,
            # the second
            c
            # no more
           )
"""
    formatted = """rule a:
    let e = f(b,
              # the second
              c
              # no more
             )
"""
    assert format_rules(written) == formatted
    assert format_rules(formatted) == formatted


@pytest.mark.parametrize("blank", ["", "\n", "\n \n\n"])
def test_a_text_without_words_becomes_empty(blank):
    assert format_rules(blank) == ""


def test_a_line_that_would_be_too_long_to_be_read_is_refused():
    assert len(format_rules(f"define a: f({','.join(['b'] * 600)})\n")) == 1812
    with pytest.raises(Rejected, match="this line is 2,111 characters long"):
        format_rules(f"define a: f({','.join(['b'] * 700)})\n")


HEAD = "variant: one\ntitle: One\n"


@pytest.mark.parametrize(
    ("written", "formatted"),
    [
        ("rules: &a\n  |\n  define b:  1\n", "rules: &a\n  |\n  define b: 1\n"),
        (
            "rules: &a |\n  define b: 1\n\n\n  define c:  1\nvocabulary: *a\nwords: {}\n",
            "rules: &a |\n  define b: 1\n\n  define c: 1\nvocabulary: *a\nwords: {}\n",
        ),
        ("'rules': |2-\n  define b:  1", "'rules': |2-\n  define b: 1"),
        ("rules: |+ # all\n  define b:1\n   \n\n  \n", "rules: |+ # all\n  define b: 1\n\n\n\n"),
        ("? rules\n: |\n  define b:1\n # c\n", "? rules\n: |\n  define b: 1\n # c\n"),
    ],
)  # fmt: skip
def test_blocks_of_any_form(written, formatted):
    assert format_rules(HEAD + written, "one.yaml") == HEAD + formatted
    assert format_rules(HEAD + formatted, "one.yaml") == HEAD + formatted


def test_yaml_around_the_rules_stays():
    written = """variant: one
title:   One     # as written
players: [2]
rules: |

   rule a:
     do   b

   # at the end
words:   {}
vocabulary: |
  define c :1
"""
    formatted = """variant: one
title:   One     # as written
players: [2]
rules: |
   rule a:
       do b

   # at the end
words:   {}
vocabulary: |
  define c: 1
"""
    assert format_rules(written, "one.yaml") == formatted
    assert format_rules(formatted, "one.yaml") == formatted


def test_a_file_that_does_not_parse_is_refused():
    with pytest.raises(Rejected, match=r"one\.rules:1:6"):
        format_rules("rule 5:\n")
    with pytest.raises(Rejected, match="a file of scenarios"):
        format_rules("scenario: one\n", "one.yaml")
