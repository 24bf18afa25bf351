"""The shipped library: each script's characteristic choices, and the same matches in both engines.

Choices are watched over seeded matches against another: whenever the situation comes up, the
script has to choose what its idea says, and the situation has to come up.
"""

from functools import partial

import pytest
from extent import extent
from scripted import decisions
from tables import made_soon

from trutdsl.game import load_game
from trutdsl.ir.script import build_policy
from trutdsl.strategy import list_strategies, load_strategy, play_match
from trutdsl.strategy.fitness import is_meant_for, variants_of_script
from trutdsl.strategy.legs import native_seating, read_leg, result_of
from trutdsl.strategy.script import table_for
from trutdsl.streams import Stream

MATCHES, ENOUGH = 12, extent(40, 10**6)  # times that each situation comes up
LONGER = {"tute-follower": 40}  # where the situation seldom comes up
TABLES = {
    "actuary": ("trut", 2),
    "animals": ("trut-deluxe", 2),
    "announcer": ("trut-deux-sevres", 2),
    "bluffer": ("trut", 2),
    "caller": ("trut", 2),
    "card-counter": ("trut-club", 2),
    "feinter": ("tute", 2),
    "gambler": ("truc-french", 2),
    "honest": ("truc-catalan", 4),
    "keeper": ("trut", 2),
    "last-card": ("trut", 2),
    "liar": ("truc-catalan", 4),
    "loose": ("trut", 2),
    "partner": ("truc-catalan", 4),
    "patient": ("trut", 2),
    "quiet": ("trut", 2),
    "reckoner": ("tute", 2),
    "redealer": ("truc-french", 2),
    "retrucker": ("truc-catalan", 2),
    "scorer": ("truc-catalan", 2),
    "sevens": ("trut", 2),
    "sharper": ("trut", 2),
    "singer": ("trut-gatinaise", 2),
    "spoiler": ("trut", 2),
    "steady": ("trut", 2),
    "stubborn": ("trut", 2),
    "teaser": ("trut", 2),
    "tight": ("trut", 2),
    "trapper": ("trut", 2),
    "trump-drawer": ("tute", 2),
    "tute-follower": ("tute", 4),
    "uniform": ("trut", 2),
    "wager": ("truc-catalan", 2),
    "waiter": ("trut", 2),
    "weigher": ("truc-catalan", 2),
}
OPPONENTS = {  # who makes the situations come up; else `steady`
    "gambler": "bluffer",
    "keeper": "bluffer",
    "patient": "bluffer",
    "retrucker": "bluffer",
    "sharper": "bluffer",
    "wager": "bluffer",
    "weigher": "bluffer",
    "scorer": "bluffer",
    "singer": "quiet",
    "spoiler": "bluffer",
    "stubborn": "uniform",
    "teaser": "bluffer",
    "waiter": "bluffer",
}


def own_cards(view):
    return [*view.cards("hand"), *view.cards("table")]


def worth(view):
    """Return `hand_worth` of the vocabulary, reckoned anew from the view."""
    strengths = sorted((view.strengths[c] for c in own_cards(view)), reverse=True)
    tricks = view.variables["tricks"]
    ahead = 2 * tricks[view.team] - sum(tricks)
    most = max(view.strengths.values())
    return 50 * (sum(strengths[:2]) + most * ahead) // most


def petits(view):
    """Return the petits of the seat's team, then those of the other."""
    return tuple(view.counters["petits"][team] for team in (view.team, 1 - view.team))


def second_of_three(view):
    """Return the strength of a card that exactly one is stronger than, else the lowest."""
    strengths = sorted(view.strengths[card] for card in own_cards(view))
    return strengths[1] if strengths[1] < strengths[2] else strengths[0]


def lowest(view, cards):
    return min(view.strengths[c] for c in cards)


def played(view, action):
    """Return the strength of the card that is played."""
    return view.strengths[action.text.removeprefix("play ")]


def can(view, text):
    return view.action(text) is not None


def rank(card):
    return card[:-1]


def trump_ace(view):
    return f"play 1{view.variables['trump'][0][0]}"


