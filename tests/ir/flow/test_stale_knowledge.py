"""Stale knowledge: a value computed from cards of a place, after cards have left the place."""

from rule_cases import refused_rules, with_one_of

# In each, `lucky` is computed from a place, and then its cards go where nobody sees them.
# (name, rules, line of the leak)
STALE = [
    (
        "all cards leave one by one, and known cards come",
        """
        rule match:
            let lucky = good(dealer)
            repeat 3 times: move (first c in hand[dealer]) from hand[dealer] to crib
            move all from heap to hand[dealer]
            move one_of(hand[dealer], lucky) from hand[dealer] to row
        """,
        5,
    ),
    (
        "one card leaves and one is drawn",
        """
        rule match:
            let lucky = good(dealer)
            move (first c in hand[dealer]) from hand[dealer] to crib
            draw from stock to hand[dealer]
            move one_of(hand[dealer], lucky) from hand[dealer] to row
        """,
        5,
    ),
    (
        "the highest card leaves and a named card comes",
        """
        rule match:
            let lucky = good(dealer)
            move (first c in hand[dealer] with highest strength(c)) from hand[dealer] to crib
            move "7c" from stock to hand[dealer]
            move one_of(hand[dealer], lucky) from hand[dealer] to row
        """,
        5,
    ),
    (
        "a swap",
        """
        rule match:
            let lucky = good(dealer)
            swap (first c in hand[dealer]) from hand[dealer] with (first c in crib) from crib
            move one_of(hand[dealer], lucky) from hand[dealer] to row
        """,
        4,
    ),
    (
        "a swap, seen from the other place",
        """
        rule match:
            let lucky = any c in crib has strength(c) > 4
            swap (first c in hand[dealer]) from hand[dealer] with (first c in crib) from crib
            move one_of(crib, lucky) from crib to row
        """,
        4,
    ),
    (
        "a swap replaces a card after one has left",
        """
        rule match:
            let lucky = good(dealer)
            move (first c in hand[dealer]) from hand[dealer] to crib
            swap (first c in hand[dealer]) from hand[dealer] with top(heap) from heap
            move one_of(hand[dealer], lucky) from hand[dealer] to row
        """,
        5,
    ),
    (
        "a swap shows one of two",
        """
        rule match:
            let lucky = good(dealer)
            repeat 3 times: move (first c in hand[dealer]) from hand[dealer] to crib
            move all from heap to hand[dealer]
            swap one_of(hand[dealer], lucky) from hand[dealer] with (first c in row) from row
        """,
        5,
    ),
    (
        "cards are gathered into the place",
        """
        rule match:
            let lucky = good(dealer)
            for c in hand[dealer]: move c from hand[dealer] to crib
            gather row into hand[dealer] openly
            move one_of(hand[dealer], lucky) from hand[dealer] to row
        """,
        5,
    ),
    (
        "a rule takes the cards and gives others",
        """
        rule match:
            let lucky = good(dealer)
            do refresh(dealer)
            move one_of(hand[dealer], lucky) from hand[dealer] to row
        rule refresh(p):
            for c in hand[p]: move c from hand[p] to crib
            move all from heap to hand[p]
        """,
        4,
    ),
    (
        "one rule takes, another one gives",
        """
        rule match:
            let lucky = good(dealer)
            do take(dealer)
            do give(dealer)
            move one_of(hand[dealer], lucky) from hand[dealer] to row
        rule take(p):
            for c in hand[p]: move c from hand[p] to crib
        rule give(p): move all from heap to hand[p]
        """,
        5,
    ),
    (
        "the value is an argument of the rule that moves the cards",
        """
        rule match: do refresh(dealer, good(dealer))
        rule refresh(p, lucky: yes_no):
            for c in hand[p]: move c from hand[p] to crib
            move all from heap to hand[p]
            move one_of(hand[p], lucky) from hand[p] to row
        """,
        5,
    ),
    (
        "the rule that moves the cards returns the value",
        """
        rule match:
            let lucky = do refresh(dealer)
            move one_of(hand[dealer], lucky) from hand[dealer] to row
        rule refresh(p) -> yes_no:
            let lucky = good(p)
            for c in hand[p]: move c from hand[p] to crib
            move all from heap to hand[p]
            return lucky
        """,
        3,
    ),
    (
        "a rule that was checked with a fresh value gets a stale one",
        """
        rule match:
            do show(dealer, good(dealer))
            let lucky = good(dealer)
            for c in hand[dealer]: move c from hand[dealer] to crib
            move all from heap to hand[dealer]
            do show(dealer, lucky)
        rule show(p, lucky: yes_no): move one_of(hand[p], lucky) from hand[p] to row
        """,
        7,
    ),
    (
        "the cards leave in one branch and come after both",
        """
        rule match:
            let lucky = good(dealer)
            if known > 0:
                for c in hand[dealer]: move c from hand[dealer] to crib
            move all from heap to hand[dealer]
            move one_of(hand[dealer], lucky) from hand[dealer] to row
        """,
        6,
    ),
    (
        "the cards leave before two branches and other cards come in each",
        """
        rule match:
            let lucky = good(dealer)
            for c in hand[dealer]: move c from hand[dealer] to crib
            if known > 0: move all from heap to hand[dealer]
            else: move "7c" from stock to hand[dealer]
            move one_of(hand[dealer], lucky) from hand[dealer] to row
        """,
        6,
    ),
    (
        "the cards come in the next turn of a loop",
        """
        rule match:
            let lucky = good(dealer)
            repeat 2 times:
                if size(hand[dealer]) > 1:
                    move one_of(hand[dealer], lucky) from hand[dealer] to row
                for c in hand[dealer]: move c from hand[dealer] to crib
                move all from heap to hand[dealer]
        """,
        5,
    ),
    (
        "a question is asked again after new cards have come",
        """
        rule match:
            let lucky = good(dealer)
            ask dealer "q":
                renew:
                    for c in hand[dealer]: move c from hand[dealer] to crib
                    move all from heap to hand[dealer]
                    again
                show: move one_of(hand[dealer], lucky) from hand[dealer] to row
        """,
        8,
    ),
    (
        "the value is a number that chooses the strongest or the weakest card",
        """
        rule match:
            let lucky = count c in hand[dealer] where strength(c) > 4
            for c in hand[dealer]: move c from hand[dealer] to crib
            move all from heap to hand[dealer]
            let best = first c in hand[dealer] with highest strength(c) * lucky
            move best from hand[dealer] to row
        """,
        6,
    ),
    (
        "the strength of an old card decides about a new one",
        """
        rule match:
            let best = first c in hand[dealer] with highest strength(c)
            for c in hand[dealer]: move c from hand[dealer] to crib
            move all from heap to hand[dealer]
            move one_of(hand[dealer], strength(best) > 4) from hand[dealer] to row
        """,
        5,
    ),
    (
        "the card of a loop decides about a new one",
        """
        rule match:
            for best in hand[dealer]:
                for c in hand[dealer]: move c from hand[dealer] to crib
                move all from heap to hand[dealer]
                move one_of(hand[dealer], strength(best) > 4) from hand[dealer] to row
        """,
        5,
    ),
    (
        "a random card leaves",
        """
        rule match:
            let lucky = good(dealer)
            repeat 3 times:
                let c = random from hand[dealer]
                move c from hand[dealer] to crib
            move all from heap to hand[dealer]
            move one_of(hand[dealer], lucky) from hand[dealer] to row
        """,
        7,
    ),
    (
        "cards leave a pile from the top, and others come on top",
        """
        zone deck: pile, seen by nobody
        rule match:
            let lucky = any c in deck has strength(c) > 4
            repeat 3 times: move top(deck) from deck to crib
            move all from heap to deck
            move one_of(deck, lucky) from deck to row
        """,
        6,
    ),
    (
        "the hand of a partner",
        """
        rule match:
            let lucky = good(partner(dealer))
            for c in hand[partner(dealer)]: move c from hand[partner(dealer)] to crib
            move all from heap to hand[partner(dealer)]
            move one_of(hand[partner(dealer)], lucky) from hand[partner(dealer)] to row
        """,
        5,
    ),
    (
        "known cards come, and then all others leave one by one",
        """
        rule match:
            let lucky = good(dealer)
            move all from heap to hand[dealer]
            repeat 3 times:
                move (first c in hand[dealer] where c != "7c") from hand[dealer] to crib
            move one_of(hand[dealer], lucky) from hand[dealer] to row
        """,
        6,
    ),
    (
        "a card leaves that decided which other card is shown",
        """
        rule match:
            let shown = first c in hand[dealer] where strength(c) > 2 or good(dealer)
            move (first c in hand[dealer] with highest strength(c)) from hand[dealer] to crib
            if size(hand[dealer]) > 1: move shown from hand[dealer] to row
        """,
        4,
    ),
    (
        "the number of picked cards is counted after they have left",
        """
        rule match:
            let n: 1 to 2 = 2 if good(dealer) else 1
            ask dealer "q" seen by owner:
                throw gone from n cards of hand[dealer]:
                    move all from hand[dealer] to crib
                    move all from heap to hand[dealer]
                    let k: 0 to 6 = 0
                    for c in gone: k += 1
                    move one_of(hand[dealer], k == 2) from hand[dealer] to row
        """,
        9,
    ),
    (
        "the number of picked cards is counted after a rule has moved them",
        """
        rule match:
            let n: 1 to 2 = 2 if good(dealer) else 1
            ask dealer "q" seen by owner:
                throw gone from n cards of hand[dealer]:
                    do refresh(dealer)
                    let k: 0 to 6 = 0
                    for c in gone: k += 1
                    move one_of(hand[dealer], k == 2) from hand[dealer] to row
        rule refresh(p):
            gather hand into stock
            draw from stock to hand[p]
        """,
        8,
    ),
    (
        "the place of a team",
        """
        rule match:
            let side = team(dealer)
            let lucky = any c in shared[side] has strength(c) > 4
            for c in shared[side]: move c from shared[side] to crib
            move all from heap to shared[side]
            move one_of(shared[side], lucky) from shared[side] to row
        """,
        6,
    ),
]


@refused_rules([(name, rules, [("leak", line)]) for name, rules, line in STALE])
def test_is_refused(codes, rules, expected):
    assert codes(with_one_of(rules)) == expected
