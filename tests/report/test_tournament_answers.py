"""The first sentences on a tournament claim only what the results support."""

from fake_game import make_plan, results_of
from set_results import make_set, tally_sets

from trutdsl.language import speaking
from trutdsl.report.tournament_answers import is_significant, tournament_answers, tournament_tiles
from trutdsl.report.tournament_text import lines_below_tables

FIRST_SEAT, EVEN, ORDERED = [0, 0], [None, None], [0, 1]


def write_answers(plan, sets, seconds=4.0):
    return tournament_answers(make_results(plan, sets), seconds)


def make_results(plan, sets):
    return results_of(plan, tally_sets(plan.design, sets), [s.name for s in plan.strategies])


def test_an_advantage_of_a_seat_needs_an_interval_that_excludes_one_half():
    always = write_answers(make_plan(2), [make_set([FIRST_SEAT])] * 40)
    assert always[-1].startswith("The first seat is an advantage: its side wins 100% (")
    never = write_answers(make_plan(2), [make_set([[1, 1]])] * 40)
    assert never[-1].startswith("The first seat is a disadvantage: its side wins 0% (")
    mixed = write_answers(make_plan(2), [make_set([FIRST_SEAT]), make_set([[1, 1]])] * 20)
    assert mixed[-1].startswith("No clear advantage of a seat: the side of the first seat wins 50%")


def test_up_to_three_undecided_pairs_are_named():
    separated = write_answers(make_plan(3), [make_set([ORDERED] * 3)] * 60)
    assert "All others can be told apart, too, each from each." in separated
    near = write_answers(make_plan(3), [make_set([EVEN, ORDERED, ORDERED])] * 60)
    assert any("s0 and s1 cannot be told apart" in text for text in near)
    assert "Every other two can be told apart." in near
    first = [ORDERED] * 4 + [EVEN] * 6  # s0 beats each of the others, who draw
    many = write_answers(make_plan(5), [make_set(first)] * 60)
    assert "6 of 10 pairs cannot be told apart; the ranks below leave them open." in many


def test_minutes_follow_from_the_choices_and_their_seconds():
    results = make_results(make_plan(2), [make_set([ORDERED])] * 9)
    results["run"] |= {"matches": 18, "decisions": 18 * 90}
    (line,) = (text for text in tournament_answers(results, 20) if "minutes" in text)
    assert line.endswith(
        "The 18 matches played took 90.0 choices each: 30.0 minutes at 20 s a choice."
    )
    with speaking("fr"):
        (line,) = (text for text in tournament_answers(results, 20) if "minutes" in text)
    assert line.endswith("90,0 choix chacune\u00a0: 30,0 minutes à 20 s par choix.")


def test_a_length_says_that_it_counts_forfeited_matches():
    results = make_results(make_plan(2), [make_set([ORDERED])] * 9)
    (line,) = (text for text in tournament_answers(results) if "minutes" in text)
    assert "forfeited" not in line
    for many, words in ((1, "1 forfeited match"), (4, "4 forfeited matches")):
        results["standings"][1]["forfeited"] = many
        (line,) = (text for text in tournament_answers(results) if "minutes" in text)
        assert line.endswith(f" This counts {words}, without deals.")


def test_tiles_have_a_bar_for_each_strategy_and_side():
    score, deals, seats = tournament_tiles(
        make_results(make_plan(3), [make_set([ORDERED] * 3)] * 60)
    ).tiles
    assert [name for name, *_ in score.bars] == ["s0", "s1", "s2"]
    assert score.figure == "100.0" and [mean for _, _, mean, _, _ in score.bars] == [100, 50, 0]
    assert len(deals.bars) == 3 and [mean for _, _, mean, _, _ in seats.bars] == [50, 50]


def test_equal_scores_share_the_first_place_and_draws_count_half():
    sentence, *_ = write_answers(make_plan(2), [make_set([[None, None]])] * 9)
    assert sentence.startswith("Nobody comes first alone: s0, s1 have the same score, 50 (")
    assert sentence.endswith(half := "A drawn match counts as half a win.")
    sentence, *_ = write_answers(make_plan(3), [make_set([[None, None]] * 3)] * 9)
    assert sentence.endswith(half)  # also where the sentence on the seats has no place
    assert half not in " ".join(write_answers(make_plan(3), [make_set([ORDERED] * 3)] * 60))
    with speaking("fr"):
        sentence, *_ = write_answers(make_plan(2), [make_set([[None, None]])] * 9)
    assert sentence.startswith("Personne n'est seul en tête\xa0: s0, s1 ont le même score, 50 (")


