"""What is said around a comparison: by whom it holds, what it comes to, what it does not."""

import pytest

from trutdsl.language import NARROW, WIDE, say, speaking, titled
from trutdsl.report.comparison import remarks
from trutdsl.report.comparison_text import size_of_run


def results(players, unknown=(), at_random=((), ())):
    named = [("base", [], at_random[0]), ("house", list(unknown), at_random[1])]
    return {
        "given": {"players": players},
        "comparison": {"players": 2, "tables": [] if players else [3, 4]},
        "variants": [
            {"name": n, "variant": n, "title": "", "unknown": new, "at_random": [*guessed]}
            for n, new, guessed in named
        ],
    }


def test_it_is_said_for_how_many_players_it_holds():
    (said,) = remarks(results(None))
    assert said.startswith("Played with 2 players,") and said.endswith(
        "With 3, 4 players, results can differ."
    )
    assert list(remarks(results(2))) == []


@pytest.mark.parametrize("at_random", [True, False])
def test_who_does_not_know_a_new_rule_is_named(at_random):
    one = {"question": "throw_in", "options": ["throw in"], "strategies": ["quiet", "steady"],
           "at_random": at_random}  # fmt: skip
    first, last = remarks(results(2, [one]))
    says = "always answered at random" if at_random else "never chose on purpose: throw in"
    assert first == f"house: where 'throw_in' is asked, quiet and steady {says}"
    assert "docs/strategies.md" in last


def taken(strategy, question, at_random, answers=10):
    return {"strategy": strategy, "question": question, "answers": answers, "at_random": at_random}


def test_who_takes_any_answer_in_both_games_is_named_once():
    new = {"question": "throw_in", "options": ["throw in"], "strategies": ["quiet"],
           "at_random": True}  # fmt: skip
    both = [taken(name, question, 10) for question in ("cut", "deal") for name in ("a", "quiet")]
    also = [*both, taken("quiet", "throw_in", 10), taken("quiet", "tap", 10)]
    _, first, second, _ = remarks(results(2, [new], (both, also)))
    assert first == "a and quiet answered at random at: cut, deal"
    assert second == "quiet answered at random at: tap"
    with speaking("fr", " "):
        assert [*remarks(results(2, [], (both, both)))] == [
            "réponses de a et quiet prises au hasard à ces questions : cut, deal"
        ]


def test_how_many_answers_were_taken_at_random_is_told_unless_it_is_next_to_none():
    some = [taken("a", "turn", 10, 30), taken("a", "cut", 1, 101)], [taken("a", "turn", 5, 30)]
    assert [*remarks(results(2, [], some))] == ["a answered at random at: turn (15 of 60)"]


@pytest.mark.parametrize(
    ("at_random", "says", "dit"),
    [
        (True, "bluffer always answered at random", "de bluffer toujours au hasard"),
        (False, "bluffer never chose on purpose: throw in", "exprès par bluffer : throw in"),
    ],
)
def test_one_who_does_not_know_it_is_told_of_as_one(at_random, says, dit):
    one = {"question": "throw_in", "options": ["throw in"], "strategies": ["bluffer"],
           "at_random": at_random}  # fmt: skip
    assert next(remarks(results(2, [one]))).endswith(f"is asked, {says}")
    with speaking("fr", " "):
        assert next(remarks(results(2, [one]))).endswith(dit)


@pytest.mark.parametrize(
    ("needed", "ends", "finit"),
    [
        ((8, None, None), " is unknown", "on ne sait pas combien de séries il faut"),
        ((16, 8, None), "; 8 sets or more separate two strategies", "il faut au moins 8 séries"),
        ((9, 8, 16), "; 8 to 16 sets separate two strategies", "il faut 8 à 16 séries"),
    ],
)
def test_how_many_sets_a_significant_difference_needs_is_said_of_every_variant(needed, ends, finit):
    of = dict(zip(("mean", "low", "high"), needed, strict=True))
    variant = {"name": "v", "matches": 9, "deals": 90, "same_pack": True, "sets_needed": of}
    assert size_of_run(variant, "v").endswith(ends)
    with speaking("fr", " "):
        assert finit in size_of_run(variant, "v")


def test_french_signs_stand_behind_spaces_that_do_not_break():
    assert titled("deals", "3") == "deals: 3"
    for space in (WIDE, NARROW):
        with speaking("fr", space):
            assert titled("donnes", "3 : 4") == f"donnes{space}: 3 : 4"  # values stay as they are
            assert say("undecided; more deals may decide it").count(space) == 1
            text = "{variant}: where '{question}' is asked, {names} always answered at random"
            quoted = say(text, variant="v", question="q", names="n")
            assert f"«{space}q{space}»" in quoted and f"v{space}:" in quoted