# Of each: a situation, asked of a view, and the choice that it has to lead to.
CHOICES = {
    "actuary": [
        (
            lambda v: v.decision == "turn" and not any(v.cards("table", s) for s in range(2)),
            lambda v, a: (
                a.text == "trut"
                or played(v, a) == max(v.strengths[card] for card in v.cards("hand"))
            ),
        ),
        (lambda v: v.decision == "respond" and worth(v) >= 90, lambda _, a: a.text == "accept"),
    ],
    "animals": [
        (
            lambda v: (
                v.decision == "turn"
                and can(v, "play magpie")
                and max(v.counters["longs"]) > 0
                and v.counters["longs"][1 - v.team] > 0
                and v.variables["guarded"] == (None,)
            ),
            lambda _, a: a.text in ("play magpie", "trut"),
        ),
        (
            lambda v: v.decision == "draft",
            lambda v, a: (
                v.strengths[a.text.removeprefix("keep ")]
                == max(v.strengths[c] for c in v.cards("drawn"))
            ),
        ),
    ],
    "announcer": [
        (
            lambda v: can(v, "trut pair") or can(v, "trut brelan"),
            lambda _, a: a.text in ("trut pair", "trut brelan"),
        )
    ],
    "bluffer": [
        (lambda v: can(v, "trut") and worth(v) >= 80, lambda _, a: a.text == "trut"),
    ],
    "caller": [(lambda v: can(v, "trut"), lambda _, a: a.text == "trut")],
    "card-counter": [
        (
            lambda v: (
                v.decision == "turn"
                and "10" in map(rank, v.cards("hand"))
                and not any(v.variables["dealt_known"])
                and can(v, "trut")
            ),
            lambda _, a: a.text == "trut",
        )
    ],
    "gambler": [
        (
            lambda v: (
                v.decision == "respond" and worth(v) >= 65 and not v.variables["for_the_rest"][0]
            ),
            lambda _, a: a.text == "accept",
        )
    ],
    "honest": [
        (
            lambda v: v.decision == "signal" and any(rank(c) == "3" for c in own_cards(v)),
            lambda _, a: a.text == "three",
        ),
        (lambda v: can(v, "truc") and worth(v) < 85, lambda _, a: a.text != "truc"),
    ],
    "last-card": [
        (
            lambda v: can(v, "trut") and len(v.cards("hand")) > 1 and v.decision != "fortial",
            lambda _, a: a.text != "trut",
        ),
    ],
    "liar": [
        (
            lambda v: v.decision == "signal",
            lambda v, a: (
                a.text == ("none" if any(rank(c) == "3" for c in own_cards(v)) else "three")
            ),
        )
    ],
    "loose": [
        (lambda v: v.decision == "respond" and worth(v) >= 35, lambda _, a: a.text == "accept"),
    ],
    "partner": [
        (
            lambda v: (
                v.decision == "turn"
                and v.cards("table", (v.seat + 2) % 4)
                and all(
                    max(v.strengths[c] for c in v.cards("table", (v.seat + 2) % 4)) > v.strengths[c]
                    for s in ((v.seat + 1) % 4, (v.seat + 3) % 4)
                    for c in v.cards("table", s)
                )
            ),
            lambda v, a: a.words == ("truc",) or played(v, a) == lowest(v, v.cards("hand")),
        )
    ],
    "keeper": [
        (lambda v: v.decision == "interrupt", lambda _, a: a.text == "pass"),
        (  # it plays last, and wins the first trick
            lambda v: (
                v.decision == "turn"
                and can(v, "trut")
                and v.cards("table", 1 - v.seat)
                and len(v.cards("hand")) == 3
                and max(v.strengths[c] for c in v.cards("hand"))
                > v.strengths[v.cards("table", 1 - v.seat)[0]]
            ),
            lambda _, a: a.text == "trut",
        ),
        (  # it leads, and holds one seven
            lambda v: (
                v.decision == "turn"
                and not v.cards("table", 1 - v.seat)
                and len(v.cards("hand")) == 3
                and sum(rank(c) == "7" for c in v.cards("hand")) == 1
            ),
            lambda v, a: played(v, a) == sorted(v.strengths[c] for c in v.cards("hand"))[1],
        ),
    ],
    "patient": [
        (lambda v: v.decision == "interrupt", lambda _, a: a.text == "pass"),
        (
            lambda v: (
                v.decision == "turn" and not v.cards("table", 1 - v.seat) and len(own_cards(v)) == 3
            ),
            lambda v, a: played(v, a) == second_of_three(v),
        ),
        (
            lambda v: (
                v.decision == "turn"
                and v.cards("table", 1 - v.seat)
                and worth(v) >= 100
                and can(v, "trut")
            ),
            lambda _, a: a.text == "trut",
        ),
        (
            lambda v: v.decision == "respond" and petits(v) == (2, 0) and worth(v) < 60,
            lambda _, a: a.text == "fold",
        ),
    ],
    "quiet": [(lambda v: can(v, "fold"), lambda _, a: a.text == "fold")],
    "reckoner": [
        (lambda v: v.decision == "sing" and len(v.actions) > 1, lambda _, a: a.text != "pass"),
    ],
    "feinter": [
        (lambda v: v.decision == "sing" and len(v.actions) > 1, lambda _, a: a.text != "pass"),
    ],
    "sharper": [
        (lambda v: v.decision == "respond" and worth(v) >= 100, lambda _, a: a.text == "accept"),
    ],
    "spoiler": [
        (  # it can tie what was led, and no more
            lambda v: (
                v.decision == "turn"
                and v.cards("table", 1 - v.seat)
                and len(v.cards("hand")) == 3
                and max(v.strengths[c] for c in v.cards("hand"))
                == v.strengths[v.cards("table", 1 - v.seat)[0]]
            ),
            lambda v, a: (
                a.text == "trut" or played(v, a) == v.strengths[v.cards("table", 1 - v.seat)[0]]
            ),
        ),
    ],
    "waiter": [
        (lambda v: v.decision == "interrupt", lambda _, a: a.text == "pass"),
        (
            lambda v: (
                v.decision == "turn" and not v.cards("table", 1 - v.seat) and len(own_cards(v)) == 3
            ),
            lambda v, a: played(v, a) == second_of_three(v),
        ),
        (lambda v: v.decision == "respond" and worth(v) >= 90, lambda _, a: a.text == "accept"),
    ],
    "teaser": [
        (
            lambda v: (
                v.decision == "turn" and not v.cards("table", 1 - v.seat) and len(own_cards(v)) == 3
            ),
            lambda v, a: played(v, a) == second_of_three(v),
        ),
        (lambda v: v.decision == "respond" and worth(v) >= 95, lambda _, a: a.text == "accept"),
    ],
    "weigher": [
        (
            lambda v: (
                v.decision == "turn" and not v.cards("table", 1 - v.seat) and len(own_cards(v)) == 3
            ),
            lambda v, a: a.words[0] != "play" or played(v, a) == second_of_three(v),
        ),
        (lambda v: v.decision == "respond" and worth(v) >= 85, lambda _, a: a.text != "fold"),
    ],
    "wager": [
        (
            lambda v: (
                v.decision == "turn"
                and not can(v, "truc")
                and not can(v, "retruc")
                and not any(v.cards("table", s) for s in range(2))
            ),
            lambda v, a: played(v, a) == max(v.strengths[card] for card in v.cards("hand")),
        ),
    ],
    "redealer": [
        (
            lambda v: v.decision == "redeal",
            lambda v, a: (a.text in ("propose", "agree")) == (worth(v) < 70),
        )
    ],
    "retrucker": [
        (
            lambda v: v.decision == "respond" and can(v, "retruc") and worth(v) >= 65,
            lambda _, a: a.text == "retruc",
        ),
    ],
    "scorer": [
        (
            lambda v: (
                can(v, "truc")
                and worth(v) >= 65
                and 2 * (12 - v.counters["points"][1 - v.team]) < 12 - v.counters["points"][v.team]
            ),
            lambda _, a: a.text == "truc",
        ),
        (lambda v: v.decision == "respond" and worth(v) >= 70, lambda _, a: a.text == "accept"),
    ],
    "sevens": [
        (
            lambda v: v.decision == "turn" and can(v, "trut"),
            lambda v, a: (
                (a.text == "trut")
                == (
                    sum(rank(c) == "7" for c in own_cards(v)) >= 2
                    or (len(own_cards(v)) == 3 and len({rank(c) for c in own_cards(v)}) == 1)
                )
            ),
        )
    ],
    "singer": [
        (
            lambda v: v.decision == "sing",
            lambda v, a: (a.text == "sing") == (worth(v) < 85),
        )
    ],
    "steady": [
        (lambda v: v.decision == "respond" and worth(v) < 55, lambda _, a: a.text == "fold")
    ],
    "stubborn": [
        (
            lambda v: (
                v.decision == "respond"
                and v.variables["tricks"][v.team] > v.variables["tricks"][1 - v.team]
            ),
            lambda _, a: a.text == "accept",
        )
    ],
    "tight": [
        (lambda v: v.decision == "respond" and worth(v) < 80, lambda _, a: a.text == "fold"),
    ],
    "trapper": [
        (
            lambda v: v.decision in ("turn", "interrupt") and not any(v.variables["tricks"]),
            lambda _, a: a.text != "trut",
        ),
        (lambda v: v.decision == "respond" and worth(v) >= 80, lambda _, a: a.text == "accept"),
    ],
    "trump-drawer": [
        (
            lambda v: (
                v.decision == "turn"
                and v.leader == v.seat
                and can(v, trump_ace(v))
                and len(v.cards("hand")) == 8
            ),
            lambda v, a: a.text == trump_ace(v),
        )
    ],
    "tute-follower": [
        (lambda v: v.decision == "sing" and len(v.actions) > 1, lambda _, a: a.text != "pass"),
    ],
}


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


@pytest.mark.parametrize("table", sorted(set(TABLES.values())), ids=lambda t: f"{t[0]}-{t[1]}")
def test_both_engines_play_the_same_matches(table, monkeypatch):
    """The scripts of a table are compiled together, and each meets `steady`."""
    made_soon(monkeypatch, table, [("trut", 2), ("truc-catalan", 4)])
    variant, players = table
    game, reference = (
        load_game(variant, players, engine="native"),
        load_game(variant, players, engine="reference"),
    )
    names = [name for name, its_table in TABLES.items() if its_table == table]
    meeting = [load_strategy(name) for name in ("steady", *names)]
    steady = 0
    for index, name in enumerate(names, 1):
        seated = [index, steady, index, steady][:players]
        seating = [meeting[one] for one in seated]
        assert native_seating(game, seating, meeting) is not None, "plays in machine code"
        fast = [
            result_of(game, row)
            for rows in read_leg(game, meeting, seated, 7, 0, 5)
            for row in rows.tolist()
        ]
        slow = [play_match(reference, seating, 7, match) for match in range(5)]
        assert [(r.winner, r.deals, dict(r.counters)) for r in fast] == [
            (r.winner, r.deals, dict(r.counters)) for r in slow
        ], name
