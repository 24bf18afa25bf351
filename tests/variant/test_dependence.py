"""Dependent pieces of a variant: one writes what the other reads."""

from trutdsl.game import load_game
from trutdsl.variant import load_variant
from trutdsl.variant.dependence import group_pieces

HEAD = "variant: house\ntitle: House\nextends: trut\nrules: |\n"
VARIABLE = "  match state:\n      noted: yes_no = no\n"
WRITER = "  after rule pass_the_deal: noted = last_winner != none\n"
READER = '  replace define gain(side: team) -> number "Twice as much.": 2 if noted else base\n'
UNRELATED = "  before rule open_play:\n      if empty(stock): end deal because void\n"

# The same through a rule and a define that the variant adds, and through a zone.
BY_HELPERS = """\
  match state:
      noted: yes_no = no
  rule remember:
      noted = last_winner != none
  define twice() -> yes_no: noted
  after rule pass_the_deal: do remember
  replace define gain(side: team) -> number: 2 if twice() else base
"""
BY_ZONE = """\
  zone left: seen by nobody
  before rule pass_the_deal: gather table into left
  after rule open_play:
      if size(left) > 9: end deal because void
"""
# Each writes its own new variable. Both read only a variable of the base.
INDEPENDENT = """\
  match state:
      first_one: yes_no = no
      other_one: yes_no = no
  before rule open_play:
      first_one = last_winner == none
      if first_one: end deal because void
  after rule pass_the_deal:
      other_one = last_winner == none
      if other_one: dealer = next_seat(dealer)
"""
BY_QUESTION = """\
  after rule open_play:
      ask dealer "tap":
          tap
          wait
  add to ask player "tap":
      knock
"""


def group_rules(tmp_path, *parts):
    """Return the groups of pieces, each joined by ` + `, with the names that they share."""
    path = tmp_path / "house.yaml"
    path.write_text(HEAD + "".join(parts), encoding="utf-8")
    variant, base = load_game(path, 2, engine="reference").variant, load_variant("trut")
    found = group_pieces(variant, base)
    return {" + ".join(piece.words for piece in one.pieces): one.shared_names for one in found}


def test_a_writer_and_a_reader_of_a_variable_are_one_point(tmp_path):
    assert group_rules(tmp_path, VARIABLE, WRITER, UNRELATED, READER) == {
        "replace define gain + after rule pass_the_deal": ("noted",),
        "before rule open_play": (),
    }


def test_a_dependence_can_go_through_added_rules(tmp_path):
    assert group_rules(tmp_path, BY_HELPERS) == {
        "replace define gain + after rule pass_the_deal": ("noted",)
    }


def test_a_zone_creates_a_dependence_like_a_variable(tmp_path):
    assert group_rules(tmp_path, BY_ZONE) == {
        "before rule pass_the_deal + after rule open_play": ("left",)
    }


def test_a_question_and_its_added_options_are_one_point(tmp_path):
    assert group_rules(tmp_path, BY_QUESTION) == {
        "after rule open_play + add to ask tap": ('"tap"',)
    }


def test_pieces_with_their_own_variables_stay_separate(tmp_path):
    assert group_rules(tmp_path, INDEPENDENT) == {
        "before rule open_play": (),
        "after rule pass_the_deal": (),
    }


def test_pieces_that_share_state_of_the_base_stay_separate(tmp_path):
    counts = "  before rule pass_the_deal: last_winner = none\n"
    reads = "  after rule open_play:\n      if last_winner != none: end deal because void\n"
    assert group_rules(tmp_path, counts, reads) == {
        "before rule pass_the_deal": (),
        "after rule open_play": (),
    }


def test_dependence_is_transitive(tmp_path):
    """Two pieces write a variable and one reads it."""
    also = "  before rule pass_the_deal: noted = no\n"
    (found,) = group_rules(tmp_path, VARIABLE, WRITER, also, READER)
    assert found.count(" + ") == 2


def test_two_writers_without_a_reader_stay_separate(tmp_path):
    also = "  before rule pass_the_deal: noted = no\n"
    assert group_rules(tmp_path, VARIABLE, WRITER, also) == {
        "after rule pass_the_deal": (),
        "before rule pass_the_deal": (),
    }
