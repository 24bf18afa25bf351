"""A program is built once for the same files, and again after a change."""

import pytest

from trutdsl.diagnostics import Rejected
from trutdsl.game import load_game
from trutdsl.ir import build_program
from trutdsl.ir.types import Number
from trutdsl.syntax.ast import Audience
from trutdsl.variant import load_variant
from trutdsl.variant.model import count_rules

OWN = "variant: own\ntitle: Own\nextends: trut\n"


def test_a_shipped_variant_is_built_once():
    one, two = (load_game("trut", players, engine="reference") for players in (2, 4))
    assert one.program is two.program
    assert load_game("trut-deluxe", engine="reference").program is not one.program


def test_a_changed_file_is_built_again(tmp_path):
    path = tmp_path / "own.yaml"
    path.write_text(OWN)
    before = build_program(load_variant(path))
    path.write_text(f"{OWN}set: {{goal: 5}}\n")
    assert build_program(load_variant(path)) is not before


def test_an_error_names_the_file_that_was_loaded(tmp_path):
    text = "variant: own\ntitle: Own\nextends: trut\nrules: |\n  define odd: nobody_at_all\n"
    for name in ("one.yaml", "two.yaml", "one.yaml"):
        path = tmp_path / name
        path.write_text(text)
        with pytest.raises(Rejected) as found:
            build_program(load_variant(path))
        assert found.value.diagnostics[0].span.source.name == str(path)


BASE = """\
variant: same
title: T
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts}, ranks: [A, K]}
rules: |
  rule match:
      do turn
      if number == 111: end match won by team(dealer)
      end match drawn
  rule turn:
      ask dealer "turn":
          options answers
  options answers:
      go: return
  define number: 1
"""
ABOVE = """\
variant: same
title: T
extends: ../{below}/same.yaml
rules: |
  replace rule turn: do base
  replace options answers:
      options base
      stay: return
  replace define number: base + {more}
"""


def test_files_of_one_name_replace_one_another(tmp_path):
    texts = {
        "a": BASE,
        "b": ABOVE.format(below="a", more=10),
        "c": ABOVE.format(below="b", more=100),
    }
    for folder, text in texts.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "same.yaml").write_text(text.replace("stay", f"stay {folder}"))
    program = build_program(load_variant(tmp_path / "c" / "same.yaml"))
    assert {"number", "number of same", "number of same'"} <= program.functions.keys()
    assert {"turn", "turn of same", "turn of same'"} <= program.rules.keys()


TYPES = """\
variant: base
title: T
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts}, ranks: [A, K]}
rules: |
  type call = one of low | high
  type calls = set of call
  type all_calls = calls
  match state:
      said: all_calls
      hidden: 0 to 3, seen by nobody
  define mood -> one of calm | heated: calm
  rule match:
      if mood == heated: said += {high}
      end match drawn
"""
OTHER_TYPES = """\
variant: own
title: T
extends: base.yaml
rules: |
  replace type call = one of low | high | highest_of_all
  before rule match: said += {highest_of_all}
  replace define mood: heated
  match state:
      replace hidden: 0 to 5
"""


@pytest.fixture
def replaced(tmp_path):
    (tmp_path / "base.yaml").write_text(TYPES)
    (tmp_path / "own.yaml").write_text(OTHER_TYPES)
    return build_program(load_variant(tmp_path / "own.yaml"))


def test_a_replaced_variable_stays_hidden(replaced):
    assert replaced.variables["hidden"].type == Number(0, 5)
    assert replaced.variables["hidden"].audience is Audience.NOBODY


def test_a_replaced_type_and_the_result_of_a_replaced_define_hold_in_all_files(replaced):
    assert replaced.variables["said"].type.kind.names == ("low", "high", "highest_of_all")
    assert replaced.functions["mood"].result.names == ("calm", "heated")


def test_what_a_base_of_the_same_name_does_not_use_is_no_mistake(tmp_path):
    parameter = "parameters: {luck: {type: boolean, default: no, help: H}}\nrules: |\n"
    base = BASE.replace("rules: |\n", parameter).replace("== 111", "== 1 and luck")
    own = ABOVE.format(below="a", more=10).partition("rules:")[0]
    own += "rules: |\n  replace rule match: end match drawn\n  before rule match: return\n"
    for folder, text in (("a", base + "  before rule match: return\n"), ("b", own)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "same.yaml").write_text(text)
    variant = load_variant(tmp_path / "b" / "same.yaml")
    assert "turn" in build_program(variant).rules
    assert count_rules(variant) == (2, 3)
