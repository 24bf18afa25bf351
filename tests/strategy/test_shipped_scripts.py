"""The shipped library: each script's characteristic choices, and the same matches in both engines.

Choices are watched over seeded matches against another: whenever the situation comes up, the
script has to choose what its idea says, and the situation has to come up.
"""

from functools import partial

import pytest
from extent import extent
from scripted import decisions
from situations import CHOICES, own_cards
from tables import compile_quickly

from trutdsl.game import load_game
from trutdsl.ir.script import build_policy
from trutdsl.strategy.fitness import is_meant_for, variants_of_script
from trutdsl.strategy.legs import native_seating, read_leg, result_of
from trutdsl.strategy.load import list_strategies, load_strategy
from trutdsl.strategy.play import play_match
from trutdsl.strategy.script import table_for
from trutdsl.streams import Stream

MATCHES, ENOUGH = 12, extent(8, 10**6)  # times that each situation comes up
LONGER = {"tute-follower": 40}  # where the situation seldom comes up
SCRIPTS_OF = {
    ("trut", 2): (
        "actuary bluffer caller keeper last-card loose patient quiet sevens sharper spoiler "
        "steady stubborn teaser tight trapper uniform waiter"
    ),
    ("truc-catalan", 2): "retrucker scorer wager weigher",
    ("truc-catalan", 4): "honest liar partner",
    ("truc-french", 2): "gambler redealer",
    ("trut-club", 2): "card-counter",
    ("trut-deluxe", 2): "animals",
    ("trut-deux-sevres", 2): "announcer",
    ("trut-gatinaise", 2): "singer",
    ("tute", 2): "feinter reckoner trump-drawer",
    ("tute", 4): "tute-follower",
}
TABLES = {name: table for table, names in SCRIPTS_OF.items() for name in names.split()}
BLUFFED = "gambler keeper patient retrucker scorer sharper spoiler teaser wager waiter weigher"
# Who makes the situations come up; else `steady`.
OPPONENTS = dict.fromkeys(BLUFFED.split(), "bluffer") | {"singer": "quiet", "stubborn": "uniform"}


def choices_of(name):
    """Return (view, action) of every decision of a script, on seat 0, against another.

    Of so many matches, or fewer if every situation has come up often enough.
    """
    variant, players = TABLES[name]
    specs = (load_strategy(name), load_strategy(OPPONENTS.get(name, "steady")))
    table = table_for(load_game(variant, players, engine="reference"), tuple(dict.fromkeys(specs)))
    found, met = [], [0] * len(CHOICES[name])
    for match in range(LONGER.get(name, MATCHES)):
        if min(met) >= ENOUGH:
            break
        before = len(found)
        seating = [specs[seat % 2] for seat in range(players)]
        for state, _, index in decisions(table, seating, 1, match, Stream):
            if state.pending.seat == 0:
                view = state.view()
                found.append((view, view.actions[index]))
        for situation, (comes_up, _) in enumerate(CHOICES[name]):
            met[situation] += sum(bool(comes_up(view)) for view, _ in found[before:])
    return found


def test_every_script_has_its_table_and_choices():
    assert set(list_strategies()) == set(TABLES) == {*CHOICES, "uniform"}
    assert len(TABLES) >= 24


@pytest.mark.parametrize("name", CHOICES)
def test_characteristic_choices(name):
    found = choices_of(name)
    for comes_up, is_right in CHOICES[name]:
        met = [(view, action) for view, action in found if comes_up(view)]
        assert met, "the situation never comes up"
        wrong = [(v.decision, own_cards(v), a.text) for v, a in met if not is_right(v, a)]
        assert wrong == []


def calls_of_deals(rate, matches):
    """Return, of each deal of each match, whether a bluffer called at each question on trut.

    Its own calls are forbidden by `call=200`, so that it calls in the deals of its bluffs alone.
    """
    spec = load_strategy(f"bluffer:bluff={rate},call=200")
    table = table_for(load_game("trut", 2, engine="reference"), (spec,))
    deals = {}
    for match in range(matches):
        luck = partial(lambda match, seat: Stream(2 * match + seat), match)
        for state, _, index in decisions(table, [spec] * 2, 1, match, luck):
            texts = [action.text for action in state.pending.actions]
            if state.pending.decision in ("turn", "interrupt") and "trut" in texts:
                deal = match, state.deals, state.pending.seat
                deals.setdefault(deal, []).append(texts[index] == "trut")
    return list(deals.values())


def test_a_bluff_is_settled_once_a_deal():
    """Whatever is asked in a deal, it is called or it is not; one in eight, 4.5 deviations."""
    deals = calls_of_deals(0.125, 12)
    assert all(len(set(answers)) == 1 for answers in deals)
    assert sum(len(answers) > 1 for answers in deals) > 300  # were they independent, some differ
    called = sum(answers[0] for answers in deals)
    deviation = (len(deals) * 1 / 8 * 7 / 8) ** 0.5
    assert abs(called - len(deals) / 8) < 4.5 * deviation
    assert len(deals) / 8 > 8 * deviation  # so that half or twice the rate is noticed


@pytest.mark.parametrize("name", list_strategies())
def test_a_script_is_complete_where_it_is_meant(name):
    spec = load_strategy(name)
    variants = variants_of_script(spec)
    assert variants
    game = load_game(*TABLES[name])
    assert is_meant_for(spec, game.variant)
    assert build_policy(spec.script, spec.values, name, game.variant, game.program).gaps == ()


@pytest.mark.parametrize(
    "table", sorted(set(TABLES.values()))[:: extent(2, 1)], ids=lambda t: f"{t[0]}-{t[1]}"
)
def test_both_engines_play_the_same_matches(table, monkeypatch):
    """The scripts of a table are compiled together, and each meets `steady`."""
    compile_quickly(monkeypatch, table, [("tute", 2), ("truc-catalan", 4)])
    variant, players = table
    game, reference = (
        load_game(variant, players, engine="native"),
        load_game(variant, players, engine="reference"),
    )
    names = [name for name, its_table in TABLES.items() if its_table == table]
    matches = extent(2, 5)
    meeting = [load_strategy(name) for name in ("steady", *names)]
    steady = 0
    for index, name in enumerate(names, 1):
        seated = [index, steady, index, steady][:players]
        seating = [meeting[one] for one in seated]
        assert native_seating(game, seating, meeting) is not None, "plays in machine code"
        fast = [
            result_of(game, row)
            for rows in read_leg(game, meeting, seated, 7, 0, matches)
            for row in rows.tolist()
        ]
        slow = [play_match(reference, seating, 7, match) for match in range(matches)]
        assert [(r.winner, r.deals, dict(r.counters)) for r in fast] == [
            (r.winner, r.deals, dict(r.counters)) for r in slow
        ], name
