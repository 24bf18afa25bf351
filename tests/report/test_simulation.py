from types import SimpleNamespace

from trutdsl.game import MatchResult
from trutdsl.report.simulation import simulation_figures, simulation_lines

GAME = SimpleNamespace(
    name="fake",
    players=4,
    teams=(0, 0, 1, 1),
    team_count=2,
    fingerprint="f" * 64,
    parameter_texts=dict,
)


def lines_of(*results):
    played = [MatchResult(winner, deals, decisions, {}) for winner, deals, decisions in results]
    return list(simulation_lines(simulation_figures(GAME, ["a", "b", "c", "d"], 5, played)))


def test_shares_and_lengths_with_their_intervals():
    assert lines_of(*[(0, 4, 20)] * 7, (1, 5, 26), (1, 6, 28), (None, 8, 42)) == [
        "fake, 4 players, 10 matches, seed 5, rules ffffffffffff",
        "  deals a match     4.70 (3.83 to 5.76)",
        "  decisions a deal  5.02 (4.87 to 5.17)",
        "  team 0 wins       70.0% (34.8% to 93.3%): a, b",
        "  team 1 wins       20.0% (2.5% to 55.6%): c, d",
        "  draws             10.0% (0.3% to 44.5%)",
        "Intervals: 95 %, over independent matches; shares by Clopper and Pearson, the others by "
        "Student's t on the logarithm.",
    ]


def test_a_single_match_has_shares_only():
    assert lines_of((0, 4, 20)) == [
        "fake, 4 players, 1 match, seed 5, rules ffffffffffff",
        "  deals a match     4.00",
        "  decisions a deal  5.00",
        "  team 0 wins       100.0% (2.5% to 100.0%): a, b",
        "  team 1 wins       0.0% (0.0% to 97.5%): c, d",
        "Intervals: 95 %, over independent matches; shares by Clopper and Pearson.",
    ]


def test_matches_of_one_length_have_no_interval_of_it():
    lines = lines_of((0, 4, 20), (1, 4, 20))
    assert lines[1] == "  deals a match     4.00"
    assert "Student" not in lines[-1]
