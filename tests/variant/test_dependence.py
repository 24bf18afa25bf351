"""Pieces of which one writes what the other reads are found, and no others."""

from trutdsl.game import load_game
from trutdsl.variant import load_variant
from trutdsl.variant.dependence import group_pieces

HEAD = "variant: house\ntitle: House\nextends: trut\nrules: |\n"
NOTED = "  match state:\n      noted: yes_no = no\n"
REMEMBERS = "  after rule pass_the_deal: noted = last_winner != none\n"
USES = '  replace define gain(side: team) -> number "Twice as much.": 2 if noted else base\n'
ALONE = "  before rule open_play:\n      if empty(stock): end deal because void\n"

# The same by way of a rule and a define that the variant adds, and of a zone.
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
# Both write what is new, neither reads what the other writes; both read what the base has.
APART = """\
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


def groups(tmp_path, *parts):
    """Return the pieces that are one point, by their words, and what they share."""
    path = tmp_path / "house.yaml"
    path.write_text(HEAD + "".join(parts), encoding="utf-8")
    variant, base = load_game(path, 2, engine="reference").variant, load_variant("trut")
    found = group_pieces(variant, base)
    return {" + ".join(piece.words for piece in one.pieces): one.shared for one in found}


def test_what_one_remembers_and_the_other_uses_is_one_point(tmp_path):
    assert groups(tmp_path, NOTED, REMEMBERS, ALONE, USES) == {
        "replace define gain + after rule pass_the_deal": ("noted",),
        "before rule open_play": (),
    }


def test_it_may_be_used_by_rules_that_the_variant_adds(tmp_path):
    assert groups(tmp_path, BY_HELPERS) == {
        "replace define gain + after rule pass_the_deal": ("noted",)
    }


def test_a_zone_is_shared_like_a_variable(tmp_path):
    assert groups(tmp_path, BY_ZONE) == {
        "before rule pass_the_deal + after rule open_play": ("left",)
    }


def test_a_question_and_what_is_added_to_it_are_one_point(tmp_path):
    assert groups(tmp_path, BY_QUESTION) == {"after rule open_play + add to ask tap": ('"tap"',)}


def test_pieces_with_variables_of_their_own_stay_apart(tmp_path):
    assert groups(tmp_path, APART) == {"before rule open_play": (), "after rule pass_the_deal": ()}


def test_pieces_that_share_what_the_base_has_stay_apart(tmp_path):
    counts = "  before rule pass_the_deal: last_winner = none\n"
    reads = "  after rule open_play:\n      if last_winner != none: end deal because void\n"
    assert groups(tmp_path, counts, reads) == {
        "before rule pass_the_deal": (),
        "after rule open_play": (),
    }


def test_all_who_hang_together_are_one_point(tmp_path):
    """Two remember and one uses it: neither of the two reads what the other writes."""
    also = "  before rule pass_the_deal: noted = no\n"
    (found,) = groups(tmp_path, NOTED, REMEMBERS, also, USES)
    assert found.count(" + ") == 2


def test_two_that_only_write_the_same_stay_apart(tmp_path):
    """Nobody reads it."""
    also = "  before rule pass_the_deal: noted = no\n"
    assert groups(tmp_path, NOTED, REMEMBERS, also) == {
        "after rule pass_the_deal": (),
        "before rule pass_the_deal": (),
    }
