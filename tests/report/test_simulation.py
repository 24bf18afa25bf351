"""Figures and lines of a simulation, from counts without play."""

from dataclasses import asdict
from types import SimpleNamespace

import pytest

import trutdsl
from trutdsl.game import load_game
from trutdsl.report.blocks import Section
from trutdsl.report.in_play import deals_to_some
from trutdsl.report.simulation import simulation_figures
from trutdsl.report.simulation_text import played_blocks, simulation_blocks
from trutdsl.report.terminal import text_lines
from trutdsl.stats.estimate import estimate_ratio, ratio_sums
from trutdsl.table.counts import CountPlan, Counts
from trutdsl.variant import load_variant, words_of

WORDS = words_of(load_variant("trut"))
GAME = SimpleNamespace(
    name="fake",
    players=4,
    teams=(0, 0, 1, 1),
    team_count=2,
    fingerprint="f" * 64,
    score=None,
    parameter_texts=dict,
    variant=load_game("trut").variant,
    program=load_game("trut").program,
    setting=load_game("trut").setting,
)
PLAN = CountPlan(
    2,
    (("turn", ("play CARD", "trut")), ("never", ("pass",)), ("deals end", ("yes", "no"))),
    ("void", "played", "folded"),
    ("longs",),
    4,
)


def make_counts(results, **within):
    numbers = [0] * PLAN.size

    def add(part, *values):
        for place, value in enumerate(values, PLAN.offsets[part]):
            numbers[place] += value

    for winner, deals, decisions in results:
        add("matches", 1)
        add("winners", *(winner == team for team in (0, 1, None)))
        add("deals", deals)
        add("deals_sq", deals**2)
        add("decisions", decisions)
        add("decisions_sq", decisions**2)
        add("deals_decisions", deals * decisions)
    for part, values in within.items():
        add(part, *values)
    return Counts(PLAN, tuple(numbers))


def simulation_lines(figures, every=True):
    blocks = [*simulation_blocks(figures, WORDS, every=every), *played_blocks(figures, WORDS)]
    return [line.strip() for line in text_lines([Section("", "", blocks)]) if line.strip()]


def make_lines(*results, every=True, **within):
    counts = make_counts(results, **within)
    figures = simulation_figures(GAME, ["a", "b", "c", "d"], 5, [counts])
    return simulation_lines(figures, every)


BY_T = ", the others by Student's t."
INTERVALS = "Intervals: 95 %, over independent matches; shares by Clopper and Pearson"


def test_shares_and_lengths_with_their_intervals():
    found = make_lines(*[(0, 4, 20)] * 7, (1, 5, 26), (1, 6, 28), (None, 8, 42))
    assert found == [
        "Length:",
        "deals a match: 4.7 (3.7 to 5.7)",
        "decisions a deal: 5.02 (4.85 to 5.19)",
        "Fairness:",
        "draws: 10% (0% to 45%)",
        "Luck and skill:",
        "team 1 wins: 70% (35% to 93%), a, b",
        "team 2 wins: 20% (3% to 56%), c, d",
        "fake, 4 players, 10 matches, seed 5, rules ffffffffffff",
        INTERVALS + BY_T,
    ]


def test_a_single_match_has_shares_only():
    assert make_lines((0, 4, 20)) == [
        "Length:",
        "deals a match: 4",
        "decisions a deal: 5",
        "Luck and skill:",
        "team 1 wins: 100% (2% to 100%), a, b",
        "team 2 wins: 0% (0% to 98%), c, d",
        "fake, 4 players, 1 match, seed 5, rules ffffffffffff",
        f"{INTERVALS}.",
    ]


def test_single_deals_are_the_clusters():
    """Of single deals no match has several, and each deal is independent of the others."""
    figures = simulation_figures(GAME, ["a"] * 4, 5, [make_counts([(0, 1, 5)], **WITHIN)] * 2)
    text = " ".join(block.text for block in played_blocks(figures, WORDS))
    assert "over independent matches" in text and "clusters of matches" in text
    figures["score"] = {"points": [0, 0]}
    text = " ".join(block.text for block in played_blocks(figures, WORDS))
    assert "over independent deals; that of a match" in text and "clusters of deals" in text
    assert "independent matches" not in text and "of one match" not in text


