"""The record of a match that scripts read, compared with the events and answers."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from trutdsl.diagnostics import BadUsage
from trutdsl.game import load_game
from trutdsl.ir.script.record import DEALS_OVER, REASON, WINNER, last_name, rate_names
from trutdsl.solve.exact import check_memory
from trutdsl.solve.exploit import memory_of
from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.play import play_match
from trutdsl.strategy.script import table_for

READER = """strategy reader "Asks for all that it may ask of the match." for trut:
    match memory:
        noted[seat]: 0 to 1000
    after deal:
        for p in seats: noted[p] += said(p, "trut") + size(shown[p] & shown)
        if reason == folded and winner == team(me): noted[me] = 0
    on turn, interrupt:
        trut when rate of trut by next_seat(me) at "interrupt" prior 1 out of 9 > 150
        trut when opportunities of trut by next_seat(me) mod 7 == noted[me] mod 7
        pass
        play card at random
    otherwise: any
"""


@pytest.fixture
def reader(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("reader.strategy").write_text(READER, encoding="utf-8")
    return load_strategy("reader.strategy")


@pytest.mark.parametrize("players", [2, 4])
def test_the_record_of_a_match_agrees_with_its_events(players, reader):
    game = load_game("trut", players=players, engine="reference")
    game = table_for(game, (reader,)).game
    chosen, offered, calls = Counter(), Counter(), Counter()
    ends, met = [], 0

    def emit(event):
        if event["event"] == "deal":
            calls.clear()
        elif event["event"] == "deal_end":
            ends.append((event["winner"], event["reason"], dict(calls)))

    def answered(state, question, action, _took_any):
        nonlocal met
        values, seat = state.match.values, question.seat
        for name, counted in zip(
            rate_names(("trut",), "interrupt"), (chosen, offered), strict=True
        ):
            assert values(name) == [counted[p] for p in range(players)]
        assert values(DEALS_OVER) == [len(ends)]
        if ends:
            winner, reason, last_calls = ends[-1]
            assert values(WINNER) == [winner]
            reasons = game.program.variables[REASON].type.names
            assert reasons[values(REASON)[0]] == reason
            said = [last_calls.get(p, 0) for p in range(players)]
            assert values(last_name("history:said trut")) == said
            met += any(said)
        texts = [one.text for one in question.actions]
        if question.decision == "interrupt" and "trut" in texts:
            offered[seat] += 1
            chosen[seat] += action.text == "trut"
        calls[seat] += action.text == "trut"

    play_match(game, [reader] * players, 3, 0, emit=emit, on_answer=answered)
    assert met > 20
    assert sum(chosen.values()) > 5


def test_exact_evaluation_refuses_memory_that_outlasts_a_deal(reader):
    table = table_for(load_game("trut", players=2), (reader,)).compiled_game
    with pytest.raises(BadUsage, match="remembers 'noted"):
        check_memory(table)
    text = READER.replace("noted[me]", "1").partition("    match memory")
    rest = text[2].partition("    on turn")
    Path("reader.strategy").write_text(text[0] + rest[1] + rest[2], encoding="utf-8")
    table = table_for(
        load_game("trut", players=2), (load_strategy("reader.strategy"),)
    ).compiled_game
    with pytest.raises(BadUsage, match="'reader' asks for the past of the match"):
        check_memory(table)


def test_the_script_with_memory_beyond_a_deal_is_named():
    specs = (load_strategy("steady"), load_strategy("patient"))
    table = table_for(load_game("trut", players=2), specs).compiled_game
    with pytest.raises(BadUsage, match="'patient' asks for the past of the match"):
        check_memory(table)
    assert not memory_of(table, "steady")
    assert memory_of(table, "patient").startswith("'patient' remembers 'once a deal")


def test_a_replaced_rule_may_end_deals_for_reasons_of_its_own(tmp_path):
    base = Path(__file__).parents[1] / "good" / "base" / "high-card.yaml"
    (tmp_path / "never-tied.yaml").write_text(
        f"variant: never-tied\ntitle: Never tied\nextends: {base}\nrules: |\n"
        "  replace rule settle:\n"
        "      wins[team(dealer)] += 1\n"
        "      gather hand into stock\n"
        "      end deal won by team(dealer) because dealt\n",
        encoding="utf-8",
    )
    path = tmp_path / "s.strategy"
    path.write_text(
        "strategy s:\n    match memory:\n        mine: 0 to 1000\n    after deal:\n"
        "        if reason == dealt and winner == team(me): mine += 1\n    otherwise: any\n"
    )
    spec, game = load_strategy(str(path)), load_game(tmp_path / "never-tied.yaml", 2)
    assert play_match(game, [spec, spec], 3).deals == 5


NAMELESS = """\
variant: nameless
title: A number of cards is named without a word
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts}, ranks: [A, K]}
rules: |
  rule match:
      deal:
          for p in seats:
              ask p "cards":
                  n from 1 to 3
          for p in seats:
              ask p "more":
                  more
                  pass
          end deal because over
      end match drawn
"""


@pytest.mark.parametrize(
    "asked",
    ['said(me, "cards")', 'rate of cards by me at "cards"', "opportunities of cards by me"],
)
def test_an_option_without_words_is_recorded_by_its_decision(asked, tmp_path):
    (tmp_path / "nameless.yaml").write_text(NAMELESS)
    path = tmp_path / "s.strategy"
    path.write_text(
        f"strategy s:\n    on more:\n        more when {asked} > 0\n        pass\n"
        "    otherwise: any\n"
    )
    game, spec, answers = (
        load_game(tmp_path / "nameless.yaml", engine="reference"),
        load_strategy(str(path)),
        [],
    )
    play_match(
        game, [spec, spec], 1, on_answer=lambda _state, _asked, action, _any: answers.append(action)
    )
    assert [one.text for one in answers[2:]] == ["more", "more"]
