"""The words of types are keywords only where a type is expected."""

from trutdsl.ir import build_program
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
