"""Counts of machine code over matches agree with the events of the reference engine."""

from collections import Counter, deque
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from multiprocessing import get_context
from operator import mul

import numpy as np
import pytest
from extent import THOROUGH, extent
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trutdsl.game import load_game
from trutdsl.ir.intervals import MOST_QUESTIONS
from trutdsl.solve.exact import evaluate
from trutdsl.strategy import count
from trutdsl.strategy.count import (
    CountedLegs,
    MatchCounter,
    add_part,
    count_in_parts,
    count_matches,
    cut_clusters,
)
from trutdsl.strategy.fitness import load_strategies
from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.play import play_match
from trutdsl.strategy.script import table_with
from trutdsl.table.counts import (
    BRIEF,
    COUNTERS,
    LEADS,
    LENGTHS,
    PATH,
    SCORES,
    STEPS,
    VALUES,
    Counts,
    Rows,
    length_from,
    length_index,
)
from trutdsl.table.faults import RuleError
from trutdsl.table.setting import SeatedPlayer

TABLES = [
    ("trut", 2, 12),
    ("trut", 4, 8),
    ("trut-club", 3, 8),
    ("trut-deluxe", 2, 8),
    ("truc-catalan", 4, 6),
    ("truc-french", 2, 4),
    ("tute", 2, 3),
]
FULLY_OPTIMIZED = [("trut", 2), ("truc-catalan", 4)]
UNIFORM = load_strategy("uniform")


@pytest.fixture(autouse=True)
def compile_quickly(request, monkeypatch):
    """Let LLVM optimize only the tables in `FULLY_OPTIMIZED`, where all parts are compared."""
    case = getattr(request.node, "callspec", None)
    table = case and (case.params.get("name"), case.params.get("players"))
    if not THOROUGH and table not in FULLY_OPTIMIZED:
        monkeypatch.setenv("TRUTDSL_QUICK", "1")


# All special cases: a counter and a lead beyond the last place, a deal that ends with the match,
# draws, options of one name in two questions.
EDGES = """\
variant: edges
title: Edges
players: [2, 3]
teams: {2: 2, 3: 3}
pack: {suits: {h: hearts}, ranks: [A, K]}
counters: {points: {help: Points.}, debts: {help: Debts.}}
rules: |
  rule match:
      repeat at most 200 times:
          deal:
              ask dealer "run":
                  stop: end match drawn
                  walk: points[team(dealer)] += 1
                  leap amount from 20 to 60: points[team(dealer)] += amount
                  owe: debts[team(dealer)] += 1
              dealer = next_seat(dealer)
              ask dealer "run":
                  walk
                  rest
                  jump amount from 1 to 40: points[team(dealer)] += amount
                  claim: end match won by team(dealer)
              ask dealer "other":
                  walk
              if points[team(dealer)] > 30: end deal because far
              end deal won by team(dealer) because run
      end match drawn
"""


def count_in_machine_code(game, first, matches):
    return game.count([SeatedPlayer("uniform")] * game.players, 5, first, matches)


def count_from_events(game, first, matches):
    counter = MatchCounter(game.in_engine("reference"), [UNIFORM] * game.players, 5)
    for match in range(first, first + matches):
        counter.play(match)
    return counter.counts()


def parts_of(counts):
    return {name: counts[name] for name in counts.plan.shapes}


@pytest.mark.parametrize(("name", "players", "matches"), TABLES)
def test_machine_code_counts_as_the_events_say(name, players, matches):
    game = load_game(name, players, engine="native")
    found = count_in_machine_code(game, 3, matches)
    assert parts_of(found) == parts_of(count_from_events(game, 3, matches))
    assert found.plan == game.count_plan
    assert found["matches"] == matches == sum(found["winners"])
    assert sum(map(sum, found["chosen"])) == found["decisions"]
    assert found["taken_any"] == found["chosen"], "uniform takes any action"
    assert sum(map(sum, found["ended"])) == found["deals"]
    assert sum(found["first_dealer"]) == matches
    for counter in range(len(found.plan.counters)):
        assert found["deficits"][counter] == sum(map(mul, range(LEADS), found["behind"][counter]))
        assert sum(found["behind"][counter]) == matches - found["winners"][-1]
        if found.plan.teams == 2:
            assert sum(map(sum, found["stood"][counter])) == found["deals"]
            assert found["stood"][counter][0][0] >= matches


