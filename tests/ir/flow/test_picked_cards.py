"""Cards picked from a place: by earlier knowledge of the place, or by cards of other places."""

from rule_cases import make_tests

# (name, rules, errors: code and line)
UNSOUND = [
    (
        "a value of a place is stale after it was emptied",
        """
        rule match:
            let lucky = good(dealer)
            move all from hand[dealer] to crib
            draw from stock to hand[dealer]
            move one_of(dealer, lucky) from hand[dealer] to row
        define one_of(p, any_but_first: yes_no) -> card:
            (first c in hand[p] where c != top(row)) if any_but_first else first c in hand[p]
        """,
        [("leak", 5)],
    ),
    (
        "a picked card that left may have decided the next card",
        """
        rule match:
            let lucky = good(dealer)
            ask dealer "away" seen by owner:
                away card from hand[dealer]: move card to crib
            move (first c in hand[dealer] where strength(c) > 2 or lucky) from hand[dealer] to row
        """,
        [("leak", 5)],
    ),
    (
        "a rule may remove the cards of an earlier value",
        """
        rule match:
            let lucky = good(dealer)
            do away(next_seat(dealer))
            move (first c in hand[dealer] where strength(c) > 2 or lucky) from hand[dealer] to row
        rule away(p): gather hand into stock
        """,
        [("leak", 4)],
    ),
    (
        "a rule returns a value, but has moved its cards",
        """
        rule match:
            let lucky = do look(dealer)
            move (first c in hand[dealer] where strength(c) > 2 or lucky) from hand[dealer] to row
        rule look(p) -> yes_no:
            let lucky = good(p)
            move all from hand[p] to crib
            return lucky
        """,
        [("leak", 3)],
    ),
    (
        "a drawn card may have decided the next card",
        """
        rule match:
            let lucky = any c in stock has strength(c) > 4
            draw from stock to hand[dealer]
            move (first c in stock where strength(c) > 2 or lucky) from stock to row
        """,
        [("leak", 4)],
    ),
    (
        "a turn of a loop uses cards that were found before all turns",
        """
        rule match:
            for card in hand[dealer]:
                if size(hand[dealer]) > 2: move card from hand[dealer] to row
                ask dealer "away" seen by owner:
                    away other from hand[dealer]: move other to crib
        """,
        [("leak", 3)],
    ),
    (
        "a card chosen by another place shows when it is seen",
        """
        rule match:
            let best = first c in kept[dealer]
            move (first c in hand[dealer] where c != best) from hand[dealer] to crib
        """,
        [("leak", 3)],
    ),
    (
        "the choice of the shown card may leak another hand",
        """
        rule match:
            let best = highest strength(c) for c in hand[on_lead]
            move (first c in hand[dealer] where strength(c) < best) from hand[dealer] to row
        """,
        [("leak", 3)],
    ),
    (
        "all seats see which open card is taken",
        """
        rule match:
            ask dealer "take" seen by owner:
                take card from row: move card to hand[dealer]
        """,
        [("leak", 3)],
    ),
    (
        "a card picked by a secret choice reveals the choice",
        """
        rule match:
            ask dealer "level" seen by owner:
                level n from 1 to 3:
                    move (first c in table[dealer] where strength(c) == n) from table[dealer] to row
        """,
        [("leak", 4)],
    ),
    (
        "the choice of a shown card of a hidden place may leak a hand",
        """
        rule match:
            let best = highest strength(c) for c in hand[dealer]
            move (first c in crib where strength(c) < best) from crib to row
        """,
        [("leak", 3)],
    ),
]

ALLOWED = [
    (
        "cards come to a place and leave it by an earlier value",
        """
        rule match:
            let low = lowest strength(c) for c in hand[dealer]
            draw from stock to hand[dealer] as drawn
            for c in hand[dealer]:
                if size(hand[dealer]) > 2: do away(dealer, c)
            do away(dealer, first c in hand[dealer] where strength(c) == low)
            move drawn from hand[dealer] to row
        rule away(p, c: card): move c from hand[p] to row
        """,
    ),
    (
        "cards kept in secret in a draft",
        """
        rule match:
            for p in seats:
                ask p "draft" seen by owner:
                    keep card from hand[p] when strength(card) > 1: move card to crib
            gather hand into stock
        """,
    ),
    (
        "a card chosen in secret is shown at its destination",
        """
        rule match:
            ask dealer "show" seen by owner:
                show card from hand[dealer]: move card to table[dealer]
        """,
    ),
    (
        "an exchange of an own card for a random card of another hand",
        """
        rule match:
            ask dealer "target":
                target q from seats - dealer:
                    if not empty(hand[q]) and not empty(hand[dealer]):
                        let taken = random from hand[q]
                        move taken from hand[q] to hand[dealer]
                        ask dealer "give" seen by owner:
                            give card from hand[dealer]: move card to hand[q]
        """,
    ),
]


test_is_refused, test_is_allowed = make_tests(UNSOUND, ALLOWED)
