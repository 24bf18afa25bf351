"""The strategy `monte-carlo` plays every table, the same in both engines, and beats scripts."""

import os
from contextvars import copy_context
from math import sqrt
from threading import Event
from types import SimpleNamespace

import pytest
from tables import scripts_for

from trutdsl.api.explained_choices import wins_of
from trutdsl.bench.measure import benchmark_tables
from trutdsl.game import BadUsage, load_game
from trutdsl.native.play.runs import stop_of_threads
from trutdsl.stats.estimate import Bounds, Sums, estimate_points
from trutdsl.strategy import monte_carlo
from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.match_history import MatchHistory
from trutdsl.strategy.monte_carlo import MonteCarlo, SearchResult, Standings, search_after
from trutdsl.strategy.play import play_match
from trutdsl.strategy.script import table_for
from trutdsl.streams import Stream
from trutdsl.table.chance import StreamChance
from trutdsl.variant import BadParameter

SETS = int(os.environ.get("MARGIN", "0"))  # pairs of matches for each margin, `make worlds`
TABLES = benchmark_tables()
QUICK_TABLES = ["trut-3p", "truc-catalan-4p", "tute-2p"]
OPPONENTS = scripts_for("trut")


@pytest.mark.parametrize("table", TABLES if SETS else QUICK_TABLES)
def test_monte_carlo_plays_every_table(table):
    name, players, pack = TABLES[table]
    game = load_game(name, players, pack, "native")
    seating = [load_strategy("monte-carlo:playouts=12"), load_strategy("uniform")] * players
    results = [play_match(game, seating[:players], 3, 0) for _ in range(2)]
    assert results[0] == results[1]
    assert results[0].decisions > 0


def test_monte_carlo_plays_the_same_match_in_both_engines():
    seating = [load_strategy("monte-carlo:playouts=4,playout=uniform"), load_strategy("quiet")]
    engines = ("reference", "native")
    games = [load_game("trut", 2, ["goal=1"], engine) for engine in engines]
    results = [play_match(game, seating, 1, 0) for game in games]
    assert results[0] == results[1]


def test_a_search_before_the_first_deal_plays_that_deal_in_both_engines(root, monkeypatch):
    """Some games ask before they deal; the value of an answer is that of the whole first deal."""
    spec, found, ahead = load_strategy("monte-carlo:playouts=4,playout=uniform"), [], []
    for engine in ("reference", "native"):
        game = load_game(root / "tests/good/club-with-animals.yaml", 2, ["goal=1"], engine)
        table = table_for(game, (spec.script_for(game),))
        course = MatchHistory(table.compiled_game, (0, 1), StreamChance(1, 0))
        asked = course.state.pending.seat
        found.append(search_after([], spec, table, course, asked, 1))
        for petits in ((2, 0), (0, 2)):
            course = MatchHistory(
                table.compiled_game,
                (asked,),
                StreamChance(1, 0),
                prepare=lambda state, petits=petits: state.set_counter("petits", petits),
            )
            ahead.append(search_after([], spec, table, course, asked, 1))
    assert found[0] == found[1]
    assert ahead[:2] == ahead[2:]
    assert len({repr(one) for one in (found[0], *ahead)}) == 3, "counters count"
    assert found[0].whole == 2 * 4 and len(found[0].weights) == 2
    player = MonteCarlo(spec, table, course, asked, Stream(0))
    team = asked % 2
    assert [player._worth((1, won, 0), 4) for won in (team, -1, 1 - team)] == [8, 4, 0]
    stop = Event()
    stop.set()
    monkeypatch.setattr("trutdsl.native.play.search.OFTEN", 0)
    with pytest.raises(KeyboardInterrupt):
        copy_context().run(lambda: (stop_of_threads.set(stop), player.search()))
    monkeypatch.setattr(player, "_endings", lambda *_: [])
    assert {player.choose() for _ in range(20)} == {0, 1}, "by chance without worlds"


def test_a_drawn_match_is_half_a_win():
    standings = Standings(SimpleNamespace(game=SimpleNamespace(team_count=2)), None, 5)
    standings._winners = lambda *_: [0, 1, -1, 0, -1]
    assert standings.wins(0, (0, 0), 5) == [6, 4]


FAILS_LATER = """\
variant: fails-later
title: A game whose rules fail in the second deal
players: [2]
teams: {2: 2}
pack: {suits: {s: spades}, ranks: [A, K]}
counters: {points: {help: Two are too many.}}
rules: |
  deal state:
      most: 0 to 1
  rule match "Until the rules fail.":
      repeat at most 9 times:
          deal:
              ask dealer "turn":
                  more: points[team(dealer)] += 1
                  same: points[team(dealer)] += 1
              most = points[team(dealer)]
              end deal won by team(dealer) because played
      end match drawn
"""