def test_answers_taken_by_any_are_counted_only_if_there_is_a_choice(tmp_path):
    """Some walks are chosen, others are taken by `any`. The only answer to `other` is forced."""
    (tmp_path / "edges.yaml").write_text(EDGES, encoding="utf-8")
    script = tmp_path / "some.strategy"
    script.write_text(
        'strategy some "Walks.":\n'
        "    on run:\n        walk when me == dealer and points[team(me)] < 3\n"
        "    otherwise: any\n",
        encoding="utf-8",
    )
    game = load_game(tmp_path / "edges.yaml", 2, engine="native")
    seating = load_strategies([str(script)] * 2, game)
    found = count_matches(game, seating, 5, 0, 30)
    counter = MatchCounter(game.in_engine("reference"), seating, 5)
    for match in range(30):
        counter.play(match)
    assert parts_of(found) == parts_of(counter.counts())
    chosen, taken = (dict(found.answers(part=part)) for part in ("chosen", "taken_any"))
    assert 0 < taken["run"]["walk"] < chosen["run"]["walk"]
    assert taken["run"]["rest"] == chosen["run"]["rest"] > 0
    assert found["forced"] > 0 == sum(chosen["other"].values()) == sum(taken["other"].values())


@pytest.mark.parametrize(("name", "players"), [("trut", 2), ("truc-catalan", 4)])
def test_brief_counts_leave_out_only_what_simulate_does_not_print(name, players, monkeypatch):
    monkeypatch.setenv("TRUTDSL_QUICK", "1")
    game = load_game(name, players, engine="native")
    whole, brief = (
        count_matches(game, [UNIFORM] * players, 3, 2, 9, brief=b) for b in (False, True)
    )
    assert BRIEF < parts_of(brief).keys() == parts_of(whole).keys()
    for part, numbers in parts_of(brief).items():
        assert numbers == (parts_of(whole)[part] if part in BRIEF else ()), part


@pytest.mark.parametrize(("seconds", "most"), [(0.0, 1), (1e9, 5)][: extent(1, None)])
def test_partial_counts_add_up_to_the_clusters(seconds, most, monkeypatch):
    monkeypatch.setattr(count, "PART", seconds)
    monkeypatch.setattr(count, "CLUSTERS", 8)
    game, clusters, sizes = load_game("trut", 2, engine="reference"), [], []
    for cluster, counts in count_in_parts(game, [UNIFORM] * 2, 5, 40, 3):
        add_part(clusters, cluster, counts)
        sizes.append(counts["matches"])
    assert (max(sizes), sum(sizes)) == (most, 40)
    assert clusters == [count_matches(game, [UNIFORM] * 2, 5, *few) for few in cut_clusters(40, 3)]


@pytest.mark.parametrize(
    ("name", "players", "matches", "scripts"),
    [
        ("trut", 3, 6, ("bluffer", "honest", "tight")),
        ("truc-catalan", 2, 5, ("bluffer", "steady")),
        ("trut", 2, 10, ("bluffer", "honest")),
        ("trut-gatinaise", 4, 4, ("loose", "tight", "loose", "tight")),
    ][: extent(2, 4)],
)
def test_bets_are_counted_by_the_strength_of_hands(name, players, matches, scripts):
    game = load_game(name, players, engine="native").measuring()
    seating = load_strategies(scripts, game)
    found = count_matches(game, seating, 5, 3, matches)
    counter = MatchCounter(game.in_engine("reference").measuring(), seating, 5)
    for match in range(3, 3 + matches):
        counter.play(match)
    assert parts_of(found) == parts_of(counter.counts()) and found.plan.bets
    chosen = dict(found.answers())
    for (decision, option), (times, offered) in bets_of(found).items():
        assert times == chosen[decision][option] <= offered


