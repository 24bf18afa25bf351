"""Remarks on a comparison: numbers of players, new rules, random answers, sets needed."""

import pytest

from trutdsl.language import NARROW, WIDE, say, speaking, with_title
from trutdsl.report.comparison import remarks
from trutdsl.report.comparison_text import size_of_run


def results(players, unknown=(), at_random=((), ())):
    variants = [("base", [], at_random[0]), ("house", list(unknown), at_random[1])]
    return {
        "given": {"players": players},
        "comparison": {"players": 2, "tables": [] if players else [3, 4]},
        "variants": [
            {"name": n, "variant": n, "title": "", "unknown": new, "at_random": [*random]}
            for n, new, random in variants
        ],
    }


def test_a_remark_names_the_numbers_of_players():
    (remark,) = remarks(results(None))
    assert remark.startswith("Played with 2 players,") and remark.endswith(
        "With 3, 4 players, results can differ."
    )
    assert list(remarks(results(2))) == []


@pytest.mark.parametrize("at_random", [True, False])
def test_strategies_without_a_new_rule_are_named(at_random):
    one = {"question": "throw_in", "options": ["throw in"], "strategies": ["quiet", "steady"],
           "at_random": at_random}  # fmt: skip
    first, last = remarks(results(2, [one]))
    english = "always answered at random" if at_random else "never chose on purpose: throw in"
    assert first == f"house: where 'throw_in' is asked, quiet and steady {english}"
    assert "docs/strategies.md" in last


def random_answers(strategy, question, at_random, answers=10):
    return {"strategy": strategy, "question": question, "answers": answers, "at_random": at_random}


def test_a_strategy_that_answers_at_random_in_both_games_is_named_once():
    new = {"question": "throw_in", "options": ["throw in"], "strategies": ["quiet"],
           "at_random": True}  # fmt: skip
    both = [
        random_answers(name, question, 10)
        for question in ("cut", "deal")
        for name in ("a", "quiet")
    ]
    also = [*both, random_answers("quiet", "throw_in", 10), random_answers("quiet", "tap", 10)]
    _, first, second, _ = remarks(results(2, [new], (both, also)))
    assert first == "a and quiet answered at random at: cut, deal"
    assert second == "quiet answered at random at: tap"
    with speaking("fr", " "):
        assert [*remarks(results(2, [], (both, both)))] == [
            "réponses de a et quiet prises au hasard à ces questions : cut, deal"
        ]


def test_the_number_of_random_answers_is_given_unless_it_is_tiny():
    some = (
        [random_answers("a", "turn", 10, 30), random_answers("a", "cut", 1, 101)],
        [random_answers("a", "turn", 5, 30)],
    )
    assert [*remarks(results(2, [], some))] == ["a answered at random at: turn (15 of 60)"]


@pytest.mark.parametrize(
    ("at_random", "english", "french"),
    [
        (True, "bluffer always answered at random", "de bluffer toujours au hasard"),
        (False, "bluffer never chose on purpose: throw in", "exprès par bluffer : throw in"),
    ],
)
def test_a_single_strategy_gets_the_singular(at_random, english, french):
    one = {"question": "throw_in", "options": ["throw in"], "strategies": ["bluffer"],
           "at_random": at_random}  # fmt: skip
    assert next(remarks(results(2, [one]))).endswith(f"is asked, {english}")
    with speaking("fr", " "):
        assert next(remarks(results(2, [one]))).endswith(french)


@pytest.mark.parametrize(
    ("needed", "english_end", "french_end"),
    [
        ((8, None, None), " is unknown", "on ne sait pas combien de séries il faut"),
        ((16, 8, None), "; 8 sets or more separate two strategies", "il faut au moins 8 séries"),
        ((1, 1, 1), "; 1 set separates two strategies", "il faut 1 série pour"),
        ((9, 8, 16), "; 8 to 16 sets separate two strategies", "il faut 8 à 16 séries"),
    ],
)
def test_every_variant_has_the_number_of_sets_for_a_difference(needed, english_end, french_end):
    of = dict(zip(("mean", "low", "high"), needed, strict=True))
    variant = {"name": "v", "matches": 9, "deals": 90, "same_pack": True, "sets_needed": of}
    assert size_of_run(variant, "v").endswith(english_end)
    with speaking("fr", " "):
        assert french_end in size_of_run(variant, "v")


def test_one_match_of_one_deal_is_singular():
    variant = {"name": "v", "matches": 1, "deals": 1, "same_pack": True, "sets_needed": None}
    assert size_of_run(variant, "v") == "v: 1 match, 1 deal"


def test_french_punctuation_follows_no_break_spaces():
    assert with_title("deals", "3") == "deals: 3"
    for space in (WIDE, NARROW):
        with speaking("fr", space):
            assert (
                with_title("donnes", "3 : 4") == f"donnes{space}: 3 : 4"
            )  # values stay as they are
            assert say("undecided; more deals may decide it").count(space) == 1
            text = "{variant}: where '{question}' is asked, {names} always answered at random"
            quoted = say(text, variant="v", question="q", names="n")
            assert f"«{space}q{space}»" in quoted and f"v{space}:" in quoted
