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
        "│ 1 │ s0 │ 0.9500 │ 0.8927 to 1.0000 │ 57 │ 0 │ 3 │",
        "│ 2-3 │ s1 │ 0.2750 │ 0.2463 to 0.3037 │ 3 │ 27 │ 30 │",
        "│ 2-3 │ s2 │ 0.2750 │ 0.2463 to 0.3037 │ 3 │ 27 │ 30 │",
        "not separated: s1 and s2",
        "90 matches (15 sets of deals, each with the 2 seatings of every combination), 666 deals",
        "deals a match 7.40 (6.9414 to 7.8586), "
        "score of the first seat's team 0.5500 (0.4927 to 0.6073)",
        "seed 1, variant ffffffffffff; "
        "intervals by Student's t over sets, ranks by paired contrasts with Holm's correction",
        "files: some/folder",
    ]


def test_ranks_are_sets_where_nothing_is_separated():
    text = show(make_plan(3), [ORDERED] * 2)
    assert text.count("│  1-3 │") == 3
    assert "not separated: s0 and s1; s1 and s2" in text


def test_certainty_is_not_pretended():
    text = show(make_plan(2), [make_set([[0, 1]])] * 20)
    assert "│ 1.0000 │ 0.8316 to 1.0000* │" in text
    assert "* every set gave the same score; Clopper-Pearson limit" in text


def test_one_set_has_no_interval():
    text = show(make_plan(2), [make_set([[0, 1]])])
    assert "│ none │" in " ".join(text.split()) and "one set only: no interval" in text
    assert "not separated" not in text


def test_a_name_is_shown_as_it_is():
    text = show(make_plan(2), [make_set([[0, 1]])], {"s0": "[bold]x[/bold]"})
    assert "[bold]x[/bold]" in text
