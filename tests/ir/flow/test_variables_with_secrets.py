"""Locals and variables: a name is as secret as the values assigned to it."""

from rule_cases import make_tests

# (name, rules, errors: code and line)
UNSOUND = [
    (
        "a local set in an option keeps its secret",
        """
        rule match:
            let x = 0
            ask dealer "look" seen by owner:
                high from 1 to 3: x = high
            known = x
        """,
        [("leak", 5)],
    ),
    (
        "a local set in one of several options reveals the choice",
        """
        rule match:
            let x = 0
            ask dealer "look" seen by owner:
                high: x = 1
                low
            known = x
        """,
        [("leak", 6)],
    ),
    (
        "a local set in a secret branch keeps the secret",
        """
        rule match:
            let x = 0
            if good(dealer): x = 1
            known = x
        """,
        [("leak", 4)],
    ),
    (
        "a local set in a loop keeps its secret",
        """
        rule match:
            let x = 0
            for card in hand[dealer]: x += strength(card)
            known = x
        """,
        [("leak", 4)],
    ),
    (
        "a turn of a loop reads what the previous turn wrote",
        """
        rule match:
            let x = 0
            let y = 0
            repeat 3 times:
                known = y
                y = x
                x = size(those c in hand[dealer] where strength(c) > 2)
        """,
        [("leak", 5)],
    ),
    (
        "the condition of a repetition is evaluated after each turn",
        """
        rule match:
            let x = 0
            repeat at most 3 times while x < 1:
                points[team(dealer)] += 1
                x = size(those c in hand[dealer] where strength(c) > 2)
        """,
        [("leak", 4)],
    ),
    (
        "a secret kept from an earlier turn is that of another seat",
        """
        rule match:
            let x = 0
            for p in seats:
                ask p "turn":
                    pass
                    bet when x > 1
                x = size(those c in hand[p] where strength(c) > 2)
        """,
        [("hidden", 6)],
    ),
    (
        "a value that nobody may see stays hidden",
        """
        rule match:
            lost = size(those c in hand[dealer] where strength(c) > 2)
            if lost > 1: known = 1
            ask dealer "turn":
                pass
                bet when lost > 1
        """,
        [("leak", 3), ("hidden", 6)],
    ),
    (
        "a private variable cannot hold another seat's secret",
        """
        rule match:
            hint[dealer] = size(those c in hand[on_lead] where strength(c) > 2)
            mates[dealer] = size(those c in hand[dealer] where strength(c) > 2)
        """,
        [("leak", 2), ("leak", 3)],
    ),
    (
        "a local set in the other branch keeps its secret",
        """
        rule match:
            let x = 0
            if known > 1: known = 2
            else: x = lost
            known = x
        """,
        [("leak", 5)],
    ),
]

ALLOWED = [
    (
        "a secret of a team is stored where the team sees it",
        """
        rule match:
            for p in seats:
                ask p "plan" seen by team:
                    low: plan[team(p)] = 1
                    high: mates[p] = 2
                    other n from 3 to 5:
                        for q in partners(p): mates[q] = n
        """,
    ),
    (
        "seats of a team see what the team sees",
        """
        rule match:
            for p in seats:
                for q in seats_of(team(p)) where q != p:
                    ask q "turn":
                        pass
                        play when plan[team(p)] > 1
                        call when mates[p] > 1
                for q in partners(p):
                    ask q "turn":
                        pass
                        play when plan[team(p)] > 1
                for q in seats where team(q) == team(p) and q != p:
                    ask q "turn":
                        pass
                        play when plan[team(p)] > 1
        """,
    ),
]


test_is_refused, test_is_allowed = make_tests(UNSOUND, ALLOWED)
