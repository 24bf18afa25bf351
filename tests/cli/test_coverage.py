"""`trutdsl coverage`: counts against transcripts, both engines, scenarios, deals, clauses."""

import json
import re
from collections import Counter

import pytest

from trutdsl.cli.app import run
from trutdsl.game import load_game
from trutdsl.ir.transforms import MARK
from trutdsl.language import speaking
from trutdsl.report.simulation import coverage_lines
from trutdsl.strategy.coverage import cover_matches
from trutdsl.strategy.fitness import load_strategies
from trutdsl.strategy.play import play_match
from trutdsl.transcript.events import shortest_deals

GAME = """\
variant: covered
title: A card each; the higher one wins
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts, s: spades}, ranks: [A, K, Q, J]}
counters: {wins: {help: Who wins.}}
rules: |
  zone stock: pile, starts with pack_cards
  zone hand[seat]: seen by owner
  zone table[seat]: seen by all

  rule match:
      repeat 4 times:
          deal:
              gather hand, table into stock
              shuffle stock
              for p in seats: draw from stock to hand[p]
              for p in seats: do turn(p)
              do settle
      end match drawn

  options bets(player):
      double: wins[team(player)] += 1

  rule turn(player) "Play it, or say double first.":
      ask player "turn":
          play card from hand[player]: move card to table[player]
          options bets(player): again
      if empty(stock): do never
      else if size(hand[player]) == 0: wins[team(player)] += 0

  after rule turn(player): return

  rule settle "The higher card, if there is one.":
      for p in seats where strength(top(table[p])) > strength(top(table[next_seat(p)])):
          wins[team(p)] += 1
          end deal won by team(p) because higher
      end deal because tied

  rule never: return
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "covered.yaml").write_text(GAME, encoding="utf-8")
    return tmp_path


def run_coverage(capsys, *args):
    assert run(["coverage", "covered.yaml", "--json", *args]) == 0
    return json.loads(capsys.readouterr().out)


def index_parts(figures):
    return {(one["kind"], one["what"]): one for one in figures["parts"]}


def test_counts_match_the_transcripts(folder, capsys):
    """The expected counts come from the transcripts of the same matches."""
    figures = run_coverage(capsys, "--matches", "30")
    parts = index_parts(figures)
    assert run(["simulate", "covered.yaml", "--matches", "30", "--transcript", "t.jsonl"]) == 0
    events = [json.loads(line) for line in (folder / "t.jsonl").read_text().splitlines()]
    actions = Counter(e["action"].split()[0] for e in events if e["event"] == "action")
    won = sum(e["event"] == "deal_end" and e["reason"] == "higher" for e in events)
    assert figures["deals"] == 120
    assert {key: one["times"] for key, one in parts.items()} == {
        ("rule", "rule 'match'"): 30,
        ("loop", "`repeat 4 times`"): 120,
        ("loop", "`for p in seats`"): 240,
        ("rule", "rule 'turn'"): 240,
        ("rule", "rule 'after turn'"): 240,
        ("rule", "rule 'settle'"): 120,
        ("rule", "rule 'never'"): 0,
        ("option", "option `play card from hand[player]` of 'turn'"): actions["play"],
        ("option", "option `double` of 'turn'"): actions["double"],
        ("branch", "`if empty(stock)`"): 0,
        ("branch", "`else if size(hand[player]) == 0`"): 240,
        (
            "loop",
            "`for p in seats where strength(top(table[p])) > strength(t...`",
        ): won,
    }
    assert actions["double"] > 20
    assert parts["rule", "rule 'never'"]["place"] == "covered.yaml:40:3"
    assert parts["rule", "rule 'never'"]["share"] == {
        "mean": 0.0, "low": 0.0, "high": round(1 - 0.025 ** (1 / 30), 9),
    }  # fmt: skip


@pytest.mark.usefixtures("folder")
def test_unreached_parts_come_first(capsys):
    assert run(["coverage", "covered.yaml", "--matches", "20"]) == 0
    out = capsys.readouterr().out
    never, reached = out.split("Reached, the least often first")
    assert (
        "Never reached, 2 of 13:\n  covered.yaml:29:10: `if empty(stock)`, in rule 'turn'" in never
    )
    assert "covered.yaml:40:3: rule 'never'" in never
    assert "rule 'match'" in reached
    assert "reached in at most 16.85% of matches" in reached  # 1 - 0.025 ** (1 / 20)


def test_own_counts_only_parts_of_the_variant(folder, capsys):
    own = (
        "variant: mine\ntitle: Mine\nextends: covered.yaml\nrules: |\n  after rule settle: return\n"
    )
    (folder / "mine.yaml").write_text(own, encoding="utf-8")
    assert run(["coverage", "mine.yaml", "--matches", "2", "--json", "--own"]) == 2
    assert "[unreachable]" in capsys.readouterr().err  # `settle` always ends the deal
    (folder / "mine.yaml").write_text(own.replace("settle", "turn(player)"), encoding="utf-8")
    assert run(["coverage", "mine.yaml", "--matches", "2", "--json", "--own"]) == 0
    (part,) = json.loads(capsys.readouterr().out)["parts"]
    assert (part["place"], part["times"]) == ("mine.yaml:5:3", 16)


@pytest.mark.parametrize(("variant", "players"), [("trut", 4), ("truc-french", 2)])
def test_both_engines_count_alike(variant, players):
    found = []
    for engine in ("native", "reference"):
        game = load_game(variant, players, (), engine)
        seating = load_strategies(["uniform"] * players, game)
        one = cover_matches(game, seating, 5, 3)
        found.append((one.times, one.in_matches, one.shortest, one.matches, one.deals))
    assert found[0] == found[1]
    assert sum(found[0][0].values()) > 100


def test_each_reached_part_gets_a_deal_that_replays(folder, capsys):
    figures = run_coverage(capsys, "--matches", "20", "--examples", "deals")
    for (_, what), part in index_parts(figures).items():
        assert ("deal" in part) is (part["times"] > 0)
        if "deal" in part:
            assert run(["replay", "--verify", part["deal"]]) == 0
            transcript = (folder / part["deal"]).read_text(encoding="utf-8")
            assert "reached:" not in transcript
            if "double" in what:
                assert transcript.splitlines()[-1].count('"deal_end"') == 1
                last = transcript[transcript.rindex('"event": "deal"') :]
                assert last.count('"double"') == 1  # a shorter deal has none
    capsys.readouterr()
    assert run(["coverage", "covered.yaml", "--examples", "deals"]) == 2
    assert "deals exists already" in capsys.readouterr().err


def test_example_deals_are_the_shortest():
    """The expected lengths are counts of actions in every deal of 25 matches."""
    seating, found = (
        load_strategies(["uniform"] * 2, game := load_game("truc-french", 2, engine="reference")),
        [],
    )
    fewest: dict[str, int] = {}
    counting, _ = game.in_engine("reference").with_counters
    for match in range(25):
        deals = [Counter()]
        play_match(counting, seating, 5, match, lambda e, deals=deals: _count_event(e, deals))
        for deal in deals:
            actions = deal["action"]
            for name in deal.keys() - {"action", "ended"}:
                fewest[name] = min(actions, fewest.get(name, actions))
    for engine in ("native", "reference"):
        one = game.in_engine(engine)
        deals = shortest_deals(one, seating, 5, cover_matches(one, seating, 5, 25))
        found.append({name: _count_actions_of_last_deal(events) for name, events in deals.items()})
        assert found[-1] == fewest
    assert len(fewest) > 50


def _count_event(event, deals):
    if event["event"] == "deal" and deals[-1]["ended"]:
        deals.append(Counter())
    deals[-1]["ended"] += event["event"] == "deal_end"
    if event["event"] == "action":
        deals[-1]["action"] += 1
    if event["event"] == "counter" and event["name"].startswith(MARK):
        deals[-1][event["name"]] += 1


def _count_actions_of_last_deal(events):
    starts = [at for at, event in enumerate(events) if event["event"] == "deal"]
    return sum(event["event"] == "action" for event in events[starts[-1] :])


@pytest.mark.usefixtures("folder")
def test_the_output_names_the_matches_searched_for_deals(capsys):
    text = "the fewest actions in which it is reached"
    assert run(["coverage", "covered.yaml", "--matches", "9", "--examples", "deals"]) == 0
    assert f"{text}.\n" in capsys.readouterr().out
    figures = {**run_coverage(capsys, "--matches", "9", "--examples", "more"), "matches": 1001}
    assert any(f"{text}, of the first 1,000" in line for line in coverage_lines(figures))
    figures["parts"][-1]["times"] = 1234
    with speaking("fr"):
        assert any("      1\u00a0234 " in line for line in coverage_lines(figures))


SCENARIO = """\
scenario: a
variant: covered.yaml
players: 2
start: {hands: {0: [Ah], 1: [Ks]}}
actions: [0: double, 0: play Ah]
expect: {deal_winner: 0, views: {1: {zones: {hand: {1: [Ks]}}}}}
---
scenario: of-another-variant
variant: trut
players: 2
actions: []
expect: {}
"""


def test_scenarios_are_counted(folder, capsys):
    (folder / "s.yaml").write_text(SCENARIO, encoding="utf-8")
    figures = run_coverage(capsys, "--matches", "0", "--scenarios", "s.yaml")
    assert figures["scenarios"] == 1
    parts = index_parts(figures)
    assert parts["option", "option `double` of 'turn'"]["scenarios"] == 1
    assert parts["rule", "rule 'turn'"]["scenarios"] == 2
    assert parts["rule", "rule 'never'"]["scenarios"] == 0
    assert {one["times"] for one in figures["parts"]} == {0}
    lines = list(coverage_lines({**figures, "matches": 1, "deals": 1}))
    assert lines[0] == "covered, 2 players, 1 match, 1 deal, seed 1: uniform, uniform"


def test_an_option_of_several_questions_is_counted_in_each(folder, capsys):
    question = """  rule settle:
      for p in seats:
          ask p "late":
              options bets(p)
              done
