"""The first sentences on a simulation: a verdict only where the intervals support it."""

from dataclasses import asdict
from functools import cache

import numpy as np
import pytest

from trutdsl.language import speaking
from trutdsl.report.simulation_text import simulation_answers, simulation_blocks
from trutdsl.stats.estimate import estimate_share
from trutdsl.variant import load_variant, words_of

TRUT = load_variant("trut")


def share(mean, low, high, count=1):
    return {"count": count, "share": {"mean": mean, "low": low, "high": high}}


def figures(dealer=(0.5, 0.4, 0.6), team=(0.5, 0.4, 0.6), strategies=("a", "a")):
    numbers = ("mean", "low", "high")
    other, rest = ((1 - of[0], 1 - of[2], 1 - of[1]) for of in (dealer, team))
    return {
        "score": None,
        "matches": 100,
        "strategies": list(strategies),
        "teams": [0, 1],
        "deals_per_match": dict(zip(numbers, (10, 9, 11), strict=True)),
        "decisions_per_deal": dict(zip(numbers, (5, 4, 6), strict=True)),
        "decisions_per_match": dict(zip(numbers, (60, 54, 66), strict=True)),
        "wins": [dict(zip(numbers, of, strict=True)) for of in (team, rest)],
        "deal_winners": {"dealer": share(*dealer), "1 seat on": share(*other)},
        "deals_to_some": False,
        "deal_ends": {"folded": share(0.3, 0.2, 0.4, 30), "played": share(0.7, 0.6, 0.8, 70)},
        "answers": {
            "turn": {"play CARD": share(0.9, 0.8, 1, 900), "trut": share(0.1, 0, 0.2, 100)},
            "respond": {"accept": share(0.6, 0.5, 0.7, 60), "fold": share(0.4, 0.3, 0.5, 40)},
        },
    }


def write_answers(seconds=4.0, **options):
    return list(simulation_answers(figures(**options), words_of(TRUT), seconds))


def test_minutes_follow_from_the_choices_of_a_match_and_their_seconds():
    assert write_answers(10)[0] == (
        "Between these strategies a match has 10.0 (9.0 to 11.0) deals. "
        "At 10 s a choice it lasts 10.0 (9.0 to 11.0) minutes."
    )


@pytest.mark.parametrize(("score", "what"), [(None, "matches"), ({"points": (0, 0)}, "deals")])
def test_nobody_chooses_for_no_minutes(score, what):
    none = {"mean": 0.0, "low": 0.0, "high": 0.1}
    known = figures() | dict.fromkeys(("decisions_per_deal", "decisions_per_match"), none)
    known |= {"score": score, "parameters": {}}
    first = next(simulation_answers(known, words_of(TRUT)))
    assert first == f"Nobody has a choice in these {what}."


@pytest.mark.parametrize(
    ("dealer", "sentence"),
    [
        ((0.5, 0.4, 0.6), "No clear advantage of dealing"),
        ((0.7, 0.6, 0.8), "Dealing is an advantage"),
        ((0.3, 0.2, 0.4), "Dealing is a disadvantage"),
    ],
)
def test_dealing_is_an_advantage_only_beyond_the_intervals(dealer, sentence):
    assert write_answers(dealer=dealer)[1].startswith(sentence)
    unlike = write_answers(dealer=dealer, strategies=("a", "b"))
    assert unlike[1].startswith("The dealer's side wins "), "strategies may deal more often"


def test_there_is_no_verdict_on_dealing_if_players_drop_out():
    """In a game of 40,000 matches the dealer won 37 of 100 deals, but 49 of those between two."""
    found = figures(dealer=(0.7, 0.6, 0.8)) | {"deals_to_some": True}
    answers = list(simulation_answers(found, words_of(TRUT)))
    assert answers[1].startswith("The dealer's side wins 70% ")


def test_a_team_is_ahead_only_beyond_its_interval():
    both = ("a", "b")
    assert write_answers(team=(0.6, 0.55, 0.65), strategies=both)[2] == (
        "Team 1 (a) is ahead: it wins 60% (55% to 65%) of the matches."
    )
    assert write_answers(strategies=both)[2].startswith(
        "No team is clearly ahead: team 1 (a) wins 50% "
    )
    assert not any("team" in text.lower() for text in write_answers())


