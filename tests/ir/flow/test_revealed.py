"""What was revealed, to whom, and for how long."""

from refusals import both_tests

# (name, rules, what is refused: code and line)
UNSOUND = [
    (
        "who is shown something notices it",
        """
        rule match:
            if good(dealer): reveal hand[dealer] to next_seat(dealer)
        """,
        [("leak", 2)],
    ),
    (
        "what was revealed on one way only is not known",
        """
        rule match:
            if known > 1: reveal hand[dealer] to on_lead
            ask on_lead "turn":
                play card from hand[dealer]
        """,
        [("hidden", 4)],
    ),
    (
        "what was looked at before it was revealed is not known",
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
        "what was revealed is known until the deal ends",
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
        "what was revealed is hidden again in the next turn with its deal",
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
        "what was revealed before a deal is hidden in it",
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
        "another's hand was not revealed",
        """
        rule match:
            reveal hand[dealer] to on_lead
            ask on_lead "turn":
                play card from hand[next_seat(dealer)]
        """,
        [("hidden", 4)],
    ),
    (
        "whose hand is revealed may tell of a secret",
        """
        rule match:
            let p = dealer if good(dealer) else next_seat(dealer)
            reveal hand[p] to on_lead
        """,
        [("leak", 3)],
    ),
    (
        "a rule is looked at again where less is revealed",
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
        "a signal that leaks by chance",
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
        "what is revealed to all, to a team, to one",
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


test_is_refused, test_is_allowed = both_tests(UNSOUND, ALLOWED)