def test_the_first_sentence_has_the_score_of_the_table():
    """The interval of the first allows for its choice, and may be wider than those of the table.

    This is so, too, if several come first.
    """
    lost = make_set([[1, 0], ORDERED, ORDERED])  # s0 loses both to s1
    sets = [make_set([ORDERED] * 3)] * 4 + [lost]
    results = make_results(make_plan(3), sets)
    (first, *_), run = results["standings"], results["run"]
    assert run["first_score"]["high"] - run["first_score"]["low"] > 0.4
    assert first["score"]["mean"] == 0.9
    sentence, *_ = tournament_answers(results)
    assert sentence.startswith("s0 comes first, with 90 ("), "not with 100 or 0.9 of 100"
    nearly = make_results(
        make_plan(3), [make_set([ORDERED] * 3)] * 4 + [make_set([EVEN, ORDERED, ORDERED])]
    )
    assert nearly["standings"][0]["score"]["mean"] == 0.95
    assert tournament_answers(nearly)[0].startswith("s0 comes first, with 95 (")
    even = make_results(make_plan(3), [make_set([EVEN] * 3)] * 5)
    low, alone = (of["low"] for of in (even["run"]["first_score"], even["standings"][0]["score"]))
    assert f"50 ({100 * low:.0f} to " in tournament_answers(even)[0] and low < alone - 0.01
    single = make_results(make_plan(2), [make_set([ORDERED])])
    assert tournament_answers(single)[0] == "s0 comes first, with 100 of 100 matches."


def test_pairs_that_did_not_meet_are_not_said_to_be_alike():
    results = make_results(make_plan(4), [make_set([EVEN] * 6)] * 9)
    text = "No two of them can be told apart; more deals may decide it."
    assert text in tournament_answers(results)
    results["contrasts"] = results["contrasts"][:4]
    text = "No two that met can be told apart; more deals may decide it."
    assert text in tournament_answers(results)
    results["contrasts"][0] = {**results["contrasts"][0], "separated": True}
    (text,) = (text for text in tournament_answers(results) if "Not told apart" in text)
    assert text.count(" and ") == 3
    results["contrasts"] = [{**one, "separated": True} for one in results["contrasts"]]
    text = "All others that met can be told apart, too, each from each."
    assert text in tournament_answers(results)


def test_meetings_of_one_set_have_no_verdict():
    """In rounds a run may have several sets, but each meeting one."""
    results = make_results(make_plan(3), [make_set([ORDERED] * 3)])
    results["run"] |= {"sets": 2, "rounds": 2}
    results["manifest"]["meetings"] = {"format": "swiss", "rounds": 2}
    for row, points in zip(results["standings"], (2, 1, 1), strict=True):
        row["points"] = points
    assert tournament_answers(results)[0] == "s0 comes first. Points: 2."
    results["standings"][1]["points"] = 2
    assert ": 2, as s1: the points of the opponents decide" in tournament_answers(results)[0]
    assert "Each meeting is one set of deals only: no" in tournament_answers(results)[1]
    assert not any("In brackets" in line for line in lines_below_tables(results))
    results["run"]["sets"] = 8
    (line,) = (line for line in lines_below_tables(results) if "In brackets" in line)
    assert "Scores have no interval" in line and "of a score stands by itself" not in line


def test_the_first_place_of_a_knock_out_that_is_not_over_is_shared():
    results = make_results(make_plan(3), [make_set([ORDERED] * 3)])
    results["manifest"]["meetings"] = {"format": "knock-out", "rounds": 2}
    results["contrasts"] = results["contrasts"][1:]
    for row, points in zip(results["standings"], (1, 1, 0), strict=True):
        row |= {"points": points, "place": 1 if points else 3}
    first, second, *_ = tournament_answers(results)
    assert first == "Nobody comes first alone: s0, s1 have the same points, 1."
    assert second == "s0 did not meet s1, so that they are not compared."


def test_results_of_earlier_versions_without_intervals_have_no_verdict():
    results = make_results(make_plan(3), [make_set([EVEN, ORDERED, ORDERED])] * 60)
    assert {is_significant(contrast) for contrast in results["contrasts"]} == {False, True}
    for contrast in results["contrasts"]:
        contrast["difference"] |= {"low": None, "high": None}
        assert is_significant(contrast | {"separated": False}) is None
        assert is_significant(contrast | {"separated": True})


def test_points_of_single_deals_are_a_lead():
    """In single deals a score is what a side has above the mean of all."""
    results = make_results(make_plan(2), [make_set([ORDERED])] * 9)
    results["manifest"] |= {"mode": "deals", "metric": "points"}
    assert " points per 100 deals, above the mean of all sides." in tournament_answers(results)[0]
    assert "above the mean" in tournament_tiles(results).tiles[0].title
    results["manifest"] |= {"mode": "matches"}
    assert "above the mean" not in tournament_answers(results)[0]
