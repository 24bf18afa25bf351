"""Standings of a tournament on the terminal."""

from io import StringIO

import pytest
from fake_game import make_plan, results_of
from rich.console import Console
from set_results import make_set, tally_sets

from trutdsl.language import say, speaking
from trutdsl.report.tournament import show_standings


def show(plan, sets, rename=None, verbose=False):
    tally = tally_sets(plan.design, sets)
    names = [(rename or {}).get(s.name, s.name) for s in plan.strategies]
    results = results_of(plan, tally, names)
    console = Console(file=StringIO(), width=100, highlight=False)
    show_standings(results, "some/folder", console, verbose)
    return console.file.getvalue()


def join_lines(text):
    """Return a text without its line breaks within sentences."""
    return text.replace("\n    ", " ")


ORDERED = make_set([[0, 1], [0, 1], [None, None]])  # s0 beats s1 and s2, who draw


def test_the_tables_and_their_method():
    mixed = make_set([[0, 0], [0, 1], [None, 0]], 9)
    text = show(make_plan(3), [ORDERED] * 12 + [mixed] * 3, verbose=True)
    rows = [" ".join(line.split()) for line in text.splitlines() if line and line[0] not in "┏┡└"]
    short = show(make_plan(3), [ORDERED] * 12 + [mixed] * 3).splitlines()
    details = [line for line in text.splitlines() if line not in short]
    assert [line.split()[0] for line in details if line[:1].isalpha()] == [
        "pairs,",
        "Elo:",
        "the",
        "deals",
    ], "the method"
    assert rows == [
        "Fake, 2 players",
        "s0 comes first, with 95 (84 to 100) of 100 matches. A drawn match counts as half a win.",
        "s0 is better than s1 against the whole field: 68 of 100 matches more (50 to 82).",
        "Not told apart, so that more deals may decide it: s1 and s2.",
        "Between them a match has 7.4 (6.9 to 7.9) deals. "
        "The 90 matches played took 14.8 choices each: 1.0",
        "minutes at 4 s a choice.",
        "No clear advantage of a seat: "
        "the side of the first seat wins 55% (45% to 64%) of the matches.",
        "standings",
        "┃ rank ┃ strategy ┃ score ┃ 95 % interval ┃ won ┃ drawn ┃ lost ┃",
        "│ 1 │ s0 │ 0.95 │ 0.86 to 1.00 │ 57 │ 0 │ 3 │",
        "│ 2-3 │ s1 │ 0.28 │ 0.22 to 0.34 │ 3 │ 27 │ 30 │",
        "│ 2-3 │ s2 │ 0.28 │ 0.22 to 0.34 │ 3 │ 27 │ 30 │",
        "scores head to head",
        "┃ ┃ s0 ┃ s1 ┃ s2 ┃",
        "│ s0 │ │ 0.90 │ 1.00 │",
        "│ s1 │ 0.10 │ │ 0.45 │",
        "│ s2 │ 0.00 │ 0.55 │ │",
        "Each score head to head is within 0.22 of the true one (95 % intervals that hold all "
        "together).",
        "pairs, on the same deals",
        "┃ ┃ score ┃ 95 % interval ┃ gain ┃ correlation ┃",
        "│ s0 against s1 │ 0.90 │ 0.68 to 1.00 │ 1.08 (0.35 to 2.71) │ -0.08 │",
        "│ s0 against s2 │ 1.00 │ 0.81 to 1.00 │ none │ none │",
        "│ s1 against s2 │ 0.45 │ 0.33 to 0.58 │ 1.08 (0.35 to 2.71) │ -0.08 │",
        "Elo: s0 +351 (+184 to +518), s1 -176 (-263 to -88), s2 -176 (-263 to -88)",
        "the first seat's team has by its seats +78 (-9 to +164) Elo",
        "deals a match 7.4 (6.9 to 7.9), "
        "score of the first seat's team 0.55 (0.45 to 0.64), 0.5 if seats are alike",
        "In brackets: 95 % intervals, over sets of deals. That of a score stands by itself; in the "
        "first sentence it allows for the choice of the best. Those of differences and of pairs "
        "hold all together. Two are told apart if the interval of their difference excludes 0.",
        "90 matches (15 sets of deals, each with the 2 seatings of every combination), 666 deals",
        "seed 1, variant ffffffffffff",
        "files: some/folder",
    ]


def test_ranks_are_sets_where_no_difference_is_significant():
    text = show(make_plan(3), [ORDERED] * 2)
    assert text.count("│  1-3 │") == 3
    assert "No two of them can be told apart; more deals may decide it." in text


def test_every_pair_without_a_significant_difference_is_named():
    first_seat_wins = [0, 0]
    s0_beats_s3 = [*[first_seat_wins] * 2, [0, 1], *[first_seat_wins] * 3]
    s1_beats_s0 = [[1, 0], *[first_seat_wins] * 5]
    text = show(make_plan(4), [make_set(s0_beats_s3)] * 12 + [make_set(s1_beats_s0)] * 4)
    assert "more deals may decide it: s0 and s2, s1 and s2.\n" in join_lines(text)
    assert "s0 and s1 cannot be told apart against the whole field: " in text


def test_a_perfect_score_has_an_interval():
    text = show(make_plan(2), [make_set([[0, 1]])] * 20)
    # 20 sets and 1.5 pseudo-sets, half of them lost: Student's t with 20.5 degrees of freedom.
    assert "│ 1.00 │ 0.88 to 1.00 │" in " ".join(text.split())
    assert "s0 is better than s1: 100 of 100 matches more (76 to 100)." in text
    assert "told apart:" not in text


