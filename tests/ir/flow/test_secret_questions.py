"""Secret questions and open options."""

from rule_cases import make_tests

# (name, rules, errors: code and line)
UNSOUND = [
    (
        "an asked seat learns that earlier seats did not answer a secret question",
        """
        rule match:
            ask any one in seats "say" seen by owner:
                yes
        """,
        [("hidden", 2), ("leak", 2)],
    ),
    (
        "the next asked seat learns an earlier secret answer",
        """
        rule match:
            ask any one in seats "say" seen by owner:
                yes
                perhaps: next
        """,
        [("hidden", 2), ("leak", 2)],
    ),
    (
        "the team notices a question that depends on a member's secret",
        """
        rule match:
            if good(dealer):
                ask dealer "plan" seen by team:
                    pass
        """,
        [("leak", 3)],
    ),
    (
        "an open action does not reveal secrets of other seats",
        """
        rule match:
            if good(on_lead):
                ask dealer "sing" seen by owner:
                    sing openly: known = 1
                    pass
        """,
        [("leak", 3), ("leak", 4)],
    ),
    (
        "a statement after the question may depend on the condition of the question",
        """
        rule match:
            if good(dealer):
                ask dealer "sing" seen by owner:
                    sing openly
                    pass
                known = 1
        """,
        [("leak", 6)],
    ),
    (
        "an open action does not reveal the condition of later statements",
        """
        rule match:
            if good(dealer): return
            ask on_lead "sing" seen by owner:
                sing openly
            known = 1
        """,
        [("leak", 3), ("leak", 5)],
    ),
    (
        "the condition of a question is secret again after its open action",
        """
        rule match:
            if good(dealer): return
            ask dealer "sing" seen by owner:
                sing openly: known = 2
            known = 1
        """,
        [("leak", 5)],
    ),
    (
        "the asked seat sees the bounds of its choice",
        """
        rule match:
            ask dealer "bid":
                bid n from 1 to lost
        """,
        [("hidden", 3)],
    ),
    (
        "what another seat, or nobody, says to the partners of a seat is not known to its team",
        """
        rule match:
            for p in seats:
                let n = count c in hand[p] where strength(c) > 4
                announce n by dealer to seats_of(team(p)) - p
                ask p "raise" seen by owner:
                    raise when n > 1
                    pass
                for q in seats_of(team(p)) - p:
                    ask q "raise" seen by owner:
                        raise when n > 1
                        pass
                let m = count c in hand[p] where strength(c) > 5
                announce m to seats_of(team(p)) - p
                for q in seats_of(team(p)) - p:
                    ask q "raise" seen by owner:
                        raise when m > 1
                        pass
        """,
        [("hidden", 10), ("hidden", 16)],
    ),
]

ALLOWED = [
    (
        "what a seat says to its partners is known to its team",
        """
        rule match:
            for p in seats:
                let n = count c in hand[p] where strength(c) > 4
                announce n by p to seats_of(team(p)) - p
                mates[p] = n
                for q in seats_of(team(p)) - p:
                    ask q "raise" seen by owner:
                        raise when n > 1
                        pass
        """,
    ),
    (
        "an open action that reveals its condition",
        """
        rule match:
            for p in seats where good(p):
                ask p "sing" seen by owner:
                    sing suit from suits when any c in hand[p] has suit(c) == suit openly:
                        points[team(p)] += 20
                        known = 1
                        again
                    tute when size(those c in hand[p] where strength(c) > 6) > 3 openly:
                        end match won by team(p)
                    pass
        """,
    ),
    (
        "singing before a draw while there is something to sing",
        """
        define can_sing(p, s: suit): any c in hand[p] has suit(c) == s
        rule match:
            for p in seats:
                repeat at most 4 times while any s in suits has can_sing(p, s):
                    ask p "sing" seen by owner:
                        sing s from suits when can_sing(p, s) openly: points[team(p)] += 20
                        pass: stop
                draw from stock to hand[p]
        """,
    ),
    (
        "a song that all agree to",
        """
        rule match:
            let first_seat = next_seat(dealer)
            let singing = yes
            repeat at most 10 times while singing and size(stock) >= players:
                ask first_seat "sing":
                    sing
                    decline: stop
                for p in seats after first_seat:
                    ask p "join":
                        agree
                        refuse:
                            singing = no
                            stop
                if not singing: stop
                ask first_seat "cards":
                    cards n from 1 to min(3, size(stock) div players):
                        repeat n times:
                            for p in seats from first_seat: draw from stock to hand[p]
        """,
    ),
]


test_is_refused, test_is_allowed = make_tests(UNSOUND, ALLOWED)
