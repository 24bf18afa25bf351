"""Words of the language are keywords only where they have their meaning."""

import pytest

from trutdsl.diagnostics import Excerpt, Source
from trutdsl.ir import build_program
from trutdsl.syntax.parse import parse_strategy
from trutdsl.variant import load_variant

VARIANT = """\
variant: soft
title: Soft words
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts}, ranks: [A, K, Q]}
parameters: {type: {type: integer, min: 0, max: 4, default: 2, help: A number.}}
rules: |
  type set = one of all | some
  deal state:
      set: set
      whole: 0 to type
  rule match:
      deal:
          ask dealer "all":
              all of it: set = all
              set of type n from 0 to type: whole = n
          if set == all or set == some: end deal because played
          end deal because played
      end match drawn
"""


def test_the_words_of_types_can_be_names_elsewhere(tmp_path):
    (tmp_path / "soft.yaml").write_text(VARIANT, encoding="utf-8")
    program = build_program(load_variant(tmp_path / "soft.yaml"))
    assert [*program.variables] == ["set", "whole"]


PARTS = [
    "match",
    "deal",
    "trick",
    "table",
    "rule",
    "replace",
    "parameter",
    "define",
    "on",
    "otherwise",
    "after",
]
CHOICES = [
    "zero: seen = 0",
    "zero:\n            seen = 0",
    "let n = 5",
    "if leads: zero",
    "if leads:\n            zero\n        else:\n            one",
    "for n in 0 to 1: zero when seen == n",
    "mix:\n            50 %: zero\n            50 %: one",
]


@pytest.mark.parametrize("before", CHOICES)
@pytest.mark.parametrize("word", PARTS)
def test_an_option_may_begin_with_the_first_word_of_a_part(word, before):
    """A clause for it can follow any choice; a part can follow, too."""
    memory = "    match memory:\n        seen: 0 to 9\n"
    text = (
        'strategy all "x" for soft:\n'
        f"{memory}    on call:\n        {before}\n        {word} zero\n{memory}"
        f"    on turn: zero: seen = 0\n{memory}    otherwise: {word} zero\n{memory}"
    )
    script = parse_strategy(Excerpt(Source("x", text), text))
    *_, clause = script.answers[0].body.choices
    assert [one.text for one in clause.words] == [word, "zero"]
    assert len(script.memory) == 4