@pytest.mark.parametrize("answers", [[], ["more"]], ids=["after the deal", "in the deal"])
def test_a_match_whose_rules_fail_is_drawn_in_a_search(answers, tmp_path):
    """Machine code does the same. The match itself may never come there."""
    (tmp_path / "fails-later.yaml").write_text(FAILS_LATER)
    game = load_game(tmp_path / "fails-later.yaml", engine="reference")
    spec = load_strategy("monte-carlo:playouts=6,playout=uniform")
    table = table_for(game, (spec.script_for(game),))
    course = MatchHistory(table.compiled_game, (0,), StreamChance(1, 0))
    result = search_after(answers, spec, table, course, 0, 1)
    assert [*result.worths] == 3 * [[result.whole // 2] * 2]


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_monte_carlo_plays_a_game_without_cards(root, engine):
    game = load_game(root / "tests/good/without-cards.yaml", 2, engine=engine)
    seating = [load_strategy("monte-carlo:playouts=4"), load_strategy("uniform")]
    assert play_match(game, seating, 1, 0).decisions >= 3


def test_a_search_plays_a_limited_number_of_matches_for_the_worth_of_counters(root, monkeypatch):
    """Deals with chips end in many ways, so fewer matches begin from each."""
    game = load_game(root / "variants/examples/three-card-brag.yaml", 3, engine="native")
    played, wholes, playouts, most = [0], [], 100, 8
    winners, search = Standings._winners, MonteCarlo.search

    def count_matches(standings, dealer, counters, matches):
        played[-1] += matches
        return winners(standings, dealer, counters, matches)

    def count_searches(player):
        if len(wholes) == 4:
            raise InterruptedError
        played.append(0)
        result = search(player)
        wholes.append(result.whole)
        return result

    monkeypatch.setattr(monte_carlo, "MOST_MATCHES", most)
    monkeypatch.setattr(Standings, "_winners", count_matches)
    monkeypatch.setattr(MonteCarlo, "search", count_searches)
    seating = [load_strategy(f"monte-carlo:playouts={playouts}")] * 3
    with pytest.raises(InterruptedError):
        play_match(game, seating, 3, 0)
    assert max(played) <= most * playouts
    assert 0 < max(wholes) < 2 * playouts


def test_wrong_settings_are_refused():
    for text, said in (
        ("playouts=0", "'playouts' is a whole number from 1 to 1,000,000, not '0'"),
        ("playouts", "set by NAME=VALUE, not by 'playouts'"),
        ("playout=nobody", "there is no script 'nobody'"),
        ("worlds=3", "'monte-carlo' has no parameter 'worlds'"),
    ):
        with pytest.raises((BadParameter, BadUsage)) as failed:
            load_strategy(f"monte-carlo:{text}")
        assert said in str(failed.value)
    assert load_strategy("monte-carlo:playouts=1000").name == "monte-carlo"
    assert load_strategy("monte-carlo:playouts=20").name == "monte-carlo:playouts=20"


def margin(opponent, sets, playouts):
    """Return the mean share of won matches minus a half, and its standard error over pairs."""
    game = load_game("trut", 2, engine="native")
    one, other = load_strategy(f"monte-carlo:playouts={playouts}"), load_strategy(opponent)
    scores = []
    for match in range(sets):
        won = play_match(game, [one, other], 11, match).winner == 0
        won += play_match(game, [other, one], 11, match).winner == 1
        scores.append(won / 2 - 0.5)
    mean = sum(scores) / sets
    spread = sum((score - mean) ** 2 for score in scores) / (sets - 1)
    return mean, sqrt(spread / sets)


@pytest.mark.thorough
@pytest.mark.parametrize("opponent", OPPONENTS if SETS else ["quiet"])
def test_monte_carlo_beats_the_scripts_of_trut(opponent):
    mean, error = margin(opponent, SETS or 8, 1000 if SETS else 100)
    assert mean - 2 * error > 0, f"{mean:+.3f}, {error:.3f}"


def wins_in(weights, worlds, whole=2000):
    return [*wins_of(SearchResult(0, weights, worlds, whole))]


def test_wins_of_a_search_have_the_interval_of_as_many_sets():
    """One action wins 40 of 50 worlds, the other all; more worlds of no weight change nothing."""
    estimates = [estimate_points(Sums(50, n, n, 1), Bounds(0, 1)).within(0, 1) for n in (40, 50)]
    expected = [pytest.approx((one.mean, one.low, one.high)) for one in estimates]
    worlds = [[2000, 2000]] * 40 + [[0, 2000]] * 10
    assert wins_in([3] * 50, worlds) == expected
    assert wins_in([3] * 50 + [0] * 50, worlds + [[0, 0]] * 50) == expected
    assert 0.9 < estimates[1].low < 0.97
    assert wins_in([], []) == [], "a single legal action needs no search"


def test_wins_of_a_search_include_the_error_of_the_worth_of_counters():
    """All worlds end at the same counters, or half of them at others; 1,000 matches say what for.

    The errors of both worths add up as if fully correlated.
    """
    ((mean, low, high),) = wins_in([3] * 10**6, [[1000]] * 10**6)
    error = sqrt(0.25 / 1000)
    assert (mean, low, high) == pytest.approx((0.5, 0.5 - 1.96 * error, 0.5 + 1.96 * error))
    ((mean, low, high),) = wins_in([3] * 10**6, [[1000], [1600]] * (10**6 // 2))
    error = (0.5 + 0.4) / 2 / sqrt(1000)
    assert (mean, low, high) == pytest.approx(
        (0.65, 0.65 - 1.96 * error, 0.65 + 1.96 * error), 1e-3
    )