def test_equal_lengths_still_have_an_interval():
    lines = make_lines((0, 4, 20), (1, 4, 20))
    assert lines[1] == "deals a match: 4 (1 to 7)"


WITHIN = {
    "ended": (0, 0, 0, 4, 2, 1, 1, 0, 0),  # three reasons: team 0, team 1, nobody
    "after_dealer": (2, 5),
    "chosen": (30, 10, 0, 0, 3, *[0] * 5, 5, 15, 0, 0, 0),  # seats 0, 1 and 2
}


def test_events_within_matches_are_listed():
    lines = make_lines((0, 4, 20), (1, 4, 23), **WITHIN)
    assert lines[lines.index("Fairness:") : -2] == [
        "Fairness:",
        "deals by winner (8): dealer's side 25.0%, next side 62.5%, nobody 12.5%",
        "Luck and skill:",
        "team 1 wins: 50% (1% to 99%), a, b",
        "team 2 wins: 50% (1% to 99%), c, d",
        "Boldness:",
        "a: turn (40): play CARD 75.0%, trut 25.0%",
        "a: deals end (3): yes 0.0%, no 100.0%",
        "c: turn (20): play CARD 25.0%, trut 75.0%",
        "deals end (8): played 87.5%, folded 12.5%",
        "fake, 4 players, 2 matches, seed 5, rules ffffffffffff",
        INTERVALS + BY_T,
    ]
    clusters = [make_counts([(0, 4, 20)], **WITHIN)]
    figures = simulation_figures(GAME, ["a"] * 4, 5, clusters)
    assert figures["answers_by_strategy"] == {}, "it is all in `answers`"
    assert figures["answers"]["turn"]["play CARD"]["count"] == 35
    assert "turn (60): play CARD 58.3%, trut 41.7%" in simulation_lines(figures)


def test_one_figure_of_each_kind_is_listed_by_default():
    lines = make_lines((0, 4, 20), (1, 4, 23), every=False, **WITHIN)
    assert lines[: lines.index("fake, 4 players, 2 matches, seed 5, rules ffffffffffff")] == [
        "One figure of each kind:",
        "Length: deals a match: 4 (1 to 7)",
        "Fairness: deals by winner (8): dealer's side 25.0%, next side 62.5%, nobody 12.5%",
        "Luck and skill: team 1 wins: 50% (1% to 99%), a, b",
        "Boldness: a: turn (40): play CARD 75.0%, trut 25.0%",
    ]


def test_wins_of_equal_strategies_belong_to_fairness():
    figures = simulation_figures(GAME, ["a"] * 4, 5, [make_counts([(0, 4, 20), (1, 4, 20)])])
    lines = simulation_lines(figures)
    assert lines.index("Fairness:") + 1 == lines.index("team 1 wins: 50% (1% to 99%), a, a")
    assert "Luck and skill:" not in lines


def test_random_answers_are_listed():
    strategies = ["a", "a", "c", "d"]
    counts = [make_counts([(0, 4, 20)], **WITHIN, taken_any=WITHIN["chosen"])]
    figures = simulation_figures(GAME, strategies, 5, counts)
    assert figures["at_random"] == {"a": {"turn": 40, "deals end": 3}, "c": {"turn": 20}}
    note = "Random answers: all answers of a; all answers of c"
    assert simulation_lines(figures)[-1] == note
    counts = [make_counts([(0, 4, 20)], **WITHIN, taken_any=(3, 2))]
    figures = simulation_figures(GAME, strategies, 5, counts)
    assert simulation_lines(figures)[-1].endswith("Random answers: a at turn (5 of 40)")
    counts = [make_counts([(0, 4, 20)], **WITHIN)]
    assert simulation_figures(GAME, strategies, 5, counts)["at_random"] == {}


