"""What is said around a comparison: by whom it holds, what it comes to, what it does not."""

import numpy as np
import pytest

from trutdsl.comparison import statistics
from trutdsl.comparison.unknown import answered_at_random, unknown_answers
from trutdsl.report.compared import played
from trutdsl.report.conclusion import conclusion, remarks
from trutdsl.report.language import NARROW, WIDE, say, speaking, titled
from trutdsl.stats.estimate import Estimate
from trutdsl.strategy import load_strategy
from trutdsl.table.counts import CountPlan

TURN = ("turn", ("play CARD", "trut"))


def row(metric, verdict, mean=0.0, low=-1.0, high=1.0, margin=0.5):
    return {
        "metric": metric, "words": f"what {metric} is", "kind": "number", "verdict": verdict,
        "base": {"mean": 10.0}, "other": {"mean": 10.0 + mean}, "margin": margin,
        "difference": {"mean": mean, "low": low, "high": high},
    }  # fmt: skip


def told(*rows):
    return conclusion({"variant": "house", "metrics": rows}, ["a", "b"])


def test_a_conclusion_says_what_is_done_what_not_and_what_is_open():
    said = told(
        row("skill", "not told apart"),
        row("length.decisions", "differs", -90.0, -95.0, -85.0),
        row("stake.longs", "differs", 2.0, 1.9, 2.1),
        row("length.deals", "differs", -4.0, -4.1, -3.9),
        row("first_dealer", "the same"),
        row("dealer", "not told apart", -2.0, -3.0, -1.0),
    )
    assert said == (
        "In short, played by a and b: house changes what length.deals is, from 10 to 6, by -4.00 "
        "(-4.10 to -3.90); what stake.longs is, from 10 to 12, by +2.0 (+1.9 to +2.1). As far as "
        "it matters it does not change: what first_dealer is. It is not known yet whether it "
        "changes: what dealer is, -2 (-3 to -1), which differs by itself; what skill is, +0 (-1 "
        "to +1)."
    )
    assert "nothing that matters was found" in told(row("skill", "not told apart"))
    assert told(row("skill", "identical")) == "In short: house changes nothing in these deals."


def test_a_conclusion_tells_of_another_length_where_nothing_else_changes():
    said = told(row("length.deals", "the same"), row("length.decisions", "differs", 3.0, 2.9, 3.1))
    assert said.startswith("In short, played by a and b: house changes what length.decisions is,")


def results(players, unknown=(), at_random=((), ())):
    named = [("base", [], at_random[0]), ("house", list(unknown), at_random[1])]
    return {
        "given": {"players": players},
        "comparison": {"players": 2, "tables": [] if players else [3, 4]},
        "variants": [
            {"name": name, "unknown": new, "at_random": [*guessed]} for name, new, guessed in named
        ],
    }


def test_it_is_said_for_how_many_players_it_holds():
    (said,) = remarks(results(None))
    assert said.startswith("Played by 2,") and said.endswith("for 3, 4 it may be otherwise: "
                                                            "--players 4")  # fmt: skip
    assert list(remarks(results(2))) == []


@pytest.mark.parametrize("at_random", [True, False])
def test_who_does_not_know_a_new_rule_is_named(at_random):
    one = {"question": "throw_in", "options": ["throw in"], "strategies": ["quiet", "steady"],
           "at_random": at_random}  # fmt: skip
    first, last = remarks(results(2, [one]))
    says = "know no answer and take any" if at_random else "never mean to say: throw in"
    assert first == f"house: where 'throw_in' is asked, quiet and steady {says}"
    assert "docs/strategies.md" in last


def test_who_takes_any_answer_in_both_games_is_named_once():
    new = {"question": "throw_in", "options": ["throw in"], "strategies": ["quiet"],
           "at_random": True}  # fmt: skip
    both = {"strategies": ["quiet", "steady"], "questions": ["cut", "deal"]}
    also = {"strategies": ["quiet"], "questions": ["throw_in", "tap"]}
    _, first, second, _ = remarks(results(2, [new], ([both], [both, also])))
    assert first == "quiet and steady take any answer, at random, at: cut, deal"
    assert second == "quiet takes any answer, at random, at: tap"
    with speaking("fr", " "):
        assert [*remarks(results(2, [], ([both], [both])))] == [
            "quiet et steady répondent au hasard à : cut, deal"
        ]