def test_two_teams_that_win_alike_are_not_ahead():
    """Both win more than a third of the matches of three teams."""
    found = figures(strategies=("a", "b", "c")) | {"teams": [0, 1, 2]}
    found["wins"] = [asdict(estimate_share(wins, 1000)) for wins in (410, 405, 185)]
    assert found["wins"][0]["low"] > 1 / 3
    (_, _, sentence, *_) = simulation_answers(found, words_of(TRUT))
    assert sentence.startswith("No team is clearly ahead: team 1 (a) wins 41% ")
    found["wins"] = [asdict(estimate_share(wins, 1000)) for wins in (410, 340, 250)]
    (_, _, sentence, *_) = simulation_answers(found, words_of(TRUT))
    assert sentence.startswith("Team 1 (a) is ahead: it wins 41% ")


def test_three_equal_teams_are_seldom_ahead():
    rng, runs = np.random.default_rng(3), 2000
    estimates = cache(lambda wins: asdict(estimate_share(wins, 300)))
    found, ahead = figures(strategies=("a", "b", "c")) | {"teams": [0, 1, 2]}, 0
    for wins in rng.multinomial(300, [1 / 3] * 3, runs).tolist():
        found["wins"] = list(map(estimates, wins))
        ahead += "is ahead" in " ".join(simulation_answers(found, words_of(TRUT)))
    assert ahead / runs < 0.05  # 7 % if each were compared with a third


@pytest.mark.parametrize(("score", "what"), [(None, "match"), ({"longs": [0, 0]}, "deal")])
def test_a_single_match_has_no_intervals(score, what):
    found = figures(strategies=("a", "b")) | {"matches": 1, "score": score}
    first, *rest = simulation_answers(found, words_of(TRUT))
    assert first == f"This is one {what} only: lengths and shares within it have no interval."
    assert not any("team" in text.lower() for text in rest) and len(rest) < 5


def test_ends_and_boldness_use_the_words_of_the_variant():
    assert write_answers()[2:] == [
        "How deals end: played 70% (60% to 80%), folded 30% (20% to 40%).",
        "Boldness: where 'respond' is asked, 60% (50% to 70%) of the answers are 'play!'.",
    ]
    with speaking("fr", " "):
        assert write_answers()[-1].endswith("60 % (50 % à 70 %) des réponses sont « joue ! ».")


def test_the_headline_of_boldness_is_the_question_of_the_sentence():
    found = figures() | {
        "score": None,
        "forced_per_deal": {"mean": 0},
        "draws": {"mean": 0},
        "answers_by_strategy": {"a": figures()["answers"]},
    }
    *_, items = simulation_blocks(found, words_of(TRUT))
    assert items.items[-1] == (
        "Boldness",
        "respond (100): play! 60% (50% to 70%), fold 40% (30% to 50%)",
    )
    *_, boldness = simulation_blocks(found, words_of(TRUT), every=True)
    [table] = boldness.blocks
    titles = ["respond (100)", "a: respond (100)", "a: turn (1,000)", "deals end (100)"]
    assert [title for title, _ in table.items] == titles


def test_silence_is_not_bold():
    found = figures()
    options = {"leave it": share(0.5, 0.4, 0.6, 50), "accept": share(0.2, 0.1, 0.3, 20)}
    found["answers"] = {"respond": {**options, "fold": share(0.3, 0.2, 0.4, 30)}}
    *_, boldness = simulation_answers(found, words_of(TRUT), 4.0)
    assert boldness.endswith("30% (20% to 40%) of the answers are 'fold'.")


def test_one_kind_of_answer_is_no_headline():
    found = figures() | {"forced_per_deal": {"mean": 0}, "draws": {"mean": 0}}
    found["answers_by_strategy"] = {}
    single = {"give": {"give CARDS": share(1, 0.9, 1, 1000)}}
    for answers, last in ((single, "Fairness"), (single | found["answers"], "Boldness")):
        found["answers"] = answers
        *_, items = simulation_blocks(found, words_of(TRUT))
        assert items.items[-1][0] == last


def test_one_deal_is_in_the_singular():
    found = figures()
    found["deals_per_match"] = {"mean": 1.0, "low": None, "high": None}
    (first, *_) = simulation_answers(found, words_of(TRUT), 4.0)
    assert first.startswith("Between these strategies a match has 1 deal. At 4 s a choice ")
