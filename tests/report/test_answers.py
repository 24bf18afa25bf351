"""The first sentences on a comparison name a direction only if the interval excludes 0."""

import pytest

from trutdsl.language import speaking
from trutdsl.report.answers import answers, by_group, is_clear, tiles, titles_of
from trutdsl.report.labels import change, estimate_text, is_nowhere


def row(metric, mean=0.0, low=-1.0, high=1.0, verdict="not told apart", kind="number"):
    base = {"mean": 10.0, "low": 9.5, "high": 10.5}
    other = {name: value + mean for name, value in base.items()}
    return {
        "metric": metric, "kind": kind, "verdict": verdict, "margin": 0.1,
        "base": base, "other": other, "difference": {"mean": mean, "low": low, "high": high},
    }  # fmt: skip


def write_answers(*rows, seconds=6.0):
    return list(answers({"metrics": rows}, seconds))


def test_boldness_has_a_direction_if_an_interval_excludes_0():
    """Also where the difference is within the margin, as for length and fairness."""
    texts = write_answers(row("answer.turn.trut", 0.02, 0.01, 0.03, verdict="differs a little"))
    assert texts[0].startswith("More often: answers 'trut' where 'turn' is asked, ")


def test_a_share_stays_within_its_range():
    """The share of the strategies is corrected for bias, so its estimate can be below 0."""
    one = row("skill", -1.002, -1.01, -0.9, kind="share")
    one["base"], one["other"] = ({"mean": x, "low": x, "high": x} for x in (1.0, -0.002))
    (sentence,) = write_answers(one)
    assert sentence == (
        "More luck: the strategies decide 0.0% of the results instead of 100.0% (difference -100 "
        "in 100, interval -100 to -90)."
    )
    assert estimate_text("share", one["other"], "skill") == "0% (0% to 0%)"
    assert "(-101 to" in change({**one, "metric": "deal_luck"}), "this can be negative"


def test_length_is_in_deals_and_minutes():
    choices = row("length.decisions", -5.0, -5.5, -4.5)
    (sentence,) = write_answers(row("length.deals", -2.0, -2.5, -1.5), choices)
    assert sentence == (
        "Shorter: a match has 8.0 deals instead of 10.0 (difference -2.0, interval -2.5 to -1.5). "
        "At 6 s a choice it lasts 0.50 minutes instead of 1.00 (difference -0.50, interval -0.55 "
        "to -0.45)."
    )
    (sentence,) = write_answers(row("length.deals", 2.0, 1.5, 2.5), choices)
    assert sentence.startswith("More deals: a match has 12.0 deals")
    unclear = row("length.decisions", -5.0, -15.5, 4.5)
    (sentence,) = write_answers(row("length.deals", -2.0, -7.0, 3.0), unclear)
    assert sentence.startswith("No clear difference in length: 8.0 deals a match instead of 10.0 (")
    assert "interval -7 to +3)" in sentence  # sizes outside are excluded


def test_without_an_interval_nothing_is_unclear_or_clear():
    """One set of deals, or a share that does not vary, does not show how small a difference is."""
    names = ("length.deals", "length.decisions", "first_dealer", "skill", "answer.turn.trut")
    rows = [row(name, 2.0, None, None, verdict="no interval") for name in names]
    assert [text.partition(":")[0] for text in write_answers(*rows)] == [
        "Length, without an interval",
        "Fairness, without an interval",
        "Luck and skill, without an interval",
        "Boldness, without an interval",
    ]
    with speaking("fr"):
        assert "différence nette" not in " ".join(write_answers(*rows))


@pytest.mark.parametrize("deals", [-2.0, 0.5, 2.0])
@pytest.mark.parametrize("time", [-2.0, 0.5, 2.0])
def test_length_follows_the_intervals_of_deals_and_time(deals, time):
    """ "No clear difference in length" must not stand beside a clear difference of minutes."""
    begins = {
        (-2.0, -2.0): "Shorter: ",
        (2.0, 2.0): "Longer: ",
        (0.5, 0.5): "No clear difference in length: ",
        (0.5, -2.0): "Shorter in time: ",
        (0.5, 2.0): "Longer in time: ",
    }.get((deals, time), "Fewer deals: " if deals < 0 else "More deals: ")
    rows = [row(f"length.{name}", mean, mean - 1, mean + 1)
            for name, mean in (("deals", deals), ("decisions", time))]  # fmt: skip
    (sentence,) = write_answers(*rows)
    assert sentence.startswith(begins)
    assert "difference" in sentence.partition("(")[2].partition("(")[2]  # of both


