"""What a match keeps for strategies changes nothing that anybody else can see."""

from __future__ import annotations

from pathlib import Path

import pytest
from random_play import play

from trutdsl.diagnostics import Collector
from trutdsl.game import load_game
from trutdsl.ir.flow.check import check_visibility
from trutdsl.ir.policy.history import add_history
from trutdsl.ir.policy.names import SHOWN, said_name
from trutdsl.ir.walk import questions_of
from trutdsl.syntax.ast import Audience
from trutdsl.variant import list_variants

SMALL = Path(__file__).parents[2] / "strategy" / "good" / "small.yaml"


def everything_kept(game):
    words = {option.words for ask in questions_of(game.program) for option in ask.options}
    return game.with_history(add_history(game.program, words, shown=True))


@pytest.mark.parametrize("name", [*list_variants(), str(SMALL)])
def test_rules_that_keep_the_past_show_nobody_what_they_may_not_see(name):
    errors = Collector()
    check_visibility(everything_kept(load_game(name)).program, errors)
    assert errors.diagnostics == []


@pytest.mark.parametrize("name", ["truc-catalan", "tute", str(SMALL)])
def test_events_and_views_are_the_same_with_and_without(name):
    game = load_game(name, 4)
    kept = everything_kept(game)
    assert kept.fingerprint != game.fingerprint
    for match in range(3):
        plain, chosen = play(game, match)
        other, also = play(kept, match)
        assert chosen == also
        assert plain.to_dict() == other.to_dict()


def test_choices_are_counted_from_deal_to_deal_and_cards_are_noted():
    game = everything_kept(load_game(SMALL, 2))
    state, _ = play(game, 0, most=0)
    counted = shown = 0
    while state.pending is not None:
        match, question = state.match, state.pending
        if not hasattr(question, "seat"):
            state.next_deal()
            assert match.values(said_name(("pass",))) == [0, 0]
            assert match.values(SHOWN) == [frozenset()]
            continue
        before = match.values(said_name(("pass",)))[question.seat]
        number = (match.deals + question.seat) % len(question.actions)
        action = question.actions[number]
        state.apply(number)
        if action.words == ("pass",):
            assert match.values(said_name(("pass",)))[question.seat] == before + 1
            counted += 1
        if action.words == ("play",) and match.deals and state.pending is not None:
            seen = match.values(SHOWN)[0]
            assert action.values[0] in seen or not seen
            shown += len(seen)
    assert counted
    assert shown


def test_who_may_see_a_count_is_who_notices_the_choice():
    program = everything_kept(load_game(SMALL)).program
    audience = {
        words: program.variables[said_name((words,))].audience for words in ("pass", "note")
    }
    assert audience == {"pass": Audience.ALL, "note": Audience.OWNER}
    assert program.variables[said_name(("strong",))].audience is Audience.TEAM