def test_questions_of_which_a_script_names_no_option_are_found_where_they_are_asked():
    specs = [load_strategy(name) for name in ("steady", "uniform", "quiet")]
    asked = plan(TURN, ("cut", ("cut", "tap")), ("never", ("one", "two")), ("alone", ("one",)))
    chosen = np.ones((3, len(asked.options)), np.int64)
    chosen[:, [asked.options["never", option] for option in ("one", "two")]] = 0
    assert answered_at_random(asked, specs, chosen) == [
        {"strategies": ["steady", "quiet"], "questions": ["cut"]}
    ]


@pytest.mark.parametrize(
    ("at_random", "says", "dit"),
    [
        (True, "knows no answer and takes any", "ne sait que répondre et prend au hasard"),
        (False, "never means to say: throw in", "ne dit jamais exprès : throw in"),
    ],
)
def test_one_who_does_not_know_it_is_told_of_as_one(at_random, says, dit):
    one = {"question": "throw_in", "options": ["throw in"], "strategies": ["bluffer"],
           "at_random": at_random}  # fmt: skip
    assert next(remarks(results(2, [one]))).endswith(f"is asked, bluffer {says}")
    with speaking("fr", " "):
        assert next(remarks(results(2, [one]))).endswith(f"bluffer {dit}")


@pytest.mark.parametrize(
    ("skill", "ends", "finit"),
    [
        ((0.5, None, None), " is not known", "on ne sait pas combien de séries il faut"),
        ((0.5, -0.2, -0.1), " is not known", "on ne sait pas combien de séries il faut"),
        ((0.5, -0.2, 1.0), " in 8 sets or more", "il faut au moins 8 séries"),
        ((0.5, 0.5, 1.0), " in 8 to 16 sets", "il faut 8 à 16 séries"),
    ],
)
def test_how_many_sets_tell_strategies_apart_is_said_of_every_variant(
    skill, ends, finit, monkeypatch
):
    """(1.96 + 0.84)^2 = 7.85 times a set's variance of 1, over the share of the results."""
    monkeypatch.setattr(statistics, "_parts", lambda *_: (0.5, 0.5, 1.0))
    mean, low, high = skill
    needed = statistics.sets_needed(None, Estimate(mean, None, low, high, "t"))
    variant = {"name": "v", "matches": 9, "deals": 90, "same_pack": True, "sets_needed": needed}
    assert played(variant).endswith(ends)
    with speaking("fr", " "):
        assert finit in played(variant)


def plan(*decisions):
    return CountPlan(2, decisions, ("played",), ("longs",), 2)


def test_options_that_no_clause_names_are_found():
    """Scripts know `pass` and `trut` wherever they are asked; of a new question perhaps nothing."""
    specs = [load_strategy(name) for name in ("steady", "uniform")]
    base = plan(TURN)
    assert unknown_answers(base, base, specs) == []
    assert unknown_answers(base, plan(TURN, ("new", ("trut", "pass"))), specs) == []
    assert unknown_answers(base, plan(TURN, ("forced", ("only this",))), specs) == []
    (new,) = unknown_answers(base, plan(TURN, ("throw_in", ("play on", "throw in"))), specs)
    assert new == {"question": "throw_in", "options": ["play on", "throw in"],
                   "strategies": ["steady"], "at_random": True}  # fmt: skip
    (more,) = unknown_answers(base, plan(("turn", ("play CARD", "trut", "vie NUMBER"))), specs)
    assert more["options"] == ["vie NUMBER"] and not more["at_random"]


def test_french_signs_stand_behind_spaces_that_do_not_break():
    assert titled("deals", "3") == "deals: 3"
    for space in (WIDE, NARROW):
        with speaking("fr", space):
            assert titled("donnes", "3 : 4") == f"donnes{space}: 3 : 4"  # values stay as they are
            assert say("not told apart; more deals may do it").count(space) == 1
            text = "{variant}: where '{question}' is asked, {names} know no answer and take any"
            quoted = say(text, variant="v", question="q", names="n")
            assert f"«{space}q{space}»" in quoted and f"v{space}:" in quoted
