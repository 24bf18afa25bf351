"""Parts of a variant: each of its changes, separately."""

from trutdsl.game import load_game
from trutdsl.ir import build_program
from trutdsl.ir.nodes import questions_of
from trutdsl.variant import load_variant
from trutdsl.variant.dependence import pieces_of, with_pieces


def options_by_decision(program):
    """Return the words of the options of each question of a program."""
    found = {}
    for question in questions_of(program):
        found.setdefault(question.decision, set()).update(o.words for o in question.options)
    return found


def test_an_added_option_is_a_separate_change():
    variant, base = load_variant("trut-deux-sevres"), load_variant("trut")
    pieces = {piece.words: piece for piece in pieces_of(variant, base)}
    assert list(pieces) == [
        "replace define worth_in_draw",
        "replace rule win_trut",
        "add to ask turn",
        "add to ask interrupt",
    ]
    pair = ("trut", "pair")
    for piece, with_pair in (("add to ask turn", {"turn"}), ("replace rule win_trut", set())):
        part = options_by_decision(build_program(with_pieces(variant, base, [pieces[piece]])))
        assert {decision for decision, options in part.items() if pair in options} == with_pair


def test_pieces_of_one_name_are_distinguished(tmp_path):
    rules = "  after rule pass_the_deal:\n      dealer = next_seat(dealer)\n" * 2
    (tmp_path / "twice.yaml").write_text(
        f"variant: twice\ntitle: Twice\nextends: trut\nrules: |\n{rules}"
    )
    variant, base = (
        load_game(tmp_path / "twice.yaml", 2, engine="reference").variant,
        load_variant("trut"),
    )
    one, other = pieces_of(variant, base)
    parts = [with_pieces(variant, base, [piece]).fingerprint for piece in (one, other)]
    assert one.words == other.words and parts[0] != parts[1]


def test_pieces_of_files_of_one_name_are_distinguished(tmp_path):
    rule = "rules: |\n  after rule pass_the_deal: dealer = {seat}\n"
    for folder, seat in (("a", "next_seat(dealer)"), ("b", "previous_seat(dealer)")):
        (tmp_path / folder).mkdir()
        text = "module: luck\ntitle: Luck\n" + rule.format(seat=seat)
        (tmp_path / folder / "luck.yaml").write_text(text)
    head = "variant: own\ntitle: Own\nextends: trut\n"
    (tmp_path / "own.yaml").write_text(head + "uses: [a/luck.yaml, b/luck.yaml]\n")
    variant, base = load_variant(tmp_path / "own.yaml"), load_variant("trut")
    one, other = pieces_of(variant, base)
    parts = [with_pieces(variant, base, [piece]).fingerprint for piece in (one, other)]
    assert one.words == other.words and parts[0] != parts[1]
