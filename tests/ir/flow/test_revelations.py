"""Revelations: to whom, and for how long."""

from rule_cases import make_tests

# (name, rules, errors: code and line)
UNSOUND = [
    (
        "a seat notices a revelation to it",
        """
        rule match:
            if good(dealer): reveal hand[dealer] to next_seat(dealer)
        """,
        [("leak", 2)],
    ),
    (
        "a revelation in one branch only does not count",
        """
        rule match:
            if known > 1: reveal hand[dealer] to on_lead
            ask on_lead "turn":
                play card from hand[dealer]
        """,
        [("hidden", 4)],
    ),
    (
        "a value computed before the revelation stays hidden",
        """
        rule match:
            let x = size(those c in hand[dealer] where strength(c) > 2)
            move all from hand[dealer] to crib
            reveal hand[dealer] to on_lead
            ask on_lead "turn":
                pass
                bet when x > 1
        """,
        [("hidden", 7)],
    ),
    (
        "a revelation lasts until the deal ends",
        """
        rule match:
            deal:
                reveal hand[dealer] to on_lead
                end deal because over
            ask on_lead "turn":
                play card from hand[dealer]
        """,
        [("hidden", 6)],
    ),
    (
        "a revelation ends with a deal later in the loop",
        """
        rule match:
            reveal hand[dealer] to on_lead
            repeat 3 times:
                ask on_lead "turn":
                    play card from hand[dealer]
                deal:
                    end deal because over
        """,
        [("hidden", 5)],
    ),
    (
        "a revelation before a deal does not count in it",
        """
        rule match:
            reveal hand[dealer] to on_lead
            deal:
                ask on_lead "turn":
                    play card from hand[dealer]
                end deal because over
        """,
        [("hidden", 5)],
    ),
    (
        "the hand of another seat is not revealed",
        """
        rule match:
            reveal hand[dealer] to on_lead
            ask on_lead "turn":
                play card from hand[next_seat(dealer)]
        """,
        [("hidden", 4)],
    ),
    (
        "the choice of the revealed hand may leak a secret",
        """
        rule match:
            let p = dealer if good(dealer) else next_seat(dealer)
            reveal hand[p] to on_lead
        """,
        [("leak", 3)],
    ),
    (
        "a rule is checked again where less is revealed",
        """
        rule match:
            if known > 1:
                reveal hand[dealer] to on_lead
                do part
            do part
        rule part:
            ask on_lead "turn":
                play card from hand[dealer]
        """,
        [("hidden", 8)],
    ),
]

ALLOWED = [
    (
        "a signal that opponents catch by chance",
        """
        rule match:
            for p in seats from on_lead:
                ask p "signal" seen by team:
                    silence: mates[p] = 0
                    three: mates[p] = 3
                    two: mates[p] = 2
                for other in seats where team(other) != team(p):
                    let caught = chance 1 out of 4
                    if caught: reveal mates[p] to other
        """,
    ),
    (
        "a holder who sees the hands of partners",
        """
        rule match:
            for p in seats where good(p):
                for q in seats_of(team(p)) where q != p:
                    reveal hand[q] to p
            for p in seats where good(p):
                reveal hand[partner(p)] to p
                ask p "turn" seen by owner:
                    pass
                    call when good(partner(p))
        """,
    ),
    (
        "revelations to all, to a team, to one seat",
        """
        rule match:
            reveal hand[dealer] to seats
            if good(dealer): known = 1
            reveal hand[on_lead] to seats_of(team(dealer))
            ask dealer "turn":
                pass
                call when good(on_lead)
            do show(on_lead, dealer)
            ask dealer "turn":
                pass
                call when hint[on_lead] > 1
        rule show(p, q):
            reveal hint[p] to {q}
        """,
    ),
]


test_is_refused, test_is_allowed = make_tests(UNSOUND, ALLOWED)
