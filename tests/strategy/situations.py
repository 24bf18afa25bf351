"""What each shipped script has to choose, where its idea shows.

Situations, each with the choice that it has to lead to: a question of the view, and one of the view
and the action.
"""


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


def strongest(view):
    return max(view.strengths[c] for c in view.cards("hand"))


def led(view):
    """Return the strength of the card that the other seat has led, of two."""
    return view.strengths[view.cards("table", 1 - view.seat)[0]]


def plays_second(view):
    """Return whether it plays to a card of the other seat, of two."""
    return view.decision == "turn" and bool(view.cards("table", 1 - view.seat))


def leads(view):
    """Return whether it leads to the first trick, of two seats."""
    first = view.decision == "turn" and not view.cards("table", 1 - view.seat)
    return first and len(own_cards(view)) == 3


def always(*, at, text):
    """It answers a question always so."""
    return lambda v: v.decision == at, lambda _, a: a.text == text


def whenever_legal(*texts):
    """It takes one of these actions whenever one is legal."""
    return lambda v: any(can(v, text) for text in texts), lambda _, a: a.text in texts


def with_worth(text, *, least=0, below=10**6, at="respond"):
    """It answers so with a hand that is worth so much."""
    return (
        lambda v: v.decision == at and least <= worth(v) < below,
        lambda _, a: a.text == text,
    )


SINGS = (lambda v: v.decision == "sing" and len(v.actions) > 1, lambda _, a: a.text != "pass")

# Of each: a situation, asked of a view, and the choice that it has to lead to.
CHOICES = {
    "actuary": [
        (
            lambda v: v.decision == "turn" and not any(v.cards("table", s) for s in range(2)),
            lambda v, a: a.text == "trut" or played(v, a) == strongest(v),
        ),
        with_worth("accept", least=90),
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
    "announcer": [whenever_legal("trut pair", "trut brelan")],
    "bluffer": [
        (lambda v: can(v, "trut") and worth(v) >= 80, lambda _, a: a.text == "trut"),
    ],
    "caller": [whenever_legal("trut")],
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
    "loose": [with_worth("accept", least=35)],
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
        always(at="interrupt", text="pass"),
        (  # it plays last, and wins the first trick
            lambda v: (
                plays_second(v)
                and can(v, "trut")
                and len(v.cards("hand")) == 3
                and strongest(v) > led(v)
            ),
            lambda _, a: a.text == "trut",
        ),
        (  # it leads, and holds one seven
            lambda v: leads(v) and sum(rank(c) == "7" for c in v.cards("hand")) == 1,
            lambda v, a: played(v, a) == sorted(v.strengths[c] for c in v.cards("hand"))[1],
        ),
    ],
    "patient": [
        always(at="interrupt", text="pass"),
        (leads, lambda v, a: played(v, a) == second_of_three(v)),
        (
            lambda v: plays_second(v) and worth(v) >= 100 and can(v, "trut"),
            lambda _, a: a.text == "trut",
        ),
        (
            lambda v: v.decision == "respond" and petits(v) == (2, 0) and worth(v) < 60,
            lambda _, a: a.text == "fold",
        ),
    ],
    "quiet": [whenever_legal("fold")],
    "reckoner": [SINGS],
    "feinter": [SINGS],
    "sharper": [with_worth("accept", least=100)],
    "spoiler": [
        (  # it can tie what was led, and no more
            lambda v: plays_second(v) and len(v.cards("hand")) == 3 and strongest(v) == led(v),
            lambda v, a: a.text == "trut" or played(v, a) == led(v),
        ),
    ],
    "waiter": [
        always(at="interrupt", text="pass"),
        (leads, lambda v, a: played(v, a) == second_of_three(v)),
        with_worth("accept", least=90),
    ],
    "teaser": [
        (leads, lambda v, a: played(v, a) == second_of_three(v)),
        with_worth("accept", least=95),
    ],
    "weigher": [
        (leads, lambda v, a: a.words[0] != "play" or played(v, a) == second_of_three(v)),
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
            lambda v, a: played(v, a) == strongest(v),
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
        with_worth("accept", least=70),
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
    "steady": [with_worth("fold", below=55)],
    "stubborn": [
        (
            lambda v: (
                v.decision == "respond"
                and v.variables["tricks"][v.team] > v.variables["tricks"][1 - v.team]
            ),
            lambda _, a: a.text == "accept",
        )
    ],
    "tight": [with_worth("fold", below=80)],
    "trapper": [
        (
            lambda v: v.decision in ("turn", "interrupt") and not any(v.variables["tricks"]),
            lambda _, a: a.text != "trut",
        ),
        with_worth("accept", least=80),
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
    "tute-follower": [SINGS],
}
