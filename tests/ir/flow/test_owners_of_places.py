"""Owners of places: a variable may name another seat by now, which has other cards."""

from rule_cases import make_tests

# (name, rules, errors: code and line)
UNSOUND = [
    (
        "a partner's place is another place",
        """
        rule match:
            let p = dealer
            let q = partner(dealer)
            move (first c in pool[p] where good_in(q)) from pool[p] to crib
        define good_in(p): any c in pool[p] has strength(c) > 4
        """,
        [("leak", 4)],
    ),
    (
        "a local set in a branch has the key of neither",
        """
        rule match:
            let p = dealer
            if known > 3: p = next_seat(dealer)
            ask dealer "turn":
                play card from hand[p]
        """,
        [("hidden", 5)],
    ),
    (
        "an element kept from an earlier turn is another seat",
        """
        rule match:
            let last = dealer
            for p in seats:
                ask p "turn":
                    play card from hand[last]
                last = p
        """,
        [("hidden", 5)],
    ),
    (
        "a variable that is set is another seat",
        """
        rule match:
            let p = dealer
            dealer = next_seat(dealer)
            ask dealer "turn":
                play card from hand[p]
        """,
        [("hidden", 5)],
    ),
    (
        "a local that is set is another seat",
        """
        rule match:
            let p = dealer
            p = next_seat(p)
            ask dealer "turn":
                play card from hand[p]
        """,
        [("hidden", 5)],
    ),
    (
        "a variable set by a rule is another seat",
        """
        rule match:
            let p = dealer
            do pass_on
            ask dealer "turn":
                play card from hand[p]
        rule pass_on:
            dealer = next_seat(dealer)
        """,
        [("hidden", 5)],
    ),
    (
        "a variable set before the rule is left is another seat",
        """
        rule match:
            let p = dealer
            do pass_on
            ask dealer "turn":
                play card from hand[p]
        rule pass_on:
            if known > 1:
                dealer = next_seat(dealer)
                return
            known = 2
        """,
        [("hidden", 5)],
    ),
    (
        "a variable set before the loop is left is another seat",
        """
        rule match:
            let p = dealer
            repeat 3 times:
                if known > 1:
                    dealer = next_seat(dealer)
                    stop
            ask dealer "turn":
                play card from hand[p]
        """,
        [("hidden", 8)],
    ),
    (
        "a variable set in a trick by a rule that ends it is another seat",
        """
        rule match:
            deal:
                let p = dealer
                trick on table:
                    do finish
                ask dealer "turn":
                    play card from hand[p]
                end deal because over
        rule finish:
            dealer = next_seat(dealer)
            end trick tied
        """,
        [("hidden", 7)],
    ),
    (
        "a local set in a trick that ends is another seat",
        """
        rule match:
            deal:
                let p = dealer
                trick on table:
                    p = next_seat(p)
                    end trick tied
                ask dealer "turn":
                    play card from hand[p]
                end deal because over
        """,
        [("hidden", 8)],
    ),
    (
        "a variable of the deal restarts",
        """
        deal state:
            turn: seat = dealer
        rule match:
            let p = turn
            deal:
                ask turn "turn":
                    play card from hand[p]
                end deal because over
        """,
        [("hidden", 7)],
    ),
    (
        "a scenario may set the variable of a setup",
        """
        rule match:
            on_lead = dealer
            setup dealer:
                dealer = on_lead
            ask dealer "turn":
                play card from hand[on_lead]
        """,
        [("hidden", 6)],
    ),
    (
        "a name of a function that is set is another seat",
        """
        define other(p):
            let q = p
            q = next_seat(q)
            return any c in hand[q] has strength(c) > 2
        rule match:
            ask dealer "turn":
                pass
                bet when other(dealer)
        """,
        [("hidden", 8)],
    ),
    (
        "a question asked again may be asked of another seat's cards",
        """
        rule match:
            let p = dealer
            ask dealer "turn":
                play card from hand[p]:
                    p = next_seat(p)
                    again
        """,
        [("hidden", 4)],
    ),
    (
        "a local set in the other branch has the key of neither",
        """
        rule match:
            let p = dealer
            if known > 3: known = 1
            else: p = next_seat(p)
            ask dealer "turn":
                play card from hand[p]
        """,
        [("hidden", 6)],
    ),
    (
        "a variable set in a loop is another seat in its next turn",
        """
        rule match:
            let p = dealer
            repeat 3 times:
                ask dealer "turn":
                    play card from hand[p]
                dealer = next_seat(dealer)
        """,
        [("hidden", 5)],
    ),
    (
        "a conditional expression gives one of two seats",
        """
        rule match:
            let p = dealer if known > 1 else on_lead
            ask dealer "turn":
                play card from hand[p]
        """,
        [("hidden", 4)],
    ),
    (
        "a rule may return one of two seats",
        """
        rule match:
            let p = do who
            ask dealer "turn":
                play card from hand[p]
        rule who -> seat:
            if known > 1: return dealer
            return on_lead
        """,
        [("hidden", 4)],
    ),
    (
        "a rule is checked again for another seat",
        """
        rule match:
            do part(dealer)
            do part(on_lead)
        rule part(p):
            ask dealer "turn":
                play card from hand[p]
        """,
        [("hidden", 6)],
    ),
]

ALLOWED = [
    (
        "a deal does not change the dealer",
        """
        rule match:
            let p = dealer
            deal:
                trick on table:
                    end trick tied
                end deal because over
            ask dealer "turn":
                play card from hand[p]
        """,
    ),
    (
        "seats counted from the same seat are the same",
        """
        rule match:
            let p = next_seat(dealer)
            ask next_seat(dealer) "turn":
                play card from hand[p]
            ask dealer "turn":
                play card from hand[previous_seat(p)]
            on_lead = p
            ask on_lead "turn":
                play card from hand[p]
            for q in seats where q == dealer:
                ask q "turn":
                    play card from hand[dealer]
        """,
    ),
]


test_is_refused, test_is_allowed = make_tests(UNSOUND, ALLOWED)