def bets_of(counts):
    ended, offered = counts["bet_ended"], counts["offered"]
    return {
        bet: (sum(n for row in ended[i] for of in row for n in of), sum(offered[i]))
        for i, bet in enumerate(counts.plan.betting)
    }


def test_games_without_metadata_have_no_bets():
    assert load_game("tute", 2, engine="native").measuring().count_plan.bets == ()


@pytest.fixture
def edges(tmp_path):
    path = tmp_path / "edges.yaml"
    path.write_text(EDGES, encoding="utf-8")
    return path


@pytest.mark.parametrize("players", [2, 3])
def test_values_beyond_the_places_are_counted_in_the_last_place(edges, players):
    game = load_game(edges, players, engine="reference")
    found = count_in_machine_code(game, 0, 60)
    assert parts_of(found) == parts_of(count_from_events(game, 0, 60))
    assert found["finals"][0][0][VALUES - 1] and found["finals"][1][0][0]
    assert found["led"][0][LEADS - 1] and found["held"][0][LEADS - 1]
    assert found["behind"][0][LEADS - 1]
    assert found["lead_changes"][0] and found["first_dealer"][players]
    assert players > 2 or found["stood"][0][SCORES - 1][SCORES - 1]
    assert found["winners"][players] and "match_over" in found.plan.reasons
    answers = dict(found.answers())
    assert list(answers) == ["run", "other"]
    assert set(answers["run"]) == {
        "stop",
        "walk",
        "leap NUMBER",
        "owe",
        "rest",
        "jump NUMBER",
        "claim",
    }


