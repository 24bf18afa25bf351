"""The history that a match records for strategies changes nothing else."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from extent import extent
from random_play import play

from trutdsl.diagnostics import Collector
from trutdsl.game import Announcement, load_game
from trutdsl.ir import nodes
from trutdsl.ir.flow.check import check_visibility
from trutdsl.ir.nodes import questions_of, walk
from trutdsl.ir.script.history import (
    SHOWN,
    Past,
    add_history,
    announcement_name,
    announcement_types,
    choice_count_name,
)
from trutdsl.ir.script.record import add_record
from trutdsl.syntax.ast import Audience
from trutdsl.table.sight import number_of, reading_of
from trutdsl.variant import list_variants

GOOD = Path(__file__).parents[2] / "good"
SMALL = Path(__file__).parents[2] / "strategy" / "good" / "small.yaml"


def with_full_history(game):
    words = {option.words for ask in questions_of(game.program) for option in ask.options}
    types = announcement_types(game.program)
    announcements = {(word, text) for text in types for word in ("announced", "heard")}
    past = Past(words, {SHOWN}, announcements=announcements, players=max(game.variant.players))
    return game.with_history([add_history(game.program, past)])


@pytest.mark.parametrize("name", [*list_variants()[:: extent(2, 1)], str(SMALL)])
def test_rules_that_record_history_leak_nothing(name):
    errors = Collector()
    check_visibility(with_full_history(load_game(name, engine="reference")).program, errors)
    assert errors.diagnostics == []


def test_rules_that_count_possible_answers_leak_nothing(tmp_path):
    """If a hidden card decides whether an option is legal, it counts at each question."""
    path = tmp_path / "boast.yaml"
    path.write_text(
        f"variant: boast\ntitle: Boast\nextends: {SMALL}\nrules: |\n"
        '  add to ask player "raise":\n      boast when "Ah" in hand[player]: stake = 1\n'
    )
    program, errors = load_game(path, engine="reference").program, Collector()
    check_visibility(add_record(program, Past(rates={(("boast",), "")})), errors)
    assert errors.diagnostics == []


@pytest.mark.parametrize("name", ["truc-catalan", "tute", str(SMALL)])
def test_recorded_history_does_not_change_play(name):
    game = load_game(name, 4, engine="reference")
    kept = with_full_history(game)
    assert kept.fingerprint != game.fingerprint
    for match in range(3):
        plain, chosen = play(game, match)
        other, also = play(kept, match)
        assert chosen == also
        assert plain.to_dict() == other.to_dict()


def test_choices_are_counted_per_deal_and_shown_cards_are_recorded():
    game = with_full_history(load_game(SMALL, 2, engine="reference"))
    state, _ = play(game, 0, most=0)
    counted = shown = 0
    while state.pending is not None:
        match, question = state.match, state.pending
        if not hasattr(question, "seat"):
            state.next_deal()
            assert match.values(choice_count_name(("pass",))) == [0, 0]
            assert match.values(SHOWN) == [frozenset()]
            continue
        before = match.values(choice_count_name(("pass",)))[question.seat]
        number = (match.deals + question.seat) % len(question.actions)
        action = question.actions[number]
        state.apply(number)
        if action.words == ("pass",):
            assert match.values(choice_count_name(("pass",)))[question.seat] == before + 1
            counted += 1
        if action.words == ("play",) and match.deals and state.pending is not None:
            seen = match.values(SHOWN)[0]
            assert action.values[0] in seen or not seen
            shown += len(seen)
    assert counted
    assert shown


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_each_seat_has_its_own_record_of_announcements(engine):
    game = with_full_history(load_game(GOOD / "announcements.yaml", 4, engine=engine))
    rules = [node for rule in game.program.rules.values() for node in walk(rule.body)]
    types = {node.words: node.type for node in rules if isinstance(node, nodes.Announce)}
    speakers, compared = (None, *range(4)), 0
    state = game.start(3, 0)
    while state.pending is not None and compared < 2000:
        if not hasattr(state.pending, "seat"):
            state.next_deal()
        else:
            state.apply(state.match.deals % len(state.pending.actions))
        if not state.match.deals or state.pending is None:
            continue
        for seat in range(4):
            heard = [one for one in state.sight(seat).history if isinstance(one, Announcement)]
            last = {(one.decision, None if one.seat < 0 else one.seat): one.action for one in heard}
            for what, who in product(types, speakers):
                kept, known = (
                    state.match.values(announcement_name(word, what, who))[seat]
                    for word in ("announced", "heard")
                )
                assert known == ((what, who) in last)
                if known:
                    reading = reading_of(types[what], game.setting)
                    assert reading.text(number_of(kept)) == last[what, who]
                    compared += 1
                else:
                    assert not kept
    assert compared >= 1000


def test_the_audience_of_a_count_is_that_of_the_choice():
    program = with_full_history(load_game(SMALL, engine="reference")).program
    audience = {
        words: program.variables[choice_count_name((words,))].audience for words in ("pass", "note")
    }
    assert audience == {"pass": Audience.ALL, "note": Audience.OWNER}
    assert program.variables[choice_count_name(("strong",))].audience is Audience.TEAM