"""
    before = question + "      do compare_cards\n\n  rule compare_cards"
    text = GAME.replace("  rule settle", before)
    (folder / "covered.yaml").write_text(text, encoding="utf-8")
    parts = index_parts(run_coverage(capsys, "--matches", "20"))
    double, late = (parts["option", f"option `double` of '{one}'"] for one in ("turn", "late"))
    both = parts["option", "option `done` of 'late'"]["times"] + late["times"]
    assert double["times"] > 0 < late["times"]
    assert both == 2 * parts["rule", "rule 'settle'"]["times"]


def test_clauses_of_scripts_are_counted(folder, capsys):
    (folder / "plain.strategy").write_text(
        'strategy plain "Never doubles.":\n    on turn:\n'
        "        double when size(hand[me]) > 5\n        play card\n    otherwise: any\n",
        encoding="utf-8",
    )
    figures = run_coverage(capsys, "--matches", "4", "--strategies", "plain.strategy")
    clauses = {
        o["what"]: (o["times"], o["place"]) for o in figures["parts"] if o["kind"] == "clause"
    }
    assert clauses["`double when size(hand[me]) > 5`"] == (0, "plain.strategy:3:9")
    assert clauses["`play card`"] == (32, "plain.strategy:4:9")
    assert figures["clause_matches"] == 4


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--matches", "0"], "--matches must be at least 1"),
        (["--seed", "-1"], "--seed must be from 0"),
        (["--scenarios", "none.yaml"], "none.yaml"),
        (["--examples", "covered.yaml/x"], "cannot be made"),
    ],
)
def test_bad_requests_are_refused(args, message, capsys):
    assert run(["coverage", "covered.yaml", "--matches", "2", *args]) == 2
    assert re.search(message, capsys.readouterr().err)