def test_equal_rounded_values_appear_once():
    """Otherwise a sentence says "10.0 instead of 10.0"."""
    (sentence,) = write_answers(row("first_dealer", 0.002, -0.1, 0.1))
    assert "wins 10.0 of the decided matches in both (difference 0.00, interval" in sentence
    choices = row("length.decisions", 0.001)
    (sentence,) = write_answers(row("length.deals", 0.002, -0.1, 0.1), choices)
    assert (
        ": 10.0 deals a match in both (" in sentence and " lasts 1.00 minutes in both (" in sentence
    )
    with speaking("fr"):
        (sentence,) = write_answers(row("first_dealer", 0.002, -0.1, 0.1))
    assert "gagne 10,0 des parties non nulles dans les deux cas (" in sentence
    # A clear difference shows in both values.
    (sentence,) = write_answers(row("first_dealer", 0.002, 0.001, 0.003))
    assert (
        "wins 10.0020 of the decided matches instead of 10.0000 (difference +0.0020, " in sentence
    )


@pytest.mark.parametrize(
    ("base", "other", "left_out"),
    [(0, 0, True), (1, 1, True), (0, 1, False), (1, 0, False), (0, 0.5, False), (None, 1, True)],
)
def test_only_shares_that_stay_at_one_end_are_left_out(base, other, left_out):
    """A list of all metrics has the draws if no match is drawn now and all were before."""
    values = {
        side: None if mean is None else {"mean": float(mean)}
        for side, mean in (("base", base), ("other", other))
    }
    assert is_nowhere(row("draws", kind="share") | values) == left_out
    assert not is_nowhere(row("length.forced") | values)


def test_one_set_leaves_no_interval_of_minutes():
    """A length without an interval must not stand beside an interval without width."""
    found = [row(name, -2.0, None, None) for name in ("length.deals", "length.decisions")]
    for one in found:
        for side in ("base", "other"):
            one[side] = {"mean": one[side]["mean"], "low": None, "high": None}
    (sentence,) = write_answers(*found)
    assert sentence.endswith("At 6 s a choice a match lasts 0.8 minutes instead of 1 (-0.2).")
    assert [tile.text for tile in tiles({"metrics": found}, ("a", "b"), 6.0).tiles][1] == "-0.2"


@pytest.mark.parametrize(
    ("metric", "less", "unclear", "more"),
    [
        ("first_dealer", "Worse for who deals first", "No clear difference in fairness", "Better"),
        ("skill", "More luck", "No clear difference between luck and skill", "More skill"),
    ],
)
def test_an_answer_follows_the_interval(metric, less, unclear, more):
    for mean, begins in ((-2.0, less), (0.5, unclear), (2.0, more)):
        (sentence,) = write_answers(row(metric, mean, mean - 1, mean + 1))
        assert sentence.startswith(begins)
        assert is_clear(row(metric, mean, mean - 1, mean + 1)) == (begins != unclear)


def test_there_are_at_most_five_sentences_and_no_code_in_french():
    rows = [
        row("length.deals", 2.0, 1.0, 3.0), row("length.decisions"), row("first_dealer"),
        row("skill"), row("answer.turn.trut", 2.0, 1.0, 3.0, "differs"),
        row("weak.turn.trut", -2.0, -3.0, -1.0, "differs"),
        row("comebacks.longs", 2.0, 1.0, 3.0, "differs"),
        row("ends.folded", 2.0, 1.0, 3.0, "differs"),
        row("spread.deals", 9.0, 8.0, 10.0, "differs"),
    ]  # fmt: skip
    assert [text.split(" ")[0] for text in write_answers(*rows)] == [
        "More",
        "No",
        "No",
        "More",
        "Also:",
    ]
    with speaking("fr"):
        assert write_answers(*rows)[0].startswith("Plus de manches")
    assert write_answers(row("length.deals", verdict="identical")) == [
        "Nothing changes in what was played: all deals go the same."
    ]
    grouped = {group.title: [r["metric"] for r in found] for group, found in by_group(rows)}
    assert grouped["Length"] == ["length.deals", "length.decisions", "spread.deals"]
    assert sum(map(len, grouped.values())) == len(rows)
    tile_list = tiles({"metrics": rows}, ("Trut", "House"), 6.0).tiles
    assert [tile.look for tile in tile_list] == ["clear", "unclear", "unclear", "unclear"]
    assert [bar[1] for bar in tile_list[1].bars] == ["1.00", "1.00"]


def test_variants_have_their_titles_where_these_differ():
    def choose_titles(*pairs):
        return titles_of(
            {"variants": [{"name": n, "variant": n, "title": title} for n, title in pairs]}
        )

    assert choose_titles(("trut", "Trut"), ("truc", "Truc")) == {"trut": "Trut", "truc": "Truc"}
    assert (
        choose_titles(("trut", "Trut"), ("trut:goal=5", "Trut"))["trut:goal=5"] == "Trut (goal=5)"
    )
    assert choose_titles(("a.yaml", "Trut"), ("b.yaml", "Trut")) == {
        "a.yaml": "a.yaml",
        "b.yaml": "b.yaml",
    }