def test_forced_answers_are_distinguished_from_decisions():
    """10 in 4 deals and 14 in 6 deals are 2.4 a deal; the residuals are 0.4 and -0.4."""
    results = [[(0, 4, 20)], [(1, 6, 28)]]
    clusters = [make_counts(r, forced=(n,)) for r, n in zip(results, (10, 14), strict=True)]
    figures = simulation_figures(GAME, ["a"] * 4, 5, clusters)
    assert figures["forced_per_deal"] == asdict(estimate_ratio(ratio_sums([10, 14], [4, 6])))
    assert figures["forced_per_deal"]["mean"] == 2.4
    assert any(line.startswith("forced answers a deal: 2.4") for line in simulation_lines(figures))
    assert not any("forced" in line for line in make_lines((0, 4, 20)))


def test_shares_within_matches_have_intervals_over_clusters():
    clusters = [
        make_counts([(0, 4, 20)], ended=(0, 0, 0, 4, 2, 1, 1, 0, 0)),
        make_counts([(1, 3, 12)], ended=(0, 0, 0, 1, 0, 0, 2, 0, 0)),
    ]
    figures = simulation_figures(GAME, ["a"] * 4, 5, clusters)
    assert figures["matches"] == 2 and figures["deals"] == 7
    folded = figures["deal_ends"]["folded"]
    expected = estimate_ratio(ratio_sums([1, 2], [8, 3]), most=1.0)
    assert folded == {"count": 3, "share": asdict(expected)}
    assert expected.mean == 3 / 11 and expected.low == 0
    assert "folded 27% (0% to 100%)" in " ".join(simulation_lines(figures))


def test_an_empty_match_has_no_shares():
    counts = make_counts([(0, 0, 0)])
    figures = simulation_figures(GAME, ["a"] * 4, 5, [counts])
    assert (figures["deal_ends"], figures["deal_winners"], figures["answers"]) == ({}, {}, {})
    assert simulation_lines(figures)[-1].startswith("Intervals")


def test_deals_that_nobody_can_win_have_no_winners():
    counts = make_counts([(0, 4, 20)], ended=(0, 0, 4))
    figures = simulation_figures(GAME, ["a"] * 4, 5, [counts])
    assert figures["deal_ends"]["void"]["count"] == 4 and figures["deal_winners"] == {}
    assert not any("deals by winner" in line for line in simulation_lines(figures))


@pytest.mark.parametrize("count", [0, 3])
def test_an_answer_that_nobody_can_choose_is_left_out(count):
    """With two players nobody else can answer, so `leave it` is impossible."""
    plan = CountPlan(2, (("respond", ("accept", "fold", "leave it")),), ("played",), ("longs",), 2)
    numbers = [0] * plan.size
    numbers[plan.offsets["matches"]] = 1
    numbers[plan.offsets["winners"]] = 1
    numbers[plan.offsets["chosen"] : plan.offsets["chosen"] + 3] = [7, 0, count]
    game = SimpleNamespace(**{**vars(GAME), "players": 2, "teams": (0, 1)})
    figures = simulation_figures(game, ["a"] * 2, 5, [Counts(plan, tuple(numbers))])
    assert [*figures["answers"]["respond"]] == ["accept", "fold", *["leave it"] * bool(count)]


def test_an_option_of_a_replaced_rule_is_left_out(tmp_path):
    """The rule `answer` of the base stays in the program, though nothing calls it."""
    path = tmp_path / "house.yaml"
    path.write_text(
        "variant: house\ntitle: House\nextends: trut\nrules: |\n"
        "  replace rule answer(player):\n"
        '      ask player "respond":\n'
        "          see: return yes\n"
        "          fold: return no\n"
    )
    figures = trutdsl.simulate(str(path), "uniform", matches=20)
    assert [*figures["answers"]["respond"]] == ["fold", "see"]


DROPPING_OUT = {
    "trut": False,
    "variants/examples/bourre.yaml": False,
    "variants/examples/thirty-one.yaml": True,
}


@pytest.mark.parametrize("name", DROPPING_OUT)
def test_some_rules_deal_to_some_seats_only(name):
    game = load_game(name, players=3)
    assert deals_to_some(game.program) == DROPPING_OUT[name]
