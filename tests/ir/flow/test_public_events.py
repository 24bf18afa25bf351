"""Public events: cards that are moved, drawn, swapped or gathered, and deals."""

from rule_cases import make_tests

# (name, rules, errors: code and line)
UNSOUND = [
    (
        "a swap under a secret condition shows when its cards are seen",
        """
        rule match:
            for p in seats where good(p):
                swap (first c in hand[p]) from hand[p] with (first c in kept[p]) from kept[p]
            for p in seats where good(p):
                swap (first c in hand[p]) from hand[p] with (first c in crib) from crib
        """,
        [("leak", 3), ("leak", 5)],
    ),
    (
        "all seats count a card drawn under a secret condition",
        """
        rule match:
            if good(dealer): draw from stock to hand[dealer]
        """,
        [("leak", 2)],
    ),
    (
        "all seats count cards moved between hidden places by a secret",
        """
        rule match:
            for card in hand[dealer] where strength(card) > 2:
                move card from hand[dealer] to kept[dealer]
        """,
        [("leak", 3)],
    ),
    (
        "all seats count a move by one of two secret options",
        """
        rule match:
            ask dealer "keep" seen by owner:
                keep card from hand[dealer]: move card to kept[dealer]
                pass
        """,
        [("leak", 3)],
    ),
    (
        "all seats count the cards at the destination",
        """
        rule match:
            ask dealer "give" seen by owner:
                give to_whom from seats: draw from stock to hand[to_whom]
        """,
        [("leak", 3)],
    ),
    (
        "gathered hands are shown to all",
        """
        rule match:
            gather hand into row
        """,
        [("leak", 2)],
    ),
    (
        "gathered hands are shown to one",
        """
        rule match:
            gather hand into kept[dealer]
        """,
        [("leak", 2)],
    ),
    (
        "a hand moved is shown to another seat",
        """
        rule match:
            move all from hand[dealer] to hand[next_seat(dealer)]
        """,
        [("leak", 2)],
    ),
    (
        "a hand moved is shown to the team",
        """
        rule match:
            move all from hand[dealer] to shared[team(dealer)]
        """,
        [("leak", 2)],
    ),
    (
        "a swap with an open card is seen",
        """
        rule match:
            if good(dealer):
                swap (first c in hand[dealer]) from hand[dealer] with top(row) from row
        """,
        [("leak", 3)],
    ),
    (
        "a deal that begins is seen",
        """
        rule match:
            if good(dealer):
                deal:
                    end deal because over
        """,
        [("leak", 3), ("leak", 4)],
    ),
    (
        "an open pile that is shuffled is seen",
        """
        rule match:
            if good(dealer): shuffle heap
        """,
        [("leak", 2)],
    ),
    (
        "the order of gathered open cards is seen",
        """
        rule match:
            let p = dealer if good(dealer) else on_lead
            gather table from p into heap
        """,
        [("leak", 3)],
    ),
]

ALLOWED = [
    (
        "cards kept in secret, one at a time",
        """
        rule match:
            for p in seats from next_seat(dealer) where size(hand[p]) > 3:
                repeat 3 times:
                    ask p "keep" seen by owner:
                        keep card from hand[p]: move card to kept[p]
                move all from hand[p] to stock
                move all from kept[p] to hand[p]
        """,
    ),
    (
        "an exchange that is seen",
        """
        rule match:
            for p in seats where "7c" in hand[p]:
                ask p "exchange" seen by owner:
                    exchange openly: swap "7c" from hand[p] with top(row) from row
                    pass
        """,
    ),
    (
        "hands that are shown on purpose, or that nobody sees",
        """
        rule match:
            gather hand from dealer into row openly
            move all from hand[dealer] to table[dealer] openly
            gather hand, kept, table, row into stock
            move all from shared[team(dealer)] to hand[dealer]
            move all from hand[dealer] to kept[dealer]
            draw from stock to crib face up as card
            if strength(card) > 2: known = 1
        """,
    ),
    (
        "the number of cards in a place is no secret",
        """
        rule match:
            for card in hand[dealer]: known += 1
            repeat at most 9 times while size(hand[dealer]) > 3:
                move (first c in hand[dealer]) from hand[dealer] to crib
        """,
    ),
]


test_is_refused, test_is_allowed = make_tests(UNSOUND, ALLOWED)
