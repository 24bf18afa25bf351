"""Cards picked from a place: by what was looked at there before, or by what lies elsewhere."""

from refusals import both_tests

# (name, rules, what is refused: code and line)
UNSOUND = [
    (
        "what lay in a place before it was emptied is not what lies there",
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
        "a card that was picked and went may have decided which goes next",
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
        "a rule may take away what was looked at before it was done",
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
        "what was returned was looked at before a rule took it away",
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
        "a card that was drawn from a place may have decided which goes next",
        """
        rule match:
            let lucky = any c in stock has strength(c) > 4
            draw from stock to hand[dealer]
            move (first c in stock where strength(c) > 2 or lucky) from stock to row
        """,
        [("leak", 4)],
    ),
    (
        "a turn of a loop goes on with what was looked at before the turns",
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
        "a card that another place decides about shows once it is seen",
        """
        rule match:
            let best = first c in kept[dealer]
            move (first c in hand[dealer] where c != best) from hand[dealer] to crib
        """,
        [("leak", 3)],
    ),
    (
        "which card is shown may tell of another hand",
        """
        rule match:
            let best = highest strength(c) for c in hand[on_lead]
            move (first c in hand[dealer] where strength(c) < best) from hand[dealer] to row
        """,
        [("leak", 3)],
    ),
    (
        "which open card is taken is seen by all",
        """
        rule match:
            ask dealer "take" seen by owner:
                take card from row: move card to hand[dealer]
        """,
        [("leak", 3)],
    ),
    (
        "a card picked by a secret choice tells of it",
        """
        rule match:
            ask dealer "level" seen by owner:
                level n from 1 to 3:
                    move (first c in table[dealer] where strength(c) == n) from table[dealer] to row
        """,
        [("leak", 4)],
    ),
    (
        "which card of a hidden place is shown may tell of a hand",
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
        "cards may come to a place and be shown from it by what was looked at there",
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
        "cards kept in secret from a draft",
        """
        rule match:
            for p in seats:
                ask p "draft" seen by owner:
                    keep card from hand[p] when strength(card) > 1: move card to crib
            gather hand into stock
        """,
    ),
    (
        "a card chosen in secret is shown where it goes",
        """
        rule match:
            ask dealer "show" seen by owner:
                show card from hand[dealer]: move card to table[dealer]
        """,
    ),
    (
        "a random card of another hand for one of one's own",
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


test_is_refused, test_is_allowed = both_tests(UNSOUND, ALLOWED)
