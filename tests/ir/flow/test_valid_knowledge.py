"""Valid knowledge: cards move, but what a value tells about a place is still true or released."""

from rule_cases import allowed_rules, with_one_of

FRESH = [
    (
        "the cards of a hand leave one by one",
        """
        rule match:
            for c in hand[dealer]: move c from hand[dealer] to row
        """,
    ),
    (
        "each card of a hand is replaced as it leaves",
        """
        rule match:
            for c in hand[dealer]:
                move c from hand[dealer] to row
                draw from stock to hand[dealer]
        """,
    ),
    (
        "each card of a hand may be swapped",
        """
        rule match:
            for c in hand[dealer] where strength(c) > 4:
                ask dealer "swap" seen by owner:
                    pass
                    swap openly: swap c from hand[dealer] with top(heap) from heap
        """,
    ),
    (
        "two cards are found before the first becomes public",
        """
        rule match:
            let best = first c in hand[dealer] with highest strength(c)
            let worst = first c in hand[dealer] with lowest strength(c)
            move best from hand[dealer] to row
            draw from stock to hand[dealer]
            if size(hand[dealer]) > 2: move worst from hand[dealer] to row
        """,
    ),
    (
        "all cards go to a hidden place, one by one",
        """
        rule match:
            for c in hand[dealer]: move c from hand[dealer] to crib
        """,
    ),
    (
        "some cards go to a hidden place, and others to a public one",
        """
        rule match:
            for c in hand[dealer]:
                if size(crib) < 2: move c from hand[dealer] to crib
                else: move c from hand[dealer] to row
        """,
    ),
    (
        "cards leave, others come, and the value is computed again",
        """
        rule match:
            for c in hand[dealer]: move c from hand[dealer] to crib
            move all from heap to hand[dealer]
            let lucky = good(dealer)
            move one_of(hand[dealer], lucky) from hand[dealer] to row
        """,
    ),
    (
        "cards come, then one leaves by an earlier value",
        """
        rule match:
            let lucky = good(dealer)
            draw from stock to hand[dealer]
            repeat 2 times: move one_of(hand[dealer], lucky) from hand[dealer] to row
        """,
    ),
    (
        "the cards of another place are replaced",
        """
        rule match:
            let lucky = good(dealer)
            for c in kept[dealer]: move c from kept[dealer] to crib
            move all from heap to kept[dealer]
            move one_of(hand[dealer], lucky) from hand[dealer] to row
        """,
    ),
]


@allowed_rules(FRESH)
def test_is_allowed(codes, rules):
    assert codes(with_one_of(rules)) == []
