from io import StringIO

from rich.console import Console
from simulated import make_plan, make_set

from trutdsl.report.manifest import describe_experiment
from trutdsl.report.results import collect_results
from trutdsl.report.standings import show_standings
from trutdsl.stats.summary import summarize
from trutdsl.stats.tally import merge_all, tally_set


def show(plan, sets, rename=None):
    tally = merge_all(tally_set(plan, s) for s in sets)
    names = [(rename or {}).get(s.name, s.name) for s in plan.strategies]
    results = collect_results(describe_experiment(plan), summarize(plan, tally), tally, names)
    console = Console(file=StringIO(), width=100, highlight=False)
    show_standings(results, "some/folder", console)
    return console.file.getvalue()


ORDERED = make_set([[0, 1], [0, 1], [None, None]])  # s0 beats s1 and s2, who draw


def test_the_table_and_how_it_was_made():
    varied = make_set([[0, 0], [0, 1], [None, 0]], 9)
    text = show(make_plan(3), [ORDERED] * 12 + [varied] * 3)
    rows = [" ".join(line.split()) for line in text.splitlines() if line[0] not in "┏┡└"]
    assert rows == [
        "fake, 2 players",
        "┃ rank ┃ strategy ┃ score ┃ 95 % interval ┃ won ┃ drawn ┃ lost ┃",
        "│ 1 │ s0 │ 0.9500 │ 0.7901 to 1.0000 │ 57 │ 0 │ 3 │",
        "│ 2-3 │ s1 │ 0.2750 │ 0.2032 to 0.3877 │ 3 │ 27 │ 30 │",
        "│ 2-3 │ s2 │ 0.2750 │ 0.2032 to 0.3877 │ 3 │ 27 │ 30 │",
        "not separated: s1 from s2",
        "90 matches (15 sets of deals, each with the 2 seatings of every combination), 666 deals",
        "deals a match 7.40 (6.96 to 7.87), "
        "score of seat 0's team 0.5500 (0.4596 to 0.6341), 0.5 if seats are alike",
        "seed 1, variant ffffffffffff; each interval by itself, by Student's t over sets and "
        "pseudo-sets; ranks by paired contrasts with Holm's correction",
        "files: some/folder",
    ]


def test_ranks_are_sets_where_nothing_is_separated():
    text = show(make_plan(3), [ORDERED] * 2)
    assert text.count("│  1-3 │") == 3
    assert "not separated: any two of them" in text


def test_every_pair_that_is_not_separated_is_named():
    first_seat_wins = [[0, 0]] * 6
    s0_beats_s3 = [[0, 0], [0, 0], [0, 1], [0, 0], [0, 0], [0, 0]]
    text = show(make_plan(4), [make_set(s0_beats_s3)] * 12 + [make_set(first_seat_wins)] * 3)
    assert "not separated: s0 from s1, s2; s1 from s2, s3; s2 from s3\n" in text


def test_certainty_is_not_pretended():
    text = show(make_plan(2), [make_set([[0, 1]])] * 20)
    # 20 sets that are won and 1.5 each won and lost: Student's t with 22 degrees of freedom.
    assert "│ 1.0000 │ 0.8256 to 1.0000 │" in text
    assert "pseudo-sets" in text and "not separated" not in text


def test_one_set_has_no_interval():
    text = show(make_plan(2), [make_set([[0, 1]])])
    assert "│ none │" in " ".join(text.split()) and "one set only: no interval" in text
    assert "2 matches (1 set of deals," in text
    assert not [word for word in ("not separated", "Student", "Holm", "1 sets") if word in text]


def test_a_name_is_shown_as_it_is():
    text = show(make_plan(2), [make_set([[0, 1]])], {"s0": "[bold]x[/bold]"})
    assert "[bold]x[/bold]" in text