def test_the_places_of_lengths_cover_all_numbers():
    """Each number up to 63 has its own place. The places have no gaps."""
    firsts = [length_from(place) for place in range(LENGTHS + 1)]
    assert firsts[:64] == list(range(64)) and firsts[64:67] == [64, 66, 68]
    assert firsts[96:98] == [128, 132] and firsts == sorted(set(firsts))
    for place, (first, beyond) in enumerate(pairwise(firsts)):
        assert {length_index(n) for n in (first, (first + beyond) // 2, beyond - 1)} == {place}
        assert (beyond - first) * STEPS <= max(STEPS, first)
    assert length_index(10**9) == LENGTHS - 1 > length_index(MOST_QUESTIONS) > 0


def test_long_matches_share_places_of_lengths(edges):
    edges.write_text(
        EDGES.replace("stop: end match drawn", "stop").replace(
            "claim: end match won by team(dealer)", "claim"
        )
    )
    game = load_game(edges, engine="reference")
    found = count_in_machine_code(game, 0, 2)
    assert parts_of(found) == parts_of(count_from_events(game, 0, 2))
    assert found["lengths"][length_index(200)] == 2 == sum(found["lengths"])
    assert found["deals"] == 400 and found["deals_sq"] == 2 * 200**2
    # The last of the three questions of a deal has a single answer.
    assert found["decisions"] == 800 and found["questions"][length_index(400)] == 2
    assert found["forced"] == 400


def test_scores_are_counted_only_for_the_first_deals(edges):
    edges.write_text(
        EDGES.replace("at most 200 times", f"at most {PATH + 5} times")
        .replace("stop: end match drawn", "stop")
        .replace("claim: end match won by team(dealer)", "claim")
    )
    game = load_game(edges, engine="reference")
    found = count_in_machine_code(game, 0, 2)
    assert parts_of(found) == parts_of(count_from_events(game, 0, 2))
    assert found["deals"] == 2 * (PATH + 5)
    assert sum(map(sum, found["stood"][0])) == 2 * PATH


# Each deal takes 20 points from the dealer. After three deals, the teams have -40 and -20.
BELOW = """\
variant: edges
title: Below nothing
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts}, ranks: [A, K]}
counters: {points: {help: Points., min: -500}}
rules: |
  rule match:
      repeat 3 times:
          deal:
              points[team(dealer)] -= 20
              end deal won by team(next_seat(dealer)) because played
          dealer = next_seat(dealer)
      end match won by team(dealer)
"""


def test_negative_counters_are_counted_in_the_first_place_and_leads_are_exact(edges):
    edges.write_text(BELOW)
    game = load_game(edges, engine="reference")
    found = count_in_machine_code(game, 0, 4)
    assert parts_of(found) == parts_of(count_from_events(game, 0, 4))
    assert [of_team[0] for of_team in found["finals"][0]] == [4, 4]
    assert found["stood"][0][0][0] == 12
    assert (found["led"][0][0], found["led"][0][20], found["gained"][0]) == (8, 4, 0)
    assert found["behind"][0][0] == 4


# As in Kuhn poker; a chip that another player wins is one that this player loses.
LOSSES = [
    ("{help: What a player", "{min: -500, best: lowest, help: What a player"),
    ("chips[team(other)] += 1", "chips[team(other)] -= 1"),
    ("chips[team(player)] += stake", "chips[team(player)] -= stake"),
    ("chips[side] >= goal", "chips[side] <= 0 - goal"),
]
BEATEN = """
vocabulary: |
  define hands_beaten -> number: total (400 * strength(card) - 500) for card in hand[me]
"""


def test_a_counter_whose_lowest_value_is_best_has_the_leads_of_its_mirror_image(root, tmp_path):
    text = (root / "variants/examples/kuhn-poker.yaml").read_text() + BEATEN
    found = {}
    for name, changes in (("gains", []), ("losses", LOSSES)):
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / f"{name}.yaml"
        path.write_text(text.replace("variant: kuhn-poker", f"variant: {name}"))
        game = load_game(path, parameters={"goal": 5}, engine="native").measuring()
        found[name] = count_in_machine_code(game, 0, 60)
        assert parts_of(found[name]) == parts_of(count_from_events(game, 0, 60))
        exact = evaluate(*table_with(game, load_strategies(["uniform"] * 2, game))).counts
        found[name, "exact"] = {part: game.count_plan.part(part, exact) for part in LEADING}
    assert np.any(found["gains"]["bet_points"])
    tenths = np.any(found["gains"]["offered"], axis=0)  # -100, 300 and 700 of a thousand
    assert np.flatnonzero(tenths).tolist() == [0, 3, 7]
    for part in (*LEADING, "bet_points", "winners"):
        assert found["gains"][part] == found["losses"][part], part
    for part, numbers in found["gains", "exact"].items():
        assert numbers.any()
        assert numbers == pytest.approx(found["losses", "exact"][part], rel=1e-9), part
    assert found["losses"]["stood"][0][0][0] == found["losses"]["deals"]  # no chips, or fewer


def test_the_strength_of_a_hand_may_depend_on_rates_of_the_match(root, tmp_path):
    text = (root / "variants/examples/kuhn-poker.yaml").read_text()
    strength = '400 + rate of bet by me + said(me, "bet")'
    text += BEATEN.replace("total (400 * strength(card) - 500) for card in hand[me]", strength)
    (tmp_path / "kuhn-poker.yaml").write_text(text)
    game = load_game(tmp_path / "kuhn-poker.yaml").measuring()
    assert game.count_plan.bets
    assert any(of_option[9] for of_option in count_from_events(game, 0, 1)["offered"])


LEADING = ("led", "held", "lead_changes", "behind", "deficits")

# In each deal, the dealer or the other player gains a point, until the dealer or its successor has
# three.
RACE = """\
variant: race
title: Race
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts}, ranks: [A, K]}
counters: {points: {help: Points.}}
rules: |
  rule match:
      repeat at most 9 times:
          deal:
              ask dealer "who":
                  mine: points[team(dealer)] += 1
                  yours: points[team(next_seat(dealer))] += 1
              if points[team(dealer)] == 3: end match won by team(dealer)
              dealer = next_seat(dealer)
              if points[team(dealer)] == 3: end match won by team(dealer)
              end deal because played
      end match drawn
"""


def test_scores_agree_with_a_count_by_hand(tmp_path):
    """A deal counts at the scores of dealer and opponent, a win at its largest deficit."""
    path = tmp_path / "race.yaml"
    path.write_text(RACE, encoding="utf-8")
    game = load_game(path, engine="native")
    seating = [UNIFORM] * 2
    found = Counter()
    for match in range(extent(30, 60)):
        one = CountedLegs()
        two = MatchCounter(game.in_engine("reference"), seating, 5)
        deque(one(game, seating, (0, 1), 5, match, Rows.empty(1, COUNTERS)), maxlen=0)
        events = []
        two.play(match, events.append)
        ((_, counts),) = one.take()
        assert parts_of(counts) == parts_of(two.counts())
        winner = counts["winners"].index(1)
        deals = [event for event in events if event["event"] == "deal"]
        started, won = Counter(), Counter()
        for deal in deals:
            dealer, points = deal["dealer"], deal["counters"]["points"]
            place = points[dealer], points[1 - dealer]
            started[place] += 1
            won[place] += 2 * (dealer == winner)
        of_dealer = {
            (mine, theirs): (counts["stood"][0][mine][theirs], counts["stood_won"][0][mine][theirs])
            for mine in range(SCORES)
            for theirs in range(SCORES)
        }
        assert of_dealer == {place: (started[place], won[place]) for place in of_dealer}
        scores = [deal["counters"]["points"] for deal in deals]
        worst = max(0, *(score[1 - winner] - score[winner] for score in scores))
        assert [n for n, many in enumerate(counts["behind"][0]) if many] == [worst]
        assert counts["deficits"] == (worst,)
        found[worst > 0] += 1
    assert all(found[key] > 3 for key in (False, True))


GAME = load_game("trut", 2, engine="reference")
MATCHES = 40


@settings(
    max_examples=extent(10, 30),
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
@given(st.sets(st.integers(0, MATCHES)))
def test_any_partition_of_the_matches_gives_the_same_counts(cuts):
    ends = [0, *sorted(cuts), MATCHES]
    total = Counts.none(GAME.count_plan)
    for first, beyond in pairwise(ends):
        total += count_in_machine_code(GAME, first, beyond - first)
    assert total == count_in_machine_code(GAME, 0, MATCHES)


@pytest.mark.thorough
@pytest.mark.parametrize("processes", extent([2], [1, 2, 3]))
def test_counts_do_not_depend_on_processes(processes):
    pieces = [(first, 1500) for first in range(0, 6000, 1500)]
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        found = list(
            pool.map(count_in_machine_code, [GAME] * len(pieces), *zip(*pieces, strict=True))
        )
    assert sum(found, Counts.none(GAME.count_plan)) == count_in_machine_code(GAME, 0, 6000)


def test_counts_of_nothing_add_nothing():
    none, some = Counts.none(GAME.count_plan), count_in_machine_code(GAME, 0, 3)
    assert none == count_in_machine_code(GAME, 0, 0)
    assert none + some == some == some + none
    with pytest.raises(ValueError, match="different games"):
        some + count_in_machine_code(load_game("tute", 2, engine="reference"), 0, 1)


@pytest.mark.parametrize("name", ["no-option", "out-of-range-start-first"])
def test_an_error_in_the_rules_is_reported(root, name):
    game = load_game(root / f"tests/bad/runtime/{name}.yaml", engine="native")
    seating = [UNIFORM] * game.players
    with pytest.raises(RuleError) as found:
        count_matches(game, seating, 1, 0, 10)
    with pytest.raises(RuleError) as expected:
        for match in range(10):
            play_match(game.in_engine("reference"), seating, 1, match)
    assert found.value.diagnostic == expected.value.diagnostic
    with pytest.raises(RuleError) as counted_only:
        game.count([SeatedPlayer("uniform")] * game.players, 1, 0, 10)
    one, two = counted_only.value.diagnostic, expected.value.diagnostic
    assert (one.code, one.span) == (two.code, two.span)