def test_one_set_has_no_interval():
    text = show(make_plan(2), [make_set([[0, 1]])])
    assert "│ none │" in " ".join(text.split()) and "one set of deals only: no interval" in text
    assert "2 matches (1 set of deals," in text
    assert not [word for word in ("told apart", "paired", "better", "1 sets") if word in text]


def test_markup_in_a_name_is_shown():
    text = show(make_plan(2), [make_set([[0, 1]])], {"s0": "[bold]x[/bold]"})
    assert "[bold]x[/bold]" in text


def test_with_three_teams_every_order_is_played():
    text = show(make_plan(3, teams=3), [make_set([[0, 1, 2, 0, 1, 2]])] * 2)
    assert "12 matches (2 sets of deals, each with the 6 seatings of every combination)" in text


def test_a_cycle_is_printed_if_each_step_is_significant():
    """Of 24 sets 20 say that s0 beats s1, s1 beats s2, s2 beats s0; 4 say the opposite."""
    cycle, other = make_set([[0, 1], [1, 0], [0, 1]]), make_set([[1, 0], [0, 1], [1, 0]])
    output = show(make_plan(3), [cycle] * 20 + [other] * 4)
    text = (
        "There is no consistent order: s0 beats s1, s1 beats s2, s2 beats s0, each significantly."
    )
    assert text in join_lines(output)
    assert "No order" not in show(make_plan(3), [cycle] * 12 + [other] * 12)
    whole = show(make_plan(3), [cycle] * 20 + [other] * 4, verbose=True).splitlines()
    assert "intransitive share of pairwise differences: 100% (100% to 100%)" in whole
    (mixture,) = (line for line in whole if "Nash average" in line)
    assert mixture.endswith(": s0 33.3%, s1 33.3%, s2 33.3%"), "no interval: no set changes it"


def test_one_cycle_is_printed_with_the_number_of_others():
    """Of five in a circle each beats the next two: there are five cycles of three."""
    five = make_plan(5)
    ahead = [[0, 1] if (b - a) % 5 in (1, 2) else [1, 0] for a, b in five.design.combinations]
    output = show(five, [make_set(ahead)] * 40)
    assert output.count("There is no consistent order") == 1
    assert "There are 4 cycles more, in results.json." in join_lines(output)


def test_elo_is_printed_if_it_is_finite():
    finite = [ORDERED] * 12 + [make_set([[1, 0], [0, 1], [1, 1]])]
    assert "Elo: " in show(make_plan(3), finite, verbose=True)
    assert "Elo: " not in show(make_plan(3), [ORDERED] * 12, verbose=True)


@pytest.mark.parametrize("width", [80, 50])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_nothing_is_cut_on_a_narrow_terminal(language, width):
    """Titles break between words. The widest table has no lines at 80 columns; at 50, sentences."""
    plan = make_plan(3)
    tally = tally_sets(plan.design, [ORDERED] * 12)
    results = results_of(plan, tally, [s.name for s in plan.strategies])
    for row in results["standings"]:
        row["forfeited"] = 7
    console = Console(file=StringIO(), width=width, highlight=False)
    with speaking(language):
        show_standings(results, None, console, verbose=True)
        titles = [say(name).split()[0] for name in ("rank", "score", "won", "forfeited")]
    text = console.file.getvalue()
    assert "…" not in text
    assert all(title in text for title in titles)


@pytest.mark.parametrize("width", [80, 100, 130])
def test_numbers_of_the_crosstable_never_break(width):
    """The table of twelve strategies loses its lines at 100 columns, and a digit at 80."""
    plan = make_plan(12)
    sets = [make_set([[0, 1]] * 66)] * 400 + [make_set([[1, 0]] * 66)]
    tally = tally_sets(plan.design, sets)
    console = Console(file=StringIO(), width=width, highlight=False)
    names = [f"longname{i}" for i in range(12)]
    show_standings(results_of(plan, tally, names), None, console)
    lines = console.file.getvalue().splitlines()
    below = lines[next(i for i, line in enumerate(lines) if "head to head" in line) :]
    rows = [line.replace("│", " ").split() for line in below if "longname" in line]
    rows = [row for row in rows if row[0] in names][:12]
    assert [len(row) for row in rows] == [12] * 12
    assert {len(one) for row in rows for one in row[1:]} == {
        len("0.00" if width == 80 else "0.998")
    }
    assert max(map(len, below[: len(rows)])) <= width
    assert any("│" in line for line in below) == (width == 130)


def test_a_difference_against_the_field_is_distinguished_from_one_of_two():
    """s0 and s1 draw. Against s2, s0 wins all and s1 half: a quarter more overall."""
    even, ahead = [None, None], [0, 1]
    text = show(make_plan(3), [make_set([even, ahead, [0, 0]])] * 60)
    assert "s0 is better than s1 against the whole field: 25" in text
    assert "\nscores head to head" in text
    row = next(line for line in text.splitlines() if line.startswith("│ s0 │ "))
    assert row.replace("│", " ").split() == ["s0", "0.50", "1.00"]
    two = show(make_plan(2), [make_set([[0, 1]])] * 20)
    assert "s0 is better than s1: " in two and "field" not in two


def test_the_error_of_scores_head_to_head_holds_for_both_of_a_pair():
    """With three sides the scores of a pair need not add up to 1, nor their intervals be alike."""
    plan = make_plan(3)
    names = [strategy.name for strategy in plan.strategies]
    results = results_of(plan, tally_sets(plan.design, [ORDERED] * 9), names)
    results["pairs"][0]["second_score"] |= {"mean": 0.3, "low": 0.2, "high": 0.75}
    console = Console(file=StringIO(), width=100, highlight=False)
    show_standings(results, None, console)
    assert "Each score head to head is within 0.45 of the true one" in console.file.getvalue()
